/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the weighted mean of the samples in the disc around a pixel, for the exact bilateral
 * filter. The algorithm is described in docs/algorithms/bilateral.md.
 *
 * Two methods give identical results. With planes (bilateral.cl), bilateral_expand writes a
 * padded float plane of each component, and bilateral_filter reads only these planes. With
 * tiles (tile.cl), bilateral_tile needs a single launch, and each work-group uses its local
 * memory.
 *
 * Both methods scale the samples. The square of a scaled difference is then the amount by which
 * the range weight lowers log2 of the weight. */
#ifndef BILATERAL_WEIGHTS_H
#define BILATERAL_WEIGHTS_H

#include "bilateral/pixels.h"

/* Returns the difference between two pixels with the scaled colors @v and @c: with its sign
 * for one channel, the sum of absolute differences for three channels. */
static floatn
distance_of (const floatn * v, const floatn * c)
{
#if CHANNELS == 1
  return v[0] - c[0];
#else
  return fabs (v[0] - c[0]) + fabs (v[1] - c[1]) + fabs (v[2] - c[2]);
#endif
}

/* Returns the weight of a sample. @distance is the difference between its scaled value and that
 * of the filtered pixel; @spatial is log2 of its spatial weight, plus EXP2_BIAS. */
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

/* Returns the filtered value of a pixel as an integer. A pixel whose neighbors are all
 * transparent keeps its value.
 * @c: scaled value of the pixel.
 * @sum: weighted sum of differences from @c (see accumulate()).
 * @weights: sum of the weights.
 * @inverse: 1 / scale. */
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
