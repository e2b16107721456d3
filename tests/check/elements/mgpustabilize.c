/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the motions that mgpustabilize measures and corrects, of a camera that moves over a
 * painting. */
#include "pointer.h"
#include "stabilize.h"

#include "../../reference/stabilize.h"

static const gchar *const interpolations[] = { "bilinear", "cubic", "lanczos" };

static const gchar *const models[] = {
  "translation", "rigid", "similarity", "affine", "homography"
};

/* Tests mode=measure: motions are measured, and frames do not change and do not wait. */
GST_START_TEST (test_measure)
{
  g_autofree gchar *properties = g_strdup_printf ("mode=measure model=%s",
      models[__i__ / 2]);
  g_autoptr (GstHarness) h =
      __i__ % 2 == 0 ? stabilizer_new (properties, NULL) : NULL;
  g_autofree guint8 *picture = paint (1);
  g_autofree gchar *launch =
      g_strdup_printf ("mgpusift max-features=300 ! mgpustabilize "
      "max-in-flight=1 name=f %s", properties);

  if (h == NULL)
    h = harness_new (launch, CAPS, CAPS);
  for (gint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) in = see_shaken (picture, i), out = NULL;
    GstVideoInfo info = info_from_string (CAPS);

    push (h, gst_buffer_ref (in));
    out = pull (h, i);
    fail_unless_same_frame (&info, in, out);
    fail_unless_equals_int (get_state (out), i == 0
        ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
    if (i > 0) {
      GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (out);

      fail_unless (gst_mgpu_motion_meta_get_n_inliers (meta) >= 12);
      check_shift (gst_mgpu_motion_meta_get_motion (meta),
          shake[i - 1][0] - shake[i][0], shake[i - 1][1] - shake[i][1], 0.1);
      check_distance (gst_mgpu_motion_meta_get_correction (meta), 0, 0, 0);
    }
  }
}

GST_END_TEST;

/* Tests that with mode=tripod all frames show the view of the first frame. */
GST_START_TEST (test_tripod)
{
  g_autofree gchar *properties =
      g_strdup_printf ("mode=tripod model=%s zoom=1.15 " "interpolation=%s",
      models[__i__], interpolations[__i__ % 3]);
  g_autoptr (GstHarness) h = stabilizer_new (properties, NULL);
  g_autofree guint8 *picture = paint (2);

  for (gint i = 0; i < N; i++) {
    GstMgpuMotionMeta *meta;
    g_autoptr (GstBuffer) out = NULL;

    push (h, see_shaken (picture, i));
    out = pull (h, i);
    meta = gst_buffer_get_mgpu_motion_meta (out);
    check_shift (gst_mgpu_motion_meta_get_correction (meta),
        1.15 * shake[i][0], 1.15 * shake[i][1], 0.3);
  }
}

GST_END_TEST;

/* Tests that the current frame replaces the first one as the reference if the tripod's camera has
 * moved permanently. */
GST_START_TEST (test_tripod_moves)
{
  g_autoptr (GstHarness) h = stabilizer_new ("mode=tripod smoothing=5", NULL);
  g_autofree guint8 *picture = paint (2);

  push (h, see (picture, 0, 0, 0));
  gst_buffer_unref (pull (h, 0));
  for (guint i = 1; i < 40; i++) {
    const gdouble *correction;
    g_autoptr (GstBuffer) out = NULL;

    push (h, see (picture, 60, 0, i));
    out = pull (h, i);
    correction = gst_mgpu_motion_meta_get_correction
        (gst_buffer_get_mgpu_motion_meta (out));
    if (i <= 25)
      check_shift (correction, 16, 0, 0.5);
    else if (i > 32)
      check_shift (correction, 0, 0, 0.5);
  }
}

GST_END_TEST;

/* Tests that output frames shake less than input frames. The beginning and the end of the stream,
 * with fewer neighboring frames, do not count. */
GST_START_TEST (test_smooth)
{
  g_autoptr (GstHarness) h =
      stabilizer_new ("smoothing=6 look-ahead=6 zoom=1.2", NULL);
  g_autofree guint8 *picture = paint (3);
  gdouble before = 0, after = 0, last[2] = { 0, 0 };

  for (gint i = 0; i < N; i++) {
    push (h, see_shaken (picture, i));
    fail_unless_equals_int (gst_harness_buffers_in_queue (h), MAX (i - 5, 0));
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; i < N; i++) {
    g_autoptr (GstBuffer) out = pull (h, i);
    const gdouble *m = gst_mgpu_motion_meta_get_correction
        (gst_buffer_get_mgpu_motion_meta (out));
    gdouble place[2];

    for (guint k = 0; k < 2; k++) {
      gdouble middle = k == 0 ? WIDTH / 2 : HEIGHT / 2;

      place[k] = (m[3 * k] * WIDTH / 2 + m[3 * k + 1] * HEIGHT / 2
          + m[3 * k + 2] - middle) / 1.2 - shake[i][k];
      if (i > 6 && i < N - 6) {
        before += ABS (shake[i][k] - shake[i - 1][k]);
        after += fabs (place[k] - last[k]);
      }
      last[k] = place[k];
    }
  }
  fail_unless (after < before / 6, "%g and %g", before, after);
}

GST_END_TEST;

/* Tests that the motion is interpolated over frames without trackable points. */
GST_START_TEST (test_blank)
{
  gboolean waits = __i__;
  g_autoptr (GstHarness) h = stabilizer_new (waits ? "smoothing=8 look-ahead=8"
      : "smoothing=8 look-ahead=0", NULL);
  g_autofree guint8 *picture = paint (4);

  for (gint i = 0; i < 8; i++)
    push (h, i == 3 || i == 4 ? see_nothing (i) : see_shaken (picture, i));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = pull (h, i);
    const gdouble *motion = gst_mgpu_motion_meta_get_motion
        (gst_buffer_get_mgpu_motion_meta (out));
    gdouble x = shake[2][0] - shake[5][0], y = shake[2][1] - shake[5][1];

    if (i < 3 || i > 5) {
      fail_unless_equals_int (get_state (out), i == 0
          ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
    } else if (i < 5 && !waits) {
      fail_unless_equals_int (get_state (out), GST_MGPU_MOTION_STATE_LOST);
      check_distance (motion, 0, 0, 0);
    } else {
      fail_unless_equals_int (get_state (out), GST_MGPU_MOTION_STATE_BRIDGED);
      check_shift (motion, waits ? x / 3 : x, waits ? y / 3 : y, 0.1);
    }
  }
}

GST_END_TEST;

/* Tests that frames of one color are not moved, and have the size of the zoom. */
GST_START_TEST (test_one_colour)
{
  g_autoptr (GstHarness) h = stabilizer_new ("smoothing=2 look-ahead=2", NULL);

  for (guint i = 0; i < 15; i++)
    push (h, see_nothing (i));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < 15; i++) {
    g_autoptr (GstBuffer) out = pull (h, i), in = see_nothing (i);
    GstVideoInfo info = info_from_string (CAPS);
    GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (out);

    fail_unless_same_frame (&info, in, out);
    fail_unless_equals_int (get_state (out), i == 0
        ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_LOST);
    fail_unless_equals_int (gst_mgpu_motion_meta_get_n_inliers (meta), 0);
    check_shift (gst_mgpu_motion_meta_get_correction (meta), 0, 0, 1e-9);
  }
}

GST_END_TEST;

/* Tests that a scene cut is reported once, and that no motion is measured across it. */
GST_START_TEST (test_cut)
{
  gboolean waits = __i__;
  GstBus *bus;
  g_autoptr (GstHarness) h =
      stabilizer_new (waits ? "post-messages=true smoothing=4" :
      "post-messages=true look-ahead=0", &bus);
  guint8 *pictures[2] = { paint (5), paint (6) };
  guint at = waits ? 4 : 5;
  GstMessage *message;
  GstClockTime time;

  for (gint i = 0; i < 9; i++)
    push (h, see_shaken (pictures[i >= 4], i));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < 9; i++) {
    g_autoptr (GstBuffer) out = pull (h, i);
    GstMgpuMotionState want = i == 0 || i == at ? GST_MGPU_MOTION_STATE_CUT
        : i == 4 ? GST_MGPU_MOTION_STATE_LOST : GST_MGPU_MOTION_STATE_MEASURED;

    fail_unless_equals_int (get_state (out), want);
  }
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  fail_unless (gst_message_has_name (message, "mgpu-cut"));
  fail_unless (gst_structure_get_clock_time (gst_message_get_structure
          (message), "running-time", &time));
  fail_unless_equals_uint64 (time, at * 40 * GST_MSECOND);
  gst_message_unref (message);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT));
  g_free (pictures[0]);
  g_free (pictures[1]);
}

GST_END_TEST;

/* Tests that a flush drops waiting frames, and that stabilization starts again with the next
 * frame. */
GST_START_TEST (test_flush)
{
  g_autoptr (GstHarness) h = stabilizer_new ("", NULL);
  g_autofree guint8 *picture = paint (7);
  GstBuffer *out;

  for (guint i = 0; i < 5; i++)
    push (h, see_shaken (picture, i));
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  flush (h);
  push (h, see_shaken (picture, 9));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  out = pull (h, 9);
  fail_unless_equals_int (get_state (out), GST_MGPU_MOTION_STATE_CUT);
  gst_buffer_unref (out);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
}

GST_END_TEST;

/* Tests that waiting frames of the old size are pushed before the caps of the new size. */
GST_START_TEST (test_caps_change)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 64, 48));
  g_autoptr (GstHarness) h = stabilizer_new ("", NULL);
  g_autofree guint8 *picture = paint (8);
  g_autoptr (GstBuffer) out = NULL;

  for (guint i = 0; i < 3; i++)
    push (h, see_shaken (picture, i));
  gst_harness_set_src_caps_str (h, HOST_CAPS ("NV12", 64, 48));
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (pull (h, i));
  push (h, frame_new (&info, LAYOUT_PADDED, 1));
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  out = pull (h, 0);
  fail_unless (gst_buffer_get_size (out) >= 64 * 48 * 3 / 2);
  fail_unless_equals_int (get_state (out), GST_MGPU_MOTION_STATE_CUT);
}

GST_END_TEST;

/* Tests every format, the smallest sizes, and all kinds of edges. */
GST_START_TEST (test_formats)
{
  static const gchar *const edges[] = {
    "crop", "cut", "black", "repeat", "mirror"
  };
  static const gint sizes[][2] = { {1, 1}, {2, 3}, {33, 21} };

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
    g_autofree gchar *launch =
        g_strdup_printf ("mgpustabilize edges=%s smoothing=1 "
        "interpolation=%s", edges[(__i__ + k) % G_N_ELEMENTS (edges)],
        interpolations[k]);
    GstCaps *caps = caps_new (all_formats[__i__], sizes[k][0], sizes[k][1],
        FALSE);
    g_autoptr (GstHarness) h = gst_harness_new_parse (launch);
    GstVideoInfo info;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_sink_caps_str (h, "video/x-raw");
    gst_harness_set_src_caps (h, caps);
    for (guint i = 0; i < 3; i++)
      push (h, frame_new (&info, LAYOUT_DEFAULT, i));
    fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
    fail_unless_equals_int (gst_harness_buffers_received (h), 3);
  }
}

GST_END_TEST;

/* Tests that the first frame with mode=tripod is only enlarged, with each interpolation. */
GST_START_TEST (test_interpolation)
{
  g_autofree gchar *properties = g_strdup_printf ("mode=tripod look-ahead=0 "
      "zoom=2 edges=mirror interpolation=%s", interpolations[__i__]);
  g_autoptr (GstHarness) h = stabilizer_new (properties, NULL);
  const gdouble matrix[9] = {
    0.5, 0, (WIDTH - 1) / 4., 0, 0.5, (HEIGHT - 1) / 4., 0, 0, 1
  };
  GstVideoInfo info = info_from_string (CAPS);
  g_autofree guint8 *picture = paint (4);
  g_autofree guint8 *result = g_malloc (WIDTH * HEIGHT);
  g_autoptr (GstBuffer) in = see_shaken (picture, 0), out = NULL, want = NULL;
  RefPlane to = {
    result, WIDTH, 1, WIDTH, HEIGHT, 1, 0, 255, 0, 255
  };
  RefWarpPlane from = {.plane = to };
  GstMapInfo map;

  push (h, gst_buffer_ref (in));
  out = pull (h, 0);
  fail_unless (gst_buffer_map (in, &map, GST_MAP_READ));
  from.plane.data = map.data;
  ref_warp (&from, &to, matrix, REF_EDGES_MIRROR, (RefInterpolation) __i__);
  gst_buffer_unmap (in, &map);
  want = gst_buffer_new_memdup (result, WIDTH * HEIGHT);
  fail_unless_same_frame (&info, want, out);
}

GST_END_TEST;

/* Tests edges=cut, with smaller output frames that are not enlarged: the first frame is the center
 * of the input frame. */
GST_START_TEST (test_smaller)
{
  g_autoptr (GstHarness) h = stabilizer_new ("edges=cut zoom=1.25 look-ahead=0 "
      "mode=tripod", NULL);
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 256, 192));
  g_autofree guint8 *picture = paint (9);

  for (guint i = 0; i < 5; i++) {
    g_autoptr (GstBuffer) out = NULL, want =
        gst_buffer_new_allocate (NULL, 256 * 192, NULL);
    g_autoptr (GstCaps) caps = NULL;
    GstVideoInfo got;

    push (h, see_shaken (picture, i));
    out = pull (h, i);
    caps = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (gst_video_info_from_caps (&got, caps));
    fail_unless_equals_int (got.width, 256);
    fail_unless_equals_int (got.height, 192);
    for (guint y = 0; y < 192; y++)
      gst_buffer_fill (want, y * 256, picture + (y + BEGIN_Y + 24) * LARGE_WIDTH
          + BEGIN_X + 32, 256);
    if (i == 0)
      fail_unless_same_frame (&info, want, out);
  }
}

GST_END_TEST;

/* Tests that smaller output frames keep their colors if the input caps have no colorimetry, and the
 * default for the new size differs. */
GST_START_TEST (test_smaller_colours)
{
  static const struct
  {
    const gchar *caps;
    const gchar *colorimetry;   /* colorimetry in the output caps; NULL for none */
    const gchar *site;          /* chroma site in the output caps; NULL if it is not checked */
  } cases[] = {
    {HOST_CAPS ("I420", 320, 720), "bt709", "mpeg2"},
    {HOST_CAPS ("NV12", 320, 720) ",colorimetry=bt601,chroma-site=jpeg",
          "bt601",
        "jpeg"},
    {HOST_CAPS ("I420", 320, 1200), NULL, NULL},
    {HOST_CAPS ("I420", 320, 480), NULL, NULL},
    {HOST_CAPS ("RGB", 320, 720), NULL, NULL}
  };
  g_autoptr (GstHarness) h =
      harness_new ("mgpustabilize edges=cut zoom=1.5 look-ahead=0 "
      "max-in-flight=1", cases[__i__].caps, "video/x-raw");
  GstVideoInfo info = info_from_string (cases[__i__].caps);
  const GstStructure *s;
  GstVideoInfo got;
  g_autoptr (GstCaps) caps = NULL;

  push (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  caps = gst_pad_get_current_caps (h->sinkpad);
  s = gst_caps_get_structure (caps, 0);
  fail_unless_equals_string (gst_structure_get_string (s, "colorimetry"),
      cases[__i__].colorimetry);
  /* Checks the chroma site only where it is given: GStreamer 1.26 has no default for it. */
  if (cases[__i__].site != NULL)
    fail_unless_equals_string (gst_structure_get_string (s, "chroma-site"),
        cases[__i__].site);
  fail_unless (gst_video_info_from_caps (&got, caps));
  fail_unless_equals_int (got.height, info.height * 2 / 3);
  fail_unless (gst_video_colorimetry_is_equal (&got.colorimetry,
          &info.colorimetry));
  fail_unless_equals_int (got.chroma_site, info.chroma_site);
}

GST_END_TEST;

/* Tests that regions and keypoints are transformed with the frame; with a homography they are
 * dropped. */
GST_START_TEST (test_metas)
{
  gboolean is_flat = __i__ == 0;
  g_autofree gchar *launch =
      g_strdup_printf ("mgpusift max-features=50 ! mgpustabilize "
      "max-in-flight=1 mode=tripod zoom=1.25 model=%s",
      is_flat ? "similarity" : "homography");
  g_autoptr (GstHarness) h = harness_new (launch, CAPS, CAPS);
  g_autofree guint8 *picture = paint (2);

  for (guint i = 0; i < 4; i++) {
    GstBuffer *in = see_shaken (picture, i), *out;
    GstVideoRegionOfInterestMeta *roi;

    /* Adds a region for an object that does not move in the scene. */
    gst_buffer_add_video_region_of_interest_meta (in, "thing",
        160 - shake[i][0], 120 - shake[i][1], 40, 20);
    push (h, in);
    out = pull (h, i);
    roi = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (out,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    fail_unless (i == 0 || is_flat == (roi != NULL));
    fail_unless (i == 0 || is_flat
        == (gst_buffer_get_mgpu_keypoint_meta (out) != NULL));
    if (roi != NULL) {
      fail_unless (ABS ((gint) roi->x - 160) <= 1);
      fail_unless (ABS ((gint) roi->y - 120) <= 1);
      fail_unless (ABS ((gint) roi->w - 50) <= 2);
    }
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

static void
check_point (GstHarness * h, gdouble x, gdouble y, gdouble want_x,
    gdouble want_y, gdouble most)
{
  gdouble u, v;

  point_at (h, x, y, &u, &v);
  fail_unless (fabs (u - want_x) <= most && fabs (v - want_y) <= most,
      "(%g, %g) and not (%g, %g)", u, v, want_x, want_y);
}

/* Tests a navigation event that points at an object in a view that is held still: upstream gets the
 * position of the object in the input frame. */
GST_START_TEST (test_navigation)
{
  gboolean is_cut = __i__ % 2;
  g_autofree gchar *properties =
      g_strdup_printf ("mode=tripod zoom=1.25 edges=%s model=%s",
      is_cut ? "cut" : "mirror", models[__i__]);
  g_autoptr (GstHarness) h = stabilizer_new (properties, NULL);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autofree guint8 *picture = paint (2);

  check_point (h, 10, 20, 10, 20, 0);
  for (guint i = 0; i < 5; i++) {
    push (h, see_shaken (picture, i));
    gst_buffer_unref (pull (h, i));
    check_point (h, is_cut ? 28 : 60, is_cut ? 56 : 120, (is_cut ? 60 : 80)
        - shake[i][0], (is_cut ? 80 : 120) - shake[i][1], i == 0 ? 1e-9 : 0.3);
  }
  if (!is_cut)
    check_point (h, -400, 120, 0, 120 - shake[4][1], 3);
  g_object_set (filter, "enabled", FALSE, "edges", 0, NULL);
  push (h, see_shaken (picture, 5));
  gst_buffer_unref (pull (h, 5));
  check_point (h, 10, 20, 10, 20, 1e-9);
}

GST_END_TEST;

/* Tests that points in regions are ignored: no point of the frame is left. */
GST_START_TEST (test_ignored)
{
  g_autoptr (GstHarness) h =
      stabilizer_new ("mode=measure ignore-type=a,thing", NULL);
  g_autofree guint8 *picture = paint (2);

  for (guint i = 0; i < 4; i++) {
    GstBuffer *in = see_shaken (picture, i), *out;

    gst_buffer_add_video_region_of_interest_meta (in, i % 2 ? "other" : "thing",
        0, 0, WIDTH, HEIGHT);
    push (h, in);
    out = pull (h, i);
    fail_unless_equals_int (get_state (out), i == 0
        ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_LOST);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Attaches a grid of points to a frame, and a point whose x is NaN. */
static void
add_points (GstBuffer * frame)
{
  GstMgpuKeypoint points[16 * 12 + 1];
  guint n = 0;
  g_autoptr (GBytes) bytes = NULL;

  for (guint y = 0; y < 12; y++)
    for (guint x = 0; x < 16; x++)
      points[n++] = (GstMgpuKeypoint) {
      x *20 + 10, y * 20 + 10, 8, -1, 1, G_MININT, 0};
  points[n] = points[0];
  points[n++].x = NAN;
  bytes = g_bytes_new (points, n * sizeof (*points));
  fail_unless (gst_buffer_add_mgpu_keypoint_meta_points (frame, bytes));
}

/* Tests points that an application attaches, one of which has no position: the other points
 * determine the motion. */
GST_START_TEST (test_given)
{
  g_autoptr (GstHarness) h =
      gst_harness_new_parse ("mgpusift points=given upsample=false "
      "! mgpustabilize mode=measure");
  g_autofree guint8 *picture = paint (2);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_caps_str (h, CAPS, "video/x-raw");
  for (guint i = 0; i < 3; i++) {
    GstBuffer *in = see (picture, 0, 0, i), *out;

    add_points (in);
    push (h, in);
    out = pull (h, i);
    fail_unless_equals_int (get_state (out), i == 0
        ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests that frames pass a disabled element in order. */
GST_START_TEST (test_enabled)
{
  g_autoptr (GstHarness) h = stabilizer_new ("smoothing=2 enabled=false", NULL);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstVideoInfo info = info_from_string (CAPS);
  g_autofree guint8 *picture = paint (2);

  for (guint i = 0; i < 8; i++) {
    g_object_set (filter, "enabled", i >= 4, NULL);
    push (h, see_shaken (picture, i));
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) in = see_shaken (picture, i), out = pull (h, i);

    if (i < 4) {
      fail_unless_same_frame (&info, in, out);
      fail_unless (gst_buffer_get_mgpu_motion_meta (out) == NULL);
    } else {
      fail_unless_equals_int (get_state (out), i == 4
          ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
    }
  }
}

GST_END_TEST;

/* Tests that the widest and the highest frames, without motion, are unchanged up to their last
 * columns and rows. */
GST_START_TEST (test_largest)
{
  g_autofree gchar *caps =
      g_strdup_printf ("video/x-raw,format=GRAY8,width=%d,height=%d,"
      "framerate=25/1", __i__ == 0 ? 65536 : 16, __i__ == 0 ? 16 : 65536);
  g_autoptr (GstHarness) h =
      harness_new ("mgpustabilize max-in-flight=1 look-ahead=0 "
      "zoom=1 name=f", caps, caps);
  GstVideoInfo info = info_from_string (caps);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) in = frame_new (&info, LAYOUT_DEFAULT, 3), out = NULL;

    GST_BUFFER_PTS (in) = i * 40 * GST_MSECOND;
    push (h, gst_buffer_ref (in));
    out = pull (h, i);
    fail_unless_same_frame (&info, in, out);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpustabilize)
{
  tcase_add_loop_test (tc, test_measure, 0, 2 * G_N_ELEMENTS (models));
  tcase_add_loop_test (tc, test_tripod, 0, G_N_ELEMENTS (models));
  tcase_add_test (tc, test_tripod_moves);
  tcase_add_test (tc, test_smooth);
  tcase_add_loop_test (tc, test_blank, 0, 2);
  tcase_add_test (tc, test_one_colour);
  tcase_add_loop_test (tc, test_cut, 0, 2);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_caps_change);
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_loop_test (tc, test_interpolation, 0,
      G_N_ELEMENTS (interpolations));
  tcase_add_test (tc, test_smaller);
  tcase_add_loop_test (tc, test_smaller_colours, 0, 5);
  tcase_add_loop_test (tc, test_metas, 0, 2);
  tcase_add_loop_test (tc, test_navigation, 0, G_N_ELEMENTS (models));
  tcase_add_test (tc, test_ignored);
  tcase_add_test (tc, test_given);
  tcase_add_test (tc, test_enabled);
  tcase_add_loop_test (tc, test_largest, 0, 2);
}
