/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Pixelates and fills one component of a frame. The algorithm is described in
 * docs/algorithms/blur.md. */

/* Size of the work-group that computes a block, in work-items. */
#ifndef GROUP
#define GROUP 1
#endif

/* Number of rows that a work-item fills. */
#ifndef ROWS
#define ROWS 1
#endif

/* 1 if the mean of a block is rounded to the nearest integer, 0 if it is rounded down. */
#ifndef ROUNDS
#define ROUNDS 1
#endif

#include "base/samples.h"

/* Parameters of one color component of two frames of the same format, @in and @out. For each
 * frame: the byte offset of the plane, and the number of bytes from row to row. For both: the
 * byte of a pixel where the component begins. */
#define FRAMES \
    global const uchar * restrict in, int in_offset, int in_stride, \
    global uchar * restrict out, int out_offset, int out_stride, \
    int position, int width, int height

/* Returns the sum of the samples in n columns of n_rows rows; n is a multiple of 16, and @row
 * is the address of the first row. There are at most 1024 x 1024 samples: the sum of a lane
 * fits into 32 bits. */
static ulong
sum_vectors (global const uchar * row, int stride, int position, int n,
    int n_rows)
{
  uint16 sums_of_lanes = 0;
  ulong total = 0;
  uint lanes[16];

  for (int y = 0; y < n_rows; y++, row += stride)
    for (int x = 0; x < n; x += 16)
      sums_of_lanes += convert_uint16 (load_samples (row + x * PIXEL_STRIDE
              - position, position));
  vstore16 (sums_of_lanes, 0, lanes);
  for (int i = 0; i < 16; i++)
    total += lanes[i];
  return total;
}

/* Returns a partial sum of the samples of a row in columns @first to @end - 1: every GROUP-th
 * sample, starting with sample @first + me. @me is the index of the work-item in its
 * work-group. */
static uint
sum_row (global const uchar * row, int first, int end, int me)
{
  uint total = 0;

  for (int x = first + me; x < end; x += GROUP)
    total += get (row, x);
  return total;
}

/* Writes @mean to some of n samples of a row, starting at sample x: to every GROUP-th sample,
 * starting with sample x + me. @me is the index of the work-item in its work-group. */
static void
fill_row (global uchar * row, int x, int n, uint mean, int me)
{
  int i = 0;

#if GROUP == 1
  for (; i + 16 <= n; i += 16)
    store_samples (row + (x + i) * PIXEL_STRIDE, (sums) ((sum) mean));
#endif
  for (i += me; i < n; i += GROUP)
    put (row, x + i, mean);
}

/* Pixelates a frame. Work-group (x, y) replaces the samples of block (x, y) by their mean. A
 * block has block_width x block_height samples; samples outside the frame are ignored. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
blur_pixelate (FRAMES, int block_width, int block_height)
{
  local ulong parts[GROUP];
  int me = get_local_id (0);
  int x = get_group_id (0) * block_width, y = get_group_id (1) * block_height;
  int n = min (block_width, width - x), end = min (y + block_height, height);
  int whole = GROUP == 1 ? n / 16 * 16 : 0;
  ulong count = (ulong) (n * (end - y)), total = 0;

  in += in_offset + (size_t) y * in_stride;
  if (whole > 0)
    total = sum_vectors (in + x * PIXEL_STRIDE, in_stride, position, whole,
        end - y);
  for (int i = 0; i < end - y; i++)
    total += sum_row (in + (size_t) i * in_stride, x + whole, x + n, me);
  parts[me] = total;
  barrier (CLK_LOCAL_MEM_FENCE);
  total = ROUNDS ? count / 2 : 0;
  for (int i = 0; i < GROUP; i++)
    total += parts[i];
  total /= count;
  for (int i = y; i < end; i++)
    fill_row (out + out_offset + (size_t) i * out_stride, x, n, total, me);
}

/* Blends a frame with a color. Work-item (x, y) blends 16 samples in each of ROWS rows,
 * starting at column 16 * x, with @value. The weight of @value is opacity / 256. */
kernel void
blur_fill (FRAMES, int value, int opacity)
{
  int x = 16 * get_global_id (0), y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);

  if (x >= width)
    return;
  for (; y < end; y++) {
    global const uchar *from = in + in_offset + (size_t) y * in_stride;
    global uchar *to = out + out_offset + (size_t) y * out_stride;

    if (opacity == 256 && x + 16 <= width)
      store_samples (to + x * PIXEL_STRIDE, (sums) ((sum) value));
    else
      for (int i = x; i < min (x + 16, width); i++) {
        int v = get (from, i);

        put (to, i, (v * (256 - opacity) + value * opacity + 128) >> 8);
      }
  }
}
