/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

#include "gstmgpudevicebase.h"

G_BEGIN_DECLS

/* Configures @pool for frames of @caps. @size (inout): size of a frame in bytes. @min, @max:
 * numbers of frames, as for gst_buffer_pool_config_set_params(); pools that this library
 * makes have no limit (0), because the pipeline must not stall if an element keeps frames.
 * @video_meta: whether strides may differ from the default ones. @for_device: whether the
 * device, and not the host, fills the frames. */
gboolean        gst_mgpu_configure_pool                 (GstBufferPool * pool, GstCaps * caps, guint * size,
                                                         guint min, guint max, gboolean video_meta,
                                                         gboolean for_device);
/* Returns: (transfer full) (nullable): an active pool of frames of the format @info */
GstBufferPool * gst_mgpu_device_base_new_frame_pool     (GstMgpuDeviceBase * self, const GstVideoInfo * info,
                                                         gboolean for_device, GError ** error);
/* Returns: (transfer full) (nullable): an active pool of buffers for tables (arrays of
 * results, such as keypoints). A buffer has @size bytes, a multiple of 4 */
GstBufferPool * gst_mgpu_device_base_new_table_pool     (GstMgpuDeviceBase * self, gsize size,
                                                         GError ** error);
/* Returns: (transfer none) (nullable): the memory of @buffer, a buffer of a pool that
 * gst_mgpu_device_base_new_table_pool() made; NULL if @buffer is NULL */
GstMgpuMemory * gst_mgpu_peek_table                     (GstBuffer * buffer);
/* Returns: (transfer full) (nullable): a buffer of @pool. NULL with an error means that no
 * memory is left; NULL without an error means that the pool is flushing */
GstBuffer *     gst_mgpu_device_base_acquire            (GstMgpuDeviceBase * self, GstBufferPool * pool,
                                                         GError ** error);
/* Gets a buffer for a table (an array of results, such as keypoints) of @size bytes from
 * the pool *@pool. First makes the pool if *@pool is NULL or has buffers of another size.
 * Returns: (transfer full) (nullable): the buffer, or NULL as
 * gst_mgpu_device_base_acquire() does */
GstBuffer *     gst_mgpu_device_base_acquire_table      (GstMgpuDeviceBase * self, GstBufferPool ** pool,
                                                         gsize size, GError ** error);
/* Sets @image to the frame in @buffer, a buffer of a pool; @info is the format of the frame.
 * Fails if kernels cannot use the buffer, because the pool may belong to another element. */
gboolean        gst_mgpu_parse_frame                    (GstBuffer * buffer, const GstVideoInfo * info,
                                                         MgpuImage * image, GError ** error);
/* Answers @query, an ALLOCATION query from upstream: offers a pool of frames on the
 * element's device. */
gboolean        gst_mgpu_device_base_propose_allocation (GstMgpuDeviceBase * self, GstQuery * query);

G_END_DECLS
