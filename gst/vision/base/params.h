/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Types of the parameters of an algorithm; each parameter is a member of a struct. */
typedef enum
{
  MGPU_PARAM_DOUBLE,            /* parameter of type gdouble */
  MGPU_PARAM_INT,               /* parameter of type gint */
  MGPU_PARAM_UINT,              /* parameter of type guint */
  MGPU_PARAM_BOOLEAN,           /* parameter of type gboolean */
  MGPU_PARAM_ENUM,              /* parameter of type gint, a value of an enum */
  MGPU_PARAM_FLAGS,             /* parameter of type guint, bits of flags */
  MGPU_PARAM_STRING,            /* parameter of type gchar *, owned by the struct of parameters;
                                 * NULL: unset. Setting the property to the empty text also unsets
                                 * it, because gst-launch-1.0 and text fields of user interfaces
                                 * cannot set NULL. */
  MGPU_PARAM_TEXT               /* a text that is drawn, of the same type as MGPU_PARAM_STRING.
                                 * The empty text is a valid value and differs from unset */
} MgpuParamType;

/* One value of an enum type or of a flags type. */
typedef struct
{
  gint value;
  const gchar *text, *nick;
} MgpuEnumValue;

/* An enum type or a flags type. */
typedef struct
{
  const gchar *type;            /* name of the GType, such as "GstMgpuHistEqMethod" */
  const MgpuEnumValue *values;  /* list of the type's values; it ends with a NULL @nick */
} MgpuEnum;

/* A parameter of an algorithm, which is also a property of an element. Lists of parameters end
 * with a NULL name. */
typedef struct
{
  const gchar *name;            /* name of the property, such as "sigma-space" */
  MgpuParamType type;
  gsize offset;                 /* offset of the member in the struct of parameters */
  gdouble min, max, value;      /* minimum, maximum and default value of the parameter */
  const MgpuEnum *values;       /* values of an enum or of flags; NULL for other types */
  const gchar *text;            /* description of the property; NULL if an interface defines and
                                 * describes the property */
  gboolean is_fixed;            /* whether the property can only be set while the element is in
                                 * the state NULL or READY */
  gsize was_set;                /* offset, in the struct of parameters, of a gboolean that
                                 * becomes TRUE when the property is set; 0 if the algorithm
                                 * does not need to know this */
} MgpuParam;

G_END_DECLS
