/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Changes format, size, orientation, crop and borders of a frame in one launch. The algorithm
 * is described in docs/algorithms/convert.md.
 *
 * A frame has a luma group (Y, or R, G, B and A) and perhaps a chroma group (U and V). Every
 * output sample is computed from input samples. Tables in the plan (see
 * convert/convert-shared.h) hold the columns, rows and weights of these input samples. Scaling,
 * mirroring, cropping and the siting of chroma are all expressed by these tables. */

#include "convert/knobs.h"
#include "base/math.h"
#include "convert/taps.h"

#if MATRIX_WIDE
typedef MATH_JOIN (long, LANES) longn;
#define convert_longn MATH_JOIN (convert_long, LANES)
#endif

#if LANES == 16
#define LANE_NUMBERS (intn) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#else
#define LANE_NUMBERS (intn) (0, 1, 2, 3)
#endif

#define TABLE(which) (plan + PLAN_TABLES + (which) * TABLE_SIZE)

/* Multiplies row i of the color matrix by the samples of each pixel in @in,
 * adds the offset of the row and clamps the result to 0 ... OUT_MAX. */
INLINE uintn
mix (global const int *plan, int i, const Pixels * in)
{
  global const int *row = plan + 4 * i;
#if MATRIX_WIDE
  longn sum = convert_longn (in->a) * (long) row[0]
      + convert_longn (in->b) * (long) row[1]
      + convert_longn (in->c) * (long) row[2] + (long) row[3];

  return convert_uintn (clamp (sum >> MATRIX_BITS, (longn) (0),
          (longn) (OUT_MAX)));
#else
  intn sum = as_intn (in->a) * (MATRIX_TO_RGB ? plan[0] : row[0]) + row[3];

  if (MATRIX_TO_RGB == 0 || i != 0)
    sum += as_intn (in->b) * row[1];
  if (MATRIX_TO_RGB == 0 || i != 2)
    sum += as_intn (in->c) * row[2];
  return as_uintn (clamp (sum >> MATRIX_BITS, (intn) (0), (intn) (OUT_MAX)));
#endif
}

#if LANES == 4
/* Stores 4 pixels at the address p. A pixel has @pixel bytes; p is aligned to 4 bytes or to the
 * size of a pixel. */
INLINE void
store_aligned (global uchar * p, int pixel, uint4 v)
{
  if (pixel == 1)
    vstore4 (convert_uchar4 (v), 0, p);
  else if (pixel == 2)
    vstore4 (convert_ushort4 (v), 0, (global ushort *) p);
  else if (pixel == 3)
    vstore3 ((uint3) (v.s0 | v.s1 << 24, v.s1 >> 8 | v.s2 << 16,
            v.s2 >> 16 | v.s3 << 8), 0, (global uint *) p);
  else
    vstore4 (v, 0, (global uint *) p);
}
#endif

/* Stores pixels x to x + LANES - 1 of a row; pixels in column @width and beyond are left out.
 * In each pixel, only n samples of @bytes bytes are written; other bytes keep their values. The
 * vector @words holds the pixels in their memory layout. */
INLINE void
write_pixels (global uchar * row, uintn words, int pixel, int at, int n,
    int bytes, int aligned, int x, int width)
{
  global uchar *p = row + x * pixel;
  uint lanes[LANES];
  int end = min (LANES, width - x);

  if (end == LANES && n * bytes == pixel) {
#if LANES == 16
    store_pixels (p, pixel, words);
    return;
#else
    if (pixel == 1 || aligned) {
      store_aligned (p, pixel, words);
      return;
    }
#endif
  }
  vstoren (words, 0, lanes);
  for (int lane = 0; lane < end; lane++)
    for (int i = 0; i < n; i++)
      for (int byte = 0; byte < bytes; byte++)
        p[lane * pixel + POSITION (at, i) / 8 + byte] =
            lanes[lane] >> (POSITION (at, i) + 8 * byte);
}

/* Parameters for the planes of the input. in_base<i> is the byte offset of plane i in @src,
 * in_stride<i> the number of bytes from row to row. */
#define INPUT \
    global const uchar * src, int in_base0, int in_stride0, \
    int in_base1, int in_stride1, int in_base2, int in_stride2
#define INPUT_VALUES \
    src, in_base0, in_stride0, in_base1, in_stride1, in_base2, in_stride2

/* Expands to four arguments of the function sample() for table i: how, taps, n_rows and filter. */
#define MANNER_OF(i) COLUMNS##i, TAPS##i, ROWS##i, FILTER##i
#define MANNER_PARAMETERS(i) int how##i, int taps##i, int rows##i, int filter##i
#define MANNER_VALUES(i) how##i, taps##i, rows##i, filter##i

/* Samples the input for LANES output pixels. Sets v->a to luma, or v->a to v->d to R, G, B and
 * A; sets v->b and v->c to U and V. @from tells which input groups are sampled: bit 0 for luma,
 * bit 1 for chroma. @which is the number of the table in the plan for luma; the table for
 * chroma follows it. */
INLINE void
sample_groups (INPUT, global const int *plan, int from, int which,
    MANNER_PARAMETERS (0), MANNER_PARAMETERS (1), int x, int y, bool whole,
    Pixels * v)
{
  Pixels u;

  if (from & 1)
    sample (src + in_base0, in_stride0, plan, TABLE (which),
        MANNER_VALUES (0), IN_LUMA_PIXEL, IN_LUMA_AT, IN_LUMA_SAMPLES, x, y,
        whole, v);
  if (IN_LUMA_PLANES == 3) {
    sample (src + in_base1, in_stride1, plan, TABLE (which),
        MANNER_VALUES (0), IN_LUMA_PIXEL, IN_LUMA_AT, 1, x, y, whole, &u);
    v->b = u.a;
    sample (src + in_base2, in_stride2, plan, TABLE (which),
        MANNER_VALUES (0), IN_LUMA_PIXEL, IN_LUMA_AT, 1, x, y, whole, &u);
    v->c = u.a;
  }
  if (from & 2) {
    sample (src + in_base1, in_stride1, plan, TABLE (which + 1),
        MANNER_VALUES (1), IN_CHROMA_PIXEL, IN_CHROMA_AT,
        3 - IN_CHROMA_PLANES, x, y, whole, &u);
    v->b = u.a;
    if (IN_CHROMA_PLANES == 2)
      sample (src + in_base2, in_stride2, plan, TABLE (which + 1),
          MANNER_VALUES (1), IN_CHROMA_PIXEL, IN_CHROMA_AT, 1, x, y, whole, &u);
    v->c = IN_CHROMA_PLANES == 2 ? u.a : u.b;
  }
}

/* Finds the part of row y of an output group (luma or chroma) that shows the input and not the
 * border. Sets @first and @end: the part has the columns @first to @end - 1. */
INLINE void
find_inside (global const int *plan, int group, int y, int width, int *first,
    int *end)
{
  global const int *inside = plan + PLAN_INSIDE + 4 * group;
  bool row = !BORDERS || (y >= inside[2] && y < inside[3]);

  *first = BORDERS ? inside[0] : 0;
  *end = !row ? 0 : BORDERS ? inside[1] : width;
}

INLINE uintn
or_border (uintn v, global const int *plan, int i, int x, int first, int end)
{
  intn column = LANE_NUMBERS + x;

  if (!BORDERS)
    return v;
  return select ((uintn) (uint) plan[PLAN_BORDER + i], v,
      column >= first & column < end);
}

/* Computes the luma group of LANES pixels, and writes it to @row. If R, G and B have separate
 * planes, @row2 and @row3 are the output rows of G and B. */
INLINE void
convert_luma (INPUT, global const int *plan, global uchar * row,
    global uchar * row2, global uchar * row3, int aligned, int x, int y,
    int width)
{
  Pixels v = { 0, 0, 0, 0 };
  uintn words = 0;
  int first, end;

  find_inside (plan, 0, y, width, &first, &end);
  if (x < end && x + LANES > first) {
    sample_groups (INPUT_VALUES, plan, LUMA_FROM, 0, MANNER_OF (0), MANNER_OF (1), x,
        y, x >= first && x + LANES <= end, &v);
    if (MATRIX) {
      Pixels in = v;

      v.a = mix (plan, 0, &in);
      if (OUT_LUMA_SAMPLES * OUT_LUMA_PLANES > 1) {
        v.b = mix (plan, 1, &in);
        v.c = mix (plan, 2, &in);
      }
    }
  }
  if (IN_LUMA_SAMPLES < 4)
    v.d = 255;
  /* Joins samples by bitselect() instead of |, because of a bug of Oclgrind 21.10. When the
   * order of the samples of a pixel is reversed, a compiler turns | into one instruction, which
   * Oclgrind executes for the first lane only. Other compilers generate the same code for both. */
#define JOIN(f, i) v.f = or_border (v.f, plan, i, x, first, end) \
    << (uintn) (OUT_SHIFT + POSITION (OUT_LUMA_AT, i)); \
  words = i == 0 ? v.f : bitselect (words, v.f, \
      (uintn) (0xffu << POSITION (OUT_LUMA_AT, i)));
  EACH_SAMPLE (OUT_LUMA_SAMPLES, JOIN)
#undef JOIN
  write_pixels (row, words, OUT_LUMA_PIXEL, OUT_LUMA_AT, OUT_LUMA_SAMPLES,
      OUT_BYTES, aligned, x, width);
  if (OUT_LUMA_PLANES == 3) {
    v.b = or_border (v.b, plan, 1, x, first, end) << OUT_SHIFT;
    v.c = or_border (v.c, plan, 2, x, first, end) << OUT_SHIFT;
    write_pixels (row2, v.b, OUT_LUMA_PIXEL, OUT_LUMA_AT, 1, OUT_BYTES, aligned,
        x, width);
    write_pixels (row3, v.c, OUT_LUMA_PIXEL, OUT_LUMA_AT, 1, OUT_BYTES, aligned,
        x, width);
  }
}

/* Computes the chroma of LANES pixels, and writes it to @row. If V has a separate plane, @row2
 * is the output row of V. */
INLINE void
convert_chroma (INPUT, global const int *plan, global uchar * row,
    global uchar * row2, int aligned, int x, int y, int width)
{
  Pixels v = { 0, 0, 0, 0 };
  int first, end;

  find_inside (plan, 1, y, width, &first, &end);
  if (x < end && x + LANES > first) {
    sample_groups (INPUT_VALUES, plan, CHROMA_FROM, 2, MANNER_OF (2), MANNER_OF (3),
        x, y, x >= first && x + LANES <= end, &v);
    if (MATRIX) {
      Pixels in = v;

      v.b = mix (plan, 1, &in);
      v.c = mix (plan, 2, &in);
    }
  }
  v.b = or_border (v.b, plan, 1, x, first, end) << OUT_SHIFT;
  v.c = or_border (v.c, plan, 2, x, first, end) << OUT_SHIFT;
  if (OUT_CHROMA_PLANES == 2) {
    write_pixels (row, v.b, OUT_CHROMA_PIXEL, OUT_CHROMA_AT, 1, OUT_BYTES,
        aligned, x, width);
    write_pixels (row2, v.c, OUT_CHROMA_PIXEL, OUT_CHROMA_AT, 1, OUT_BYTES,
        aligned, x, width);
  } else {
    write_pixels (row, v.b << (uintn) (POSITION (OUT_CHROMA_AT, 0))
        | v.c << (uintn) (POSITION (OUT_CHROMA_AT, 1)), OUT_CHROMA_PIXEL,
        OUT_CHROMA_AT, 2, OUT_BYTES, aligned, x, width);
  }
}

/* Converts a frame. Work-item (x, y, z) computes the rows from rows * y to rows * (y + 1) - 1:
 * of luma or the colors if z is 0, of chroma if z is 1. A row is divided into vectors of LANES
 * pixels. The work-item computes the vectors x, x + n, x + 2 n and so on, where n is the number
 * of work-items along a row. @aligned is set if output pixels of 2 to 4 bytes begin at
 * addresses that are multiples of 4 or of their size. */
kernel void
convert_frame (INPUT, global uchar * restrict dst, int out_base0,
    int out_stride0, int out_base1, int out_stride1, int out_base2,
    int out_stride2, global const int *restrict plan, int width, int height,
    int chroma_width, int chroma_height, int rows, int aligned)
{
  int begin = get_global_id (0) * LANES, step = get_global_size (0) * LANES;
  int first = get_global_id (1) * rows;

  if (OUT_CHROMA_PLANES > 0 && get_global_id (2) == 1) {
    for (int y = first; y < min (first + rows, chroma_height); y++)
      for (int x = begin; x < chroma_width; x += step)
        convert_chroma (INPUT_VALUES, plan, dst + out_base1 + y * out_stride1,
            dst + out_base2 + y * out_stride2, aligned, x, y, chroma_width);
  } else {
    for (int y = first; y < min (first + rows, height); y++)
      for (int x = begin; x < width; x += step)
        convert_luma (INPUT_VALUES, plan, dst + out_base0 + y * out_stride0,
            dst + out_base1 + y * out_stride1,
            dst + out_base2 + y * out_stride2, aligned, x, y, width);
  }
}
