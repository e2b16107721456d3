/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Maps the only memory of buffer for reading, after waiting for the device to write it.
 * The memory stays mapped until the last reference to the returned bytes is dropped.
 * Returns: (transfer full) (nullable): the bytes; NULL when they cannot be read */
G_GNUC_INTERNAL
GBytes * gst_mgpu_bytes_from_buffer (GstBuffer * buffer);

G_END_DECLS
