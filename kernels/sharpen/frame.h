/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads and stores samples of the component that is sharpened. The algorithm is described in
 * docs/algorithms/sharpen.md. */
#ifndef SHARPEN_FRAME_H
#define SHARPEN_FRAME_H

/* BYTES is the size of a sample of the frame in bytes, 1 or 2. The value of a sample is stored
 * in DEPTH bits, above the SHIFT lowest bits. */
#ifndef BYTES
#define BYTES 1
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

/* Nominal range of values: LO is black, HI is white. */
#ifndef LO
#define LO 0
#endif
#ifndef HI
#define HI MAX_VALUE
#endif

/* Distance, in bytes, between successive samples of a component in a row. */
#ifndef PIXEL_STRIDE
#define PIXEL_STRIDE BYTES
#endif

#include "base/reflect.h"
#include "sharpen/gaussian.h"

#if LANES == 16
#define REVERSED sfedcba9876543210
#elif LANES == 8
#define REVERSED s76543210
#else
#define REVERSED s3210
#endif

#define MAX_VALUE ((1 << DEPTH) - 1)

/* Number of bits by which a value is shifted to extend it to 16 bits */
#define UP (16 - DEPTH)

/* Type sumn can hold the sum of 64 samples. FRAME_LEVEL converts such a sum to the mean of the
 * samples, scaled from DEPTH bits to 16 bits. */
#if BYTES == 1
typedef uchar sample;
typedef ucharn samplen;
typedef ushortn sumn;
#define convert_samplen convert_ucharn
#define convert_sumn
#define FRAME_LEVEL(sum) ((sum) << (ushortn) (2))
#else
typedef ushort sample;
typedef ushortn samplen;
typedef uintn sumn;
#define convert_samplen convert_ushortn
#define convert_sumn convert_uintn
#define FRAME_LEVEL(sum) convert_ushortn ((((sum) << UP) + 32u) >> 6)
#endif

#if LANES == 16
LOOSE (samplen, loose_samplen);
#define LOAD_SAMPLES(p) LOAD_LOOSE (loose_samplen, p)
#define STORE_SAMPLES(p, v) STORE_LOOSE (loose_samplen, p, v)
#else
#define LOAD_SAMPLES(p) vloadn (0, (global const sample *) (p))
#define STORE_SAMPLES(p, v) vstoren (v, 0, (global sample *) (p))
#endif

/* FITS is true if LANES samples, starting at x, can be loaded as one vector. In a PACKED frame
 * (samples are two bytes apart), this is not possible for the last samples of a row, because the
 * byte after the last sample may be outside of the frame. */
#define PACKED (LANES == 16 && PIXEL_STRIDE == 2 && BYTES == 1)
#define VECTORS (PACKED || PIXEL_STRIDE == BYTES)
#define FITS(x, width) \
    (VECTORS && (x) >= 0 && (x) + LANES + PACKED <= (width))

/* Amount of sharpening for which the output is the blurred frame */
#define BLUR (-(1 << AMOUNT_BITS))

/* Parameters of the component that is sharpened. Sample (x, y) is at the offset @offset + y *
 * @stride + x * PIXEL_STRIDE, in bytes. */
#define FRAME \
    global const uchar * frame, int offset, int stride, int width, \
    int height
#define FRAME_ARGS frame, offset, stride, width, height
#define FRAME_ROW(y) (frame + offset + (size_t) reflect (y, height) * stride)

static ushortn
values_of (samplen word)
{
#if BYTES == 1
  return convert_ushortn (word);
#else
  return min (word >> (ushortn) (SHIFT), (ushortn) (MAX_VALUE));
#endif
}

/* Returns the values at columns x to x + LANES - 1 of a row of the frame. FITS must be true for
 * x. */
static ushortn
load_fitting (global const uchar * row, int x)
{
#if PACKED
  return LOAD_LOOSE (loose_ushort16, row + 2 * x) & (ushort) 255;
#elif VECTORS
  return values_of (LOAD_SAMPLES (row + BYTES * x));
#else
  return 0;
#endif
}

/* Returns the values at columns x to x + LANES - 1 of a row of the frame. The row is mirrored at
 * its ends. */
static ushortn
load_values (global const uchar * row, int x, int width)
{
  /* If all LANES samples are mirrored once, @last is the column whose mirror image is the last
   * of them. */
  int last = x < 0 ? 1 - LANES - x : 2 * width - 1 - LANES - x;
  sample lanes[LANES];

  if (FITS (x, width))
    return load_fitting (row, x);
  if (FITS (last, width) && (x < 0 || x >= width))
    return load_fitting (row, last).REVERSED;
  for (int i = 0; i < LANES; i++)
    lanes[i] = *(global const sample *) (row
        + reflect (x + i, width) * PIXEL_STRIDE);
  return values_of (vloadn (0, lanes));
}

/* Parameters of the output. The difference between a pixel and the blurred pixel is multiplied
 * by @amount and added to the pixel, unless the difference is smaller than @threshold. */
#define SHARPEN \
    global uchar * to, int to_offset, int to_stride, int amount, \
    int threshold
#define SHARPEN_ARGS to, to_offset, to_stride, amount, threshold

/* True if the output is the rounded blurred frame. */
#define IS_BLUR(amount, threshold) \
    ((amount) == BLUR && (threshold) <= (LO == 0 ? 0 : -1))

/* Converts blurred samples from 16 bits to DEPTH bits. */
static ushortn
blurred_value (ushortn blurred)
{
  return (blurred + (ushortn) (1 << UP >> 1)) >> (ushortn) (UP);
}

/* Sharpens LANES pixels, starting at (x, y), and writes those that are inside the frame. */
static void
sharpen (ushortn blurred, int x, int y, FRAME, SHARPEN)
{
  global uchar *row = to + to_offset + (size_t) y * to_stride;
  ushortn result;
  sample lanes[LANES];

  if (IS_BLUR (amount, threshold)) {
    result = blurred_value (blurred);
  } else {
    intn values = convert_intn (load_values (frame + offset
            + (size_t) y * stride, x, width));
    intn difference = (values << UP) - convert_intn (blurred);
    intn sum = (values << (UP + AMOUNT_BITS)) + difference * amount;

    sum = (sum + (1 << (UP + AMOUNT_BITS - 1))) >> (UP + AMOUNT_BITS);
    /* Clamps a new value to the range from LO to HI. If the old value is outside this range, the
     * range is extended to include it. Both limits are vectors, because Oclgrind computes only
     * the first lane correctly if they are scalars. */
    sum = clamp (sum, min (values, (intn) (LO)), max (values, (intn) (HI)));
    result = convert_ushortn (difference < threshold
        && -difference < threshold ? values : sum);
  }
  result <<= (ushortn) (SHIFT);

  if (FITS (x, width)) {
#if PACKED
    /* Keeps the bytes between the samples. They belong to other components and were copied
     * before. */
    ushortn pairs = LOAD_LOOSE (loose_ushort16, row + 2 * x);

    STORE_LOOSE (loose_ushort16, row + 2 * x,
        (pairs & (ushort) 0xff00) | result);
#elif VECTORS
    STORE_SAMPLES (row + BYTES * x, convert_samplen (result));
#endif
    return;
  }
  vstoren (convert_samplen (result), 0, lanes);
  for (int i = 0; i < LANES && x + i < width; i++)
    *(global sample *) (row + (x + i) * PIXEL_STRIDE) = lanes[i];
}

#endif
