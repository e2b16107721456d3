/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Smooths the path of a camera: see docs/algorithms/stabilize.md. */
#include "path.h"

#include <math.h>
#include <string.h>

static const gdouble identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

/* Number of blends of a homography with the identity that mgpu_path_limit() tries */
#define STEPS 64

/* Smallest divisor (third homogeneous coordinate) of a position in the frame that a homography
 * moves. With a smaller divisor, the position would move too far away. */
#define NEAR 0.125

void
mgpu_path_set_identity (gdouble result[9])
{
  memcpy (result, identity, sizeof (identity));
}

void
mgpu_path_multiply (const gdouble a[9], const gdouble b[9], gdouble result[9])
{
  gdouble m[9];

  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 3; j++)
      m[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j]
          + a[3 * i + 2] * b[6 + j];
  for (guint i = 0; i < 9; i++)
    result[i] = m[i] / m[8];
}

gboolean
mgpu_path_invert (const gdouble m[9], gdouble result[9])
{
  const gdouble inverse[9] = {
    m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8],
    m[1] * m[5] - m[2] * m[4],
    m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6],
    m[2] * m[3] - m[0] * m[5],
    m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7],
    m[0] * m[4] - m[1] * m[3]
  };
  gdouble determinant = m[0] * inverse[0] + m[1] * inverse[3]
      + m[2] * inverse[6];

  if (!(determinant > 1e-9) || !(inverse[8] > 1e-9)) {
    mgpu_path_set_identity (result);
    return FALSE;
  }
  for (guint i = 0; i < 9; i++)
    result[i] = inverse[i] / inverse[8];
  return TRUE;
}

void
mgpu_path_move_origin (const gdouble m[9], gdouble x, gdouble y, gdouble to_x,
    gdouble to_y, gdouble result[9])
{
  const gdouble before[9] = { 1, 0, x, 0, 1, y, 0, 0, 1 };
  const gdouble after[9] = { 1, 0, -to_x, 0, 1, -to_y, 0, 0, 1 };

  mgpu_path_multiply (m, before, result);
  mgpu_path_multiply (after, result, result);
}

void
mgpu_path_mix (const gdouble a[9], const gdouble b[9], gdouble share,
    gdouble result[9])
{
  for (guint i = 0; i < 9; i++)
    result[i] = a[i] + share * (b[i] - a[i]);
}

/* ---- Smoothing the path ------------------------------------------------------- */

/* Number of values (9 entries of a matrix, and its scale). A straight line over time is fitted
 * to each value. */
#define N_VALUES 10

/* Sums for a weighted linear regression of N_VALUES values over time. Times are in frames; time
 * 0 is the frame that is smoothed. The weight of a frame is 1 at the time @middle and decreases
 * to 0.0256 at the distance @reach from @middle. */
typedef struct
{
  gdouble middle, reach;
  gdouble weight, x, square;
  gdouble value[N_VALUES], product[N_VALUES];
} Sums;

/* Returns: the factor by which the motion @m scales lengths, that is, the square root of the
 * factor by which it scales areas */
static gdouble
find_scale (const gdouble m[9])
{
  gdouble area = m[0] * m[4] - m[1] * m[3];

  return area > 0 ? sqrt (area) : 0;
}

/* Begins a weighted linear regression over a frame, the @n_before frames before it, and the
 * @n_after frames after it. Returns: the sums, set to 0 */
static Sums
begin (guint n_before, guint n_after)
{
  return (Sums) {.middle = ((gint) n_after - (gint) n_before) / 2.0,
    .reach = (n_after + n_before) / 2.0 + 1
  };
}

/* Adds one frame to the regression @sums. The frame comes @x frames after the frame that is
 * smoothed. The matrix @m moves positions in the smoothed frame to positions in the added frame;
 * its entries and its scale are the values of the regression. */
static void
add (Sums * sums, const gdouble m[9], gint x)
{
  gdouble share = (x - sums->middle) / sums->reach;
  gdouble root = 1 - 0.6 * share * share, square = root * root;
  gdouble weight = square * square;

  sums->weight += weight;
  sums->x += weight * x;
  sums->square += weight * x * x;
  for (guint i = 0; i < N_VALUES; i++) {
    gdouble value = weight * (i < 9 ? m[i] : find_scale (m));

    sums->value[i] += value;
    sums->product[i] += value * x;
  }
}

/* Fits a straight line to the value with the index @i of all frames in @sums. Returns: the value
 * of the line at x = 0, that is, for the frame that is smoothed */
static gdouble
solve (const Sums * sums, guint i)
{
  gdouble determinant = sums->weight * sums->square - sums->x * sums->x;

  /* Returns the mean for a single frame, which does not determine a line. */
  if (!(determinant > 0))
    return sums->value[i] / sums->weight;
  return (sums->square * sums->value[i] - sums->x * sums->product[i])
      / determinant;
}

guint
mgpu_path_get_n_before (guint smoothing)
{
  return smoothing + MIN (smoothing, MGPU_PATH_MORE_BEFORE);
}

void
mgpu_path_smooth (const gdouble (*motions)[9], guint n_before, guint n_after,
    gdouble result[9])
{
  Sums sums = begin (n_before, n_after);
  gdouble chain[9], scale, want;

  add (&sums, identity, 0);
  mgpu_path_set_identity (chain);
  for (guint i = 1; i <= n_before; i++) {
    gdouble back[9];

    mgpu_path_invert (motions[n_before - i], back);
    mgpu_path_multiply (back, chain, chain);
    add (&sums, chain, -(gint) i);
  }
  mgpu_path_set_identity (chain);
  for (guint i = 1; i <= n_after; i++) {
    mgpu_path_multiply (motions[n_before + i - 1], chain, chain);
    add (&sums, chain, i);
  }
  for (guint i = 0; i < 9; i++)
    result[i] = i < 8 ? solve (&sums, i) : 1;
  /* Sets the scale of @result to the smoothed scale, because the mean of several rotations shrinks
   * images. */
  scale = find_scale (result);
  want = solve (&sums, 9);
  if (scale > 0 && want > 0) {
    result[0] *= want / scale;
    result[1] *= want / scale;
    result[3] *= want / scale;
    result[4] *= want / scale;
  }
}

/* ---- Limiting the motion of frames ---------------------------------------------- */

/* Moves the corner (@x, @y) of a frame by the homography @m. Returns: FALSE if the divisor is at
 * most NEAR, so that the corner would move too far away */
static gboolean
project (const gdouble m[9], gdouble x, gdouble y, gdouble * to_x,
    gdouble * to_y)
{
  gdouble w = m[6] * x + m[7] * y + m[8];

  if (!(w > NEAR))
    return FALSE;
  *to_x = (m[0] * x + m[1] * y + m[2]) / w;
  *to_y = (m[3] * x + m[4] * y + m[5]) / w;
  return TRUE;
}

/* Returns: the largest factor, at most @most, for which @from + factor * @distance is between
 * -@size and @size */
static gdouble
limit_axis (gdouble from, gdouble distance, gdouble size, gdouble most)
{
  gdouble room = distance > 0 ? size - from : size + from;
  gdouble length = distance > 0 ? distance : -distance;

  return length * most <= room ? most : MAX (room, 0) / length;
}

static gboolean
is_flat (const gdouble m[9])
{
  return m[6] == 0 && m[7] == 0;
}

/* Sets *@x and *@y to the position of corner @i (0 to 3) of a frame, relative to the center of
 * the frame. */
static void
get_corner (const MgpuPathSize * size, guint i, gdouble * x, gdouble * y)
{
  *x = i & 1 ? size->x : -size->x;
  *y = i & 2 ? size->y : -size->y;
}

static gdouble
limit_flat (const gdouble warp[9], const MgpuPathSize * size,
    const MgpuPathSize * seen)
{
  gdouble share = 1, x, y;

  for (guint i = 0; i < 4; i++) {
    get_corner (seen, i, &x, &y);
    share = limit_axis (x, warp[0] * x + warp[1] * y + warp[2] - x, size->x,
        share);
    share = limit_axis (y, warp[3] * x + warp[4] * y + warp[5] - y, size->y,
        share);
  }
  return share;
}

/* Returns: whether @warp moves all corners of the new frame into the old frame. @seen is half
 * the size of the new frame, @size half the size of the old frame. */
static gboolean
are_inside (const gdouble warp[9], const MgpuPathSize * size,
    const MgpuPathSize * seen)
{
  for (guint i = 0; i < 4; i++) {
    gdouble x, y, u, v;

    get_corner (seen, i, &x, &y);
    if (!project (warp, x, y, &u, &v) || u < -size->x || u > size->x
        || v < -size->y || v > size->y)
      return FALSE;
  }
  return TRUE;
}

gdouble
mgpu_path_limit (const gdouble warp[9], const MgpuPathSize * size,
    const MgpuPathSize * seen, gdouble result[9])
{
  gdouble share = 0;

  if (is_flat (warp)) {
    share = limit_flat (warp, size, seen);
    mgpu_path_mix (identity, warp, share, result);
    return share;
  }
  for (guint i = STEPS; i > 0; i--) {
    share = (gdouble) i / STEPS;
    mgpu_path_mix (identity, warp, share, result);
    if (are_inside (result, size, seen))
      return share;
  }
  mgpu_path_set_identity (result);
  return 0;
}
