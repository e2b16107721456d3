/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements guides, the second input of a filter, which the header describes. */
#include "gstmgpuguide.h"

#include "gstmgpuinflight.h"

GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_frame_debug);
#define GST_CAT_DEFAULT gst_mgpu_frame_debug

/* Number of frames that a guide keeps, including the one that the filter used last. The
 * thread of the guide's pad waits while there are so many. */
#define MAX_FRAMES 4

typedef struct
{
  GstBuffer *buffer;
  GstVideoInfo info;
  GstClockTime time, end;       /* running times at which the frame begins and ends;
                                 * GST_CLOCK_TIME_NONE where unknown */
} Frame;

struct _GstMgpuGuide
{
  GstMgpuDeviceUser *user;
  GstPad *pad;                  /* sink pad, whose element_private is this struct */

  GMutex lock;
  GCond changed;
  GQueue frames;                /* list of Frame, oldest first */
  guint n_used;                 /* number of frames, counted from the oldest on, that
                                 * the filter has used or skipped; it exceeds the
                                 * length of frames if the filter skips ahead */
  GstSegment segment;
  GstVideoInfo info;            /* format of frames to come */
  gboolean has_info;
  GstClockTime position;        /* running time up to which all frames have come */
  gboolean eos;                 /* the stream of this pad has ended */
  gboolean late;                /* a wait timed out: none more until a frame or event */
  gboolean lacks_end;           /* frames without duration came; each lasts until the
                                 * next one comes */
  gboolean pad_flushing;        /* the stream of this pad is being flushed */
  guint32 flush_seqnum;         /* sequence number of the last flush of this pad */
  gboolean seeking;             /* a seek of the filter is under way, which may flush
                                 * the stream of this pad */
  gboolean stale;               /* the stream of this pad was seeked, and frames are
                                 * of the old place until its flush */
  gboolean flushing, done;      /* the filter's first input is being flushed, has ended */
  gboolean stopping;            /* the filter leaves PAUSED */
  gboolean removed;             /* the pad was released */
};

static void
frame_free (gpointer data)
{
  Frame *frame = data;

  gst_buffer_unref (frame->buffer);
  g_free (frame);
}

static void
clear_frames (GstMgpuGuide * self)
{
  g_queue_clear_full (&self->frames, frame_free);
  self->n_used = 0;
}

/* --- The pad's thread --- */

/* Wakes the threads that wait, because a frame or an event came. Call with the lock. */
static void
news (GstMgpuGuide * self)
{
  self->late = FALSE;
  g_cond_broadcast (&self->changed);
}

static Frame *
frame_new (GstMgpuGuide * self, GstBuffer * buffer)
{
  GstClockTime start = GST_BUFFER_PTS (buffer);
  GstClockTime duration = GST_BUFFER_DURATION (buffer);
  Frame *frame = g_new0 (Frame, 1);

  frame->buffer = buffer;
  frame->info = self->info;
  frame->end = GST_CLOCK_TIME_NONE;
  frame->time = GST_CLOCK_TIME_NONE;
  if (self->segment.format != GST_FORMAT_TIME)
    return frame;
  if (GST_CLOCK_TIME_IS_VALID (start)) {
    frame->time = gst_segment_to_running_time (&self->segment,
        GST_FORMAT_TIME, start);
    if (GST_CLOCK_TIME_IS_VALID (duration))
      frame->end = gst_segment_to_running_time (&self->segment,
          GST_FORMAT_TIME, start + duration);
  }
  /* Places a frame right after the one before, if it is outside of the segment, or has
   * no timestamp although the one before has. */
  if (!GST_CLOCK_TIME_IS_VALID (frame->time)
      && (GST_CLOCK_TIME_IS_VALID (start) || self->position > 0))
    frame->time = self->position;
  return frame;
}

/* Adds a frame made of buffer, (transfer full). Call with the lock. Returns: whether the
 * latency changed */
static gboolean
add_frame (GstMgpuGuide * self, GstBuffer * buffer)
{
  Frame *frame = frame_new (self, buffer);
  gboolean lacked_end = self->lacks_end;

  g_queue_push_tail (&self->frames, frame);
  if (GST_CLOCK_TIME_IS_VALID (frame->time))
    self->position = GST_CLOCK_TIME_IS_VALID (frame->end) ? frame->end
        : frame->time;
  self->lacks_end |= GST_CLOCK_TIME_IS_VALID (frame->time)
      && !GST_BUFFER_DURATION_IS_VALID (buffer);
  news (self);
  return self->lacks_end != lacked_end;
}

static void
post_latency (GstMgpuGuide * self)
{
  GstElement *element = self->user->element;

  gst_element_post_message (element,
      gst_message_new_latency (GST_OBJECT (element)));
}

static GstFlowReturn
gst_mgpu_guide_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstMgpuGuide *self = gst_pad_get_element_private (pad);
  GstFlowReturn ret = GST_FLOW_OK;
  gboolean other_latency = FALSE;

  g_mutex_lock (&self->lock);
  /* Waits while the filter's first input is flushed: FLUSHING would end the stream of
   * this pad, which is not flushed. Waits during a seek, too, until it is known whether
   * this frame is of the place before the seek. */
  while ((self->flushing || self->seeking
          || g_queue_get_length (&self->frames) >= MAX_FRAMES)
      && !self->pad_flushing && !self->stale && !self->stopping && !self->done)
    g_cond_wait (&self->changed, &self->lock);

  if (self->pad_flushing || self->stopping)
    ret = GST_FLOW_FLUSHING;
  else if (self->done)
    ret = GST_FLOW_EOS;
  else if (!self->has_info)
    ret = GST_FLOW_NOT_NEGOTIATED;
  if (ret == GST_FLOW_OK && !self->stale)
    other_latency = add_frame (self, buffer);
  else
    gst_buffer_unref (buffer);
  g_mutex_unlock (&self->lock);
  if (other_latency)
    post_latency (self);
  return ret;
}

/* Updates self for an event of its pad. Call with the lock. Returns: FALSE for caps that
 * cannot be parsed */
static gboolean
handle_event (GstMgpuGuide * self, GstEvent * event)
{
  GstClockTime start, duration;
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      self->eos = FALSE;
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      self->has_info = gst_video_info_from_caps (&self->info, caps);
      return self->has_info;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &self->segment);
      break;
    case GST_EVENT_GAP:
      if (self->segment.format != GST_FORMAT_TIME)
        break;
      gst_event_parse_gap (event, &start, &duration);
      if (GST_CLOCK_TIME_IS_VALID (duration))
        start += duration;
      start = gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME,
          start);
      if (GST_CLOCK_TIME_IS_VALID (start))
        self->position = start;
      news (self);
      break;
    case GST_EVENT_EOS:
      self->eos = TRUE;
      news (self);
      break;
    case GST_EVENT_FLUSH_START:
      self->pad_flushing = TRUE;
      news (self);
      break;
    case GST_EVENT_FLUSH_STOP:
      self->pad_flushing = self->seeking = self->stale = FALSE;
      self->eos = self->late = FALSE;
      self->flush_seqnum = gst_event_get_seqnum (event);
      gst_segment_init (&self->segment, GST_FORMAT_TIME);
      self->position = 0;
      clear_frames (self);
      break;
    default:
      break;
  }
  return TRUE;
}

/* Handles an event of this pad and sends it nowhere: downstream gets the events of the
 * filter's first input. */
static gboolean
gst_mgpu_guide_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstMgpuGuide *self = gst_pad_get_element_private (pad);
  gboolean ret;

  g_mutex_lock (&self->lock);
  ret = handle_event (self, event);
  g_mutex_unlock (&self->lock);
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
    post_latency (self);
  gst_event_unref (event);
  return ret;
}

static gboolean
gst_mgpu_guide_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstMgpuGuide *self = gst_pad_get_element_private (pad);

  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_ALLOCATION:
      gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
      return TRUE;
    case GST_QUERY_CONTEXT:
      return gst_mgpu_device_user_answer_query (self->user, query);
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}

/* --- The filter's thread --- */

/* Returns: whether each frame of the filter takes the next guide, whatever its time is,
 * because one of the two streams has no timestamps. Call with the lock. */
static gboolean
is_in_order (GstMgpuGuide * self, GstClockTime time)
{
  Frame *oldest = g_queue_peek_head (&self->frames);

  return !GST_CLOCK_TIME_IS_VALID (time)
      || (oldest != NULL && !GST_CLOCK_TIME_IS_VALID (oldest->time));
}

/* Drops frames that a newer frame replaces at the running time @time. Call with the lock. */
static void
drop_old (GstMgpuGuide * self, GstClockTime time)
{
  Frame *next;

  while ((next = g_queue_peek_nth (&self->frames, 1)) != NULL
      && (is_in_order (self, time) ? self->n_used > 0 : next->time <= time)) {
    frame_free (g_queue_pop_head (&self->frames));
    self->n_used -= self->n_used > 0;
    g_cond_broadcast (&self->changed);
  }
}

/* Returns: whether the guide for the running time @time has come, or none can come any
 * more. Call with the lock. */
static gboolean
is_known (GstMgpuGuide * self, GstClockTime time)
{
  Frame *last = g_queue_peek_tail (&self->frames);

  if (self->eos)
    return TRUE;
  if (is_in_order (self, time))
    return last != NULL && self->n_used == 0;
  return self->position > time || (last != NULL && last->time >= time);
}

GstFlowReturn
gst_mgpu_guide_take (GstMgpuGuide * self, GstClockTime time,
    GstBuffer ** buffer, GstVideoInfo * info)
{
  gint64 deadline = g_get_monotonic_time () + GST_MGPU_GUIDE_WAIT;
  GstFlowReturn ret = GST_FLOW_OK;
  Frame *frame;

  *buffer = NULL;
  g_mutex_lock (&self->lock);
  drop_old (self, time);
  while ((self->seeking || self->stale || !is_known (self, time))
      && !self->flushing && !self->stopping && !self->late && !self->removed) {
    if (!g_cond_wait_until (&self->changed, &self->lock, deadline)) {
      GST_WARNING_OBJECT (self->pad, "no guide for %" GST_TIME_FORMAT
          ": going on with what is there until the next one",
          GST_TIME_ARGS (time));
      self->late = TRUE;
      self->stale = FALSE;
    }
    drop_old (self, time);
  }

  frame = g_queue_peek_head (&self->frames);
  if (self->flushing || self->stopping) {
    ret = GST_FLOW_FLUSHING;
  } else if (frame != NULL) {
    *buffer = gst_buffer_ref (frame->buffer);
    *info = frame->info;
    self->n_used = 1;
  } else if (!self->removed) {
    ret = GST_FLOW_EOS;
  }
  g_mutex_unlock (&self->lock);
  return ret;
}

void
gst_mgpu_guide_skip (GstMgpuGuide * self, GstClockTime time)
{
  g_mutex_lock (&self->lock);
  self->n_used = is_in_order (self, time) ? self->n_used + 1 : 1;
  drop_old (self, time);
  g_mutex_unlock (&self->lock);
}

/* Adds two waits to query, a LATENCY query that the pad's peer answered: to the minimum,
 * the wait for the next frame, which ends a frame without duration; to the maximum, the
 * time that frames may be kept here. */
static void
add_waits (GstMgpuGuide * self, GstQuery * query)
{
  GstClockTime min, max, hold = 0, wait = 0;
  gboolean live;

  g_mutex_lock (&self->lock);
  if (self->has_info)
    hold = gst_mgpu_in_flight_get_latency (MAX_FRAMES, &self->info);
  if (self->has_info && self->lacks_end)
    wait = gst_mgpu_in_flight_get_latency (2, &self->info);
  g_mutex_unlock (&self->lock);
  gst_query_parse_latency (query, &live, &min, &max);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += hold;
  gst_query_set_latency (query, live, min + wait, max);
}

void
gst_mgpu_guide_add_latency (GstMgpuGuide * self, GstQuery * query,
    GstClockTime latency)
{
  GstQuery *own = gst_query_new_latency ();
  GstClockTime min, max, own_min, own_max;
  gboolean live, own_live;

  if (gst_pad_peer_query (self->pad, own)) {
    add_waits (self, own);
    gst_mgpu_in_flight_add_latency (own, latency);
    gst_query_parse_latency (query, &live, &min, &max);
    gst_query_parse_latency (own, &own_live, &own_min, &own_max);
    if (own_live)
      gst_query_set_latency (query, TRUE, live ? MAX (min, own_min) : own_min,
          live ? MIN (max, own_max) : own_max);
  }
  gst_query_unref (own);
}

/* --- Making, stopping and freeing a guide --- */

void
gst_mgpu_guide_set_flushing (GstMgpuGuide * self, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  self->flushing = flushing;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

void
gst_mgpu_guide_set_stopping (GstMgpuGuide * self, gboolean stopping)
{
  g_mutex_lock (&self->lock);
  self->stopping = stopping;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

void
gst_mgpu_guide_set_done (GstMgpuGuide * self, gboolean done)
{
  g_mutex_lock (&self->lock);
  self->done = done;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

void
gst_mgpu_guide_reset (GstMgpuGuide * self)
{
  g_mutex_lock (&self->lock);
  clear_frames (self);
  gst_segment_init (&self->segment, GST_FORMAT_TIME);
  self->has_info = self->eos = self->late = self->done = FALSE;
  self->pad_flushing = self->seeking = self->stale = self->lacks_end = FALSE;
  self->flush_seqnum = GST_SEQNUM_INVALID;
  self->flushing = FALSE;
  self->position = 0;
  g_mutex_unlock (&self->lock);
}

/* Expects a flush of the guide's stream: where both streams come from one source, the
 * seek flushes both, unless another sink brought the source the same seek before. Frames
 * stay here until that flush: a still picture, or a live stream, cannot be seeked. */
void
gst_mgpu_guide_begin_seek (GstMgpuGuide * self, GstEvent * event)
{
  GstSeekFlags flags;

  gst_event_parse_seek (event, NULL, NULL, &flags, NULL, NULL, NULL, NULL);
  if (!(flags & GST_SEEK_FLAG_FLUSH))
    return;
  g_mutex_lock (&self->lock);
  self->seeking = gst_event_get_seqnum (event) != self->flush_seqnum;
  g_mutex_unlock (&self->lock);
}

void
gst_mgpu_guide_end_seek (GstMgpuGuide * self, GstEvent * event,
    gboolean seeked)
{
  gboolean seeking;

  g_mutex_lock (&self->lock);
  seeking = self->seeking;
  g_mutex_unlock (&self->lock);
  if (!seeking)
    return;
  seeked = seeked && gst_pad_push_event (self->pad, gst_event_ref (event));
  g_mutex_lock (&self->lock);
  /* Ends the wait for the flush of this seek, unless the flush has ended it already. */
  if (self->seeking)
    self->stale = seeked;
  self->seeking = FALSE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

GstPad *
gst_mgpu_guide_get_pad (GstMgpuGuide * self)
{
  return self->pad;
}

GstMgpuGuide *
gst_mgpu_guide_new (GstMgpuDeviceUser * user, GstPadTemplate * templ,
    const gchar * name)
{
  GstMgpuGuide *self = g_atomic_rc_box_new0 (GstMgpuGuide);

  self->user = user;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->frames);
  gst_mgpu_guide_reset (self);

  self->pad = gst_object_ref_sink (gst_pad_new_from_template (templ, name));
  gst_pad_set_element_private (self->pad, self);
  gst_pad_set_chain_function (self->pad, gst_mgpu_guide_chain);
  gst_pad_set_event_function (self->pad, gst_mgpu_guide_event);
  gst_pad_set_query_function (self->pad, gst_mgpu_guide_query);
  if (GST_STATE (user->element) > GST_STATE_READY)
    gst_pad_set_active (self->pad, TRUE);
  gst_element_add_pad (user->element, self->pad);
  return self;
}

GstMgpuGuide *
gst_mgpu_guide_ref (GstMgpuGuide * self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
gst_mgpu_guide_clear (gpointer data)
{
  GstMgpuGuide *self = data;

  gst_object_unref (self->pad);
  clear_frames (self);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

void
gst_mgpu_guide_unref (GstMgpuGuide * self)
{
  g_atomic_rc_box_release_full (self, gst_mgpu_guide_clear);
}

void
gst_mgpu_guide_remove (GstMgpuGuide * self)
{
  g_mutex_lock (&self->lock);
  self->removed = self->done = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  /* Deactivating the pad waits for its thread. */
  gst_pad_set_active (self->pad, FALSE);
  gst_element_remove_pad (self->user->element, self->pad);
}
