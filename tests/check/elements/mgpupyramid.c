/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares the levels of mgpupyramid with the reference, and tests its caps and its metas. */
#include "pyramid.h"

/* Returns the frame that shows the detail (Laplacian) of @level, computed with the coarser level
 * @coarse. */
static GstBuffer *
reference_show (const GstVideoInfo * info, GstBuffer * level,
    const GstVideoInfo * coarse_info, GstBuffer * coarse)
{
  GstBuffer *show = gst_buffer_copy_deep (level);
  GstVideoFrame in, up, out;

  fail_unless (gst_video_frame_map (&in, info, level, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&up, coarse_info, coarse, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, info, show, GST_MAP_WRITE));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&in); i++) {
    RefPlane fine = ref_plane (&in, i), above = ref_plane (&up, i);
    RefPlane to = ref_plane (&out, i);

    ref_pyramid_show (&fine, &above, &to);
  }
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&up);
  gst_video_frame_unmap (&in);
  return show;
}

/* Checks that the planes of each level of detail are in the meta's memory, at the offsets that the
 * meta names. */
static void
check_planes (const GstVideoInfo * info, GstMgpuPyramidMeta * meta)
{
  for (guint i = 0; i + 1 < gst_mgpu_pyramid_meta_get_n_levels (meta); i++) {
    gsize size = gst_mgpu_pyramid_meta_get_detail_memory (meta, i)->size;
    guint n = gst_mgpu_pyramid_meta_get_n_components (meta, i);

    fail_unless (gst_mgpu_pyramid_meta_get_level (meta, i) == NULL);
    fail_unless (n >= GST_VIDEO_INFO_N_COMPONENTS (info));
    for (guint j = 0; j < n; j++) {
      GstMgpuPyramidPlane plane;

      fail_unless (gst_mgpu_pyramid_meta_get_plane (meta, i, j, &plane));
      fail_unless_equals_int (plane.sample_bytes,
          GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 4 : 2);
      fail_unless (plane.stride >= plane.width * plane.sample_bytes);
      fail_unless (plane.offset + (gsize) plane.stride * plane.height <= size);
      if (j == 0)
        fail_unless_equals_int (plane.width, (GST_VIDEO_INFO_WIDTH (info)
                + (1 << i) - 1) >> i);
    }
  }
}

/* Checks that a frame cannot be rebuilt from a pyramid without detail levels. */
static void
check_no_collapse (GstMgpuPyramidMeta * meta)
{
  GError *error = NULL;
  GstBuffer *frame = gst_mgpu_pyramid_meta_collapse (meta, &error);

  if (gst_mgpu_pyramid_meta_get_n_levels (meta) > 1) {
    fail_unless (frame == NULL);
    fail_unless (g_error_matches (error, GST_MGPU_ERROR,
            GST_MGPU_ERROR_UNSUPPORTED));
    fail_unless (strstr (error->message, "laplacian") != NULL);
    g_error_free (error);
  } else {
    fail_unless (frame != NULL);
    gst_buffer_unref (frame);
  }
}

/* Pushes a frame through an mgpupyramid with four Gaussian levels. */
static void
check_gaussian_frame (Pyramid * p, GstVideoFormat format, gint width,
    gint height, Layout layout)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);
  GstMgpuPyramidMeta *meta;
  g_autoptr (GstBuffer) from = NULL, level = NULL, out = NULL;
  GstVideoInfo info;
  guint n_levels;

  GST_INFO ("%s %dx%d, layout %d", gst_video_format_to_string (format), width,
      height, layout);
  fail_unless (gst_video_info_from_caps (&info, caps));
  n_levels = MIN (mgpu_pyramid_get_max_levels (width, height), 4);
  gst_harness_set_src_caps (p->h[0], caps);
  from = frame_new (&info, layout, width);
  fail_unless_equals_int (gst_harness_push (p->h[0], gst_buffer_ref (from)),
      GST_FLOW_OK);
  out = harness_pull (p->h[0]);
  fail_unless_same_frame (&info, from, out);
  meta = gst_buffer_get_mgpu_pyramid_meta (out);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_levels (meta), n_levels);
  fail_unless_same_frame (&info, from,
      gst_mgpu_pyramid_meta_get_level (meta, 0));
  check_no_collapse (meta);
  for (guint i = 0; i < n_levels; i++) {
    GstVideoMeta *video = gst_buffer_get_video_meta
        (gst_mgpu_pyramid_meta_get_level (meta, i));

    fail_unless (video != NULL);
    fail_unless_equals_int (video->width, (width + (1 << i) - 1) >> i);
    fail_unless_equals_int (video->height, (height + (1 << i) - 1) >> i);
  }

  level = gst_buffer_ref (from);
  for (guint i = 1; i < 4; i++) {
    g_autoptr (GstBuffer) got = harness_pull (p->h[i]);
    GstVideoInfo got_info = harness_out_info (p->h[i]);

    /* Pads beyond the last level output the last level again. */
    if (i < n_levels) {
      GstVideoInfo next_info;
      GstBuffer *next = reference_level (&info, level, &next_info);

      gst_buffer_unref (level);
      level = next;
      info = next_info;
      fail_unless_same_frame (&info, level,
          gst_mgpu_pyramid_meta_get_level (meta, i));
    }
    fail_unless_equals_int (GST_VIDEO_INFO_WIDTH (&got_info),
        GST_VIDEO_INFO_WIDTH (&info));
    fail_unless_equals_int (GST_VIDEO_INFO_HEIGHT (&got_info),
        GST_VIDEO_INFO_HEIGHT (&info));
    fail_unless_same_frame (&info, level, got);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (got), GST_BUFFER_PTS (from));
  }
}

static void
check_gaussian (GstVideoFormat format, gint width, gint height, Layout layout)
{
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 4, "levels", 4, NULL);
  check_gaussian_frame (&p, format, width, height, layout);
}

GST_START_TEST (test_gaussian)
{
  GstVideoFormat format = all_formats[__i__];

  check_gaussian (format, 53, 38, LAYOUT_PADDED);
  check_gaussian (format, 64, 48, LAYOUT_DEFAULT);
  check_gaussian (format, 1, 1, LAYOUT_DEFAULT);
  check_gaussian (format, 3, 2, LAYOUT_PLANES);
}

GST_END_TEST;

/* Pushes a frame through an mgpupyramid with three Laplacian levels. */
static void
check_laplacian_frame (Pyramid * p, GstVideoFormat format, gint width,
    gint height)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);
  GstBuffer *levels[3], *outs[3], *rebuilt;
  GError *error = NULL;
  GstVideoInfo infos[3];
  guint n = MIN (mgpu_pyramid_get_max_levels (width, height), 3);

  GST_INFO ("%s %dx%d", gst_video_format_to_string (format), width, height);
  fail_unless (gst_video_info_from_caps (&infos[0], caps));
  gst_harness_set_src_caps (p->h[0], caps);
  levels[0] = frame_new (&infos[0], LAYOUT_PADDED, width);
  for (guint i = 1; i < n; i++)
    levels[i] = reference_level (&infos[i - 1], levels[i - 1], &infos[i]);
  fail_unless_equals_int (gst_harness_push (p->h[0],
          gst_buffer_ref (levels[0])), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++)
    outs[i] = harness_pull (p->h[i]);

  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) expected =
        i + 1 < n ? reference_show (&infos[i], levels[i], &infos[i + 1],
        levels[i + 1]) : gst_buffer_ref (levels[i]);

    fail_unless_same_frame (&infos[i], expected, outs[i]);
  }
  check_planes (&infos[0], gst_buffer_get_mgpu_pyramid_meta (outs[0]));
  rebuilt = gst_mgpu_pyramid_meta_collapse (gst_buffer_get_mgpu_pyramid_meta
      (outs[0]), &error);
  fail_unless (rebuilt != NULL, "%s", error != NULL ? error->message : "");
  fail_unless_same_frame (&infos[0], levels[0], rebuilt);
  gst_buffer_unref (rebuilt);
  for (guint i = 0; i < n; i++)
    gst_buffer_unref (levels[i]);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (outs[i]);
}

static void
check_laplacian (GstVideoFormat format, gint width, gint height)
{
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 3, "levels", 3, "type", MGPU_PYRAMID_LAPLACIAN, NULL);
  check_laplacian_frame (&p, format, width, height);
}

GST_START_TEST (test_laplacian)
{
  GstVideoFormat format = all_formats[__i__];

  check_laplacian (format, 53, 38);
  check_laplacian (format, 2, 5);
  check_laplacian (format, 1, 1);
}

GST_END_TEST;

/* Tests that a frame to which no other element holds a reference is pushed in the same buffer. On a
 * device that shares memory with the host nothing is copied. */
GST_START_TEST (test_passes)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 64, 48));
  GstBuffer *from, *out;
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 2, "levels", 3, NULL);
  gst_harness_set_sink_caps_str (p.h[0], HOST_CAPS ("NV12", 64, 48));
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("NV12", 64, 48));
  from = frame_new (&info, LAYOUT_DEFAULT, 1);
  out = harness_push_pull (p.h[0], gst_buffer_ref (from));
  fail_unless (out != from);
  fail_unless (gst_buffer_peek_memory (out, 0) ==
      gst_buffer_peek_memory (from, 0));
  fail_unless (gst_buffer_get_mgpu_pyramid_meta (from) == NULL);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_levels
      (gst_buffer_get_mgpu_pyramid_meta (out)), 3);
  fail_unless_equals_uint64 (get_stat (p.element, "frames"), 1);
  fail_unless_equals_uint64 (get_stat (p.element, "uploads"),
      device_is_unified ()? 0 : 1);
  gst_buffer_unref (out);
  /* Checks that neither the meta nor the element holds a reference to the frame. */
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (from), 1);
  gst_buffer_unref (from);
}

GST_END_TEST;

/* Tests frame sizes with fewer levels than there are pads, and then sizes with more levels. */
GST_START_TEST (test_caps_change)
{
  const gint sizes[][2] = { {64, 48}, {3, 2}, {1, 1}, {200, 100}, {5, 5} };
  Pyramid gaussian, laplacian;

  pyramid_init (&gaussian, 4, "levels", 4, NULL);
  pyramid_init (&laplacian, 3, "levels", 3, "type", MGPU_PYRAMID_LAPLACIAN,
      NULL);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    const gint *size = sizes[i % G_N_ELEMENTS (sizes)];

    for (guint j = 0; j < 2; j++) {
      check_gaussian_frame (&gaussian, all_formats[i], size[0], size[1],
          LAYOUT_DEFAULT);
      check_laplacian_frame (&laplacian, all_formats[i], size[0], size[1]);
    }
  }
  fail_unless_equals_int (harness_out_info (gaussian.h[3]).fps_n, 25);
  pyramid_clear (&gaussian);
  pyramid_clear (&laplacian);
}

GST_END_TEST;

/* Tests that caps without a pixel aspect ratio mean square pixels, whatever downstream accepts. */
GST_START_TEST (test_caps_open)
{
  GstVideoInfo info;
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 1, "levels", 2, NULL);
  gst_harness_set_sink_caps_str (p.h[0], "video/x-raw(ANY),"
      "pixel-aspect-ratio=[1/2147483647,2147483647/1]");
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 32, 24));
  info = harness_out_info (p.h[0]);
  fail_unless_equals_int (GST_VIDEO_INFO_PAR_N (&info), 1);
  fail_unless_equals_int (GST_VIDEO_INFO_PAR_D (&info), 1);
}

GST_END_TEST;

/* Tests that the caps of each level equal those of the frame, except for the size, whatever fields
 * the frame's caps have, also if the default of a missing field differs for the level's size. */
GST_START_TEST (test_caps_kept)
{
  static const struct
  {
    const gchar *caps, *colorimetry;
  } cases[] = {
    {HOST_CAPS ("I420", 1920, 1080), "bt709"},
    {HOST_CAPS ("I420", 640, 480), "bt601"},
    {HOST_CAPS ("I420", 640, 480) ",colorimetry=bt709", "bt709"},
    {HOST_CAPS ("NV12", 1920, 1080) ",colorimetry=bt601,chroma-site=jpeg",
        "bt601"},
    {HOST_CAPS ("NV12", 1920, 1080) ",colorimetry=bt709,chroma-site=cosited",
        "bt709"},
    {HOST_CAPS ("I420", 1920, 1080) ",colorimetry=1:3:5:1,"
          "interlace-mode=interleaved,field-order=top-field-first", "1:3:5:1"},
    {HOST_CAPS ("GRAY8", 1920, 1080) ",colorimetry=2:4:5:1", "2:4:5:1"},
    {HOST_CAPS ("Y42B", 1920, 1080) ",pixel-aspect-ratio=4/3,"
          "multiview-mode=side-by-side,multiview-flags=half-aspect", "bt709"},
    {HOST_CAPS ("P010_10LE", 3840, 2160), "bt709"}
  };
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 4, "levels", 4, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstVideoInfo from = info_from_string (cases[i].caps);
    GstVideoColorimetry want;

    fail_unless (gst_video_colorimetry_from_string (&want,
            cases[i].colorimetry));
    gst_harness_set_src_caps_str (p.h[0], cases[i].caps);
    gst_buffer_unref (harness_push_pull (p.h[0], frame_new (&from,
                LAYOUT_DEFAULT, i)));
    for (guint level = 0; level < 4; level++) {
      GstVideoInfo info, same = from;

      if (level > 0)
        gst_buffer_unref (harness_pull (p.h[level]));
      info = harness_out_info (p.h[level]);
      fail_unless (gst_video_colorimetry_is_equal (&info.colorimetry, &want),
          "level %u of %s", level, cases[i].caps);
      fail_unless (info.chroma_site == from.chroma_site,
          "level %u of %s: chroma site %x, not %x", level, cases[i].caps,
          info.chroma_site, from.chroma_site);
      /* Compares all other fields. */
      gst_video_info_set_interlaced_format (&same,
          GST_VIDEO_INFO_FORMAT (&from), GST_VIDEO_INFO_INTERLACE_MODE (&from),
          GST_VIDEO_INFO_WIDTH (&info), GST_VIDEO_INFO_HEIGHT (&info));
      same.flags = from.flags;
      same.views = from.views;
      same.colorimetry = info.colorimetry;
      same.chroma_site = info.chroma_site;
      same.par_n = from.par_n;
      same.par_d = from.par_d;
      same.fps_n = from.fps_n;
      same.fps_d = from.fps_d;
      GST_VIDEO_INFO_FIELD_ORDER (&same) = GST_VIDEO_INFO_FIELD_ORDER (&from);
      GST_VIDEO_INFO_MULTIVIEW_MODE (&same) =
          GST_VIDEO_INFO_MULTIVIEW_MODE (&from);
      GST_VIDEO_INFO_MULTIVIEW_FLAGS (&same) =
          GST_VIDEO_INFO_MULTIVIEW_FLAGS (&from);
      fail_unless (gst_video_info_is_equal (&info, &same), "level %u of %s",
          level, cases[i].caps);
    }
  }
}

GST_END_TEST;

/* Tests that regions of interest are scaled with the frame. */
GST_START_TEST (test_metas)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 64, 48));
  GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstVideoRegionOfInterestMeta *roi;
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 3, "levels", 3, NULL);
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 64, 48));
  gst_buffer_add_video_region_of_interest_meta (frame, "face", 8, 4, 16, 12);
  fail_unless_equals_int (gst_harness_push (p.h[0], frame), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) out = harness_pull (p.h[i]);

    roi = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (out,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    fail_unless (roi != NULL);
    fail_unless_equals_int (roi->x, 8 >> i);
    fail_unless_equals_int (roi->h, 12 >> i);
    fail_unless (gst_buffer_get_n_meta (out, GST_VIDEO_META_API_TYPE) <= 1);
    fail_unless_equals_int (gst_buffer_get_mgpu_pyramid_meta (out) != NULL,
        i == 0);
  }
}

GST_END_TEST;

/* Tests all levels of a large frame, as Laplacian detail, with all pads. */
GST_START_TEST (test_many_levels)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 7680, 4320);
  GstVideoInfo info = info_from_string (caps);
  GstBuffer *from = gst_buffer_new_allocate (NULL, info.size, NULL), *out;
  g_auto (Pyramid) p = { NULL };

  gst_buffer_memset (from, 0, 77, info.size);
  pyramid_init (&p, 5, "levels", 16, "type", MGPU_PYRAMID_LAPLACIAN, NULL);
  gst_harness_set_src_caps_str (p.h[0], caps);
  out = harness_push_pull (p.h[0], from);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_levels
      (gst_buffer_get_mgpu_pyramid_meta (out)), 14);
  gst_buffer_unref (out);
}

GST_END_TEST;

CHECK_TESTS (mgpupyramid)
{
  tcase_add_loop_test (tc, test_gaussian, 0, N_ALL_FORMATS);
  tcase_add_loop_test (tc, test_laplacian, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_caps_open);
  tcase_add_test (tc, test_caps_kept);
  tcase_add_test (tc, test_metas);
  tcase_add_test (tc, test_many_levels);
}
