/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests how the camera path is smoothed, and how far frames may move. */

#include <math.h>

#include <gst/vision/stabilize/path.h>

#include "../../reference/stabilize.h"
#include "../suite.h"

#define N 41
#define SMOOTHING 15

static void
check_near (const gdouble * got, const gdouble * want, gdouble most)
{
  for (guint i = 0; i < 9; i++)
    fail_unless (fabs (got[i] - want[i]) <= most, "number %u is %.12g and not "
        "%.12g", i, got[i], want[i]);
}

/* Sets @m to a rotation, a zoom and a translation. */
static void
make_similarity (gdouble * m, gdouble angle, gdouble scale, gdouble x,
    gdouble y)
{
  const gdouble c = cos (angle) * scale, s = sin (angle) * scale;
  const gdouble motion[9] = { c, -s, x, s, c, y, 0, 0, 1 };

  memcpy (m, motion, sizeof (motion));
}

static void
make_random (GRand * random, gdouble (*motions)[9])
{
  for (guint i = 0; i < N; i++)
    make_similarity (motions[i], g_rand_double_range (random, -0.02, 0.02),
        g_rand_double_range (random, 0.98, 1.02),
        g_rand_double_range (random, -9, 9),
        g_rand_double_range (random, -9, 9));
}

GST_START_TEST (test_matrices)
{
  const gdouble m[9] = { 1.1, 0.2, 3, -0.1, 0.9, -5, 0.001, -0.002, 1 };
  const gdouble flat[9] = { 0, 0, 0, 0, 0, 0, 0, 0, 1 };
  gdouble identity[9], result[9], back[9];

  mgpu_path_set_identity (identity);
  fail_unless (mgpu_path_invert (m, back));
  mgpu_path_multiply (m, back, result);
  check_near (result, identity, 1e-12);
  fail_if (mgpu_path_invert (flat, result));
  check_near (result, identity, 0);

  /* Uses the same motion with the origin (7, 8), whose motion is the translation. */
  mgpu_path_move_origin (m, 7, 8, 7, 8, result);
  fail_unless (fabs (result[2] / result[8] + 7 - (1.1 * 7 + 0.2 * 8 + 3)
          / (0.001 * 7 - 0.002 * 8 + 1)) < 1e-12);
  mgpu_path_move_origin (result, -7, -8, -7, -8, back);
  check_near (back, m, 1e-12);
  mgpu_path_mix (identity, m, 0.5, result);
  fail_unless (result[2] == 1.5);
}

GST_END_TEST;

/* Compares the smoothed path with that of the reference, which gets the motions from the frame to
 * all other frames. */
static void
compare_with_reference (const gdouble (*motions)[9], guint before, guint after)
{
  gdouble to[N + 1][9], want[9], got[9];
  gint x[N + 1];
  guint n = before + after + 1;

  mgpu_path_set_identity (to[before]);
  x[before] = 0;
  for (guint i = 1; i <= before; i++) {
    gdouble chain[9];

    mgpu_path_set_identity (chain);
    for (guint k = before - i; k < before; k++)
      mgpu_path_multiply (motions[k], chain, chain);
    fail_unless (mgpu_path_invert (chain, to[before - i]));
    x[before - i] = -(gint) i;
  }
  for (guint i = 1; i <= after; i++) {
    mgpu_path_multiply (motions[before + i - 1], to[before + i - 1],
        to[before + i]);
    x[before + i] = i;
  }
  ref_smooth ((const gdouble (*)[9]) to, x, n, want);
  mgpu_path_smooth (motions, before, after, got);
  check_near (got, want, 1e-9);
}

GST_START_TEST (test_reference)
{
  static const guint windows[][2] = {
    {0, 0}, {1, 0}, {0, 1}, {2, 0}, {SMOOTHING, 0}, {0, SMOOTHING}, {3, 7}, {SMOOTHING, 3},
    {SMOOTHING, SMOOTHING}, {25, SMOOTHING}
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gdouble motions[N][9];

  for (guint i = 0; i < 20; i++) {
    make_random (random, motions);
    for (guint k = 0; k < G_N_ELEMENTS (windows); k++)
      compare_with_reference ((const gdouble (*)[9]) motions, windows[k][0],
          windows[k][1]);
  }
}

GST_END_TEST;

/* Tests that the smoothed path does not lag behind a pan, with any look-ahead. */
GST_START_TEST (test_pan)
{
  gdouble motions[N][9], identity[9], result[9];

  mgpu_path_set_identity (identity);
  for (guint i = 0; i < N; i++)
    make_similarity (motions[i], 0, 1, 5, -2);
  for (guint after = 0; after <= SMOOTHING; after += 5) {
    mgpu_path_smooth ((const gdouble (*)[9]) motions, SMOOTHING, after, result);
    check_near (result, identity, 1e-9);
  }
}

GST_END_TEST;

/* Tests that camera swings of 1 to 10 Hz, at 25 frames per second, are reduced by a number of
 * decibels with given values of smoothing and look-ahead. Slower swings of 0.3 Hz do not grow by
 * more than a factor. */
GST_START_TEST (test_swing)
{
  static const struct
  {
    guint smoothing, after;
    gdouble least, most;
  } windows[] = {
    {15, 15, 34, 1}, {15, 5, 18, 1.25}, {15, 0, 12, 1.4}, {30, 15, 37.5, 1.05},
    {30, 5, 32, 1.45}, {30, 0, 25, 1.65}, {60, 5, 30, 1.57}
  };
  guint before = mgpu_path_get_n_before (windows[__i__].smoothing);
  guint after = windows[__i__].after;
  gdouble left = 0, most = 0;

  for (guint i = 0; i < 120; i++) {
    gdouble step = 2 * G_PI / 25 * (i < 100 ? 1 + i % 50 * 0.18 : 0.3);
    gdouble phase = i < 100 ? i / 50 * G_PI / 2 : G_PI / 20 * i;
    gdouble motions[120][9], result[9], was = cos (phase - step * before), at;

    for (guint k = 0; k < before + after; k++) {
      gdouble is = cos (phase + step * ((gint) k + 1 - (gint) before));

      make_similarity (motions[k], 0, 1, is - was, 0);
      was = is;
    }
    mgpu_path_smooth ((const gdouble (*)[9]) motions, before, after, result);
    at = cos (phase) + result[2];
    if (i < 100)
      left += at * at / 50;
    else
      most = MAX (most, fabs (at));
  }
  fail_unless (-10 * log10 (left) >= windows[__i__].least, "%g dB",
      -10 * log10 (left));
  fail_unless (most < windows[__i__].most, "%g", most);
}

GST_END_TEST;

/* Tests that a swinging rotation keeps the size of the image. */
GST_START_TEST (test_scale)
{
  gdouble motions[N][9], result[9];

  for (guint i = 0; i < N; i++)
    make_similarity (motions[i], i % 2 ? 0.3 : -0.3, 1, 0, 0);
  mgpu_path_smooth ((const gdouble (*)[9]) motions, SMOOTHING, SMOOTHING,
      result);
  fail_unless (fabs (result[0] * result[4] - result[1] * result[3] - 1) < 1e-9);
}

GST_END_TEST;

/* Tests that the correction is reduced until the corners touch the edges if the warp would show
 * pixels outside of the frame; otherwise the correction is not changed. */
GST_START_TEST (test_limit)
{
  const MgpuPathSize size = { 319.5, 239.5 }, seen = { 290, 217 };
  const gdouble small[9] = { 1, 0, 29.5, 0, 1, -22.5, 0, 0, 1 };
  const gdouble far[9] = { 1, 0, 59, 0, 1, 1, 0, 0, 1 };
  const gdouble tilted[9] = { 1.2, 0.1, 9, -0.2, 1.1, -5, 0.001, 0.0004, 1 };
  const gdouble gone[9] = { 1, 0, 1e4, 0, 1, 0, 0.001, 0, 1 };
  gdouble result[9], share;

  fail_unless (mgpu_path_limit (small, &size, &seen, result) == 1);
  check_near (result, small, 0);
  fail_unless (mgpu_path_limit (far, &size, &seen, result) == 0.5);
  fail_unless (result[2] == 29.5);
  /* The frame cannot move if all of it is visible. */
  fail_unless (mgpu_path_limit (far, &size, &size, result) == 0);
  share = mgpu_path_limit (tilted, &size, &seen, result);
  fail_unless (share > 0 && share < 1 && share * 64 == floor (share * 64));
  for (guint i = 0; i < 4; i++) {
    gdouble x = i & 1 ? seen.x : -seen.x, y = i & 2 ? seen.y : -seen.y;
    gdouble w = result[6] * x + result[7] * y + 1;

    fail_unless (fabs (result[0] * x + result[1] * y + result[2])
        <= size.x * w);
    fail_unless (fabs (result[3] * x + result[4] * y + result[5])
        <= size.y * w);
  }
  fail_unless (mgpu_path_limit (gone, &size, &seen, result) == 0);
  fail_unless (result[0] == 1 && result[2] == 0);
}

GST_END_TEST;

CHECK_TESTS (mgpustabilizepath)
{
  tcase_add_test (tc, test_matrices);
  tcase_add_test (tc, test_reference);
  tcase_add_test (tc, test_pan);
  tcase_add_loop_test (tc, test_swing, 0, 7);
  tcase_add_test (tc, test_scale);
  tcase_add_test (tc, test_limit);
}
