/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpustabilize with points=tracks: which points it uses, and the motion that it measures
 * with them. */
#include "stabilize.h"

/* Parts of log messages that name the points that are in use */
enum
{
  ATTACHED_TRACKS,
  OWN_TRACKS,
  ATTACHED_KEYPOINTS,
  OWN_KEYPOINTS,
  TOO_FEW,
  N_TEXTS
};

static const gchar *const texts[N_TEXTS] = {
  " tracks, which were attached to it", " tracks, followed here",
  " keypoints, which were attached to it", "found here",
  "keypoints are matched instead"
};

static guint counts[N_TEXTS];

static void
count_texts (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  for (guint i = 0; i < N_TEXTS; i++)
    counts[i] += strstr (gst_debug_message_get (message), texts[i]) != NULL;
}

static void
watch_log (void)
{
  gst_debug_set_threshold_for_name ("mgpustabilize", GST_LEVEL_LOG);
  gst_debug_remove_log_function (gst_debug_log_default);
  /* Without a fork, an earlier test has counted. */
  gst_debug_remove_log_function (count_texts);
  memset (counts, 0, sizeof (counts));
  gst_debug_add_log_function (count_texts, NULL, NULL);
}

/* Checks that frame @i was measured, with the motion of the simulated camera. */
static void
check_measured (GstBuffer * out, guint i, gdouble most)
{
  GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (out);

  fail_unless_equals_int (get_state (out), i == 0
      ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
  if (i == 0)
    return;
  fail_unless (gst_mgpu_motion_meta_get_n_inliers (meta) >= 48);
  check_shift (gst_mgpu_motion_meta_get_motion (meta),
      shake[i - 1][0] - shake[i][0], shake[i - 1][1] - shake[i][1], most);
}

/* Tests which points are used: points that upstream tracks, points that the element tracks, and, in
 * preference to both, keypoints with descriptors. */
GST_START_TEST (test_sources)
{
  static const struct
  {
    const gchar *launch;
    guint text;
  } cases[] = {
    {"mgpustabilize mode=measure name=f", OWN_TRACKS},
    {"mgpuflow dense=false tracks=400 track-cell=16 ! mgpustabilize mode=measure points=tracks name=f",
        ATTACHED_TRACKS},
    {"mgpuflow dense=false tracks=400 track-cell=16 ! mgpustabilize mode=measure points=sift name=f",
        OWN_KEYPOINTS},
    {"mgpusift max-features=300 ! mgpustabilize mode=measure points=tracks name=f", ATTACHED_KEYPOINTS},
  };
  g_autoptr (GstHarness) h = harness_new (cases[__i__].launch, CAPS, CAPS);
  g_autofree guint8 *picture = paint (1);

  watch_log ();
  for (guint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) out = NULL;

    push (h, see_shaken (picture, i));
    out = pull (h, i);
    check_measured (out, i, 0.03);
  }
  for (guint i = 0; i < N_TEXTS; i++)
    fail_unless_equals_int (counts[i], i == cases[__i__].text ? 6 : 0);
}

GST_END_TEST;

/* Tests that frames after a flush have the motions that they have without earlier frames. */
GST_START_TEST (test_flush)
{
  g_autoptr (GstHarness) h =
      harness_new ("mgpustabilize mode=measure points=tracks", CAPS, CAPS);
  g_autoptr (GstHarness) fresh =
      harness_new ("mgpustabilize mode=measure points=tracks", CAPS, CAPS);
  g_autofree guint8 *earlier = paint (1), *picture = paint (2);

  for (guint i = 0; i < 6; i++) {
    push (h, see_shaken (earlier, i));
    gst_buffer_unref (pull (h, i));
  }
  flush (h);
  for (guint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) out = NULL, want = NULL;
    const gdouble *motion;

    push (h, see_shaken (picture, i));
    push (fresh, see_shaken (picture, i));
    out = pull (h, i);
    want = pull (fresh, i);
    check_measured (out, i, 0.03);
    motion = gst_mgpu_motion_meta_get_motion (gst_buffer_get_mgpu_motion_meta
        (out));
    fail_unless (memcmp (motion,
            gst_mgpu_motion_meta_get_motion (gst_buffer_get_mgpu_motion_meta
                (want)), 9 * sizeof (gdouble)) == 0, "frame %u moves by %g, %g",
        i, motion[2], motion[5]);
  }
}

GST_END_TEST;

/* Tests that keypoints are matched if the camera moves so far that no tracked point is found again,
 * and if few points are tracked. */
GST_START_TEST (test_too_few)
{
  g_autoptr (GstHarness) h = harness_new (__i__ == 0
      ? "mgpustabilize mode=measure points=tracks name=f"
      :
      "mgpuflow dense=false tracks=20 ! mgpustabilize mode=measure points=tracks name=f",
      CAPS, CAPS);
  g_autofree guint8 *picture = paint (1);

  watch_log ();
  for (guint i = 0; i < 4; i++) {
    g_autoptr (GstBuffer) out = NULL;
    gint x = __i__ == 0 && i >= 2 ? 80 : 0, last_x = __i__ == 0
        && i >= 3 ? 80 : 0;
    gint y = x / 2, last_y = last_x / 2;

    push (h, see (picture, 2 * x - 80, y, i));
    out = pull (h, i);
    fail_unless_equals_int (get_state (out), i == 0
        ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
    if (i > 0)
      check_shift (gst_mgpu_motion_meta_get_motion
          (gst_buffer_get_mgpu_motion_meta (out)), 2 * (last_x - x), last_y - y,
          0.2);
  }
  fail_unless_equals_int (counts[TOO_FEW], __i__ == 0 ? 1 : 3);
}

GST_END_TEST;

/* Tests that new caps of the same size do not begin a new scene: the keypoints of the last frame
 * are matched. */
GST_START_TEST (test_caps_change)
{
  g_autoptr (GstHarness) h =
      stabilizer_new ("mode=measure points=tracks", NULL);
  g_autofree guint8 *picture = paint (8);

  for (guint i = 0; i < 6; i++) {
    g_autoptr (GstCaps) caps =
        gst_caps_from_string (CAPS ", pixel-aspect-ratio=(fraction)12/11");
    g_autoptr (GstBuffer) out = NULL;

    if (i == 3)
      fail_unless (gst_harness_push_event (h, gst_event_new_caps (caps)));
    push (h, see_shaken (picture, i));
    out = pull (h, i);
    check_measured (out, i, 0.1);
  }
}

GST_END_TEST;

/* Tests a steady pan with a shaking camera: the output moves like the pan, except for a small
 * remainder. */
GST_START_TEST (test_smooth)
{
  g_autoptr (GstHarness) h =
      stabilizer_new ("points=tracks smoothing=6 look-ahead=6 zoom=1.2", NULL);
  g_autofree guint8 *picture = paint (3);

  for (gint i = 0; i < N; i++)
    push (h, see (picture, shake[i][0] + i, shake[i][1], i));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; i < N; i++) {
    g_autoptr (GstBuffer) out = pull (h, i);
    GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (out);

    if (i < 8 || i > N - 8)
      continue;
    check_shift (gst_mgpu_motion_meta_get_correction (meta), 1.2 * shake[i][0],
        1.2 * shake[i][1], 2.5);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpustabilizetracks)
{
  tcase_add_loop_test (tc, test_sources, 0, 4);
  tcase_add_test (tc, test_flush);
  tcase_add_loop_test (tc, test_too_few, 0, 2);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_smooth);
}
