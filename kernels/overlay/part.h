/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads and stores the part of the frame that a work-item of overlay.cl processes: LANES columns
 * of two rows, and the chroma samples of these pixels. */
#ifndef OVERLAY_PART_H
#define OVERLAY_PART_H

/* BYTES is the size of the word that stores a sample, in bytes: 1 or 2. The value of a sample is
 * word >> SHIFT. */
#ifndef BYTES
#define BYTES 1
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

/* Numbers of columns and rows of luma for each chroma sample: 1 or 2. Both are 1 in an RGB
 * frame. */
#ifndef CHROMA_WIDTH
#define CHROMA_WIDTH 1
#endif
#ifndef CHROMA_HEIGHT
#define CHROMA_HEIGHT 1
#endif

/* Number of columns that a work-item processes, each in one lane (element) of a vector: 4 or 16. */
#ifndef LANES
#define LANES 4
#endif

#include "base/math.h"
#include "base/pixels.h"
#include "overlay/overlay-shared.h"

#if BYTES == 1
typedef uchar sample;
#define loose_samples MATH_JOIN (loose_uchar, LANES)
#define convert_samples convert_ucharn
#else
typedef ushort sample;
LOOSE (ushort4, loose_ushort4);
#define loose_samples MATH_JOIN (loose_ushort, LANES)
#define convert_samples convert_ushortn
#endif

/* Number of chroma samples in LANES columns. */
#if CHROMA_WIDTH == 1
#define CHROMA_LANES LANES
#elif LANES == 16
#define CHROMA_LANES 8
#else
#define CHROMA_LANES 2
#endif
typedef MATH_JOIN (int, CHROMA_LANES) intc;
typedef MATH_JOIN (uint, CHROMA_LANES) uintc;
#define convert_uintc MATH_JOIN (convert_uint, CHROMA_LANES)
#define as_uintc MATH_JOIN (as_uint, CHROMA_LANES)
#define vloadc MATH_JOIN (vload, CHROMA_LANES)
#define vstorec MATH_JOIN (vstore, CHROMA_LANES)
#if BYTES == 1
typedef MATH_JOIN (uchar, CHROMA_LANES) chroma_samples;
#define convert_chroma MATH_JOIN (convert_uchar, CHROMA_LANES)
#else
typedef MATH_JOIN (ushort, CHROMA_LANES) chroma_samples;
#define convert_chroma MATH_JOIN (convert_ushort, CHROMA_LANES)
#endif
LOOSE (chroma_samples, loose_chroma);
#define CHROMA_ROWS (2 / CHROMA_HEIGHT)

/* PACKED is 1 if whole pixels of three or four bytes are loaded and stored, 16 at a time. This
 * is done on CPUs. */
#define PACKED (LANES == 16 && BYTES == 1 && CHROMA_WIDTH * CHROMA_HEIGHT == 1)

/* Loads n samples, at most LANES, that are @step bytes apart. The lanes starting at n are set to
 * 0. */
static uintn
load_luma (global const uchar * p, int step, int n)
{
  uint words[LANES] = { 0 };

  if (n >= LANES && step == BYTES)
    return convert_uintn (LOAD_LOOSE (loose_samples, p));
  if (n >= LANES) {
#pragma unroll
    for (int i = 0; i < LANES; i++)
      words[i] = *(global const sample *) (p + i * step);
  } else {
    for (int i = 0; i < n; i++)
      words[i] = *(global const sample *) (p + i * step);
  }
  return vloadn (0, words);
}

static void
store_luma (global uchar * p, int step, int n, uintn v)
{
  uint words[LANES];

  if (n >= LANES && step == BYTES) {
    STORE_LOOSE (loose_samples, p, convert_samples (v));
    return;
  }
  vstoren (v, 0, words);
  if (n >= LANES) {
#pragma unroll
    for (int i = 0; i < LANES; i++)
      *(global sample *) (p + i * step) = words[i];
  } else {
    for (int i = 0; i < n; i++)
      *(global sample *) (p + i * step) = words[i];
  }
}

static uintc
load_chroma (global const uchar * p, int step, int n)
{
  uint words[CHROMA_LANES] = { 0 };

  if (n >= CHROMA_LANES && step == BYTES)
    return convert_uintc (LOAD_LOOSE (loose_chroma, p));
  if (n >= CHROMA_LANES) {
#pragma unroll
    for (int i = 0; i < CHROMA_LANES; i++)
      words[i] = *(global const sample *) (p + i * step);
  } else {
    for (int i = 0; i < n; i++)
      words[i] = *(global const sample *) (p + i * step);
  }
  return vloadc (0, words);
}

static void
store_chroma (global uchar * p, int step, int n, uintc v)
{
  uint words[CHROMA_LANES];

  if (n >= CHROMA_LANES && step == BYTES) {
    STORE_LOOSE (loose_chroma, p, convert_chroma (v));
    return;
  }
  vstorec (v, 0, words);
  if (n >= CHROMA_LANES) {
#pragma unroll
    for (int i = 0; i < CHROMA_LANES; i++)
      *(global sample *) (p + i * step) = words[i];
  } else {
    for (int i = 0; i < n; i++)
      *(global sample *) (p + i * step) = words[i];
  }
}

/* Samples of LANES columns of two rows, in the same words as in memory. */
typedef struct
{
  uintn luma[2];
  uintc chroma[2][CHROMA_ROWS];
#if PACKED
  uint16 pixels[2];
#endif
} Part;

/* Returns the address of sample (x, y) of component i. */
static global uchar *
locate (global uchar * frame, global const int *plan, int i, int x, int y)
{
  global const int *component = plan + PLAN_COMPONENT (i);

  return frame + component[0] + (size_t) y * component[1] + x * component[2];
}

#if PACKED
#define PIXELS_AT(i) (frame + plan[PLAN_PIXELS] + \
    (size_t) (y + (i)) * plan[PLAN_COMPONENT (0) + 1] + x * pixel)
#define POSITION(i) (8u * (plan[PLAN_COMPONENT (i)] - plan[PLAN_PIXELS]))
#define INSERT(words, v, i) bitselect (words, (v) << POSITION (i), \
    (uint16) (255u << POSITION (i)))

static void
load_packed (global const uchar * frame, global const int *plan, int x,
    int y, int rows, Part * part)
{
  int pixel = plan[PLAN_COMPONENT (0) + 2];

  for (int i = 0; i < rows; i++) {
    part->pixels[i] = load_pixels (PIXELS_AT (i), pixel);
    part->luma[i] = part->pixels[i] >> POSITION (0) & 255;
    part->chroma[0][i] = part->pixels[i] >> POSITION (1) & 255;
    part->chroma[1][i] = part->pixels[i] >> POSITION (2) & 255;
  }
}

static void
store_packed (global uchar * frame, global const int *plan, int x, int y,
    int rows, const Part * part)
{
  int pixel = plan[PLAN_COMPONENT (0) + 2];

  for (int i = 0; i < rows; i++) {
    uint16 pixels = INSERT (part->pixels[i], part->luma[i], 0);

    pixels = INSERT (pixels, part->chroma[0][i], 1);
    pixels = INSERT (pixels, part->chroma[1][i], 2);
    store_pixels (PIXELS_AT (i), pixel, pixels);
  }
}
#endif

/* Loads a part of the frame. @rows is the number of rows, 1 or 2; n is the number of columns of
 * the frame, starting at x. */
static void
load_part (global uchar * frame, global const int *plan, int x, int y,
    int rows, int n, Part * part)
{
  for (int i = 0; i < rows; i++)
    part->luma[i] = load_luma (locate (frame, plan, 0, x, y + i),
        plan[PLAN_COMPONENT (0) + 2], n);
  if (plan[PLAN_COMPONENTS] == 1)
    return;
  n = (n + CHROMA_WIDTH - 1) / CHROMA_WIDTH;
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < min (rows, CHROMA_ROWS); i++)
      part->chroma[c][i] = load_chroma (locate (frame, plan, c + 1,
              x / CHROMA_WIDTH, y / CHROMA_HEIGHT + i),
          plan[PLAN_COMPONENT (c + 1) + 2], n);
}

static void
store_part (global uchar * frame, global const int *plan, int x, int y,
    int rows, int n, const Part * part)
{
  for (int i = 0; i < rows; i++)
    store_luma (locate (frame, plan, 0, x, y + i),
        plan[PLAN_COMPONENT (0) + 2], n, part->luma[i]);
  if (plan[PLAN_COMPONENTS] == 1)
    return;
  n = (n + CHROMA_WIDTH - 1) / CHROMA_WIDTH;
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < min (rows, CHROMA_ROWS); i++)
      store_chroma (locate (frame, plan, c + 1, x / CHROMA_WIDTH,
              y / CHROMA_HEIGHT + i), plan[PLAN_COMPONENT (c + 1) + 2], n,
          part->chroma[c][i]);
}

#endif
