/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes frames from averages over time: averages each sample over those of its neighbours whose
 * surroundings look alike. The algorithm is described in docs/algorithms/denoise.md. */
#include "denoise/denoise.h"

/* Number of rows that a work-item processes. */
#ifndef ROWS
#define ROWS 8
#endif

#define LOAD_PLANE(p) LOAD (loose_ushort16, p)

/* Number of neighbours of a sample, and the sample itself */
#define N 25

/* Type of the address of an average over time: processors convert those around the samples of a work-item
 * to floats first. */
#if LANES == 1
#define MEANS global const ushort
#else
#define MEANS const float
/* Length of a row of these floats: samples, and three on each side */
#define TILE_STRIDE (LANES + 8)

LOOSE (float16, loose_float16);
#endif

/* Returns the index, in the array of ranges, for an average over count / 16 frames. */
static int
range_of (int count)
{
  return clamp ((count + 8) >> 4, 1, 16) - 1;
}

/* Returns N / T for LANES samples whose averages have counts / 16 frames. A neighbour is not averaged
 * if the root of the mean square difference of its surroundings is T or more. */
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
/* Returns whether the averages of LANES samples and of all their neighbours have the same
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

/* Returns the numbers of frames in the averages of LANES samples, rounded down. */
static floatn
get_frames (global const uchar * count)
{
  return convert_floatn (convert_intn (LOAD (loose_uchar16, count)) >> 4);
}

/* Returns the averages over time of LANES samples. */
static inline __attribute__ ((always_inline)) floatn
load_mean (MEANS * mean)
{
#if LANES == 1
  return *mean;
#else
  return ((const loose_float16 *) mean)->v;
#endif
}

/* Returns the sum of the squares of three differences. */
static floatn
add_squares (floatn a, floatn b, floatn c)
{
  return fma (c, c, fma (b, b, a * a));
}

/* Sums of squares of the last rows, for each neighbour: those of the row before, and of the two rows
 * before */
typedef struct
{
  floatn one[N], two[N];
} Rows;

/* Compares LANES samples of a row, and those to their left and right, with each neighbour: adds the sums of
 * squares to @rows. If @is_mean is set, @rows has two rows before. Then returns the weighted
 * mean, over the neighbours of the samples of the row before, of a difference: the average over time of
 * the neighbour minus that of the sample. @mean and @count are the addresses of the samples of this row.
 * @scale: the weight is 0 where the sum of the squares of 3x3 differences is 1 / @scale or more.
 * @alike: the result of are_alike(). If it is true, the weights leave out the number of frames:
 * it is a common factor of all weights and a power of two, and changes no bit of their mean. */
static inline __attribute__ ((always_inline)) intn
compare_row (MEANS * mean, int mean_stride, global const uchar * count,
    int plane_stride, Rows * rows, floatn scale, bool is_mean, bool alike)
{
  floatn left = load_mean (mean - 1), middle = load_mean (mean);
  floatn right = load_mean (mean + 1), s = 0.0f, sum = 0.0f, weights = OWN_WEIGHT;

  if (is_mean)
    s = load_mean (mean - mean_stride);
  if (is_mean && !alike)
    weights *= get_frames (count - plane_stride);
#pragma unroll
  for (int i = 0; i < N; i++) {
    int row = i / 5 - 2, column = i % 5 - 2;
    MEANS *other = mean + row * mean_stride + column;
    floatn squares;

    if (i == N / 2)
      continue;
    squares = add_squares (load_mean (other - 1) - left,
        load_mean (other) - middle, load_mean (other + 1) - right);
    if (is_mean) {
      floatn w = max (fma (-(rows->two[i] + squares), scale, (floatn) (1.0f)),
          (floatn) (0.0f));

      w *= w;
      w *= w;
      if (!alike)
        w *= get_frames (count + (row - 1) * plane_stride + column);
      weights += w;
      sum = fma (w, load_mean (other - mean_stride) - s, sum);
    }
    rows->two[i] = rows->one[i] + squares;
    rows->one[i] = squares;
  }
  return convert_intn (sum * reciprocal (weights));
}

/* Returns compare_row() for the row after that of @mean and @count. @precision: 1 / N */
static inline __attribute__ ((always_inline)) intn
find_mean (MEANS * mean, int mean_stride, global const uchar * count,
    int plane_stride, Rows * rows, floatn precision, global const float * ranges)
{
  global const uchar *next = count + plane_stride;
  floatn range;

  mean += mean_stride;
#if LANES != 1
  if (are_alike (count, plane_stride)) {
    range = precision * ranges[range_of (*count)];
    return compare_row (mean, mean_stride, next, plane_stride, rows,
        range * range * (floatn) (1 / 9.0f), true, true);
  }
#endif
  range = precision * get_range (ranges, LOAD (loose_uchar16, count));
  return compare_row (mean, mean_stride, next, plane_stride, rows,
      range * range * (floatn) (1 / 9.0f), true, false);
}

#if LANES != 1
/* Converts n_rows rows of averages over time, from the address @mean on, to floats. */
static inline __attribute__ ((always_inline)) void
fill_tile (global const ushort * mean, int plane_stride, int n_rows,
    float *tile)
{
  for (int i = 0; i < n_rows; i++, mean += plane_stride, tile += TILE_STRIDE) {
    vstore16 (convert_float16 (LOAD_PLANE (mean)), 0, tile);
    vstore8 (convert_float8 (LOAD_PLANE (mean + LANES).lo), 0, tile + LANES);
  }
}
#endif

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

/* Converts averages in units of 1/128 of an 8-bit grey level to samples. @v: the samples of the frame */
static intn
make_values (intn v, intn average)
{
#if DEPTH == 16
  return v + 2 * (average - (v >> 1));
#else
  return v + ((average - (v << (15 - DEPTH)) + (1 << (14 - DEPTH)))
      >> (15 - DEPTH));
#endif
}

/* Computes the output from the averages over time and, if is_spatial is set, from their
 * averages over neighbours. Work-item (x, y) writes ROWS rows of LANES samples. The sample in column
 * c of row r of the output is at byte to_offset + r * to_stride + c * pixel_stride. Input and
 * output may be a part of a frame: column @first of the planes is column 0 of the part, and
 * their first row is its row 0. */
kernel void
denoise_smooth (FRAME, global const ushort * mean,
    global const uchar * restrict count, int plane_stride, int first,
    global uchar * restrict to, int to_offset, int to_stride,
    global const int * noise, int is_spatial, LIGHT, int light_first)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);
  global const float *ranges = (global const float *) noise + RANGES;
  Rows rows;

  if (x >= width || y >= height)
    return;
  mean += (size_t) (y + MARGIN) * plane_stride + MARGIN + first + x;
  count += (size_t) (y + MARGIN) * plane_stride + MARGIN + first + x;
#if LANES == 1
  MEANS *around = mean;
  int around_stride = plane_stride;
#else
  float tile[(ROWS + 6) * TILE_STRIDE];
  MEANS *around = tile + 3 * TILE_STRIDE + 3;
  int around_stride = TILE_STRIDE;

  if (is_spatial)
    fill_tile (mean - 3 * plane_stride - 3, plane_stride, end - y + 6, tile);
#endif
  if (is_spatial) {
    for (int i = 0; i < N; i++)
      rows.one[i] = rows.two[i] = 0.0f;
    compare_row (around - around_stride, around_stride, count, plane_stride,
        &rows, 0.0f, false, true);
    compare_row (around, around_stride, count, plane_stride, &rows, 0.0f, false,
        true);
  }
  for (; y < end; y++, mean += plane_stride, count += plane_stride) {
    intn average = convert_intn (LOAD_PLANE (mean));

    if (is_spatial) {
      global const ushort *from = mean;

      if (light_shift_x != OWN)
        from = light + (size_t) ((y << light_shift_y) + MARGIN) * light_stride
            + MARGIN + light_first + (x << light_shift_x);
      average += find_mean (around, around_stride, count, plane_stride, &rows,
          get_precision (noise, load_light (from, max (light_shift_x, 0))),
          ranges);
      around += around_stride;
    }
    store_values (to + to_offset + (size_t) y * to_stride + x * pixel_stride,
        pixel_stride, convert_ushortn (make_values (convert_intn (load_values
                    (FRAME_ARGS, x, y)), average)), width - x);
  }
}
