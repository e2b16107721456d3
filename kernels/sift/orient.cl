/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Directions of SIFT's points. A work-group takes one. */
#ifndef SIFT_ORIENT_CL
#define SIFT_ORIENT_CL

#include "sift/sift.h"

/* The point, or keypoint, of a work-group. PoCL hands hundreds of neighbouring
 * groups to a thread at once, and there is work for the first points only: they
 * are spread over all groups, of which there are a multiple of 64. */
#if GROUP == 1
#define POINT_ID (GROUP_ID % 64 * (int) (get_global_size (0) / 64) + GROUP_ID / 64)
#else
#define POINT_ID GROUP_ID
#endif

/* Work-items side by side in a row of samples. */
#define ACROSS (GROUP == 1 ? 1 : 32)

#define BINS 36

/* Room for the directions of a point. */
#define MAX_DIRECTIONS 8

/* Copies of the bins of directions, which samples take in turns: adding to one
 * takes a while. */
#define COPIES (GROUP == 1 ? 4 : 1)

/* Each has one more, for what rounds up to all around. */
#define COPY (BINS + 1)

/* Where there are barriers, all have to come there. */
#if GROUP == 1
#define ADD(p, v) (*(p) += (v))
#define RETURN_UNLESS(condition) if (!(condition)) return;
#else
#define ADD(p, v) atomic_add (p, v)
#define RETURN_UNLESS(condition)
#endif

/* The angle of (x, y) from 0 to 360. */
static floatn
degrees_of (floatn y, floatn x)
{
  floatn ax = absolute (x), ay = absolute (y);
  floatn large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
  floatn c = small * reciprocal (large > 1e-20f ? large : (floatn) (1e-20f));
  floatn c2 = c * c, a;

  a = fma ((floatn) (-2.53972459f), c2, (floatn) (8.91400051f));
  a = fma (a, c2, (floatn) (-18.6674461f));
  a = fma (a, c2, (floatn) (57.2836266f));
  a = a * c;
  a = ay > ax ? 90.0f - a : a;
  a = x < 0.0f ? 180.0f - a : a;
  return y < 0.0f ? 360.0f - a : a;
}

/* 2^t for t from 0 to 2 */
static float
power_of_2 (float t)
{
  int whole = (int) t;
  float f = t - (float) whole, p;

  p = fma (2.1877505e-4f, f, 1.2387822e-3f);
  p = fma (p, f, 9.6845804e-3f);
  p = fma (p, f, 5.5480428e-2f);
  p = fma (p, f, 0.2402305f);
  p = fma (p, f, 0.69314694f);
  p = fma (p, f, 1.0f);
  return as_float (as_int (p) + (whole << 23));
}

/* How far the layer of point is blurred, in samples of its octave. */
static float
scale_of (const global int *point, float sigma, float per_scale)
{
  return sigma * power_of_2 (((float) point[1] + as_float (point[D_LAYER]))
      * per_scale);
}

/* The gradient at the samples from p on: its length, and its angle. */
static floatn
gradient (const global float *p, int pitch, floatn * angle)
{
  floatn dx = LOAD (p + 1) - LOAD (p - 1);
  floatn dy = LOAD (p - pitch) - LOAD (p + pitch);

  *angle = degrees_of (dy, dx);
  return root (fma (dx, dx, dy * dy));
}

static int
count_points (const global int *state)
{
  return state[FOUND] - state[DROPPED];
}

static const global float *
level_of (const global float *scale, const global int *octave,
    const global int *point)
{
  return scale + octave[OFFSET] + (size_t) point[1] * octave[SIZE]
      + (size_t) point[2] * octave[PITCH] + point[3];
}

/* Whether bin i is a peak of at least 0.8 of the highest. */
static bool
is_peak (SHARED const uint * bins, int i, uint top)
{
  return bins[i] > bins[i > 0 ? i - 1 : BINS - 1]
      && bins[i] > bins[i < BINS - 1 ? i + 1 : 0]
      && top - bins[i] <= bins[i] / 4;
}

/* The peaks among bins as angles, the strongest max_directions, by rising bin;
 * peaks says which bins are one. Returns how many. */
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

/* A group finds the directions of one of the sorted points. */
kernel void
sift_orient (const global float *restrict scale,
    const global int *restrict plan, const global int *restrict sorted,
    const global int *restrict state, int room, float sigma, float per_scale,
    float unit, int max_directions, global float *restrict angles,
    global int *restrict n_angles)
{
  int i = POINT_ID;
  bool is_used = i < min (count_points (state), room);
  const global int *point = sorted + POINT * (is_used ? i : 0);
  const global int *octave = plan + OCTAVE * (is_used ? point[0] : 0);
  int pitch = octave[PITCH], radius = -1;
  float falloff = 0;
  SHARED uint bins[COPIES * COPY];
  SHARED uint sums[BINS + 4];   /* the first begin again at the end */
  SHARED uint smooth[BINS];
  SHARED uchar peaks[BINS];
  uint top = 0;

  RETURN_UNLESS (is_used)
  for (int k = LOCAL_ID; k < COPIES * COPY; k += GROUP)
    bins[k] = 0;
  if (is_used) {
    float s = scale_of (point, sigma, per_scale);

    radius = round_to_int (4.5f * s);
    falloff = (float) (1.4426950408889634 / 4.5) * reciprocal1 (s * s);
  }
  SYNC
  for (int y = -radius + LOCAL_ID / ACROSS; y <= radius; y += GROUP / ACROSS) {
    int row = point[2] + y;
    int begin = max (-radius, 1 - point[3]);
    int end = min (radius, octave[WIDTH] - 2 - point[3]);

    if (row <= 0 || row >= octave[HEIGHT] - 1)
      continue;
    for (int x = begin + LOCAL_ID % ACROSS * LANES; x <= end;
        x += ACROSS * LANES) {
      const global float *p = level_of (scale, octave, point) + y * pitch + x;
      intn dx = LANE_NUMBERS + x;
      floatn angle, length = gradient (p, pitch, &angle);
      floatn weight = exp2_biased (fma (-convert_floatn (dx * dx + y * y),
              (floatn) (falloff), (floatn) (EXP2_BIAS)));
      uintn bin = round_to_uint (angle * 0.1f);
      int bin_of[LANES], amount[LANES];

      weight = fma (weight * length, (floatn) (unit), (floatn) (0.5f));
      STORE_INTS (bin_of, convert_intn (bin));
      STORE_INTS (amount, convert_intn (weight));
      for (int lane = 0; lane < min (LANES, end - x + 1); lane++)
        ADD (&bins[lane % COPIES * COPY + bin_of[lane]], (uint) amount[lane]);
    }
  }
  SYNC
  for (int k = LOCAL_ID; k < BINS + 4; k += GROUP) {
    int bin = k < 2 ? k + BINS - 2 : k < BINS + 2 ? k - 2 : k - BINS - 2;
    uint sum = bin == 0 ? bins[BINS] : 0;

#pragma unroll
    for (int i = 0; i < COPIES; i++)
      sum += bins[i * COPY + bin] + (i > 0 && bin == 0 ? bins[i * COPY + BINS]
          : 0);
    sums[k] = sum;
  }
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

/* One work-group gives each direction of each point its place in the table:
 * places gets the number of the point and of the direction. full: 0 when all is
 * well if there are more than room. report gets a copy of the two counts. */
kernel void
sift_place (const global int *restrict state,
    const global int *restrict n_angles, int room, int full,
    global int *restrict places, global int *table, global int *report)
{
  int n = min (count_points (state), room);
  int part = (n + ALL_GROUP - 1) / ALL_GROUP;
  int first = LOCAL_ID * part, end = min (first + part, n);
  SHARED int sums[ALL_GROUP];
  int sum = 0;

  for (int i = first; i < end; i++)
    sum += n_angles[i];
  SUM_BEFORE (sums, sum);
  for (int i = first; i < end; i++) {
    int n_here = n_angles[i];

    for (int k = 0; k < n_here; k++, sum++)
      if (sum < room)
        places[sum] = i * MAX_DIRECTIONS + k;
  }
  if (LOCAL_ID == ALL_GROUP - 1) {
    table[0] = min (sum, room);
    table[1] = state[DROPPED] + (full ? sum - min (sum, room) : 0);
    table[2] = table[3] = 0;
    report[0] = table[0];
    report[1] = table[1];
  }
}

#endif
