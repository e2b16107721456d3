/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A bilateral filter whose cost does not grow with its radius. The algorithm is described in
 * docs/algorithms/bilateral.md.
 *
 * The frame is divided into cells, and the range of guide values has n_levels levels. For each
 * cell and level, bilateral_grid_fill computes weighted sums of the samples, and the sum of the
 * weights. The weight of a sample is the range weight between the sample's guide value and the
 * level. The kernels in bilateral/blur.cl blur the sums along rows and columns of cells.
 * bilateral_grid_read interpolates each pixel between the nearest cells and levels.
 *
 * A cell has SUMS * n_levels floats, beginning with the weights. n_levels is a multiple of
 * LANES; it includes padding levels that are never used. */
#include "bilateral/pixels.h"

#define SUMS (1 + CHANNELS)

#define EACH_SUM(statement) { enum { i = 0 }; statement; } \
    { enum { i = 1 }; statement; } EACH_COLOUR (statement)
#if CHANNELS == 1
#define EACH_COLOUR(statement)
#else
#define EACH_COLOUR(statement) { enum { i = 2 }; statement; } \
    { enum { i = 3 }; statement; }
#endif

/* The array for one axis of the frame (column_axis or row_axis) has these parts, in this order:
 * - for each cell along the axis, 4 words: see bilateral_grid_fill;
 * - for each sample of the frame, 2 words: the number of the cell before the sample, and the
 *   bits of a float, the position of the sample between this cell (0) and the next one (1);
 * - the words of the last sample again, up to a multiple of AXIS_STEP samples;
 * - the taps of the Gaussian: see bilateral/blur.cl. */

/* Returns the index of the sample that replaces sample i of a row or column of n samples:
 * beyond the edges of the frame, the samples inside are reflected. */
static int
mirrored (int i, int n)
{
  i = abs (i);
  return min (i, 2 * (n - 1) - i);
}

/* Adds pixel k of the row at the address @from to the vector @line, the sums of a row of the
 * cell. The parameter @part is empty for a pixel that lies completely in the cell. For a pixel
 * at the edge of the cell it is "* share": a multiplication by the fraction of the pixel that
 * lies in the cell. */
#define ADD_PIXEL(k, part) { \
    int x = mirrored (k, width) - left; \
    floatn w = LOAD_FLOATS (weights + n_levels \
        * (load_guide (x, from_y, GUIDE_VALUES) >> index_shift)) part; \
    global const uchar *at = from + x * pixel_stride; \
    if (WEIGHTED) \
      w *= load_value (at, CHANNELS, 1, PIXEL_VALUES); \
    line[0] += w; \
    EACH_CHANNEL (line[1 + i] = fma (w, (floatn) (load_sample (at \
                    + POSITION (i), shift)), line[1 + i])) \
  }

/* Fills the cells of the grid with sums. Work-item (x, y) computes LANES levels of a cell in
 * row first_row + y of the grid. The kernel fills n_columns cells of a row, starting at column
 * first_column.
 * @src, @guide: images of a part of the frame, which begins at column @left and row @top of the
 * frame. The frame has width x height samples.
 * column_axis, row_axis: an int4 describes a cell along the axis. It covers the pixels from .x
 * to .y, which may lie beyond the edges of the frame. .z and .w are the bits of two floats: the
 * fractions (0 to 1) of the first and of the last pixel that lie in the cell.
 * @weights: table; row v >> index_shift has the weights for the guide value v. */
kernel void
bilateral_grid_fill (global const uchar * restrict src, int src_base,
    int src_stride, PIXEL, GUIDE, int left, int top, int width, int height,
    global const float *restrict weights, int n_levels, int index_shift,
    global const int4 *restrict column_axis,
    global const int4 *restrict row_axis, int first_column, int n_columns,
    int first_row,
    global float *restrict sums)
{
  int chunks = n_levels / LANES, column = get_global_id (0) / chunks;
  int chunk = get_global_id (0) - column * chunks, y = get_global_id (1);
  floatn sum[SUMS], line[SUMS];
  int4 across, down;

  if (column >= n_columns)
    return;
  across = column_axis[first_column + column];
  down = row_axis[first_row + y];
  weights += chunk * LANES;
  EACH_SUM (sum[i] = 0)

  for (int j = down.x; j <= down.y; j++) {
    int from_y = mirrored (j, height) - top;
    global const uchar *from = src + src_base + from_y * src_stride;
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
  EACH_SUM (STORE_FLOATS (sum[i], sums + i * n_levels))
}

/* Types of vectors. floatp, intp and uintp hold one number for each of the PIXELS adjacent
 * pixels that a work-item computes at once. floatn holds 4 adjacent levels of each of LANES / 4
 * pixels. */
#define PIXELS PIXELS_OF (LANES)
#if LANES == 4
typedef float floatp;
typedef int intp;
typedef uint uintp;
#define as_uintp as_uint
#define as_floatp as_float
#define convert_floatp convert_float
#define convert_intp_rtz convert_int_rtz
#define LOAD(p) (*(p))
#define STORE(vector, p) (*(p) = (vector))
#define EVEN(p) ((p)[0])
#define ODD(p) ((p)[1])
#define GATHER(from, at) vload4 (0, (from) + (at)[0])
#define OF_LEVELS(p) ((float4) ((p)[0]))
#define LEVEL(p, s4, s16) ((p)[0].s4)
#define RECIPROCALS(v) (reciprocal ((float4) (v)).s0)
#else
typedef float16 floatp;
typedef int16 intp;
typedef uint16 uintp;
LOOSE (int16, loose_int16);
#define as_uintp as_uint16
#define as_floatp as_float16
#define convert_floatp convert_float16
#define convert_intp_rtz convert_int16_rtz
#define LOAD(p) vload16 (0, p)
#define STORE(vector, p) (((loose_uint16 *) (p))->v = (vector))
#define EVEN(p) (int16) (LOAD_LOOSE (loose_int16, p).even, \
    LOAD_LOOSE (loose_int16, (p) + 16).even)
#define ODD(p) (int16) (LOAD_LOOSE (loose_int16, p).odd, \
    LOAD_LOOSE (loose_int16, (p) + 16).odd)
#define FOUR(p) LOAD_LOOSE (loose_float4, p)
#define GATHER(from, at) (float16) (FOUR ((from) + (at)[0]), \
    FOUR ((from) + (at)[1]), FOUR ((from) + (at)[2]), FOUR ((from) + (at)[3]))
#define OF_LEVELS(p) (float16) ((float4) ((p)[0]), (float4) ((p)[1]), \
    (float4) ((p)[2]), (float4) ((p)[3]))
#define LEVEL(p, s4, s16) \
    (float16) ((p)[0].s16, (p)[1].s16, (p)[2].s16, (p)[3].s16)
#define RECIPROCALS(v) reciprocal (v)
#endif

/* LIMITED_SUM raises a sum of weights to a minimum: it can then be a divisor. */
#if WEIGHTED
#define LIMITED_SUM(sum, type) max (sum, (type) (LEAST_WEIGHT))
#else
#define LIMITED_SUM(sum, type) (sum)
#endif

/* Number of floatn vectors that hold 4 levels of each of PIXELS pixels. */
#define GROUPS (4 * PIXELS / LANES)

/* Interpolates between levels. Returns, for each of PIXELS pixels, the sum of its 4 levels,
 * each multiplied by its interpolation weight in @shares. */
static floatp
over_levels (const floatn * levels, const floatp * shares)
{
  floatp sum = LEVEL (levels, s0, s048c) * shares[0];

  sum = fma (LEVEL (levels, s1, s159d), shares[1], sum);
  sum = fma (LEVEL (levels, s2, s26ae), shares[2], sum);
  return fma (LEVEL (levels, s3, s37bf), shares[3], sum);
}

static floatn
mix_floats (floatn a, floatn b, floatn t)
{
  return fma (t, b - a, a);
}

/* Computes the weights of levels 0 to 3 for an interpolation at position t, from 0 to 3: linear
 * between the two levels next to t or, if @cubic, along the cubic curve through all four.
 * Writes the weights to @shares. */
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

/* Returns the guide values of pixels x to x + PIXELS - 1 of row y. Beyond the
 * right edge the last pixel of the row is repeated. */
static intp
load_guides (int x, int y, int width, GUIDE)
{
  int values[PIXELS];

#if PIXELS == 16 && GUIDE_CHANNELS == 1
  if (guide_pixel_stride == GUIDE_BYTES && guide_x_shift == 0
      && x + PIXELS <= width) {
    global const uchar *at = guide + guide_base
        + (y << guide_y_shift) * guide_stride + x * GUIDE_BYTES;

#if GUIDE_BYTES == 1
    return convert_int16 (LOAD_LOOSE (loose_uchar16, at)) >> guide_shift;
#else
    return min (convert_int16 (LOAD_LOOSE (loose_ushort16, at)) >> guide_shift,
        (int16) (GUIDE_MAX));
#endif
  }
#endif
  for (int j = 0; j < PIXELS; j++)
    values[j] = load_guide (min (x + j, width - 1), y, GUIDE_VALUES);
  return LOAD (values);
}

/* Returns the input samples of one component, for pixels x to x + PIXELS - 1 of the row at the
 * address @from. Beyond the right edge of the frame, the last pixel is repeated. */
static floatp
load_old (global const uchar * from, int x, int width, int pixel_stride,
    int position, int shift)
{
  float values[PIXELS];

  for (int j = 0; j < PIXELS; j++)
    values[j] = load_sample (from + min (x + j, width - 1) * pixel_stride
        + position, shift);
  return LOAD (values);
}

/* Writes PIXELS pixels with the filtered samples in @values to the row @to, starting at column
 * x. Copies the other bytes of these pixels from the row @from of the input, in columns before
 * @copied. */
static void
store_row (global uchar * to, global const uchar * from, int x,
    const uint * values, int width, int copied, PIXEL)
{
#if PIXELS == 16 && CHANNELS == 1
  if (pixel_stride == BYTES && x + PIXELS <= width) {
    uint16 v = LOAD (values);

    to += x * BYTES;
#if BYTES == 1
    STORE_LOOSE (loose_uchar16, to, convert_uchar16 (v));
#else
    STORE_LOOSE (loose_ushort16, to, convert_ushort16 (v << (uint) shift));
#endif
    return;
  }
#endif
  for (int j = 0; j < PIXELS; j++)
    store_pixel (to, from, x + j, values + j, width, copied, PIXEL_VALUES);
}

/* Limits the new values of PIXELS pixels to the nominal range, @lo to @hi, and rounds them to
 * integers. If an old value (see load_old()) is outside this range, the range is extended to
 * the old value. */
static uintp
limit_values (floatp value, int lo, int hi, global const uchar * from, int x,
    int width, int pixel_stride, int position, int shift)
{
  floatp least = (float) lo, most = (float) hi;

  if (lo > 0) {
    floatp old = load_old (from, x, width, pixel_stride, position, shift);

    least = min (least, old);
    most = max (most, old);
  }
  value = clamp (value, least, most) + ROUND_BIAS;
  return as_uintp (value) - as_uint (ROUND_BIAS);
}

/* Computes filtered pixels from the grid. Work-item (x, y) writes PIXELS pixels of row @row + y
 * of a part of the frame, starting at column PIXELS * x. The part begins at column @left and
 * row @top of the frame, which has n_cells x n_rows cells.
 * @sums: the grid; n_columns cells of each row of cells. The first cell is in column
 * first_column of row first_row.
 * @cubic: if set, the kernel divides the sums of each level by the weights of this level before
 * it interpolates between levels. Otherwise it interpolates sums and weights first, and divides
 * at the end.
 * The new values are limited by limit_values(). A pixel that depends only on transparent pixels
 * keeps its values. */
kernel void
bilateral_grid_read (global const float *restrict sums, int n_levels,
    int used_levels, int n_cells, int n_rows, int first_column,
    int n_columns, int first_row, int cubic,
    float inverse, int lo, int hi, global const int2 *restrict column_axis,
    global const int2 *restrict row_axis, global const uchar * restrict src,
    int src_base, int src_stride, global uchar * restrict dst, int dst_base,
    int dst_stride, int left, int top, int row, int width, int copied, PIXEL,
    GUIDE)
{
  int x = get_global_id (0) * PIXELS, y = row + get_global_id (1);
  int cell = n_levels * SUMS;
  uint values[CHANNELS * LANES];
  global const uchar *from = src + src_base + y * src_stride;
  global const float *above, *below;
  global const int *places;
  intp column, first, before, after;
  floatp level, tx, shares[4];
  floatn sum[SUMS], levels[SUMS * GROUPS], ty;
  int2 place;

  if (x >= max (width, copied))
    return;

  place = row_axis[2 * n_rows + top + y];
  above = sums + (size_t) (place.x - first_row) * n_columns * cell;
  below = sums + (size_t) (min (place.x + 1, n_rows - 1) - first_row)
      * n_columns * cell;
  ty = as_float (place.y);

  places = (global const int *) (column_axis + 2 * n_cells + left
      + min (x, (width - 1) / PIXELS * PIXELS));
  column = EVEN (places);
  tx = as_floatp (ODD (places));
  level = convert_floatp (load_guides (x, y, width, GUIDE_VALUES)) * inverse;
  first = clamp (convert_intp_rtz (level) - 1, (intp) (0),
      (intp) (max (used_levels - 4, 0)));
  find_shares (cubic, level - convert_floatp (first), shares);
  before = (column - first_column) * cell + first;
  after = (min (column + 1, (intp) (n_cells - 1)) - first_column) * cell
      + first;

  for (int g = 0; g < GROUPS; g++) {
    const int *l = (const int *) &before + g * LANES / 4;
    const int *m = (const int *) &after + g * LANES / 4;
    floatn t = OF_LEVELS ((const float *) &tx + g * LANES / 4);

    EACH_SUM (floatn a = mix_floats (GATHER (above + i * n_levels, l),
            GATHER (below + i * n_levels, l), ty);
        floatn b = mix_floats (GATHER (above + i * n_levels, m),
            GATHER (below + i * n_levels, m), ty);
        sum[i] = mix_floats (a, b, t))
    if (cubic) {
      floatn r = reciprocal (LIMITED_SUM (sum[0], floatn));

      EACH_CHANNEL (sum[1 + i] *= r)
    }
    EACH_SUM (levels[i * GROUPS + g] = sum[i])
  }
  EACH_CHANNEL (floatp value = over_levels (levels + (1 + i) * GROUPS, shares);
      if (!cubic)
        value *= RECIPROCALS (LIMITED_SUM (over_levels (levels, shares),
                floatp));
      if (WEIGHTED)
        value = LEVEL (levels, s0, s048c) > 0.0f ? value : load_old (from, x,
            width, pixel_stride, POSITION (i), shift);
      STORE (limit_values (value, lo, hi, from, x, width, pixel_stride,
              POSITION (i), shift), values + i * LANES))

  store_row (dst + dst_base + y * dst_stride, from, x, values, width, copied,
      PIXEL_VALUES);
}
