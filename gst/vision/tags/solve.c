/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Solves for the homography of a tag, from sums over the edges of its cells. */
#include "solve.h"

#include <math.h>
#include <string.h>

#include "linear.h"
#include "pose.h"

/* Minimum number of used profiles, and minimum fraction of the tried profiles that are used */
#define MIN_USED 24
#define MIN_FRACTION 0.5

/* Maximum distance by which a corner may move, in pixels */
#define MAX_MOVE 1.5

/* Minimum value, in square pixels, of the mean square of the distances of profiles from the
 * solution. This is the value for an ideal image */
#define MIN_VARIANCE 1e-4

static const gdouble unit[4][2] =
    { {-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5} };

static void
get_corners (const gint from[8], gdouble corners[8])
{
  for (guint i = 0; i < 8; i++)
    corners[i] = from[i] / (gdouble) (1 << TAGS_CORNER_BITS);
}

/* Sets @h to the homography that maps the corners of @unit to @c; h[8] is 1. */
static gboolean
find_homography (const gdouble c[8], gdouble h[9])
{
  gdouble a[64], inverse[64];

  for (guint i = 0; i < 4; i++)
    for (guint k = 0; k < 2; k++) {
      gdouble *row = a + 8 * (2 * i + k), u = unit[i][0], v = unit[i][1];

      memset (row, 0, 8 * sizeof (*row));
      row[3 * k] = u;
      row[3 * k + 1] = v;
      row[3 * k + 2] = 1;
      row[6] = -c[2 * i + k] * u;
      row[7] = -c[2 * i + k] * v;
    }
  if (!mgpu_linear_invert (8, a, inverse))
    return FALSE;
  mgpu_linear_multiply (8, 8, 1, inverse, c, h);
  h[8] = 1;
  return TRUE;
}

/* Sets @c to the positions to which @h maps the corners of @unit, and @slopes to the derivatives of
 * @c with respect to the first 8 numbers of @h. */
static gboolean
project (const gdouble h[9], gdouble c[8], gdouble slopes[64])
{
  memset (slopes, 0, 64 * sizeof (*slopes));
  for (guint i = 0; i < 4; i++) {
    gdouble u = unit[i][0], v = unit[i][1], z = h[6] * u + h[7] * v + h[8];

    if (!(z > 1e-3))
      return FALSE;
    for (guint k = 0; k < 2; k++) {
      gdouble *row = slopes + 8 * (2 * i + k);
      gdouble place = (h[3 * k] * u + h[3 * k + 1] * v + h[3 * k + 2]) / z;

      c[2 * i + k] = place;
      row[3 * k] = u / z;
      row[3 * k + 1] = v / z;
      row[3 * k + 2] = 1 / z;
      row[6] = -place * u / z;
      row[7] = -place * v / z;
    }
  }
  return TRUE;
}

/* Unpacks the sums: @normal, 8 rows of 8 numbers in square pixels, and @right. */
static void
unpack (const TagsRecord * record, gdouble normal[64], gdouble right[8])
{
  const gdouble one = (gdouble) (1 << TAGS_SUM_BITS) * (1 << TAGS_SUM_BITS);
  guint n = 0;

  for (guint r = 0; r < 8; r++) {
    right[r] = record->right[r] / one;
    for (guint c = r; c < 8; c++)
      normal[8 * r + c] = normal[8 * c + r] = record->normal[n++] / one;
  }
}

/* Returns: the mean square of the distances from the solution @step of the normal equations */
static gdouble
get_variance (const TagsRecord * record, const gdouble right[8],
    const gdouble step[8])
{
  const gdouble one = (gdouble) (1 << TAGS_SUM_BITS) * (1 << TAGS_SUM_BITS);
  gdouble sum = record->square / one;

  for (guint i = 0; i < 8; i++)
    sum -= right[i] * step[i];
  return MAX (sum / (record->n_used - 8), MIN_VARIANCE);
}

static gboolean
solve (const TagsRecord * record, gdouble corners[8], gdouble information[64])
{
  gdouble start[8], h[9], normal[64], right[8], inverse[64], step[8];
  gdouble slopes[64], back[64], half[64], turned[64], variance;

  if (record->n_used < MIN_USED
      || record->n_used < MIN_FRACTION * record->n_tried)
    return FALSE;
  get_corners (record->corners, start);
  for (guint i = 0; i < 8; i++)
    start[i] -= i % 2 == 0 ? record->origin_x : record->origin_y;
  unpack (record, normal, right);
  if (!find_homography (start, h) || !mgpu_linear_invert (8, normal, inverse))
    return FALSE;
  mgpu_linear_multiply (8, 8, 1, inverse, right, step);
  for (guint i = 0; i < 8; i++)
    h[i] += step[i];
  if (!project (h, corners, slopes) || !mgpu_linear_invert (8, slopes, back))
    return FALSE;
  for (guint i = 0; i < 8; i += 2) {
    gdouble dx = corners[i] - start[i], dy = corners[i + 1] - start[i + 1];

    if (!(dx * dx + dy * dy <= MAX_MOVE * MAX_MOVE))
      return FALSE;
    corners[i] += record->origin_x;
    corners[i + 1] += record->origin_y;
  }
  /* Computes the corners, and their covariance, from the homography. */
  mgpu_linear_transpose (8, back, turned);
  mgpu_linear_multiply (8, 8, 8, turned, normal, half);
  mgpu_linear_multiply (8, 8, 8, half, back, information);
  variance = get_variance (record, right, step);
  for (guint i = 0; i < 64; i++)
    information[i] /= variance;
  return TRUE;
}

gboolean
mgpu_tags_solve (const TagsRecord * record, gdouble corners[8],
    gdouble information[64])
{
  if (solve (record, corners, information))
    return TRUE;
  get_corners (record->edges, corners);
  mgpu_tag_view_set_plain (information);
  return FALSE;
}
