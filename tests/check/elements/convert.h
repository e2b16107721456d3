/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Conversions and what they should make. */
#pragma once

#include "reference.h"

#include "../../cases/frame.h"

#define PAR ",pixel-aspect-ratio=1/1"

static inline RefFrame
make_frame (GstVideoFrame * frame)
{
  RefFrame result = describe_frame (&frame->info);

  for (gint i = 0; i < result.n_components; i++)
    result.plane[i] = ref_plane (frame, i);
  return result;
}

/* to has to be what the reference makes of from. Rectangles of width 0 are the
 * whole frame. */
static inline void
check_frame (const GstVideoInfo * in_info, GstBuffer * from,
    const GstVideoInfo * out_info, GstBuffer * to, const RefConvert * params)
{
  g_autoptr (GstBuffer) expected = frame_new (out_info, LAYOUT_DEFAULT, 1);
  RefConvert convert = *params;
  GstVideoFrame in, out;
  RefFrame a, b;

  fail_unless (gst_video_frame_map (&in, in_info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, out_info, expected, GST_MAP_WRITE));
  a = make_frame (&in);
  b = make_frame (&out);
  if (!GST_VIDEO_INFO_HAS_ALPHA (out_info))
    a.n_components = MIN (a.n_components, 3);
  if (convert.source.width == 0)
    convert.source = (RefRectangle) {
    0, 0, a.width, a.height};
  if (convert.destination.width == 0)
    convert.destination = (RefRectangle) {
    0, 0, b.width, b.height};
  ref_convert (&a, &b, &convert);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  fail_unless_same_frame (out_info, to, expected);
}

static inline GstVideoInfo
current_info (GstHarness * h)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);
  GstVideoInfo info;

  fail_unless (caps != NULL && gst_video_info_from_caps (&info, caps));
  return info;
}

/* Pushes a frame like in, from layout, and compares what comes out of h. */
static inline void
push_and_check (GstHarness * h, const GstVideoInfo * in, Layout layout,
    const RefConvert * params)
{
  g_autoptr (GstBuffer) from = frame_new (in, layout, in->width);
  g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));
  GstVideoInfo out = current_info (h);

  check_frame (in, from, &out, to, params);
}

static inline GstHarness *
convert_new (const gchar * launch, const gchar * in, const gchar * out,
    GstVideoInfo * info)
{
  GstHarness *h = harness_open (launch);

  *info = info_from_string (in);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (h, out);
  gst_harness_set_src_caps_str (h, in);
  return h;
}

/* A frame like info of which a part is seen. */
static inline GstBuffer *
cropped_new (GstHarness * h, const GstVideoInfo * info, gboolean device,
    const RefRectangle * seen)
{
  GstVideoCropMeta *crop;
  GstBuffer *buffer;

  if (device) {
    g_autoptr (GstMgpuContext) context = harness_context (h);

    buffer = device_frame_new (context, info, 7);
  } else {
    buffer = frame_new (info, LAYOUT_DEFAULT, 7);
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info),
      (gsize *) info->offset, (gint *) info->stride);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = seen->x;
  crop->y = seen->y;
  crop->width = seen->width;
  crop->height = seen->height;
  return buffer;
}
