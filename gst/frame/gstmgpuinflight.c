/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the queue of frames that are in flight between the device and the host. */
#include "gstmgpuinflight.h"

void
gst_mgpu_in_flight_init (GstMgpuInFlight * self, GstMgpuDeviceBase * base,
    GstPad * pad)
{
  self->base = base;
  self->pad = pad;
  self->flow = GST_FLOW_OK;
  self->position = GST_CLOCK_TIME_NONE;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->queue);
}

void
gst_mgpu_in_flight_clear (GstMgpuInFlight * self)
{
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

void
gst_mgpu_in_flight_set_complete (GstMgpuInFlight * self,
    GstMgpuCompleteFrame complete, gpointer data)
{
  self->complete = complete;
  self->complete_data = data;
  self->completes = complete != NULL;
}

/* Returns: (transfer none) (nullable): the memory of @frame, if it belongs to a device. A frame that
 * passes may have no memory at all */
static GstMgpuMemory *
get_memory (GstBuffer * frame)
{
  GstMemory *memory = gst_buffer_n_memory (frame) > 0
      ? gst_buffer_peek_memory (frame, 0) : NULL;

  return gst_is_mgpu_memory (memory) ? (GstMgpuMemory *) memory : NULL;
}

/* Blocks until the download of @frame to system memory is complete. */
static GstFlowReturn
arrive (GstMgpuInFlight * self, GstBuffer * frame)
{
  GstMgpuMemory *memory = get_memory (frame);
  GError *error = NULL;

  if (memory == NULL || gst_mgpu_memory_fetched (memory, &error))
    return GST_FLOW_OK;
  return gst_mgpu_device_base_fail (self->base, error);
}

GstClockTime
gst_mgpu_in_flight_get_end (GstBuffer * frame)
{
  GstClockTime end = GST_BUFFER_TIMESTAMP (frame);

  if (GST_CLOCK_TIME_IS_VALID (end) && GST_BUFFER_DURATION_IS_VALID (frame))
    end += GST_BUFFER_DURATION (frame);
  return end;
}

/* Completes *@frame. If it is not to be pushed, sets it to NULL. Returns: the result for upstream */
static GstFlowReturn
finish (GstMgpuInFlight * self, GstBuffer ** frame)
{
  GstFlowReturn ret = GST_FLOW_OK;

  if (gst_mgpu_in_flight_is_unlinked (self)) {
    GST_MGPU_LOG_OBJECT (self->base->element,
        "dropping %" GST_PTR_FORMAT " for %" GST_PTR_FORMAT
        ", which was unlinked", *frame, self->pad);
    ret = GST_FLOW_NOT_LINKED;
  } else if (self->complete != NULL) {
    ret = self->complete (self->complete_data, frame);
  }
  if (ret != GST_FLOW_OK)
    gst_clear_buffer (frame);
  return ret == GST_FLOW_CUSTOM_SUCCESS ? GST_FLOW_OK : ret;
}

/* Pushes @frame (transfer full), which is complete. */
static GstFlowReturn
send (GstMgpuInFlight * self, GstBuffer * frame)
{
  GstClockTime end = gst_mgpu_in_flight_get_end (frame);
  GstFlowReturn ret;

  g_mutex_lock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (end))
    self->position = end;
  self->n_pushed++;
  g_mutex_unlock (&self->lock);
  ret = gst_pad_push (self->pad, frame);
  if (ret != GST_FLOW_OK)
    GST_MGPU_DEBUG_OBJECT (self->base->element, "the push on %" GST_PTR_FORMAT
        " returned %s", self->pad, gst_flow_get_name (ret));
  g_mutex_lock (&self->lock);
  if (!gst_mgpu_flow_is_error (self->flow) && !gst_mgpu_flow_is_error (ret))
    self->flow = ret;
  g_mutex_unlock (&self->lock);
  return ret;
}

GstFlowReturn
gst_mgpu_in_flight_push (GstMgpuInFlight * self, GstBuffer * frame)
{
  GstFlowReturn ret = finish (self, &frame);

  return frame != NULL ? send (self, frame) : ret;
}

void
gst_mgpu_in_flight_push_gap (GstMgpuInFlight * self, GstBuffer * frame)
{
  GstClockTime time = GST_BUFFER_PTS (frame);

  if (!GST_CLOCK_TIME_IS_VALID (time))
    gst_mgpu_in_flight_get_pushed (self, &time);
  gst_pad_push_event (self->pad,
      gst_event_new_gap (GST_CLOCK_TIME_IS_VALID (time) ? time : 0,
          GST_BUFFER_DURATION (frame)));
}

/* Waits for *@frame, a frame of the queue, and completes it. If it is not to be pushed, sets it to
 * NULL. Returns: the result for upstream */
static GstFlowReturn
complete (GstMgpuInFlight * self, GstBuffer ** frame)
{
  GstFlowReturn ret = arrive (self, *frame);

  GST_MGPU_LOG_OBJECT (self->base->element,
      "%" GST_PTR_FORMAT " is on the host", *frame);
  if (ret == GST_FLOW_OK)
    ret = finish (self, frame);
  else
    gst_clear_buffer (frame);
  return ret;
}

/* Completes *@frame, a frame of the queue, unless one before it failed. If it is not to be pushed, sets
 * it to NULL. Keeps a failure for make_room(). */
static void
get_ready (GstMgpuInFlight * self, GstBuffer ** frame)
{
  GstFlowReturn ret = GST_FLOW_OK;
  gboolean lost;

  g_mutex_lock (&self->lock);
  lost = self->n_lost > 0;
  g_mutex_unlock (&self->lock);
  if (lost) {
    GST_MGPU_DEBUG_OBJECT (self->base->element, "dropping a frame that was in "
        "flight when another frame failed: %" GST_PTR_FORMAT, *frame);
    gst_clear_buffer (frame);
  } else {
    ret = complete (self, frame);
  }
  g_mutex_lock (&self->lock);
  if (gst_mgpu_flow_is_error (ret)) {
    self->n_lost = self->n_frames;
    self->flow = ret;
  }
  self->n_frames--;
  if (self->n_lost > 0)
    self->n_lost--;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Pushes one frame or event of the queue. This is the task of the pad's streaming thread. If the
 * queue is empty, the task is paused instead of waiting, because it holds the pad's stream lock,
 * and another thread needs this lock to stop the pad. The lock of @self is held from the check of
 * the queue until the task is paused, so that no frame is added in between; pausing calls no other
 * code. */
static void
push_one (gpointer data)
{
  GstMgpuInFlight *self = data;
  GstFlowReturn ret = GST_FLOW_OK;
  GstMiniObject *next;
  GstBuffer *frame;

  g_mutex_lock (&self->lock);
  next = g_queue_pop_head (&self->queue);
  if (next == NULL)
    gst_pad_pause_task (self->pad);
  else
    self->pusher = g_thread_self ();
  g_mutex_unlock (&self->lock);
  if (next == NULL)
    return;

  if (GST_IS_BUFFER (next)) {
    frame = GST_BUFFER_CAST (next);
    get_ready (self, &frame);
    if (frame != NULL)
      ret = send (self, frame);
  } else {
    gst_pad_push_event (self->pad, GST_EVENT_CAST (next));
  }

  g_mutex_lock (&self->lock);
  self->pusher = NULL;
  /* This push is in the pad's thread and cannot return its result upstream. A failure is kept
   * until make_room() returns it. */
  if (gst_mgpu_flow_is_error (ret))
    self->flow = ret;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Returns: TRUE if no frame or event is left to be pushed. The caller holds the lock. */
static gboolean
is_idle (GstMgpuInFlight * self)
{
  return self->queue.length == 0 && self->pusher == NULL;
}

/* Blocks until all frames and events of the queue are pushed or dropped by a flush. Does not
 * block in the pad's own thread. The caller holds the lock. */
static void
wait_until_idle (GstMgpuInFlight * self)
{
  while (!is_idle (self) && !self->flushing && self->pusher != g_thread_self ())
    g_cond_wait (&self->changed, &self->lock);
}

GstFlowReturn
gst_mgpu_in_flight_make_room (GstMgpuInFlight * self, guint n)
{
  GstFlowReturn ret;
  guint n_frames;

  g_mutex_lock (&self->lock);
  n_frames = self->n_frames;
  g_mutex_unlock (&self->lock);
  if (n_frames >= n)
    GST_MGPU_LOG_OBJECT (self->base->element,
        "waiting until fewer than %u frames are in flight; now there are %u", n,
        n_frames);
  g_mutex_lock (&self->lock);
  if (n <= 1)
    wait_until_idle (self);
  while (self->n_frames >= n && !self->flushing)
    g_cond_wait (&self->changed, &self->lock);
  ret = self->flushing ? GST_FLOW_FLUSHING : self->flow;
  if (gst_mgpu_flow_is_error (ret))
    self->flow = GST_FLOW_OK;
  g_mutex_unlock (&self->lock);
  return ret;
}

void
gst_mgpu_in_flight_drain (GstMgpuInFlight * self)
{
  if (!gst_mgpu_in_flight_is_empty (self))
    GST_MGPU_DEBUG_OBJECT (self->base->element, "draining: waiting until all "
        "frames in flight and the events after them are pushed");
  g_mutex_lock (&self->lock);
  wait_until_idle (self);
  /* A flush ends the wait above while the pad's thread may still be completing a frame. */
  while (self->n_frames > 0 && self->pusher != g_thread_self ())
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}

gboolean
gst_mgpu_in_flight_is_empty (GstMgpuInFlight * self)
{
  gboolean empty;

  g_mutex_lock (&self->lock);
  empty = is_idle (self);
  g_mutex_unlock (&self->lock);
  return empty;
}

/* Starts the pad's streaming thread. The caller must not hold a lock, because
 * gst_pad_start_task() posts a message, and the application may use the element in its message
 * handler. */
static void
start (GstMgpuInFlight * self)
{
  GST_MGPU_LOG_OBJECT (self->base->element,
      "the thread of %" GST_PTR_FORMAT " pushes the frames in flight",
      self->pad);
  gst_pad_start_task (self->pad, push_one, self, NULL);
  /* Another thread may have deactivated the pad before it could see the new thread; stops the
   * new thread in this case. */
  if (!gst_pad_is_active (self->pad))
    gst_mgpu_in_flight_stop (self);
}

gboolean
gst_mgpu_in_flight_take (GstMgpuInFlight * self, guint n, gboolean to_host,
    GstBuffer ** frame, GError ** error)
{
  GstMgpuMemory *memory = get_memory (*frame);
  gboolean fetches = to_host && memory != NULL
      && GST_MINI_OBJECT_FLAG_IS_SET (memory,
      GST_MGPU_MEMORY_FLAG_NEED_DOWNLOAD);
  GstClockTime pts = GST_BUFFER_PTS (*frame);
  gboolean idle, drops, takes, starts;
  guint n_before;

  if (fetches && !gst_mgpu_memory_fetch (memory, error))
    return FALSE;
  g_mutex_lock (&self->lock);
  idle = is_idle (self);
  takes = !idle || (n > 1 && (fetches || self->completes));
  drops = takes && (self->flushing || !gst_pad_is_active (self->pad));
  starts = takes && !drops && idle;
  n_before = self->n_frames;
  if (takes && !drops) {
    /* Moves the reference to the queue: the thread that pushes the frame then has the only one, and
     * can write to the frame without copying it. */
    g_queue_push_tail (&self->queue, g_steal_pointer (frame));
    self->n_frames++;
    /* Counts the frame as lost, because it was made before upstream received the failure. */
    if (gst_mgpu_flow_is_error (self->flow))
      self->n_lost++;
  }
  g_mutex_unlock (&self->lock);
  if (takes) {
    GST_MGPU_LOG_OBJECT (self->base->element, "frame %" GST_TIME_FORMAT
        "%s %u others", GST_TIME_ARGS (pts),
        drops ? " is dropped, because of a flush or an inactive pad, in "
        "addition to" : " is in flight, behind", n_before);
    gst_clear_buffer (frame);
  }
  if (starts)
    start (self);
  return TRUE;
}

/* If frames are in flight, appends @event to the queue. Returns: whether the event was appended */
static gboolean
take_event (GstMgpuInFlight * self, GstEvent * event)
{
  gboolean takes;
  guint n_frames;

  g_mutex_lock (&self->lock);
  takes = !is_idle (self) && !self->flushing && gst_pad_is_active (self->pad);
  if (takes)
    g_queue_push_tail (&self->queue, gst_event_ref (event));
  n_frames = self->n_frames;
  g_mutex_unlock (&self->lock);
  if (takes)
    GST_MGPU_LOG_OBJECT (self->base->element, "%" GST_PTR_FORMAT " is kept "
        "until %u frames in flight have been pushed", event, n_frames);
  return takes;
}

/* --- Events and stopping --- */

/* Empties the queue, unlocks @self, and then frees the frames and events of the queue. They are
 * freed without the lock, because their memory may belong to a pool of another element. */
static void
discard_and_unlock (GstMgpuInFlight * self)
{
  GQueue queue = self->queue;

  g_queue_init (&self->queue);
  for (GList * link = queue.head; link != NULL; link = link->next)
    self->n_frames -= GST_IS_BUFFER (link->data);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&queue, (GDestroyNotify) gst_mini_object_unref);
}

/* Resets @self to its initial state, without frames in flight. The caller holds the lock of
 * @self; this function releases it. */
static void
reset_and_unlock (GstMgpuInFlight * self)
{
  self->flushing = FALSE;
  self->flow = GST_FLOW_OK;
  self->position = GST_CLOCK_TIME_NONE;
  self->n_pushed = 0;
  self->n_lost = 0;
  discard_and_unlock (self);
}

static void
flush_start (GstMgpuInFlight * self)
{
  guint n_frames;

  g_mutex_lock (&self->lock);
  self->flushing = TRUE;
  n_frames = self->n_frames;
  discard_and_unlock (self);
  GST_MGPU_DEBUG_OBJECT (self->base->element,
      "dropping %u frames in flight, because of a flush", n_frames);
}

static void
flush_stop (GstMgpuInFlight * self)
{
  g_mutex_lock (&self->lock);
  /* Waits until the current push has returned, so that no old frame arrives downstream after the
   * flush. */
  while (self->pusher != NULL && self->pusher != g_thread_self ())
    g_cond_wait (&self->changed, &self->lock);
  reset_and_unlock (self);
}

/* Forgets the result of the last push, unless it is GST_FLOW_ERROR or another failure that ends
 * the stream. */
static void
forget (GstMgpuInFlight * self)
{
  g_mutex_lock (&self->lock);
  if (self->flow > GST_FLOW_ERROR)
    self->flow = GST_FLOW_OK;
  g_mutex_unlock (&self->lock);
}

gboolean
gst_mgpu_in_flight_handle_event (GstMgpuInFlight * self, GstEvent * event)
{
  GstEventType type = GST_EVENT_TYPE (event);

  if (type == GST_EVENT_CUSTOM_DOWNSTREAM && take_event (self, event))
    return TRUE;
  if (type == GST_EVENT_FLUSH_START)
    flush_start (self);
  else if (type == GST_EVENT_FLUSH_STOP)
    flush_stop (self);
  else if (GST_EVENT_IS_SERIALIZED (event))
    gst_mgpu_in_flight_drain (self);
  if (type == GST_EVENT_STREAM_START)
    forget (self);
  return FALSE;
}

/* Ends the pad's thread when the calling thread is that thread itself. A thread cannot wait for
 * its own end; therefore the task keeps a reference to the pad until the thread has left. */
static void
leave_thread (GstMgpuInFlight * self)
{
  GstTask *task;

  GST_OBJECT_LOCK (self->pad);
  task = GST_PAD_TASK (self->pad);
  GST_PAD_TASK (self->pad) = NULL;
  GST_OBJECT_UNLOCK (self->pad);
  if (task == NULL)
    return;
  g_object_set_data_full (G_OBJECT (task), "mgpu-pad",
      gst_object_ref (self->pad), gst_object_unref);
  gst_task_stop (task);
  gst_object_unref (task);
}

void
gst_mgpu_in_flight_stop (GstMgpuInFlight * self)
{
  gboolean from_within;

  g_mutex_lock (&self->lock);
  from_within = self->pusher == g_thread_self ();
  discard_and_unlock (self);
  if (from_within)
    leave_thread (self);
  else
    gst_pad_stop_task (self->pad);
  g_mutex_lock (&self->lock);
  reset_and_unlock (self);
}

void
gst_mgpu_in_flight_unlink (GstMgpuInFlight * self)
{
  GST_MGPU_DEBUG_OBJECT (self->base->element,
      "%" GST_PTR_FORMAT " is unlinked: dropping its frames", self->pad);
  g_atomic_int_set (&self->unlinked, TRUE);
}

gboolean
gst_mgpu_in_flight_relink (GstMgpuInFlight * self)
{
  gst_mgpu_in_flight_drain (self);
  if (!g_atomic_int_compare_and_exchange (&self->unlinked, TRUE, FALSE))
    return FALSE;
  forget (self);
  return TRUE;
}

gboolean
gst_mgpu_in_flight_is_unlinked (GstMgpuInFlight * self)
{
  return g_atomic_int_get (&self->unlinked);
}

guint64
gst_mgpu_in_flight_get_pushed (GstMgpuInFlight * self, GstClockTime * end)
{
  guint64 n;

  g_mutex_lock (&self->lock);
  n = self->n_pushed;
  if (end != NULL)
    *end = self->position;
  g_mutex_unlock (&self->lock);
  return n;
}

void
gst_mgpu_in_flight_set_position (GstMgpuInFlight * self, GstClockTime position)
{
  g_mutex_lock (&self->lock);
  self->position = position;
  g_mutex_unlock (&self->lock);
}
