/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads frames of OpenCV's videos. */
#include "kernelcheck.h"

#include <string.h>

/* Returns pictures of a video, every @step-th. */
typedef struct
{
  guint step, n, most;
  GPtrArray *pictures;
} Frames;

static void
take_frame (GstElement * sink, GstBuffer * buffer, GstPad * pad,
    Frames * frames)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoFrame frame;
  GstVideoInfo info;
  KcRandom random;

  kc_random_init (&random, 1);
  if (frames->n++ % frames->step == 0 && frames->pictures->len < frames->most
      && gst_video_info_from_caps (&info, caps)
      && gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    KcPicture *picture = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);

    for (gint y = 0; y < info.height; y++)
      memcpy (picture->data + picture->info.offset[0]
          + (gsize) y * picture->info.stride[0],
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
          + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
          GST_VIDEO_INFO_COMP_PSTRIDE (&info, 0) * info.width);
    g_ptr_array_add (frames->pictures, picture);
    gst_video_frame_unmap (&frame);
  }
}

GPtrArray *
kc_video_load (const gchar * name, GstVideoFormat format, gint width,
    gint height, guint step, guint most)
{
  g_autofree gchar *size =
      width > 0 ? g_strdup_printf (",width=%d,height=%d", width,
      height) : g_strdup ("");
  g_autofree gchar *launch = g_strdup_printf ("filesrc location=" KC_PHOTOGRAPHS
      "/%s ! decodebin ! videoconvert ! videoscale add-borders=false ! "
      "video/x-raw,format=%s%s ! fakesink name=sink sync=false "
      "signal-handoffs=true num-buffers=%u", name,
      gst_video_format_to_string (format), size, (most - 1) * step + 1);
  Frames frames = { step, 0, most, g_ptr_array_new () };
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  g_signal_connect (sink, "handoff", G_CALLBACK (take_frame), &frames);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_clear_pointer (&message, gst_message_unref);
  g_ptr_array_set_free_func (frames.pictures, (GDestroyNotify) kc_picture_free);
  return frames.pictures;
}
