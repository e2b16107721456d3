/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Maps the colors of RGB frames from high to standard dynamic range (tone mapping), and then by a
 * look-up table. Everything is computed in integers. The algorithm is described in
 * docs/algorithms/grade.md. */

#include "grade/grade-shared.h"

/* ALPHA is 1 if a pixel consists of the 4 bytes R, G, B and A. If ALPHA is 0, R, G and B have
 * separate planes of 16-bit words with samples of 12 bits. */
#ifndef ALPHA
#define ALPHA 0
#endif

/* Returns the value of a curve at @v. The first table entry is the value at 1, and there are
 * 64 entries for each octave of @v. Between two entries, the curve is interpolated
 * linearly. */
static uint
curve (global const int *table, uint v)
{
  int octave = 31 - clz (max (v, 1u));
  uint mantissa = max (v, 1u) << (31 - octave);
  global const int *at = table + 64 * octave + (mantissa >> 25 & 63);

  int change = (uint) at[1] - (uint) at[0];

  return at[0] + 2 * mul_hi (change, (int) (mantissa << 7 >> 1));
}

/* Returns the linear light of one component in the new primaries, limited to 0 ... 2^28: a row of
 * the matrix times the linear light of r, g and b. */
static uint
change_primaries (global const int *row, int r, int g, int b)
{
  int sum = mul_hi (r, row[0]) + mul_hi (g, row[1]) + mul_hi (b, row[2]);

  return clamp (sum, 0, 1 << 28);
}

/* Maps the three sample values of a pixel, in @code, from high to standard dynamic range. */
static void
map_tone (global const int *table, int tone, int *code)
{
  global const int *matrix = table + GRADE_MATRIX;
  uint light[3], highest, gain;
  int mapped[3];

  for (int i = 0; i < 3; i++)
    light[i] = table[GRADE_LIGHT + code[i]];
  if (tone == GRADE_HLG) {
    uint luminance = 0, factor;

    for (int i = 0; i < 3; i++)
      luminance += mul_hi (light[i], (uint) table[GRADE_WEIGHTS + i]);
    factor = curve (table + GRADE_SYSTEM, luminance);
    for (int i = 0; i < 3; i++)
      light[i] = mul_hi (light[i], factor);
  }
  highest = max (max (light[0], light[1]), light[2]);
  gain = curve (table + GRADE_GAIN, highest);
  for (int i = 0; i < 3; i++)
    mapped[i] = min (mul_hi (light[i], gain), 1u << 26) << 4;
  for (int i = 0; i < 3; i++)
    code[i] = (curve (table + GRADE_SIGNAL, change_primaries (matrix + 3 * i,
                mapped[0], mapped[1], mapped[2])) + 32768) >> 16;
}

/* Interpolates a color in a three-dimensional look-up table (cube) between the corners of the
 * tetrahedron that contains it (tetrahedral interpolation). @at: position of the color along each
 * axis, with 12 fraction bits. @size: number of entries along an axis. */
static void
look_up (global const short4 *cube, int size, const int *at, int *code)
{
  int begin = 0, all = 0, step = 1, cell[3], fraction[3], steps[3];
  int high, low, middle, first, second;
  int4 v;

  for (int i = 0; i < 3; i++) {
    cell[i] = min (at[i] >> 12, size - 2);
    fraction[i] = at[i] - (cell[i] << 12);
    begin += cell[i] * step;
    steps[i] = step;
    all += step;
    step *= size;
  }
  high = max (max (fraction[0], fraction[1]), fraction[2]);
  low = min (min (fraction[0], fraction[1]), fraction[2]);
  middle = fraction[0] + fraction[1] + fraction[2] - high - low;
  first = fraction[0] == high ? steps[0] : fraction[1] == high ? steps[1] : steps[2];
  second = all - (fraction[2] == low ? steps[2] : fraction[1] == low ? steps[1] : steps[0]);
  v = convert_int4 (cube[begin]) * (4096 - high)
      + convert_int4 (cube[begin + first]) * (high - middle)
      + convert_int4 (cube[begin + second]) * (middle - low)
      + convert_int4 (cube[begin + all]) * low;
  v = ((v + 2048) >> 12) * (GRADE_CODES - 1);
  v = clamp ((v + 8192) >> 14, (int4) (0), (int4) (GRADE_CODES - 1));
  code[0] = v.s0;
  code[1] = v.s1;
  code[2] = v.s2;
}

#define PLANES(qualifier, name) \
    qualifier uchar * name, int name##_base0, int name##_stride0, int name##_base1, int name##_stride1, \
    int name##_base2, int name##_stride2
#define SAMPLE(qualifier, name, i) \
    ((qualifier ushort *) (name + name##_base##i + y * name##_stride##i))[x]

/* Work-item (x, y) maps pixel (x, y). @tone: transfer function that tone mapping decodes;
 * GRADE_NONE for no tone mapping. @size: number of entries along an axis of the look-up table
 * @cube; 1 if there are only one-dimensional tables, in @shape; 0 if there is no look-up table.
 * @shape: for each value of each component, the position in @cube or, if @size is 1, the
 * result. */
kernel void
grade_frame (PLANES (global const, src), PLANES (global, dst),
    global const int *restrict table, global const int *restrict shape,
    global const short4 * restrict cube, int tone, int size, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  int code[3];

  if (x >= width || y >= height)
    return;
#if ALPHA
  {
    global const uchar *from = src + src_base0 + y * src_stride0 + 4 * x;

    for (int i = 0; i < 3; i++)
      code[i] = (from[i] * (GRADE_CODES - 1) + 127) / 255;
  }
#else
  code[0] = min ((int) SAMPLE (global const, src, 0), GRADE_CODES - 1);
  code[1] = min ((int) SAMPLE (global const, src, 1), GRADE_CODES - 1);
  code[2] = min ((int) SAMPLE (global const, src, 2), GRADE_CODES - 1);
#endif
  if (tone != GRADE_NONE)
    map_tone (table, tone, code);
  if (size > 0)
    for (int i = 0; i < 3; i++)
      code[i] = shape[i * GRADE_CODES + code[i]];
  if (size > 1)
    look_up (cube, size, code, code);
#if ALPHA
  {
    global uchar *to = dst + dst_base0 + y * dst_stride0 + 4 * x;

    for (int i = 0; i < 3; i++)
      to[i] = (code[i] * 255 + (GRADE_CODES - 1) / 2) / (GRADE_CODES - 1);
    to[3] = (src + src_base0 + y * src_stride0 + 4 * x)[3];
  }
#else
  SAMPLE (global, dst, 0) = code[0];
  SAMPLE (global, dst, 1) = code[1];
  SAMPLE (global, dst, 2) = code[2];
#endif
}
