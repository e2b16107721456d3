/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the base class of filters with a second input. */
#include "gstmgpuguided.h"

G_DEFINE_ABSTRACT_TYPE (GstMgpuGuided, gst_mgpu_guided, GST_TYPE_MGPU_FILTER);
#define parent_class gst_mgpu_guided_parent_class

/* Returns: (transfer full) (nullable): the guide, NULL where no pad was requested */
static GstMgpuGuide *
get_guide (GstMgpuGuided * self)
{
  GstMgpuGuide *guide;

  GST_OBJECT_LOCK (self);
  guide = self->guide != NULL ? gst_mgpu_guide_ref (self->guide) : NULL;
  GST_OBJECT_UNLOCK (self);
  return guide;
}

gboolean
gst_mgpu_guided_has_pad (GstMgpuGuided * self)
{
  gboolean has_pad;

  GST_OBJECT_LOCK (self);
  has_pad = self->guide != NULL;
  GST_OBJECT_UNLOCK (self);
  return has_pad;
}

/* --- Frames --- */

/* Returns: the running time of the frame @in; 0 where the frame begins before the segment,
 * GST_CLOCK_TIME_NONE where it has no timestamp */
static GstClockTime
get_time (GstMgpuGuided * self, GstBuffer * in)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime time;

  if (segment->format != GST_FORMAT_TIME || !GST_BUFFER_PTS_IS_VALID (in))
    return GST_CLOCK_TIME_NONE;
  return gst_segment_to_running_time_full (segment, GST_FORMAT_TIME,
      GST_BUFFER_PTS (in), &time) > 0 ? time : 0;
}

GstFlowReturn
gst_mgpu_guided_take (GstMgpuGuided * self, GstBuffer * in,
    GstBuffer ** buffer, GstVideoInfo * info)
{
  GstMgpuDeviceUser *user = &GST_MGPU_FILTER (self)->user;
  GstMgpuGuide *guide = get_guide (self);
  const GstVideoInfo *like = &user->info;
  GError *error = NULL;
  GstFlowReturn ret;

  *buffer = NULL;
  if (guide == NULL)
    return GST_FLOW_OK;
  ret = gst_mgpu_guide_take (guide, get_time (self, in), buffer, info);
  if (ret == GST_FLOW_EOS)
    error = g_error_new (GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "no frame came to the pad \"%s\": link a stream of video to it, and "
        "put a queue into each branch where both streams have one source",
        GST_PAD_NAME (gst_mgpu_guide_get_pad (guide)));
  else if (*buffer != NULL
      && (GST_VIDEO_INFO_WIDTH (info) != GST_VIDEO_INFO_WIDTH (like)
          || GST_VIDEO_INFO_HEIGHT (info) != GST_VIDEO_INFO_HEIGHT (like)))
    error = g_error_new (GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "what comes to the pad \"%s\" has %dx%d pixels, but the frames have "
        "%dx%d: put \"videoscale ! video/x-raw,width=%d,height=%d\" before it",
        GST_PAD_NAME (gst_mgpu_guide_get_pad (guide)),
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
        GST_VIDEO_INFO_WIDTH (like), GST_VIDEO_INFO_HEIGHT (like),
        GST_VIDEO_INFO_WIDTH (like), GST_VIDEO_INFO_HEIGHT (like));
  gst_mgpu_guide_unref (guide);
  if (error == NULL)
    return ret;
  gst_clear_buffer (buffer);
  return gst_mgpu_device_user_fail (user, error);
}

void
gst_mgpu_guided_skip (GstMgpuGuided * self, GstBuffer * in)
{
  GstMgpuGuide *guide = get_guide (self);

  if (guide == NULL)
    return;
  gst_mgpu_guide_skip (guide, get_time (self, in));
  gst_mgpu_guide_unref (guide);
}

/* Skips the guide of a frame that passes because "enabled" is off, so that the stream of
 * guides goes on. */
static void
gst_mgpu_guided_before_transform (GstBaseTransform * trans, GstBuffer * in)
{
  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, in);
  if (gst_mgpu_filter_is_resting (GST_MGPU_FILTER (trans)))
    gst_mgpu_guided_skip (GST_MGPU_GUIDED (trans), in);
}

/* --- The pad --- */

static GstPad *
gst_mgpu_guided_request_new_pad (GstElement * element,
    GstPadTemplate * templ, const gchar * name, const GstCaps * caps)
{
  GstMgpuGuided *self = GST_MGPU_GUIDED (element);
  GstMgpuGuide *guide = get_guide (self);

  if (guide != NULL) {
    gst_mgpu_guide_unref (guide);
    GST_WARNING_OBJECT (self, "there is such a pad already");
    return NULL;
  }
  guide = gst_mgpu_guide_new (&GST_MGPU_FILTER (self)->user, templ,
      GST_PAD_TEMPLATE_NAME_TEMPLATE (templ));
  GST_OBJECT_LOCK (self);
  self->guide = guide;
  GST_OBJECT_UNLOCK (self);
  return gst_mgpu_guide_get_pad (guide);
}

static void
gst_mgpu_guided_release_pad (GstElement * element, GstPad * pad)
{
  GstMgpuGuided *self = GST_MGPU_GUIDED (element);
  GstMgpuGuide *guide;

  GST_OBJECT_LOCK (self);
  guide = g_steal_pointer (&self->guide);
  GST_OBJECT_UNLOCK (self);
  if (guide == NULL)
    return;
  gst_mgpu_guide_remove (guide);
  gst_mgpu_guide_unref (guide);
}

/* Remembers seqnum as the sequence number of the last seek.
 * Returns: whether it differs from the one before */
static gboolean
begin_seek (GstMgpuGuided * self, guint32 seqnum)
{
  gboolean is_new;

  GST_OBJECT_LOCK (self);
  is_new = seqnum != self->seek_seqnum;
  self->seek_seqnum = seqnum;
  GST_OBJECT_UNLOCK (self);
  return is_new;
}

/* Forgets the number of a seek that failed, because the same seek may be tried again. */
static void
forget_seek (GstMgpuGuided * self, guint32 seqnum)
{
  GST_OBJECT_LOCK (self);
  if (self->seek_seqnum == seqnum)
    self->seek_seqnum = GST_SEQNUM_INVALID;
  GST_OBJECT_UNLOCK (self);
}

static GstStateChangeReturn
gst_mgpu_guided_change_state (GstElement * element,
    GstStateChange transition)
{
  GstMgpuGuided *self = GST_MGPU_GUIDED (element);
  GstMgpuGuide *guide = get_guide (self);
  GstStateChangeReturn ret;

  /* Ends waits for guides before the parent class deactivates the pads, which waits for
   * their threads. */
  if (guide != NULL && transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_mgpu_guide_set_stopping (guide, TRUE);
  if (guide != NULL && transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    gst_mgpu_guide_set_stopping (guide, FALSE);
  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
  if (guide != NULL && transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    gst_mgpu_guide_reset (guide);
    begin_seek (self, GST_SEQNUM_INVALID);
  }
  if (guide != NULL)
    gst_mgpu_guide_unref (guide);
  return ret;
}

static gboolean
gst_mgpu_guided_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuGuide *guide = get_guide (GST_MGPU_GUIDED (trans));

  if (guide != NULL) {
    switch (GST_EVENT_TYPE (event)) {
      case GST_EVENT_FLUSH_START:
        gst_mgpu_guide_set_flushing (guide, TRUE);
        break;
      case GST_EVENT_FLUSH_STOP:
        gst_mgpu_guide_set_flushing (guide, FALSE);
        gst_mgpu_guide_set_done (guide, FALSE);
        break;
      case GST_EVENT_STREAM_START:
        gst_mgpu_guide_set_done (guide, FALSE);
        break;
      case GST_EVENT_EOS:
        gst_mgpu_guide_set_done (guide, TRUE);
        break;
      default:
        break;
    }
    gst_mgpu_guide_unref (guide);
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* Handles a seek. Each sink behind the filter sends the same seek: the first one to come
 * seeks both inputs, the others, known by their sequence number, do nothing. */
static gboolean
gst_mgpu_guided_src_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuGuided *self = GST_MGPU_GUIDED (trans);
  guint32 seqnum = gst_event_get_seqnum (event);
  GstMgpuGuide *guide =
      GST_EVENT_TYPE (event) == GST_EVENT_SEEK ? get_guide (self) : NULL;
  gboolean ret = TRUE;

  if (guide == NULL)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans, event);
  if (begin_seek (self, seqnum)) {
    gst_mgpu_guide_begin_seek (guide, event);
    ret = GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans,
        gst_event_ref (event));
    gst_mgpu_guide_end_seek (guide, event, ret);
    if (!ret)
      forget_seek (self, seqnum);
  }
  gst_event_unref (event);
  gst_mgpu_guide_unref (guide);
  return ret;
}

static gboolean
gst_mgpu_guided_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  gboolean ret = GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans,
      direction, query);
  GstMgpuGuide *guide;
  GstClockTime latency;

  if (!ret || direction != GST_PAD_SRC
      || GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return ret;
  guide = get_guide (GST_MGPU_GUIDED (trans));
  if (guide != NULL) {
    GST_OBJECT_LOCK (trans);
    latency = GST_MGPU_FILTER (trans)->latency;
    GST_OBJECT_UNLOCK (trans);
    gst_mgpu_guide_add_latency (guide, query, latency);
    gst_mgpu_guide_unref (guide);
  }
  return ret;
}

/* --- GObject --- */

static void
gst_mgpu_guided_dispose (GObject * object)
{
  GstMgpuGuided *self = GST_MGPU_GUIDED (object);

  /* The parent class releases the pad, and with it the guide, unless the application
   * removed the pad itself: then the guide is freed here. */
  G_OBJECT_CLASS (parent_class)->dispose (object);
  g_clear_pointer (&self->guide, gst_mgpu_guide_unref);
}

static void
gst_mgpu_guided_init (GstMgpuGuided * self)
{
}

static void
gst_mgpu_guided_class_init (GstMgpuGuidedClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gst_mgpu_guided_dispose;
  element_class->request_new_pad = gst_mgpu_guided_request_new_pad;
  element_class->release_pad = gst_mgpu_guided_release_pad;
  element_class->change_state = gst_mgpu_guided_change_state;
  trans_class->sink_event = gst_mgpu_guided_sink_event;
  trans_class->src_event = gst_mgpu_guided_src_event;
  trans_class->query = gst_mgpu_guided_query;
  trans_class->before_transform = gst_mgpu_guided_before_transform;
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_GUIDED, 0);
}

void
gst_mgpu_guided_class_add_pad (GstElementClass * klass, const gchar * name,
    const gchar * caps_text)
{
  GstCaps *caps = gst_caps_from_string (caps_text);

  gst_element_class_add_pad_template (klass,
      gst_pad_template_new (name, GST_PAD_SINK, GST_PAD_REQUEST, caps));
  gst_caps_unref (caps);
}
