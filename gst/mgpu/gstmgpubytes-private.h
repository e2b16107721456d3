/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Waits for the device. Returns: (transfer full) (nullable): what the one memory
 * of buffer holds, mapped, until nobody needs it any more; NULL when it cannot be
 * read */
G_GNUC_INTERNAL
GBytes * gst_mgpu_bytes_from_buffer (GstBuffer * buffer);

G_END_DECLS
