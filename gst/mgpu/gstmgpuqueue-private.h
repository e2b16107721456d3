/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuqueue.h"

G_BEGIN_DECLS

/* The companions of a queue: further OpenCL command queues that run concurrently with it. Uploads
 * and downloads have separate companions, because the bus can transfer in both directions at
 * once. */
typedef enum
{
  GST_MGPU_COMPANION_UP,        /* command queue for copies from host to device */
  GST_MGPU_COMPANION_DOWN,      /* command queue for copies from device to host */
  GST_MGPU_COMPANION_TIMED,     /* command queue with profiling, for jobs whose time is
                                 * measured */
  GST_MGPU_N_COMPANIONS
} GstMgpuCompanion;

/* Makes the companion @companion of @queue, if it was not made yet. Returns: (transfer none)
 * (nullable): this command queue, which lives as long as @queue; NULL on failure */
G_GNUC_INTERNAL
cl_command_queue gst_mgpu_queue_get_companion (GstMgpuQueue * queue,
    GstMgpuCompanion companion, GError ** error);

/* Returns: whether the calling thread was the last thread that called gst_mgpu_queue_take() for
 * @queue */
G_GNUC_INTERNAL
gboolean gst_mgpu_queue_is_taken (GstMgpuQueue * queue);

/* Records the calling thread as the last thread that chose @queue for its commands. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_take     (GstMgpuQueue * queue);

/* Records that a job has been enqueued in @queue. @event is the event of the job's last
 * command, to which @queue adds a reference. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_set_last (GstMgpuQueue * queue, cl_event event);

/* Blocks until all commands of jobs in @queue are done, including those of timed jobs and
 * of a job that failed half-way. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_finish_all (GstMgpuQueue * queue);

G_END_DECLS
