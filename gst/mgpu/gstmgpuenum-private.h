/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Registers the enums of the library. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Defines the function PREFIX_get_type() of the enum @Type, which has the GEnumValues @values. */
#define GST_MGPU_DEFINE_ENUM(Type, prefix, values) \
GType \
prefix##_get_type (void) \
{ \
  static gsize type = 0; \
\
  if (g_once_init_enter (&type)) \
    g_once_init_leave (&type, g_enum_register_static (#Type, values)); \
  return type; \
}

G_END_DECLS
