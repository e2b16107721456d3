/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

#include "gstmgpudevicebase.h"

G_BEGIN_DECLS

/* Configures @pool for frames of @caps. @size is (inout): the bytes of a frame. @min and @max
 * are the numbers of frames as for gst_buffer_pool_config_set_params(); a pool of our own
 * has no limit (0), because the pipeline must not stall if an element keeps frames.
 * @video_meta says whether frames may have other strides than the default ones;
 * @for_device says whether the device, not the host, fills the frames. */
gboolean        gst_mgpu_configure_pool                 (GstBufferPool * pool, GstCaps * caps, guint * size,
                                                         guint min, guint max, gboolean video_meta,
                                                         gboolean for_device);
/* Returns: (transfer full) (nullable): an active pool of frames of the format @info */
GstBufferPool * gst_mgpu_device_base_new_frame_pool     (GstMgpuDeviceBase * self, const GstVideoInfo * info,
                                                         gboolean for_device, GError ** error);
/* Returns: (transfer full) (nullable): an active pool of buffers for tables (arrays of
 * results, such as keypoints), with @size bytes each, a multiple of 4 */
GstBufferPool * gst_mgpu_device_base_new_table_pool     (GstMgpuDeviceBase * self, gsize size,
                                                         GError ** error);
/* Returns: (transfer none) (nullable): the memory of @buffer, which comes from a pool of
 * gst_mgpu_device_base_new_table_pool(); NULL if @buffer is NULL */
GstMgpuMemory * gst_mgpu_peek_table                     (GstBuffer * buffer);
/* Returns: (transfer full) (nullable): a buffer of @pool. NULL without an error means
 * that the pool is flushing, NULL with an error that no memory is left */
GstBuffer *     gst_mgpu_device_base_acquire            (GstMgpuDeviceBase * self, GstBufferPool * pool,
                                                         GError ** error);
/* Gets a buffer for a table (an array of results, such as keypoints) of @size bytes from
 * the pool *@pool. First makes the pool if *@pool is NULL or has buffers of another size.
 * Returns: (transfer full) (nullable): the buffer, or NULL as
 * gst_mgpu_device_base_acquire() does */
GstBuffer *     gst_mgpu_device_base_acquire_table      (GstMgpuDeviceBase * self, GstBufferPool ** pool,
                                                         gsize size, GError ** error);
/* Sets @image to the frame of the format @info in @buffer, which was taken from a pool.
 * Fails if the pool, which may belong to downstream, gave a buffer that kernels cannot
 * use. */
gboolean        gst_mgpu_parse_frame                    (GstBuffer * buffer, const GstVideoInfo * info,
                                                         MgpuImage * image, GError ** error);
/* Answers @query, an ALLOCATION query from upstream, by offering a pool of frames on our
 * device. */
gboolean        gst_mgpu_device_base_propose_allocation (GstMgpuDeviceBase * self, GstQuery * query);

G_END_DECLS
