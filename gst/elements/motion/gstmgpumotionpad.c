/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the pad mask_src of mgpumotion. */
#include "gstmgpumotionpad.h"

#include <gst/frame/gstmgpucaps.h>

struct _GstMgpuMotionPad
{
  GstPad parent;

  GstPad *sinkpad;
  GstFlowReturn flow;           /* GST_FLOW_OK if the peer takes masks; @pool is set then */
  GstMgpuOutput output;
  GstBufferPool *pool;
  GstBuffer *out;               /* the mask of the current frame; NULL: none */
};

G_DEFINE_TYPE (GstMgpuMotionPad, gst_mgpu_motion_pad, GST_TYPE_PAD);

/* Records that the pad's peer is being unlinked. GStreamer holds the locks of both pads during this
 * call. */
static void
gst_mgpu_motion_pad_unlink (GstPad * pad, GstObject * parent)
{
  gst_mgpu_in_flight_unlink (&GST_MGPU_MOTION_PAD (pad)->output.in_flight);
}

static gboolean
gst_mgpu_motion_pad_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  return gst_pad_push_event (GST_MGPU_MOTION_PAD (pad)->sinkpad, event);
}

static gboolean
gst_mgpu_motion_pad_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstMgpuMotionPad *self = GST_MGPU_MOTION_PAD (pad);

  if (gst_mgpu_device_base_answer_query (self->output.base, query))
    return TRUE;
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_LATENCY:
      if (!gst_pad_peer_query (self->sinkpad, query))
        return FALSE;
      gst_mgpu_output_add_latency (&self->output, query);
      return TRUE;
    case GST_QUERY_CAPS:
    case GST_QUERY_ACCEPT_CAPS:
      return gst_pad_query_default (pad, parent, query);
    default:
      return gst_pad_peer_query (self->sinkpad, query);
  }
}

GstMgpuMotionPad *
gst_mgpu_motion_pad_new (GstMgpuDeviceBase * base, GstPad * sinkpad,
    GstPadTemplate * templ)
{
  GstMgpuMotionPad *self = g_object_new (GST_TYPE_MGPU_MOTION_PAD,
      "name", "mask_src", "template", templ, "direction", GST_PAD_SRC, NULL);

  self->sinkpad = sinkpad;
  self->flow = GST_FLOW_NOT_LINKED;
  gst_pad_set_unlink_function (GST_PAD (self), gst_mgpu_motion_pad_unlink);
  gst_pad_set_event_function (GST_PAD (self), gst_mgpu_motion_pad_event);
  gst_pad_set_query_function (GST_PAD (self), gst_mgpu_motion_pad_query);
  gst_mgpu_output_init (&self->output, base, GST_PAD (self));
  return self;
}

/* --- Events --- */

static void
start (GstMgpuMotionPad * self, GstEvent * stream_start)
{
  const gchar *upstream;
  GstEvent *event;
  gchar *id;
  guint group;

  gst_event_parse_stream_start (stream_start, &upstream);
  id = g_strdup_printf ("%s/mask", upstream);
  event = gst_event_new_stream_start (id);
  g_free (id);
  if (gst_event_parse_group_id (stream_start, &group))
    gst_event_set_group_id (event, group);
  gst_event_set_seqnum (event, gst_event_get_seqnum (stream_start));
  gst_mgpu_in_flight_handle_event (&self->output.in_flight, stream_start);
  gst_pad_push_event (GST_PAD (self), event);
}

/* Returns: whether @type follows CAPS in the order of sticky events, or is not sticky */
static gboolean
is_for_mask (GstEventType type)
{
  return type != GST_EVENT_STREAM_START && type != GST_EVENT_CAPS;
}

/* Pushes *@event, a sticky event of the sink pad, from the pad @data. */
static gboolean
forward_sticky (GstPad * sinkpad, GstEvent ** event, gpointer data)
{
  if (is_for_mask (GST_EVENT_TYPE (*event))
      && GST_EVENT_TYPE (*event) != GST_EVENT_EOS)
    gst_pad_push_event (data, gst_event_ref (*event));
  return TRUE;
}

/* Returns: whether events of @type have to come after caps that the pad does not have yet. The next
 * frame pushes both, caps first. */
static gboolean
waits_for_caps (GstMgpuMotionPad * self, GstEventType type)
{
  return (gst_event_type_get_flags (type) & GST_EVENT_TYPE_STICKY)
      && type != GST_EVENT_EOS && !gst_pad_has_current_caps (GST_PAD (self));
}

void
gst_mgpu_motion_pad_send_event (GstMgpuMotionPad * self, GstEvent * event)
{
  GstMgpuInFlight *in_flight = &self->output.in_flight;
  GstEventType type = GST_EVENT_TYPE (event);

  if (type == GST_EVENT_STREAM_START)
    start (self, event);
  else if (type == GST_EVENT_CAPS)
    /* The next frame negotiates. */
    gst_pad_mark_reconfigure (GST_PAD (self));
  else if (!gst_mgpu_in_flight_handle_event (in_flight, event)
      && !waits_for_caps (self, type))
    gst_pad_push_event (GST_PAD (self), gst_event_ref (event));
}

/* --- Caps and frames --- */

/* Returns: (transfer full): caps of masks that the peer accepts, in device memory if possible;
 * empty if the peer accepts none */
static GstCaps *
choose_caps (GstMgpuMotionPad * self)
{
  GstCaps *current = gst_pad_get_current_caps (self->sinkpad);
  GstCaps *host = gst_mgpu_caps_in_memory (current, NULL);
  GstStructure *s = gst_caps_get_structure (host, 0);
  GstCaps *caps, *peer;

  gst_structure_remove_fields (s, "colorimetry", "chroma-site", NULL);
  gst_structure_set (s, "format", G_TYPE_STRING, "GRAY8", NULL);
  caps = gst_mgpu_caps_in_any_memory (host);
  peer = gst_mgpu_caps_intersect (caps,
      gst_pad_peer_query_caps (GST_PAD (self), caps));
  gst_caps_unref (caps);
  gst_caps_unref (host);
  gst_caps_unref (current);
  return gst_caps_is_empty (peer) ? peer : gst_mgpu_caps_fixate (peer);
}

static gboolean
take_pool (GstMgpuMotionPad * self, GstCaps * caps)
{
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  gboolean ok;

  if (!gst_pad_peer_query (GST_PAD (self), query)) {
    gst_query_unref (query);
    query = gst_query_new_allocation (caps, TRUE);
  }
  gst_mgpu_clear_pool (&self->pool);
  ok = gst_mgpu_output_decide_allocation (&self->output, query);
  if (ok) {
    gst_query_parse_nth_allocation_pool (query, 0, &self->pool, NULL, NULL,
        NULL);
    ok = gst_buffer_pool_set_active (self->pool, TRUE);
  }
  gst_query_unref (query);
  return ok;
}

/* Returns: why the peer, to which @caps were sent without success, takes no masks */
static GstFlowReturn
explain (GstMgpuMotionPad * self)
{
  GstPad *pad = GST_PAD (self);

  if (!gst_pad_is_linked (pad)
      || gst_mgpu_in_flight_is_unlinked (&self->output.in_flight))
    return GST_FLOW_NOT_LINKED;
  if (GST_PAD_IS_FLUSHING (pad))
    return GST_FLOW_FLUSHING;
  gst_mgpu_device_base_fail (self->output.base, g_error_new (GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED, "the element behind mask_src accepts no "
          "GRAY8 frames of the size of the input: put a videoconvert before that "
          "element, or leave size and format open there"));
  return GST_FLOW_NOT_NEGOTIATED;
}

static void
negotiate (GstMgpuMotionPad * self)
{
  GstPad *pad = GST_PAD (self);
  gboolean is_other = gst_mgpu_in_flight_relink (&self->output.in_flight);
  GstCaps *caps, *current;
  gboolean ok;

  /* Clears the request before the negotiation, so that one that fails posts a single error. */
  gst_pad_check_reconfigure (pad);
  caps = choose_caps (self);
  current = gst_pad_get_current_caps (pad);
  ok = !gst_caps_is_empty (caps)
      && gst_mgpu_output_set_caps (&self->output, caps, NULL);
  if (ok && (is_other || current == NULL || !gst_caps_is_equal (current, caps)))
    ok = gst_pad_push_event (pad, gst_event_new_caps (caps));
  ok = ok && take_pool (self, caps);
  if (ok && (is_other || current == NULL))
    gst_pad_sticky_events_foreach (self->sinkpad, forward_sticky, pad);
  self->flow = ok ? GST_FLOW_OK : explain (self);
  GST_MGPU_INFO_OBJECT (self->output.base->element, "masks are pushed as %"
      GST_PTR_FORMAT ": %s", caps, gst_flow_get_name (self->flow));
  g_clear_pointer (&current, gst_caps_unref);
  gst_caps_unref (caps);
}

/* Sends a peer that came later the beginning of the stream. */
static void
catch_up (GstMgpuMotionPad * self)
{
  GstEvent *event = gst_pad_get_sticky_event (GST_PAD (self),
      GST_EVENT_STREAM_START, 0);

  if (event == NULL) {
    event = gst_pad_get_sticky_event (self->sinkpad, GST_EVENT_STREAM_START, 0);
    if (event != NULL)
      start (self, event);
  }
  g_clear_pointer (&event, gst_event_unref);
}

void
gst_mgpu_motion_pad_begin_frame (GstMgpuMotionPad * self)
{
  GstPad *pad = GST_PAD (self);

  if (!gst_pad_is_linked (pad)) {
    self->flow = GST_FLOW_NOT_LINKED;
    return;
  }
  catch_up (self);
  if (GST_PAD_IS_EOS (pad))
    self->flow = GST_FLOW_EOS;
  else if (gst_pad_check_reconfigure (pad)
      || gst_mgpu_in_flight_is_unlinked (&self->output.in_flight)
      || (self->flow != GST_FLOW_OK && self->flow != GST_FLOW_NOT_NEGOTIATED))
    negotiate (self);
}

gboolean
gst_mgpu_motion_pad_acquire (GstMgpuMotionPad * self, MgpuImage * image,
    GError ** error)
{
  gst_clear_buffer (&self->out);
  if (self->flow != GST_FLOW_OK)
    return FALSE;
  self->out = gst_mgpu_device_base_acquire (self->output.base, self->pool,
      error);
  return self->out != NULL
      && gst_mgpu_parse_frame (self->out, &self->output.info, image, error);
}

GstFlowReturn
gst_mgpu_motion_pad_push (GstMgpuMotionPad * self, GstBuffer * in,
    GstSegment * segment)
{
  GstMgpuInFlight *in_flight = &self->output.in_flight;
  GstSegment copy = *segment;
  GstFlowReturn flow;

  if (self->out == NULL)
    return GST_FLOW_OK;
  flow = gst_mgpu_in_flight_make_room (in_flight,
      gst_mgpu_output_get_max_in_flight (&self->output));
  if (gst_mgpu_flow_is_error (flow)) {
    gst_clear_buffer (&self->out);
  } else {
    gst_buffer_copy_into (self->out, in, GST_BUFFER_COPY_FLAGS
        | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    flow = gst_mgpu_output_push (&self->output, g_steal_pointer (&self->out),
        &copy, flow);
  }
  if (!gst_mgpu_flow_is_error (flow) || !gst_pad_is_linked (GST_PAD (self)))
    return GST_FLOW_OK;
  return flow;
}

void
gst_mgpu_motion_pad_reset (GstMgpuMotionPad * self)
{
  gst_mgpu_output_stop (&self->output);
  self->flow = GST_FLOW_NOT_LINKED;
  gst_clear_buffer (&self->out);
  gst_mgpu_clear_pool (&self->pool);
}

static void
gst_mgpu_motion_pad_dispose (GObject * object)
{
  GstMgpuMotionPad *self = GST_MGPU_MOTION_PAD (object);

  gst_mgpu_in_flight_stop (&self->output.in_flight);
  gst_clear_buffer (&self->out);
  gst_mgpu_clear_pool (&self->pool);
  G_OBJECT_CLASS (gst_mgpu_motion_pad_parent_class)->dispose (object);
}

static void
gst_mgpu_motion_pad_finalize (GObject * object)
{
  gst_mgpu_output_clear (&GST_MGPU_MOTION_PAD (object)->output);
  G_OBJECT_CLASS (gst_mgpu_motion_pad_parent_class)->finalize (object);
}

static void
gst_mgpu_motion_pad_init (GstMgpuMotionPad * self)
{
}

static void
gst_mgpu_motion_pad_class_init (GstMgpuMotionPadClass * klass)
{
  G_OBJECT_CLASS (klass)->dispose = gst_mgpu_motion_pad_dispose;
  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_motion_pad_finalize;
}
