/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

#define GST_TYPE_MGPU_QUEUE (gst_mgpu_queue_get_type ())
#define GST_MGPU_QUEUE(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_QUEUE, GstMgpuQueue))
#define GST_IS_MGPU_QUEUE(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_MGPU_QUEUE))

/**
 * GstMgpuQueue:
 *
 * An in-order OpenCL command queue. Several threads may enqueue at once.
 *
 * Since: 1.0
 */
struct _GstMgpuQueue
{
  GstObject parent;

  /*< private >*/
  struct _GstMgpuQueuePrivate *priv;
};

struct _GstMgpuQueueClass
{
  GstObjectClass parent_class;
};

GST_MGPU_API
GType            gst_mgpu_queue_get_type      (void);

GST_MGPU_API
GstMgpuQueue *   gst_mgpu_queue_new           (GstMgpuContext  * context,
                                               GError         ** error);

GST_MGPU_API
GstMgpuContext * gst_mgpu_queue_get_context   (GstMgpuQueue    * queue);

GST_MGPU_API
cl_command_queue gst_mgpu_queue_get_cl_queue  (GstMgpuQueue    * queue);

GST_MGPU_API
gboolean         gst_mgpu_queue_finish        (GstMgpuQueue    * queue,
                                               GError         ** error);

GST_MGPU_API
GstClockTime     gst_mgpu_queue_begin_frame   (GstMgpuQueue    * queue,
                                               guint             n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuQueue, gst_object_unref)

G_END_DECLS
