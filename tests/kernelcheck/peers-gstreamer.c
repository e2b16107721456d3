/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls GStreamer's GstVideoConverter, a peer of the function convert. */
#include "peers.h"

#include <string.h>

static gboolean
map_picture (const KcPicture * picture, GstVideoFrame * frame)
{
  const GstVideoInfo *info = &picture->info;
  g_autoptr (GstBuffer) buffer = gst_buffer_new_wrapped_full (0, picture->data,
      picture->size, 0, picture->size, NULL, NULL);
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  gboolean ok;

  memcpy (offset, info->offset, sizeof (offset));
  memcpy (stride, info->stride, sizeof (stride));
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), offset,
      stride);
  ok = gst_video_frame_map (frame, info, buffer, GST_MAP_READWRITE);
  /* Drops the buffer's reference, because the mapped frame holds one. */
  return ok;
}

void
kc_gstreamer_convert (const KcPicture * in, KcPicture * out, gboolean is_cubic,
    guint n_threads)
{
  static GstVideoConverter *converter;
  static GstVideoInfo from, to;
  static gboolean was_cubic;
  GstVideoFrame in_frame, out_frame;

  if (converter == NULL || !gst_video_info_is_equal (&from, &in->info)
      || !gst_video_info_is_equal (&to, &out->info) || was_cubic != is_cubic) {
    g_clear_pointer (&converter, gst_video_converter_free);
    from = in->info;
    to = out->info;
    was_cubic = is_cubic;
    converter = gst_video_converter_new (&from, &to,
        gst_structure_new ("options", GST_VIDEO_CONVERTER_OPT_THREADS,
            G_TYPE_UINT, n_threads, GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD,
            GST_TYPE_VIDEO_RESAMPLER_METHOD, is_cubic
            ? GST_VIDEO_RESAMPLER_METHOD_CUBIC
            : GST_VIDEO_RESAMPLER_METHOD_LINEAR,
            GST_VIDEO_RESAMPLER_OPT_CUBIC_B, G_TYPE_DOUBLE, 0.0,
            GST_VIDEO_RESAMPLER_OPT_CUBIC_C, G_TYPE_DOUBLE, 0.5,
            GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, GST_TYPE_VIDEO_DITHER_METHOD,
            GST_VIDEO_DITHER_NONE, NULL));
  }
  if (map_picture (in, &in_frame)) {
    if (map_picture (out, &out_frame)) {
      gst_video_converter_frame (converter, &in_frame, &out_frame);
      gst_video_frame_unmap (&out_frame);
    }
    gst_video_frame_unmap (&in_frame);
  }
}
