/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Weighs and adds the samples of the disc around a pixel, for the exact
 * bilateral filter. The algorithm is described in docs/algorithms/bilateral.md.
 *
 * Two methods give the same bytes. With planes (bilateral.cl), bilateral_expand writes a
 * padded float plane of each component, and bilateral_filter reads only these planes. With
 * tiles (tile.cl), bilateral_tile does all in one launch, and each work-group uses its
 * local memory.
 *
 * Both methods scale the samples, so that the square of a scaled difference is the amount
 * that the range weight subtracts from log2 of the weight. */
#ifndef BILATERAL_WEIGHTS_H
#define BILATERAL_WEIGHTS_H

#include "bilateral/pixels.h"

/* Returns the difference between the scaled colours @v and @c of two pixels: signed for one
 * channel, the sum of absolute differences for three. */
static floatn
distance_of (const floatn * v, const floatn * c)
{
#if CHANNELS == 1
  return v[0] - c[0];
#else
  return fabs (v[0] - c[0]) + fabs (v[1] - c[1]) + fabs (v[2] - c[2]);
#endif
}

/* Returns the weight of a sample whose scaled value differs by @distance from that of the
 * filtered pixel. The parameter @spatial is log2 of the spatial weight, plus EXP2_BIAS. */
static floatn
weight_of (floatn distance, float spatial)
{
  return exp2_biased (max (fma (-distance, distance, (floatn) (spatial)),
          (floatn) (LOWEST)));
}

static void
accumulate (const floatn * v, const floatn * c, floatn w, floatn * weights,
    floatn * sum)
{
  *weights += w;
  EACH_CHANNEL (sum[i] = fma (v[i] - c[i], w, sum[i]))
}

/* Returns the filtered sample, as an integer, of a pixel with the scaled value @c. The parameter
 * @sum is the weighted sum of differences from @c, @weights the sum of the weights (see
 * accumulate()), and @inverse is 1 / scale. A pixel all of whose neighbours are transparent keeps
 * its value. */
static uintn
mean_of (floatn c, floatn sum, floatn weights, float inverse)
{
  floatn value = c * inverse + ROUND_BIAS - ROUND_BIAS;

#if WEIGHTED
  weights = max (weights, (floatn) (LEAST_WEIGHT));
#endif
  return round_to_uint (fma (sum * reciprocal (weights), (floatn) (inverse),
          value));
}

#endif
