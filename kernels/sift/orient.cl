/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the directions of SIFT points. A work-group processes one point. */

#include "sift/window.h"

#define BINS 36

/* Number of copies of the histogram of directions. Successive samples use different copies,
 * because an addition to a bin has to wait for the previous addition to the same bin. */
#define COPIES (GROUP == 1 ? 4 : 1)

/* Number of bins of a copy of the histogram: one more than the number of directions, for angles
 * that are rounded up to 360 degrees. */
#define COPY (BINS + 1)

/* Returns true if bin i of the histogram is a local maximum with at least 0.8 times the value of
 * the highest bin, @top. */
static bool
is_peak (SHARED const uint * bins, int i, uint top)
{
  return bins[i] > bins[i > 0 ? i - 1 : BINS - 1]
      && bins[i] > bins[i < BINS - 1 ? i + 1 : 0]
      && top - bins[i] <= bins[i] / 4;
}

/* Writes the angles of the max_directions highest peaks of the histogram, in the order of the
 * bins. Returns their number. The elements of @peaks are not 0 for bins that are peaks. */
static int
find_angles (SHARED const uint * bins, SHARED const uchar * peaks,
    int max_directions, global float *angles)
{
  int n = 0;

  for (int i = 0; i < BINS; i++) {
    uint before, after;
    int stronger = 0;
    float bin;

    if (!peaks[i])
      continue;
    for (int j = 0; j < BINS; j++)
      if (peaks[j] && (bins[j] > bins[i] || (bins[j] == bins[i] && j < i)))
        stronger++;
    if (stronger >= max_directions)
      continue;
    before = bins[i] - bins[i > 0 ? i - 1 : BINS - 1];
    after = bins[i] - bins[i < BINS - 1 ? i + 1 : 0];
    bin = fma (0.5f * convert_float_rte ((int) before - (int) after),
        reciprocal1 (convert_float_rte (before + after)), (float) i);
    bin = bin < 0.0f ? bin + BINS : bin >= BINS ? bin - BINS : bin;
    bin = fma (-10.0f, bin, 360.0f);
    angles[n++] = bin >= 360.0f ? 0.0f : bin;
  }
  return n;
}

/* Adds the gradients of row @y of the window around a point to the copies of the histogram. The
 * ACROSS work-items of this row share the work. @falloff sets how fast the weight of a gradient
 * decreases with the distance from the point. @unit converts weighted lengths to integers. */
static void
count_row (const global float *scale, const global int *octave,
    const global int *point, int y, int radius, float falloff, float unit,
    SHARED uint * bins)
{
  int row = point[2] + y, pitch = octave[PITCH];
  int begin = max (-radius, 1 - point[3]);
  int end = min (radius, octave[WIDTH] - 2 - point[3]);

  if (row <= 0 || row >= octave[HEIGHT] - 1)
    return;
  for (int x = begin + LOCAL_ID % ACROSS * LANES; x <= end;
      x += ACROSS * LANES) {
    const global float *p = level_of (scale, octave, point) + y * pitch + x;
    intn dx = LANE_NUMBERS + x;
    floatn angle, length = gradient (p, pitch, &angle);
    floatn weight = exp2_biased (fma (-convert_floatn (dx * dx + y * y),
            (floatn) (falloff), (floatn) (EXP2_BIAS)));
    uintn bin = round_to_uint (angle * 0.1f);
    int bin_of[LANES], amount[LANES];

    LOAD_AHEAD (p, pitch);
    weight = fma (weight * length, (floatn) (unit), (floatn) (0.5f));
    STORE_INTS (bin_of, convert_intn (bin));
    STORE_INTS (amount, convert_intn (weight));
    for (int lane = 0; lane < min (LANES, end - x + 1); lane++)
      ADD (&bins[lane % COPIES * COPY + bin_of[lane]], (uint) amount[lane]);
  }
}

/* Adds up the copies of the histogram, and writes the result to the array @sums. Directions are
 * cyclic. Therefore the two bins of each end are repeated after the other end. */
static void
add_copies (SHARED const uint * bins, SHARED uint * sums)
{
  for (int k = LOCAL_ID; k < BINS + 4; k += GROUP) {
    int bin = k < 2 ? k + BINS - 2 : k < BINS + 2 ? k - 2 : k - BINS - 2;
    uint sum = bin == 0 ? bins[BINS] : 0;

#pragma unroll
    for (int i = 0; i < COPIES; i++)
      sum += bins[i * COPY + bin] + (i > 0 && bin == 0 ? bins[i * COPY + BINS]
          : 0);
    sums[k] = sum;
  }
}

/* Finds the directions of one of the sorted points in each work-group. If @given is set, the
 * caller gave the points, and the kernel writes one angle for each: the angle given by the
 * caller, otherwise the angle found, or 0 if none was found. */
kernel void
sift_orient (const global float *restrict scale,
    const global int *restrict plan, const global int *restrict sorted,
    const global int *restrict state, int room, float sigma, float per_scale,
    float unit, int max_directions, int given, global float *restrict angles,
    global int *restrict n_angles)
{
  int i = POINT_ID;
  bool exists = i < min (count_points (state), room);
  const global int *point = sorted + POINT * (exists ? i : 0);
  float known = exists && given ? as_float (point[GIVEN_ANGLE]) : -1.0f;
  bool is_used = exists && known < 0.0f;
  const global int *octave = plan + OCTAVE * (is_used ? point[0] : 0);
  int radius = -1;
  float falloff = 0;
  SHARED uint bins[COPIES * COPY];
  /* Histogram of directions. At each end, two bins of the other end are repeated. */
  SHARED uint sums[BINS + 4];
  SHARED uint smooth[BINS];
  SHARED uchar peaks[BINS];
  uint top = 0;

  if (LOCAL_ID == 0 && exists && given)
    angles[MAX_DIRECTIONS * i] = max (known, 0.0f);
  RETURN_UNLESS (is_used)
  for (int k = LOCAL_ID; k < COPIES * COPY; k += GROUP)
    bins[k] = 0;
  if (is_used) {
    float s = scale_of (point, sigma, per_scale, given);

    radius = round_to_int (4.5f * s);
    falloff = (float) (1.4426950408889634 / 4.5) * reciprocal1 (s * s);
  }
  SYNC
  for (int y = -radius + LOCAL_ID / ACROSS; y <= radius; y += GROUP / ACROSS)
    count_row (scale, octave, point, y, radius, falloff, unit, bins);
  SYNC
  add_copies (bins, sums);
  SYNC
  for (int k = LOCAL_ID; k < BINS; k += GROUP)
    smooth[k] = sums[k] + sums[k + 4] + 4 * (sums[k + 1] + sums[k + 3])
        + 6 * sums[k + 2];
  SYNC
  for (int k = 0; k < BINS; k++)
    top = max (top, smooth[k]);
  for (int k = LOCAL_ID; k < BINS; k += GROUP)
    peaks[k] = is_peak (smooth, k, top);
  SYNC
  if (is_used && LOCAL_ID == 0)
    n_angles[i] = find_angles (smooth, peaks, max_directions,
        angles + MAX_DIRECTIONS * i);
}
