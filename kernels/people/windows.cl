/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the scores of windows that may show a person, in all sizes of a
 * frame. */

/* Number of windows that a work-item computes side by side: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Number of rows of windows that a work-item computes at once. */
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

/* Work-item (i, n) computes the scores of LANES windows, from window i * LANES on of span n (a
 * part of a row) of the list, and of the windows below them, ROWS rows in all. The parameter
 * @weights is the index in the plan where the weights of the classifier begin. */
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
