/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the scores of detection windows in all scaled sizes of a frame. A score is high if the
 * window shows a person. */

/* Number of adjacent windows that a work-item computes: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Number of columns of windows of a work-group whose work-items share blocks in local memory; 0
 * if work-items do not share blocks. */
#ifndef WINDOWS
#define WINDOWS 0
#endif

/* Number of rows of windows that a work-item computes or, if the work-items of a work-group
 * share blocks, that the work-group computes. */
#ifndef ROWS
#define ROWS 4
#endif

/* Width and height of a window in blocks. */
#ifndef BLOCK_COLUMNS
#define BLOCK_COLUMNS 7
#endif
#ifndef BLOCK_ROWS
#define BLOCK_ROWS 15
#endif

#include "people/people.h"

#if WINDOWS > 0

/* Number of columns of blocks that the windows of a work-group depend on, and number of features
 * of a row of these blocks. */
#define WIDTH (WINDOWS + BLOCK_COLUMNS - 1)
#define SLICE (BLOCK_FEATURES * WIDTH)

/* Number of vectors of four weights, for each feature of a row of blocks. */
#define FOURS ((BLOCK_COLUMNS + 3) / 4)

#define ITEMS (WINDOWS * ROWS)

/* Loads every ITEMS-th feature of a row of blocks, starting at feature @item. @in is the address
 * of the row. Columns after column @last are not used. */
static __attribute__ ((always_inline)) void
load_slice (const global float *in, int pitch, int last, int item,
    float *values)
{
#pragma unroll
  for (int i = 0; i < (SLICE + ITEMS - 1) / ITEMS; i++) {
    int n = min (item + i * ITEMS, SLICE - 1), feature = n / WIDTH;

    values[i] = in[feature * pitch + min (n - feature * WIDTH, last)];
  }
}

static __attribute__ ((always_inline)) void
store_slice (local float *slice, int item, const float *values)
{
#pragma unroll
  for (int i = 0; i < (SLICE + ITEMS - 1) / ITEMS; i++)
    if (item + i * ITEMS < SLICE)
      slice[item + i * ITEMS] = values[i];
}

/* Copies the weights of a row of blocks, starting at the address @w. */
static __attribute__ ((always_inline)) void
copy_weights (const global float *w, int item, local float *to)
{
  for (int i = item; i < BLOCK_FEATURES * BLOCK_COLUMNS; i += ITEMS)
    to[i / BLOCK_COLUMNS * 4 * FOURS + i % BLOCK_COLUMNS] = w[i];
}

/* Computes the scores of WINDOWS columns and ROWS rows of windows in work-group (i, n), one
 * window in each work-item. The windows start at window i * WINDOWS of span n (a part of a row)
 * of the list. @weights is the index of the weights of the classifier in the plan.
 *
 * In step y, a work-item adds up row y of the blocks of its window. The work-group keeps the
 * rows of blocks that it needs in a ring buffer of ROWS + 1 rows, and loads the next row at the
 * same time. */
kernel __attribute__ ((reqd_work_group_size (WINDOWS, ROWS, 1)))
void
people_score (const global float *restrict blocks,
    const global int *restrict plan, const global int *restrict lists, int list,
    int weights, global float *restrict scores)
{
  local float ring[(ROWS + 1) * SLICE];
  local float4 factors[2 * BLOCK_FEATURES * FOURS];
  const global int *span = lists + list + PEOPLE_SPAN * get_group_id (1);
  const global int *level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  int pitch = level[PITCH], row = span[SPAN_ROW], last_row = level[LAST_BLOCK];
  int column = span[SPAN_BEGIN] + WINDOWS * get_group_id (0);
  /* A work-group after the end of the span performs no steps. It does not return early, because
   * PoCL generates wrong code for a return before barriers. */
  int steps = column < span[SPAN_END] ? BLOCK_ROWS : 0;
  int first = min (column, span[SPAN_END] - 1);
  int x0 = get_local_id (0), y0 = get_local_id (1), item = y0 * WINDOWS + x0;
  const global float *w = (const global float *) plan + weights;
  const global float *in = blocks + level[BLOCKS] + first;
  float values[(SLICE + ITEMS - 1) / ITEMS];
  float sum = w[BLOCK_ROWS * BLOCK_FEATURES * BLOCK_COLUMNS];

#define LOAD_SLICE(n) \
    load_slice (in + (size_t) min (row + (n), last_row) * BLOCK_FEATURES * pitch, \
        pitch, pitch - 1 - first, item, values)
#define FACTORS(y) (factors + ((y) & 1) * BLOCK_FEATURES * FOURS)
  for (int i = 0; i < ROWS; i++) {
    LOAD_SLICE (i);
    store_slice (ring + i * SLICE, item, values);
  }
  copy_weights (w, item, (local float *) FACTORS (0));
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int y = 0; y < steps; y++) {
    const local float *p = ring + (y + y0) % (ROWS + 1) * SLICE + x0;
    const local float4 *f = FACTORS (y);

    if (y + 1 < BLOCK_ROWS)
      LOAD_SLICE (y + ROWS);
#pragma unroll 6
    for (int feature = 0; feature < BLOCK_FEATURES; feature++) {
#define ADD(k) \
      if (4 * i + k < BLOCK_COLUMNS) \
        sum = fma (four.s ## k, p[feature * WIDTH + 4 * i + k], sum);
#pragma unroll
      for (int i = 0; i < FOURS; i++) {
        float4 four = f[feature * FOURS + i];

        ADD (0)
        ADD (1)
        ADD (2)
        ADD (3)
      }
    }
    if (y + 1 < BLOCK_ROWS) {
      store_slice (ring + (y + ROWS) % (ROWS + 1) * SLICE, item, values);
      copy_weights (w + (y + 1) * BLOCK_FEATURES * BLOCK_COLUMNS, item,
          (local float *) FACTORS (y + 1));
    }
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  if (steps > 0 && first + x0 < span[SPAN_END]
      && row + y0 <= last_row - BLOCK_ROWS + 1)
    scores[level[FIRST_SCORE] + (size_t) (row + y0) * level[WINDOWS_PITCH]
        + first + x0] = sum;
}

#else

/* Computes the scores of LANES columns and ROWS rows of windows in work-item (i, n). The windows
 * start at window i * LANES of span n (a part of a row) of the list. @weights is the index of
 * the weights of the classifier in the plan. */
kernel void
people_score (const global float *restrict blocks,
    const global int *restrict plan, const global int *restrict lists, int list,
    int weights, global float *restrict scores)
{
  const global int *span = lists + list + PEOPLE_SPAN * get_global_id (1);
  const global int *level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  int pitch = level[PITCH], row = span[SPAN_ROW];
  int column = span[SPAN_BEGIN] + LANES * get_global_id (0);
  const global float *w = (const global float *) plan + weights;
  int rows = level[LAST_BLOCK] - BLOCK_ROWS + 2 - row;
  const global float *in = blocks + level[BLOCKS] + column;
  global float *out = scores + level[FIRST_SCORE]
      + (size_t) row * level[WINDOWS_PITCH] + column;
  floatn sums[ROWS];

  if (column >= span[SPAN_END])
    return;
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    sums[i] = w[BLOCK_ROWS * BLOCK_FEATURES * BLOCK_COLUMNS];
  for (int y = 0; y < BLOCK_ROWS; y++) {
    const global float *p[ROWS];

#pragma unroll
    for (int i = 0; i < ROWS; i++)
      p[i] = in + (size_t) min (row + y + i, level[LAST_BLOCK])
          * BLOCK_FEATURES * pitch;
    for (int feature = 0; feature < BLOCK_FEATURES; feature++) {
#pragma unroll
      for (int x = 0; x < BLOCK_COLUMNS; x++) {
        floatn weight = w[x];

#pragma unroll
        for (int i = 0; i < ROWS; i++)
          sums[i] = fma (weight, LOAD (p[i] + x), sums[i]);
      }
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        p[i] += pitch;
      w += BLOCK_COLUMNS;
    }
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    if (i < rows)
      STORE (out + (size_t) i * level[WINDOWS_PITCH], sums[i]);
}

#endif
