/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Says which type a member of a struct of parameters has. */
typedef enum
{
  MGPU_PARAM_DOUBLE,            /* gdouble */
  MGPU_PARAM_INT,               /* gint */
  MGPU_PARAM_UINT,              /* guint */
  MGPU_PARAM_BOOLEAN,           /* gboolean */
  MGPU_PARAM_ENUM,              /* gint */
  MGPU_PARAM_FLAGS,             /* guint */
  MGPU_PARAM_STRING             /* gchar *: owned, NULL unless set */
} MgpuParamType;

/* Names a value of an enum or of flags. */
typedef struct
{
  gint value;
  const gchar *text, *nick;
} MgpuEnumValue;

/* Names an enum or flags. */
typedef struct
{
  const gchar *type;            /* of GObject: "GstMgpuHistEqMethod" */
  const MgpuEnumValue *values;  /* a list that ends with a NULL nick */
} MgpuEnum;

/* Describes a parameter, which is also a property. Lists end with a NULL name. */
typedef struct
{
  const gchar *name;            /* "sigma-space" */
  MgpuParamType type;
  gsize offset;                 /* of the member, in the struct of parameters */
  gdouble min, max, value;      /* value: the default */
  const MgpuEnum *values;       /* of an enum or of flags */
  const gchar *text;            /* the only description */
  gboolean is_fixed;            /* may change before the element starts alone */
} MgpuParam;

G_END_DECLS
