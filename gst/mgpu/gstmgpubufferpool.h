/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

#define GST_TYPE_MGPU_BUFFER_POOL (gst_mgpu_buffer_pool_get_type ())
#define GST_MGPU_BUFFER_POOL(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_BUFFER_POOL, GstMgpuBufferPool))
#define GST_IS_MGPU_BUFFER_POOL(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_MGPU_BUFFER_POOL))

/**
 * GstMgpuBufferPool:
 *
 * A pool of raw video frames on the device. Each frame is one #GstMgpuMemory. The pool
 * supports the options %GST_BUFFER_POOL_OPTION_VIDEO_META and
 * %GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT; every buffer carries a #GstVideoMeta with its
 * strides.
 *
 * Since: 1.0
 */
struct _GstMgpuBufferPool
{
  GstBufferPool parent;

  /*< private >*/
  struct _GstMgpuBufferPoolPrivate *priv;
};

struct _GstMgpuBufferPoolClass
{
  GstBufferPoolClass parent_class;
};

GST_MGPU_API
GType            gst_mgpu_buffer_pool_get_type                (void);

GST_MGPU_API
GstBufferPool *  gst_mgpu_buffer_pool_new                     (GstMgpuQueue  * queue,
                                                               GstMgpuStats  * stats);

GST_MGPU_API
void             gst_mgpu_buffer_pool_set_targets             (GstMgpuBufferPool * pool,
                                                               GstBufferPool     * targets,
                                                               const GstVideoInfo * layout);

GST_MGPU_API
GstMgpuContext * gst_mgpu_buffer_pool_get_context             (GstMgpuBufferPool * pool);

GST_MGPU_API
GstMgpuQueue *   gst_buffer_pool_config_get_mgpu_queue        (GstStructure  * config);

GST_MGPU_API
void             gst_buffer_pool_config_set_mgpu_queue        (GstStructure  * config,
                                                               GstMgpuQueue  * queue);

GST_MGPU_API
void             gst_buffer_pool_config_set_mgpu_for_device (GstStructure    * config,
                                                             gboolean          for_device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuBufferPool, gst_object_unref)

G_END_DECLS
