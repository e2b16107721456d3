/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the pad mask_src of mgpumotion. */
#include "gstmgpumotionpad.h"

#include <gst/frame/gstmgpucaps.h>

struct _GstMgpuMotionPad
{
  GstMgpuSourcePad source;
  gint released;                /* atomic: whether the element has released the pad */
};

G_DEFINE_TYPE (GstMgpuMotionPad, gst_mgpu_motion_pad, GST_TYPE_MGPU_SOURCE_PAD);

static gboolean
gst_mgpu_motion_pad_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  return gst_pad_push_event (GST_MGPU_SOURCE_PAD (pad)->sinkpad, event);
}

static gboolean
gst_mgpu_motion_pad_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstMgpuSourcePad *source = GST_MGPU_SOURCE_PAD (pad);

  if (gst_mgpu_device_base_answer_query (source->output.base, query))
    return TRUE;
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_LATENCY:
      if (!gst_pad_peer_query (source->sinkpad, query))
        return FALSE;
      gst_mgpu_output_add_latency (&source->output, query);
      return TRUE;
    case GST_QUERY_CAPS:
    case GST_QUERY_ACCEPT_CAPS:
      return gst_pad_query_default (pad, parent, query);
    default:
      return gst_pad_peer_query (source->sinkpad, query);
  }
}

GstMgpuMotionPad *
gst_mgpu_motion_pad_new (GstMgpuDeviceBase * base, GstPad * sinkpad,
    GstPadTemplate * templ)
{
  GstMgpuMotionPad *self = g_object_new (GST_TYPE_MGPU_MOTION_PAD,
      "name", "mask_src", "template", templ, "direction", GST_PAD_SRC, NULL);
  GstPad *pad = GST_PAD (self);

  gst_mgpu_source_pad_set_up (&self->source, base, sinkpad, g_strdup ("mask"));
  gst_pad_set_event_function (pad, gst_mgpu_motion_pad_event);
  gst_pad_set_query_function (pad, gst_mgpu_motion_pad_query);
  return self;
}

void
gst_mgpu_motion_pad_release (GstMgpuMotionPad * self)
{
  /* Marks the pad as released first, because a push may return FLUSHING as soon as the pad is
   * deactivated. The mask and the pool of the pad are freed only together with the pad, because the
   * streaming thread may be using them. */
  g_atomic_int_set (&self->released, TRUE);
  gst_pad_set_active (GST_PAD (self), FALSE);
  gst_mgpu_in_flight_stop (&self->source.output.in_flight);
}

static GstCaps *
gst_mgpu_motion_pad_make_caps (GstMgpuSourcePad * source)
{
  GstCaps *current = gst_pad_get_current_caps (source->sinkpad);
  GstCaps *caps = current != NULL ? gst_mgpu_caps_in_memory (current, NULL)
      : NULL;

  if (caps != NULL) {
    GstStructure *s = gst_caps_get_structure (caps, 0);

    gst_structure_remove_fields (s, "colorimetry", "chroma-site", NULL);
    gst_structure_set (s, "format", G_TYPE_STRING, "GRAY8", NULL);
  }
  g_clear_pointer (&current, gst_caps_unref);
  return caps;
}

/* Returns: whether events of @type have to follow the caps, and the pad has no caps yet. The next
 * frame then pushes first the caps, then the events */
static gboolean
waits_for_caps (GstMgpuMotionPad * self, GstEventType type)
{
  return (gst_event_type_get_flags (type) & GST_EVENT_TYPE_STICKY)
      && type != GST_EVENT_EOS && !gst_pad_has_current_caps (GST_PAD (self));
}

void
gst_mgpu_motion_pad_send_event (GstMgpuMotionPad * self, GstEvent * event)
{
  GstMgpuSourcePad *source = &self->source;
  GstEventType type = GST_EVENT_TYPE (event);

  if (type == GST_EVENT_STREAM_START)
    gst_mgpu_source_pad_start (source, event);
  else if (type == GST_EVENT_CAPS)
    /* Postpones the negotiation of caps until the next frame. */
    gst_pad_mark_reconfigure (GST_PAD (self));
  else if (!gst_mgpu_in_flight_handle_event (&source->output.in_flight, event)
      && !waits_for_caps (self, type))
    gst_pad_push_event (GST_PAD (self), gst_event_ref (event));
}

gboolean
gst_mgpu_motion_pad_acquire (GstMgpuMotionPad * self, MgpuImage * image,
    GError ** error)
{
  GstMgpuSourcePad *source = &self->source;

  gst_clear_buffer (&source->out);
  if (source->flow != GST_FLOW_OK) {
    GST_MGPU_LOG_OBJECT (source->output.base->element, "pushing no mask: %s",
        gst_flow_get_name (source->flow));
    return FALSE;
  }
  source->out = gst_mgpu_device_base_acquire (source->output.base,
      source->pool, error);
  return source->out != NULL
      && gst_mgpu_parse_frame (source->out, &source->output.info, image, error);
}

GstFlowReturn
gst_mgpu_motion_pad_push (GstMgpuMotionPad * self, GstBuffer * in,
    GstSegment * segment)
{
  GstMgpuOutput *output = &self->source.output;
  GstBuffer *out = g_steal_pointer (&self->source.out);
  GstSegment copy = *segment;
  GstFlowReturn flow;

  if (out == NULL)
    return GST_FLOW_OK;
  flow = gst_mgpu_in_flight_make_room (&output->in_flight,
      gst_mgpu_output_get_max_in_flight (output));
  if (gst_mgpu_flow_is_error (flow)) {
    gst_buffer_unref (out);
  } else {
    gst_buffer_copy_into (out, in, GST_BUFFER_COPY_FLAGS
        | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    flow = gst_mgpu_output_push (output, out, &copy, flow);
  }
  if (!gst_mgpu_flow_is_error (flow) || g_atomic_int_get (&self->released)
      || !gst_pad_is_linked (GST_PAD (self)))
    return GST_FLOW_OK;
  return flow;
}

static void
gst_mgpu_motion_pad_init (GstMgpuMotionPad * self)
{
}

static void
gst_mgpu_motion_pad_class_init (GstMgpuMotionPadClass * klass)
{
  GST_MGPU_SOURCE_PAD_CLASS (klass)->make_caps = gst_mgpu_motion_pad_make_caps;
}
