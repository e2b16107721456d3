/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads and stores samples of the component that the unsharp mask sharpens. The
 * algorithm is described in docs/algorithms/sharpen.md. */
#ifndef SHARPEN_FRAME_H
#define SHARPEN_FRAME_H

/* BYTES is the size of a sample of the frame in bytes, 1 or 2. The value of a
 * sample is in the DEPTH bits above the SHIFT lowest ones. */
#ifndef BYTES
#define BYTES 1
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

/* Nominal range of values: black is at LO, white at HI. */
#ifndef LO
#define LO 0
#endif
#ifndef HI
#define HI MAX_VALUE
#endif

/* Distance in bytes from a sample to the next sample of the same component in the row. */
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

/* Number of bits by which a value is shifted to have 16 bits */
#define UP (16 - DEPTH)

/* The type sumn can hold the sum of 64 samples. FRAME_LEVEL returns their mean from that sum,
 * scaled from DEPTH bits to 16 bits. */
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

/* FITS tells whether LANES samples from x on can be loaded at once. In a PACKED
 * frame (two bytes from sample to sample) the last samples of a row cannot be
 * loaded in this way, because the byte behind the last sample may be outside of
 * the frame. */
#define PACKED (LANES == 16 && PIXEL_STRIDE == 2 && BYTES == 1)
#define VECTORS (PACKED || PIXEL_STRIDE == BYTES)
#define FITS(x, width) \
    (VECTORS && (x) >= 0 && (x) + LANES + PACKED <= (width))

/* Amount of sharpening at which the output is the blurred frame itself */
#define BLUR (-(1 << AMOUNT_BITS))

/* Parameters of the component that is sharpened: sample (x, y) is at @offset + y * @stride + x
 * * PIXEL_STRIDE bytes. */
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

/* Returns the values at columns x to x + LANES - 1 of a row of the frame. The caller has
 * checked FITS: none of these columns lies beyond an end of the row. */
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

/* Returns the values at columns x to x + LANES - 1 of a row of the frame,
 * mirrored at its edges. */
static ushortn
load_values (global const uchar * row, int x, int width)
{
  /* Computes the column of which the last of the LANES samples is a mirror
   * image, if all of them are mirrored once. */
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

/* Parameters of the output. The difference of a pixel from the blurred pixel is multiplied by
 * @amount and added to the pixel, unless it is smaller than @threshold. */
#define SHARPEN \
    global uchar * to, int to_offset, int to_stride, int amount, \
    int threshold
#define SHARPEN_ARGS to, to_offset, to_stride, amount, threshold

/* Tells whether the output is the blurred frame, so that only rounding is left to do. */
#define IS_BLUR(amount, threshold) \
    ((amount) == BLUR && (threshold) <= (LO == 0 ? 0 : -1))

/* Returns blurred samples of 16 bits as values of DEPTH bits. */
static ushortn
blurred_value (ushortn blurred)
{
  return (blurred + (ushortn) (1 << UP >> 1)) >> (ushortn) (UP);
}

/* Sharpens and writes the LANES pixels from (x, y) on, except those outside of
 * the frame. */
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
    /* Limits a new value to LO and HI, or to the old value if that lies beyond them. Both
     * limits are vectors: if they are scalars, Oclgrind computes only the first lane right. */
    sum = clamp (sum, min (values, (intn) (LO)), max (values, (intn) (HI)));
    result = convert_ushortn (difference < threshold
        && -difference < threshold ? values : sum);
  }
  result <<= (ushortn) (SHIFT);

  if (FITS (x, width)) {
#if PACKED
    /* Keeps the bytes between the samples, which belong to other components and
     * were copied before. */
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
