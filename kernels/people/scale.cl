/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Scales the frame to all sizes in which people are searched for. */

/* Number of adjacent samples that a work-item computes: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Numbers of work-items for a row, whose samples are stored in 8 classes (see people/people.h).
 * CLASSES work-items share the classes of the row. COLUMNS work-items share the samples of a
 * class. */
#ifndef COLUMNS
#define COLUMNS 1
#endif
#ifndef CLASSES
#define CLASSES 1
#endif

/* ROOTS is 1 if gradients are computed from the square roots of samples (gamma compression). */
#ifndef ROOTS
#define ROOTS 1
#endif

/* Number of components that are scaled: 1 if the frame is gray, otherwise 3. */
#ifndef CHANNELS
#define CHANNELS 3
#endif

#include "people/people.h"

/* ---- Interpolation in a row -------------------------------------------------- */

#if LANES == 1

LOOSE (ulong, loose_ulong);

/* Loads two adjacent pixels of 4 bytes each. @is_aligned is 1 if their addresses are multiples
 * of 4. Unaligned loads are avoided in this case, because some compilers split them into bytes. */
static void
load_pairs (const global uchar * row, const global int *columns,
    int is_aligned, uint * left, uint * right)
{
  const global uchar *at = row + columns[0];

  if (is_aligned) {
    *left = ((const global uint *) at)[0];
    *right = ((const global uint *) at)[1];
  } else {
    ulong pair = LOAD_LOOSE (loose_ulong, at);

    *left = (uint) pair;
    *right = (uint) (pair >> 32);
  }
}

/* Interpolates between two pixels; the weight of @right is share / 256. Writes 256 times the
 * first CHANNELS components of the result to @sums. */
static void
interpolate (uint left, uint right, float share, float *sums)
{
#pragma unroll
  for (int k = 0; k < CHANNELS; k++) {
    float a = left >> 8 * k & 255, b = right >> 8 * k & 255;

    sums[k] = fma (share, b - a, 256.0f * a);
  }
}

#else

LOOSE (float2, loose_float2);

/* Loads LANES pairs of adjacent pixels of 4 bytes each, at any addresses. A pair is loaded as a
 * float2, because PoCL splits vectors of integers into words. */
static void
load_pairs (const global uchar * row, const global int *columns,
    int is_aligned, uint16 * left, uint16 * right)
{
#define PAIR(i) LOAD_LOOSE (loose_float2, row + columns[i])
  float16 a = (float16) (PAIR (0), PAIR (1), PAIR (2), PAIR (3),
      PAIR (4), PAIR (5), PAIR (6), PAIR (7));
  float16 b = (float16) (PAIR (8), PAIR (9), PAIR (10), PAIR (11),
      PAIR (12), PAIR (13), PAIR (14), PAIR (15));
#undef PAIR

  *left = as_uint16 ((float16) (a.even, b.even));
  *right = as_uint16 ((float16) (a.odd, b.odd));
}

/* Interpolates 8 pixels between @left and @right, in 16-bit arithmetic. A result is a component
 * times 256. Each word of @outer gets two results: the first component of a pixel in the lower 16
 * bits and the third in the upper ones; each word of @inner gets the second and the fourth. */
static void
interpolate_half (uint8 left, uint8 right, uint8 share, uint8 * outer,
    uint8 * inner)
{
  ushort16 a = as_ushort16 (left), b = as_ushort16 (right);
  ushort16 after = as_ushort16 (share | share << 16);
  ushort16 before = (ushort16) (256) - after;
  ushort16 first = a & (ushort16) (255), second = b & (ushort16) (255);

  *outer = as_uint8 (first * before + second * after);
  first = a >> (ushort16) (8);
  second = b >> (ushort16) (8);
  *inner = as_uint8 (first * before + second * after);
}

static void
interpolate (uint16 left, uint16 right, float16 share, float16 * sums)
{
  uint16 whole = as_uint16 (convert_int16 (share));
  uint8 outer[2], inner[2];
  int16 first;

  interpolate_half (left.lo, right.lo, whole.lo, outer, inner);
  interpolate_half (left.hi, right.hi, whole.hi, outer + 1, inner + 1);
  first = as_int16 ((uint16) (outer[0], outer[1]));
  sums[0] = convert_float16 (first & 0xffff);
#if CHANNELS == 3
  sums[1] = convert_float16 (as_int16 ((uint16) (inner[0], inner[1]))
      & 0xffff);
  sums[2] = convert_float16 (as_int16 (as_uint16 (first) >> 16));
#endif
}

#endif

/* ---- Interpolation between rows ---------------------------------------------- */

/* Returns the square root of an integer up to 255. It uses one Newton step less than root(), but
 * gives the same results for these numbers. */
static floatn
sample_root (floatn x)
{
  floatn y = as_floatn (0x5f3759dfu - (as_uintn (x) >> 1));
  floatn half_x = 0.5f * x, r;

  y = y * fma (-(half_x * y), y, (floatn) (1.5f));
  y = y * fma (-(half_x * y), y, (floatn) (1.5f));
  r = x * y;
  return fma (fma (-r, r, x), 0.5f * y, r);
}

/* Computes samples of span n (a part of a row) of the list in work-item (i, j, n). It processes
 * every CLASSES-th class (see people/people.h), starting at class j, and of each class every
 * COLUMNS-th vector of samples, starting at vector i. @in is the frame, with 4 bytes for each
 * pixel. @red and @blue are the lowest bits of these components in a pixel; green lies between
 * them.
 *
 * Sums are multiples of 2^-16 below 256, which floats represent exactly. */
kernel void
people_scale (const global uchar * restrict in, int offset, int stride,
    int red, int blue, const global int *restrict plan,
    const global int *restrict lists, int list, global float *restrict planes)
{
  const global int *span = lists + list + PEOPLE_SPAN * get_global_id (2);
  const global int *level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  int y = span[SPAN_ROW], pitch = level[PITCH], plane = level[PLANE];
  int source = plan[level[SOURCES] + 2 * CELL * pitch + y];
  int low = min (red, blue), is_aligned = ((offset | stride) & 3) == 0;
  floatn down = (source & 511) * 0x1p-16f;
  const global uchar *near = in + offset + (size_t) (source >> 9) * stride;

  for (int class = get_global_id (1); class < CELL; class += CLASSES) {
    const global int *columns = plan + level[SOURCES] + class * pitch;
    const global float *rights =
        (const global float *) columns + CELL * pitch;
    global float *out = planes + level[PLANES]
        + ((size_t) y * CELL + class) * pitch;

    for (int i = span[SPAN_BEGIN] + LANES * get_global_id (0);
        i < span[SPAN_END]; i += LANES * COLUMNS) {
      floatn share = LOAD (rights + i), top[CHANNELS], bottom[CHANNELS];
      uintn a, b;

      load_pairs (near, columns + i, is_aligned, &a, &b);
      interpolate (a >> low, b >> low, share, top);
      load_pairs (near + stride, columns + i, is_aligned, &a, &b);
      interpolate (a >> low, b >> low, share, bottom);
#pragma unroll
      for (int k = 0; k < CHANNELS; k++) {
        floatn sum = fma (down, bottom[k] - top[k],
            fma ((floatn) (0x1p-8f), top[k], (floatn) (0.5f)));
        floatn sample = convert_floatn (convert_intn (sum));

        STORE (out + i + (red <= blue ? k : CHANNELS - 1 - k) * plane,
            ROOTS ? sample_root (sample) : sample);
      }
    }
  }
}
