/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* A command that uses a memory, and the queue that it is in. */
typedef struct
{
  cl_event event;
  cl_command_queue queue;
} GstMgpuUse;

/* What others have to wait for: the last write of a memory, and for each queue
 * the last read since. */
typedef struct
{
  GstMgpuUse write;
  GArray *reads;
} GstMgpuUses;

G_GNUC_INTERNAL
void        gst_mgpu_uses_init      (GstMgpuUses * self);
G_GNUC_INTERNAL
void        gst_mgpu_uses_clear     (GstMgpuUses * self);
/* These take event. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_add_read  (GstMgpuUses * self, cl_event event, cl_command_queue queue);
/* A write that waited for all reads */
G_GNUC_INTERNAL
void        gst_mgpu_uses_set_write (GstMgpuUses * self, cl_event event, cl_command_queue queue);
/* A write while which others read */
G_GNUC_INTERNAL
void        gst_mgpu_uses_set_write_beside_reads (GstMgpuUses * self, cl_event event,
                                                  cl_command_queue queue);

/* What is complete nobody has to wait for any more. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget_write (GstMgpuUses * self);
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget_read  (GstMgpuUses * self, cl_event event);
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget       (GstMgpuUses * self);

/* Returns: (transfer full): an empty list of events, which has a reference to each */
G_GNUC_INTERNAL
GPtrArray * gst_mgpu_waits_new      (void);
/* Adds to waits the events that a read, or a write too, has to wait for, less
 * those of queue, which runs in order; queue may be NULL. They have no reference
 * but self's. Forgets commands that have failed: a command that waits for one fails
 * too. Returns: FALSE where the last write was one of them, so that the content is
 * lost */
G_GNUC_INTERNAL
gboolean    gst_mgpu_uses_collect   (GstMgpuUses * self, gboolean writes, cl_command_queue queue,
                                     GPtrArray * waits);

/* Whether the last write is over, and with reads the reads since, well or not, less
 * those of the queue except */
G_GNUC_INTERNAL
gboolean    gst_mgpu_uses_are_over     (const GstMgpuUses * self, gboolean reads,
                                        cl_command_queue except);
G_GNUC_INTERNAL
gboolean    gst_mgpu_event_is_complete (cl_event event);

/* Sleeps until the status of event is CL_RUNNING or CL_COMPLETE, as asked for. The
 * driver's own wait keeps a processor busy: this is for threads that may come a
 * little late, by a sixteenth of the wait. Returns: FALSE when the command failed */
G_GNUC_INTERNAL
gboolean gst_mgpu_nap_until         (cl_event event, cl_int status);

G_END_DECLS
