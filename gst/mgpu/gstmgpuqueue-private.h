/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuqueue.h"

G_BEGIN_DECLS

/* Names the companions of a queue: command queues that run beside it. Each direction has
 * its own, because a bus carries both directions at once. */
typedef enum
{
  GST_MGPU_COMPANION_UP,        /* queue for copies from host to device */
  GST_MGPU_COMPANION_DOWN,      /* queue for copies from device to host */
  GST_MGPU_COMPANION_TIMED,     /* queue with profiling, for jobs whose time is measured */
  GST_MGPU_N_COMPANIONS
} GstMgpuCompanion;

/* Gets a companion of @queue. Makes the companion on the first call. Returns:
 * (transfer none): a queue that lives as long as @queue; NULL on failure */
G_GNUC_INTERNAL
cl_command_queue gst_mgpu_queue_get_companion (GstMgpuQueue * queue,
    GstMgpuCompanion companion, GError ** error);

/* Tells whether the calling thread was the last one to call gst_mgpu_queue_take(). */
G_GNUC_INTERNAL
gboolean gst_mgpu_queue_is_taken (GstMgpuQueue * queue);

/* Remembers that the calling thread was the last one to choose the queue. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_take     (GstMgpuQueue * queue);

/* Records that a job has been enqueued. The parameter event is the event of the
 * job's last command, to which the queue adds a reference. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_set_last (GstMgpuQueue * queue, cl_event event);

/* Blocks until all commands of jobs are done, including those of timed jobs and of a job
 * that failed half-way. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_finish_all (GstMgpuQueue * queue);

G_END_DECLS
