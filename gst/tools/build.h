/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/* Builds the kernels that elements need for usual pixel formats, so that they are in the
 * caches later. @device is the device string of the device. @names is a NULL-terminated
 * array of element names; if it is empty, the kernels of all elements are built.
 * Returns: the exit status of the program */
int build_kernels (const gchar * device, gchar ** names);

G_END_DECLS
