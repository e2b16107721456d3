/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Replaces the samples of a row by values from a table. If a file defines LOOK before it
 * includes this one, the file must itself define the struct Look and the function looked_up(). */
#ifndef ROW_H
#define ROW_H

#include "histeq/bins.h"

#ifndef LOOK
typedef struct
{
  sample mask;
} Look;

/* Returns the new value of @s, sample i of pixel x. In a unit of several pixels, i continues
 * counting from one pixel to the next. */
static sample
looked_up (const Look * look, int x, int i, sample s)
{
  return s ^ look->mask;
}
#endif

/* Copies the samples of a row that lie after the width of the frame. */
static void
copy_rest (global const sample * from, global sample * to, int width,
    int pixels, int column)
{
  int i;

  for (i = width * SAMPLES + column; i < pixels * SAMPLES; i += COLUMNS)
    to[i] = from[i];
}

/* Looks up the samples of a row. @units is the number of units (see UNIT) in the row; the
 * remaining pixels are processed one by one. @pixels is the number of pixels of the row in
 * memory; those starting at column @width are copied. */
static void
look_up_row (global const sample * from, global sample * to, int width,
    int units, int pixels, int column, const Look * look)
{
  int x, i;

  for (x = column; x < units; x += COLUMNS) {
#if COUNT == COUNT_OWN
#pragma unroll
    for (i = 0; i < UNIT; i++)
      to[x * UNIT + i] = looked_up (look, (x * UNIT + i) / SAMPLES, i,
          SAMPLE_OF (from, x, i));
#else
    uint word = 0;

#pragma unroll
    for (i = 0; i < UNIT; i++)
      word |= (uint) looked_up (look, (x * UNIT + i) / SAMPLES, i,
          SAMPLE_OF (from, x, i)) << 8 * BYTES * i;
    ((global uint *) to)[x] = word;
#endif
  }
  for (x = units * UNIT / SAMPLES + column; x < width; x += COLUMNS) {
#pragma unroll
    for (i = 0; i < SAMPLES; i++)
      to[x * SAMPLES + i] = looked_up (look, x, i, from[x * SAMPLES + i]);
  }
  copy_rest (from, to, width, pixels, column);
}

#endif
