/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reduces a frame to the size at which moving objects are searched for: each pixel of the
 * reduced frame is the mean of SCALE x SCALE pixels of the frame. The algorithm is described in
 * docs/algorithms/moving.md. */
/* Number of pixels of a vector in this file */
#ifdef MASK_LANES
#undef LANES
#define LANES MASK_LANES
#endif

#include "moving/moving.h"
#include "base/pixels.h"
#include "base/reflect.h"

/* Kind of the frame's format; 0: gray, 1: YUV, 2: RGB */
#ifndef KIND
#define KIND 1
#endif

#ifndef SCALE
#define SCALE 3
#endif

/* Layout of the samples of luma (or of the colors), and of chroma: four numbers, the arguments
 * step, size, shift and most of get_sample() */
#ifndef LUMA
#define LUMA 1, 1, 0, 255
#define CHROMA 1, 1, 0, 255
#define SUB_X 1
#define SUB_Y 1
#endif

/* Whether load_lanes() can load vectors */
#define HAS_LANES ((LANES >= 4) & (KIND < 2))

#define CHROMA_COLUMNS ((SCALE + (1 << SUB_X) - 1) >> SUB_X)
#define CHROMA_ROWS ((SCALE + (1 << SUB_Y) - 1) >> SUB_Y)

/* Parameters that describe the three components of a frame. @grey: value of neutral chroma; @black:
 * sum of the luma of SCALE * SCALE black pixels */
#define FRAME global const uchar *frame, int frame_width, int frame_height, \
    int offset0, int stride0, int offset1, int stride1, int offset2, int stride2, \
    int grey, int black, uint luma_factor, int cb_factor, int cr_factor
#define FRAME_VALUES frame, frame_width, frame_height, offset0, stride0, offset1, stride1, \
    offset2, stride2, grey, black, luma_factor, cb_factor, cr_factor

static inline __attribute__ ((always_inline)) int
get_sample (global const uchar * row, int x, int step, int size, int shift, int most)
{
  global const uchar *p = row + x * step;
  uint value = size == 1 ? p[0] : *(global const ushort *) p;

  return (int) min (value >> shift, (uint) most);
}

static int
to_luma (int sum, int black, uint factor)
{
  return (int) min (((uint) max (sum - black, 0) * factor + (1u << 18)) >> 19, 4080u);
}

static int
to_chroma (int sum, int factor)
{
  return (int) clamp ((((long) sum * factor + (1 << 23)) >> 24) + 128, (long) 0, (long) 255);
}

/* Returns the sum of the samples of a component that belong to a pixel of the reduced frame.
 * @columns: number of columns of the component */
static inline __attribute__ ((always_inline)) int
add_samples (global const uchar * from, int stride, int columns, int rows, int x, int y, int nx,
    int ny, int step, int size, int shift, int most)
{
  int sum = 0;

  for (int j = 0; j < ny; j++) {
    global const uchar *row = from + (size_t) min (y + j, rows - 1) * stride;

    for (int i = 0; i < nx; i++)
      sum += get_sample (row, min (x + i, columns - 1), step, size, shift, most);
  }
  return sum;
}

/* Returns luma and chroma of pixel (x, y) of the reduced frame, each of which is a mean of the
 * frame's samples. */
static int4
load_pixel (FRAME, int x, int y)
{
#if KIND == 2
  int4 sums = 0;

  for (int j = 0; j < SCALE; j++)
    for (int i = 0; i < SCALE; i++) {
      int u = min (x * SCALE + i, frame_width - 1), v = min (y * SCALE + j, frame_height - 1);
      int r = get_sample (frame + offset0 + (size_t) v * stride0, u, LUMA);
      int g = get_sample (frame + offset1 + (size_t) v * stride1, u, LUMA);
      int b = get_sample (frame + offset2 + (size_t) v * stride2, u, LUMA);
      int luma = (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;

      sums += (int4) (luma, b - luma, r - luma, 0);
    }
  return (int4) (to_luma (sums.x, black, luma_factor), to_chroma (sums.y, cb_factor),
      to_chroma (sums.z, cr_factor), 0);
#else
  int4 found = 0;

  found.x = to_luma (add_samples (frame + offset0, stride0, frame_width, frame_height, x * SCALE,
          y * SCALE, SCALE, SCALE, LUMA), black, luma_factor);
#if KIND == 1
  int columns = (frame_width + (1 << SUB_X) - 1) >> SUB_X;
  int rows = (frame_height + (1 << SUB_Y) - 1) >> SUB_Y;
  int u = x * SCALE >> SUB_X, v = y * SCALE >> SUB_Y, n = CHROMA_COLUMNS * CHROMA_ROWS;

  found.y = to_chroma (add_samples (frame + offset1, stride1, columns, rows, u, v, CHROMA_COLUMNS,
          CHROMA_ROWS, CHROMA) - n * grey, cb_factor);
  found.z = to_chroma (add_samples (frame + offset2, stride2, columns, rows, u, v, CHROMA_COLUMNS,
          CHROMA_ROWS, CHROMA) - n * grey, cr_factor);
#endif
  return found;
#endif
}

static void
store_pixel (global ushort * words, global uchar * bytes, int plane, int at, int4 pixel)
{
  WORD (MOVING_LUMA)[at] = (ushort) pixel.x;
#if KIND > 0
  BYTE (MOVING_RAW_CB)[at] = (uchar) pixel.y;
  BYTE (MOVING_RAW_CR)[at] = (uchar) pixel.z;
#endif
}

/* Adds 16 samples of a row to the sums of their columns. */
static inline __attribute__ ((always_inline)) void
add_row (uint *columns, global const uchar * row, int step, int size, int shift, int most)
{
  if (size == 1 && step == 1) {
    vstore16 (vload16 (0, columns) + convert_uint16 (LOAD_LOOSE (loose_uchar16, row)), 0, columns);
    return;
  }
  if (size == 1 && step == 2) {
    vstore16 (vload16 (0, columns) + convert_uint16 (LOAD_LOOSE (loose_ushort16, row)
            & (ushort16) (255)), 0, columns);
    return;
  }
  for (int i = 0; i < 16; i++)
    columns[i] += get_sample (row, i, step, size, shift, most);
}

/* Adds up the columns of samples first, and then the column sums that belong to each of LANES
 * pixels of the reduced frame. These begin at column x, a multiple of LANES. Up to 15 more
 * columns of samples are read. */
static inline __attribute__ ((always_inline)) void
add_lanes (global const uchar * from, int stride, int rows, int x, int y, int sub_x, int nx,
    int ny, int *sums, int step, int size, int shift, int most)
{
  const int n = ((LANES * SCALE) >> sub_x) + 1;
  uint columns[LANES * SCALE + 17];

  for (int i = 0; i < n; i += 16)
    vstore16 ((uint16) (0), 0, columns + i);
  for (int j = 0; j < ny; j++) {
    global const uchar *row = from + (size_t) min (y + j, rows - 1) * stride
        + (x * SCALE >> sub_x) * step;

    for (int i = 0; i < n; i += 16)
      add_row (columns + i, row + i * step, step, size, shift, most);
  }
  for (int l = 0; l < LANES; l++) {
    sums[l] = 0;
    for (int i = 0; i < nx; i++)
      sums[l] += columns[(l * SCALE >> sub_x) + i];
  }
}

/* Loads LANES pixels of the reduced frame. All of their samples have to be inside the frame. */
static void
load_lanes (FRAME, int x, int y, global ushort * words, global uchar * bytes, int plane, int at)
{
#if KIND < 2
  int sums[LANES];

  add_lanes (frame + offset0, stride0, frame_height, x, y * SCALE, 0, SCALE, SCALE, sums, LUMA);
#if LANES > 1
  uintn luma = (convert_uintn (max (vloadn (0, sums) - black, (intn) 0)) * luma_factor
      + (1u << 18)) >> 19;

  vstoren (convert_ushortn (min (luma, (uintn) 4080u)), 0, WORD (MOVING_LUMA) + at);
#endif
#if KIND == 1
  int n = CHROMA_COLUMNS * CHROMA_ROWS;
  int rows = (frame_height + (1 << SUB_Y) - 1) >> SUB_Y;

  add_lanes (frame + offset1, stride1, rows, x, y * SCALE >> SUB_Y, SUB_X, CHROMA_COLUMNS,
      CHROMA_ROWS, sums, CHROMA);
  for (int l = 0; l < LANES; l++)
    BYTE (MOVING_RAW_CB)[at + l] = (uchar) to_chroma (sums[l] - n * grey, cb_factor);
  add_lanes (frame + offset2, stride2, rows, x, y * SCALE >> SUB_Y, SUB_X, CHROMA_COLUMNS,
      CHROMA_ROWS, sums, CHROMA);
  for (int l = 0; l < LANES; l++)
    BYTE (MOVING_RAW_CR)[at + l] = (uchar) to_chroma (sums[l] - n * grey, cr_factor);
#endif
#endif
}

/* Computes the pixels of the reduced frame, and the columns of its margins, which mirror the
 * image. A work-item processes every get_global_size (0)-th vector of a row. */
kernel void
moving_load (FRAME, global ushort * words, global uchar * bytes, LAYOUT)
{
  int y = get_global_id (1), step = (int) get_global_size (0) * LANES;

  if (y >= height)
    return;
  for (int x = ((int) get_global_id (0) - 1) * LANES; x <= width; x += step) {
    bool is_inside = HAS_LANES & (x >= 0) & ((x + LANES) * SCALE + 36 <= frame_width);

    if (is_inside)
      load_lanes (FRAME_VALUES, x, y, words, bytes, plane, AT (x, y));
    for (int l = 0; l < LANES && !is_inside; l++)
      if (x + l >= -1 && x + l <= width)
        store_pixel (words, bytes, plane, AT (x + l, y),
            load_pixel (FRAME_VALUES, reflect (x + l, width), y));
  }
}

static void
smooth_lanes (global const int *table, int is_first, global ushort * words, global uchar * bytes,
    LAYOUT, int x, int y)
{
  int up = AT (x, reflect (y - 1, height)), here = AT (x, y);
  int down = AT (x, reflect (y + 1, height));
  intn sum, lanes;

  /* Uses 16 bits, because sums of luma are below 65536. */
#define ROW_OF(p, at, middle) (convert_ushortn (vloadn (0, (p) + (at) - 1)) \
    + (ushort) (middle) * convert_ushortn (vloadn (0, (p) + (at))) \
    + convert_ushortn (vloadn (0, (p) + (at) + 1)))
#define SUM_OF(p, middle) (ROW_OF (p, up, middle) + (ushort) (middle) * ROW_OF (p, here, middle) \
    + ROW_OF (p, down, middle))
  sum = convert_intn (convert_ushortn (SUM_OF (WORD (MOVING_LUMA), 2) + (ushort) 8)
      >> (ushortn) (4));
  sum = min (sum, (intn) (MOVING_N_LUMA - 1));
#if LANES == 1
  lanes = table[sum];
#else
  int at[LANES], found[LANES];

  vstoren (sum, 0, at);
  for (int l = 0; l < LANES; l++)
    found[l] = table[at[l]];
  lanes = vloadn (0, found);
#endif
  STORE_WORDS (lanes, MOVING_VALUE, here);
  if (is_first)
    STORE_WORDS (lanes, MOVING_M0, here);
#if KIND > 0
#define CHROMA_OF(k) ((convert_intn (SUM_OF (BYTE (k), 1)) * 57 + 256) >> 9)
  STORE_BYTES (CHROMA_OF (MOVING_RAW_CB), MOVING_CB, here);
  STORE_BYTES (CHROMA_OF (MOVING_RAW_CR), MOVING_CR, here);
#endif
}

/* Smooths the luma of the pixels of the reduced frame, and converts it to its logarithm by the
 * table
 * @table. The first frame also becomes the background. */
kernel void
moving_smooth (global const int *table, int is_first, global ushort * words, global uchar * bytes,
    LAYOUT)
{
  int y = get_global_id (1), step = (int) get_global_size (0) * LANES;

  if (y >= height)
    return;
  for (int x = (int) get_global_id (0) * LANES; x < width; x += step)
    smooth_lanes (table, is_first, words, bytes, LAYOUT_VALUES, x, y);
}
