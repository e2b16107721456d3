/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudeviceuser.h"

G_BEGIN_DECLS

/* Makes a pool for frames of caps on the device. The parameter size is (inout): the bytes
 * of a frame.
 * Returns: (transfer full) (nullable): the pool, configured but not active */
GstBufferPool * gst_mgpu_device_user_new_pool           (GstMgpuDeviceUser * self, GstCaps * caps,
                                                         guint * size, gboolean video_meta);
/* Returns: (transfer full) (nullable): an active pool of frames of the format info */
GstBufferPool * gst_mgpu_device_user_new_frame_pool     (GstMgpuDeviceUser * self, const GstVideoInfo * info,
                                                         GError ** error);
/* Returns: (transfer full) (nullable): an active pool of frames that the host fills, of
 * the format of frames that arrive */
GstBufferPool * gst_mgpu_device_user_new_import_pool    (GstMgpuDeviceUser * self, GError ** error);
/* Returns: (transfer full) (nullable): an active pool of buffers for tables of results,
 * with size bytes each, a multiple of 4 */
GstBufferPool * gst_mgpu_device_user_new_table_pool     (GstMgpuDeviceUser * self, gsize size,
                                                         GError ** error);
/* Returns: (transfer none) (nullable): the memory of buffer, which a table pool made;
 * NULL where buffer is NULL */
GstMgpuMemory * gst_mgpu_peek_table                     (GstBuffer * buffer);
/* Returns: (transfer full) (nullable): a buffer of pool. NULL without an error means that
 * the pool is flushing, NULL with an error that no memory is left */
GstBuffer *     gst_mgpu_device_user_acquire            (GstMgpuDeviceUser * self, GstBufferPool * pool,
                                                         GError ** error);
/* Gets a buffer for a table of size bytes from *pool. Makes the pool before, if *pool is
 * NULL or has buffers of another size. Returns: as gst_mgpu_device_user_acquire() does */
GstBuffer *     gst_mgpu_device_user_acquire_table      (GstMgpuDeviceUser * self, GstBufferPool ** pool,
                                                         gsize size, GError ** error);
/* Answers query, an ALLOCATION query of upstream, with a pool on our device. */
gboolean        gst_mgpu_device_user_propose_allocation (GstMgpuDeviceUser * self, GstQuery * query);
/* Leaves one pool in query, an ALLOCATION query that downstream answered: downstream's
 * pool where it is in our context, else our own. Posts an error message on failure.
 * The parameter video_meta is (out): whether frames may have other strides than the
 * default ones; to_host is (out): whether frames have to be copied from memory of the
 * device to that of the host, which is never so between our elements in one context. */
gboolean        gst_mgpu_device_user_decide_allocation  (GstMgpuDeviceUser * self, GstQuery * query,
                                                         gboolean * video_meta, gboolean * to_host);

G_END_DECLS
