/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* A command that uses a memory: its event and its command queue. */
typedef struct
{
  cl_event event;
  cl_command_queue queue;
} GstMgpuUse;

/* The commands for which a later command that uses the same memory may have to wait. */
typedef struct
{
  GstMgpuUse write;             /* command that wrote the memory last; the event in it is
                                 * NULL if there is none */
  GArray *reads;                /* array of GstMgpuUse: for each command queue, the last
                                 * command that has read the memory since the last write */
} GstMgpuUses;

G_GNUC_INTERNAL
void        gst_mgpu_uses_init      (GstMgpuUses * self);
G_GNUC_INTERNAL
void        gst_mgpu_uses_clear     (GstMgpuUses * self);
/* Records a command that reads the memory. @event (transfer full) is the event of the command,
 * here and in the next two functions. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_add_read  (GstMgpuUses * self, cl_event event, cl_command_queue queue);
/* Records a command as the last write to the memory. Forgets the recorded reads, because this
 * command has waited for them. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_set_write (GstMgpuUses * self, cl_event event, cl_command_queue queue);
/* Records a command as the last write to the memory, and keeps the recorded reads. This is for an
 * unmap, because an unmap changes no bytes that the recorded reads use, and has not waited for
 * these reads. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_set_write_beside_reads (GstMgpuUses * self, cl_event event,
                                                  cl_command_queue queue);

/* Forget commands that are complete, so that no later command waits for them: the first function
 * forgets the last write, the second one the read with the event @event, and the third one all
 * commands. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget_write (GstMgpuUses * self);
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget_read  (GstMgpuUses * self, cl_event event);
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget       (GstMgpuUses * self);

/* Expands to the two arguments of an OpenCL call that list the events to wait for: the number of
 * events and the array of events, both from the GPtrArray @waits. */
#define GST_MGPU_WAITS(waits) (waits)->len, \
    (waits)->len > 0 ? (const cl_event *) (waits)->pdata : NULL

/* Returns: (transfer full): an empty array of cl_event. The array owns a reference to
 * each event that is added, and releases it when the array is freed */
G_GNUC_INTERNAL
GPtrArray * gst_mgpu_waits_new      (void);
/* Adds to @waits the events that a new command has to wait for before it uses the memory: the
 * event of the last write, and, if the new command writes the memory (@writes is TRUE), the
 * events of the reads. Leaves out commands in @queue (nullable), because the new command follows
 * them in this in-order queue. Adds no references to the events. Forgets commands that have
 * failed, because a command that waits for a failed command would also fail. Returns: the error
 * of the last write if it has failed, otherwise CL_SUCCESS. After a failure, the content of the
 * memory is lost */
G_GNUC_INTERNAL
cl_int      gst_mgpu_uses_collect   (GstMgpuUses * self, gboolean writes, cl_command_queue queue,
                                     GPtrArray * waits);

/* Releases @event, a cl_event. */
G_GNUC_INTERNAL
void        gst_mgpu_event_release     (gpointer event);

/* Returns: TRUE if the last write has ended (completed or failed), and, with @reads, if the
 * reads have also ended. Ignores commands in the command queue @except. A command whose status
 * OpenCL cannot report counts as not ended */
G_GNUC_INTERNAL
gboolean    gst_mgpu_uses_are_over     (const GstMgpuUses * self, gboolean reads,
                                        cl_command_queue except);
G_GNUC_INTERNAL
gboolean    gst_mgpu_event_is_complete (cl_event event);

/* Sleeps until the command of @event has reached the status @status, CL_RUNNING or CL_COMPLETE.
 * Unlike clWaitForEvents(), which may keep a processor busy, this function sleeps between
 * checks. It may return late, by up to a sixteenth of the time waited. Returns: FALSE if the
 * command failed */
G_GNUC_INTERNAL
gboolean gst_mgpu_nap_until         (cl_event event, cl_int status);

G_END_DECLS
