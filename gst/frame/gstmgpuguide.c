/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the second input of a filter, which receives guide images: see gstmgpuguide.h.
 * Two threads wait for each other here: the thread of the guide pad, which adds guide images
 * (gst_mgpu_guide_chain()), and the filter's thread, which takes them (gst_mgpu_guide_take()).
 * What they do depends on the states of both streams.
 *
 * State of the guide stream:
 *                 A guide image that arrives is              The filter's thread
 *   NO_PAD        (there is no pad)                          goes on without an image
 *   LEAVING       refused (FLUSHING): the pad is removed     goes on without an image
 *   FLOWING       kept, after a wait while 4 are kept        waits for its image
 *   SEEKING       kept waiting: it may be from before the    waits for another state, then
 *                 seek of the filter that is under way       for its image
 *   SEEKED        dropped: the pad was seeked, and the       waits as in SEEKING
 *                 flush of this seek has not come yet
 *   SEEK_FLUSHING refused (FLUSHING): this flush began       waits as in SEEKING
 *   FLUSHING      refused (FLUSHING): another flush began    waits for its image
 *
 * Events of the guide stream:
 *   pad requested        NO_PAD -> FLOWING
 *   pad released         any -> LEAVING -> NO_PAD, once the pad's thread has left
 *   flushing seek begins FLOWING, SEEKED -> SEEKING; FLUSHING -> SEEK_FLUSHING; nothing if the
 *                        last flush of the pad had the sequence number of this seek
 *   seek ends            SEEKING -> SEEKED if the pad was seeked, else SEEKING -> FLOWING and
 *                        SEEK_FLUSHING -> FLUSHING
 *   flush starts         SEEKING, SEEKED -> SEEK_FLUSHING; FLOWING -> FLUSHING
 *   flush stops          any with a pad -> FLOWING; the images are dropped
 *   5 seconds of waiting SEEKED -> FLOWING; @late ends the waits of the filter's thread until
 *                        news come from the guide pad
 *   PAUSED to READY      any with a pad -> FLOWING; the images are dropped
 *
 * State of the stream of the filter's first input:
 *                   A guide image that arrives is            The filter's thread
 *   FILTER_FLOWING  handled as above                         does as above
 *   FILTER_FLUSHING kept waiting, unless refused or dropped  returns FLUSHING
 *                   as above: FLUSHING would end the guide
 *                   stream, which is not flushed
 *   FILTER_EOS      refused (EOS), or FLUSHING as above      (brings no frames)
 *   FILTER_STOPPING refused (FLUSHING)                       returns FLUSHING
 *
 * Events of that stream:
 *   flush starts    FILTER_FLOWING, FILTER_EOS -> FILTER_FLUSHING
 *   flush stops     FILTER_FLUSHING, FILTER_EOS -> FILTER_FLOWING
 *   stream start    FILTER_EOS -> FILTER_FLOWING
 *   end of stream   FILTER_FLOWING -> FILTER_EOS
 *   PAUSED to READY any -> FILTER_STOPPING
 *   READY to PAUSED FILTER_STOPPING -> FILTER_FLOWING */
#include "gstmgpuguide.h"

#include "gstmgpucaps.h"

/* Maximum number of guide images that an input keeps, including the last one that the filter
 * used. The streaming thread of the guide pad waits while this number is reached. */
#define MAX_FRAMES 4

typedef struct
{
  GstBuffer *buffer;
  GstVideoInfo info;
  GstClockTime time;            /* running time at which the guide image begins;
                                 * GST_CLOCK_TIME_NONE if unknown */
} Frame;

/* State of the guide stream: see the head of this file */
typedef enum
{
  NO_PAD,
  LEAVING,
  FLOWING,
  SEEKING,
  SEEKED,
  SEEK_FLUSHING,
  FLUSHING
} State;

/* State of the stream of the filter's first input */
typedef enum
{
  FILTER_FLOWING,
  FILTER_FLUSHING,
  FILTER_EOS,
  FILTER_STOPPING
} FilterState;

/* Results of get_answer(): what to do with a guide image that arrives. The other results are
 * GST_FLOW_FLUSHING and GST_FLOW_EOS, with which the pad refuses the image. */
#define KEEP GST_FLOW_OK
#define DROP GST_FLOW_CUSTOM_SUCCESS
#define WAIT GST_FLOW_CUSTOM_SUCCESS_1

struct _GstMgpuGuide
{
  GstElement *element;
  const gchar *name;            /* name of the guide pad */
  GstMgpuInput input;           /* makes guide images accessible to the device; only the
                                 * filter's streaming thread uses it */

  GMutex lock;
  GCond changed;
  State state;                  /* state of the guide stream */
  FilterState filter_state;     /* state of the stream of the filter's first input */
  GstPad *pad;                  /* sink pad of the guide, whose element_private is this
                                 * struct; NULL in the state NO_PAD */
  GQueue frames;                /* list of Frame: the kept guide images, oldest first */
  GQueue dropped;               /* list of Frame: the guide images that unlock() frees */
  guint n_used;                 /* number of guide images that the filter has used or skipped,
                                 * starting with the oldest one in @frames; larger than the
                                 * length of @frames if the filter skips images that have not
                                 * arrived yet */
  GstSegment segment;
  GstVideoInfo info;            /* format of the guide images; UNKNOWN before caps arrive */
  GstClockTime position;        /* running time, in ns: no more guide images that begin before
                                 * it will arrive */
  gboolean eos;                 /* whether the stream of the guide pad has ended */
  gboolean late;                /* whether the wait for a guide image timed out; the filter does not
                                 * wait again until a buffer or an event arrives at the guide pad */
  gboolean lacks_end;           /* whether guide images without duration have arrived; each of
                                 * them lasts until the next one arrives */
  guint32 flush_seqnum;         /* sequence number of the last flush of the guide pad */
  guint32 seek_seqnum;          /* sequence number of the last seek event that the filter
                                 * got */
};

static void
frame_free (gpointer data)
{
  Frame *frame = data;

  gst_buffer_unref (frame->buffer);
  g_free (frame);
}

/* Unlocks @self, and frees the guide images that were dropped. They are freed without the lock,
 * because this calls code of their pools and the application's log function. */
static void
unlock (GstMgpuGuide * self)
{
  GQueue dropped = self->dropped;

  g_queue_init (&self->dropped);
  g_mutex_unlock (&self->lock);
  if (dropped.length > 0)
    GST_MGPU_LOG_OBJECT (self->element, "at the pad \"%s\": dropping the %u "
        "oldest frames", self->name,
        dropped.length);
  g_queue_clear_full (&dropped, frame_free);
}

/* Drops the oldest guide image. The caller holds the lock. */
static void
drop_oldest (GstMgpuGuide * self)
{
  g_queue_push_tail (&self->dropped, g_queue_pop_head (&self->frames));
  self->n_used -= self->n_used > 0;
}

/* Drops all guide images. The caller holds the lock. */
static void
drop_all (GstMgpuGuide * self)
{
  while (self->frames.length > 0)
    drop_oldest (self);
  self->n_used = 0;
}

/* Returns: whether the guide has a pad that is not being removed. The caller holds the lock */
static gboolean
is_linkable (GstMgpuGuide * self)
{
  return self->state != NO_PAD && self->state != LEAVING;
}

/* Returns: whether the images in @frames may be from before a seek. The caller holds the
 * lock */
static gboolean
is_seeking (GstMgpuGuide * self)
{
  return self->state == SEEKING || self->state == SEEKED
      || self->state == SEEK_FLUSHING;
}

/* --- The pad's thread --- */

/* Wakes the threads that wait for the guide input, because a guide image or an event has arrived.
 * The caller holds the lock. */
static void
news (GstMgpuGuide * self)
{
  self->late = FALSE;
  g_cond_broadcast (&self->changed);
}

/* Returns: the running time that belongs to the timestamp @time of the guide stream;
 * GST_CLOCK_TIME_NONE if there is no timestamp, or if it is outside the segment. The caller holds
 * the lock */
static GstClockTime
to_running_time (GstMgpuGuide * self, GstClockTime time)
{
  if (self->segment.format != GST_FORMAT_TIME)
    return GST_CLOCK_TIME_NONE;
  return gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME, time);
}

/* Adds the guide image in @buffer (transfer full) to the images that are kept. The caller holds
 * the lock. Returns: whether the latency of the guide stream has changed */
static gboolean
add_frame (GstMgpuGuide * self, GstBuffer * buffer)
{
  GstClockTime start = GST_BUFFER_PTS (buffer), end = GST_CLOCK_TIME_NONE;
  Frame *frame = g_new0 (Frame, 1);
  gboolean lacked_end = self->lacks_end;

  frame->buffer = buffer;
  frame->info = self->info;
  frame->time = to_running_time (self, start);
  if (GST_CLOCK_TIME_IS_VALID (start) && GST_BUFFER_DURATION_IS_VALID (buffer))
    end = to_running_time (self, start + GST_BUFFER_DURATION (buffer));
  /* Lets an image outside the segment begin where the previous image ends; the same applies to an
   * image without timestamp if the previous image has a timestamp. */
  if (self->segment.format == GST_FORMAT_TIME
      && !GST_CLOCK_TIME_IS_VALID (frame->time)
      && (GST_CLOCK_TIME_IS_VALID (start) || self->position > 0))
    frame->time = self->position;
  g_queue_push_tail (&self->frames, frame);

  if (GST_CLOCK_TIME_IS_VALID (frame->time)) {
    self->position = GST_CLOCK_TIME_IS_VALID (end) ? end : frame->time;
    self->lacks_end |= !GST_BUFFER_DURATION_IS_VALID (buffer);
  }
  news (self);
  return self->lacks_end != lacked_end;
}

static void
post_latency (GstMgpuGuide * self)
{
  gst_element_post_message (self->element,
      gst_message_new_latency (GST_OBJECT (self->element)));
}

/* Returns: KEEP, DROP, WAIT, FLUSHING or EOS: what to do with a guide image that arrives
 * now. The caller holds the lock */
static GstFlowReturn
get_answer (GstMgpuGuide * self)
{
  if (self->filter_state == FILTER_STOPPING || !is_linkable (self)
      || self->state == SEEK_FLUSHING || self->state == FLUSHING)
    return GST_FLOW_FLUSHING;
  if (self->filter_state == FILTER_EOS)
    return GST_FLOW_EOS;
  if (self->state == SEEKED)
    return DROP;
  return self->filter_state == FILTER_FLUSHING || self->state == SEEKING
      || g_queue_get_length (&self->frames) >= MAX_FRAMES ? WAIT : KEEP;
}

static GstFlowReturn
gst_mgpu_guide_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstMgpuGuide *self = gst_pad_get_element_private (pad);
  gboolean other_latency = FALSE;
  GstFlowReturn ret;
  guint n_kept;

  g_mutex_lock (&self->lock);
  if (get_answer (self) == WAIT) {
    unlock (self);
    GST_MGPU_LOG_OBJECT (self->element, "the thread of the pad \"%s\" is waiting", self->name);
    g_mutex_lock (&self->lock);
  }
  while ((ret = get_answer (self)) == WAIT)
    g_cond_wait (&self->changed, &self->lock);
  if (ret >= GST_FLOW_OK
      && GST_VIDEO_INFO_FORMAT (&self->info) == GST_VIDEO_FORMAT_UNKNOWN)
    ret = GST_FLOW_NOT_NEGOTIATED;
  if (ret == KEEP)
    other_latency = add_frame (self, gst_buffer_ref (buffer));
  n_kept = self->frames.length;
  unlock (self);
  GST_MGPU_LOG_OBJECT (self->element, "%" GST_PTR_FORMAT " arrived at the pad "
      "\"%s\", which keeps %u frames now: %s",
      buffer, self->name, n_kept, ret == DROP ? "dropped, because it may be "
          "from before a seek"
      : gst_flow_get_name (ret));
  gst_buffer_unref (buffer);
  if (other_latency)
    post_latency (self);
  return ret == DROP ? GST_FLOW_OK : ret;
}

/* Updates @self for @event, which has arrived at the guide pad. The caller holds the lock.
 * Returns: FALSE for caps that cannot be parsed */
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
      gst_video_info_init (&self->info);
      return gst_video_info_from_caps (&self->info, caps);
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &self->segment);
      break;
    case GST_EVENT_GAP:
      if (self->segment.format != GST_FORMAT_TIME)
        break;
      gst_event_parse_gap (event, &start, &duration);
      if (GST_CLOCK_TIME_IS_VALID (duration))
        start += duration;
      start = to_running_time (self, start);
      if (GST_CLOCK_TIME_IS_VALID (start))
        self->position = start;
      news (self);
      break;
    case GST_EVENT_EOS:
      self->eos = TRUE;
      news (self);
      break;
    case GST_EVENT_FLUSH_START:
      self->state = is_seeking (self) ? SEEK_FLUSHING : FLUSHING;
      news (self);
      break;
    case GST_EVENT_FLUSH_STOP:
      self->state = FLOWING;
      self->eos = FALSE;
      self->flush_seqnum = gst_event_get_seqnum (event);
      gst_segment_init (&self->segment, GST_FORMAT_TIME);
      self->position = 0;
      drop_all (self);
      news (self);
      break;
    default:
      break;
  }
  return TRUE;
}

/* Handles an event that has arrived at the guide pad. The event is not forwarded, because
 * downstream gets only the events of the filter's first input. */
static gboolean
gst_mgpu_guide_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstMgpuGuide *self = gst_pad_get_element_private (pad);
  gboolean ret;

  GST_MGPU_DEBUG_OBJECT (self->element, "%" GST_PTR_FORMAT " arrived at %" GST_PTR_FORMAT,
      event, pad);
  g_mutex_lock (&self->lock);
  ret = !is_linkable (self) || handle_event (self, event);
  unlock (self);
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
      return gst_mgpu_device_base_answer_query (self->input.base, query);
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}

/* --- The filter's thread --- */

/* Returns: the running time of @in, a frame of the filter's first input; 0 if the frame
 * begins before the segment, GST_CLOCK_TIME_NONE if it has no timestamp */
static GstClockTime
get_time (GstBuffer * in, const GstSegment * segment)
{
  GstClockTime time;

  if (segment->format != GST_FORMAT_TIME || !GST_BUFFER_PTS_IS_VALID (in))
    return GST_CLOCK_TIME_NONE;
  return gst_segment_to_running_time_full (segment, GST_FORMAT_TIME,
      GST_BUFFER_PTS (in), &time) > 0 ? time : 0;
}

/* Returns: TRUE if one of the two streams has no timestamps; each frame of the filter then takes
 * the next guide image. @time is the running time of the frame. The caller holds the lock */
static gboolean
is_in_order (GstMgpuGuide * self, GstClockTime time)
{
  Frame *oldest = g_queue_peek_head (&self->frames);

  return !GST_CLOCK_TIME_IS_VALID (time)
      || (oldest != NULL && !GST_CLOCK_TIME_IS_VALID (oldest->time));
}

/* Drops guide images that are out of date for the filter's frame of running time @time: those for
 * which a newer image has arrived that begins at or before @time. The caller holds the lock. */
static void
drop_old (GstMgpuGuide * self, GstClockTime time)
{
  Frame *next;

  while ((next = g_queue_peek_nth (&self->frames, 1)) != NULL
      && (is_in_order (self, time) ? self->n_used > 0 : next->time <= time)) {
    drop_oldest (self);
    g_cond_broadcast (&self->changed);
  }
}

/* Returns: TRUE if it is certain which guide image belongs to the running time @time: it has
 * arrived, or no image for this time can arrive any more. The caller holds the lock */
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

/* Returns: TRUE if the filter needs no guide images now, because its first input is being
 * flushed, or because it stops. The caller holds the lock */
static gboolean
is_over (GstMgpuGuide * self)
{
  return self->filter_state == FILTER_FLUSHING
      || self->filter_state == FILTER_STOPPING;
}

/* Waits for the guide image of the running time @time, or for the next guide image if
 * @time is GST_CLOCK_TIME_NONE. Returns: EOS if the wait ended without a guide image */
static GstFlowReturn
wait_for_guide (GstMgpuGuide * self, GstClockTime time, GstBuffer ** buffer,
    GstVideoInfo * info)
{
  gint64 start = g_get_monotonic_time (), deadline = start + GST_MGPU_GUIDE_WAIT;
  GstFlowReturn ret = GST_FLOW_OK;
  gboolean in_time = TRUE;
  Frame *frame;

  g_mutex_lock (&self->lock);
  drop_old (self, time);
  while (in_time && !self->late && !is_over (self) && is_linkable (self)
      && (is_seeking (self) || !is_known (self, time))) {
    in_time = g_cond_wait_until (&self->changed, &self->lock, deadline);
    drop_old (self, time);
  }
  self->late |= !in_time;
  if (!in_time && self->state == SEEKED)
    self->state = FLOWING;

  frame = g_queue_peek_head (&self->frames);
  if (is_over (self)) {
    ret = GST_FLOW_FLUSHING;
  } else if (frame != NULL) {
    *buffer = gst_buffer_ref (frame->buffer);
    *info = frame->info;
    self->n_used = 1;
  } else if (is_linkable (self)) {
    ret = GST_FLOW_EOS;
  }
  unlock (self);
  if (!in_time)
    GST_MGPU_WARNING_OBJECT (self->element, "no guide image for %" GST_TIME_FORMAT
        ": using the last one until the next one arrives", GST_TIME_ARGS (time));
  if (*buffer != NULL)
    GST_MGPU_LOG_OBJECT (self->element, "using the frame of \"%s\" for the "
        "frame of running time %" GST_TIME_FORMAT ", after %" G_GINT64_FORMAT " us: %"
        GST_PTR_FORMAT, self->name, GST_TIME_ARGS (time), g_get_monotonic_time () - start, *buffer);
  return ret;
}

GstFlowReturn
gst_mgpu_guide_take (GstMgpuGuide * self, GstBuffer * in,
    const GstVideoInfo * info, const GstSegment * segment, GstBuffer ** buffer)
{
  gint width = GST_VIDEO_INFO_WIDTH (info), height = GST_VIDEO_INFO_HEIGHT (info);
  GstMgpuInput *input = &self->input;
  GError *error = NULL;
  GstFlowReturn ret;
  GstVideoInfo own;

  *buffer = NULL;
  ret = wait_for_guide (self, get_time (in, segment), buffer, &own);
  if (ret == GST_FLOW_EOS)
    error = g_error_new (GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "no frame arrived at the pad \"%s\": link a video stream to it, and "
        "put a queue into each branch where both streams have one source",
        self->name);
  if (*buffer != NULL && (GST_VIDEO_INFO_WIDTH (&own) != width
          || GST_VIDEO_INFO_HEIGHT (&own) != height)) {
    error = g_error_new (GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the frames of the pad \"%s\" have %dx%d pixels, but the frames to be "
        "filtered have %dx%d: put \"videoscale ! video/x-raw,width=%d,height=%d\" "
        "before that pad", self->name, GST_VIDEO_INFO_WIDTH (&own),
        GST_VIDEO_INFO_HEIGHT (&own), width, height, width, height);
  } else if (*buffer != NULL && !gst_video_info_is_equal (&input->info, &own)) {
    gst_mgpu_input_set_info (input, &own);
    gst_mgpu_device_base_check_size (input->base, &own, &error);
  }
  if (error == NULL)
    return ret;
  gst_clear_buffer (buffer);
  return gst_mgpu_device_base_fail (input->base, error);
}

void
gst_mgpu_guide_skip (GstMgpuGuide * self, GstBuffer * in,
    const GstSegment * segment)
{
  GstClockTime time = get_time (in, segment);

  GST_MGPU_LOG_OBJECT (self->element, "using no frame of \"%s\" for running "
      "time %"
      GST_TIME_FORMAT, self->name, GST_TIME_ARGS (time));
  g_mutex_lock (&self->lock);
  self->n_used = is_in_order (self, time) ? self->n_used + 1 : 1;
  drop_old (self, time);
  unlock (self);
}

/* Returns: (transfer full) (nullable): the guide pad */
static GstPad *
get_pad (GstMgpuGuide * self)
{
  GstPad *pad;

  g_mutex_lock (&self->lock);
  pad = is_linkable (self) ? gst_object_ref (self->pad) : NULL;
  g_mutex_unlock (&self->lock);
  return pad;
}

void
gst_mgpu_guide_add_latency (GstMgpuGuide * self, GstQuery * query)
{
  GstPad *pad = get_pad (self);
  GstQuery *own = gst_query_new_latency ();
  GstClockTime min, max, own_min, own_max;
  gboolean live, own_live;

  if (pad != NULL && gst_pad_peer_query (pad, own)) {
    gst_query_parse_latency (query, &live, &min, &max);
    gst_query_parse_latency (own, &own_live, &own_min, &own_max);
    /* Adds to the minimum the wait for the next guide image: an image without duration ends only
     * when the next one arrives. Adds to the maximum the time for which guide images may be kept.
     */
    g_mutex_lock (&self->lock);
    if (self->lacks_end)
      own_min += gst_mgpu_caps_get_duration (&self->info, 1);
    if (GST_CLOCK_TIME_IS_VALID (own_max))
      own_max += gst_mgpu_caps_get_duration (&self->info, MAX_FRAMES - 1);
    g_mutex_unlock (&self->lock);
    GST_MGPU_DEBUG_OBJECT (self->element, "the latency of the stream at \"%s\" is %"
        GST_TIME_FORMAT "; this stream is%s live", self->name, GST_TIME_ARGS (own_min),
        own_live ? "" : " not");
    if (own_live)
      gst_query_set_latency (query, TRUE, live ? MAX (min, own_min) : own_min,
          live ? MIN (max, own_max) : own_max);
  }
  gst_query_unref (own);
  gst_clear_object (&pad);
}

/* --- Events of the filter's first input, and seeks --- */

void
gst_mgpu_guide_follow (GstMgpuGuide * self, GstEvent * event)
{
  GstEventType type = GST_EVENT_TYPE (event);
  FilterState *state = &self->filter_state;

  g_mutex_lock (&self->lock);
  if (*state != FILTER_STOPPING && type == GST_EVENT_FLUSH_START)
    *state = FILTER_FLUSHING;
  else if (*state != FILTER_STOPPING && type == GST_EVENT_FLUSH_STOP)
    *state = FILTER_FLOWING;
  else if (*state == FILTER_EOS && type == GST_EVENT_STREAM_START)
    *state = FILTER_FLOWING;
  else if (*state == FILTER_FLOWING && type == GST_EVENT_EOS)
    *state = FILTER_EOS;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* The seek @event may flush the guide stream: it does if both streams come from one source, unless
 * another sink has already sent the same seek to the source. Keeps the guide images until that
 * flush, because a still image or a live stream cannot be seeked. */
gboolean
gst_mgpu_guide_begin_seek (GstMgpuGuide * self, GstEvent * event)
{
  guint32 seqnum = gst_event_get_seqnum (event);
  GstSeekFlags flags;
  gboolean is_new;

  gst_event_parse_seek (event, NULL, NULL, &flags, NULL, NULL, NULL, NULL);
  g_mutex_lock (&self->lock);
  is_new = seqnum != self->seek_seqnum;
  self->seek_seqnum = seqnum;
  if (is_new && (flags & GST_SEEK_FLAG_FLUSH) && is_linkable (self)
      && seqnum != self->flush_seqnum)
    self->state = self->state == FLUSHING || self->state == SEEK_FLUSHING
        ? SEEK_FLUSHING : SEEKING;
  g_mutex_unlock (&self->lock);
  return is_new;
}

void
gst_mgpu_guide_end_seek (GstMgpuGuide * self, GstEvent * event,
    gboolean seeked)
{
  guint32 seqnum = gst_event_get_seqnum (event);
  GstPad *pad = get_pad (self);
  gboolean seeking;

  g_mutex_lock (&self->lock);
  /* Forgets the sequence number of a seek that failed, because the application may send the same
   * seek again. */
  if (!seeked && self->seek_seqnum == seqnum)
    self->seek_seqnum = GST_SEQNUM_INVALID;
  seeking = self->state == SEEKING || self->state == SEEK_FLUSHING;
  g_mutex_unlock (&self->lock);
  if (seeking) {
    seeked = seeked && pad != NULL
        && gst_pad_push_event (pad, gst_event_ref (event));
    GST_MGPU_DEBUG_OBJECT (self->element, "seeking the stream of \"%s\" separately: %s",
        self->name, seeked ? "done" : "failed, its position did not change");
    g_mutex_lock (&self->lock);
    /* Considers that this seek may already have flushed the guide stream. */
    if (self->state == SEEKING)
      self->state = seeked ? SEEKED : FLOWING;
    else if (self->state == SEEK_FLUSHING && !seeked)
      self->state = FLUSHING;
    g_cond_broadcast (&self->changed);
    g_mutex_unlock (&self->lock);
  }
  gst_clear_object (&pad);
}

/* --- Stopping, and making and removing the pad --- */

void
gst_mgpu_guide_set_stopping (GstMgpuGuide * self, gboolean stopping)
{
  g_mutex_lock (&self->lock);
  self->filter_state = stopping ? FILTER_STOPPING : FILTER_FLOWING;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Forgets the guide images and the state of the guide stream. The caller holds the lock. */
static void
reset_guide_stream (GstMgpuGuide * self)
{
  drop_all (self);
  gst_segment_init (&self->segment, GST_FORMAT_TIME);
  gst_video_info_init (&self->info);
  self->eos = self->late = self->lacks_end = FALSE;
  self->flush_seqnum = self->seek_seqnum = GST_SEQNUM_INVALID;
  if (is_linkable (self))
    self->state = FLOWING;
  self->position = 0;
}

void
gst_mgpu_guide_reset (GstMgpuGuide * self)
{
  g_mutex_lock (&self->lock);
  reset_guide_stream (self);
  if (self->filter_state != FILTER_STOPPING)
    self->filter_state = FILTER_FLOWING;
  unlock (self);
}

GstMgpuInput *
gst_mgpu_guide_get_input (GstMgpuGuide * self)
{
  return &self->input;
}

gboolean
gst_mgpu_guide_has_pad (GstMgpuGuide * self)
{
  gboolean has_pad;

  g_mutex_lock (&self->lock);
  has_pad = is_linkable (self);
  g_mutex_unlock (&self->lock);
  return has_pad;
}

static void
forget_pad (GstMgpuGuide * self)
{
  g_mutex_lock (&self->lock);
  self->pad = NULL;
  self->state = NO_PAD;
  g_mutex_unlock (&self->lock);
}

GstPad *
gst_mgpu_guide_add_pad (GstMgpuGuide * self, GstPadTemplate * templ)
{
  GstPad *pad = gst_object_ref_sink (gst_pad_new_from_template (templ,
          self->name));
  gboolean is_first;

  gst_pad_set_element_private (pad, self);
  gst_pad_set_chain_function (pad, gst_mgpu_guide_chain);
  gst_pad_set_event_function (pad, gst_mgpu_guide_event);
  gst_pad_set_query_function (pad, gst_mgpu_guide_query);
  g_mutex_lock (&self->lock);
  is_first = self->state == NO_PAD;
  if (is_first) {
    reset_guide_stream (self);
    self->pad = pad;
    self->state = FLOWING;
  }
  unlock (self);
  if (!is_first) {
    GST_MGPU_WARNING_OBJECT (self->element, "the pad \"%s\" exists already", self->name);
    gst_object_unref (pad);
    return NULL;
  }
  if (GST_STATE (self->element) > GST_STATE_READY)
    gst_pad_set_active (pad, TRUE);
  if (gst_element_add_pad (self->element, pad))
    return pad;
  /* Fails if the application itself has already added a pad with this name. */
  forget_pad (self);
  gst_pad_set_active (pad, FALSE);
  gst_object_unref (pad);
  return NULL;
}

void
gst_mgpu_guide_remove_pad (GstMgpuGuide * self)
{
  GstPad *pad;

  g_mutex_lock (&self->lock);
  pad = is_linkable (self) ? self->pad : NULL;
  if (pad != NULL)
    self->state = LEAVING;
  drop_all (self);
  g_cond_broadcast (&self->changed);
  unlock (self);
  if (pad == NULL)
    return;
  GST_MGPU_DEBUG_OBJECT (self->element, "releasing %" GST_PTR_FORMAT, pad);
  /* Deactivates the guide pad. This waits until the pad's streaming thread has left. */
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (self->element, pad);
  forget_pad (self);
  gst_object_unref (pad);
}

GstMgpuGuide *
gst_mgpu_guide_new (GstMgpuDeviceBase * base, const gchar * name)
{
  GstMgpuGuide *self = g_new0 (GstMgpuGuide, 1);

  self->element = base->element;
  self->name = name;
  gst_mgpu_input_init (&self->input, base);
  self->input.what = name;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->frames);
  gst_mgpu_guide_reset (self);
  return self;
}

void
gst_mgpu_guide_free (GstMgpuGuide * self)
{
  /* Drops the guide pad if the application, and not gst_mgpu_guide_remove_pad(), removed it from
   * the element. */
  gst_clear_object (&self->pad);
  gst_mgpu_input_reset (&self->input);
  g_queue_clear_full (&self->frames, frame_free);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
