/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The exact bilateral filter with tiles: each work-group loads a tile of the frame into local
 * memory. It is one of the two methods that bilateral/weights.h describes. */

/* Size of a work-group of bilateral_tile, in work-items. Each of them filters TILE_LANES pixels
 * of a column. */
#ifndef TILE_X
#define TILE_X 32
#endif
#ifndef TILE_Y
#define TILE_Y 8
#endif

/* Filter radius, in pixels, for which all loops of bilateral_tile have constant bounds: the
 * compiler can then unroll them. */
#ifndef UNROLLED_RADIUS
#define UNROLLED_RADIUS 4
#endif

/* UNROLL unrolls a loop on NVIDIA only. PoCL would print a warning where it does not unroll. */
#ifdef __NV_CL_C_VERSION
#define UNROLL _Pragma ("unroll")
#else
#define UNROLL
#endif

#include "bilateral/weights.h"

#if LANES == TILE_LANES

/* Loads the pixels that a work-group filters, and a margin of @radius pixels on all sides, into
 * the local array @tile. The tile has a plane for each value of load_value(), stored row by
 * row. */
static void
load_tile (local float *tile, global const uchar * src, int src_stride,
    int radius, float scale, int width, int height, PIXEL)
{
  int tile_width = TILE_X + 2 * radius;
  int tile_height = TILE_Y * LANES + 2 * radius;
  int left = get_group_id (0) * TILE_X - radius;
  int top = get_group_id (1) * TILE_Y * LANES - radius;

  if (left >= 0 && top >= 0 && left + tile_width <= width
      && top + tile_height <= height) {
    global const uchar *corner = src + top * src_stride + left * pixel_stride;
    int size = tile_width * tile_height;

    for (int k = get_local_id (1) * TILE_X + get_local_id (0); k < size;
        k += TILE_X * TILE_Y) {
      int y = k / tile_width, x = k - y * tile_width;
      global const uchar *from = corner + y * src_stride + x * pixel_stride;

      EACH_VALUE (tile[i * size + k] = load_value (from, i, scale,
              PIXEL_VALUES))
    }
    return;
  }

  for (int x = get_local_id (0); x < tile_width; x += TILE_X) {
    global const uchar *column = src
        + reflect (left + x, width) * pixel_stride;

    for (int y = get_local_id (1); y < tile_height; y += TILE_Y) {
      global const uchar *from = column
          + reflect (top + y, height) * src_stride;

      EACH_VALUE (tile[(i * tile_height + y) * tile_width + x]
          = load_value (from, i, scale, PIXEL_VALUES))
    }
  }
}

/* Looks up a weight in @table for each lane. The bits of an element of @index, taken as an
 * integer, are ROUND_BIAS plus the offset of the weight in the table, in bytes. The function
 * subtracts the bits of ROUND_BIAS once, from the address of the table; computing the address
 * of a weight then takes one addition. */
static floatn
look_up (local const float *table, floatn index)
{
  size_t base = (size_t) table - as_uint (ROUND_BIAS);
  uintn i = as_uintn (index);

#define WEIGHT(i) (*(local const float *) (base + (i)))
  return (floatn) (WEIGHT (i.s0), WEIGHT (i.s1), WEIGHT (i.s2), WEIGHT (i.s3));
}

/* Moves a window of 4 pixels down a column by one pixel. The pixel at @next becomes the last
 * pixel of the window. @size is the number of pixels in the tile. */
static void
slide (floatn * v, local const float *next, int size)
{
  EACH_VALUE (v[i] = (floatn) (v[i].s1, v[i].s2, v[i].s3, next[i * size]))
}

/* Adds the weighted samples in column dx of the disc: those from h pixels above its middle row
 * to h pixels below it. Weights are looked up in @table; if @table is NULL, the function
 * computes them. */
static void
add_column (local const float *center, int tile_width, int size, int dx,
    int h, const floatn * c, local const float *table,
    constant const int *steps, float inverse, floatn * weights, floatn * sum)
{
  local const float *next = center + dx - h * tile_width;
  floatn v[VALUES];

  EACH_VALUE (v[i] = 0)
  for (int k = 0; k < LANES - 1; k++, next += tile_width)
    slide (v, next, size);
  UNROLL
  for (int dy = -h; dy <= h; dy++, next += tile_width) {
    float step = as_float (steps[dx * dx + dy * dy]);
    floatn d, w;

    slide (v, next, size);
    d = distance_of (v, c);
    w = table != 0 ? look_up (table, fma (fabs (d), (floatn) (4 * inverse),
            (floatn) (step))) : weight_of (d, step);
#if WEIGHTED
    w *= v[CHANNELS];
#endif
    accumulate (v, c, w, weights, sum);
  }
}

/* Filters the pixels of a work-item from the loaded tile. The array @shape is described at
 * bilateral_tile. Weights are looked up in @table; if @table is NULL, the function computes
 * them. */
static void
filter_tile (local const float *tile, local const float *table,
    constant const int *shape, int radius, int steps, float inverse,
    global const uchar * src, int src_stride, global uchar * dst,
    int dst_stride, int width, int height, int copied, PIXEL)
{
  int tile_width = TILE_X + 2 * radius;
  int size = tile_width * (TILE_Y * LANES + 2 * radius);
  local const float *center = tile + get_local_id (0) + radius
      + (get_local_id (1) * LANES + radius) * tile_width;
  floatn c[VALUES], sum[CHANNELS], weights = 0;
  uint values[CHANNELS * LANES];
  int y = get_global_id (1) * LANES;

  EACH_VALUE (c[i] = 0)
  EACH_CHANNEL (sum[i] = 0)
  for (int k = 0; k < LANES; k++)
    slide (c, center + k * tile_width, size);

  if (radius == UNROLLED_RADIUS) {
    /* All loops have constant bounds: no address has to be computed for a tap at run time. */
    const int r = UNROLLED_RADIUS, row = TILE_X + 2 * r;

    UNROLL
    for (int dx = -r; dx <= r; dx++) {
      int h = 0;

      UNROLL
      for (int k = 1; k <= r; k++)
        h += k * k + dx * dx <= r * r;
      add_column (center, row, row * (TILE_Y * LANES + 2 * r), dx, h, c, table,
          shape + r + 1, inverse, &weights, sum);
    }
  } else
    for (int dx = -radius; dx <= radius; dx++)
      add_column (center, tile_width, size, dx, shape[abs (dx)], c, table,
          shape + steps, inverse, &weights, sum);

  EACH_CHANNEL (vstoren (mean_of (c[i], sum[i], weights, inverse), i, values))
  for (int i = 0; i < LANES && y + i < height; i++)
    store_pixel (dst + (y + i) * dst_stride, src + (y + i) * src_stride,
        get_global_id (0), values + i, width, copied, PIXEL_VALUES);
}

/* Filters a tile of the frame. The array @shape describes the disc. Element i, from 0 to
 * @radius, is half the height of the columns at distance i from the middle column: how many
 * pixels the disc reaches above and below its middle row. The elements that start at
 * shape[steps] are floats, one for each squared distance from the center of the disc: log2 of
 * the spatial weight, plus EXP2_BIAS. */
kernel __attribute__ ((reqd_work_group_size (TILE_X, TILE_Y, 1)))
void
bilateral_tile (global const uchar * restrict src, int src_base,
    int src_stride, global uchar * restrict dst, int dst_base,
    int dst_stride, constant const int *restrict shape, int radius,
    int steps, float scale, float inverse, local float *restrict tile,
    int width, int height, int copied, PIXEL)
{
  src += src_base;
  load_tile (tile, src, src_stride, radius, scale, width, height,
      PIXEL_VALUES);
  barrier (CLK_LOCAL_MEM_FENCE);
  filter_tile (tile, 0, shape, radius, steps, inverse, src, src_stride,
      dst + dst_base, dst_stride, width, height, copied, PIXEL_VALUES);
}

/* Filters a tile of the frame like bilateral_tile, but looks the weights up in a table. The
 * elements that start at shape[steps] belong to squared distances from the center of the disc.
 * Each is ROUND_BIAS plus a byte offset in the table: that of the weight for samples that do
 * not differ. The weights for larger differences follow this weight. */
kernel __attribute__ ((reqd_work_group_size (TILE_X, TILE_Y, 1)))
void
bilateral_tile_table (global const uchar * restrict src, int src_base,
    int src_stride, global uchar * restrict dst, int dst_base,
    int dst_stride, constant const int *restrict shape, int radius,
    int steps, float scale, float inverse, local float *restrict tile,
    global const float *restrict weights, int n_weights,
    local float *restrict table, int width, int height, int copied, PIXEL)
{
  for (int i = get_local_id (1) * TILE_X + get_local_id (0); i < n_weights;
      i += TILE_X * TILE_Y)
    table[i] = weights[i];
  src += src_base;
  load_tile (tile, src, src_stride, radius, scale, width, height,
      PIXEL_VALUES);
  barrier (CLK_LOCAL_MEM_FENCE);
  filter_tile (tile, table, shape, radius, steps, inverse, src, src_stride,
      dst + dst_base, dst_stride, width, height, copied, PIXEL_VALUES);
}

/* Computes the table @weights. A column of the table is for one difference between samples,
 * which is the number of the column; row y is for the spatial weight shape[groups + y].
 * Work-item (x, y) writes LANES weights to row y, starting at column LANES * x. */
kernel void
bilateral_weights (global float *restrict weights, int row, float scale,
    constant const int *restrict shape, int groups)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  floatn d = convert_floatn ((intn) (x) + (intn) (0, 1, 2, 3));

  vstoren (weight_of (d * scale, as_float (shape[groups + y])), 0,
      weights + y * row + x);
}

#endif
