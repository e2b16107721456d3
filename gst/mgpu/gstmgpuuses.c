/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Keeps track of the commands that read or write a memory, so that later commands can
 * wait for them. */
#include "gstmgpuuses-private.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

void
gst_mgpu_event_release (gpointer event)
{
  clReleaseEvent (event);
}

static void
clear_use (gpointer use)
{
  g_clear_pointer (&((GstMgpuUse *) use)->event, gst_mgpu_event_release);
}

static void
set_use (GstMgpuUse * use, cl_event event, cl_command_queue queue)
{
  clear_use (use);
  use->event = event;
  use->queue = queue;
}

void
gst_mgpu_uses_init (GstMgpuUses * self)
{
  self->write.event = NULL;
  self->reads = g_array_new (FALSE, FALSE, sizeof (GstMgpuUse));
  g_array_set_clear_func (self->reads, clear_use);
}

void
gst_mgpu_uses_clear (GstMgpuUses * self)
{
  clear_use (&self->write);
  g_array_unref (self->reads);
}

void
gst_mgpu_uses_add_read (GstMgpuUses * self, cl_event event,
    cl_command_queue queue)
{
  const GstMgpuUse use = { event, queue };

  /* Keeps only the newest read of each command queue, because a queue runs its commands in
   * order. */
  for (guint i = 0; i < self->reads->len; i++) {
    GstMgpuUse *known = &g_array_index (self->reads, GstMgpuUse, i);

    if (known->queue == queue) {
      set_use (known, event, queue);
      return;
    }
  }
  g_array_append_val (self->reads, use);
}

void
gst_mgpu_uses_set_write (GstMgpuUses * self, cl_event event,
    cl_command_queue queue)
{
  set_use (&self->write, event, queue);
  g_array_set_size (self->reads, 0);
}

void
gst_mgpu_uses_set_write_beside_reads (GstMgpuUses * self, cl_event event,
    cl_command_queue queue)
{
  set_use (&self->write, event, queue);
}

void
gst_mgpu_uses_forget_write (GstMgpuUses * self)
{
  clear_use (&self->write);
}

void
gst_mgpu_uses_forget_read (GstMgpuUses * self, cl_event event)
{
  for (guint i = 0; i < self->reads->len; i++)
    if (g_array_index (self->reads, GstMgpuUse, i).event == event) {
      g_array_remove_index_fast (self->reads, i);
      return;
    }
}

void
gst_mgpu_uses_forget (GstMgpuUses * self)
{
  gst_mgpu_uses_forget_write (self);
  g_array_set_size (self->reads, 0);
}

/* Sets *@status to the execution status of the command of @event. A status below CL_COMPLETE
 * means that the command has failed. Returns: FALSE if OpenCL cannot report the status; the
 * command may then still be running */
static gboolean
get_status (cl_event event, cl_int * status)
{
  return clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS,
      sizeof (*status), status, NULL) == CL_SUCCESS;
}

gboolean
gst_mgpu_event_is_complete (cl_event event)
{
  cl_int status;

  return get_status (event, &status) && status <= CL_COMPLETE;
}

static gboolean
is_over (const GstMgpuUse * use, cl_command_queue except)
{
  return use->event == NULL || use->queue == except
      || gst_mgpu_event_is_complete (use->event);
}

gboolean
gst_mgpu_uses_are_over (const GstMgpuUses * self, gboolean reads,
    cl_command_queue except)
{
  gboolean over = is_over (&self->write, except);

  for (guint i = 0; over && reads && i < self->reads->len; i++)
    over = is_over (&g_array_index (self->reads, GstMgpuUse, i), except);
  return over;
}

GPtrArray *
gst_mgpu_waits_new (void)
{
  return g_ptr_array_new_with_free_func (gst_mgpu_event_release);
}

/* Adds the event of @use to @waits, unless its command is in the command queue @queue.
 * Returns: the error of the command if it has failed, otherwise CL_SUCCESS */
static cl_int
collect_use (const GstMgpuUse * use, cl_command_queue queue, GPtrArray * waits)
{
  cl_int status;

  if (use->event == NULL || use->queue == queue)
    return CL_SUCCESS;
  if (get_status (use->event, &status) && status < CL_COMPLETE)
    return status;
  /* Also adds events of complete commands, because OpenCL makes the bytes that a command wrote
   * visible to another queue only if that queue waits for the event of the command. */
  g_ptr_array_add (waits, use->event);
  return CL_SUCCESS;
}

cl_int
gst_mgpu_uses_collect (GstMgpuUses * self, gboolean writes,
    cl_command_queue queue, GPtrArray * waits)
{
  cl_int ret = collect_use (&self->write, queue, waits);
  guint i = writes ? self->reads->len : 0;

  if (ret != CL_SUCCESS)
    clear_use (&self->write);
  while (i-- > 0)
    if (collect_use (&g_array_index (self->reads, GstMgpuUse, i), queue,
            waits) != CL_SUCCESS)
      g_array_remove_index_fast (self->reads, i);
  return ret;
}

/* Sets the timer slack of the calling thread to @ns nanoseconds. The timer slack is the time
 * by which Linux may delay the end of a sleep, in order to wake several threads at once; the
 * default is 50 us. Returns: the previous timer slack */
static gulong
set_timer_slack (gulong ns)
{
  gulong before = 0;

#ifdef __linux__
  before = MAX (prctl (PR_GET_TIMERSLACK, 0, 0, 0, 0), 0);
  prctl (PR_SET_TIMERSLACK, ns, 0, 0, 0);
#endif
  return before;
}

gboolean
gst_mgpu_nap_until (cl_event event, cl_int status)
{
  gint64 start = g_get_monotonic_time ();
  gulong slack = set_timer_slack (1000);
  gboolean is_known;
  cl_int now;

  while ((is_known = get_status (event, &now)) && now > status)
    g_usleep (CLAMP ((g_get_monotonic_time () - start) / 16, 10, 1000));
  set_timer_slack (slack);
  return is_known ? now >= CL_COMPLETE
      : clWaitForEvents (1, &event) == CL_SUCCESS;
}
