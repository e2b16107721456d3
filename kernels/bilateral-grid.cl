/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Bilateral filter whose cost does not grow with its size. What it computes:
 * docs/algorithms/bilateral.md.
 *
 * The frame is divided into cells. For each cell and each of some levels of the
 * guide there are sums of the samples, each with the weight that it has for a
 * pixel of that level, and of the weights themselves: bilateral_grid_fill.
 * They are blurred along rows and columns of cells, and each pixel reads its
 * value between the cells and levels next to it.
 *
 * A cell is SUMS times n_levels floats, weights first; n_levels is a multiple
 * of LANES, what is more than needed being padding that nobody looks at. */
#include "bilateral-pixels.cl"

#define SUMS (1 + CHANNELS)

/* Pixels that a work-item reads side by side, each from 4 levels. */
#define PIXELS (LANES / 4)

#define EACH_SUM(statement) { enum { i = 0 }; statement; } \
    { enum { i = 1 }; statement; } EACH_COLOUR (statement)
#if CHANNELS == 1
#define EACH_COLOUR(statement)
#else
#define EACH_COLOUR(statement) { enum { i = 2 }; statement; } \
    { enum { i = 3 }; statement; }
#endif

/* An axis holds for each cell along it 4 words: see bilateral_grid_fill; then
 * for each sample of the frame 2 words: see Grid; then, from word taps on, the
 * Gaussian from its middle on. */

/* Work-item (x, y): the weights for LANES levels from LANES * x of a guide of
 * the values from y << shift to (y + 1) << shift. */
__kernel void
bilateral_grid_weights (__global float *restrict weights, int n_levels,
    float step, float scale, int shift)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  float value = convert_float ((y << shift) + ((1 << shift) >> 1));
  float lanes[LANES];
  floatn d;

  for (int i = 0; i < LANES; i++)
    lanes[i] = convert_float (x + i);
  d = (value - vloadn (0, lanes) * step) * scale;
  vstoren (exp2_biased (max (fma (-d, d, (floatn) (EXP2_BIAS)),
              (floatn) (LOWEST))), 0, weights + y * n_levels + x);
}

/* The part of sample i that belongs to a cell: see bilateral_grid_fill. */
static float
part_of (int i, int4 cell)
{
  return i == cell.x ? as_float (cell.z) : i == cell.y ? as_float (cell.w)
      : 1.0f;
}

/* Work-item (x, y): LANES levels of a cell in row first_row + y of cells. A
 * cell is the samples from .x to .y, mirrored at the edges of the frame, of
 * which it has the parts of bits .z of the first, .w of the last and all of
 * the others. index_shift: of a value of the guide to its row of weights. */
__kernel void
bilateral_grid_fill (__global const uchar * restrict src, int src_base,
    int src_stride, PIXEL, GUIDE, int width, int height,
    __global const float *restrict weights, int n_levels, int index_shift,
    __global const int4 *restrict column_axis,
    __global const int4 *restrict row_axis, int n_columns, int first_row,
    __global float *restrict sums)
{
  int chunks = n_levels / LANES, column = get_global_id (0) / chunks;
  int chunk = get_global_id (0) - column * chunks, y = get_global_id (1);
  floatn sum[SUMS];
  int4 across, down;

  if (column >= n_columns)
    return;
  across = column_axis[column];
  down = row_axis[first_row + y];
  EACH_SUM (sum[i] = 0)

  for (int j = down.x; j <= down.y; j++) {
    int from_y = reflect (j, height);
    __global const uchar *row = src + src_base + from_y * src_stride;
    float part_y = part_of (j, down);

    for (int k = across.x; k <= across.y; k++) {
      int x = reflect (k, width);
      int value = load_guide (x, from_y, GUIDE_VALUES) >> index_shift;
      floatn w = vloadn (0, weights + value * n_levels + chunk * LANES)
          * (part_of (k, across) * part_y);

      sum[0] += w;
      EACH_CHANNEL (sum[1 + i] = fma (w, (floatn) (load_sample (row
                      + x * pixel_stride + POSITION (i), shift)), sum[1 + i]))
    }
  }
  sums += ((size_t) y * n_columns + column) * n_levels * SUMS + chunk * LANES;
  EACH_SUM (vstoren (sum[i], 0, sums + i * n_levels))
}

/* Cell i of a line of n, of which from points to cell first: cells are stride
 * floats apart and mirrored at the first and last, which are not repeated. */
static floatn
blur (__global const float *from, size_t stride, int i, int n, int first,
    __global const float *taps, int radius)
{
  floatn sum = taps[0] * vloadn (0, from + (i - first) * stride);

  if (i >= radius && i + radius < n) {
    __global const float *before = from + (i - first) * stride;
    __global const float *after = before;

    for (int t = 1; t <= radius; t++) {
      before -= stride;
      after += stride;
      sum = fma ((floatn) (taps[t]), vloadn (0, before) + vloadn (0, after),
          sum);
    }
    return sum;
  }
  for (int t = 1; t <= radius; t++)
    sum = fma ((floatn) (taps[t]),
        vloadn (0, from + (reflect (i - t, n) - first) * stride)
        + vloadn (0, from + (reflect (i + t, n) - first) * stride), sum);
  return sum;
}

/* Work-item (x, y): LANES floats from LANES * x in row y of n cells. */
__kernel void
bilateral_grid_blur_rows (__global const float *restrict in,
    __global float *restrict out, int cell, int n,
    __global const float *restrict axis, int taps, int radius)
{
  int x = get_global_id (0) * LANES, i = x / cell;
  size_t row = (size_t) get_global_id (1) * n * cell;

  if (i < n)
    vstoren (blur (in + row + x - i * cell, cell, i, n, 0, axis + taps, radius),
        0, out + row + x);
}

/* Work-item (x, y): LANES floats from LANES * x of row first_out + y of n, each
 * of size floats. in and out begin with row first. */
__kernel void
bilateral_grid_blur_columns (__global const float *restrict in,
    __global float *restrict out, int size, int n, int first, int first_out,
    __global const float *restrict axis, int taps, int radius)
{
  int x = get_global_id (0) * LANES, i = first_out + get_global_id (1);

  if (x < size)
    vstoren (blur (in + x, size, i, n, first, axis + taps, radius), 0,
        out + (size_t) (i - first) * size + x);
}

#if LANES == 4
#define GATHER(from, at) vload4 (0, (from) + (at)[0])
#define OF_LEVEL(v, k) ((v).s ## k)
typedef float floatp;
#else
#define GATHER(from, at) (float16) (vload4 (0, (from) + (at)[0]), \
    vload4 (0, (from) + (at)[1]), vload4 (0, (from) + (at)[2]), \
    vload4 (0, (from) + (at)[3]))
#define OF_LEVEL(v, k) LEVEL_ ## k (v)
#define LEVEL_0(v) ((v).s048c)
#define LEVEL_1(v) ((v).s159d)
#define LEVEL_2(v) ((v).s26ae)
#define LEVEL_3(v) ((v).s37bf)
typedef float4 floatp;
#endif

/* sum over k of share[k] v[k] of each pixel. */
static floatp
over_levels (floatn v, floatn share)
{
  floatp sum = OF_LEVEL (v, 0) * OF_LEVEL (share, 0);

  sum = fma (OF_LEVEL (v, 1), OF_LEVEL (share, 1), sum);
  sum = fma (OF_LEVEL (v, 2), OF_LEVEL (share, 2), sum);
  return fma (OF_LEVEL (v, 3), OF_LEVEL (share, 3), sum);
}

static floatn
mix_floats (floatn a, floatn b, floatn t)
{
  return fma (t, b - a, a);
}

/* What a pixel at place t from 0 to 3 takes of levels 0 to 3: of the two next
 * to it. */
static float4
linear_shares (float t)
{
  return max (1.0f - fabs (t - (float4) (0, 1, 2, 3)), (float4) (0.0f));
}

/* The same: the cubic curve through all four. */
static float4
cubic_shares (float t)
{
  float t1 = t - 1.0f, t2 = t - 2.0f, t3 = t - 3.0f;
  float low = t * t1, high = t2 * t3;

  return (float4) (t1 * high * (-1.0f / 6), t * high * 0.5f,
      low * t3 * -0.5f, low * t2 * (1.0f / 6));
}

/* A place is two words: the cell, and the bits of how far the sample is on the
 * way to the next. */
typedef struct
{
  __global const float *above, *below;  /* the rows of cells */
  float t;                      /* from above to below */
  __global const int2 *columns; /* places */
  int n_columns;                /* of cells */
  int n_levels, used_levels;
  float inverse, max;           /* 1 / step of levels; of a sample */
} Grid;

/* Sets the values of PIXELS pixels from pixel x on: those of component i from
 * values[i * LANES] on. level: of each pixel, in steps. */
static void
read_pixels (const Grid * g, bool cubic, const int *x, const float *level,
    uint * values)
{
  int left[PIXELS], right[PIXELS];
  float lanes_x[LANES], lanes_share[LANES];
  floatn sum[SUMS], tx, share, r;
  floatp value;

  for (int j = 0; j < PIXELS; j++) {
    int2 place = g->columns[x[j]];
    int first = clamp ((int) level[j] - 1, 0, max (g->used_levels - 4, 0));
    float t = level[j] - convert_float (first);

    left[j] = place.x * g->n_levels * SUMS + first;
    right[j] = min (place.x + 1, g->n_columns - 1) * g->n_levels * SUMS + first;
    vstore4 ((float4) (as_float (place.y)), j, lanes_x);
    vstore4 (cubic ? cubic_shares (t) : linear_shares (t), j, lanes_share);
  }
  tx = vloadn (0, lanes_x);
  share = vloadn (0, lanes_share);

  EACH_SUM (floatn a = mix_floats (GATHER (g->above + i * g->n_levels, left),
          GATHER (g->below + i * g->n_levels, left), (floatn) (g->t));
      floatn b = mix_floats (GATHER (g->above + i * g->n_levels, right),
          GATHER (g->below + i * g->n_levels, right), (floatn) (g->t));
      sum[i] = mix_floats (a, b, tx))
  if (cubic) {
    r = reciprocal (sum[0]);
  } else {
    floatp weight = over_levels (sum[0], share);

    for (int j = 0; j < PIXELS; j++)
      vstore4 ((float4) (((float *) &weight)[j]), j, lanes_x);
    r = reciprocal (vloadn (0, lanes_x));
  }
  EACH_CHANNEL (
      if (cubic)
        value = over_levels (sum[1 + i] * r, share);
      else
        value = over_levels (sum[1 + i], share) * OF_LEVEL (r, 0);
      value = clamp (value, (floatp) (0.0f), (floatp) (g->max));
      for (int j = 0; j < PIXELS; j++)
        values[i * LANES + j] = as_uint (((float *) &value)[j] + ROUND_BIAS)
            - as_uint (ROUND_BIAS))
}

/* first_row: of sums. row: the first row of pixels. */
#define READ_ARGS \
    __global const float *restrict sums, int n_levels, int used_levels, \
    int n_columns, int n_rows, int first_row, float inverse, float max, \
    __global const int2 *restrict column_axis, \
    __global const int2 *restrict row_axis, \
    __global const uchar * restrict src, int src_base, int src_stride, \
    __global uchar * restrict dst, int dst_base, int dst_stride, \
    int row, int width, int copied, PIXEL, GUIDE
#define READ_VALUES sums, n_levels, used_levels, n_columns, n_rows, first_row, \
    inverse, max, column_axis, row_axis, src, src_base, src_stride, dst, \
    dst_base, dst_stride, row, width, copied, PIXEL_VALUES, GUIDE_VALUES

static void
read_grid (bool cubic, READ_ARGS)
{
  int x = get_global_id (0) * PIXELS, y = row + get_global_id (1);
  int2 place = row_axis[2 * n_rows + y];
  size_t size = (size_t) n_columns * n_levels * SUMS;
  const Grid grid = {
    sums + (place.x - first_row) * size,
    sums + (min (place.x + 1, n_rows - 1) - first_row) * size,
    as_float (place.y), column_axis + 2 * n_columns, n_columns, n_levels, used_levels, inverse, max
  };
  uint values[CHANNELS * LANES];
  int at[PIXELS];
  float level[PIXELS];

  if (x >= (width > copied ? width : copied))
    return;
  for (int j = 0; j < PIXELS; j++) {
    at[j] = x + j < width ? x + j : width - 1;
    level[j] = convert_float (load_guide (at[j], y, GUIDE_VALUES)) * inverse;
  }
  read_pixels (&grid, cubic, at, level, values);
  for (int j = 0; j < PIXELS; j++)
    store_pixel (dst + dst_base + y * dst_stride,
        src + src_base + y * src_stride, x + j, values + j, width, copied,
        PIXEL_VALUES);
}

/* Work-item (x, y): PIXELS pixels from PIXELS * x in row row + y: the weighted
 * mean between levels. */
__kernel void
bilateral_grid_read (READ_ARGS)
{
  read_grid (false, READ_VALUES);
}

/* The same, between the weighted means at levels. */
__kernel void
bilateral_grid_read_cubic (READ_ARGS)
{
  read_grid (true, READ_VALUES);
}
