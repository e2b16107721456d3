/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Mirrors, rotates, transposes and crops frames, on CPUs with wide vectors. The
 * algorithm is described in docs/algorithms/convert.md.
 *
 * Planes are at least 16 pixels wide and high. If the size of a plane is not a multiple of the
 * size of a vector, or of a square of 16 by 16 pixels, the last vector or square overlaps the
 * one before it. */

/* Size of a pixel in bytes, 1 to 4. PIXEL0 is for the first plane, PIXEL1 for the other planes. */
#ifndef PIXEL0
#define PIXEL0 1
#endif
#ifndef PIXEL1
#define PIXEL1 1
#endif

/* TRANSPOSED is 1 if columns become rows. Afterwards, FLIP_X exchanges left and right, and
 * FLIP_Y exchanges top and bottom. */
#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif
#ifndef FLIP_X
#define FLIP_X 0
#endif
#ifndef FLIP_Y
#define FLIP_Y 0
#endif

/* FILL contains the bits that are set in every output pixel. If it is not 0, pixels have 4
 * bytes. */
#ifndef FILL
#define FILL 0
#endif

/* LIMIT is the largest value of a sample, if the words that store samples can hold larger
 * values. Pixels then have one sample of 2 bytes, which is clamped to LIMIT. Otherwise LIMIT is
 * 0. */
#ifndef LIMIT
#define LIMIT 0
#endif

#include "base/pixels.h"

#if LIMIT
#define LIMITED(v) min (v, (uint16) (LIMIT))
#else
#define LIMITED(v) (v)
#endif

LOOSE (ulong2, loose_ulong2);
LOOSE (ulong8, loose_ulong8);

/* Interleaves the elements of the vectors @a and @b. Writes the result to the vectors @r and @s. */
#define WEAVE(r, s, a, b) \
    r.even = a.lo; r.odd = b.lo; s.even = a.hi; s.odd = b.hi;
#define ROUND(to, from) \
    WEAVE (to##0, to##1, from##0, from##8) \
    WEAVE (to##2, to##3, from##1, from##9) \
    WEAVE (to##4, to##5, from##2, from##a) \
    WEAVE (to##6, to##7, from##3, from##b) \
    WEAVE (to##8, to##9, from##4, from##c) \
    WEAVE (to##a, to##b, from##5, from##d) \
    WEAVE (to##c, to##d, from##6, from##e) \
    WEAVE (to##e, to##f, from##7, from##f)
#define EACH(statement) \
    statement (0, 0) statement (1, 1) statement (2, 2) statement (3, 3) \
    statement (4, 4) statement (5, 5) statement (6, 6) statement (7, 7) \
    statement (8, 8) statement (9, 9) statement (a, 10) statement (b, 11) \
    statement (c, 12) statement (d, 13) statement (e, 14) statement (f, 15)

/* Transposes a square of 16 by 16 pixels. from_step and to_step are the strides of the input and
 * of the output, in bytes. */
static void
transpose_square (global const uchar * from, int from_step,
    global uchar * to, int to_step, int pixel)
{
  uint16 p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, pa, pb, pc, pd, pe, pf;
  uint16 q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, qa, qb, qc, qd, qe, qf;

#define LOAD(x, i) p##x = LIMITED (load_pixels (from + i * from_step, pixel));
  EACH (LOAD)
#undef LOAD
  ROUND (q, p)
  ROUND (p, q)
  ROUND (q, p)
  ROUND (p, q)
#define STORE(x, i) store_pixels (to + i * to_step, pixel, p##x | FILL);
  EACH (STORE)
#undef STORE
}

/* Exchanges elements between @a and @b, as one step of a transposition. Elements are @shift bits
 * wide, and @mask selects the first element of each pair. The second elements of @a and the
 * first elements of @b are exchanged. */
#define EXCHANGE(a, b, shift, mask) { \
    ulong8 old = a; \
\
    a = (a & (ulong) (mask)) | (b & (ulong) (mask)) << (ulong) (shift); \
    b = (old >> (ulong) (shift) & (ulong) (mask)) | (b & ~(ulong) (mask)); \
  }
#define EXCHANGE_1(i, k) EXCHANGE (p##i, p##k, 8, 0x00ff00ff00ff00ff)
#define EXCHANGE_2(i, k) EXCHANGE (p##i, p##k, 16, 0x0000ffff0000ffff)
#define EXCHANGE_4(i, k) EXCHANGE (p##i, p##k, 32, 0x00000000ffffffff)
#define EXCHANGE_8(i, k) { \
    ulong8 old = p##i; \
\
    p##i.odd = p##k.even; \
    p##k.even = old.odd; \
  }

/* Transposes four squares of 16 by 16 bytes. They are side by side in the input, and one below
 * the other in the output. */
static void
transpose_bytes (global const uchar * from, int from_step,
    global uchar * to, int to_step)
{
  ulong8 p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, pa, pb, pc, pd, pe, pf;

#define LOAD(x, i) p##x = LOAD_LOOSE (loose_ulong8, from + i * from_step);
  EACH (LOAD)
#undef LOAD
  EXCHANGE_1 (0, 1) EXCHANGE_1 (2, 3) EXCHANGE_1 (4, 5) EXCHANGE_1 (6, 7)
  EXCHANGE_1 (8, 9) EXCHANGE_1 (a, b) EXCHANGE_1 (c, d) EXCHANGE_1 (e, f)
  EXCHANGE_2 (0, 2) EXCHANGE_2 (1, 3) EXCHANGE_2 (4, 6) EXCHANGE_2 (5, 7)
  EXCHANGE_2 (8, a) EXCHANGE_2 (9, b) EXCHANGE_2 (c, e) EXCHANGE_2 (d, f)
  EXCHANGE_4 (0, 4) EXCHANGE_4 (1, 5) EXCHANGE_4 (2, 6) EXCHANGE_4 (3, 7)
  EXCHANGE_4 (8, c) EXCHANGE_4 (9, d) EXCHANGE_4 (a, e) EXCHANGE_4 (b, f)
  EXCHANGE_8 (0, 8) EXCHANGE_8 (1, 9) EXCHANGE_8 (2, a) EXCHANGE_8 (3, b)
  EXCHANGE_8 (4, c) EXCHANGE_8 (5, d) EXCHANGE_8 (6, e) EXCHANGE_8 (7, f)
#define STORE(x, i) \
  STORE_LOOSE (loose_ulong2, to + i * to_step, p##x.s01); \
  STORE_LOOSE (loose_ulong2, to + (16 + i) * to_step, p##x.s23); \
  STORE_LOOSE (loose_ulong2, to + (32 + i) * to_step, p##x.s45); \
  STORE_LOOSE (loose_ulong2, to + (48 + i) * to_step, p##x.s67);
  EACH (STORE)
#undef STORE
}

/* Writes 16 columns of n rows of the output, starting at pixel (x, y). The number n is 16 or,
 * for pixels of one byte, 64. */
static void
transpose_rows (global const uchar * src, int src_stride,
    global uchar * dst, int dst_stride, int width, int height, int pixel,
    int x, int y, int n)
{
  int column = FLIP_Y ? height - n - y : y;
  int row = FLIP_X ? width - 1 - x : x;
  global const uchar *from = src + row * src_stride + column * pixel;
  global uchar *to = dst + (FLIP_Y ? y + n - 1 : y) * dst_stride + x * pixel;
  int from_step = FLIP_X ? -src_stride : src_stride;
  int to_step = FLIP_Y ? -dst_stride : dst_stride;

  if (pixel == 1 && n == 64)
    transpose_bytes (from, from_step, to, to_step);
  else
    transpose_square (from, from_step, to, to_step, pixel);
}

/* Copies a row that is not mirrored. It has at least 16 bytes. */
static void
copy_row (global const uchar * from, global uchar * to, int bytes)
{
  int i = 0;

#if LIMIT
  for (; i < bytes; i += 32)
    store_pixels (to + min (i, bytes - 32), 2,
        LIMITED (load_pixels (from + min (i, bytes - 32), 2)));
#else
  for (; i + 64 <= bytes; i += 64)
    STORE_LOOSE (loose_uint16, to + i, LOAD_LOOSE (loose_uint16, from + i)
        | FILL);
  for (; i < bytes; i += 16)
    store_pixels (to + min (i, bytes - 16), 1,
        load_pixels (from + min (i, bytes - 16), 1)
        | (uint16) (FILL & 255, FILL >> 8 & 255, FILL >> 16 & 255, FILL >> 24,
            FILL & 255, FILL >> 8 & 255, FILL >> 16 & 255, FILL >> 24,
            FILL & 255, FILL >> 8 & 255, FILL >> 16 & 255, FILL >> 24,
            FILL & 255, FILL >> 8 & 255, FILL >> 16 & 255, FILL >> 24));
#endif
}

static void
mirror_row (global const uchar * from, global uchar * to, int width,
    int pixel)
{
  for (int i = 0; i < width; i += 16) {
    int x = min (i, width - 16);

    if (pixel == 1)
      STORE_LOOSE (loose_uchar16, to + x, LOAD_LOOSE (loose_uchar16,
              from + width - 16 - x).sfedcba9876543210);
    else
      store_pixels (to + x * pixel, pixel,
          LIMITED (load_pixels (from + (width - 16 - x) * pixel,
                  pixel)).sfedcba9876543210 | FILL);
  }
}

/* Writes rows @first to @end - 1 of a plane of the output. */
static void
turn_rows (global const uchar * src, int src_stride, global uchar * dst,
    int dst_stride, int width, int height, int pixel, int first, int end)
{
  if (TRANSPOSED) {
    int n = pixel == 1 && end - first >= 64 ? 64 : 16;

    for (int i = 0; i < width; i += 16)
      for (int y = first; y < end; y += n)
        transpose_rows (src, src_stride, dst, dst_stride, width, height, pixel,
            min (i, width - 16), min (y, end - n), n);
    return;
  }
  for (int y = first; y < end; y++) {
    global const uchar *from =
        src + (FLIP_Y ? height - 1 - y : y) * src_stride;

    if (FLIP_X)
      mirror_row (from, dst + y * dst_stride, width, pixel);
    else
      copy_row (from, dst + y * dst_stride, width * pixel);
  }
}

/* Writes @rows rows of a plane of the output in work-item (y, plane); @rows is a multiple of 16.
 * The last work-item of a plane also writes the remaining rows. The base parameters are the
 * offsets of planes in @src and @dst, in bytes. width0 and height0 are the size of the first
 * plane of the output in pixels; width1 and height1 are the size of its other planes. */
kernel void
turn_frame (global const uchar * restrict src, int in_base0, int in_stride0,
    int in_base1, int in_stride1, int in_base2, int in_stride2,
    global uchar * restrict dst, int out_base0, int out_stride0,
    int out_base1, int out_stride1, int out_base2, int out_stride2,
    int width0, int height0, int width1, int height1, int rows)
{
  int plane = get_global_id (1);
  int height = plane == 0 ? height0 : height1;
  int bands = max (height / rows, 1);
  int band = get_global_id (0), first = band * rows;
  int end = band == bands - 1 ? height : first + rows;

  if (band >= bands)
    return;
  if (plane == 0)
    turn_rows (src + in_base0, in_stride0, dst + out_base0, out_stride0,
        width0, height0, PIXEL0, first, end);
  else
    turn_rows (src + (plane == 1 ? in_base1 : in_base2),
        plane == 1 ? in_stride1 : in_stride2,
        dst + (plane == 1 ? out_base1 : out_base2),
        plane == 1 ? out_stride1 : out_stride2, width1, height1, PIXEL1,
        first, end);
}
