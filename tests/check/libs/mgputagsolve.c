/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the corners of tags that are computed from sums of the device, and the evidence of tags (in
 * bits). */
#include "../suite.h"

#include <math.h>
#include <string.h>

#include <gst/vision/tags/evidence.h>
#include <gst/vision/tags/solve.h>

#define ONE 4096.0

/* Homography of a tag at (300, 200), without this translation */
static const gdouble truth[9] = { 40, 6, 12.25, -5, 38, 11.5, 0.05, -0.03, 1 };

static void
project (const gdouble h[9], gdouble u, gdouble v, gdouble at[2])
{
  gdouble z = h[6] * u + h[7] * v + h[8];

  at[0] = (h[0] * u + h[1] * v + h[2]) / z;
  at[1] = (h[3] * u + h[4] * v + h[5]) / z;
}

/* Sets @corners to the corners of the tag that @h describes, in the units of the device's
 * records. */
static void
set_corners (const gdouble h[9], gint corners[8])
{
  static const gdouble unit[4][2] = { {-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5},
  {-0.5, 0.5}
  };

  for (guint i = 0; i < 4; i++) {
    gdouble at[2];

    project (h, unit[i][0], unit[i][1], at);
    corners[2 * i] = floor ((at[0] + 300) * 65536 + 0.5);
    corners[2 * i + 1] = floor ((at[1] + 200) * 65536 + 0.5);
  }
}

/* Adds the measurement of an edge at the position (@u, @v) of a tag to the equations in @record.
 * The edge runs along u (@along 0) or v (@along 1). Its measured position is the true one plus
 * @noise pixels. */
static void
add_profile (TagsRecord * record, const gdouble h[9], gdouble u, gdouble v,
    guint along, gdouble noise)
{
  gdouble at[2], next[2], edge[2], n[2], length, o, z, p, j[8];
  guint k = 0;

  project (h, u, v, at);
  project (h, u + (along == 0) * 1e-6, v + (along == 1) * 1e-6, next);
  length = hypot (next[0] - at[0], next[1] - at[1]);
  n[0] = -(next[1] - at[1]) / length;
  n[1] = (next[0] - at[0]) / length;
  project (truth, u, v, edge);
  o = (edge[0] - at[0]) * n[0] + (edge[1] - at[1]) * n[1] + noise;
  z = h[6] * u + h[7] * v + 1;
  p = n[0] * at[0] + n[1] * at[1];
  for (guint i = 0; i < 2; i++) {
    j[3 * i] = n[i] * u / z;
    j[3 * i + 1] = n[i] * v / z;
    j[3 * i + 2] = n[i] / z;
  }
  j[6] = -p * u / z;
  j[7] = -p * v / z;
  o = rint (o * ONE);
  for (guint r = 0; r < 8; r++)
    j[r] = rint (j[r] * ONE);
  for (guint r = 0; r < 8; r++) {
    record->right[r] += (TagsLong) (j[r] * o);
    for (guint c = r; c < 8; c++)
      record->normal[k++] += (TagsLong) (j[r] * j[c]);
  }
  record->square += (TagsLong) (o * o);
  record->n_used++;
  record->n_tried++;
}

/* Fills @record with a tag of the family 36h11 whose initial homography is @h. */
static void
fill (TagsRecord * record, const gdouble h[9], GRand * random, gdouble noise)
{
  memset (record, 0, sizeof (*record));
  record->origin_x = 300;
  record->origin_y = 200;
  set_corners (h, record->corners);
  memcpy (record->edges, record->corners, sizeof (record->edges));
  record->edges[0] += 65536;
  for (guint line = 0; line <= 8; line++)
    for (guint i = 0; i < 24; i++)
      for (guint along = 0; along < 2; along++) {
        gdouble a = line / 8.0 - 0.5, b = (i + 0.5) / 24 - 0.5, off = 0;

        for (guint k = 0; k < 12; k++)
          off += g_rand_double_range (random, -0.5, 0.5);
        add_profile (record, h, along == 0 ? b : a, along == 0 ? a : b, along,
            off * noise);
      }
}

/* Tests that the Gauss-Newton step leads to the true corners, and that the covariance describes
 * their accuracy. */
GST_START_TEST (solved)
{
  gdouble start[9], corners[8], information[64], most = 0, sum = 0;
  gint want[8];
  GRand *random = g_rand_new_with_seed (3);
  const guint n = 60;
  TagsRecord record;

  set_corners (truth, want);
  for (guint t = 0; t < n; t++) {
    memcpy (start, truth, sizeof (start));
    start[0] += 0.2;
    start[2] -= 0.3;
    start[5] += 0.25;
    start[6] += 0.002;
    fill (&record, start, random, 0.05);
    fail_unless (mgpu_tags_solve (&record, corners, information));
    for (guint i = 0; i < 8; i++) {
      gdouble d = corners[i] - want[i] / 65536.0;

      most = MAX (most, fabs (d));
      for (guint k = 0; k < 8; k++)
        sum += d * information[8 * i + k] * (corners[k] - want[k] / 65536.0);
    }
  }
  g_rand_free (random);
  GST_INFO ("most %g, chi square per corner %g", most, sum / n / 8);
  fail_unless (most < 0.05, "%g", most);
  fail_unless (sum / n / 8 > 0.6 && sum / n / 8 < 1.6, "%g", sum / n / 8);
}

GST_END_TEST;

/* Tests that with too few profiles, equations without a solution, or corners that move far, the
 * corners are the intersections of the sides. */
GST_START_TEST (refused)
{
  gdouble start[9], corners[8], information[64];
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  TagsRecord record, bad;

  memcpy (start, truth, sizeof (start));
  fill (&record, start, random, 0);
  fail_unless (mgpu_tags_solve (&record, corners, information));
  for (guint i = 0; i < 6; i++) {
    bad = record;
    if (i == 0)
      bad.n_used = 23;
    else if (i == 1)
      bad.n_tried = 2 * bad.n_used + 1;
    else if (i == 2)
      memset (bad.normal, 0, sizeof (bad.normal));
    else if (i == 3)
      bad.right[2] += (TagsLong) (bad.n_used * 3 * ONE * ONE);
    else if (i == 4)
      memset (bad.corners, 0, sizeof (bad.corners));
    else
      bad.n_used = bad.n_tried = 0;
    fail_if (mgpu_tags_solve (&bad, corners, information), "%u", i);
    for (guint k = 0; k < 8; k++)
      fail_unless (corners[k] == record.edges[k] / 65536.0);
    fail_unless (information[0] > 0 && information[1] == 0);
  }
}

GST_END_TEST;

/* Tests which tags count if the limit of the evidence is 13.5 bits, for families whose evidence is
 * known. */
GST_START_TEST (evidence)
{
  static const struct
  {
    const gchar *name;
    gint least[4], most[4];     /* evidence, in bits, of tags with 0 to 3 wrong bits */
    gboolean is_strong;
  } known[] = {
    {"tag36h11", {12, 12, 12, -1}, {12, 12, 12, 12}, TRUE},
    {"tag25h9", {11, 10, 4, -1}, {11, 10, 4, 11}, TRUE},
    {"tag16h5", {2, -1, -1, -1}, {2, -1, -1, -1}, TRUE},
    {"tagAruco4x4_50", {2, -1, -1, -1}, {2, -1, -1, -1}, TRUE},
    {"tagAruco4x4_1000", {1, -1, -1, -1}, {1, -1, -1, -1}, FALSE},
    {"tagAruco5x5_250", {11, 5, 1, -1}, {11, 5, 1, -1}, TRUE},
    {"tagArucoOriginal", {10, -1, -1, -1}, {10, -1, -1, -1}, TRUE}
  };
  gint found[TAGS_MAX_HAMMING + 1];

  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autoptr (MgpuTagDictionary) family =
        mgpu_tag_dictionary_find (known[i].name);

    fail_unless_equals_int (mgpu_tag_evidence_limit (family, 1, 7, 13.5,
            found), known[i].is_strong);
    for (guint h = 0; h < 4; h++)
      fail_unless (found[h] >= known[i].least[h] && found[h] <=
          known[i].most[h], "%s with %u: %d", known[i].name, h, found[h]);
    for (guint h = 0; h < 4; h++)
      fail_unless (h > 0 || found[h] <= 1 || mgpu_tag_evidence (family, 1, h,
              found[h]) >= 13.5);
    mgpu_tag_evidence_limit (family, 1, 0, 0, found);
    fail_unless (found[0] == (gint) (8 * family->border / 5)
        && found[1] == -1);
    mgpu_tag_evidence_limit (family, 1, 7, 64, found);
    fail_unless (found[0] == 1 && found[1] == -1);
  }
  {
    g_autoptr (MgpuTagDictionary) family = mgpu_tag_dictionary_find ("tag16h5");
    gdouble fifth = 1, some = 1, one;

    for (guint i = 1; i <= 9; i++) {
      some = some * (49 - i) / i;
      fifth += some;
    }
    /* 16 - log2 (4 * 30 * 17) + (log2 (fifth) - log2 (49)) / 4: up to 9 of 48 cells may be
     * wrong. */
    one = mgpu_tag_evidence (family, 1, 1, 1);
    fail_unless (fabs (one - (16 - log2 (2040) + 0.25 * (log2 (fifth)
                    - log2 (49)))) < 1e-9);
    fail_unless (fabs (mgpu_tag_evidence (family, 8, 1, 1) - (one - 3)) < 1e-9);
    fail_unless (fabs (mgpu_tag_evidence (family, 1, 1, 9) - (16
                - log2 (2040))) < 1e-9);
  }
}

GST_END_TEST;

/* Tests that codes with few edges between cells lose evidence: a white column, a white
 * rectangle. */
GST_START_TEST (loss)
{
  static const struct
  {
    const gchar *family;
    guint id;
    gdouble loss;
  } known[] = { {"tagArucoOriginal", 0, 25 * (1 - 3 * 5 / 40.0)},
  {"tagArucoOriginal", 1023, 25 * (1 - 3 * 10 / 40.0)},
  {"tagArucoOriginal", 682, 0}, {"tag36h11", 17, 0}
  };
  g_autoptr (MgpuTagDictionary) april = mgpu_tag_dictionary_find ("tag36h11");

  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autoptr (MgpuTagDictionary) family =
        mgpu_tag_dictionary_find (known[i].family);
    gdouble got = mgpu_tag_evidence_loss (family, known[i].id);

    fail_unless (fabs (got - known[i].loss) < 1e-9, "%s:%u: %g",
        known[i].family, known[i].id, got);
  }
  for (guint i = 0; i < april->n_codes; i++)
    fail_unless (mgpu_tag_evidence_loss (april, i) == 0);
}

GST_END_TEST;

CHECK_TESTS (mgputagsolve)
{
  tcase_add_test (tc, solved);
  tcase_add_test (tc, refused);
  tcase_add_test (tc, evidence);
  tcase_add_test (tc, loss);
}
