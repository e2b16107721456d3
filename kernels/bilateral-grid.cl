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
 * They are blurred along rows and columns of cells (bilateral-blur.cl), and each
 * pixel reads its value between the cells and levels next to it.
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
 * for each sample of the frame 2: the cell before it, and the bits of how far it
 * is on the way to the next, padded with the last to a multiple of 4 samples;
 * then the Gaussian: see bilateral-blur.cl. */

/* Sample i that a cell counts, mirrored at the edges of the frame. */
static int
mirrored (int i, int n)
{
  i = abs (i);
  return min (i, 2 * (n - 1) - i);
}

/* Adds pixel (x, y), of which part is in the cell, to its row. */
#define ADD_PIXEL(k, part) { \
    int x = mirrored (k, width); \
    floatn w = vloadn (0, weights + n_levels \
        * (load_guide (x, from_y, GUIDE_VALUES) >> index_shift)) part; \
    __global const uchar *at = from + x * pixel_stride; \
    line[0] += w; \
    EACH_CHANNEL (line[1 + i] = fma (w, (floatn) (load_sample (at \
                    + POSITION (i), shift)), line[1 + i])) \
  }

/* Work-item (x, y): LANES levels of a cell in row first_row + y of cells. A
 * cell is the pixels from .x to .y, counted on beyond the edges of the frame,
 * of which it has the parts of bits .z of the first, .w of the last and all of
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
  floatn sum[SUMS], line[SUMS];
  int4 across, down;

  if (column >= n_columns)
    return;
  across = column_axis[column];
  down = row_axis[first_row + y];
  weights += chunk * LANES;
  EACH_SUM (sum[i] = 0)

  for (int j = down.x; j <= down.y; j++) {
    int from_y = mirrored (j, height);
    __global const uchar *from = src + src_base + from_y * src_stride;
    float part = j == down.x ? as_float (down.z)
        : j == down.y ? as_float (down.w) : 1.0f;

    EACH_SUM (line[i] = 0)
    ADD_PIXEL (across.x, * as_float (across.z))
    for (int k = across.x + 1; k < across.y; k++)
      ADD_PIXEL (k, )
    if (across.y > across.x)
      ADD_PIXEL (across.y, * as_float (across.w))
    EACH_SUM (sum[i] = fma (line[i], (floatn) (part), sum[i]))
  }
  sums += ((size_t) y * n_columns + column) * n_levels * SUMS + chunk * LANES;
  EACH_SUM (vstoren (sum[i], 0, sums + i * n_levels))
}

/* Vectors of one number for each pixel, and of 4 levels for each. */
#if LANES == 4
typedef float floatp;
typedef int intp;
#define convert_floatp convert_float
#define convert_intp_rtz convert_int_rtz
#define GATHER(from, at) vload4 (0, (from) + (at))
#define OF_LEVELS(p) ((float4) (p))
#define LEVEL_0(v) ((v).s0)
#define LEVEL_1(v) ((v).s1)
#define LEVEL_2(v) ((v).s2)
#define LEVEL_3(v) ((v).s3)
#define STORE_PIXELS(p, to) \
    *(to) = as_uint (p) - as_uint (ROUND_BIAS)
#define RECIPROCALS(p) (reciprocal ((float4) (p)).s0)
#else
typedef float4 floatp;
typedef int4 intp;
#define convert_floatp convert_float4
#define convert_intp_rtz convert_int4_rtz
#define GATHER(from, at) (float16) (vload4 (0, (from) + (at).s0), \
    vload4 (0, (from) + (at).s1), vload4 (0, (from) + (at).s2), \
    vload4 (0, (from) + (at).s3))
#define OF_LEVELS(p) (float16) ((float4) ((p).s0), (float4) ((p).s1), \
    (float4) ((p).s2), (float4) ((p).s3))
#define LEVEL_0(v) ((v).s048c)
#define LEVEL_1(v) ((v).s159d)
#define LEVEL_2(v) ((v).s26ae)
#define LEVEL_3(v) ((v).s37bf)
#define RECIPROCALS(p) (reciprocal ((float16) (p, p, p, p)).s0123)
#define STORE_PIXELS(p, to) \
    vstore4 (as_uint4 (p) - as_uint (ROUND_BIAS), 0, to)
#endif

/* The sum over levels of their shares. */
static floatp
over_levels (floatn v, const floatp * shares)
{
  floatp sum = LEVEL_0 (v) * shares[0];

  sum = fma (LEVEL_1 (v), shares[1], sum);
  sum = fma (LEVEL_2 (v), shares[2], sum);
  return fma (LEVEL_3 (v), shares[3], sum);
}

static floatn
mix_floats (floatn a, floatn b, floatn t)
{
  return fma (t, b - a, a);
}

/* What a value at place t from 0 to 3 takes of levels 0 to 3: of the two next
 * to it, or of the cubic curve through all four. */
static void
find_shares (int cubic, floatp t, floatp * shares)
{
  floatp t1 = t - 1.0f, t2 = t - 2.0f, t3 = t - 3.0f;
  floatp low = t * t1, high = t2 * t3;

  if (cubic) {
    shares[0] = t1 * high * (-1.0f / 6);
    shares[1] = t * high * 0.5f;
    shares[2] = low * t3 * -0.5f;
    shares[3] = low * t2 * (1.0f / 6);
  } else {
    shares[0] = max (1.0f - fabs (t), (floatp) (0.0f));
    shares[1] = max (1.0f - fabs (t1), (floatp) (0.0f));
    shares[2] = max (1.0f - fabs (t2), (floatp) (0.0f));
    shares[3] = max (1.0f - fabs (t3), (floatp) (0.0f));
  }
}

/* Work-item (x, y): PIXELS pixels from PIXELS * x in row row + y; first_row: of
 * sums. cubic: between the weighted means at levels; otherwise the weighted mean
 * between levels. */
__kernel void
bilateral_grid_read (__global const float *restrict sums, int n_levels,
    int used_levels, int n_columns, int n_rows, int first_row, int cubic,
    float inverse, float max_value, __global const int2 *restrict column_axis,
    __global const int2 *restrict row_axis, __global const uchar * restrict src,
    int src_base, int src_stride, __global uchar * restrict dst, int dst_base,
    int dst_stride, int row, int width, int copied, PIXEL, GUIDE)
{
  int x = get_global_id (0) * PIXELS, y = row + get_global_id (1);
  int cell = n_levels * SUMS;
  uint values[CHANNELS * LANES];
  intp column, first, left, right;
  floatp level, tx, shares[4];
  floatn sum[SUMS], ty, r;
  __global const float *above, *below;
  int2 place;

  if (x >= max (width, copied))
    return;

  place = row_axis[2 * n_rows + y];
  above = sums + (size_t) (place.x - first_row) * n_columns * cell;
  below = sums + (size_t) (min (place.x + 1, n_rows - 1) - first_row)
      * n_columns * cell;
  ty = as_float (place.y);

#if PIXELS == 1
  place = column_axis[2 * n_columns + min (x, width - 1)];
  column = place.x;
  tx = as_float (place.y);
  level = convert_float (load_guide (min (x, width - 1), y, GUIDE_VALUES));
#else
  {
    int8 places = vload8 (0, (__global const int *) (column_axis
            + 2 * n_columns + x));
    int guides[PIXELS];

    column = places.s0246;
    tx = as_float4 (places.s1357);
    for (int j = 0; j < PIXELS; j++)
      guides[j] = load_guide (min (x + j, width - 1), y, GUIDE_VALUES);
    level = convert_float4 (vload4 (0, guides));
  }
#endif
  level *= inverse;
  first = clamp (convert_intp_rtz (level) - 1, (intp) (0),
      (intp) (max (used_levels - 4, 0)));
  find_shares (cubic, level - convert_floatp (first), shares);
  left = column * cell + first;
  right = min (column + 1, (intp) (n_columns - 1)) * cell + first;

  EACH_SUM (floatn a = mix_floats (GATHER (above + i * n_levels, left),
          GATHER (below + i * n_levels, left), ty);
      floatn b = mix_floats (GATHER (above + i * n_levels, right),
          GATHER (below + i * n_levels, right), ty);
      sum[i] = mix_floats (a, b, OF_LEVELS (tx)))
  if (cubic)
    r = reciprocal (sum[0]);
  EACH_CHANNEL (floatp value = cubic ? over_levels (sum[1 + i] * r, shares)
      : over_levels (sum[1 + i], shares)
      * RECIPROCALS (over_levels (sum[0], shares));
      value = clamp (value, (floatp) (0.0f), (floatp) (max_value)) + ROUND_BIAS;
      STORE_PIXELS (value, values + i * LANES))

  for (int j = 0; j < PIXELS; j++)
    store_pixel (dst + dst_base + y * dst_stride,
        src + src_base + y * src_stride, x + j, values + j, width, copied,
        PIXEL_VALUES);
}
