/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Base class of the elements. It handles OpenCL context, caps and buffer pools, and makes frames
 * in any kind of memory accessible to the device. A subclass enqueues the work on each frame. */
#include "gstmgpufilterinputs.h"
#include "gstmgpufilterparams.h"
#include "gstmgpufilterpath.h"

#include "gstmgpucaps.h"
#include "gstmgpupending.h"

#define gst_mgpu_filter_parent_class parent_class
G_DEFINE_ABSTRACT_TYPE (GstMgpuFilter, gst_mgpu_filter,
    GST_TYPE_BASE_TRANSFORM);

/* --- Opening and closing the device --- */

static void
gst_mgpu_filter_unprepare (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  /* Waits for the frames in flight, because finish() completes them with the objects that prepare()
   * made. */
  if (klass->finish != NULL)
    gst_mgpu_in_flight_drain (&self->output.in_flight);
  if (self->prepared && klass->unprepare != NULL)
    klass->unprepare (self);
  gst_mgpu_blend_unprepare (&self->mix);
  gst_mgpu_regions_reset (&self->mix.regions);
  self->prepared = FALSE;
  self->to_skip = 0;
}

/* Makes the kernels that blend frames with results, if the properties or a second input limit what
 * changes. */
static gboolean
gst_mgpu_filter_prepare_mix (GstMgpuFilter * self, GError ** error)
{
  gsize regions = GST_MGPU_FILTER_GET_CLASS (self)->regions;

  return regions == 0 || (!gst_mgpu_guide_has_pad (self->mask_guide)
      && !gst_mgpu_regions_params_limit (G_STRUCT_MEMBER_P (self->frame.params,
              regions)))
      || gst_mgpu_blend_prepare (&self->mix, self->base.context,
      &self->input.info, error);
}

static gboolean
gst_mgpu_filter_prepare (GstMgpuFilter * self, GError ** error)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  gst_mgpu_filter_unprepare (self);
  GST_OBJECT_LOCK (self);
  gst_mgpu_filter_take_params_locked (self);
  GST_OBJECT_UNLOCK (self);
  if (!gst_mgpu_device_base_check_size (&self->base, &self->input.info, error)
      || !gst_mgpu_device_base_check_size (&self->base, &self->output.info,
          error))
    return FALSE;
  gst_mgpu_device_base_begin_build (&self->base);
  self->prepared = gst_mgpu_device_base_end_build (&self->base,
      (klass->prepare == NULL || klass->prepare (self, self->base.context,
              &self->input.info, error))
      && gst_mgpu_filter_prepare_mix (self, error), error);
  if (!self->prepared && klass->unprepare != NULL)
    klass->unprepare (self);
  return self->prepared;
}

static gboolean
gst_mgpu_filter_start (GstBaseTransform * trans)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);

  self->warned_refused = FALSE;
  self->output.discont = FALSE;
  gst_mgpu_watch_reset (&self->watch);
  return gst_mgpu_device_base_start (&self->base);
}

static gboolean
gst_mgpu_filter_stop (GstBaseTransform * trans)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);

  gst_mgpu_output_stop (&self->output);
  gst_clear_buffer (&self->frame.guide);
  self->frame.last_path = GST_MGPU_FRAME_IS_UNKNOWN;
  gst_mgpu_filter_unprepare (self);
  gst_mgpu_device_base_stop (&self->base);
  gst_mgpu_filter_reset_inputs (self);
  return TRUE;
}

/* Switches the filter to the OpenCL context of its input frames, so that they need not be
 * copied. */
static gboolean
gst_mgpu_filter_adopt (GstMgpuFilter * self, GstMgpuContext * context,
    GError ** error)
{
  gst_mgpu_filter_reset_inputs (self);
  if (!gst_mgpu_device_base_adopt (&self->base, context, error)
      || !gst_mgpu_filter_prepare (self, error))
    return FALSE;
  /* Output frames need a new buffer pool, because the old pool belongs to the old context. */
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
  return TRUE;
}

static void
gst_mgpu_filter_set_context (GstElement * element, GstContext * context)
{
  gst_mgpu_device_base_set_context (&GST_MGPU_FILTER (element)->base, context);
  GST_ELEMENT_CLASS (parent_class)->set_context (element, context);
}

/* --- Handling of events and queries --- */

static gboolean
gst_mgpu_filter_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstMgpuGuide *guides[GST_MGPU_FILTER_MAX_GUIDES];
  guint n = gst_mgpu_filter_list_guides (self, guides);

  if (gst_mgpu_device_base_answer_query (&self->base, query))
    return TRUE;
  GST_MGPU_TRACE_OBJECT (self, "%" GST_PTR_FORMAT, query);
  /* Refuses ALLOCATION queries from upstream while the element stops. While GstBaseTransform
   * answers one, it takes its own allocation query out of its state, and would leak it if the
   * element stopped meanwhile. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION
      && direction == GST_PAD_SINK && !gst_pad_is_active (trans->sinkpad)) {
    GST_MGPU_DEBUG_OBJECT (self, "refusing an ALLOCATION query, because the "
        "element stops");
    return FALSE;
  }
  if (GST_QUERY_TYPE (query) == GST_QUERY_DRAIN)
    gst_mgpu_in_flight_drain (&self->output.in_flight);
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans, direction, query))
    return FALSE;
  if (direction == GST_PAD_SINK)
    gst_mgpu_input_look_at_query (&self->input, trans->sinkpad, query);
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY) {
    for (guint i = 0; i < n; i++)
      gst_mgpu_guide_add_latency (guides[i], query);
    gst_mgpu_output_add_latency (&self->output, query);
  } else if (GST_QUERY_TYPE (query) == GST_QUERY_POSITION
      && direction == GST_PAD_SRC) {
    gst_mgpu_output_answer_position (&self->output, query, &trans->segment);
  }
  return TRUE;
}

/* Posts an error if the last frames before the end of the stream could not be pushed because the
 * source pad has never been linked: no later frame returns this result upstream. */
static void
report_unlinked (GstMgpuFilter * self)
{
  GstMgpuInFlight *in_flight = &self->output.in_flight;

  if (gst_mgpu_in_flight_make_room (in_flight, 1) == GST_FLOW_NOT_LINKED
      && !gst_mgpu_in_flight_is_unlinked (in_flight))
    GST_ELEMENT_FLOW_ERROR (self, GST_FLOW_NOT_LINKED);
}

static gboolean
gst_mgpu_filter_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstEventType type = GST_EVENT_TYPE (event);
  GstMgpuGuide *guides[GST_MGPU_FILTER_MAX_GUIDES];
  guint n = gst_mgpu_filter_list_guides (self, guides);
  gboolean ret;

  GST_MGPU_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT, event);
  for (guint i = 0; i < n; i++)
    gst_mgpu_guide_follow (guides[i], event);
  if (gst_mgpu_in_flight_handle_event (&self->output.in_flight, event)) {
    gst_event_unref (event);
    return TRUE;
  }
  if (type == GST_EVENT_EOS)
    report_unlinked (self);
  if (type == GST_EVENT_FLUSH_STOP) {
    self->output.discont = FALSE;
    self->to_skip = 0;
    gst_mgpu_regions_forget (&self->mix.regions);
  }
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  if (type == GST_EVENT_SEGMENT)
    gst_mgpu_in_flight_set_position (&self->output.in_flight,
        trans->segment.position);
  return ret;
}

/* Handles an event from downstream. A seek is also sent to the additional inputs (guide images
 * and masks). */
static gboolean
gst_mgpu_filter_src_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuGuide *guides[GST_MGPU_FILTER_MAX_GUIDES];
  guint n =
      gst_mgpu_filter_list_linked_guides (GST_MGPU_FILTER (trans), guides);
  gboolean is_new = FALSE, ret = TRUE;

  if (GST_EVENT_TYPE (event) != GST_EVENT_SEEK || n == 0)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans, event);
  for (guint i = 0; i < n; i++)
    is_new |= gst_mgpu_guide_begin_seek (guides[i], event);
  GST_MGPU_DEBUG_OBJECT (trans, "%" GST_PTR_FORMAT ": %s", event, is_new
      ? "sending it upstream, then to additional inputs that it did not flush"
      : "dropping it, because it was already sent upstream for another sink");
  if (is_new) {
    ret = GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans,
        gst_event_ref (event));
    for (guint i = 0; i < n; i++)
      gst_mgpu_guide_end_seek (guides[i], event, ret);
  }
  gst_event_unref (event);
  return ret;
}

static gboolean
gst_mgpu_filter_post_message (GstElement * element, GstMessage * message)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_QOS
      && GST_MESSAGE_SRC (message) == GST_OBJECT (element))
    message = gst_mgpu_output_correct_qos (&GST_MGPU_FILTER (element)->output,
        message);
  return GST_ELEMENT_CLASS (parent_class)->post_message (element, message);
}

/* --- Additional inputs: guide images and masks --- */

static GstPad *
gst_mgpu_filter_request_new_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (element);
  const gchar *guide = GST_MGPU_FILTER_GET_CLASS (self)->guide;

  GST_MGPU_DEBUG_OBJECT (self, "got a request for a pad of %" GST_PTR_FORMAT,
      templ);
  return
      gst_mgpu_guide_add_pad (g_strcmp0 (GST_PAD_TEMPLATE_NAME_TEMPLATE (templ),
          guide) == 0 ? self->guide : self->mask_guide, templ);
}

static void
gst_mgpu_filter_release_pad (GstElement * element, GstPad * pad)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (element);
  const gchar *guide = GST_MGPU_FILTER_GET_CLASS (self)->guide;

  gst_mgpu_guide_remove_pad (g_strcmp0 (GST_PAD_NAME (pad), guide) == 0
      ? self->guide : self->mask_guide);
}

static GstStateChangeReturn
gst_mgpu_filter_change_state (GstElement * element, GstStateChange transition)
{
  GstMgpuGuide *guides[GST_MGPU_FILTER_MAX_GUIDES];
  guint n = gst_mgpu_filter_list_guides (GST_MGPU_FILTER (element), guides);
  GstStateChangeReturn ret;

  /* Ends waits for guide images before the parent class deactivates the pads, because
   * deactivating a pad waits for its streaming thread. */
  for (guint i = 0; i < n; i++)
    if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
        || transition == GST_STATE_CHANGE_READY_TO_PAUSED)
      gst_mgpu_guide_set_stopping (guides[i],
          transition == GST_STATE_CHANGE_PAUSED_TO_READY);
  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
  for (guint i = 0; i < n; i++)
    if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
      gst_mgpu_guide_reset (guides[i]);
  return ret;
}

/* --- Input and output frames --- */

/* Stores the buffer flag DISCONT (frames are missing before this one) for the next output
 * frame. GstBaseTransform also stores the flag, but clears it only when it pushes a frame;
 * this class pushes the frames itself. */
static GstFlowReturn
gst_mgpu_filter_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * in)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstClockTime pts = GST_BUFFER_PTS (in);
  GstFlowReturn ret;

  if (GST_BUFFER_IS_DISCONT (in))
    GST_MGPU_DEBUG_OBJECT (self,
        "this frame is marked DISCONT, because it is the "
        "first frame, or frames are missing before it: %" GST_TIME_FORMAT,
        GST_TIME_ARGS (pts));
  self->output.discont |= GST_BUFFER_IS_DISCONT (in);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->submit_input_buffer (trans,
      is_discont, in);
  /* Marks the next frame DISCONT, because GstBaseTransform has dropped this frame (QoS). */
  if (ret == GST_BASE_TRANSFORM_FLOW_DROPPED)
    GST_MGPU_DEBUG_OBJECT (self,
        "QoS: skipping a frame, because earlier frames "
        "were late at the sink: %" GST_TIME_FORMAT, GST_TIME_ARGS (pts));
  self->output.discont |= ret == GST_BASE_TRANSFORM_FLOW_DROPPED;
  return ret;
}

/* Starts to upload the frame in @in to the device. The upload continues while this thread waits for
 * the frames in flight. Does nothing if the last frame was pushed unchanged, because the frame in
 * @in may then not be needed on the device. Ignores errors, because if the upload fails, the job
 * uploads the frame again. */
static void
gst_mgpu_filter_send (GstMgpuFilter * self, GstBuffer * in)
{
  GstMemory *memory = gst_buffer_n_memory (in) == 1
      ? gst_buffer_peek_memory (in, 0) : NULL;

  if (gst_is_mgpu_memory (memory)
      && gst_mgpu_frame_path_writes (self->frame.last_path)
      && ((GstMgpuMemory *) memory)->context == self->base.context
      && !gst_mgpu_in_flight_is_empty (&self->output.in_flight))
    gst_mgpu_memory_send ((GstMgpuMemory *) memory, NULL);
}

/* Makes the output frame for the queued input frame, and pushes it or puts it in flight.
 * GstBaseTransform gets no frame to push, because all frames are marked and counted in one
 * place. */
static GstFlowReturn
gst_mgpu_filter_generate_output (GstBaseTransform * trans, GstBuffer ** out)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  guint n = gst_mgpu_output_get_max_in_flight (&self->output);
  GstFlowReturn flow, ret;
  gboolean stops;

  *out = NULL;
  if (trans->queued_buf == NULL)
    return GST_FLOW_OK;
  if (n > 1)
    gst_mgpu_filter_send (self, trans->queued_buf);
  flow = gst_mgpu_in_flight_make_room (&self->output.in_flight, n);
  /* Makes upstream stop as well. Otherwise it would push frames as fast as it can while the device
   * finishes the frames in flight. */
  stops = !gst_pad_is_active (trans->srcpad);
  if (stops)
    flow = GST_FLOW_FLUSHING;
  if (stops || gst_mgpu_flow_is_error (flow)) {
    GST_MGPU_DEBUG_OBJECT (self, "dropping frame %" GST_TIME_FORMAT
        ", because the %s %s",
        GST_TIME_ARGS (GST_BUFFER_PTS (trans->queued_buf)),
        stops ? "source pad is inactive:" : "last push returned",
        gst_flow_get_name (flow));
    gst_clear_buffer (&trans->queued_buf);
    return flow;
  }
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (trans, out);
  self->frame.last_path = self->frame.path;
  self->output.discont |= ret == GST_BASE_TRANSFORM_FLOW_DROPPED;
  if (ret != GST_FLOW_OK || *out == NULL)
    return ret;
  return gst_mgpu_output_push (&self->output, g_steal_pointer (out),
      &trans->segment, flow);
}

/* --- Negotiation of caps --- */

static GstCaps *
gst_mgpu_filter_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  return gst_mgpu_caps_intersect (filter, gst_mgpu_caps_in_any_memory (caps));
}

static GstCaps *
gst_mgpu_filter_fixate_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * others)
{
  return gst_mgpu_caps_fixate (others);
}

static gboolean
gst_mgpu_filter_set_caps (GstBaseTransform * trans, GstCaps * in_caps,
    GstCaps * out_caps)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GError *error = NULL;

  /* Waits until all frames in flight, which have the old caps, are pushed. This is needed if
   * downstream requested the new caps, because no caps event has then waited for these frames. */
  GST_MGPU_INFO_OBJECT (self, "caps in: %" GST_PTR_FORMAT, in_caps);
  GST_MGPU_INFO_OBJECT (self, "caps out: %" GST_PTR_FORMAT, out_caps);
  gst_mgpu_in_flight_drain (&self->output.in_flight);
  if (gst_mgpu_input_set_caps (&self->input, in_caps, &error)
      && gst_mgpu_output_set_caps (&self->output, out_caps, &error)
      && gst_mgpu_filter_prepare (self, &error)) {
    self->warned_refused = FALSE;
    return TRUE;
  }
  /* Posts the error only once, because GStreamer sends the caps event again before each later event
   * until the caps are accepted. */
  if (!self->warned_refused)
    gst_mgpu_device_base_fail (&self->base, error);
  else
    g_error_free (error);
  self->warned_refused = TRUE;
  return FALSE;
}

/* --- Allocation of buffers --- */

static gboolean
gst_mgpu_filter_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  return GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (trans,
      decide_query, query)
      &&
      gst_mgpu_device_base_propose_allocation (&GST_MGPU_FILTER (trans)->base,
      query);
}

static gboolean
gst_mgpu_filter_filter_meta (GstBaseTransform * trans, GstQuery * query,
    GType api, const GstStructure * params)
{
  /* Offers upstream all metas that downstream accepts, because this filter does not change the
   * size and format of frames. */
  return TRUE;
}

static gboolean
gst_mgpu_filter_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  return gst_mgpu_output_decide_allocation (&GST_MGPU_FILTER (trans)->output,
      query);
}

/* --- Work on a frame, step by step --- */

static void
gst_mgpu_filter_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstMgpuFrame *frame = &self->frame;
  GstMgpuContext *context;
  GError *error = NULL;

  gst_mgpu_params_sync (trans, buffer);
  frame->flow = GST_FLOW_OK;
  gst_clear_buffer (&frame->guide);
  GST_OBJECT_LOCK (self);
  frame->is_resting = !self->enabled && !self->is_needed
      && !GST_MGPU_FILTER_GET_CLASS (self)->is_needed;
  gst_mgpu_filter_take_params_locked (self);
  GST_OBJECT_UNLOCK (self);

  if (!self->prepared)
    return;
  context = gst_mgpu_device_base_get_foreign (&self->base, buffer);
  if (context != NULL && !gst_mgpu_filter_adopt (self, context, &error)) {
    frame->flow = gst_mgpu_device_base_fail (&self->base, error);
    gst_mgpu_filter_unprepare (self);
  } else {
    gst_mgpu_filter_find_guide (self, buffer);
    gst_mgpu_filter_find_regions (self, buffer);
  }
}

gboolean
gst_mgpu_filter_passes_all (GstMgpuFilter * self, GstBuffer * in,
    GError ** error)
{
  return TRUE;
}

gboolean
gst_mgpu_filter_is_due (GstMgpuFilter * self, guint interval)
{
  self->to_skip = MIN (self->to_skip, interval - 1);
  if (self->to_skip > 0) {
    self->to_skip--;
    GST_MGPU_LOG_OBJECT (self, "skipping this frame, because only every %u-th "
        "frame is analyzed", interval);
    return FALSE;
  }
  self->to_skip = interval - 1;
  return TRUE;
}

/* --- Completing frames --- */

void
gst_mgpu_filter_set_blocks (GstMgpuFilter * self, gboolean blocks)
{
  gboolean is_new;

  GST_OBJECT_LOCK (self);
  is_new = self->output.in_flight.completes != blocks;
  self->output.in_flight.completes = blocks;
  GST_OBJECT_UNLOCK (self);
  if (is_new)
    gst_mgpu_output_update_latency (&self->output);
}

/* Completes *@frame in the thread that pushes it. */
static GstFlowReturn
gst_mgpu_filter_finish (gpointer data, GstBuffer ** frame)
{
  GstMgpuFilter *self = data;
  GDestroyNotify free;
  gpointer pending = gst_mgpu_pending_take (frame, &free);
  GError *error = NULL;
  GstFlowReturn ret;

  if (pending == NULL)
    return GST_FLOW_OK;
  ret = GST_MGPU_FILTER_GET_CLASS (self)->finish (self, pending, frame, &error);
  free (pending);
  return error == NULL ? ret : gst_mgpu_device_base_fail (&self->base, error);
}

/* --- Output frames --- */

static GstFlowReturn
gst_mgpu_filter_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GError *error = NULL;

  /* Ends the stream if before_transform() has failed. It cannot return an error, so it has
   * stored the failure in @frame.flow. */
  if (self->frame.flow != GST_FLOW_OK)
    return self->frame.flow;
  if (!self->prepared)
    return GST_FLOW_ERROR;
  if (!gst_mgpu_filter_choose_path (self, in, &error))
    return gst_mgpu_device_base_fail (&self->base, error);
  return gst_mgpu_filter_get_output (self, in, out);
}

/* Calls the subclass to enqueue its work on a part of the frame, or on the whole
 * frame. */
static void
enqueue_part (gpointer data, GstMgpuJob * job, const MgpuWork * work)
{
  GST_MGPU_FILTER_GET_CLASS (data)->enqueue (data, job, work);
}

/* Enqueues the work on a frame that changes only in its regions, or that is pushed unchanged but
 * affects the results of later frames. */
static void
enqueue_mix (GstMgpuFilter * self, GstMgpuJob * job, const MgpuWork * work)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  GstMgpuBlendNeeds needs = {.reach = -1,.step = 2,.survey = klass->surveys };

  if (klass->reach != NULL)
    needs.reach = klass->reach (self, &needs.step);
  GST_MGPU_LOG_OBJECT (self, "changing %u boxes of the frame; up to %d pixels "
      "around each box are read (-1 = the whole frame)",
      self->mix.regions.boxes->len, needs.reach);
  gst_mgpu_blend_enqueue (&self->mix, job, self->base.context, work, &needs,
      enqueue_part, self);
}

static gboolean
gst_mgpu_filter_enqueue (GstMgpuFilter * self, const MgpuWork * work,
    GError ** error)
{
  GstMgpuQueue *queue = gst_mgpu_device_base_begin_frame (&self->base,
      work->in->memory,
      gst_mgpu_output_get_max_in_flight (&self->output) == 1);
  gboolean ok;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, queue, self->base.stats);
  if (self->frame.path == GST_MGPU_FRAME_IS_CHANGED
      || self->frame.path == GST_MGPU_FRAME_IS_WATCHED)
    enqueue_mix (self, &job, work);
  else
    enqueue_part (self, &job, work);
  ok = gst_mgpu_job_end (&job, error);
  gst_mgpu_device_base_end_frame (&self->base, queue, ok);
  return ok;
}

/* Makes the frame accessible to the device, and enqueues the work on it. */
static gboolean
gst_mgpu_filter_work (GstMgpuFilter * self, GstBuffer * in, GstBuffer * out,
    GError ** error)
{
  gint64 start = g_get_monotonic_time ();
  MgpuWork work;
  gboolean ok = gst_mgpu_frame_import (&self->frame, &self->input, self->guide,
      &self->output, in, out, &work, error)
      && gst_mgpu_filter_enqueue (self, &work, error);

  gst_mgpu_frame_done (&self->frame, &self->input, self->guide);
  GST_MGPU_LOG_OBJECT (self, "enqueued frame %" GST_TIME_FORMAT " in %"
      G_GINT64_FORMAT " us", GST_TIME_ARGS (GST_BUFFER_PTS (in)),
      g_get_monotonic_time () - start);
  return ok;
}

/* Lets the element attach what it finds in the frame @out. */
static gboolean
gst_mgpu_filter_attach (GstMgpuFilter * self, GstBuffer * out, GError ** error)
{
  gboolean ok;

  gst_mgpu_device_base_begin_work (&self->base);
  ok = GST_MGPU_FILTER_GET_CLASS (self)->attach (self, out, error);
  gst_mgpu_device_base_end_work (&self->base, ok);
  return ok;
}

static GstFlowReturn
gst_mgpu_filter_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  GError *error = NULL;

  if (self->frame.path != GST_MGPU_FRAME_PASSES
      && ((klass->enqueue != NULL
              && !gst_mgpu_filter_work (self, in, out, &error))
          || (klass->attach != NULL
              && !gst_mgpu_filter_attach (self, out, &error))))
    return gst_mgpu_device_base_fail (&self->base, error);
  gst_mgpu_stats_add (self->base.stats, GST_MGPU_COUNTER_FRAMES, 1);
  return GST_FLOW_OK;
}

static gboolean
gst_mgpu_filter_transform_meta (GstBaseTransform * trans, GstBuffer * out,
    GstMeta * meta, GstBuffer * in)
{
  /* Copies every meta from the input frame to the output frame, because size, format and
   * orientation are the same. GstBaseTransform leaves out metas that describe memory. */
  return TRUE;
}

/* --- Functions of the class GObject --- */

static void
add_pad_template (GstElementClass * klass, const gchar * name,
    GstPadDirection direction, GstPadPresence presence, const gchar * text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  gst_element_class_add_pad_template (klass,
      gst_pad_template_new (name, direction, presence, caps));
}

void
gst_mgpu_filter_class_set_params_and_regions (GstMgpuFilterClass * klass,
    const MgpuParam * params, gsize size)
{
  klass->regions = MAX (GST_ROUND_UP_8 (size), 8);
  gst_mgpu_filter_class_set_params (klass, gst_mgpu_params_join (params,
          gst_mgpu_regions_params, klass->regions),
      klass->regions + sizeof (GstMgpuRegionsParams));
  add_pad_template (GST_ELEMENT_CLASS (klass), "mask_sink", GST_PAD_SINK,
      GST_PAD_REQUEST, GST_MGPU_CAPS_MASK);
}

static void
gst_mgpu_filter_constructed (GObject * object)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (object);
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  gst_mgpu_filter_make_params (self);
  if (klass->guide != NULL)
    self->guide = gst_mgpu_guide_new (&self->base, klass->guide);
  if (klass->regions > 0)
    self->mask_guide = gst_mgpu_guide_new (&self->base, "mask_sink");
  if (klass->finish != NULL)
    gst_mgpu_in_flight_set_complete (&self->output.in_flight,
        gst_mgpu_filter_finish, self);
  G_OBJECT_CLASS (parent_class)->constructed (object);
}

static void
gst_mgpu_filter_finalize (GObject * object)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (object);

  gst_mgpu_filter_clear_params (self);
  g_clear_pointer (&self->guide, gst_mgpu_guide_free);
  g_clear_pointer (&self->mask_guide, gst_mgpu_guide_free);
  gst_mgpu_blend_clear (&self->mix);
  gst_mgpu_watch_clear (&self->watch);
  gst_mgpu_output_clear (&self->output);
  gst_mgpu_device_base_clear (&self->base);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

/* Handles an event from upstream. GstBaseTransform returns FALSE for each failure, which a pad
 * reports as a stream error. But if a flush arrives while frames are pushed before the event, the
 * event is not pushed, and this is not an error: upstream sends it again after the flush. */
static GstFlowReturn
handle_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstPadEventFunction handle = (GstPadEventFunction) pad->eventdata;
  gboolean is_caps = GST_EVENT_TYPE (event) == GST_EVENT_CAPS;

  if (handle (pad, parent, event))
    return GST_FLOW_OK;
  if (GST_PAD_IS_FLUSHING (pad))
    return GST_FLOW_FLUSHING;
  return is_caps ? GST_FLOW_NOT_NEGOTIATED : GST_FLOW_ERROR;
}

static void
gst_mgpu_filter_init (GstMgpuFilter * self)
{
  GstPad *sink = GST_BASE_TRANSFORM_SINK_PAD (self);

  gst_pad_set_event_full_function_full (sink, handle_event,
      (gpointer) GST_PAD_EVENTFUNC (sink), NULL);
  gst_mgpu_device_base_init (&self->base, GST_ELEMENT (self));
  gst_mgpu_input_init (&self->input, &self->base);
  gst_mgpu_output_init (&self->output, &self->base,
      GST_BASE_TRANSFORM_SRC_PAD (self));
  gst_mgpu_blend_init (&self->mix);
  gst_mgpu_watch_init (&self->watch, GST_BASE_TRANSFORM (self));
  self->enabled = TRUE;
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), TRUE);
}

void
gst_mgpu_filter_class_set_guide (GstMgpuFilterClass * klass,
    const gchar * name, const gchar * caps)
{
  klass->guide = name;
  add_pad_template (GST_ELEMENT_CLASS (klass), name, GST_PAD_SINK,
      GST_PAD_REQUEST, caps);
}

static void
gst_mgpu_filter_class_init (GstMgpuFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->constructed = gst_mgpu_filter_constructed;
  object_class->finalize = gst_mgpu_filter_finalize;
  element_class->request_new_pad = gst_mgpu_filter_request_new_pad;
  element_class->release_pad = gst_mgpu_filter_release_pad;
  element_class->change_state = gst_mgpu_filter_change_state;
  element_class->set_context = gst_mgpu_filter_set_context;
  element_class->post_message = gst_mgpu_filter_post_message;
  trans_class->start = gst_mgpu_filter_start;
  trans_class->stop = gst_mgpu_filter_stop;
  trans_class->query = gst_mgpu_filter_query;
  trans_class->sink_event = gst_mgpu_filter_sink_event;
  trans_class->src_event = gst_mgpu_filter_src_event;
  trans_class->submit_input_buffer = gst_mgpu_filter_submit_input_buffer;
  trans_class->generate_output = gst_mgpu_filter_generate_output;
  trans_class->transform_caps = gst_mgpu_filter_transform_caps;
  trans_class->fixate_caps = gst_mgpu_filter_fixate_caps;
  trans_class->set_caps = gst_mgpu_filter_set_caps;
  trans_class->propose_allocation = gst_mgpu_filter_propose_allocation;
  trans_class->decide_allocation = gst_mgpu_filter_decide_allocation;
  trans_class->filter_meta = gst_mgpu_filter_filter_meta;
  trans_class->before_transform = gst_mgpu_filter_before_transform;
  trans_class->prepare_output_buffer = gst_mgpu_filter_prepare_output_buffer;
  trans_class->transform = gst_mgpu_filter_transform;
  trans_class->transform_meta = gst_mgpu_filter_transform_meta;
  trans_class->passthrough_on_same_caps = FALSE;

  gst_mgpu_filter_class_init_params (klass);
  add_pad_template (element_class, "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
      GST_MGPU_CAPS_ALL);
  add_pad_template (element_class, "src", GST_PAD_SRC, GST_PAD_ALWAYS,
      GST_MGPU_CAPS_ALL);
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_FILTER, 0);
}
