/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Describes a command that uses a memory, by its event and its queue. */
typedef struct
{
  cl_event event;
  cl_command_queue queue;
} GstMgpuUse;

/* Holds the commands that later users of a memory have to wait for. */
typedef struct
{
  GstMgpuUse write;             /* command that wrote the memory last; its event is NULL
                                 * if there is none */
  GArray *reads;                /* array of GstMgpuUse: the last read of each queue that
                                 * follows the last write */
} GstMgpuUses;

G_GNUC_INTERNAL
void        gst_mgpu_uses_init      (GstMgpuUses * self);
G_GNUC_INTERNAL
void        gst_mgpu_uses_clear     (GstMgpuUses * self);
/* Adds a command that reads the memory. This function and the next two take over the
 * caller's reference to event. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_add_read  (GstMgpuUses * self, cl_event event, cl_command_queue queue);
/* Sets the last write to a command that has waited for all reads. Forgets these reads. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_set_write (GstMgpuUses * self, cl_event event, cl_command_queue queue);
/* Records a command as the last write and keeps the recorded reads: the command, an
 * unmap, changes nothing that these commands read. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_set_write_beside_reads (GstMgpuUses * self, cl_event event,
                                                  cl_command_queue queue);

/* Forget commands that are complete, so that no later command waits for them:
 * the last write, the read with the given event, or all commands. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget_write (GstMgpuUses * self);
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget_read  (GstMgpuUses * self, cl_event event);
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget       (GstMgpuUses * self);

/* Expands to the two arguments that tell an OpenCL call for which events to
 * wait: the events of waits, a GPtrArray. */
#define GST_MGPU_WAITS(waits) (waits)->len, \
    (waits)->len > 0 ? (const cl_event *) (waits)->pdata : NULL

/* Returns: (transfer full): an empty list of events. The list owns a reference to each
 * event that is added, and releases it when the list is freed. */
G_GNUC_INTERNAL
GPtrArray * gst_mgpu_waits_new      (void);
/* Adds to @waits the events that a new command has to wait for: that of the
 * last write, and, if the new command @writes the memory, those of the reads.
 * Leaves out commands in @queue, which runs in order; queue may be NULL. Adds
 * no references to the events. Forgets commands that have failed, because a
 * command that waits for a failed command fails too. Returns: FALSE when the
 * last write has failed, so that the content of the memory is lost */
G_GNUC_INTERNAL
gboolean    gst_mgpu_uses_collect   (GstMgpuUses * self, gboolean writes, cl_command_queue queue,
                                     GPtrArray * waits);

/* Drops a reference to a cl_event. */
G_GNUC_INTERNAL
void        gst_mgpu_event_release     (gpointer event);

/* Returns whether the last write is over (complete or failed) and, if the
 * parameter reads is TRUE, the reads are over, too. Ignores commands in the
 * queue @except. A command whose status OpenCL does not tell is not over. */
G_GNUC_INTERNAL
gboolean    gst_mgpu_uses_are_over     (const GstMgpuUses * self, gboolean reads,
                                        cl_command_queue except);
G_GNUC_INTERNAL
gboolean    gst_mgpu_event_is_complete (cl_event event);

/* Sleeps until @event has reached the given status, CL_RUNNING or CL_COMPLETE.
 * Unlike the driver's own wait, this function does not keep a processor busy,
 * but it may return late by a sixteenth of the time waited. Returns: FALSE when
 * the command failed */
G_GNUC_INTERNAL
gboolean gst_mgpu_nap_until         (cl_event event, cl_int status);

G_END_DECLS
