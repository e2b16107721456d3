/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Negotiates caps and buffer pools of a source pad, and begins its stream. */
#include "gstmgpusourcepad.h"

#include "gstmgpucaps.h"

/* Maximum number of negotiations for one frame. A negotiation is repeated if the peer of
 * the source pad is replaced meanwhile. */
#define MAX_PEERS 3

G_DEFINE_ABSTRACT_TYPE (GstMgpuSourcePad, gst_mgpu_source_pad, GST_TYPE_PAD);

/* Records that the pad's peer is being unlinked. GStreamer holds the locks of both pads
 * during this call. */
static void
gst_mgpu_source_pad_unlink (GstPad * pad, GstObject * parent)
{
  gst_mgpu_in_flight_unlink (&GST_MGPU_SOURCE_PAD (pad)->output.in_flight);
}

void
gst_mgpu_source_pad_set_up (GstMgpuSourcePad * self, GstMgpuDeviceBase * base,
    GstPad * sinkpad, gchar * stream)
{
  self->sinkpad = sinkpad;
  self->stream = stream;
  self->flow = GST_FLOW_NOT_LINKED;
  gst_pad_set_unlink_function (GST_PAD (self), gst_mgpu_source_pad_unlink);
  gst_mgpu_output_init (&self->output, base, GST_PAD (self));
}

/* --- Events --- */

void
gst_mgpu_source_pad_start (GstMgpuSourcePad * self, GstEvent * stream_start)
{
  const gchar *upstream;
  GstStreamFlags flags;
  GstEvent *event;
  gchar *id;
  guint group;

  gst_event_parse_stream_start (stream_start, &upstream);
  gst_event_parse_stream_flags (stream_start, &flags);
  id = g_strdup_printf ("%s/%s", upstream, self->stream);
  event = gst_event_new_stream_start (id);
  g_free (id);
  gst_event_set_stream_flags (event, flags);
  if (gst_event_parse_group_id (stream_start, &group))
    gst_event_set_group_id (event, group);
  gst_event_set_seqnum (event, gst_event_get_seqnum (stream_start));
  gst_mgpu_in_flight_handle_event (&self->output.in_flight, stream_start);
  gst_pad_push_event (GST_PAD (self), event);
}

void
gst_mgpu_source_pad_catch_up (GstMgpuSourcePad * self)
{
  GstEvent *event = gst_pad_get_sticky_event (GST_PAD (self),
      GST_EVENT_STREAM_START, 0);

  if (event == NULL) {
    event = gst_pad_get_sticky_event (self->sinkpad, GST_EVENT_STREAM_START, 0);
    if (event != NULL) {
      GST_MGPU_DEBUG_OBJECT (self->output.base->element,
          "sending the events of the stream to %" GST_PTR_FORMAT, self);
      gst_mgpu_source_pad_start (self, event);
      gst_mgpu_source_pad_negotiate (self);
    }
  }
  g_clear_pointer (&event, gst_event_unref);
}

/* Pushes *@event, a sticky event of the sink pad, from @pad, unless its type precedes CAPS in the
 * order of sticky events. Also leaves out EOS, because an EOS that is followed by frames belongs to
 * an earlier stream. */
static gboolean
forward_sticky (GstPad * sinkpad, GstEvent ** event, gpointer pad)
{
  GstEventType type = GST_EVENT_TYPE (*event);

  if (type != GST_EVENT_STREAM_START && type != GST_EVENT_CAPS
      && type != GST_EVENT_EOS)
    gst_pad_push_event (pad, gst_event_ref (*event));
  return TRUE;
}

/* --- Caps and buffer pools --- */

/* Returns: (transfer full): the caps of @own (the caps of the pad's frames in system memory) that
 * the peer of the pad accepts, with device memory if possible; empty if the peer accepts none */
static GstCaps *
choose_caps (GstMgpuSourcePad * self, GstCaps * own)
{
  GstCaps *caps = gst_mgpu_caps_in_any_memory (own);
  GstCaps *peer = gst_mgpu_caps_intersect (caps,
      gst_pad_peer_query_caps (GST_PAD (self), caps));

  gst_caps_unref (caps);
  return gst_caps_is_empty (peer) ? peer : gst_mgpu_caps_fixate (peer);
}

static gboolean
take_pool (GstMgpuSourcePad * self, GstCaps * caps)
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
 * caps. @own: as for choose_caps(). Returns: GST_FLOW_OK, or the reason why the pad outputs
 * no frames */
static GstFlowReturn
take_frames (GstMgpuSourcePad * self, GstCaps * own, GstCaps * caps,
    gboolean ok)
{
  GstPad *pad = GST_PAD (self);
  gchar *text;

  if (ok && take_pool (self, caps))
    return GST_FLOW_OK;
  if (gst_mgpu_in_flight_is_unlinked (&self->output.in_flight))
    return GST_FLOW_NOT_LINKED;
  if (GST_PAD_IS_FLUSHING (pad))
    return GST_FLOW_FLUSHING;
  if (GST_PAD_IS_EOS (pad))
    return GST_FLOW_EOS;
  text = gst_caps_to_string (own);
  gst_mgpu_device_base_fail (self->output.base, g_error_new (GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED, "the element after %s accepts no "
          "frames of %s: put a videoconvert before that element, or leave size "
          "and format open there", GST_PAD_NAME (self), text));
  g_free (text);
  return GST_FLOW_NOT_NEGOTIATED;
}

static void
negotiate_with_peer (GstMgpuSourcePad * self, GstCaps * own)
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
  caps = choose_caps (self, own);
  current = gst_pad_get_current_caps (pad);
  ok = !gst_caps_is_empty (caps)
      && gst_mgpu_output_set_caps (&self->output, caps, NULL);
  /* Pushes the caps to a new peer even if they equal the current caps. GStreamer would
   * not do this if the old peer was unlinked while it received them. */
  if (ok && (is_other || current == NULL || !gst_caps_is_equal (current, caps)))
    ok = gst_pad_push_event (pad, gst_event_new_caps (caps));
  self->flow = linked ? take_frames (self, own, caps, ok)
      : GST_FLOW_NOT_LINKED;
  GST_MGPU_INFO_OBJECT (self->output.base->element,
      "%" GST_PTR_FORMAT " gives %" GST_PTR_FORMAT ": %s", pad, caps,
      gst_flow_get_name (self->flow));
  g_clear_pointer (&current, gst_caps_unref);
  gst_caps_unref (caps);
}

void
gst_mgpu_source_pad_negotiate (GstMgpuSourcePad * self)
{
  GstCaps *own = GST_MGPU_SOURCE_PAD_GET_CLASS (self)->make_caps (self);
  gboolean is_first = !gst_pad_has_current_caps (GST_PAD (self));
  guint n = 0;

  if (own == NULL)
    return;
  /* Repeats the negotiation if the peer is replaced meanwhile, up to MAX_PEERS times.
   * After that, it is repeated for the next frame. */
  do
    negotiate_with_peer (self, own);
  while (++n < MAX_PEERS
      && gst_mgpu_in_flight_is_unlinked (&self->output.in_flight)
      && gst_pad_is_linked (GST_PAD (self)));
  gst_caps_unref (own);
  /* Pushes the other sticky events only after the last peer has the caps, because GStreamer would
   * not send this peer events that another peer was receiving when it was unlinked. */
  if (is_first && gst_pad_has_current_caps (GST_PAD (self)))
    gst_pad_sticky_events_foreach (self->sinkpad, forward_sticky, self);
}

void
gst_mgpu_source_pad_begin_frame (GstMgpuSourcePad * self)
{
  GstPad *pad = GST_PAD (self);

  gst_mgpu_source_pad_catch_up (self);
  GST_MGPU_TRACE_OBJECT (self->output.base->element, "%" GST_PTR_FORMAT ": %s",
      pad, gst_flow_get_name (self->flow));
  if (!gst_pad_is_linked (pad))
    self->flow = GST_FLOW_NOT_LINKED;
  else if (GST_PAD_IS_EOS (pad))
    self->flow = GST_FLOW_EOS;
  else if (gst_pad_check_reconfigure (pad)
      || gst_mgpu_in_flight_is_unlinked (&self->output.in_flight)
      || (self->flow != GST_FLOW_OK && self->flow != GST_FLOW_NOT_NEGOTIATED))
    gst_mgpu_source_pad_negotiate (self);
}

void
gst_mgpu_source_pad_reset (GstMgpuSourcePad * self)
{
  gst_mgpu_output_stop (&self->output);
  self->flow = GST_FLOW_NOT_LINKED;
  gst_clear_buffer (&self->out);
  gst_mgpu_clear_pool (&self->pool);
}

/* --- Functions of the class GObject --- */

static void
gst_mgpu_source_pad_dispose (GObject * object)
{
  GstMgpuSourcePad *self = GST_MGPU_SOURCE_PAD (object);

  /* Does not access members that the element's lock guards, because the element may have
   * been freed. */
  gst_mgpu_in_flight_stop (&self->output.in_flight);
  gst_clear_buffer (&self->out);
  gst_mgpu_clear_pool (&self->pool);
  G_OBJECT_CLASS (gst_mgpu_source_pad_parent_class)->dispose (object);
}

static void
gst_mgpu_source_pad_finalize (GObject * object)
{
  GstMgpuSourcePad *self = GST_MGPU_SOURCE_PAD (object);

  gst_mgpu_output_clear (&self->output);
  g_free (self->stream);
  G_OBJECT_CLASS (gst_mgpu_source_pad_parent_class)->finalize (object);
}

static void
gst_mgpu_source_pad_init (GstMgpuSourcePad * self)
{
}

static void
gst_mgpu_source_pad_class_init (GstMgpuSourcePadClass * klass)
{
  G_OBJECT_CLASS (klass)->dispose = gst_mgpu_source_pad_dispose;
  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_source_pad_finalize;
}
