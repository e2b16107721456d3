/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the samples around a point. Its directions and its descriptor are computed from them. */
#ifndef SIFT_WINDOW_H
#define SIFT_WINDOW_H

/* Number of work-items that process a point */
#ifdef POINT_GROUP
#define GROUP POINT_GROUP
#endif

#include "sift/sift.h"

/* Index of the point or keypoint that a work-group processes. There are more work-groups than
 * points, and PoCL runs hundreds of neighboring work-groups in one thread. If work-group i
 * processed point i, a few threads would do all the work. Therefore neighboring work-groups
 * process points that are far apart in the list. The number of work-groups is a multiple of 64. */
#if GROUP == 1
#define POINT_ID (GROUP_ID % 64 * (int) (get_global_size (0) / 64) + GROUP_ID / 64)
#else
#define POINT_ID GROUP_ID
#endif

/* Number of work-items that process adjacent samples of a row. */
#define ACROSS (GROUP == 1 ? 1 : 32)

/* Makes a CPU load the samples that are AHEAD rows below the address @p into its cache. PoCL's
 * own function prefetch() has no effect. */
#define AHEAD 4
#ifdef __x86_64__
#define LOAD_AHEAD(p, pitch) \
    __builtin_prefetch ((const void *) (size_t) ((p) + AHEAD * (pitch)))
#else
#define LOAD_AHEAD(p, pitch)
#endif

/* RETURN_UNLESS ends a work-item early, but only where there are no barriers: all work-items
 * must reach every barrier. */
#if GROUP == 1
#define ADD(p, v) (*(p) += (v))
#define RETURN_UNLESS(condition) if (!(condition)) return;
#else
#define ADD(p, v) atomic_add (p, v)
#define RETURN_UNLESS(condition)
#endif

/* Returns the angle of the vector (x, y), from 0 to 360 degrees. */
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

/* Returns 2^t for t from 0 to 2. */
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

/* Returns the standard deviation of the blur of the layer of @point, in samples of its octave.
 * @given is 1 if the caller gave the point. */
static float
scale_of (const global int *point, float sigma, float per_scale, int given)
{
  if (given)
    return as_float (point[GIVEN_SCALE]);
  return sigma * power_of_2 (((float) point[1] + as_float (point[D_LAYER]))
      * per_scale);
}

/* Returns the lengths of the gradients at the samples starting at the address @p. Sets @angle to
 * the directions of the gradients, in degrees. */
static floatn
gradient (const global float *p, int pitch, floatn * angle)
{
  floatn dx = LOAD (p + 1) - LOAD (p - 1);
  floatn dy = LOAD (p - pitch) - LOAD (p + pitch);

  *angle = degrees_of (dy, dx);
  return root (fma (dx, dx, dy * dy));
}

static const global float *
level_of (const global float *scale, const global int *octave,
    const global int *point)
{
  return scale + octave[OFFSET] + (size_t) point[1] * octave[SIZE]
      + (size_t) point[2] * octave[PITCH] + point[3];
}

#endif
