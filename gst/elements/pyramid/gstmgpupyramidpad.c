/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the source pads of mgpupyramid. Each pad pushes one level of the image
 * pyramid as a stream. */
#include "gstmgpupyramid.h"

#include <gst/frame/gstmgpucaps.h>

/* Maximum number of negotiations for one frame. A negotiation is repeated if the peer of
 * the source pad is replaced meanwhile. */
#define MAX_PEERS 3

G_DEFINE_TYPE (GstMgpuPyramidPad, gst_mgpu_pyramid_pad, GST_TYPE_PAD);

/* Records that the pad's peer is being unlinked. GStreamer holds the locks of both pads
 * during this call. */
static void
gst_mgpu_pyramid_pad_unlink (GstPad * pad, GstObject * parent)
{
  gst_mgpu_in_flight_unlink (&GST_MGPU_PYRAMID_PAD (pad)->output.in_flight);
}

GstPad *
gst_mgpu_pyramid_pad_new (GstMgpuPyramid * element, GstPadTemplate * template,
    const gchar * name, guint index)
{
  GstMgpuPyramidPad *self = g_object_new (GST_TYPE_MGPU_PYRAMID_PAD,
      "name", name, "template", template, "direction", GST_PAD_SRC, NULL);

  self->index = index;
  self->flow = GST_FLOW_NOT_LINKED;
  gst_pad_set_unlink_function (GST_PAD (self), gst_mgpu_pyramid_pad_unlink);
  gst_mgpu_output_init (&self->output, &element->base, GST_PAD (self));
  return GST_PAD (self);
}

guint
gst_mgpu_pyramid_pad_get_level (GstMgpuPyramidPad * self,
    GstMgpuPyramid * element)
{
  return MIN (self->index, mgpu_pyramid_get_n_levels (element->pyramid) - 1);
}

void
gst_mgpu_pyramid_pad_start (GstMgpuPyramidPad * self, GstEvent * stream_start)
{
  const gchar *upstream;
  GstStreamFlags flags;
  GstEvent *event;
  gchar *id;
  guint group;

  gst_event_parse_stream_start (stream_start, &upstream);
  gst_event_parse_stream_flags (stream_start, &flags);
  id = g_strdup_printf ("%s/%u", upstream, self->index);
  event = gst_event_new_stream_start (id);
  g_free (id);
  gst_event_set_stream_flags (event, flags);
  if (gst_event_parse_group_id (stream_start, &group))
    gst_event_set_group_id (event, group);
  gst_event_set_seqnum (event, gst_event_get_seqnum (stream_start));
  gst_mgpu_in_flight_handle_event (&self->output.in_flight, stream_start);
  gst_pad_push_event (GST_PAD (self), event);
}

/* Pushes *@event, a sticky event of the sink pad, from @pad, unless its type precedes
 * CAPS in the order of sticky events. */
static gboolean
forward_sticky (GstPad * sinkpad, GstEvent ** event, gpointer pad)
{
  if (GST_EVENT_TYPE (*event) != GST_EVENT_STREAM_START
      && GST_EVENT_TYPE (*event) != GST_EVENT_CAPS)
    gst_pad_push_event (pad, gst_event_ref (*event));
  return TRUE;
}

void
gst_mgpu_pyramid_pad_catch_up (GstMgpuPyramidPad * self,
    GstMgpuPyramid * element)
{
  GstEvent *stream_start = gst_pad_get_sticky_event (GST_PAD (self),
      GST_EVENT_STREAM_START, 0);

  if (stream_start != NULL) {
    gst_event_unref (stream_start);
    return;
  }
  stream_start = gst_pad_get_sticky_event (element->sinkpad,
      GST_EVENT_STREAM_START, 0);
  if (stream_start == NULL)
    return;
  GST_MGPU_DEBUG_OBJECT (element, "%" GST_PTR_FORMAT " gets the events of the stream",
      self);
  gst_mgpu_pyramid_pad_start (self, stream_start);
  gst_event_unref (stream_start);
  if (element->pyramid == NULL)
    return;
  gst_mgpu_pyramid_pad_negotiate (self, element);
  gst_pad_sticky_events_foreach (element->sinkpad, forward_sticky, self);
}

/* Returns: (transfer full): caps of the pad's pyramid level that its peer accepts, with
 * device memory if possible; empty if the peer accepts none */
static GstCaps *
choose_caps (GstMgpuPyramidPad * self, GstMgpuPyramid * element)
{
  const GstVideoInfo *info = mgpu_pyramid_get_info (element->pyramid,
      gst_mgpu_pyramid_pad_get_level (self, element));
  GstCaps *host = gst_mgpu_caps_in_memory (element->caps, NULL);
  GstStructure *s = gst_caps_get_structure (host, 0);
  GstCaps *caps, *peer;

  gst_structure_set (s,
      "width", G_TYPE_INT, GST_VIDEO_INFO_WIDTH (info),
      "height", G_TYPE_INT, GST_VIDEO_INFO_HEIGHT (info), NULL);
  gst_mgpu_caps_name_colorimetry (s, info);
  gst_mgpu_caps_name_chroma_site (s, info);
  caps = gst_mgpu_caps_in_any_memory (host);
  gst_caps_unref (host);
  peer = gst_mgpu_caps_intersect (caps, gst_pad_peer_query_caps (GST_PAD (self),
          caps));
  gst_caps_unref (caps);
  return gst_caps_is_empty (peer) ? peer : gst_mgpu_caps_fixate (peer);
}

static gboolean
take_pool (GstMgpuPyramidPad * self, GstCaps * caps)
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

/* Gets a buffer pool for frames of @caps. @ok: whether the pad's peer accepted these
 * caps. Returns: GST_FLOW_OK, or the reason why the pad outputs no frames */
static GstFlowReturn
take_frames (GstMgpuPyramidPad * self, GstMgpuPyramid * element, GstCaps * caps,
    gboolean ok)
{
  GstPad *pad = GST_PAD (self);

  if (ok && take_pool (self, caps))
    return GST_FLOW_OK;
  if (gst_mgpu_in_flight_is_unlinked (&self->output.in_flight))
    return GST_FLOW_NOT_LINKED;
  if (GST_PAD_IS_FLUSHING (pad))
    return GST_FLOW_FLUSHING;
  if (GST_PAD_IS_EOS (pad))
    return GST_FLOW_EOS;
  gst_mgpu_device_base_fail (&element->base, g_error_new (GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED, "the element behind %s accepts no "
          "frames of level %u of %" GST_PTR_FORMAT ": put a videoconvert before "
          "that element, or leave size and format open there", GST_PAD_NAME (self),
          gst_mgpu_pyramid_pad_get_level (self, element), element->caps));
  return GST_FLOW_NOT_NEGOTIATED;
}

static void
negotiate_with_peer (GstMgpuPyramidPad * self, GstMgpuPyramid * element)
{
  GstPad *pad = GST_PAD (self);
  GstCaps *caps, *current;
  gboolean is_other, linked, ok;

  /* Waits until all frames in flight, which have the old caps, are pushed. */
  is_other = gst_mgpu_in_flight_relink (&self->output.in_flight);
  linked = gst_pad_is_linked (pad);
  /* Clears the request for new caps and a new pool before the negotiation. A negotiation
   * that fails then posts a single error, and is not repeated for each frame. */
  gst_pad_check_reconfigure (pad);
  caps = choose_caps (self, element);
  current = gst_pad_get_current_caps (pad);
  ok = !gst_caps_is_empty (caps)
      && gst_mgpu_output_set_caps (&self->output, caps, NULL);
  /* Pushes the caps to a new peer even if they equal the current caps. GStreamer would
   * not do this if the old peer was unlinked while it received them. */
  if (ok && (is_other || current == NULL || !gst_caps_is_equal (current, caps)))
    ok = gst_pad_push_event (pad, gst_event_new_caps (caps));
  self->flow = linked ? take_frames (self, element, caps, ok)
      : GST_FLOW_NOT_LINKED;
  GST_MGPU_INFO_OBJECT (element, "%" GST_PTR_FORMAT " gives level %u as %" GST_PTR_FORMAT
      ": %s", pad, gst_mgpu_pyramid_pad_get_level (self, element), caps,
      gst_flow_get_name (self->flow));
  g_clear_pointer (&current, gst_caps_unref);
  gst_caps_unref (caps);
}

void
gst_mgpu_pyramid_pad_negotiate (GstMgpuPyramidPad * self,
    GstMgpuPyramid * element)
{
  guint n = 0;

  /* Repeats the negotiation if the peer is replaced meanwhile, up to MAX_PEERS times.
   * After that, it is repeated for the next frame. */
  do
    negotiate_with_peer (self, element);
  while (++n < MAX_PEERS
      && gst_mgpu_in_flight_is_unlinked (&self->output.in_flight)
      && gst_pad_is_linked (GST_PAD (self)));
}

void
gst_mgpu_pyramid_pad_begin_frame (GstMgpuPyramidPad * self,
    GstMgpuPyramid * element)
{
  GstPad *pad = GST_PAD (self);

  gst_mgpu_pyramid_pad_catch_up (self, element);
  GST_MGPU_TRACE_OBJECT (element, "%" GST_PTR_FORMAT ": %s", pad,
      gst_flow_get_name (self->flow));
  if (!gst_pad_is_linked (pad))
    self->flow = GST_FLOW_NOT_LINKED;
  else if (GST_PAD_IS_EOS (pad))
    self->flow = GST_FLOW_EOS;
  else if (gst_pad_check_reconfigure (pad)
      || gst_mgpu_in_flight_is_unlinked (&self->output.in_flight)
      || (self->flow != GST_FLOW_OK && self->flow != GST_FLOW_NOT_NEGOTIATED))
    gst_mgpu_pyramid_pad_negotiate (self, element);
}

GstFlowReturn
gst_mgpu_pyramid_pad_judge (GstMgpuPyramidPad * self, GstFlowReturn ret)
{
  if (g_atomic_int_get (&self->released))
    return GST_FLOW_OK;
  if (ret <= GST_FLOW_ERROR || (self->flow != GST_FLOW_NOT_LINKED
          && !gst_mgpu_in_flight_is_unlinked (&self->output.in_flight)))
    return ret;
  return gst_pad_is_linked (GST_PAD (self)) ? GST_FLOW_OK
      : GST_FLOW_NOT_LINKED;
}

void
gst_mgpu_pyramid_pad_reset (GstMgpuPyramidPad * self)
{
  gst_mgpu_output_stop (&self->output);
  self->flow = GST_FLOW_NOT_LINKED;
  gst_mgpu_clear_pool (&self->pool);
}

static void
gst_mgpu_pyramid_pad_dispose (GObject * object)
{
  GstMgpuPyramidPad *self = GST_MGPU_PYRAMID_PAD (object);

  /* Does not access members that the element's lock guards, because the element may have
   * been freed. */
  gst_mgpu_in_flight_stop (&self->output.in_flight);
  gst_mgpu_clear_pool (&self->pool);
  G_OBJECT_CLASS (gst_mgpu_pyramid_pad_parent_class)->dispose (object);
}

static void
gst_mgpu_pyramid_pad_finalize (GObject * object)
{
  gst_mgpu_output_clear (&GST_MGPU_PYRAMID_PAD (object)->output);
  G_OBJECT_CLASS (gst_mgpu_pyramid_pad_parent_class)->finalize (object);
}

static void
gst_mgpu_pyramid_pad_init (GstMgpuPyramidPad * self)
{
}

static void
gst_mgpu_pyramid_pad_class_init (GstMgpuPyramidPadClass * klass)
{
  G_OBJECT_CLASS (klass)->dispose = gst_mgpu_pyramid_pad_dispose;
  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_pyramid_pad_finalize;
}
