/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads and writes the samples of frames with one format description, which has the letter
 * MGPU_LETTER. A program includes this file once for each description. A description has these
 * constants:
 *   BYTES, SHIFT, MAX    size of a sample in bytes, number of unused low bits, largest value
 *   COMPONENTS           1 (gray) or 3
 *   STEP0, STEP1         bytes from one sample of component 0, or of 1 and 2, to the next in the row
 *   XSUB, YSUB           log2 of the numbers of columns and rows of pixels that share a chroma sample
 *   IS_PACKED            1: all components are in one plane; components 1 and 2 begin DELTA1 and
 *                        DELTA2 bytes after component 0
 *   HAS_ALPHA, ALPHA     whether there is alpha, and by how many bytes it follows component 0
 *   HAS_PAD, PAD         the same for an unused byte of each pixel
 *   LO0, RANGE0, INVERSE0   component 0: black, size of the nominal range, reciprocal of this size
 *   LO1, RANGE1, INVERSE1   the same for components 1 and 2
 *   RGB_0 to RGB_2, RGB_BITS, RGB_MAX, RGB_WIDE, RGB_IS_IDENTITY   matrix that converts to RGB */
#include "kernel/forms.h"

#define F(name) MGPU_F (MGPU_LETTER, name)
#define K(name) MGPU_K (MGPU_LETTER, name)

static inline int
F (get) (global const uchar * p)
{
#if K (BYTES) == 1
  return *p;
#else
  int v = *(global const ushort *) p >> K (SHIFT);

  return K (MAX) < 65535 >> K (SHIFT) ? min (v, K (MAX)) : v;
#endif
}

static inline void
F (put) (global uchar * p, int v)
{
#if K (BYTES) == 1
  *p = v;
#else
  *(global ushort *) p = v << K (SHIFT);
#endif
}

/* ---- Pixels ------------------------------------------------------------------- */

static inline int4
F (load) (global const uchar * data, int o0, int s0, int o1, int s1, int o2,
    int s2, int width, int height, int x, int y)
{
  int4 v = (int4) ((K (MAX) + 1) / 2, (K (MAX) + 1) / 2, (K (MAX) + 1) / 2, K (MAX));
  global const uchar *p = data;

  x = clamp (x, 0, width - 1);
  y = clamp (y, 0, height - 1);
  p += o0 + y * s0 + x * K (STEP0);
  v.s0 = F (get) (p);
#if K (HAS_ALPHA)
  v.s3 = F (get) (p + K (ALPHA));
#endif
#if K (IS_PACKED)
#if K (XSUB)
  p = data + o0 + y * s0 + (x >> 1) * K (STEP1);
#endif
  v.s1 = F (get) (p + K (DELTA1));
  v.s2 = F (get) (p + K (DELTA2));
#elif K (COMPONENTS) == 3
  x = (x >> K (XSUB)) * K (STEP1);
  y >>= K (YSUB);
  v.s1 = F (get) (data + o1 + y * s1 + x);
  v.s2 = F (get) (data + o2 + y * s2 + x);
#endif
  return v;
}

static inline float4
F (to_float) (int4 v)
{
  float4 n = convert_float4 (v - (int4) (K (LO0), K (LO1), K (LO1), 0));

  return (float4) (mgpu_quotient (n.s0, K (RANGE0), K (INVERSE0)),
      mgpu_quotient (n.s1, K (RANGE1), K (INVERSE1)),
      mgpu_quotient (n.s2, K (RANGE1), K (INVERSE1)),
      mgpu_quotient (n.s3, (float) K (MAX), K (INVERSE_MAX)));
}

static inline int4
F (from_float) (float4 v)
{
  v = fmin (fmax (v, (float4) (-4.0f)), (float4) (4.0f));
  v *= (float4) (K (RANGE0), K (RANGE1), K (RANGE1), (float) K (MAX));
  return convert_int4_rte (v) + (int4) (K (LO0), K (LO1), K (LO1), 0);
}

static inline int4
F (to_rgb) (int4 v)
{
#if K (RGB_IS_IDENTITY)
  return v;
#else
#define ROW(row) mgpu_row (v, row, K (RGB_BITS), K (RGB_MAX), K (RGB_WIDE))
  return (int4) (ROW (K (RGB_0)), ROW (K (RGB_1)), ROW (K (RGB_2)), v.s3);
#undef ROW
#endif
}

static inline float4
F (loadf) (global const uchar * data, int o0, int s0, int o1, int s1, int o2,
    int s2, int width, int height, int x, int y)
{
  return F (to_float) (F (load) (data, o0, s0, o1, s1, o2, s2, width, height, x,
          y));
}

static inline int4
F (load_rgb) (global const uchar * data, int o0, int s0, int o1, int s1, int o2,
    int s2, int width, int height, int x, int y)
{
  return F (to_rgb) (F (load) (data, o0, s0, o1, s1, o2, s2, width, height, x,
          y));
}

static inline int4
F (at) (global const uchar * data, int o0, int s0, int o1, int s1, int o2,
    int s2, int width, int height, int u, int v)
{
#define PIXEL_AT(x, y) convert_uint4 (F (load) (data, o0, s0, o1, s1, o2, s2, \
        width, height, x, y))
  int x = u >> 8, y = v >> 8;
  uint f = u & 255, g = v & 255;
  uint4 a = PIXEL_AT (x, y) * (256 - f) + PIXEL_AT (x + 1, y) * f;
  uint4 b = PIXEL_AT (x, y + 1) * (256 - f) + PIXEL_AT (x + 1, y + 1) * f;

  return convert_int4 ((a * (256 - g) + b * g + 32768u) >> 16u);
#undef PIXEL_AT
}

/* ---- Samples ------------------------------------------------------------------ */

static inline int
F (load_sample) (global const uchar * data, int offset, int stride, int step,
    int width, int height, int component, int x, int y)
{
  x = clamp (x, 0, width - 1);
  y = clamp (y, 0, height - 1);
  return F (get) (data + offset + y * stride + x * step);
}

static inline float
F (loadf_sample) (global const uchar * data, int offset, int stride, int step,
    int width, int height, int component, int x, int y)
{
  int v = F (load_sample) (data, offset, stride, step, width, height, component,
      x, y);

  if (component == 3)
    return mgpu_quotient ((float) v, (float) K (MAX), K (INVERSE_MAX));
  return component == 0
      ? mgpu_quotient ((float) (v - K (LO0)), K (RANGE0), K (INVERSE0))
      : mgpu_quotient ((float) (v - K (LO1)), K (RANGE1), K (INVERSE1));
}

static inline void
F (store_sample) (global uchar * data, int offset, int stride, int step,
    int width, int height, int x, int y, int v)
{
  if (x >= 0 && x < width && y >= 0 && y < height)
    F (put) (data + offset + y * stride + x * step, clamp (v, 0, K (MAX)));
}

static inline int
F (at_sample) (global const uchar * data, int offset, int stride, int step,
    int width, int height, int component, int u, int v)
{
#define SAMPLE_AT(x, y) (uint) F (load_sample) (data, offset, stride, step, \
        width, height, component, x, y)
  int x = u >> 8, y = v >> 8;
  uint f = u & 255, g = v & 255;
  uint a = SAMPLE_AT (x, y) * (256 - f) + SAMPLE_AT (x + 1, y) * f;
  uint b = SAMPLE_AT (x, y + 1) * (256 - f) + SAMPLE_AT (x + 1, y + 1) * f;

  return (a * (256 - g) + b * g + 32768u) >> 16;
#undef SAMPLE_AT
}

#undef F
#undef K
