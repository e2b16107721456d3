/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the features of a cell from its histogram of gradients. */
#ifndef FEATURES_H
#define FEATURES_H

/* Number of cells that a work-item computes at once, one in each lane (element) of a vector: 1
 * or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Width and height of a cell in pixels: 2, 4, 8 or 16. */
#ifndef CELL
#define CELL 8
#endif

#include "fhog/fhog.h"

/* Number of low bits of gradient lengths that are dropped: sums must stay below 2^31. */
#define LOST (CELL == 16 ? 3 : 0)

/* Factor that converts a histogram sum to a gradient length. A gradient of length 1 adds 4
 * CELL^2 times 128 >> LOST to all its cells together. */
#define UNIT (1.0f / ((512 >> LOST) * CELL * CELL))

/* Limits the elements of the vector @x to 0.2. */
static floatn
truncated (floatn x)
{
  return x < 0.2f ? x : (floatn) (0.2f);
}

#if FEATURES == 36
/* Computes the features of LANES cells from their histograms @bins. The array @n holds four
 * factors for each cell, which normalize it with different neighbors. Writes to @features. */
static void
make_features (const intn * bins, const floatn * n, floatn * features)
{
#pragma unroll
  for (int b = 0; b < ALL_BINS / 2; b++) {
    floatn h = convert_floatn (bins[b] + bins[b + ALL_BINS / 2]) * UNIT;

#pragma unroll
    for (int k = 0; k < 4; k++)
      features[ALL_BINS / 2 * k + b] = truncated (h * n[k]);
  }
}
#else
/* Computes the features of LANES cells from their histograms @bins. The array @n holds four
 * factors for each cell, which normalize it with different neighbors. Writes to @features. */
static void
make_features (const intn * bins, const floatn * n, floatn * features)
{
  floatn sums[4];

#pragma unroll
  for (int k = 0; k < 4; k++)
    sums[k] = 0;
#pragma unroll
  for (int b = 0; b < ALL_BINS; b++) {
    floatn h = convert_floatn (bins[b]) * UNIT, each[4];

#pragma unroll
    for (int k = 0; k < 4; k++) {
      each[k] = truncated (h * n[k]);
      sums[k] = sums[k] + each[k];
    }
    features[b] = 0.5f * ((each[0] + each[1]) + (each[2] + each[3]));
  }
#pragma unroll
  for (int b = 0; b < ALL_BINS / 2; b++) {
    floatn h = convert_floatn (bins[b] + bins[b + ALL_BINS / 2]) * UNIT;

    features[ALL_BINS + b] = 0.5f
        * ((truncated (h * n[0]) + truncated (h * n[1]))
        + (truncated (h * n[2]) + truncated (h * n[3])));
  }
#pragma unroll
  for (int k = 0; k < 4; k++)
    features[ALL_BINS + ALL_BINS / 2 + k] = 0.2357f * sums[k];
  features[FEATURES - 1] = 0;
}
#endif

#if LANES > 1
#define LOW(a, b) (floatn) (a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, \
    a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)
#define HIGH(a, b) (floatn) (a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, \
    a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf)

/* Transposes a matrix of LANES rows in four rounds. Each round interleaves row i with row i +
 * LANES / 2. This rotates the bits of the number of an element (4 bits of its row, then 4 bits
 * of its column) by one; after four rounds, row and column are exchanged. */
static void
transpose (floatn * rows)
{
  floatn r[LANES];

#pragma unroll
  for (int i = 0; i < LANES; i++)
    r[i] = rows[i];
  for (int round = 0; round < 4; round++) {
    floatn t[LANES];

#pragma unroll
    for (int i = 0; i < LANES / 2; i++) {
      t[2 * i] = LOW (r[i], r[i + LANES / 2]);
      t[2 * i + 1] = HIGH (r[i], r[i + LANES / 2]);
    }
#pragma unroll
    for (int i = 0; i < LANES; i++)
      r[i] = t[i];
  }
#pragma unroll
  for (int i = 0; i < LANES; i++)
    rows[i] = r[i];
}
#endif

#endif
