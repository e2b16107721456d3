/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: the version of the library libgstmgpu. The plugin must have the same version, because
 * functions that begin with mgpu_ may change from one version to the next. */
const gchar * mgpu_get_version (void);

G_END_DECLS
