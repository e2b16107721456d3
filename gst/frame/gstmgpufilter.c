/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Base class of the elements: handles context, caps and pools, and brings frames from any
 * memory to the device. A subclass enqueues the work on a frame. */
#include "gstmgpufilter.h"

#include "gstmgpuimport.h"

GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_frame_debug);
#define GST_CAT_DEFAULT gst_mgpu_frame_debug

/* Property ids: those of GstMgpuDeviceUser come first, then two of this class. */
#define FIRST_PROP 1
#define PROP_MAX_IN_FLIGHT (FIRST_PROP + GST_MGPU_DEVICE_N_PROPS)
#define PROP_ENABLED (PROP_MAX_IN_FLIGHT + 1)
/* Id of the first property that is a parameter of a subclass */
#define FIRST_PARAM 100

#define gst_mgpu_filter_parent_class parent_class
G_DEFINE_ABSTRACT_TYPE (GstMgpuFilter, gst_mgpu_filter,
    GST_TYPE_BASE_TRANSFORM);

/* --- Parameters --- */

gpointer
gst_mgpu_filter_copy_params (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  gpointer copy = g_malloc0 (klass->params_size);

  GST_OBJECT_LOCK (self);
  gst_mgpu_params_copy (klass->params, klass->params_size, self->params, copy);
  GST_OBJECT_UNLOCK (self);
  return copy;
}

void
gst_mgpu_filter_free_params (GstMgpuFilter * self, gpointer params)
{
  gst_mgpu_params_clear (GST_MGPU_FILTER_GET_CLASS (self)->params, params);
  g_free (params);
}

/* Copies the current parameters for the next frame. Call with the object lock. */
static void
take_params_locked (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  if (klass->params != NULL)
    gst_mgpu_params_copy (klass->params, klass->params_size, self->params,
        self->frame_params);
}

/* --- Device --- */

static void
gst_mgpu_filter_unprepare (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  if (self->prepared && klass->unprepare != NULL)
    klass->unprepare (self);
  self->prepared = FALSE;
  self->to_skip = 0;
}

static gboolean
gst_mgpu_filter_prepare (GstMgpuFilter * self, GError ** error)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  gst_mgpu_filter_unprepare (self);
  GST_OBJECT_LOCK (self);
  take_params_locked (self);
  GST_OBJECT_UNLOCK (self);
  if (!gst_mgpu_device_user_check_size (&self->user, &self->user.info, error)
      || !gst_mgpu_device_user_check_size (&self->user, &self->out_info, error))
    return FALSE;
  self->prepared = klass->prepare == NULL
      || klass->prepare (self, self->user.context, &self->user.info, error);
  if (!self->prepared && klass->unprepare != NULL)
    klass->unprepare (self);
  return self->prepared;
}

static gboolean
gst_mgpu_filter_start (GstBaseTransform * trans)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);

  self->said_refused = FALSE;
  self->discont = FALSE;
  return gst_mgpu_device_user_start (&self->user);
}

static gboolean
gst_mgpu_filter_stop (GstBaseTransform * trans)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);

  gst_mgpu_in_flight_stop (&self->in_flight);
  GST_OBJECT_LOCK (self);
  self->to_host = FALSE;
  self->latency = 0;
  GST_OBJECT_UNLOCK (self);
  gst_mgpu_filter_unprepare (self);
  gst_mgpu_device_user_stop (&self->user);
  return TRUE;
}

/* Moves to the context of the frames that arrive, so that they need no copy. */
static gboolean
gst_mgpu_filter_adopt (GstMgpuFilter * self, GstMgpuContext * context,
    GError ** error)
{
  if (!gst_mgpu_device_user_adopt (&self->user, context, error)
      || !gst_mgpu_filter_prepare (self, error))
    return FALSE;
  /* Asks for a new pool for the output: the old one belongs to the old context. */
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
  return TRUE;
}

static void
gst_mgpu_filter_set_context (GstElement * element, GstContext * context)
{
  gst_mgpu_device_user_set_context (&GST_MGPU_FILTER (element)->user, context);
  GST_ELEMENT_CLASS (parent_class)->set_context (element, context);
}

/* --- Frames in flight --- */

guint
gst_mgpu_filter_get_in_flight (GstMgpuFilter * self)
{
  guint n;

  GST_OBJECT_LOCK (self);
  n = self->to_host ? self->max_in_flight : 1;
  GST_OBJECT_UNLOCK (self);
  return n;
}

/* Returns: how many frames may be unfinished where the filter pushes each frame at once;
 * 0 where it keeps frames in flight instead */
static guint
get_max_unfinished (GstMgpuFilter * self)
{
  guint n;

  GST_OBJECT_LOCK (self);
  n = self->to_host && self->max_in_flight > 1 ? 0 : self->max_in_flight;
  GST_OBJECT_UNLOCK (self);
  return n;
}

/* Updates the latency: each frame that may be in flight before another one delays it. */
static void
gst_mgpu_filter_update_latency (GstMgpuFilter * self)
{
  GstClockTime latency =
      gst_mgpu_in_flight_get_latency (gst_mgpu_filter_get_in_flight (self),
      &self->out_info);
  gboolean changed;

  GST_OBJECT_LOCK (self);
  changed = self->latency != latency;
  self->latency = latency;
  GST_OBJECT_UNLOCK (self);
  if (changed)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_latency (GST_OBJECT (self)));
}

static void
gst_mgpu_filter_add_latency (GstMgpuFilter * self, GstQuery * query)
{
  GstClockTime latency;

  GST_OBJECT_LOCK (self);
  latency = self->latency;
  GST_OBJECT_UNLOCK (self);
  gst_mgpu_in_flight_add_latency (query, latency);
}

/* Answers a POSITION query with the end of the last frame that was pushed; the base class
 * tells the position of the last frame that arrived. */
static void
gst_mgpu_filter_answer_position (GstMgpuFilter * self, GstQuery * query)
{
  GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime position;
  GstFormat format;

  gst_query_parse_position (query, &format, NULL);
  gst_mgpu_in_flight_get_pushed (&self->in_flight, &position);
  if (format == GST_FORMAT_TIME && segment->format == GST_FORMAT_TIME
      && GST_CLOCK_TIME_IS_VALID (position))
    gst_query_set_position (query, format,
        gst_segment_to_stream_time (segment, GST_FORMAT_TIME, position));
}

static gboolean
gst_mgpu_filter_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);

  if (gst_mgpu_device_user_answer_query (&self->user, query))
    return TRUE;
  /* Refuses to propose pools while the element stops: the base class, which lends out the
   * query with its own pool meanwhile, would never free that query. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION
      && direction == GST_PAD_SINK && !gst_pad_is_active (trans->sinkpad))
    return FALSE;
  if (GST_QUERY_TYPE (query) == GST_QUERY_DRAIN)
    gst_mgpu_in_flight_drain (&self->in_flight);
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans, direction, query))
    return FALSE;
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_mgpu_filter_add_latency (self, query);
  else if (GST_QUERY_TYPE (query) == GST_QUERY_POSITION
      && direction == GST_PAD_SRC)
    gst_mgpu_filter_answer_position (self, query);
  return TRUE;
}

/* Handles an event. Before an event that is serialized with frames is sent, the frames in
 * flight have to leave: the streaming thread waits for them, unless a flush drops them. A
 * custom event goes into the queue of these frames instead, so that the thread does not
 * wait: the latency tracer sends such an event before each frame. */
static gboolean
gst_mgpu_filter_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstEventType type = GST_EVENT_TYPE (event);
  gboolean ret;

  if (type == GST_EVENT_CUSTOM_DOWNSTREAM
      && gst_mgpu_in_flight_take_event (&self->in_flight, event))
    return TRUE;
  if (type == GST_EVENT_FLUSH_START) {
    gst_mgpu_in_flight_flush_start (&self->in_flight);
  } else if (type == GST_EVENT_FLUSH_STOP) {
    gst_mgpu_in_flight_flush_stop (&self->in_flight);
    self->discont = FALSE;
    self->to_skip = 0;
  } else if (GST_EVENT_IS_SERIALIZED (event)) {
    gst_mgpu_in_flight_drain (&self->in_flight);
  }
  if (type == GST_EVENT_STREAM_START)
    gst_mgpu_in_flight_forget (&self->in_flight);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  if (type == GST_EVENT_SEGMENT)
    gst_mgpu_in_flight_set_position (&self->in_flight,
        trans->segment.position);
  return ret;
}

/* Puts the number of pushed frames into QOS messages: the base class, which counts the
 * frames that it pushes itself, says 0. */
static gboolean
gst_mgpu_filter_post_message (GstElement * element, GstMessage * message)
{
  GstFormat format;
  guint64 dropped;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_QOS
      && GST_MESSAGE_SRC (message) == GST_OBJECT (element)) {
    message = gst_message_make_writable (message);
    gst_message_parse_qos_stats (message, &format, NULL, &dropped);
    gst_message_set_qos_stats (message, format,
        gst_mgpu_in_flight_get_pushed (&GST_MGPU_FILTER (element)->in_flight,
            NULL), dropped);
  }
  return GST_ELEMENT_CLASS (parent_class)->post_message (element, message);
}

/* Notes whether a frame is missing before the next one (DISCONT). The base class notes
 * it, too, but forgets it only when it pushes a frame, which it never does here. */
static GstFlowReturn
gst_mgpu_filter_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * in)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstFlowReturn ret;

  self->discont |= GST_BUFFER_IS_DISCONT (in);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->submit_input_buffer (trans,
      is_discont, in);
  /* QoS dropped the frame, which came too late. */
  self->discont |= ret == GST_BASE_TRANSFORM_FLOW_DROPPED;
  return ret;
}

/* Starts to send the frame in @in to the device while it waits for the frames in flight,
 * unless the frame before it passed unchanged. Ignores errors: the job sends it again. */
static void
gst_mgpu_filter_send (GstMgpuFilter * self, GstBuffer * in)
{
  GstMemory *memory = in != NULL && gst_buffer_n_memory (in) == 1
      ? gst_buffer_peek_memory (in, 0) : NULL;

  if (gst_is_mgpu_memory (memory) && !self->passing
      && ((GstMgpuMemory *) memory)->context == self->user.context
      && !gst_mgpu_in_flight_is_empty (&self->in_flight))
    gst_mgpu_memory_send ((GstMgpuMemory *) memory, NULL);
}

/* Pushes the frame @out. A frame for system memory starts on its way to the host now, and
 * another thread pushes it when it is there; then this returns @flow, the result of the
 * last push. Else it returns the result of this push. */
static GstFlowReturn
gst_mgpu_filter_push (GstMgpuFilter * self, guint n, GstFlowReturn flow,
    GstBuffer * out)
{
  GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime end = gst_mgpu_in_flight_get_end (out);
  GError *error = NULL;

  if (segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (end))
    segment->position = end;
  if (self->discont && !GST_BUFFER_IS_DISCONT (out)) {
    out = gst_buffer_make_writable (out);
    GST_BUFFER_FLAG_SET (out, GST_BUFFER_FLAG_DISCONT);
  }
  self->discont = FALSE;
  if (self->to_host
      && !gst_mgpu_in_flight_take (&self->in_flight, n, &out, &error)) {
    gst_buffer_unref (out);
    return gst_mgpu_device_user_fail (&self->user, error);
  }
  return out == NULL ? flow : gst_mgpu_in_flight_push (&self->in_flight, out);
}

/* Makes the frame for the queued input and pushes it, in flight or not. The base class
 * gets no frame to push, so that all are marked and counted in one place. */
static GstFlowReturn
gst_mgpu_filter_generate_output (GstBaseTransform * trans, GstBuffer ** out)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  guint n = gst_mgpu_filter_get_in_flight (self);
  GstFlowReturn flow, ret;

  *out = NULL;
  if (n > 1)
    gst_mgpu_filter_send (self, trans->queued_buf);
  flow = gst_mgpu_in_flight_make_room (&self->in_flight, n);
  if (gst_mgpu_flow_is_error (flow)) {
    gst_clear_buffer (&trans->queued_buf);
    return flow;
  }
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (trans, out);
  self->discont |= ret == GST_BASE_TRANSFORM_FLOW_DROPPED;
  if (ret != GST_FLOW_OK || *out == NULL)
    return ret;
  return gst_mgpu_filter_push (self, n, flow, g_steal_pointer (out));
}

/* --- Caps --- */

static GstCaps *
gst_mgpu_filter_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstCaps *result =
      gst_mgpu_caps_in_memory (caps, GST_CAPS_FEATURE_MEMORY_OPENCL);

  result = gst_caps_merge (result, gst_mgpu_caps_in_memory (caps, NULL));
  if (filter != NULL) {
    GstCaps *filtered = gst_caps_intersect_full (filter, result,
        GST_CAPS_INTERSECT_FIRST);

    gst_caps_unref (result);
    result = filtered;
  }
  return result;
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

  /* Waits for the frames in flight, because no event comes before new caps that downstream
   * asked for. */
  gst_mgpu_in_flight_drain (&self->in_flight);
  self->gives_device_frames =
      gst_caps_features_contains (gst_caps_get_features (out_caps, 0),
      GST_CAPS_FEATURE_MEMORY_OPENCL);
  if (gst_mgpu_device_user_set_caps (&self->user, in_caps, &error)
      && gst_mgpu_caps_parse (out_caps, &self->out_info, &error)
      && gst_mgpu_filter_prepare (self, &error)) {
    self->said_refused = FALSE;
    return TRUE;
  }
  /* Posts one error only: GStreamer sends the caps event again with each later event
   * until it is accepted. */
  if (!self->said_refused)
    gst_mgpu_device_user_fail (&self->user, error);
  else
    g_error_free (error);
  self->said_refused = TRUE;
  return FALSE;
}

/* --- Allocation --- */

static gboolean
gst_mgpu_filter_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  return GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (trans,
      decide_query, query)
      && gst_mgpu_device_user_propose_allocation (&GST_MGPU_FILTER (trans)->user,
      query);
}

static gboolean
gst_mgpu_filter_filter_meta (GstBaseTransform * trans, GstQuery * query,
    GType api, const GstStructure * params)
{
  /* Offers upstream every meta that downstream takes: frames keep size and format. */
  return TRUE;
}

static gboolean
gst_mgpu_filter_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);

  gboolean to_host;

  if (!gst_mgpu_device_user_decide_allocation (&self->user, query,
          &self->downstream_takes_video_meta, &to_host))
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->to_host = to_host;
  GST_OBJECT_UNLOCK (self);
  gst_mgpu_filter_update_latency (self);
  return TRUE;
}

/* --- Frames --- */

static void
gst_mgpu_filter_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstClockTime time = GST_CLOCK_TIME_NONE;
  GstMgpuContext *context;
  GError *error = NULL;

  if (trans->segment.format == GST_FORMAT_TIME)
    time = gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
        GST_BUFFER_TIMESTAMP (buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (self), time);
  GST_OBJECT_LOCK (self);
  self->resting = !self->enabled
      && !GST_MGPU_FILTER_GET_CLASS (self)->is_needed;
  take_params_locked (self);
  GST_OBJECT_UNLOCK (self);

  if (!self->prepared)
    return;
  context = gst_mgpu_device_user_get_foreign (&self->user, buffer);
  if (context != NULL && !gst_mgpu_filter_adopt (self, context, &error)) {
    gst_mgpu_device_user_fail (&self->user, error);
    gst_mgpu_filter_unprepare (self);
  }
}

gboolean
gst_mgpu_filter_is_resting (GstMgpuFilter * self)
{
  return self->resting;
}

gboolean
gst_mgpu_filter_passes_all (GstMgpuFilter * self)
{
  return TRUE;
}

gboolean
gst_mgpu_filter_is_due (GstMgpuFilter * self, guint interval)
{
  self->to_skip = MIN (self->to_skip, interval - 1);
  if (self->to_skip > 0) {
    self->to_skip--;
    return FALSE;
  }
  self->to_skip = interval - 1;
  return TRUE;
}

/* Gets a new frame for the device to write. */
static GstFlowReturn
gst_mgpu_filter_allocate (GstMgpuFilter * self, GstBuffer * in,
    GstBuffer ** out)
{
  GError *error = NULL;
  GstFlowReturn ret =
      GST_BASE_TRANSFORM_CLASS (parent_class)->prepare_output_buffer
      (GST_BASE_TRANSFORM (self), in, out);

  if (ret != GST_FLOW_ERROR)
    return ret;
  gst_mgpu_device_user_set_no_memory (&self->user,
      GST_VIDEO_INFO_SIZE (&self->out_info), &error);
  return gst_mgpu_device_user_fail (&self->user, error);
}

/* Sets *@out to a buffer with the frame of the buffer @in: to @in itself where possible. */
static GstFlowReturn
gst_mgpu_filter_pass (GstMgpuFilter * self, GstBuffer * in, GstBuffer ** out)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GError *error = NULL;
  GstFlowReturn ret;

  *out = gst_mgpu_import_pass (&self->user, in, self->gives_device_frames,
      self->downstream_takes_video_meta);
  if (*out == in) {
    gst_buffer_unref (in);
    if (self->looking && !gst_buffer_is_writable (in))
      *out = gst_buffer_copy (in);
    return GST_FLOW_OK;
  }
  if (*out != NULL) {
    GST_BASE_TRANSFORM_GET_CLASS (self)->copy_metadata (trans, in, *out);
    return GST_FLOW_OK;
  }

  ret = gst_mgpu_filter_allocate (self, in, out);
  if (ret != GST_FLOW_OK)
    return ret;
  if (!gst_mgpu_import_copy (&self->user, in, *out, &error)) {
    gst_clear_buffer (out);
    return gst_mgpu_device_user_fail (&self->user, error);
  }
  if (self->gives_device_frames)
    gst_mgpu_import_count (&self->user);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_mgpu_filter_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  GError *error = NULL;

  /* Ends the stream if before_transform(), which returns nothing, has failed. */
  if (!self->prepared)
    return GST_FLOW_ERROR;
  self->passing = self->resting
      || (klass->passes != NULL && klass->passes (self));
  self->looking = klass->attach != NULL && !self->resting
      && (!self->passing || klass->looks == NULL
      || klass->looks (self, in, &error));
  if (error != NULL)
    return gst_mgpu_device_user_fail (&self->user, error);
  return (self->passing ? gst_mgpu_filter_pass : gst_mgpu_filter_allocate)
      (self, in, out);
}

static GstFlowReturn
gst_mgpu_filter_work (GstMgpuFilter * self, GstBuffer * in, GstBuffer * out)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  MgpuImage in_image, out_image;
  GstBuffer *imported;
  GstMgpuQueue *queue;
  GstMgpuJob job;
  gint64 start = g_get_monotonic_time ();
  GError *error = NULL;

  if (self->passing && !self->looking) {
    gst_mgpu_stats_add (self->user.stats, GST_MGPU_COUNTER_FRAMES, 1);
    return GST_FLOW_OK;
  }

  imported = gst_mgpu_import (&self->user, self->passing ? out : in, &error);
  if (imported == NULL)
    return gst_mgpu_device_user_fail (&self->user, error);
  if (!mgpu_image_from_buffer (&in_image, imported, &self->user.info)
      || (!self->passing
          && !mgpu_image_from_buffer (&out_image, out, &self->out_info))) {
    gst_mgpu_import_done (&self->user, imported);
    return gst_mgpu_device_user_fail (&self->user, g_error_new (GST_MGPU_ERROR,
            GST_MGPU_ERROR_UNSUPPORTED, "the pool gave a buffer that holds no "
            "frame for the device: look at the element after this one"));
  }

  queue = gst_mgpu_device_user_begin_frame (&self->user, in_image.memory,
      get_max_unfinished (self));
  gst_mgpu_job_begin (&job, queue, self->user.stats);
  klass->enqueue (self, &job, &in_image, self->passing ? NULL : &out_image);
  gst_mgpu_job_end (&job, &error);
  gst_object_unref (queue);
  gst_mgpu_import_done (&self->user, imported);
  if (error != NULL)
    return gst_mgpu_device_user_fail (&self->user, error);
  if (self->looking && !klass->attach (self, out, &error))
    return gst_mgpu_device_user_fail (&self->user, error);
  gst_mgpu_stats_add (self->user.stats, GST_MGPU_COUNTER_FRAMES, 1);
  GST_DEBUG_OBJECT (self, "enqueued frame %" GST_TIME_FORMAT " in %"
      G_GINT64_FORMAT " us", GST_TIME_ARGS (GST_BUFFER_PTS (in)),
      g_get_monotonic_time () - start);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_mgpu_filter_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (trans);
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  GstFlowReturn ret = GST_FLOW_OK;

  if (klass->begin != NULL && !self->resting)
    ret = klass->begin (self, in);
  if (ret == GST_FLOW_OK)
    ret = gst_mgpu_filter_work (self, in, out);
  if (klass->end != NULL && !self->resting)
    klass->end (self);
  return ret;
}

static gboolean
gst_mgpu_filter_transform_meta (GstBaseTransform * trans, GstBuffer * out,
    GstMeta * meta, GstBuffer * in)
{
  /* Copies every meta: the frame keeps its size, format and orientation, and the base
   * class leaves out metas that describe memory. */
  return TRUE;
}

/* --- GObject --- */

/* Makes the parameters: in constructed(), or when GObject sets a property of an interface
 * before that. */
static void
make_params (GstMgpuFilter * self)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);

  if (klass->params == NULL || self->params != NULL)
    return;
  self->params = g_malloc0 (klass->params_size);
  self->frame_params = g_malloc0 (klass->params_size);
  gst_mgpu_params_init (klass->params, self->params);
  gst_mgpu_params_init (klass->params, self->frame_params);
}

/* Returns: whether the property with the number @id is a parameter; sets *@i to its index
 * among the parameters */
static gboolean
is_param (GstMgpuFilter * self, guint id, guint * i)
{
  *i = id - FIRST_PARAM;
  return id >= FIRST_PARAM
      && *i < gst_mgpu_params_count (GST_MGPU_FILTER_GET_CLASS (self)->params);
}

static void
gst_mgpu_filter_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (object);
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  guint i;

  make_params (self);
  if (is_param (self, id, &i)) {
    GST_OBJECT_LOCK (self);
    gst_mgpu_params_set (klass->params, i, self->params, value);
    GST_OBJECT_UNLOCK (self);
    if (klass->changed != NULL)
      klass->changed (self, i);
  } else if (id == PROP_MAX_IN_FLIGHT) {
    GST_OBJECT_LOCK (self);
    self->max_in_flight = g_value_get_uint (value);
    GST_OBJECT_UNLOCK (self);
    gst_mgpu_filter_update_latency (self);
  } else if (id == PROP_ENABLED) {
    GST_OBJECT_LOCK (self);
    self->enabled = g_value_get_boolean (value);
    GST_OBJECT_UNLOCK (self);
  } else if (!gst_mgpu_device_user_set_property (&self->user, id - FIRST_PROP,
          value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_mgpu_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (object);
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  guint i;

  if (is_param (self, id, &i)) {
    GST_OBJECT_LOCK (self);
    gst_mgpu_params_get (klass->params, i, self->params, value);
    GST_OBJECT_UNLOCK (self);
  } else if (id == PROP_MAX_IN_FLIGHT) {
    GST_OBJECT_LOCK (self);
    g_value_set_uint (value, self->max_in_flight);
    GST_OBJECT_UNLOCK (self);
  } else if (id == PROP_ENABLED) {
    GST_OBJECT_LOCK (self);
    g_value_set_boolean (value, self->enabled);
    GST_OBJECT_UNLOCK (self);
  } else if (!gst_mgpu_device_user_get_property (&self->user, id - FIRST_PROP,
          value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

void
gst_mgpu_filter_class_set_params (GstMgpuFilterClass * klass,
    const MgpuParam * params, gsize size)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  klass->params = params;
  klass->params_size = size;
  /* Sets set_property() and get_property() again: GObject resets them in each class. */
  object_class->set_property = gst_mgpu_filter_set_property;
  object_class->get_property = gst_mgpu_filter_get_property;
  gst_mgpu_params_install (object_class, params, FIRST_PARAM);
}

static void
gst_mgpu_filter_constructed (GObject * object)
{
  make_params (GST_MGPU_FILTER (object));
  G_OBJECT_CLASS (parent_class)->constructed (object);
}

static void
gst_mgpu_filter_finalize (GObject * object)
{
  GstMgpuFilter *self = GST_MGPU_FILTER (object);

  if (self->params != NULL) {
    gst_mgpu_filter_free_params (self, self->params);
    gst_mgpu_filter_free_params (self, self->frame_params);
  }
  gst_mgpu_in_flight_clear (&self->in_flight);
  gst_mgpu_device_user_clear (&self->user);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_filter_init (GstMgpuFilter * self)
{
  gst_mgpu_device_user_init (&self->user, GST_ELEMENT (self));
  gst_mgpu_in_flight_init (&self->in_flight, &self->user,
      GST_BASE_TRANSFORM_SRC_PAD (self));
  self->max_in_flight = GST_MGPU_DEFAULT_IN_FLIGHT;
  self->enabled = TRUE;
  gst_video_info_init (&self->out_info);
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), TRUE);
}

static void
add_pad_template (GstElementClass * klass, const gchar * name,
    GstPadDirection direction)
{
  GstCaps *caps = gst_caps_from_string (GST_MGPU_CAPS_DEVICE "; "
      GST_MGPU_CAPS_HOST);

  gst_element_class_add_pad_template (klass,
      gst_pad_template_new (name, direction, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
}

static void
gst_mgpu_filter_class_init (GstMgpuFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_mgpu_filter_set_property;
  object_class->get_property = gst_mgpu_filter_get_property;
  object_class->constructed = gst_mgpu_filter_constructed;
  object_class->finalize = gst_mgpu_filter_finalize;
  element_class->set_context = gst_mgpu_filter_set_context;
  element_class->post_message = gst_mgpu_filter_post_message;
  trans_class->start = gst_mgpu_filter_start;
  trans_class->stop = gst_mgpu_filter_stop;
  trans_class->query = gst_mgpu_filter_query;
  trans_class->sink_event = gst_mgpu_filter_sink_event;
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

  gst_mgpu_device_user_install_properties (object_class, FIRST_PROP);
  /**
   * GstMgpuFilter:max-in-flight:
   *
   * The number of frames that the device may be at work on at once. Of the
   * elements in a thread, the first waits before it brings the device one more.
   *
   * Where frames leave to system memory from a device with memory of its own,
   * the device fetches one frame, computes another and brings back a third, and
   * the element pushes each frame when its bytes are in system memory. In a live
   * pipeline the frames in flight count as latency. With 1 the element pushes
   * each frame at once, and the element that reads its bytes waits for them.
   * Any number means the same as 1 in this respect where host and device share
   * memory, or where frames stay on the device.
   *
   * Since: 0.1
   */
  gst_mgpu_in_flight_install (object_class, PROP_MAX_IN_FLIGHT);
  /**
   * GstMgpuFilter:enabled:
   *
   * Whether frames are worked on. Otherwise they pass unchanged, without a
   * launch on the device, and nothing is attached to them. Caps and memory stay
   * the same, so that the property takes effect with the next frame.
   * mgpuconvert, mgpuupload and mgpudownload are always enabled, because the
   * caps of their frames depend on their work.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ENABLED,
      g_param_spec_boolean ("enabled", "Enabled",
          "Whether frames are worked on; otherwise they pass as they are. "
          "mgpuconvert, mgpuupload and mgpudownload are always enabled",
          TRUE, GST_MGPU_LIVE));
  add_pad_template (element_class, "sink", GST_PAD_SINK);
  add_pad_template (element_class, "src", GST_PAD_SRC);
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_FILTER, 0);
}
