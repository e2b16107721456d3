/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuqueue.h"

G_BEGIN_DECLS

typedef enum
{
  GST_MGPU_DIRECTION_UP,
  GST_MGPU_DIRECTION_DOWN,
  GST_MGPU_N_DIRECTIONS
} GstMgpuDirection;

/* The queue's companion for copies to or from the device, beside the kernels.
 * Both directions have one, because a bus carries both at once. Made when first
 * asked for.
 * Returns: (transfer none): lives as long as queue; NULL on failure */
G_GNUC_INTERNAL
cl_command_queue gst_mgpu_queue_get_transfers (GstMgpuQueue * queue,
    GstMgpuDirection direction, GError ** error);

/* The queue's companion with profiling, for jobs that are timed. Made when first asked
 * for. Returns: (transfer none): lives as long as queue; NULL on failure */
G_GNUC_INTERNAL
cl_command_queue gst_mgpu_queue_get_timed (GstMgpuQueue * queue, GError ** error);

/* Tells whether the calling thread was the last to take the queue. */
G_GNUC_INTERNAL
gboolean gst_mgpu_queue_is_taken (GstMgpuQueue * queue);

/* Makes the queue that of the calling thread. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_take     (GstMgpuQueue * queue);

/* Tells the queue that a job ended with event, of which it takes a reference. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_set_last (GstMgpuQueue * queue, cl_event event);

/* Blocks until all jobs are over, timed ones and one that did not end included. */
G_GNUC_INTERNAL
void     gst_mgpu_queue_finish_all (GstMgpuQueue * queue);

G_END_DECLS
