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
  MGPU_PARAM_DOUBLE,            /* stored as gdouble */
  MGPU_PARAM_INT,               /* stored as gint */
  MGPU_PARAM_UINT,              /* stored as guint */
  MGPU_PARAM_BOOLEAN,           /* stored as gboolean */
  MGPU_PARAM_ENUM,              /* stored as gint */
  MGPU_PARAM_FLAGS,             /* stored as guint */
  MGPU_PARAM_STRING             /* stored as gchar *, owned by the struct; NULL until set */
} MgpuParamType;

/* Describes one value of an enum or of flags. */
typedef struct
{
  gint value;
  const gchar *text, *nick;
} MgpuEnumValue;

/* Describes an enum or flags. */
typedef struct
{
  const gchar *type;            /* name of the GType: "GstMgpuHistEqMethod" */
  const MgpuEnumValue *values;  /* a list that ends with a NULL nick */
} MgpuEnum;

/* Describes a parameter of an algorithm, which is also a property of an element. Lists of
 * parameters end with a NULL name. */
typedef struct
{
  const gchar *name;            /* name of the property, such as "sigma-space" */
  MgpuParamType type;
  gsize offset;                 /* offset of the member in the struct of parameters */
  gdouble min, max, value;      /* limits, and the default value */
  const MgpuEnum *values;       /* values of an enum or of flags, else NULL */
  const gchar *text;            /* description of the property; NULL for a property of an
                                 * interface, which describes it */
  gboolean is_fixed;            /* TRUE: must not change after the element has started */
} MgpuParam;

G_END_DECLS
