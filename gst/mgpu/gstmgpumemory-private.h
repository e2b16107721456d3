/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpumemory.h"

G_BEGIN_DECLS

typedef enum
{
  GST_MGPU_ACCESS_READ = 1 << 0,
  GST_MGPU_ACCESS_WRITE = 1 << 1
} GstMgpuAccess;

/* Called by a job that is about to use memory on queue. Adds to waits, with a
 * reference each, the events of other queues that it has to wait for, and
 * enqueues an upload when the device copy is stale. */
G_GNUC_INTERNAL
gboolean gst_mgpu_memory_prepare (GstMgpuMemory * memory, GstMgpuQueue * queue,
    GstMgpuAccess access, GPtrArray * waits, cl_mem * handle, GError ** error);

/* Called when the job's last command, event, is enqueued. Takes event. */
G_GNUC_INTERNAL
void     gst_mgpu_memory_used    (GstMgpuMemory * memory, GstMgpuQueue * queue,
    GstMgpuAccess access, cl_event event);

/* Whether the host would have to wait before it may write memory */
G_GNUC_INTERNAL
gboolean gst_mgpu_memory_is_busy (GstMgpuMemory * memory);

G_END_DECLS
