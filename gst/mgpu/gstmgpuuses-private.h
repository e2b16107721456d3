/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Describes a command that uses a memory, by its event and its command queue. */
typedef struct
{
  cl_event event;
  cl_command_queue queue;
} GstMgpuUse;

/* Holds the commands that use a memory and that later users of the memory have to wait
 * for. */
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
/* Records a command that reads the memory; @event is the event of this command. This function and
 * the next two take over the caller's reference to @event. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_add_read  (GstMgpuUses * self, cl_event event, cl_command_queue queue);
/* Records a command as the last write to the memory, and forgets the recorded reads, for
 * which the command has waited. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_set_write (GstMgpuUses * self, cl_event event, cl_command_queue queue);
/* Records a command as the last write to the memory, and keeps the recorded reads. The
 * command is an unmap, which changes none of the bytes that these reads use. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_set_write_beside_reads (GstMgpuUses * self, cl_event event,
                                                  cl_command_queue queue);

/* These functions forget commands that are complete, so that no later command waits for
 * them: the last write, the read with the given event, or all commands. */
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget_write (GstMgpuUses * self);
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget_read  (GstMgpuUses * self, cl_event event);
G_GNUC_INTERNAL
void        gst_mgpu_uses_forget       (GstMgpuUses * self);

/* Expands to the two arguments that tell an OpenCL call which events to wait for, their
 * number and their array: the events of @waits, a GPtrArray. */
#define GST_MGPU_WAITS(waits) (waits)->len, \
    (waits)->len > 0 ? (const cl_event *) (waits)->pdata : NULL

/* Returns: (transfer full): an empty array of cl_event. The array owns a reference to
 * each event that is added, and releases it when the array is freed */
G_GNUC_INTERNAL
GPtrArray * gst_mgpu_waits_new      (void);
/* Adds to @waits the events that a new command has to wait for before it uses the memory:
 * that of the last write, and, if @writes is TRUE (the new command writes the memory),
 * those of the reads. Leaves out commands in @queue, which runs in order; @queue may be
 * NULL. Adds no references to the events. Forgets commands that have failed, because a
 * command that waits for a failed command fails too. Returns: FALSE if the last write has
 * failed, so that the content of the memory is lost */
G_GNUC_INTERNAL
gboolean    gst_mgpu_uses_collect   (GstMgpuUses * self, gboolean writes, cl_command_queue queue,
                                     GPtrArray * waits);

/* Drops a reference to the event @event, a cl_event. */
G_GNUC_INTERNAL
void        gst_mgpu_event_release     (gpointer event);

/* Returns: whether the last write is over (complete or failed) and, if @reads is TRUE, the reads
 * are also over. Ignores commands in the command queue @except. A command whose status OpenCL
 * cannot report counts as not over */
G_GNUC_INTERNAL
gboolean    gst_mgpu_uses_are_over     (const GstMgpuUses * self, gboolean reads,
                                        cl_command_queue except);
G_GNUC_INTERNAL
gboolean    gst_mgpu_event_is_complete (cl_event event);

/* Sleeps until the command of @event has reached the status @status, CL_RUNNING or
 * CL_COMPLETE. Unlike the driver's own wait, this function does not keep a processor
 * busy, but it may return late by a sixteenth of the time waited. Returns: FALSE if the
 * command failed */
G_GNUC_INTERNAL
gboolean gst_mgpu_nap_until         (cl_event event, cl_int status);

G_END_DECLS
