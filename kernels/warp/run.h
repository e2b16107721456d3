/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the positions in the frame from which 16 samples in a row are interpolated. */
#ifndef WARP_RUN_H
#define WARP_RUN_H

#include "warp/parts.h"
#include "warp/place.h"
#include "warp/vectors.h"

/* VECTORS is true if pixels are processed in vectors. Their pixels have one or two samples of
 * one byte. */
#define VECTORS (RUN == 16 && BYTES == 1 && SAMPLES == PIXEL_STRIDE && SAMPLES < 3)

#if RUN == 16
/* Converts 16 coordinates to steps of 1 / WARP_STEPS sample. The positions are inside a
 * frame with at most 2^14 columns and rows. */
static int16
find_steps (float16 x)
{
  return as_int16 (x * (float) WARP_STEPS + ROUND_BIAS)
      - as_int (ROUND_BIAS);
}

/* Returns 1 / w for 16 numbers, like reciprocal(). */
static float16
find_reciprocals (float16 w)
{
  float16 y = as_float16 (0x7ef311c7u - as_uint16 (w));

  y = fma (fma (-w, y, (float16) (1.0f)), y, y);
  y = fma (fma (-w, y, (float16) (1.0f)), y, y);
  return fma (fma (-w, y, (float16) (1.0f)), y, y);
}

/* Sets @u and @v to the positions in the frame, in steps, from which 16 pixels of row y are
 * interpolated, starting at column x. All samples needed must be inside the frame and in front
 * of the camera. */
static void
find_run (int x, int y, MATRIX_PARAMETERS, int16 * u, int16 * v)
{
  float16 column = (float) x + (float16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
      12, 13, 14, 15);
  float16 s = fma ((float16) a0, column, (float16) fma (a1, (float) y, a2));
  float16 t = fma ((float16) b0, column, (float16) fma (b1, (float) y, b2));

  if (!is_flat) {
    float16 r = find_reciprocals (fma ((float16) c0, column,
            (float16) fma (c1, (float) y, 1.0f)));

    s *= r;
    t *= r;
  }
  *u = find_steps (s);
  *v = find_steps (t);
}

#endif

#endif
