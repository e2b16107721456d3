/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudeviceuser.h"

G_BEGIN_DECLS

/* size: (inout): bytes of a frame
 * Returns: (transfer full) (nullable): our pool for frames of caps, configured */
GstBufferPool * gst_mgpu_device_user_new_pool           (GstMgpuDeviceUser * self, GstCaps * caps,
                                                         guint * size, gboolean video_meta);
/* Returns: (transfer full) (nullable): an active pool of frames like info */
GstBufferPool * gst_mgpu_device_user_new_frame_pool     (GstMgpuDeviceUser * self, const GstVideoInfo * info,
                                                         GError ** error);
/* Likewise of frames like those that arrive, for the host to fill */
GstBufferPool * gst_mgpu_device_user_new_import_pool    (GstMgpuDeviceUser * self, GError ** error);
/* Returns: (transfer full) (nullable): an active pool of buffers of size bytes,
 * a multiple of 4, that are no frames */
GstBufferPool * gst_mgpu_device_user_new_table_pool     (GstMgpuDeviceUser * self, gsize size,
                                                         GError ** error);
/* Returns: (transfer none) (nullable): the memory of a buffer of such a pool;
 * NULL of NULL */
GstMgpuMemory * gst_mgpu_peek_table                     (GstBuffer * buffer);
/* Returns: (nullable): a buffer of pool; NULL with an error unless flow is
 * something else */
GstBuffer *     gst_mgpu_device_user_acquire            (GstMgpuDeviceUser * self, GstBufferPool * pool,
                                                         GError ** error);
/* Offers upstream our pool. */
gboolean        gst_mgpu_device_user_propose_allocation (GstMgpuDeviceUser * self, GstQuery * query);
/* Leaves one pool in query, downstream's where that is in our context. Posts
 * what fails. video_meta: (out): whether frames may have strides of their own;
 * to_host: (out): whether they have to be brought from memory of the device to
 * that of the host. Between our elements they stay on the device under any caps:
 * there it is not so. */
gboolean        gst_mgpu_device_user_decide_allocation  (GstMgpuDeviceUser * self, GstQuery * query,
                                                         gboolean * video_meta, gboolean * to_host);

G_END_DECLS
