/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads samples of a component for the reduction of noise, and defines the layout of planes.
 * The algorithm is described in docs/algorithms/denoise.md.
 *
 * A plane holds a number for each sample of a component, and a margin of MARGIN more numbers on
 * each side, in which the samples are reflected. Sample (x, y) is at (y + MARGIN) *
 * plane_stride + x + MARGIN. The length of a row is plane_stride, a multiple of 16 that leaves
 * room for a vector after the last sample. */
#ifndef DENOISE_H
#define DENOISE_H

/* BYTES is the size of a sample of the frame in bytes, 1 or 2. A sample has SHIFT unused low
 * bits; the DEPTH bits above them are its value. */
#ifndef BYTES
#define BYTES 1
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

/* Number of samples in a vector: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Number of adjacent vectors of a row that a work-item processes one after the other. */
#ifndef SPAN
#define SPAN 1
#endif

#include "base/math.h"
#include "base/pixels.h"
#include "base/reflect.h"
#include "denoise/denoise-shared.h"

#define MAX_VALUE ((1u << DEPTH) - 1)

#if BYTES == 1
typedef uchar sample;
#else
typedef ushort sample;
#endif

#if LANES == 1
typedef short shortn;
#define as_shortn as_short
#define LOAD(name, p) (*(p))
#define STORE(name, p, v) (*(p) = (v))
#else
typedef short16 shortn;
#define as_shortn as_short16
#define LOAD(name, p) LOAD_LOOSE (name, p)
#define STORE(name, p, v) STORE_LOOSE (name, p, v)
#endif

/* Parameters of one color component of a frame. Sample (x, y) begins at byte @offset + y *
 * @stride + x * pixel_stride + @position. */
#define FRAME \
    global const uchar * frame, int offset, int stride, int pixel_stride, \
    int position, int width, int height
#define FRAME_ARGS frame, offset, stride, pixel_stride, position, width, height

/* The averages over time, S, that determine the noise of a component. For chroma, S is taken from
 * luma: a chroma sample covers 2^light_shift_x x 2^light_shift_y luma samples. If light_shift_x is
 * OWN, S is the average of the sample itself, and @light is not read. */
#define LIGHT \
    global const ushort * light, int light_stride, int light_shift_x, \
    int light_shift_y

/* Converts values of samples to units of 1/128 of an 8-bit gray level. */
static ushortn
to_fine (ushortn v)
{
#if DEPTH == 16
  return v >> (ushortn) (1);
#else
  return v << (ushortn) (15 - DEPTH);
#endif
}

static uint
get_value (global const uchar * row, int x, int pixel_stride, int position)
{
  uint word = *(global const sample *) (row + x * pixel_stride + position);

  return min (word >> SHIFT, MAX_VALUE);
}

/* Tells whether LANES samples, starting at column x, are inside the frame. */
#define FITS(x, width) ((x) >= 0 && (x) + LANES <= (width))

/* Returns the values of LANES samples of row y, starting at column x; beyond the edges of the
 * frame, samples are reflected. */
static ushortn
load_values (FRAME, int x, int y)
{
  global const uchar *row = frame + offset
      + (size_t) reflect (y, height) * stride;

#if LANES == 1
  return get_value (row, reflect (x, width), pixel_stride, position);
#else
  ushort lanes[LANES];

  if (FITS (x, width) && pixel_stride == BYTES) {
#if BYTES == 1
    return convert_ushort16 (LOAD_LOOSE (loose_uchar16, row + x));
#else
    return min (LOAD_LOOSE (loose_ushort16, row + x * BYTES)
        >> (ushort16) (SHIFT), (ushort16) (MAX_VALUE));
#endif
  }
  if (FITS (x, width)) {
    uint16 words = load_pixels (row + x * pixel_stride, pixel_stride)
        >> (uint16) (8 * position);

    return convert_ushort16 (min ((words & (BYTES == 1 ? 255u : 65535u))
            >> SHIFT, (uint16) (MAX_VALUE)));
  }
  for (int i = 0; i < LANES; i++)
    lanes[i] = get_value (row, reflect (x + i, width), pixel_stride, position);
  return vloadn (0, lanes);
#endif
}

/* Returns the averages of luma at LANES samples of chroma. The first of them is at the address @p;
 * a chroma sample covers 1 << shift luma samples. */
static ushortn
load_light (global const ushort * p, int shift)
{
#if LANES == 1
  return *p;
#else
  if (shift > 0)
    return convert_ushort16 (LOAD (loose_uint16, p) & (uint16) (65535));
  return LOAD (loose_ushort16, p);
#endif
}

/* Returns load_light() for the samples that start at column x of a row; beyond the edges of the
 * frame, samples are reflected. */
static ushortn
load_light_inside (global const ushort * row, int x, int width, int shift)
{
#if LANES == 1
  return row[reflect (x, width) << shift];
#else
  ushort lanes[LANES];

  if (FITS (x, width))
    return load_light (row + (x << shift), shift);
  for (int i = 0; i < LANES; i++)
    lanes[i] = row[reflect (x + i, width) << shift];
  return vloadn (0, lanes);
#endif
}

/* Returns 1 / N, where N is the standard deviation of the noise in samples whose averages are
 * @light. */
static floatn
get_precision (global const int * noise, ushortn light)
{
  global const float *line = (global const float *) noise;

  return reciprocal_root (max (fma ((floatn) (line[SLOPE]),
              convert_floatn (light), (floatn) (line[OFFSET])),
          (floatn) (line[MINIMUM])));
}

#endif
