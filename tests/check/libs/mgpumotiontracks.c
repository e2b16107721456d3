/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests how mgpumotion tracks regions, and when it reports motion and tampering. */
#include "../suite.h"

#include <gst/elements/motion/gstmgpumotionactivity.h>
#include <gst/elements/motion/gstmgpumotiontracks.h>

static const GstMgpuMotionTrackParams defaults = { 8, 8, 10 };

static GstMgpuMotionTracks *tracks;
static GArray *regions, *found;

static void
setup (void)
{
  tracks = gst_mgpu_motion_tracks_new ();
  regions = g_array_new (FALSE, FALSE, sizeof (GstMgpuMotionRegion));
  found = g_array_new (FALSE, FALSE, sizeof (GstMgpuMotionTrack));
}

static void
teardown (void)
{
  g_array_unref (regions);
  g_array_unref (found);
  gst_mgpu_motion_tracks_free (tracks);
}

static void
add (gint x, gint y, gint width, gint height)
{
  GstMgpuMotionRegion region = { {x, y, x + width, y + height},
  width * height, width * height, 100 * width * height
  };

  g_array_append_val (regions, region);
}

/* Ends a frame. Returns: the number of tracks that are reported and have a region in this frame */
static guint
step (const GstMgpuMotionTrackParams * params)
{
  g_array_set_size (found, 0);
  gst_mgpu_motion_tracks_update (tracks, regions, params, found);
  g_array_set_size (regions, 0);
  return found->len;
}

static const GstMgpuMotionTrack *
get (guint i)
{
  fail_unless (i < found->len);
  return &g_array_index (found, GstMgpuMotionTrack, i);
}

static void
check_box (const GstMgpuMotionBox * box, gint left, gint top, gint right,
    gint bottom)
{
  fail_unless_equals_int (box->left, left);
  fail_unless_equals_int (box->top, top);
  fail_unless_equals_int (box->right, right);
  fail_unless_equals_int (box->bottom, bottom);
}

/* Tests that a track is reported when it had a region in 8 of the last 10 frames. */
GST_START_TEST (test_count)
{
  for (guint i = 0; i < 7; i++) {
    add (10, 10, 20, 20);
    fail_unless_equals_int (step (&defaults), 0);
  }
  fail_unless_equals_int (step (&defaults), 0);
  add (10, 10, 20, 20);
  fail_unless_equals_int (step (&defaults), 1);
  fail_unless_equals_uint64 (get (0)->id, 1);
  fail_unless_equals_int (get (0)->age, 9);
}

GST_END_TEST;

/* Tests that an object in 3 of 4 frames (7 or 8 of 10) is reported, and that an object in 2 of 3
 * frames never is. */
GST_START_TEST (test_blinking)
{
  guint n = 0, n_rare = 0;

  for (guint i = 0; i < 100; i++) {
    if (i % 4 != 3)
      add (10, 10, 20, 20);
    n += step (&defaults);
  }
  fail_unless (n > 60, "%u", n);
  gst_mgpu_motion_tracks_forget (tracks);
  for (guint i = 0; i < 100; i++) {
    if (i % 3 != 2)
      add (10, 10, 20, 20);
    n_rare += step (&defaults);
  }
  fail_unless_equals_int (n_rare, 0);
}

GST_END_TEST;

/* Tests that the id of a track is kept over 10 frames without a region, and ends after 11 such
 * frames. */
GST_START_TEST (test_hold)
{
  for (guint gap = 10; gap <= 11; gap++) {
    gst_mgpu_motion_tracks_forget (tracks);
    for (guint i = 0; i < 8; i++) {
      add (10, 10, 20, 20);
      step (&defaults);
    }
    fail_unless_equals_int (found->len, 1);
    fail_unless_equals_uint64 (get (0)->id, gap - 9);
    for (guint i = 0; i < gap; i++)
      fail_unless_equals_int (step (&defaults), 0);
    add (10, 10, 20, 20);
    fail_unless_equals_int (step (&defaults), gap == 10);
  }
}

GST_END_TEST;

/* Tests that two objects that pass each other keep their ids, because each is expected at its
 * predicted position. */
GST_START_TEST (test_passing)
{
  static const GstMgpuMotionTrackParams apart = { 0, 1, 10 };
  gint last[2] = { 0, 100 };

  for (gint i = 0; i <= 50; i++) {
    add (2 * i, 10, 20, 20);
    add (100 - 2 * i, 14, 20, 24);
    step (&apart);
    fail_unless_equals_int (found->len, 2);
    for (guint k = 0; k < 2; k++) {
      gint x = k == 0 ? 2 * i : 100 - 2 * i;

      fail_unless_equals_uint64 (get (k)->id, k + 1);
      fail_unless (ABS (get (k)->region.box.left - x) <= 2, "frame %d: %d, not "
          "%d", i, get (k)->region.box.left, x);
      last[k] = get (k)->dx;
    }
  }
  fail_unless_equals_int (last[0], 32);
  fail_unless_equals_int (last[1], -32);
}

GST_END_TEST;

/* Tests that boxes with a gap of 7 pixels are merged, and boxes with a gap of 8 are not. A chain of
 * boxes is merged in any order. */
GST_START_TEST (test_merge)
{
  GstMgpuMotionRegion *region;

  add (0, 0, 10, 10);
  add (17, 0, 10, 10);
  add (0, 18, 10, 10);
  gst_mgpu_motion_regions_merge (regions, 8);
  fail_unless_equals_int (regions->len, 2);
  region = &g_array_index (regions, GstMgpuMotionRegion, 0);
  check_box (&region->box, 0, 0, 27, 10);
  fail_unless_equals_int (region->area, 200);
  fail_unless_equals_uint64 (region->evidence, 20000);
  g_array_set_size (regions, 0);

  for (gint i = 0; i < 20; i++)
    add (i % 2 ? 1000 - 15 * i : 15 * i, 5, 10, 10);
  for (gint i = 0; i < 20; i++)
    add (i % 2 ? 15 * i : 1000 - 15 * i, 5, 10, 10);
  gst_mgpu_motion_regions_merge (regions, 8);
  fail_unless_equals_int (regions->len, 2);
  g_array_set_size (regions, 0);

  add (0, 0, 10, 10);
  add (5, 5, 10, 10);
  gst_mgpu_motion_regions_merge (regions, 0);
  fail_unless_equals_int (regions->len, 2);
}

GST_END_TEST;

/* Tests that each edge of a track's box is the mean of its last and its new position, extended to
 * cover the new box. */
GST_START_TEST (test_smooth)
{
  static const GstMgpuMotionTrackParams at_once = { 0, 1, 10 };

  add (10, 10, 20, 20);
  step (&at_once);
  check_box (&get (0)->region.box, 10, 10, 30, 30);
  add (14, 5, 20, 20);
  step (&at_once);
  check_box (&get (0)->region.box, 12, 5, 34, 28);
  fail_unless_equals_int (get (0)->region.area, 400);
}

GST_END_TEST;

/* Tests that 5000 regions in a frame make at most 1024 tracks, with ascending ids. */
GST_START_TEST (test_many)
{
  static const GstMgpuMotionTrackParams at_once = { 0, 1, 1000 };

  for (guint frame = 0; frame < 2; frame++) {
    for (gint i = 0; i < 5000; i++)
      add (20 * (i % 100), 20 * (i / 100), 10, 10);
    fail_unless_equals_int (step (&at_once), 1024);
    for (guint i = 0; i < found->len; i++)
      fail_unless_equals_uint64 (get (i)->id, i + 1);
  }
}

GST_END_TEST;

GST_START_TEST (test_activity)
{
  GstMgpuMotionActivity activity = { FALSE, 0 };

  fail_unless_equals_int (gst_mgpu_motion_activity_update (&activity, 0, FALSE,
          0), GST_MGPU_MOTION_NO_EVENT);
  fail_unless_equals_int (gst_mgpu_motion_activity_update (&activity, 10, TRUE,
          30), GST_MGPU_MOTION_STARTED);
  fail_unless_equals_int (gst_mgpu_motion_activity_update (&activity, 20, TRUE,
          30), GST_MGPU_MOTION_NO_EVENT);
  fail_unless_equals_int (gst_mgpu_motion_activity_update (&activity, 49, FALSE,
          30), GST_MGPU_MOTION_NO_EVENT);
  fail_unless (activity.active);
  fail_unless_equals_int (gst_mgpu_motion_activity_update (&activity, 50, FALSE,
          30), GST_MGPU_MOTION_STOPPED);
  fail_if (activity.active);
  fail_unless_equals_int (gst_mgpu_motion_activity_end (&activity),
      GST_MGPU_MOTION_NO_EVENT);
  gst_mgpu_motion_activity_update (&activity, 60, TRUE, 30);
  fail_unless_equals_int (gst_mgpu_motion_activity_end (&activity),
      GST_MGPU_MOTION_STOPPED);
}

GST_END_TEST;

/* Sums of a frame of 10000 pixels, 1000 of them at edges, and the event after 3 such frames of 10
 * ns each */
typedef struct
{
  guint survive, energy, luma;  /* percent; mean luma */
  GstMgpuTamper event;
} TamperCase;

static GstMgpuTamper
look (GstMgpuTamperState * state, const TamperCase * c, GstClockTime time)
{
  const GstMgpuTamperSums sums = { 10000, 1000, 10 * c->survive,
    1000 * c->energy, 100000, 10000 * c->luma
  };

  return gst_mgpu_tamper_state_update (state, &sums, time, 20, 1000);
}

GST_START_TEST (test_tamper)
{
  static const TamperCase cases[] = {
    {30, 90, 15, GST_MGPU_TAMPER_DARK}, {30, 24, 16, GST_MGPU_TAMPER_COVERED},
    {30, 26, 90, GST_MGPU_TAMPER_BLURRED}, {30, 51, 90, GST_MGPU_TAMPER_MOVED},
    {59, 51, 90, GST_MGPU_TAMPER_MOVED}, {61, 0, 0, GST_MGPU_TAMPER_NONE}
  };
  static const TamperCase half = { 70, 100, 90 }, whole = { 90, 100, 90 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const TamperCase *c = &cases[i];
    GstMgpuTamperState state;

    gst_mgpu_tamper_state_init (&state);
    fail_unless_equals_int (look (&state, c, 100), GST_MGPU_TAMPER_NONE);
    fail_unless_equals_int (look (&state, c, 110), GST_MGPU_TAMPER_NONE);
    fail_unless_equals_int (look (&state, c, 120), c->event);
    fail_unless_equals_int (look (&state, c, 130), GST_MGPU_TAMPER_NONE);
    fail_unless_equals_int (look (&state, &half, 140), GST_MGPU_TAMPER_NONE);
    fail_unless_equals_int (look (&state, &whole, 150),
        c->event ? GST_MGPU_TAMPER_RESTORED : GST_MGPU_TAMPER_NONE);
  }
}

GST_END_TEST;

/* Tests that a short disturbance is not reported as tampering; a view that stays is learned, and is
 * normal afterwards. */
GST_START_TEST (test_tamper_learned)
{
  static const TamperCase moved = { 30, 90, 90 }, good = { 90, 100, 90 };
  const GstMgpuTamperSums bare = { 10000, 38, 0, 0, 0, 0 };
  GstMgpuTamperState state;

  gst_mgpu_tamper_state_init (&state);
  look (&state, &moved, 0);
  look (&state, &good, 10);
  fail_unless_equals_int (look (&state, &moved, 20), GST_MGPU_TAMPER_NONE);
  fail_unless_equals_int (look (&state, &moved, 40), GST_MGPU_TAMPER_MOVED);
  fail_unless_equals_int (look (&state, &moved, 1039), GST_MGPU_TAMPER_NONE);
  fail_unless_equals_int (look (&state, &moved, 1040), GST_MGPU_TAMPER_LEARNED);
  fail_unless_equals_int (state.tampered, GST_MGPU_TAMPER_NONE);
  fail_unless_equals_int (gst_mgpu_tamper_get_survive (&state, &bare), 1024);
}

GST_END_TEST;

/* Tests a covered camera, whose stored background fades because it follows the light. The cover is
 * reported nevertheless, and its end when the frame has edges again. */
GST_START_TEST (test_tamper_faded)
{
  static const TamperCase covered = { 0, 10, 90 };
  const GstMgpuTamperSums faded = { 10000, 100, 100, 10000, 10000, 900000 };
  const GstMgpuTamperSums back = { 10000, 100, 100, 90000, 10000, 900000 };
  GstMgpuTamperState state;

  gst_mgpu_tamper_state_init (&state);
  look (&state, &covered, 0);
  fail_unless_equals_int (gst_mgpu_tamper_state_update (&state, &faded, 10, 20,
          1000), GST_MGPU_TAMPER_NONE);
  fail_unless_equals_int (gst_mgpu_tamper_state_update (&state, &faded, 20, 20,
          1000), GST_MGPU_TAMPER_COVERED);
  fail_unless_equals_int (gst_mgpu_tamper_get_survive (&state, &faded), 0);
  fail_unless_equals_int (gst_mgpu_tamper_state_update (&state, &faded, 30, 20,
          1000), GST_MGPU_TAMPER_NONE);
  fail_unless_equals_int (gst_mgpu_tamper_state_update (&state, &back, 40, 20,
          1000), GST_MGPU_TAMPER_RESTORED);
}

GST_END_TEST;

CHECK_TESTS (mgpumotiontracks)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_count);
  tcase_add_test (tc, test_blinking);
  tcase_add_test (tc, test_hold);
  tcase_add_test (tc, test_passing);
  tcase_add_test (tc, test_merge);
  tcase_add_test (tc, test_smooth);
  tcase_add_test (tc, test_many);
  tcase_add_test (tc, test_activity);
  tcase_add_test (tc, test_tamper);
  tcase_add_test (tc, test_tamper_learned);
  tcase_add_test (tc, test_tamper_faded);
}
