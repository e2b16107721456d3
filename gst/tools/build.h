/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/* Builds the kernels that elements need for usual formats on the device, given by its
 * device string, so that they lie in the caches: of the elements of the NULL-terminated list
 * names, or of all where it is empty. Returns the exit status of the program. */
int build_kernels (const gchar * device, gchar ** names);

G_END_DECLS
