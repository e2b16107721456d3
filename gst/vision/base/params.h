/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Types of the parameters of an algorithm, each of which is a member of a struct. */
typedef enum
{
  MGPU_PARAM_DOUBLE,            /* parameter of type gdouble */
  MGPU_PARAM_INT,               /* parameter of type gint */
  MGPU_PARAM_UINT,              /* parameter of type guint */
  MGPU_PARAM_BOOLEAN,           /* parameter of type gboolean */
  MGPU_PARAM_ENUM,              /* parameter of type gint, a value of an enum */
  MGPU_PARAM_FLAGS,             /* parameter of type guint, bits of flags */
  MGPU_PARAM_STRING,            /* parameter of type gchar *, owned by the struct of
                                 * parameters; NULL: unset. A property that is set to the
                                 * empty text is unset, because gst-launch-1.0 and text
                                 * fields of user interfaces cannot set NULL. */
  MGPU_PARAM_TEXT               /* like MGPU_PARAM_STRING, for a text that is drawn: the empty text
                                 * is a valid value, which differs from unset */
} MgpuParamType;

/* Describes one value of an enum type or of a flags type. */
typedef struct
{
  gint value;
  const gchar *text, *nick;
} MgpuEnumValue;

/* Describes an enum type or a flags type. */
typedef struct
{
  const gchar *type;            /* name of the GType, such as "GstMgpuHistEqMethod" */
  const MgpuEnumValue *values;  /* list of the type's values, which ends with a NULL
                                 * @nick */
} MgpuEnum;

/* Describes a parameter of an algorithm, which is also a property of an element. Lists of
 * parameters end with a NULL name. */
typedef struct
{
  const gchar *name;            /* name of the property, such as "sigma-space" */
  MgpuParamType type;
  gsize offset;                 /* offset of the member in the struct of parameters */
  gdouble min, max, value;      /* lowest, highest and default value of the parameter */
  const MgpuEnum *values;       /* values of an enum or of flags; NULL for other types */
  const gchar *text;            /* description of the property; NULL if the property comes
                                 * from an interface, which describes it */
  gboolean is_fixed;            /* whether the property can be set only while the element is in
                                 * the state NULL or READY */
  gsize was_set;                /* offset, in the struct of parameters, of a gboolean that becomes
                                 * TRUE when the property is set; 0: the algorithm does not need to
                                 * know whether it was set */
} MgpuParam;

G_END_DECLS
