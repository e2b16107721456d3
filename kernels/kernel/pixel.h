/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines the kernel MGPU_KERNEL, which calls MGPU_FUNCTION, a PIXEL kernel of the user. Work-item
 * (x, y) calls it for all pixels that share chroma sample (x, y) of the part, and can therefore
 * write this sample. A program includes this file once for each PIXEL kernel. */
#ifndef MGPU_KERNEL
#include "kernel/image.h"
#endif

#define MGPU_N (1 << (MGPU_O (XSUB) + MGPU_O (YSUB)))

/* Computes one pixel, and writes all of it except components 1 and 2 (chroma, or green and blue).
 * Returns: the pixel */
static inline int4
MGPU_JOIN (MGPU_KERNEL, _pixel) (MGPU_PIXEL_PARAMS, int x, int y)
{
  int4 v = clamp (MGPU_FUNCTION (MGPU_PIXEL_ARGS, x, y), (int4) (0),
      (int4) (MGPU_O (MAX)));
  global uchar *p = mgpu_out_data + mgpu_out_o0 + y * mgpu_out_s0
      + x * MGPU_O (STEP0);

  MGPU_F (MGPU_CLASS_out, put) (p, v.s0);
#if MGPU_O (HAS_ALPHA)
  MGPU_F (MGPU_CLASS_out, put) (p + MGPU_O (ALPHA), v.s3);
#endif
#if MGPU_O (HAS_PAD)
  p[MGPU_O (PAD)] = mgpu_in_data[mgpu_in_o0 + y * mgpu_in_s0
      + x * MGPU_O (STEP0) + MGPU_O (PAD)];
#endif
  return v;
}

#undef MGPU_RESTRICT
#define MGPU_RESTRICT restrict

kernel void
MGPU_KERNEL (MGPU_PIXEL_PARAMS)
{
  int left = mgpu_left + ((int) get_global_id (0) << MGPU_O (XSUB));
  int top = mgpu_top + ((int) get_global_id (1) << MGPU_O (YSUB));
  int4 sum = (int4) (0);
  int n = MGPU_N;

  if (left >= mgpu_right || top >= mgpu_bottom)
    return;
#if MGPU_WHOLE
  /* In this branch, compilers can remove the limits of coordinates that are not needed inside of
   * the frame. */
  if (left >= 0 && top >= 0 && left + MGPU_O (XSUB) < mgpu_width
      && top + MGPU_O (YSUB) < mgpu_height) {
#pragma unroll
    for (int i = 0; i < MGPU_N; i++)
      sum += MGPU_JOIN (MGPU_KERNEL, _pixel) (MGPU_PIXEL_ARGS,
          left + (i & MGPU_O (XSUB)), top + (i >> MGPU_O (XSUB)));
  } else
#endif
  {
    n = 0;
#pragma unroll
    for (int i = 0; i < MGPU_N; i++) {
      int x = left + (i & MGPU_O (XSUB)), y = top + (i >> MGPU_O (XSUB));

      if (x < mgpu_width && y < mgpu_height) {
        sum += MGPU_JOIN (MGPU_KERNEL, _pixel) (MGPU_PIXEL_ARGS, x, y);
        n++;
      }
    }
  }
#if MGPU_O (COMPONENTS) == 3
  /* n is 1, 2 or 4. */
  sum = (sum + (int4) (n >> 1)) >> (int4) (n >> 1);
  left = (left >> MGPU_O (XSUB)) * MGPU_O (STEP1);
  top >>= MGPU_O (YSUB);
#if MGPU_O (IS_PACKED) && MGPU_O (XSUB)
  /* Computes both addresses from the base of component 0, so that compilers see that the bytes
   * of a pixel are adjacent. */
  MGPU_F (MGPU_CLASS_out, put) (mgpu_out_data + mgpu_out_o0
      + top * mgpu_out_s0 + left + MGPU_O (DELTA1), sum.s1);
  MGPU_F (MGPU_CLASS_out, put) (mgpu_out_data + mgpu_out_o0
      + top * mgpu_out_s0 + left + MGPU_O (DELTA2), sum.s2);
#else
  MGPU_F (MGPU_CLASS_out, put) (mgpu_out_data + mgpu_out_o1
      + top * mgpu_out_s1 + left, sum.s1);
  MGPU_F (MGPU_CLASS_out, put) (mgpu_out_data + mgpu_out_o2
      + top * mgpu_out_s2 + left, sum.s2);
#endif
#endif
}

#undef MGPU_RESTRICT
#define MGPU_RESTRICT
#undef MGPU_N
