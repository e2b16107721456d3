/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Frames on their way from the device: see the header. */
#include "gstmgpuinflight.h"

void
gst_mgpu_in_flight_init (GstMgpuInFlight * self, GstMgpuDeviceUser * user,
    GstPad * pad)
{
  self->user = user;
  self->pad = pad;
  self->flow = GST_FLOW_OK;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->queue);
}

void
gst_mgpu_in_flight_clear (GstMgpuInFlight * self)
{
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

/* Blocks until the host has the bytes. */
static GstFlowReturn
arrive (GstMgpuInFlight * self, GstBuffer * frame)
{
  GstMemory *memory = gst_buffer_peek_memory (frame, 0);
  GError *error = NULL;

  if (!gst_is_mgpu_memory (memory)
      || gst_mgpu_memory_fetched ((GstMgpuMemory *) memory, &error))
    return GST_FLOW_OK;
  return gst_mgpu_device_user_fail (self->user, error);
}

/* The pad's thread: one frame, or event. It ends its work before it would wait for
 * another one: the pad's stream lock, which it holds, is asked for when the pad
 * stops. */
static void
push_one (gpointer data)
{
  GstMgpuInFlight *self = data;
  GstFlowReturn ret = GST_FLOW_OK;
  GstMiniObject *next;

  g_mutex_lock (&self->lock);
  next = g_queue_peek_head (&self->queue);
  if (next == NULL)
    gst_pad_pause_task (self->pad);
  g_mutex_unlock (&self->lock);
  if (next == NULL)
    return;

  if (GST_IS_BUFFER (next))
    ret = arrive (self, GST_BUFFER_CAST (next));
  g_mutex_lock (&self->lock);
  g_queue_pop_head (&self->queue);
  self->n_frames -= GST_IS_BUFFER (next);
  self->pushing = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);

  if (GST_IS_EVENT (next))
    gst_pad_push_event (self->pad, GST_EVENT_CAST (next));
  else if (ret == GST_FLOW_OK)
    ret = gst_pad_push (self->pad, GST_BUFFER_CAST (next));
  else
    gst_mini_object_unref (next);

  g_mutex_lock (&self->lock);
  self->pushing = FALSE;
  if (ret != GST_FLOW_OK)
    self->flow = ret;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static GstFlowReturn
take_flow (GstMgpuInFlight * self)
{
  GstFlowReturn ret = self->flow;

  self->flow = GST_FLOW_OK;
  return ret;
}

GstFlowReturn
gst_mgpu_in_flight_make_room (GstMgpuInFlight * self, guint n)
{
  GstFlowReturn ret;

  if (n <= 1)
    return gst_mgpu_in_flight_drain (self);
  g_mutex_lock (&self->lock);
  while (self->n_frames >= n)
    g_cond_wait (&self->changed, &self->lock);
  ret = take_flow (self);
  g_mutex_unlock (&self->lock);
  return ret;
}

GstFlowReturn
gst_mgpu_in_flight_drain (GstMgpuInFlight * self)
{
  GstFlowReturn ret;

  g_mutex_lock (&self->lock);
  while (self->queue.length > 0 || self->pushing)
    g_cond_wait (&self->changed, &self->lock);
  ret = take_flow (self);
  g_mutex_unlock (&self->lock);
  return ret;
}

gboolean
gst_mgpu_in_flight_is_empty (GstMgpuInFlight * self)
{
  gboolean empty;

  g_mutex_lock (&self->lock);
  empty = self->queue.length == 0 && !self->pushing;
  g_mutex_unlock (&self->lock);
  return empty;
}

gboolean
gst_mgpu_in_flight_take (GstMgpuInFlight * self, guint n, GstBuffer ** frame,
    GError ** error)
{
  GstMemory *memory = gst_buffer_n_memory (*frame) > 0
      ? gst_buffer_peek_memory (*frame, 0) : NULL;
  gboolean fetches = gst_is_mgpu_memory (memory)
      && GST_MINI_OBJECT_FLAG_IS_SET (memory,
      GST_MGPU_MEMORY_FLAG_NEED_DOWNLOAD);

  if (fetches && !gst_mgpu_memory_fetch ((GstMgpuMemory *) memory, error))
    return FALSE;
  if (n == 1 || (!fetches && gst_mgpu_in_flight_is_empty (self)))
    return TRUE;
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->queue, g_steal_pointer (frame));
  self->n_frames++;
  if (self->queue.length == 1)
    gst_pad_start_task (self->pad, push_one, self, NULL);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

gboolean
gst_mgpu_in_flight_take_event (GstMgpuInFlight * self, GstEvent * event)
{
  gboolean takes;

  g_mutex_lock (&self->lock);
  takes = self->queue.length > 0;
  if (takes)
    g_queue_push_tail (&self->queue, event);
  g_mutex_unlock (&self->lock);
  return takes;
}

void
gst_mgpu_in_flight_stop (GstMgpuInFlight * self)
{
  GstMiniObject *next;

  gst_pad_stop_task (self->pad);
  g_mutex_lock (&self->lock);
  while ((next = g_queue_pop_head (&self->queue)) != NULL)
    gst_mini_object_unref (next);
  self->n_frames = 0;
  self->flow = GST_FLOW_OK;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* --- What elements tell --- */

void
gst_mgpu_in_flight_install (GObjectClass * klass, guint id)
{
  g_object_class_install_property (klass, id,
      g_param_spec_uint ("max-in-flight", "Maximum in flight",
          "Frames that the device may be at work on at once; it delays those "
          "that leave to system memory from memory of its own (1 = no delay)",
          1, 64, GST_MGPU_DEFAULT_IN_FLIGHT,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
}

GstClockTime
gst_mgpu_in_flight_get_latency (guint n, const GstVideoInfo * info)
{
  gint fps_n = GST_VIDEO_INFO_FPS_N (info);

  return fps_n > 0 ? gst_util_uint64_scale (n - 1,
      GST_SECOND * GST_VIDEO_INFO_FPS_D (info), fps_n) : 0;
}

void
gst_mgpu_in_flight_add_latency (GstQuery * query, GstClockTime latency)
{
  GstClockTime min, max;
  gboolean live;

  gst_query_parse_latency (query, &live, &min, &max);
  if (!live)
    return;
  if (max != GST_CLOCK_TIME_NONE)
    max += latency;
  gst_query_set_latency (query, live, min + latency, max);
}
