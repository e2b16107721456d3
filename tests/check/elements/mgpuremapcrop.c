/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that mgpuremap takes the part of a frame that its crop meta names for the frame. */
#include "convert.h"
#include "pointer.h"
#include "remapfile.h"

#define FISHEYE "input=fisheye fov=110 pan=12 edges=mirror"

static const RemapCase fisheye = { FISHEYE, REF_LENS_FISHEYE, 180, {0},
REF_VIEW_PERSPECTIVE, 110, 12, 0, 0, REF_EDGES_MIRROR
};

/* Sets @info to the format of frames of @format. Returns: their caps */
static GstCaps *
make_caps (GstVideoFormat format, gint width, gint height, gboolean device,
    GstVideoInfo * info)
{
  GstCaps *caps = caps_new (format, width, height, device);

  fail_unless (gst_video_info_from_caps (info, caps));
  return caps;
}

/* Returns: (transfer full): the part @seen of the frame @from, cropped by the reference of
 * mgpuconvert to a frame of the format @info */
static GstBuffer *
cut_by_hand (const GstVideoInfo * large, GstBuffer * from,
    const RefRectangle * seen, const GstVideoInfo * info)
{
  const RefConvert cut = {.method = REF_CONVERT_BILINEAR,.source = *seen };

  return convert_by_reference (large, from, info, &cut);
}

/* Fails unless @to is the result of mgpuremap for the part @seen of the frame @from. */
static void
check_part (const GstVideoInfo * large, GstBuffer * from,
    const RefRectangle * seen, const GstVideoInfo * made, GstBuffer * to,
    const RemapCase * c)
{
  g_autoptr (GstBuffer) part = NULL;
  GstVideoInfo info;
  GstCaps *caps = make_caps (GST_VIDEO_INFO_FORMAT (large), seen->width,
      seen->height, FALSE, &info);

  gst_caps_unref (caps);
  part = cut_by_hand (large, from, seen, &info);
  fail_unless_remapped (&info, part, made, to, c);
  fail_if (gst_buffer_get_video_crop_meta (to));
}

/* ---- Pixels --------------------------------------------------------------------------- */

/* Parts of frames of 48x32 pixels: some begin at whole chroma samples, some within them, and some
 * have one pixel. */
static const RefRectangle parts[] = {
  {4, 6, 21, 13}, {5, 7, 21, 13}, {27, 18, 21, 13}, {6, 3, 20, 12},
  {11, 8, 20, 12}, {47, 31, 1, 1}, {0, 0, 1, 1}, {0, 0, 48, 32}
};

GST_START_TEST (test_formats)
{
  GstVideoFormat format = all_formats[__i__];

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    const RefRectangle *seen = &parts[i];
    Layout layout = i == 0 ? LAYOUT_PADDED : i == 1 ? LAYOUT_ODD : i == 2
        ? LAYOUT_PLANES : LAYOUT_DEFAULT;
    GstVideoInfo large, info, made;
    g_autoptr (GstHarness) h = remap_open (path, FISHEYE);
    g_autoptr (GstBuffer) from = NULL, to = NULL;

    gst_caps_unref (make_caps (format, 48, 32, FALSE, &large));
    gst_harness_set_src_caps (h, make_caps (format, seen->width, seen->height,
            FALSE, &info));
    from = frame_new (&large, layout, i);
    show_part (from, &large, seen);
    to = harness_push_pull (h, gst_buffer_ref (from));
    made = harness_out_info (h);
    fail_unless_equals_int (made.width, seen->width);
    fail_unless_equals_int (made.height, seen->height);
    check_part (&large, from, seen, &made, to, &fisheye);
  }
}

GST_END_TEST;

/* Tests that frames on the device are cropped on the device. */
GST_START_TEST (test_device)
{
  GstVideoInfo large, info;
  g_autoptr (GstHarness) h = remap_open (path, FISHEYE);

  gst_caps_unref (make_caps (GST_VIDEO_FORMAT_NV12, 48, 32, FALSE, &large));
  gst_harness_set_sink_caps (h, make_caps (GST_VIDEO_FORMAT_NV12, 21, 13, TRUE,
          &info));
  gst_harness_set_src_caps (h, make_caps (GST_VIDEO_FORMAT_NV12, 21, 13, TRUE,
          &info));
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) from = cropped_new (h, &large, TRUE, &parts[i]);
    guint64 n = harness_stat (h, "downloads");
    g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));

    fail_unless (gst_is_mgpu_memory (gst_buffer_peek_memory (to, 0)));
    fail_unless_equals_uint64 (harness_stat (h, "downloads"), n);
    check_part (&large, from, &parts[i], &info, to, &fisheye);
  }
}

GST_END_TEST;

/* Tests a crop rectangle that moves and grows from frame to frame while the size of the output
 * stays. A rectangle outside of the frame is ignored, and a rectangle that reaches beyond the frame
 * is clipped. */
GST_START_TEST (test_changes)
{
  static const struct
  {
    RefRectangle said, seen;
  } changes[] = {
    {{4, 6, 20, 12}, {4, 6, 20, 12}},
    {{5, 6, 20, 12}, {5, 6, 20, 12}},
    {{4, 6, 33, 17}, {4, 6, 33, 17}},
    {{7, 1, 33, 17}, {7, 1, 33, 17}},
    {{40, 30, 20, 12}, {40, 30, 8, 2}},
    {{48, 0, 20, 12}, {0, 0, 48, 32}},
    {{0, 32, 20, 12}, {0, 0, 48, 32}},
    {{2, 2, 0, 12}, {0, 0, 48, 32}},
    {{4, 6, 20, 12}, {4, 6, 20, 12}}
  };
  GstVideoInfo large, info;
  g_autoptr (GstHarness) h = remap_open (path, FISHEYE);
  g_autoptr (GstBuffer) plain = NULL, to = NULL;

  gst_caps_unref (make_caps (GST_VIDEO_FORMAT_I420, 48, 32, FALSE, &large));
  gst_harness_set_src_caps (h, make_caps (GST_VIDEO_FORMAT_I420, 20, 12, FALSE,
          &info));
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_autoptr (GstBuffer) from = cropped_new (h, &large, FALSE,
        &changes[i].said);
    g_autoptr (GstBuffer) made = harness_push_pull (h, gst_buffer_ref (from));

    check_part (&large, from, &changes[i].seen, &info, made, &fisheye);
  }
  /* Pushes a frame that is not cropped, whose size is that of the caps. */
  plain = frame_new (&info, LAYOUT_DEFAULT, 5);
  to = harness_push_pull (h, gst_buffer_ref (plain));
  fail_unless_remapped (&info, plain, &info, to, &fisheye);
}

GST_END_TEST;

/* Tests that a frame after a tee is unchanged in the other branch. */
GST_START_TEST (test_shared)
{
  GstVideoInfo large, info;
  g_autoptr (GstHarness) h = remap_open (path, __i__ == 0 ? FISHEYE
      : "input=fisheye projection=same");
  g_autoptr (GstBuffer) from = NULL, copy = NULL, to = NULL;

  gst_caps_unref (make_caps (GST_VIDEO_FORMAT_NV12, 48, 32, FALSE, &large));
  gst_harness_set_src_caps (h, make_caps (GST_VIDEO_FORMAT_NV12, 21, 13, FALSE,
          &info));
  from = cropped_new (h, &large, FALSE, &parts[1]);
  copy = gst_buffer_copy_deep (from);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_same_frame (&large, from, copy);
  fail_unless (gst_buffer_get_video_crop_meta (from)->x == 5);
  fail_if (gst_buffer_get_mgpu_camera_meta (from));
  fail_if (gst_buffer_get_video_crop_meta (to));
  fail_unless (gst_buffer_get_mgpu_camera_meta (to));
}

GST_END_TEST;

/* ---- Cameras -------------------------------------------------------------------------- */

/* Tests that a calibration is fitted to the visible part of the frame. */
GST_START_TEST (test_fit)
{
  static const struct
  {
    const gchar *properties;
    RefRectangle seen;
    gdouble scale, x, y;        /* how the camera changes */
  } fits[] = {
    {"location=FILE alpha=-1 edges=mirror", {5, 3, 64, 48}, 1, 0, 0},
    {"location=FILE alpha=-1 edges=mirror", {9, 9, 32, 24}, 0.5, 0, 0},
    {"location=FILE alpha=-1 edges=mirror fit=crop", {2, 5, 50, 40}, 1, 7, 4}
  };
  GstVideoInfo large, info;

  gst_caps_unref (make_caps (GST_VIDEO_FORMAT_GRAY8, 80, 60, FALSE, &large));
  for (guint i = 0; i < G_N_ELEMENTS (fits); i++) {
    const RefRectangle *seen = &fits[i].seen;
    RemapCase c = { fits[i].properties, REF_LENS_BROWN, 0, CAMERA,
      REF_VIEW_PERSPECTIVE, 0,.edges = REF_EDGES_MIRROR
    };
    g_autoptr (GstHarness) h = remap_open (path, fits[i].properties);
    g_autoptr (GstBuffer) from = cropped_new (h, &large, FALSE, seen);
    g_autoptr (GstBuffer) to = NULL;

    for (guint k = 0; k < 2; k++) {
      c.camera.focal[k] *= fits[i].scale;
      c.camera.centre[k] = (c.camera.centre[k] + 0.5) * fits[i].scale - 0.5
          - (k == 0 ? fits[i].x : fits[i].y);
    }
    c.camera.width = seen->width;
    c.camera.height = seen->height;
    gst_harness_set_src_caps (h, make_caps (GST_VIDEO_FORMAT_GRAY8,
            seen->width, seen->height, FALSE, &info));
    to = harness_push_pull (h, gst_buffer_ref (from));
    check_part (&large, from, seen, &info, to, &c);
  }
}

GST_END_TEST;

/* Tests that a part that does not fit the calibration ends the stream, also after a part that
 * does. */
GST_START_TEST (test_fit_refused)
{
  static const RefRectangle fits = { 1, 1, 32, 24 }, none = { 1, 1, 40, 24 };
  GstVideoInfo large, info;
  g_autoptr (GstHarness) h = remap_open (path, "location=FILE");
  GstBus *bus = harness_bus (h);

  gst_caps_unref (make_caps (GST_VIDEO_FORMAT_GRAY8, 80, 60, FALSE, &large));
  gst_harness_set_src_caps (h, make_caps (GST_VIDEO_FORMAT_GRAY8, 32, 24,
          FALSE, &info));
  gst_buffer_unref (harness_push_pull (h, cropped_new (h, &large, FALSE,
              &fits)));
  fail_unless_equals_int (gst_harness_push (h, cropped_new (h, &large, FALSE,
              &none)), GST_FLOW_ERROR);
  check_error (bus, "40x24", "fit=crop");
}

GST_END_TEST;

/* Tests that the whole frame, not only its visible part, must not exceed the size that kernels
 * support. The element processes later frames. */
GST_START_TEST (test_too_wide)
{
  static const RefRectangle seen = { 8, 0, 20, 2 };
  GstVideoInfo large, info;
  g_autoptr (GstHarness) h = remap_open (path, FISHEYE);
  GstBus *bus = harness_bus (h);

  gst_harness_set_src_caps (h, make_caps (GST_VIDEO_FORMAT_GRAY8, 20, 2, FALSE,
          &info));
  gst_caps_unref (make_caps (GST_VIDEO_FORMAT_GRAY8, 65537, 2, FALSE, &large));
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (gst_harness_push (h, cropped_new (h, &large, FALSE,
                &seen)), GST_FLOW_ERROR);
    check_error (bus, "65537x2", "scale it down");
  }
  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
}

GST_END_TEST;

/* ---- Beside mgpuconvert --------------------------------------------------------------- */

/* Properties, and whether frames pass unchanged */
static const struct
{
  const gchar *properties, *arrives;
} views[] = {
  {FISHEYE, NULL},
  {"corners=2,1,16,0,18,10,1,11", NULL},
  {"input=perspective input-fov=60 projection=same", NULL},
  {"projection=same", "yes"},
  {"alpha=1 roll=20", "yes"}
};

static void
add_metas (GstBuffer * buffer, gboolean has_camera)
{
  static const GstMgpuKeypoint points[] = {
    {18, 11, 3, 90, 1, 0, 0}, {20, 12, 3, 40, 1, 0, 0}, {2, 2, 3, 90, 1, 0, 0}
  };
  const GstMgpuCamera camera = {.model = GST_MGPU_CAMERA_MODEL_PERSPECTIVE,
    .width = 48,.height = 32,.fx = 40,.fy = 41,.cx = 23,.cy = 15,
    .n_coefficients = 2,.coefficients = {-0.1, 0.01},
    .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}
  };
  g_autoptr (GstCaps) reference = gst_caps_from_string ("timestamp/x-test");
  g_autoptr (GBytes) bytes = g_bytes_new_static (points, sizeof (points));

  gst_buffer_add_video_region_of_interest_meta (buffer, "a", 10, 8, 8, 6)->id =
      1;
  gst_buffer_add_video_region_of_interest_meta (buffer, "a", 2, 2, 16, 9)->id =
      2;
  gst_buffer_add_video_region_of_interest_meta (buffer, "a", 40, 20, 5, 5)->id =
      3;
  gst_buffer_add_mgpu_keypoint_meta_points (buffer, bytes);
  gst_buffer_add_reference_timestamp_meta (buffer, reference, 1, 2);
  if (has_camera)
    gst_buffer_add_mgpu_camera_meta (buffer, &camera);
}

static void
check_same_regions (GstBuffer * a, GstBuffer * b)
{
  for (gint id = 1; id <= 3; id++) {
    GstVideoRegionOfInterestMeta *r =
        gst_buffer_get_video_region_of_interest_meta_id (a, id);
    GstVideoRegionOfInterestMeta *s =
        gst_buffer_get_video_region_of_interest_meta_id (b, id);

    fail_unless ((r == NULL) == (s == NULL), "region %d", id);
    fail_unless (r == NULL || (r->x == s->x && r->y == s->y && r->w == s->w
            && r->h == s->h), "region %d", id);
    /* Nothing of the last region is visible. */
    fail_unless (id == 3 ? r == NULL : r != NULL);
  }
}

static void
check_same_points (GstBuffer * a, GstBuffer * b)
{
  GstMgpuKeypointMeta *p = gst_buffer_get_mgpu_keypoint_meta (a);
  GstMgpuKeypointMeta *q = gst_buffer_get_mgpu_keypoint_meta (b);
  guint n;

  fail_unless (p != NULL && q != NULL);
  n = gst_mgpu_keypoint_meta_get_n_keypoints (p);
  fail_unless_equals_int (n, gst_mgpu_keypoint_meta_get_n_keypoints (q));
  fail_unless_equals_int (n, 2);
  for (guint i = 0; i < n; i++) {
    GstMgpuKeypoint k, l;

    fail_unless (gst_mgpu_keypoint_meta_get_keypoint (p, i, &k));
    fail_unless (gst_mgpu_keypoint_meta_get_keypoint (q, i, &l));
    fail_unless (k.x == l.x && k.y == l.y && k.size == l.size
        && k.angle == l.angle);
  }
}

static void
check_same_camera (GstBuffer * a, GstBuffer * b)
{
  GstMgpuCameraMeta *p = gst_buffer_get_mgpu_camera_meta (a);
  GstMgpuCameraMeta *q = gst_buffer_get_mgpu_camera_meta (b);
  GstMgpuCamera c = { 0 }, d = { 0 };

  fail_unless ((p == NULL) == (q == NULL));
  if (p == NULL)
    return;
  gst_mgpu_camera_meta_get_camera (p, &c);
  gst_mgpu_camera_meta_get_camera (q, &d);
  fail_unless (c.width == d.width && c.height == d.height && c.fx == d.fx
      && c.fy == d.fy && c.cx == d.cx && c.cy == d.cy);
  fail_unless (memcmp (c.rotation, d.rotation, sizeof (c.rotation)) == 0);
}

/* Pixels, metas and pointer positions are those of frames that mgpuconvert has cropped before. */
GST_START_TEST (test_beside_convert)
{
  static const RefRectangle seen[] = { {8, 6, 20, 12}, {7, 5, 20, 12} };
  static const gdouble places[][2] = { {4, 5}, {19, 11}, {-5, 60}, {300, 3} };
  g_autofree gchar *direct = g_strconcat ("mgpuremap name=f ",
      views[__i__].properties, NULL);
  g_autofree gchar *chain = g_strconcat ("mgpuconvert ! video/x-raw,width=20,"
      "height=12 ! mgpuremap name=f ", views[__i__].properties, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (seen); i++) {
    GstVideoInfo large, info;
    g_autoptr (GstHarness) h = convert_new (direct, HOST_CAPS ("I420", 20, 12),
        "video/x-raw", &info);
    g_autoptr (GstHarness) g = convert_new (chain, HOST_CAPS ("I420", 20, 12),
        "video/x-raw", &info);
    g_autoptr (GstBuffer) from = NULL, to = NULL, expected = NULL;

    gst_caps_unref (make_caps (GST_VIDEO_FORMAT_I420, 48, 32, FALSE, &large));
    from = cropped_new (h, &large, FALSE, &seen[i]);
    add_metas (from, views[__i__].arrives != NULL);
    to = harness_push_pull (h, gst_buffer_ref (from));
    expected = harness_push_pull (g, gst_buffer_ref (from));
    fail_unless_same_frame (&info, to, expected);
    check_same_regions (to, expected);
    check_same_points (to, expected);
    check_same_camera (to, expected);
    fail_if (gst_buffer_get_video_crop_meta (to));
    fail_unless (gst_buffer_get_meta (to,
            GST_REFERENCE_TIMESTAMP_META_API_TYPE));
    for (guint k = 0; k < G_N_ELEMENTS (places); k++) {
      gdouble x = places[k][0], y = places[k][1], u = x, v = y;

      point_at (h, x, y, &x, &y);
      point_at (g, u, v, &u, &v);
      fail_unless (x == u && y == v, "(%g, %g), not (%g, %g)", x, y, u, v);
      fail_unless (k > 0 || x > 7);
    }
  }
}

GST_END_TEST;

/* ---- Frames that pass unchanged ------------------------------------------------------- */

/* Tests projection=same: a part is cropped only once, and has the size of the caps. */
GST_START_TEST (test_same)
{
  static const RefRectangle seen[] = {
    {8, 6, 20, 12}, {7, 5, 20, 12}, {4, 5, 40, 24}
  };
  GstVideoInfo large, info;
  g_autoptr (GstHarness) h = remap_open (path,
      "input=perspective input-fov=60 projection=same");

  gst_caps_unref (make_caps (GST_VIDEO_FORMAT_I420, 48, 32, FALSE, &large));
  gst_harness_set_src_caps (h, make_caps (GST_VIDEO_FORMAT_I420, 20, 12, FALSE,
          &info));
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++) {
    g_autoptr (GstBuffer) from = cropped_new (h, &large, FALSE, &seen[i]);
    g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));
    g_autoptr (GstBuffer) part = cut_by_hand (&large, from, &seen[i], &info);
    GstMgpuCamera camera;

    fail_unless_same_frame (&info, to, part);
    fail_if (gst_buffer_get_video_crop_meta (to));
    gst_mgpu_camera_meta_get_camera (gst_buffer_get_mgpu_camera_meta (to),
        &camera);
    fail_unless (camera.width == 20 && camera.height == 12
        && ABS (camera.cx - 9.5) < 1e-9 && ABS (camera.cy - 5.5) < 1e-9);
    fail_unless (ABS (camera.fx - 10 / tan (G_PI / 6)) < 1e-6);
  }
}

GST_END_TEST;

/* Tests that a frame whose crop meta selects all of it, or nothing, passes without a copy, and
 * without the meta. */
GST_START_TEST (test_same_passes)
{
  static const RefRectangle seen[] = { {0, 0, 48, 32}, {50, 0, 4, 4} };
  GstVideoInfo info;
  g_autoptr (GstHarness) h = remap_open (path, "input=fisheye "
      "projection=same");

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, make_caps (GST_VIDEO_FORMAT_NV12, 48, 32, FALSE,
          &info));
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++) {
    g_autoptr (GstBuffer) from = cropped_new (h, &info, FALSE, &seen[i]);
    g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));

    fail_unless (gst_buffer_peek_memory (to, 0)
        == gst_buffer_peek_memory (from, 0));
    fail_if (gst_buffer_get_video_crop_meta (to));
  }
}

GST_END_TEST;

/* ---- Allocation ----------------------------------------------------------------------- */

/* Tests that mgpuremap announces to upstream that it accepts crop metas, so that videocrop pushes
 * whole frames. It does not announce it if an element before it does not know the meta. */
GST_START_TEST (test_offered)
{
  GstVideoInfo large, info;
  g_autoptr (GstHarness) h = convert_new ("videocrop left=9 top=7 right=19 "
      "bottom=13 ! mgpuremap name=f " FISHEYE, HOST_CAPS ("I420", 48, 32),
      "video/x-raw", &large);
  g_autoptr (GstBuffer) from = NULL, to = NULL;

  fail_unless (offers_crop ("mgpuremap " FISHEYE));
  fail_unless (offers_crop ("mgpuremap input=fisheye projection=same"));
  fail_if (offers_crop ("mgpuhisteq ! mgpuremap " FISHEYE));
  fail_if (offers_crop ("mgputrack ! mgpuremap " FISHEYE));
  fail_if (offers_crop ("mgpumetajson ! mgpuremap " FISHEYE));

  from = frame_new (&large, LAYOUT_DEFAULT, 4);
  to = harness_push_pull (h, gst_buffer_ref (from));
  info = harness_out_info (h);
  fail_unless_equals_int (info.width, 20);
  /* The chroma would have moved by half a pixel if videocrop had cropped the frame. */
  check_part (&large, from, &(RefRectangle) {
      9, 7, 20, 12}
      , &info, to, &fisheye);
}

GST_END_TEST;

CHECK_TESTS (mgpuremapcrop)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_device);
  tcase_add_test (tc, test_changes);
  tcase_add_loop_test (tc, test_shared, 0, 2);
  tcase_add_test (tc, test_fit);
  tcase_add_test (tc, test_fit_refused);
  tcase_add_test (tc, test_too_wide);
  tcase_add_loop_test (tc, test_beside_convert, 0, G_N_ELEMENTS (views));
  tcase_add_test (tc, test_same);
  tcase_add_test (tc, test_same_passes);
  tcase_add_test (tc, test_offered);
}
