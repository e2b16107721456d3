/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuconvert: geometry, crop, caps, orientation tags, and frames that need no conversion. */
#include "convert.h"

/* Maps each of all_formats to the format to which it is converted; together they convert to all
 * formats, from all kinds of format. */
static const GstVideoFormat partners[] = {
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_YV12, GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_RGB,
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_xBGR, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_ABGR, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_P010_10LE
};

/* --- Pixels --- */

GST_START_TEST (test_formats)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  static const gint sizes[][2] = { {37, 23}, {1, 1}, {2, 3} };
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuconvert");
  g_autofree gchar *out = g_strdup_printf ("video/x-raw,format=%s",
      gst_video_format_to_string (partners[__i__]));

  gst_harness_set_sink_caps_str (h, out);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstCaps *caps = caps_new (all_formats[__i__], sizes[i][0], sizes[i][1],
        FALSE);
    GstVideoInfo info;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    push_and_check (h, &info, i == 0 ? LAYOUT_PADDED : LAYOUT_DEFAULT, &same);
  }
}

GST_END_TEST;

/* Formats that only mgpuconvert accepts, each converted from and to NV12, RGBA, I420_10LE and
 * GRAY8 */
GST_START_TEST (test_more_formats)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  static const gchar *const more[] = {
    "NV16", "NV61", "NV24", "YVYU", "v308", "AYUV", "VUYA", "A420", "RGBP",
    "BGRP",
    "GBR", "GBR_10LE", "GBR_12LE", "I422_10LE", "Y444_10LE", "I420_12LE",
    "I422_12LE", "Y444_12LE", "P012_LE", "P016_LE", "Y210", "Y212_LE", "v210",
    "Y410", "RGB16", "BGR16", "RGB15", "BGR15", "NV12_4L4", "NV12_32L32",
    "GRAY16_BE"
  };
  static const gchar *const others[] = { "NV12", "RGBA", "I420_10LE", "GRAY8" };

  for (guint i = 0; i < G_N_ELEMENTS (more); i++) {
    for (guint k = 0; k < 2 * G_N_ELEMENTS (others); k++) {
      const gchar *other = others[k / 2];
      GstVideoFormat from =
          gst_video_format_from_string (k & 1 ? other : more[i]);
      g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuconvert");
      g_autofree gchar *out = g_strdup_printf ("video/x-raw,format=%s",
          k & 1 ? more[i] : other);
      GstCaps *caps = caps_new (from, 19, 7, FALSE);
      GstVideoInfo info;

      fail_unless (gst_video_info_from_caps (&info, caps));
      gst_harness_set_sink_caps_str (h, out);
      gst_harness_set_src_caps (h, caps);
      push_and_check (h, &info, i & 1 ? LAYOUT_PADDED : LAYOUT_DEFAULT, &same);
    }
  }
}

GST_END_TEST;

/* Tests alpha in a separate plane: conversion from and to formats with interleaved alpha, with
 * rotation, borders, crops and other sizes. Frames without alpha become opaque. */
GST_START_TEST (test_alpha_plane)
{
  static const struct
  {
    const gchar *launch, *in, *out;
    RefConvert params;
  } cases[] = {
    {"mgpuconvert", HOST_CAPS ("A420", 41, 29), "video/x-raw,format=BGRA",
        {.method = REF_CONVERT_BILINEAR}},
    {"mgpuconvert", HOST_CAPS ("BGRA", 41, 29), "video/x-raw,format=A420",
        {.method = REF_CONVERT_BILINEAR}},
    {"mgpuconvert", HOST_CAPS ("A420", 1, 1), "video/x-raw,format=ARGB",
        {.method = REF_CONVERT_BILINEAR}},
    {"mgpuconvert", HOST_CAPS ("A420", 5, 3), "video/x-raw,format=I420",
        {.method = REF_CONVERT_BILINEAR}},
    {"mgpuconvert", HOST_CAPS ("I420", 5, 3), "video/x-raw,format=A420",
        {.method = REF_CONVERT_BILINEAR}},
    {"mgpuconvert video-direction=90r", HOST_CAPS ("A420", 96, 68),
          "video/x-raw,format=A420",
        {.method = REF_CONVERT_BILINEAR,.transpose = 1,.flip_x = 1}},
    {"mgpuconvert video-direction=horiz", HOST_CAPS ("A420", 97, 69),
        "video/x-raw,format=A420", {.method = REF_CONVERT_BILINEAR,.flip_x =
                1}},
    {"mgpuconvert method=lanczos", HOST_CAPS ("VUYA", 50, 41),
          "video/x-raw,format=A420,width=21,height=17",
        {.method = REF_CONVERT_LANCZOS}},
    {"mgpuconvert method=area", HOST_CAPS ("A420", 80, 60),
          "video/x-raw,format=RGBA,width=40,height=40" PAR,
        {.method = REF_CONVERT_AREA,.destination = {0, 5, 40, 30}}},
    {"mgpuconvert", HOST_CAPS ("RGBA", 80, 60),
          "video/x-raw,format=A420,width=40,height=40" PAR,
        {.method = REF_CONVERT_BILINEAR,.destination = {0, 4, 40, 30}}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstVideoInfo info;
    g_autoptr (GstHarness) h =
        convert_new (cases[i].launch, cases[i].in, cases[i].out, &info);

    GST_INFO ("case %u", i);
    for (Layout layout = 0; layout < N_LAYOUTS; layout++)
      push_and_check (h, &info, layout, &cases[i].params);
  }
}

GST_END_TEST;

/* Tests formats whose samples share words or lie in tiles: all layouts of frames, widths that are
 * not a multiple of a group of pixels, changes of the size, and frames that pass unchanged. */
GST_START_TEST (test_packed)
{
  static const RefConvert mirrored = {.method = REF_CONVERT_BILINEAR,.flip_x = 1
  };
  static const gchar *const formats[] = {
    "v210", "Y210", "Y410", "RGB16", "NV12_4L4", "NV12_32L32", "GRAY16_BE"
  };
  static const gint sizes[][2] = { {1, 1}, {7, 3}, {70, 66}, {97, 5} };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstVideoFormat format = gst_video_format_from_string (formats[i]);
    g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuconvert name=f");
    g_autoptr (GstElement) filter = harness_filter (h);
    g_autofree gchar *out =
        g_strdup_printf ("video/x-raw,format=%s", formats[i]);

    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
    gst_harness_set_sink_caps_str (h, out);
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
      GstCaps *caps = caps_new (format, sizes[k][0], sizes[k][1], FALSE);
      g_autoptr (GstBuffer) from = NULL, to = NULL;
      GstVideoInfo info;

      fail_unless (gst_video_info_from_caps (&info, caps));
      gst_harness_set_src_caps (h, caps);
      gst_util_set_object_arg (G_OBJECT (filter), "video-direction", "horiz");
      for (Layout layout = 0; layout < N_LAYOUTS; layout++)
        push_and_check (h, &info, layout, &mirrored);
      gst_util_set_object_arg (G_OBJECT (filter), "video-direction",
          "identity");
      from = frame_new (&info, LAYOUT_DEFAULT, k);
      to = harness_push_pull (h, gst_buffer_ref (from));
      fail_unless (to == from);
    }
  }
}

GST_END_TEST;

/* Tests that the matrix offsets for 16-bit gray fit in 32 bits: they are 2^12 times the offset as a
 * fraction. */
GST_START_TEST (test_deep_range)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  GstVideoInfo info;
  g_autoptr (GstHarness) h = convert_new ("mgpuconvert",
      HOST_CAPS ("GRAY16_LE", 40, 9) ",colorimetry=1:4:0:0",
      "video/x-raw,format=GRAY16_LE,colorimetry=2:4:0:0", &info);

  push_and_check (h, &info, LAYOUT_DEFAULT, &same);
}

GST_END_TEST;

/* Tests scaling in both directions, borders and rotation. The expected rectangles were computed by
 * hand. */
GST_START_TEST (test_geometry)
{
  static const struct
  {
    const gchar *launch, *in, *out;
    RefConvert params;
  } cases[] = {
    {"mgpuconvert video-direction=90r", HOST_CAPS ("NV12", 41, 29), "ANY",
        {.method = REF_CONVERT_BILINEAR,.transpose = 1,.flip_x = 1}},
    /* Scaled to fit 64 columns, 41x29 pixels have 45.3 rows; scaled to fit 19 rows, they have 26.9
     * columns. The rest of the output is borders. */
    {"mgpuconvert video-direction=horiz", HOST_CAPS ("NV12", 41, 29),
          "video/x-raw,width=64,height=64" PAR,
        {.method = REF_CONVERT_BILINEAR,.flip_x = 1,.destination =
                {0, 8, 64, 45}}},
    {"mgpuconvert video-direction=horiz add-borders=false",
          HOST_CAPS ("NV12", 41, 29), "video/x-raw,width=64,height=64" PAR,
        {.method = REF_CONVERT_BILINEAR,.flip_x = 1}},
    /* Input that is twice as high as wide, with pixels that are twice as wide as high */
    {"mgpuconvert", HOST_CAPS ("GRAY8", 20, 40),
          "video/x-raw,width=40,height=80,pixel-aspect-ratio=2/1",
        {.method = REF_CONVERT_BILINEAR,.destination = {10, 0, 20, 80}}},
    {"mgpuconvert", HOST_CAPS ("GRAY8", 2, 40),
          "video/x-raw,width=200,height=10" PAR,
        {.method = REF_CONVERT_BILINEAR,.destination = {99, 0, 1, 10}}},
    /* The borders are wider than the image, which begins at a whole chroma sample. */
    {"mgpuconvert", HOST_CAPS ("NV12", 3, 41),
          "video/x-raw,width=91,height=41" PAR,
        {.method = REF_CONVERT_BILINEAR,.destination = {44, 0, 3, 41}}},
    /* Pixel aspect ratios of large numbers, as in files that have a display size */
    {"mgpuconvert", HOST_CAPS ("GRAY8", 40, 20)
          ",pixel-aspect-ratio=2000000000/2000000001", "video/x-raw,width=80,"
          "height=60,pixel-aspect-ratio=2000000000/2000000001",
        {.method = REF_CONVERT_BILINEAR,.destination = {0, 10, 80, 40}}},
    {"mgpuconvert video-direction=90r", HOST_CAPS ("GRAY8", 20, 40)
          ",pixel-aspect-ratio=2000000000/2000000001",
          "video/x-raw,width=80,height=60" PAR, {.method = REF_CONVERT_BILINEAR,
            .transpose = 1,.flip_x = 1,.destination = {0, 10, 80, 40}}},
    {"mgpuconvert", HOST_CAPS ("GRAY8", 40, 20)
        ",pixel-aspect-ratio=2147483647/1", "video/x-raw,width=80,height=60"
          PAR, {.method = REF_CONVERT_BILINEAR,.destination = {0, 29, 80, 1}}},
    {"mgpuconvert", HOST_CAPS ("GRAY8", 40, 20)
        ",pixel-aspect-ratio=1/2147483647", "video/x-raw,width=80,height=60"
          PAR, {.method = REF_CONVERT_BILINEAR,.destination = {39, 0, 1, 60}}},
    {"mgpuconvert", HOST_CAPS ("BGR", 1, 1), "video/x-raw,width=33,height=21",
        {.method = REF_CONVERT_BILINEAR}},
    {"mgpuconvert", HOST_CAPS ("BGR", 33, 21), "video/x-raw,width=1,height=1",
        {.method = REF_CONVERT_BILINEAR}},
    {"mgpuconvert method=area", HOST_CAPS ("I420", 1, 1),
        "video/x-raw,width=33,height=21", {.method = REF_CONVERT_AREA}},
    {"mgpuconvert method=area", HOST_CAPS ("I420", 33, 21),
        "video/x-raw,width=1,height=1", {.method = REF_CONVERT_AREA}},
    {"mgpuconvert method=bicubic", HOST_CAPS ("BGR", 1, 1),
        "video/x-raw,width=33,height=21", {.method = REF_CONVERT_BICUBIC}},
    {"mgpuconvert method=bicubic", HOST_CAPS ("I420", 33, 21),
        "video/x-raw,width=71,height=35", {.method = REF_CONVERT_BICUBIC}},
    {"mgpuconvert method=lanczos", HOST_CAPS ("I420", 33, 21),
        "video/x-raw,width=1,height=1", {.method = REF_CONVERT_LANCZOS}},
    {"mgpuconvert method=lanczos", HOST_CAPS ("I420", 50, 41),
        "video/x-raw,width=21,height=17", {.method = REF_CONVERT_LANCZOS}},
    {"mgpuconvert method=nearest", HOST_CAPS ("I420", 50, 41),
        "video/x-raw,width=21,height=17", {.method = REF_CONVERT_NEAREST}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstVideoInfo info;
    g_autoptr (GstHarness) h =
        convert_new (cases[i].launch, cases[i].in, cases[i].out, &info);

    GST_INFO ("case %u", i);
    push_and_check (h, &info, LAYOUT_ODD, &cases[i].params);
  }
}

GST_END_TEST;

/* Tests that fields that are missing in the colorimetry of caps stand for the default of the format
 * and the number of rows. */
GST_START_TEST (test_unknown_colours)
{
  static const struct
  {
    const gchar *said, *meant;
    gint width, height;
  } cases[] = {
    {NULL, "bt601", 21, 16}, {NULL, "bt709", 4, 578},
    {"0:0:0:0", "bt601", 21, 16}, {"0:0:0:0", "bt709", 4, 578},
    {"0:4:0:0", "bt601", 21, 16}, {"0:3:0:0", "bt709", 21, 16},
    {"1:0:0:0", "bt601", 21, 16}, {"nonsense", "bt601", 21, 16}
  };
  static const RefConvert plain = {.method = REF_CONVERT_BILINEAR };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    for (guint to_rgb = 0; to_rgb < 2; to_rgb++) {
      g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuconvert");
      GstCaps *yuv = caps_new (GST_VIDEO_FORMAT_I420, cases[i].width,
          cases[i].height, FALSE);
      GstCaps *rgb = caps_new (GST_VIDEO_FORMAT_RGB, cases[i].width,
          cases[i].height, FALSE);
      GstVideoInfo in, out, *meant = to_rgb ? &in : &out;
      g_autoptr (GstBuffer) from = NULL, to = NULL;

      if (cases[i].said != NULL)
        gst_caps_set_simple (yuv, "colorimetry", G_TYPE_STRING, cases[i].said,
            NULL);
      fail_unless (gst_video_info_from_caps (&in, to_rgb ? yuv : rgb));
      fail_unless (gst_video_info_from_caps (&out, to_rgb ? rgb : yuv));
      fail_unless (gst_video_colorimetry_from_string (&meant->colorimetry,
              cases[i].meant));
      gst_harness_set_caps (h, to_rgb ? yuv : rgb, to_rgb ? rgb : yuv);
      from = frame_new (&in, LAYOUT_DEFAULT, i);
      to = harness_push_pull (h, gst_buffer_ref (from));
      check_frame (&in, from, &out, to, &plain);
    }
  }
}

GST_END_TEST;

/* --- Crop --- */

/* Tests crops that differ from frame to frame, while the caps describe the visible part. */
GST_START_TEST (test_crop)
{
  static const RefRectangle seen[] = {
    {5, 7, 21, 13}, {0, 0, 21, 13}, {27, 19, 21, 13}, {4, 2, 10, 30}
  };
  const gchar *launches[] =
      { "mgpuconvert", "mgpuconvert video-direction=180" };
  GstVideoInfo large = info_from_string (HOST_CAPS ("NV12", 48, 32));

  for (guint i = 0; i < 4; i++) {
    GstVideoInfo info;
    g_autoptr (GstHarness) h = convert_new (launches[i / 2],
        i % 2 ? DEVICE_CAPS ("NV12", 21, 13) : HOST_CAPS ("NV12", 21, 13),
        "video/x-raw(ANY)", &info);
    RefConvert plain = {.method = REF_CONVERT_BILINEAR,.flip_x = i / 2,.flip_y =
          i / 2
    };

    for (guint k = 0; k < G_N_ELEMENTS (seen); k++) {
      RefConvert params = plain;
      g_autoptr (GstBuffer) from = cropped_new (h, &large, i % 2, &seen[k]);
      g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));

      params.source = seen[k];
      /* Uses a destination rectangle with a third of 13 rows, at an even position. */
      if (k == 3)
        params.destination = (RefRectangle) {
        8, 0, 4, 13};
      check_frame (&large, from, &info, to, &params);
      fail_if (gst_buffer_get_video_crop_meta (to));
    }
    /* Pushes a frame that is not cropped. */
    push_and_check (h, &info, LAYOUT_DEFAULT, &plain);
  }
}

GST_END_TEST;

/* Tests that the element announces upstream that it accepts cropped frames, except if an element
 * before it ignores the crop. */
GST_START_TEST (test_crop_offered)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc num-buffers=3 ! " HOST_CAPS ("I420", 64,
          48) " ! videocrop left=9 top=7 ! mgpuconvert "
      "name=f ! video/x-raw,format=GRAY8 ! fakesink", NULL);
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");

  fail_unless (offers_crop ("mgpuconvert"));
  fail_if (offers_crop ("mgpuhisteq ! mgpuconvert"));

  fail_unless_no_error (run_to_end (pipeline));
  fail_unless_equals_uint64 (get_stat (filter, "frames"), 3);
  fail_unless_equals_uint64 (get_stat (filter, "uploads"),
      device_is_unified ()? 0 : 3);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* --- Changes while frames flow --- */

/* Tests that a frame that needs no conversion is pushed in the buffer in which it arrived. */
GST_START_TEST (test_passes)
{
  const gchar *caps = HOST_CAPS ("NV12", 41, 29);
  GstVideoInfo info;
  g_autoptr (GstHarness) h =
      convert_new ("mgpuconvert name=f", caps, "video/x-raw", &info);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_PADDED, 1);
  static const RefConvert turned = {.method = REF_CONVERT_BILINEAR,.flip_y = 1
  };

  for (guint i = 0; i < 2; i++) {
    GstBuffer *to = harness_push_pull (h, gst_buffer_ref (from));

    fail_unless (to == from);
    gst_buffer_unref (to);
    gst_util_set_object_arg (G_OBJECT (filter), "video-direction", "vert");
    push_and_check (h, &info, LAYOUT_PADDED, &turned);
    gst_util_set_object_arg (G_OBJECT (filter), "video-direction", "identity");
  }
  fail_unless_equals_uint64 (harness_stat (h, "frames"), 4);
}

GST_END_TEST;

/* Tests that a change of a property affects the next frame and its caps. */
GST_START_TEST (test_live)
{
  GstVideoInfo info, out;
  g_autoptr (GstHarness) h =
      convert_new ("mgpuconvert name=f", HOST_CAPS ("I420", 41, 29),
      "video/x-raw,width=[1,100],height=[1,100]" PAR, &info);
  g_autoptr (GstElement) filter = harness_filter (h);
  static const struct
  {
    const gchar *direction, *method;
    gint width, height;
    RefConvert params;
  } steps[] = {
    {"90r", "bilinear", 29, 41,
        {.method = REF_CONVERT_BILINEAR,.transpose = 1,.flip_x = 1}},
    {"180", "bilinear", 41, 29,
        {.method = REF_CONVERT_BILINEAR,.flip_x = 1,.flip_y = 1}},
    {"ul-lr", "nearest", 29, 41, {.method = REF_CONVERT_NEAREST,.transpose =
                1}},
    {"ur-ll", "area", 29, 41,
        {.method = REF_CONVERT_AREA,.transpose = 1,.flip_x = 1,.flip_y = 1}},
    {"identity", "bilinear", 41, 29, {.method = REF_CONVERT_BILINEAR}}
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    gst_util_set_object_arg (G_OBJECT (filter), "video-direction",
        steps[i].direction);
    gst_util_set_object_arg (G_OBJECT (filter), "method", steps[i].method);
    push_and_check (h, &info, LAYOUT_DEFAULT, &steps[i].params);
    out = harness_out_info (h);
    fail_unless_equals_int (GST_VIDEO_INFO_WIDTH (&out), steps[i].width);
    fail_unless_equals_int (GST_VIDEO_INFO_HEIGHT (&out), steps[i].height);
  }
}

GST_END_TEST;

/* Tests rotations while the output caps are fixed, so that borders appear and disappear. */
GST_START_TEST (test_live_borders)
{
  GstVideoInfo info;
  g_autoptr (GstHarness) h = convert_new ("mgpuconvert name=f",
      HOST_CAPS ("GRAY8", 40, 20), "video/x-raw,width=40,height=20" PAR, &info);
  g_autoptr (GstElement) filter = harness_filter (h);
  const RefConvert turned = {.method = REF_CONVERT_BILINEAR,.transpose = 1 };
  RefConvert bordered = turned;

  bordered.destination = (RefRectangle) {
  15, 0, 10, 20};
  gst_util_set_object_arg (G_OBJECT (filter), "video-direction", "ul-lr");
  push_and_check (h, &info, LAYOUT_DEFAULT, &bordered);
  g_object_set (filter, "add-borders", FALSE, NULL);
  push_and_check (h, &info, LAYOUT_DEFAULT, &turned);
  g_object_set (filter, "add-borders", TRUE, NULL);
  push_and_check (h, &info, LAYOUT_DEFAULT, &bordered);
}

GST_END_TEST;

/* Tests changes of format, size and memory in the caps between frames. */
GST_START_TEST (test_caps_change)
{
  static const struct
  {
    GstVideoFormat format;
    gint width, height;
  } steps[] = {
    {GST_VIDEO_FORMAT_GRAY8, 40, 30}, {GST_VIDEO_FORMAT_NV12, 80, 60},
    {GST_VIDEO_FORMAT_GRAY8, 20, 15}, {GST_VIDEO_FORMAT_NV12, 40, 30}
  };
  static const RefConvert plain = {.method = REF_CONVERT_BILINEAR };
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuconvert");

  gst_harness_set_sink_caps_str (h,
      "video/x-raw,format=GRAY8,width=40,height=30");
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstCaps *caps = caps_new (steps[i].format, steps[i].width,
        steps[i].height, FALSE);
    GstVideoInfo info;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    push_and_check (h, &info, LAYOUT_SHIFTED, &plain);
  }
}

GST_END_TEST;

/* --- Tags --- */

static void
push_tag (GstHarness * h, GstTagScope scope, const gchar * orientation)
{
  GstTagList *tags = gst_tag_list_new (GST_TAG_IMAGE_ORIENTATION, orientation,
      NULL);

  gst_tag_list_set_scope (tags, scope);
  fail_unless (gst_harness_push_event (h, gst_event_new_tag (tags)));
}

/* Returns: (transfer full): the orientation in the last tag event that was sent downstream */
static gchar *
pull_orientation (GstHarness * h)
{
  gchar *orientation = NULL;
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (h)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_TAG) {
      GstTagList *tags;

      gst_event_parse_tag (event, &tags);
      g_clear_pointer (&orientation, g_free);
      gst_tag_list_get_string (tags, GST_TAG_IMAGE_ORIENTATION, &orientation);
    }
    gst_event_unref (event);
  }
  return orientation;
}

GST_START_TEST (test_tags)
{
  static const RefConvert upright = {.method = REF_CONVERT_BILINEAR };
  static const RefConvert right = {.method = REF_CONVERT_BILINEAR,.transpose =
        1,
    .flip_x = 1
  };
  static const RefConvert around = {.method = REF_CONVERT_BILINEAR,.flip_x = 1,
    .flip_y = 1
  };
  GstVideoInfo info, out;
  g_autoptr (GstHarness) h =
      convert_new ("mgpuconvert name=f video-direction=auto",
      HOST_CAPS ("GRAY8", 40, 30), "video/x-raw", &info);
  g_autoptr (GstElement) filter = harness_filter (h);
  gchar *said;

  push_and_check (h, &info, LAYOUT_DEFAULT, &upright);
  push_tag (h, GST_TAG_SCOPE_GLOBAL, "rotate-90");
  said = pull_orientation (h);
  fail_unless_equals_string (said, "rotate-0");
  g_free (said);
  push_and_check (h, &info, LAYOUT_DEFAULT, &right);
  out = harness_out_info (h);
  fail_unless_equals_int (GST_VIDEO_INFO_WIDTH (&out), 30);

  /* Checks that a stream tag takes precedence over a global tag, whichever arrives first. */
  push_tag (h, GST_TAG_SCOPE_STREAM, "rotate-180");
  push_and_check (h, &info, LAYOUT_DEFAULT, &around);
  push_tag (h, GST_TAG_SCOPE_GLOBAL, "rotate-0");
  push_and_check (h, &info, LAYOUT_DEFAULT, &around);

  /* Checks that orientation tags are applied only with video-direction=auto, and are passed on
   * unchanged otherwise. */
  gst_util_set_object_arg (G_OBJECT (filter), "video-direction", "90r");
  push_tag (h, GST_TAG_SCOPE_STREAM, "rotate-270");
  g_free (pull_orientation (h));
  push_tag (h, GST_TAG_SCOPE_STREAM, "rotate-180");
  said = pull_orientation (h);
  fail_unless_equals_string (said, "rotate-180");
  g_free (said);
  push_and_check (h, &info, LAYOUT_DEFAULT, &right);

  /* Checks that a new stream begins without tags. */
  gst_util_set_object_arg (G_OBJECT (filter), "video-direction", "auto");
  fail_unless (gst_harness_push_event (h, gst_event_new_stream_start ("new")));
  push_and_check (h, &info, LAYOUT_DEFAULT, &upright);
}

GST_END_TEST;

GST_START_TEST (test_no_custom_direction)
{
  g_autoptr (GstElement) filter =
      gst_element_factory_make ("mgpuconvert", NULL);
  GstVideoOrientationMethod direction;

  gst_util_set_object_arg (G_OBJECT (filter), "video-direction", "vert");
  g_test_expect_message ("mgpu", G_LOG_LEVEL_WARNING, "*custom*not supported*");
  gst_util_set_object_arg (G_OBJECT (filter), "video-direction", "custom");
  g_test_assert_expected_messages ();
  g_object_get (filter, "video-direction", &direction, NULL);
  fail_unless_equals_int (direction, GST_VIDEO_ORIENTATION_VERT);
}

GST_END_TEST;

/* --- Memory --- */

/* Tests that three elements in a row cause one upload, or none if the device shares memory with the
 * host. */
GST_START_TEST (test_copies)
{
  GstVideoInfo info;
  g_autoptr (GstHarness) h =
      convert_new ("mgpuconvert name=f video-direction=180 ! "
      "mgpusharpen name=g ! mgpuconvert name=e", HOST_CAPS ("NV12", 64, 48),
      "video/x-raw,format=GRAY8", &info);
  guint64 copies = device_is_unified ()? 0 : 1, uploads = 0, downloads = 0;
  const gchar *names[] = { "f", "g", "e" };
  GstVideoInfo out = harness_out_info (h);
  GstVideoFrame frame;
  g_autoptr (GstBuffer) buffer = NULL;

  buffer = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  fail_unless (gst_video_frame_map (&frame, &out, buffer, GST_MAP_READ));
  gst_video_frame_unmap (&frame);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstElement) element =
        gst_bin_get_by_name (GST_BIN (h->element), names[i]);

    uploads += get_stat (element, "uploads");
    downloads += get_stat (element, "downloads");
  }
  fail_unless_equals_uint64 (uploads, copies);
  fail_unless_equals_uint64 (downloads, copies);
}

GST_END_TEST;

CHECK_TESTS (mgpuconvert)
{
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_more_formats);
  tcase_add_test (tc, test_alpha_plane);
  tcase_add_test (tc, test_packed);
  tcase_add_test (tc, test_deep_range);
  tcase_add_test (tc, test_geometry);
  tcase_add_test (tc, test_unknown_colours);
  tcase_add_test (tc, test_crop);
  tcase_add_test (tc, test_crop_offered);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_live_borders);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_tags);
  tcase_add_test (tc, test_no_custom_direction);
  tcase_add_test (tc, test_copies);
}
