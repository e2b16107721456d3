/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reduces noise. Averages each sample over time where nothing moves. Also averages it over its
 * neighbors in the frame, if the average over time has few frames. The algorithm is described
 * in docs/algorithms/denoise.md. */
#include "denoise/denoise.h"

/* Number of rows that a work-item of denoise_motion processes. */
#ifndef ROWS
#define ROWS 8
#endif

#define LOAD_PLANE(p) LOAD (loose_ushort16, p)

/* ---- Finding motion ------------------------------------------------------ */

/* Returns the absolute differences between LANES samples of the frame and @s, the average of
 * earlier frames, in units of 1 / UNIT of the noise. @precision: 1 / N */
static ushortn
compare (ushortn v, ushortn s, floatn precision)
{
  intn d = (convert_intn (v) - convert_intn (s) + 4) >> 3;
  floatn units = convert_floatn (min (convert_intn (abs (d)), (intn) (4095)))
      * (float) (UNIT);

  return convert_ushortn (convert_intn (min (fma (units, precision,
                  (floatn) (0.5f)), (floatn) (4095.0f))));
}

/* Computes the differences between the frame and the average of earlier frames. Work-item (x,
 * y) writes SPAN vectors of row y of the plane @differences. */
kernel void
denoise_compare (FRAME, global const ushort * mean,
    global ushort * restrict differences, int plane_stride, LIGHT,
    global const int * restrict noise)
{
  int x = get_global_id (0) * SPAN * LANES, y = get_global_id (1);
  int end = min (x + SPAN * LANES, plane_stride);

  if (y >= height + 2 * MARGIN)
    return;
  if (light_shift_x != OWN)
    light += (size_t) ((reflect (y - MARGIN, height) << light_shift_y)
        + MARGIN) * light_stride + MARGIN;
  for (; x < end; x += LANES) {
    size_t at = (size_t) y * plane_stride + x;
    ushortn v = to_fine (load_values (FRAME_ARGS, x - MARGIN, y - MARGIN));
    ushortn s = LOAD_PLANE (mean + at), from = s;

    if (light_shift_x != OWN)
      from = load_light_inside (light, x - MARGIN, width, light_shift_x);
    STORE (loose_ushort16, differences + at,
        compare (v, s, get_precision (noise, from)));
  }
}

/* Returns the weighted sums of 5 adjacent differences, starting at the address @p; the weights
 * are 1 4 6 4 1. */
static ushortn
add_row (global const ushort * p)
{
  return LOAD_PLANE (p) + LOAD_PLANE (p + 4)
      + ((LOAD_PLANE (p + 1) + LOAD_PLANE (p + 3)) << (ushortn) (2))
      + LOAD_PLANE (p + 2) * (ushortn) (6);
}

/* Computes the motion at each sample, from 0 (still) to 256 (moving). Work-item (x, y) writes
 * the motion of LANES samples in each of ROWS rows to the plane @motion, starting at column x *
 * LANES of row y * ROWS. The plane stores half of each number; its rows have motion_stride
 * samples. The padding after the last sample of a row stays 0. */
kernel void
denoise_motion (global const ushort * restrict differences, int plane_stride,
    global uchar * restrict motion, int motion_stride, int width, int height)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);
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
    q = convert_intn (sum / (uintn) (UNIT));
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

/* Returns the largest motion at each of LANES samples of chroma: the maximum of @most, the
 * motion of the sample itself, and the motion of the luma samples that it covers. A chroma
 * sample covers 1 << shift_x luma samples in each of n_rows rows. In the first of these rows,
 * the luma samples begin at the address @row. */
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

/* Raises the motion of a chroma component to the largest motion of the luma samples that each
 * chroma sample covers. Work-item (x, y) changes SPAN vectors of row y of the plane @motion. */
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

/* Returns the motion of LANES samples, halved, starting at column x of @row. The row has width
 * samples; columns beyond its ends are reflected. */
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

  /* Corrects the quotient: it was computed with a reciprocal, and is wrong by at most one. */
  gain += (524288 - gain * c) >> 31;
  return gain - ((gain * c + c - 524289) >> 31);
}

/* Returns whether all of LANES counts are @c. */
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

/* Computes the averages over time. Work-item (x, y) writes SPAN vectors of row y of two planes,
 * in buffers other than those of old_mean and old_count.
 * @mean: the averages over time.
 * @count: the number of frames in each average, in units of 1/16; at most @limit.
 * old_mean, old_count: these planes for the last frame.
 * is_first: set if there is no last frame. */
kernel void
denoise_update (FRAME, global const ushort * restrict old_mean,
    global const uchar * restrict old_count, global ushort * restrict mean,
    global uchar * restrict count, int plane_stride,
    global const uchar * restrict motion, int motion_stride, int limit,
    int is_first)
{
  int x = get_global_id (0) * SPAN * LANES, y = get_global_id (1);
  int end = min (x + SPAN * LANES, plane_stride);
  /* Where nothing moved for some time, all counts have the maximum value. */
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

/* ---- Averages over neighbors -------------------------------------------- */

/* Returns the index, in the array of ranges, for an average over count / 16 frames. */
static int
range_of (int count)
{
  return clamp ((count + 8) >> 4, 1, 16) - 1;
}

/* Returns N / T for LANES samples whose averages have counts / 16 frames. A neighbor whose
 * difference from the sample is T or more is not averaged. */
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
/* Returns whether the averages of LANES samples and of all their neighbors have the same
 * number of frames, and this number is a power of two. */
static bool
are_alike (global const uchar * count, int plane_stride)
{
  uchar c = *count, frames = c >> 4;
  ucharn others = 0;

  /* Compares the samples themselves first, because most differences are found there. */
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

/* Returns the weighted mean, over the 5 x 5 neighbors of a sample, of a difference: the
 * average over time of the neighbor minus the average over time of the sample.
 * @range: 1 / T; a neighbor whose difference is T or more has the weight 0.
 * @alike: the result of are_alike(). If it is true, the weights leave out the number of frames:
 * it is a common factor of all weights and a power of two, and changes no bit of their mean. */
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

/* Computes the output from the averages over time and, if is_spatial is set, from their
 * averages over neighbors. Work-item (x, y) writes SPAN vectors of row y. The sample in column
 * c of row r of the output is at byte to_offset + r * to_stride + c * pixel_stride. Input and
 * output may be a part of a frame: column @first of the planes is column 0 of the part, and
 * their first row is its row 0. */
kernel void
denoise_smooth (FRAME, global const ushort * mean,
    global const uchar * restrict count, int plane_stride, int first,
    global uchar * restrict to, int to_offset, int to_stride,
    global const int * noise, int is_spatial, LIGHT, int light_first)
{
  int x = get_global_id (0) * SPAN * LANES, y = get_global_id (1);
  int end = min (x + SPAN * LANES, width);
  global const float *ranges = (global const float *) noise + RANGES;

  if (y >= height)
    return;
  to += to_offset + (size_t) y * to_stride;
  mean += (size_t) (y + MARGIN) * plane_stride + MARGIN + first;
  count += (size_t) (y + MARGIN) * plane_stride + MARGIN + first;
  if (light_shift_x == OWN) {
    light = mean;
    light_shift_x = 0;
  } else
    light += (size_t) ((y << light_shift_y) + MARGIN) * light_stride + MARGIN
        + light_first;
  for (; x < end; x += LANES) {
    intn v = convert_intn (load_values (FRAME_ARGS, x, y));
    intn change = convert_intn (LOAD_PLANE (mean + x));
    floatn precision = get_precision (noise, load_light (light
            + (x << light_shift_x), light_shift_x));

#if LANES != 1
    if (is_spatial && are_alike (count + x, plane_stride))
      change += find_mean (mean + x, count + x, plane_stride,
          precision * ranges[range_of (count[x])], true);
    else
#endif
    if (is_spatial)
      change += find_mean (mean + x, count + x, plane_stride,
          precision * get_range (ranges, LOAD (loose_uchar16, count + x)),
          false);
#if DEPTH == 16
    v += 2 * (change - (v >> 1));
#else
    v += (change - (v << (15 - DEPTH)) + (1 << (14 - DEPTH))) >> (15 - DEPTH);
#endif
    store_values (to + x * pixel_stride, pixel_stride, convert_ushortn (v),
        width - x);
  }
}
