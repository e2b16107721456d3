/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses the memory of the output frames of a pad, pushes these frames, and computes
 * their latency. */
#include "gstmgpuoutput.h"

#include "gstmgpucaps.h"
#include "gstmgpupools.h"

void
gst_mgpu_output_init (GstMgpuOutput * self, GstMgpuDeviceBase * base,
    GstPad * pad)
{
  self->base = base;
  gst_video_info_init (&self->info);
  gst_mgpu_in_flight_init (&self->in_flight, base, pad);
}

void
gst_mgpu_output_clear (GstMgpuOutput * self)
{
  gst_mgpu_in_flight_clear (&self->in_flight);
}

void
gst_mgpu_output_stop (GstMgpuOutput * self)
{
  guint64 n = gst_mgpu_in_flight_get_pushed (&self->in_flight, NULL);

  /* Logs the number only once: in mgpumotion, this function is called twice, first by the element
   * and then by the base class. */
  if (n > 0)
    GST_MGPU_DEBUG_OBJECT (self->base->element,
        "pushed %" G_GUINT64_FORMAT " frames", n);
  gst_mgpu_in_flight_stop (&self->in_flight);
  GST_OBJECT_LOCK (self->base->element);
  self->to_host = FALSE;
  self->is_apart = FALSE;
  self->latency = 0;
  self->is_live = FALSE;
  GST_OBJECT_UNLOCK (self->base->element);
}

/* --- Caps and memory --- */

static gboolean
is_on_device (GstCaps * caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_OPENCL);
}

gboolean
gst_mgpu_output_set_caps (GstMgpuOutput * self, GstCaps * caps, GError ** error)
{
  self->gives_device_frames = is_on_device (caps);
  return gst_mgpu_caps_parse (caps, &self->info, error);
}

/* Returns: (transfer full) (nullable): the buffer pool that downstream offers, if its
 * frames are in the element's OpenCL context */
static GstBufferPool *
take_pool (GstMgpuOutput * self, GstQuery * query, GstCaps * caps,
    guint * size, gboolean video_meta)
{
  for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
    GstBufferPool *pool = NULL;
    guint offered;

    gst_query_parse_nth_allocation_pool (query, i, &pool, &offered, NULL, NULL);
    if (pool != NULL && GST_IS_MGPU_BUFFER_POOL (pool)
        && gst_mgpu_buffer_pool_get_context (GST_MGPU_BUFFER_POOL (pool)) ==
        self->base->context) {
      offered = MAX (offered, *size);
      if (gst_mgpu_configure_pool (pool, caps, &offered, 0, 0, video_meta,
              TRUE)) {
        *size = offered;
        return pool;
      }
    }
    GST_MGPU_DEBUG_OBJECT (self->base->element,
        "downstream offers %" GST_PTR_FORMAT
        "; ignoring it, because it is not in %" GST_PTR_FORMAT
        ", or does not support the caps", pool, self->base->context);
    gst_clear_object (&pool);
  }
  return NULL;
}

/* Returns: (transfer full) (nullable): a buffer pool for output frames of @caps,
 * configured but not active. @size (inout) is the size of a frame in bytes */
static GstBufferPool *
choose_pool (GstMgpuOutput * self, GstQuery * query, GstCaps * caps,
    guint * size)
{
  GstMgpuDeviceBase *base = self->base;
  gboolean on_device = is_on_device (caps);
  gboolean strides = self->takes_video_meta || on_device;
  GstBufferPool *pool = take_pool (self, query, caps, size, strides);
  gboolean is_theirs = pool != NULL;

  /* Output frames stay on the device if the next element is an mgpu element in the same
   * OpenCL context. Such an element offers a pool of device memory. */
  GST_OBJECT_LOCK (base->element);
  self->is_apart = !gst_mgpu_context_get_traits (base->context)->unified_memory;
  self->to_host = !on_device && pool == NULL && self->is_apart;
  GST_OBJECT_UNLOCK (base->element);
  if (pool == NULL) {
    pool = gst_mgpu_buffer_pool_new (base->queue, base->stats);
    if (!gst_mgpu_configure_pool (pool, caps, size, 0, 0, strides, TRUE))
      gst_clear_object (&pool);
  }
  GST_MGPU_INFO_OBJECT (base->element,
      "pushing frames in %" GST_PTR_FORMAT " (a pool of %s), with %u bytes "
      "for each frame, %s; strides may differ from the strides in the caps: %s",
      pool, is_theirs ? "the next element" : "its own", *size,
      self->to_host ? "and downloading them" : "without copying them",
      strides ? "yes" : "no");
  return pool;
}

void
gst_mgpu_output_use_pool (GstMgpuOutput * self, GstQuery * query,
    GstBufferPool * pool, guint size)
{
  guint i;

  while (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);
  gst_query_add_allocation_pool (query, pool, size, 0, 0);
  if (!GST_IS_MGPU_BUFFER_POOL (pool)) {
    GST_MGPU_INFO_OBJECT (self->base->element,
        "pushing frames in the buffer pool "
        "of another element, without downloading them: %" GST_PTR_FORMAT, pool);
    GST_OBJECT_LOCK (self->base->element);
    self->to_host = FALSE;
    self->is_apart = FALSE;
    GST_OBJECT_UNLOCK (self->base->element);
  }
  gst_object_unref (pool);

  /* Removes from the query the metas that upstream must not use: the crop meta, because
   * the kernels of this library ignore it, and metas that describe memory. The latter
   * include GstVideoMeta, which propose_allocation() adds itself. */
  i = gst_query_get_n_allocation_metas (query);
  while (i-- > 0) {
    GType api = gst_query_parse_nth_allocation_meta (query, i, NULL);

    if (api == GST_VIDEO_CROP_META_API_TYPE || gst_meta_api_type_has_tag (api,
            g_quark_from_string (GST_META_TAG_MEMORY_STR)))
      gst_query_remove_nth_allocation_meta (query, i);
  }
  gst_mgpu_output_update_latency (self);
}

gboolean
gst_mgpu_output_decide_allocation (GstMgpuOutput * self, GstQuery * query)
{
  GError *error = NULL;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstCaps *caps;
  guint size;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL || !gst_video_info_from_caps (&info, caps))
    return FALSE;

  self->takes_video_meta = gst_query_find_allocation_meta (query,
      GST_VIDEO_META_API_TYPE, NULL);
  size = GST_VIDEO_INFO_SIZE (&info);
  pool = choose_pool (self, query, caps, &size);
  if (pool == NULL) {
    gst_mgpu_device_base_set_no_memory (self->base, size, &error);
    gst_mgpu_device_base_fail (self->base, error);
    return FALSE;
  }
  gst_mgpu_output_use_pool (self, query, pool, size);
  return TRUE;
}

/* --- Frames in flight --- */

guint
gst_mgpu_output_get_max_in_flight (GstMgpuOutput * self)
{
  guint n = gst_mgpu_device_base_get_max_in_flight (self->base);
  gboolean waits;

  /* Allows several frames in flight if another thread has to wait for the download of a frame, or
   * for results that complete a frame on the device. */
  GST_OBJECT_LOCK (self->base->element);
  waits = self->to_host || (self->is_apart && self->in_flight.completes);
  GST_OBJECT_UNLOCK (self->base->element);
  return waits ? n : 1;
}

gboolean
gst_mgpu_output_take (GstMgpuOutput * self, GstBuffer ** frame, GError ** error)
{
  /* No lock is needed to read @to_host and @is_apart, because only the streaming thread writes
   * them. */
  if (!self->to_host && !(self->is_apart && self->in_flight.completes))
    return TRUE;
  return gst_mgpu_in_flight_take (&self->in_flight,
      gst_mgpu_output_get_max_in_flight (self), self->to_host, frame, error);
}

GstFlowReturn
gst_mgpu_output_push (GstMgpuOutput * self, GstBuffer * frame,
    GstSegment * segment, GstFlowReturn flow)
{
  GstClockTime end = gst_mgpu_in_flight_get_end (frame);
  GError *error = NULL;

  if (segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (end))
    segment->position = end;
  if (self->discont && !GST_BUFFER_IS_DISCONT (frame)) {
    frame = gst_buffer_make_writable (frame);
    GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  }
  self->discont = FALSE;
  GST_MGPU_LOG_OBJECT (self->base->element, "pushing %" GST_PTR_FORMAT, frame);
  if (!gst_mgpu_output_take (self, &frame, &error)) {
    gst_buffer_unref (frame);
    return gst_mgpu_device_base_fail (self->base, error);
  }
  return frame == NULL ? flow
      : gst_mgpu_in_flight_push (&self->in_flight, frame);
}

void
gst_mgpu_output_answer_position (GstMgpuOutput * self, GstQuery * query,
    const GstSegment * segment)
{
  GstClockTime position;
  GstFormat format;

  gst_query_parse_position (query, &format, NULL);
  gst_mgpu_in_flight_get_pushed (&self->in_flight, &position);
  if (format == GST_FORMAT_TIME && segment->format == GST_FORMAT_TIME
      && GST_CLOCK_TIME_IS_VALID (position))
    gst_query_set_position (query, format,
        gst_segment_to_stream_time (segment, GST_FORMAT_TIME, position));
}

GstMessage *
gst_mgpu_output_correct_qos (GstMgpuOutput * self, GstMessage * message)
{
  GstFormat format;
  guint64 dropped;

  GST_MGPU_DEBUG_OBJECT (self->base->element, "QoS: %" GST_PTR_FORMAT, message);
  message = gst_message_make_writable (message);
  gst_message_parse_qos_stats (message, &format, NULL, &dropped);
  gst_message_set_qos_stats (message, format,
      gst_mgpu_in_flight_get_pushed (&self->in_flight, NULL), dropped);
  return message;
}

void
gst_mgpu_output_update_latency (GstMgpuOutput * self)
{
  GstElement *element = self->base->element;
  guint n = gst_mgpu_output_get_max_in_flight (self) - 1;
  GstClockTime latency, frame;
  gboolean changed;
  guint n_held;

  GST_OBJECT_LOCK (element);
  frame = gst_mgpu_caps_get_duration (&self->info, 1);
  latency = gst_mgpu_caps_get_duration (&self->info, n + self->n_held);
  if (frame == 0 && self->n_held > 0) {
    frame = GST_SECOND / 25;
    latency = (n + self->n_held) * frame;
  }
  self->held_time = self->n_held * frame;
  changed = self->latency != latency;
  self->latency = latency;
  n_held = self->n_held;
  GST_OBJECT_UNLOCK (element);
  if (changed)
    GST_MGPU_INFO_OBJECT (element,
        "the latency of this element is %" GST_TIME_FORMAT " now: up to %u "
        "frames in flight, %u frames kept", GST_TIME_ARGS (latency), n, n_held);
  if (changed)
    gst_element_post_message (element,
        gst_message_new_latency (GST_OBJECT (element)));
}

void
gst_mgpu_output_set_held (GstMgpuOutput * self, guint n)
{
  GST_OBJECT_LOCK (self->base->element);
  self->n_held = n;
  GST_OBJECT_UNLOCK (self->base->element);
  gst_mgpu_output_update_latency (self);
}

GstClockTime
gst_mgpu_output_get_held_time (GstMgpuOutput * self)
{
  GstClockTime time;

  GST_OBJECT_LOCK (self->base->element);
  time = self->held_time;
  GST_OBJECT_UNLOCK (self->base->element);
  return time;
}

gboolean
gst_mgpu_output_is_live (GstMgpuOutput * self)
{
  gboolean is_live;

  GST_OBJECT_LOCK (self->base->element);
  is_live = self->is_live;
  GST_OBJECT_UNLOCK (self->base->element);
  return is_live;
}

void
gst_mgpu_output_add_latency (GstMgpuOutput * self, GstQuery * query)
{
  GstClockTime min, max, latency;
  gboolean live;

  gst_query_parse_latency (query, &live, &min, &max);
  GST_OBJECT_LOCK (self->base->element);
  latency = self->latency;
  self->is_live = live;
  GST_OBJECT_UNLOCK (self->base->element);
  GST_MGPU_DEBUG_OBJECT (self->base->element,
      "upstream is%s live, and its latency is %" GST_TIME_FORMAT "; "
      "this element adds %"
      GST_TIME_FORMAT, live ? "" : " not", GST_TIME_ARGS (min),
      GST_TIME_ARGS (live ? latency : 0));
  if (!live)
    return;
  if (max != GST_CLOCK_TIME_NONE)
    max += latency;
  gst_query_set_latency (query, live, min + latency, max);
}
