/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reduces noise: averages each sample over time where nothing moves, and over its neighbours in
 * the frame where the average over time is made of few frames. The algorithm is described in
 * docs/algorithms/denoise.md. */
#include "denoise/denoise.h"

/* Number of rows that a work-item of denoise_motion processes. */
#ifndef ROWS
#define ROWS 8
#endif

#define LOAD_PLANE(p) LOAD (loose_ushort16, p)

/* ---- Finding motion ------------------------------------------------------ */

/* Writes the absolute differences between LANES samples of the frame and the average of earlier
 * frames, the plane @mean, in units of 1/16 of an 8-bit grey level. The coordinates x and y are
 * those in planes with margins: the corner of the margin is (0, 0). */
static void
compare (FRAME, global const ushort * mean, global ushort * differences,
    int x, int y)
{
  ushortn v = to_fine (load_values (FRAME_ARGS, x - MARGIN, y - MARGIN));
  shortn d;

  /* Limits the difference to 32763, so that adding 4 does not exceed a short. This does not
   * change the result, which is limited to 4095. Both values, and so their difference, are at
   * most 32767. */
  v -= LOAD_PLANE (mean);
  d = min (as_shortn (v), (shortn) (32763));
  d = (d + (shortn) (4)) >> (shortn) (3);
  STORE (loose_ushort16, differences, min (abs (d), (ushortn) (4095)));
}

/* Work-item (x, y) writes SPAN vectors of row y of the plane @differences, which holds the
 * differences between the frame and the average of earlier frames. */
kernel void
denoise_compare (FRAME, global const ushort * restrict mean,
    global ushort * restrict differences, int plane_stride)
{
  int x = get_global_id (0) * SPAN * LANES, y = get_global_id (1);
  int end = min (x + SPAN * LANES, plane_stride);

  if (y >= height + 2 * MARGIN)
    return;
  for (; x < end; x += LANES) {
    size_t at = (size_t) y * plane_stride + x;

    compare (FRAME_ARGS, mean + at, differences + at, x, y);
  }
}

/* Returns weighted sums of 5 adjacent differences, from the address @p on, with the weights 1 4
 * 6 4 1. */
static ushortn
add_row (global const ushort * p)
{
  return LOAD_PLANE (p) + LOAD_PLANE (p + 4)
      + ((LOAD_PLANE (p + 1) + LOAD_PLANE (p + 3)) << (ushortn) (2))
      + LOAD_PLANE (p + 2) * (ushortn) (6);
}

/* Work-item (x, y) writes the motion of LANES samples, from column x * LANES on, in ROWS
 * rows from row y * ROWS on, to the plane @motion, whose rows have motion_stride samples.
 * Motion is from 0 (still) to 256 (moving); half of this number is stored. The padding
 * behind the last sample of a row stays 0. */
kernel void
denoise_motion (global const ushort * restrict differences, int plane_stride,
    global uchar * restrict motion, int motion_stride, int width, int height,
    global const int * noise)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);
  /* Multiplies by this reciprocal in place of a division, with the same result. The quotient of
   * the weighted sum and the noise N matters only below 397: above, the motion has its largest
   * value. Below, the product is off by less than 2^-12, and a whole quotient is 1 / 2N, at
   * least 2^-12, away from where its floor changes. */
  floatn factor = reciprocal ((floatn) (noise[NOISE]));
  ushortn a, b, c, d, e;

  if (x >= width || y >= height)
    return;
  differences += (size_t) y * plane_stride + x;
  b = add_row (differences);
  c = add_row (differences + plane_stride);
  d = add_row (differences + 2 * plane_stride);
  e = add_row (differences + 3 * plane_stride);
  differences += 4 * plane_stride;
  for (; y < end; y++, differences += plane_stride) {
    uintn sum;
    intn q;
    ucharn result;

    a = b;
    b = c;
    c = d;
    d = e;
    e = add_row (differences);
    sum = convert_uintn (a) + convert_uintn (e)
        + ((convert_uintn (b) + convert_uintn (d)) << 2)
        + convert_uintn (c) * 6;
    q = convert_intn (fma (convert_floatn (sum), factor, 0.5f * factor));
    result = convert_ucharn (clamp (q - 268, (intn) (0), (intn) (128)));
#if LANES == 16
    if (x + LANES > width)
      for (int i = 0; i < width - x; i++)
        motion[(size_t) y * motion_stride + x + i] = ((uchar *) &result)[i];
    else
#endif
      STORE (loose_uchar16, motion + (size_t) y * motion_stride + x, result);
  }
}

/* Returns the largest motion at each of LANES samples of chroma: the maximum of the motion
 * of the sample itself, in @most, and of the luma samples that it covers. A chroma sample
 * covers 1 << shift_x luma samples in each of n_rows rows; in the first row, these samples
 * begin at the address @row. */
static ucharn
join (ucharn most, global const uchar * row, int luma_stride, int n_rows,
    int shift_x)
{
  for (int i = 0; i < n_rows; i++, row += luma_stride) {
#if LANES == 1
    most = max (most, max (row[0], row[shift_x]));
#else
    if (shift_x > 0) {
      ushort16 pairs = LOAD_LOOSE (loose_ushort16, row);

      most = max (most, convert_uchar16 (max (pairs & (ushort) 255,
                  pairs >> (ushort) 8)));
    } else
      most = max (most, LOAD_LOOSE (loose_uchar16, row));
#endif
  }
  return most;
}

/* Work-item (x, y) raises SPAN vectors of row y of the plane @motion of a chroma component to
 * the largest motion of the luma samples that each chroma sample covers. */
kernel void
denoise_join (global uchar * restrict motion, int motion_stride, int width,
    int height, global const uchar * restrict luma, int luma_stride,
    int luma_height, int shift_x, int shift_y)
{
  int x = get_global_id (0) * SPAN * LANES, y = get_global_id (1);
  int end = min (x + SPAN * LANES, width), row = y << shift_y;
  int n_rows = min (1 << shift_y, luma_height - row);

  if (y >= height)
    return;
  for (; x < end; x += LANES) {
    global uchar *own = motion + (size_t) y * motion_stride + x;

    STORE (loose_uchar16, own, join (LOAD (loose_uchar16, own), luma
            + (size_t) row * luma_stride + (x << shift_x), luma_stride, n_rows,
            shift_x));
  }
}

/* ---- Averages over time -------------------------------------------------- */

/* Loads the motion of LANES samples, which is stored halved, from column x of
 * @row on. The row has width samples; columns beyond its ends are mirrored. */
static intn
load_motion (global const uchar * row, int x, int width)
{
#if LANES == 1
  return row[reflect (x, width)];
#else
  int lanes[LANES];

  if (FITS (x, width))
    return convert_intn (LOAD_LOOSE (loose_uchar16, row + x));
  for (int i = 0; i < LANES; i++)
    lanes[i] = row[reflect (x + i, width)];
  return vloadn (0, lanes);
#endif
}

/* Returns 2^19 / c, rounded down, for values of c from 16 to 255. */
static intn
get_gain (intn c)
{
  intn gain = convert_intn (524288.0f * reciprocal (convert_floatn (c)));

  /* Corrects the quotient, which was computed with a reciprocal and is off by one at most. */
  gain += (524288 - gain * c) >> 31;
  return gain - ((gain * c + c - 524289) >> 31);
}

/* Tells whether all of LANES counts are @c. */
static bool
are_all (ucharn counts, uchar c)
{
#if LANES == 1
  return counts == c;
#else
  ulong2 others = as_ulong2 (counts ^ (ucharn) (c));

  return (others.x | others.y) == 0;
#endif
}

/* Work-item (x, y) writes SPAN vectors of row y of two planes: @mean, the averages over time,
 * and @count, the number of frames in each average, in units of 1/16. They lie in other buffers
 * than the planes of the last frame, old_mean and old_count. The parameter @limit is the
 * largest count; is_first is set if there is no last frame. */
kernel void
denoise_update (FRAME, global const ushort * restrict old_mean,
    global const uchar * restrict old_count, global ushort * restrict mean,
    global uchar * restrict count, int plane_stride,
    global const uchar * restrict motion, int motion_stride, int limit,
    int is_first)
{
  int x = get_global_id (0) * SPAN * LANES, y = get_global_id (1);
  int end = min (x + SPAN * LANES, plane_stride);
  /* Where nothing moved for some time all counts are the largest one. */
  intn last_gain = get_gain ((intn) (limit));

  if (y >= height + 2 * MARGIN)
    return;
  motion += (size_t) reflect (y - MARGIN, height) * motion_stride;
  for (; x < end; x += LANES) {
    size_t at = (size_t) y * plane_stride + x;
    ushortn v = to_fine (load_values (FRAME_ARGS, x - MARGIN, y - MARGIN));
    ucharn c = 16;

    if (!is_first) {
      intn s = convert_intn (LOAD_PLANE (old_mean + at));
      intn q = 256 - 2 * load_motion (motion, x - MARGIN, width);
      intn n = convert_intn (LOAD (loose_uchar16, old_count + at)), gain;

      n = min (((n * q + 128) >> 8) + 16, (intn) (limit));
      c = convert_ucharn (n);
      gain = LANES > 1 && are_all (c, limit) ? last_gain : get_gain (n);
      s += ((convert_intn (v) - s) * gain + 16384) >> 15;
      v = convert_ushortn (s);
    }
    STORE (loose_ushort16, mean + at, v);
    STORE (loose_uchar16, count + at, c);
  }
}

/* ---- Averages over neighbours -------------------------------------------- */

/* Returns the index in the array of ranges for an average that is made of count / 16 frames. */
static int
range_of (int count)
{
  return clamp ((count + 8) >> 4, 1, 16) - 1;
}

/* Returns 1 / T for LANES samples whose averages are made of counts / 16 frames: T is the
 * largest difference from a neighbour that is averaged with the sample. */
static floatn
get_range (global const float * ranges, ucharn counts)
{
#if LANES == 1
  return ranges[range_of (counts)];
#else
  intn i = clamp ((convert_intn (counts) + 8) >> 4, (intn) (1),
      (intn) (16)) - 1;
  float lanes[LANES];
  int places[LANES];

  vstoren (i, 0, places);
  for (int k = 0; k < LANES; k++)
    lanes[k] = ranges[places[k]];
  return vloadn (0, lanes);
#endif
}

#if LANES != 1
/* Tells whether the averages of LANES samples and of all their neighbours are made of the same
 * number of frames, and this number is a power of two. */
static bool
are_alike (global const uchar * count, int plane_stride)
{
  uchar c = *count, frames = c >> 4;
  ucharn others = 0;

  /* Looks at the samples themselves first, because most differences are found there. */
  if (!are_all (LOAD (loose_uchar16, count), c) || (frames & (frames - 1)) != 0)
    return false;
  for (int y = -2; y <= 2; y++) {
    global const uchar *row = count + y * plane_stride;

    others |= (LOAD (loose_uchar16, row - 2) ^ (ucharn) (c))
        | (LOAD (loose_uchar16, row + 2) ^ (ucharn) (c));
  }
  return are_all (others, 0);
}
#endif

/* Returns the weighted mean, over the 5 x 5 neighbours, of the difference between the
 * average over time of the neighbour and the average over time of the sample itself. The
 * parameter @range is 1 / T: a neighbour whose difference is T or more has no weight. If
 * @alike is set, are_alike() is true: a common factor of all weights that is a power of two
 * changes no bit of their mean. */
static inline __attribute__ ((always_inline)) intn
find_mean (global const ushort * mean, global const uchar * count,
    int plane_stride, floatn range, bool alike)
{
  intn s = convert_intn (LOAD_PLANE (mean));
  floatn sum = 0.0f, weights = 0.0f;

  for (int y = -2; y <= 2; y++)
    for (int x = -2; x <= 2; x++) {
      int at = y * plane_stride + x;
      floatn e = convert_floatn (convert_intn (LOAD_PLANE (mean + at)) - s);
      floatn w = max (fma (-absolute (e), range, (floatn) (1.0f)),
          (floatn) (0.0f));

      if (!alike)
        w *= convert_floatn (max (convert_intn (LOAD (loose_uchar16,
                        count + at)) >> 4, (intn) (1)));
      weights += w;
      sum = fma (w, e, sum);
    }
  return convert_intn (sum * reciprocal (weights));
}

static void
store_values (global uchar * p, int pixel_stride, ushortn v, int n)
{
#if LANES == 1
  *(global sample *) p = v << SHIFT;
#else
  ushort lanes[LANES];

  v <<= (ushortn) (SHIFT);
  if (pixel_stride == BYTES && n >= LANES) {
#if BYTES == 1
    STORE_LOOSE (loose_uchar16, p, convert_uchar16 (v));
#else
    STORE_LOOSE (loose_ushort16, p, v);
#endif
    return;
  }
  vstoren (v, 0, lanes);
  for (int i = 0; i < min (n, LANES); i++)
    *(global sample *) (p + i * pixel_stride) = lanes[i];
#endif
}

/* Work-item (x, y) writes SPAN vectors of row y of the output. The sample in column c of row
 * r of the output is at byte to_offset + r * to_stride + c * pixel_stride. Input and output
 * may be a part of a frame: column 0 of the part is then column @first of the planes, and row
 * 0 is their first row. */
kernel void
denoise_smooth (FRAME, global const ushort * restrict mean,
    global const uchar * restrict count, int plane_stride, int first,
    global uchar * restrict to, int to_offset, int to_stride,
    global const int * noise, int is_spatial)
{
  int x = get_global_id (0) * SPAN * LANES, y = get_global_id (1);
  int end = min (x + SPAN * LANES, width);

  if (y >= height)
    return;
  to += to_offset + (size_t) y * to_stride;
  mean += (size_t) (y + MARGIN) * plane_stride + MARGIN + first;
  count += (size_t) (y + MARGIN) * plane_stride + MARGIN + first;
  for (; x < end; x += LANES) {
    intn v = convert_intn (load_values (FRAME_ARGS, x, y));
    intn change = convert_intn (LOAD_PLANE (mean + x));

#if LANES != 1
    if (is_spatial && are_alike (count + x, plane_stride))
      change += find_mean (mean + x, count + x, plane_stride,
          ((global const float *) noise)[RANGES + range_of (count[x])], true);
    else
#endif
    if (is_spatial)
      change += find_mean (mean + x, count + x, plane_stride,
          get_range ((global const float *) noise + RANGES,
              LOAD (loose_uchar16, count + x)), false);
#if DEPTH == 16
    v += 2 * (change - (v >> 1));
#else
    v += (change - (v << (15 - DEPTH)) + (1 << (14 - DEPTH))) >> (15 - DEPTH);
#endif
    store_values (to + x * pixel_stride, pixel_stride, convert_ushortn (v),
        width - x);
  }
}
