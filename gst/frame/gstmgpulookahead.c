/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Keeps input frames until later ones have arrived. The oldest frame is then passed to the
 * filter as if it had just arrived. */
#include "gstmgpulookahead.h"

#include "gstmgpucaps.h"
#include "gstmgpufilterparams.h"

/* Time without a new frame after which upstream may count as blocked, in ns. The time for
 * which frames are kept is added to it, because sinks of live pipelines wait that long. */
#define PATIENCE (2 * GST_SECOND)

#define gst_mgpu_look_ahead_parent_class parent_class
G_DEFINE_ABSTRACT_TYPE (GstMgpuLookAhead, gst_mgpu_look_ahead,
    GST_TYPE_MGPU_FILTER);

/* --- Frames that are kept --- */

void
gst_mgpu_look_ahead_update_latency (GstMgpuLookAhead * self)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  gpointer now = gst_mgpu_filter_copy_params (filter);

  gst_mgpu_output_set_held (&filter->output,
      GST_MGPU_LOOK_AHEAD_GET_CLASS (self)->count (now));
  gst_mgpu_filter_free_params (filter, now);
}

static void
held_free (GstMgpuLookAhead * self, GstMgpuHeldFrame * held)
{
  GstEvent *event;

  gst_clear_buffer (&held->buffer);
  gst_clear_buffer (&held->guide);
  gst_mgpu_filter_free_params (GST_MGPU_FILTER (self), held->params);
  while ((event = g_queue_pop_head (&held->events)) != NULL)
    gst_event_unref (event);
  g_free (held);
}

static GstClockTime
get_time (const GstMgpuHeldFrame * held)
{
  return GST_BUFFER_PTS (held->buffer);
}

/* Resets the state after the last kept frame has left. */
static void
note_empty (GstMgpuLookAhead * self)
{
  gst_mgpu_stall_end (&self->stall);
  self->n_full = 0;
}

/* Drops all kept frames. */
static void
drop (GstMgpuLookAhead * self)
{
  GstMgpuLookAheadClass *klass = GST_MGPU_LOOK_AHEAD_GET_CLASS (self);
  GstMgpuHeldFrame *held;

  if (!g_queue_is_empty (&self->held))
    GST_MGPU_DEBUG_OBJECT (self, "dropping the %u kept frames", self->held.length);
  while ((held = g_queue_pop_head (&self->held)) != NULL)
    held_free (self, held);
  note_empty (self);
  self->is_discont = FALSE;
  if (klass->dropped != NULL)
    klass->dropped (self);
}

/* Replaces the buffer *@buffer of the input @input by one that can be kept, so that upstream
 * does not run short of memory. The replacement may be a copy, without metadata. @for_device
 * is TRUE if the device reads the frame twice: when it arrives and when it is pushed. */
static gboolean
keep_buffer (GstMgpuInput * input, GstBuffer ** buffer, gboolean for_device,
    GError ** error)
{
  *buffer = gst_mgpu_input_keep (input, *buffer, for_device, error);
  return *buffer != NULL;
}

/* Replaces the frame and the guide image of @held, which have just arrived, by buffers that can be
 * kept without starving upstream of buffers. */
static gboolean
keep (GstMgpuLookAhead * self, GstMgpuHeldFrame * held, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstBuffer *in = gst_buffer_ref (held->buffer);
  gboolean ok = keep_buffer (&filter->input, &held->buffer, !held->is_resting,
      error);

  if (ok && held->buffer != in)
    GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans, in,
        held->buffer);
  gst_buffer_unref (in);
  return ok && (held->guide == NULL
      || keep_buffer (gst_mgpu_guide_get_input (filter->guide), &held->guide,
          FALSE, error));
}

/* Lets the element analyze the frame @held, which has just arrived. */
static gboolean
look (GstMgpuLookAhead * self, const GstMgpuHeldFrame * held, GError ** error)
{
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;
  gboolean ok;

  gst_mgpu_device_base_begin_work (base);
  ok = GST_MGPU_LOOK_AHEAD_GET_CLASS (self)->came (self, held, error);
  gst_mgpu_device_base_end_work (base, ok);
  return ok;
}

/* Appends the input frame @buffer (transfer full) to the queue of kept frames. */
static GstFlowReturn
take (GstMgpuLookAhead * self, GstBuffer * buffer)
{
  GstMgpuLookAheadClass *klass = GST_MGPU_LOOK_AHEAD_GET_CLASS (self);
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  GstMgpuHeldFrame *held = g_new0 (GstMgpuHeldFrame, 1);
  GError *error = NULL;

  held->params = gst_mgpu_filter_copy_frame_params (filter);
  held->is_resting = filter->frame.is_resting;
  held->is_discont = self->is_discont;
  held->buffer = buffer;
  held->guide = g_steal_pointer (&filter->frame.guide);
  self->is_discont = FALSE;
  if ((klass->count (held->params) > 0 && !keep (self, held, &error))
      || !look (self, held, &error)) {
    held_free (self, held);
    return gst_mgpu_device_base_fail (&filter->base, error);
  }
  g_queue_push_tail (&self->held, held);
  GST_MGPU_LOG_OBJECT (self, "frame %" GST_TIME_FORMAT " arrived; keeping it "
      "with %u earlier frames until %u later frames have arrived", GST_TIME_ARGS (get_time (held)),
      self->held.length - 1, klass->count (held->params));
  return GST_FLOW_OK;
}

/* Processes and pushes the oldest kept frame, then pushes the events that arrived after it. */
static GstFlowReturn
leave (GstMgpuLookAhead * self)
{
  GstMgpuLookAheadClass *klass = GST_MGPU_LOOK_AHEAD_GET_CLASS (self);
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  GstMgpuHeldFrame *held = g_queue_pop_head (&self->held);
  gpointer last = filter->frame.params;
  gboolean is_resting = filter->frame.is_resting;
  GstFlowReturn flow = filter->frame.flow, ret;
  GstBuffer *guide = filter->frame.guide, *out = NULL;
  GstEvent *event;

  GST_MGPU_LOG_OBJECT (self, "processing a kept frame, after %u later frames have "
      "arrived: %" GST_TIME_FORMAT, self->held.length, GST_TIME_ARGS (get_time (held)));
  gst_mgpu_stall_end (&self->stall);
  filter->frame.params = held->params;
  filter->frame.is_resting = held->is_resting;
  filter->frame.flow = GST_FLOW_OK;
  filter->frame.guide = g_steal_pointer (&held->guide);
  klass->leaves (self, held);
  filter->output.discont |= held->is_discont;
  trans->queued_buf = g_steal_pointer (&held->buffer);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (trans, &out);
  /* Frees the output frame if the parent class did not push it, because the push failed. */
  gst_clear_buffer (&out);
  if (klass->left != NULL)
    klass->left (self);
  /* Restores the state of the arriving frame. This matters if set_caps() pushes the kept frames,
   * because the guide image of the arriving frame was already taken. */
  filter->frame.params = last;
  filter->frame.is_resting = is_resting;
  filter->frame.flow = flow;
  gst_clear_buffer (&filter->frame.guide);
  filter->frame.guide = guide;
  while ((event = g_queue_pop_head (&held->events)) != NULL)
    GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  held_free (self, held);
  return ret;
}

void
gst_mgpu_look_ahead_drain (GstMgpuLookAhead * self)
{
  /* If the element has failed to adopt the OpenCL context of an arriving frame, it cannot
   * process any frame. */
  if (!g_queue_is_empty (&self->held))
    GST_MGPU_DEBUG_OBJECT (self, "draining: pushing the %u kept frames",
        self->held.length);
  if (!GST_MGPU_FILTER (self)->prepared && !g_queue_is_empty (&self->held))
    drop (self);
  while (!g_queue_is_empty (&self->held))
    if (leave (self) != GST_FLOW_OK)
      break;
  if (g_queue_is_empty (&self->held))
    note_empty (self);
}

/* Returns: TRUE if the oldest kept frame has to be pushed now. One reason is that more than @n
 * frames are kept. In a live pipeline, another reason is that the frame would be kept longer
 * than the latency that the element reported, the duration of @n frames. This happens if
 * frames are missing in the stream. The time until the next frame is assumed to equal the time
 * between the last two frames */
static gboolean
is_due (GstMgpuLookAhead * self, guint n)
{
  GstMgpuOutput *output = &GST_MGPU_FILTER (self)->output;
  GstClockTime most = gst_mgpu_output_get_held_time (output);
  GstClockTime first, before, last;
  guint len = self->held.length;

  if (len > n || len < 2 || !gst_mgpu_output_is_live (output))
    return len > n;
  first = get_time (g_queue_peek_nth (&self->held, 0));
  before = get_time (g_queue_peek_nth (&self->held, len - 2));
  last = get_time (g_queue_peek_nth (&self->held, len - 1));
  /* Tolerates half the duration of a frame, because timestamps are rounded. */
  return GST_CLOCK_TIME_IS_VALID (first) && GST_CLOCK_TIME_IS_VALID (before)
      && GST_CLOCK_TIME_IS_VALID (last) && before >= first && last >= before
      && (last - first) + (last - before) > most + most / n / 2;
}

/* Begins to watch for a stall while arriving frames are kept and none is pushed: at the start
 * of the stream, and after @n, the number of frames to keep, has grown. At other times each
 * arriving frame makes the oldest one leave, so upstream cannot be blocked by this element. */
static void
watch (GstMgpuLookAhead * self, guint n)
{
  GstMgpuOutput *output = &GST_MGPU_FILTER (self)->output;

  if (n > self->n_full)
    gst_mgpu_stall_expect (&self->stall,
        n + gst_mgpu_output_get_max_in_flight (output) - self->held.length,
        gst_mgpu_caps_get_duration (&output->info, 1),
        PATIENCE + gst_mgpu_output_get_held_time (output));
}

static GstFlowReturn
gst_mgpu_look_ahead_generate_output (GstBaseTransform * trans, GstBuffer ** out)
{
  GstMgpuLookAhead *self = GST_MGPU_LOOK_AHEAD (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  GstFlowReturn ret;
  guint n;

  /* Ignores failures, because the parent class reports why frames cannot be processed. */
  if (trans->queued_buf == NULL || filter->frame.flow != GST_FLOW_OK
      || !filter->prepared)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (trans,
        out);
  *out = NULL;
  n = GST_MGPU_LOOK_AHEAD_GET_CLASS (self)->count (filter->frame.params);
  ret = take (self, g_steal_pointer (&trans->queued_buf));
  if (ret == GST_FLOW_OK && !is_due (self, n))
    watch (self, n);
  while (ret == GST_FLOW_OK && is_due (self, n)) {
    ret = leave (self);
    self->n_full = n;
  }
  return ret;
}

/* Stores the flag DISCONT (frames are missing before this one) with the input frame until this
 * frame leaves. Otherwise the parent class would mark the next output frame, which belongs to
 * an earlier input frame. */
static GstFlowReturn
gst_mgpu_look_ahead_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * in)
{
  GstMgpuLookAhead *self = GST_MGPU_LOOK_AHEAD (trans);
  GstMgpuOutput *output = &GST_MGPU_FILTER (trans)->output;
  gboolean before = output->discont;
  GstFlowReturn ret;

  output->discont = FALSE;
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->submit_input_buffer (trans,
      is_discont, in);
  self->is_discont |= output->discont;
  output->discont = before;
  return ret;
}

/* --- Caps, events, queries and states --- */

static gboolean
gst_mgpu_look_ahead_set_caps (GstBaseTransform * trans, GstCaps * in,
    GstCaps * out)
{
  GstMgpuLookAhead *self = GST_MGPU_LOOK_AHEAD (trans);

  gst_mgpu_look_ahead_drain (self);
  /* Drops the frames with the old caps, because they could not be pushed. */
  if (!g_queue_is_empty (&self->held)) {
    drop (self);
    self->is_discont = TRUE;
  }
  gst_mgpu_look_ahead_update_latency (self);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans, in, out);
}

/* Returns: TRUE if events of this type are kept until all frames before them have been pushed.
 * For other serialized events, all kept frames are pushed immediately */
static gboolean
may_wait (GstEventType type)
{
  return type == GST_EVENT_TAG || type == GST_EVENT_TOC
      || type == GST_EVENT_PROTECTION || type == GST_EVENT_SINK_MESSAGE
      || type == GST_EVENT_CUSTOM_DOWNSTREAM
      || type == GST_EVENT_CUSTOM_DOWNSTREAM_STICKY
      || type == GST_EVENT_CUSTOM_BOTH;
}

/* Handles a FLUSH_STOP event: drops all kept frames. Sticky events that were kept with them
 * are stored on the source pad, and are pushed before the next frame. */
static gboolean
flush (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuLookAhead *self = GST_MGPU_LOOK_AHEAD (trans);
  GQueue sticky = G_QUEUE_INIT;
  gboolean ok;

  for (GList * i = self->held.head; i != NULL; i = i->next)
    for (GList * j = ((GstMgpuHeldFrame *) i->data)->events.head; j != NULL;
        j = j->next)
      if (GST_EVENT_IS_STICKY (j->data))
        g_queue_push_tail (&sticky, gst_event_ref (j->data));
  drop (self);
  ok = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  while ((event = g_queue_pop_head (&sticky)) != NULL) {
    gst_pad_store_sticky_event (trans->srcpad, event);
    gst_event_unref (event);
  }
  return ok;
}

static gboolean
gst_mgpu_look_ahead_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuLookAhead *self = GST_MGPU_LOOK_AHEAD (trans);
  GstEventType type = GST_EVENT_TYPE (event);
  /* Accesses the queue only for serialized events, because FLUSH_START may arrive in any
   * thread. */
  GstMgpuHeldFrame *last =
      may_wait (type) ? g_queue_peek_tail (&self->held) : NULL;

  if (last != NULL) {
    GST_MGPU_LOG_OBJECT (self, "%" GST_PTR_FORMAT " waits until %u kept frames "
        "are pushed",
        event, self->held.length);
    g_queue_push_tail (&last->events, event);
    return TRUE;
  }
  if (type == GST_EVENT_FLUSH_STOP)
    return flush (trans, event);
  if (GST_EVENT_IS_SERIALIZED (event))
    gst_mgpu_look_ahead_drain (self);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

static gboolean
gst_mgpu_look_ahead_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_DRAIN)
    gst_mgpu_look_ahead_drain (GST_MGPU_LOOK_AHEAD (trans));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans, direction,
      query);
}

/* Returns: the rate of the stream, in seconds of stream time per second of running time */
static gdouble
get_rate (GstBaseTransform * trans)
{
  GstEvent *event =
      gst_pad_get_sticky_event (trans->srcpad, GST_EVENT_SEGMENT, 0);
  const GstSegment *segment;
  gdouble rate = 1;

  if (event != NULL) {
    gst_event_parse_segment (event, &segment);
    rate = ABS (segment->rate);
    gst_event_unref (event);
  }
  return rate;
}

/* Adds the running time for which this element keeps frames to the timestamp of a QOS event. The
 * timestamp in the event belongs to a frame that arrived in this element earlier by this time, but
 * this element and the elements upstream compare the timestamp with the current input frame. */
static gboolean
gst_mgpu_look_ahead_src_event (GstBaseTransform * trans, GstEvent * event)
{
  GstClockTime held =
      gst_mgpu_output_get_held_time (&GST_MGPU_FILTER (trans)->output);
  GstClockTime time;
  GstClockTimeDiff late;
  gdouble proportion;
  GstQOSType type;
  GstEvent *moved;

  if (GST_EVENT_TYPE (event) == GST_EVENT_QOS && held > 0) {
    gst_event_parse_qos (event, &type, &proportion, &late, &time);
    GST_MGPU_DEBUG_OBJECT (trans, "QoS: moving an event to a later time, because "
        "frames are kept before they are pushed: %" GST_PTR_FORMAT, event);
    if (GST_CLOCK_TIME_IS_VALID (time))
      time += (GstClockTime) (held / get_rate (trans));
    moved = gst_event_new_qos (type, proportion, late, time);
    gst_event_set_seqnum (moved, gst_event_get_seqnum (event));
    gst_event_unref (event);
    event = moved;
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans, event);
}

static gboolean
gst_mgpu_look_ahead_stop (GstBaseTransform * trans)
{
  drop (GST_MGPU_LOOK_AHEAD (trans));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
}

static void
gst_mgpu_look_ahead_finalize (GObject * object)
{
  gst_mgpu_stall_clear (&GST_MGPU_LOOK_AHEAD (object)->stall);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_look_ahead_init (GstMgpuLookAhead * self)
{
  g_queue_init (&self->held);
  gst_mgpu_stall_init (&self->stall, GST_ELEMENT (self),
      GST_BASE_TRANSFORM_SINK_PAD (self));
}

static void
gst_mgpu_look_ahead_class_init (GstMgpuLookAheadClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_look_ahead_finalize;
  trans_class->stop = gst_mgpu_look_ahead_stop;
  trans_class->query = gst_mgpu_look_ahead_query;
  trans_class->sink_event = gst_mgpu_look_ahead_sink_event;
  trans_class->src_event = gst_mgpu_look_ahead_src_event;
  trans_class->set_caps = gst_mgpu_look_ahead_set_caps;
  trans_class->submit_input_buffer = gst_mgpu_look_ahead_submit_input_buffer;
  trans_class->generate_output = gst_mgpu_look_ahead_generate_output;
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_LOOK_AHEAD, 0);
}
