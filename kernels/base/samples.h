/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads and writes samples of one color component of a frame, one by one and 16 at a time.
 * Both devices and frames are little-endian. */
#ifndef SAMPLES_H
#define SAMPLES_H

/* Size of a sample in bytes: 1 or 2. */
#ifndef BYTES
#define BYTES 1
#endif

/* Distance, in bytes, from one sample of a component to the next in the row: BYTES, 2 x BYTES,
 * 3 or 4. */
#ifndef PIXEL_STRIDE
#define PIXEL_STRIDE BYTES
#endif

/* The value of a sample is word >> SHIFT, from 0 to MAX, where word is the sample in memory. If
 * the element that made the frame wrote a larger value by mistake, the value counts as MAX. */
#ifndef SHIFT
#define SHIFT 0
#endif
#ifndef MAX
#define MAX (BYTES == 1 ? 255 : 65535)
#endif

#include "base/pixels.h"

/* The type sum is an integer that can hold the sum of 257 samples. */
#if BYTES == 1
typedef uchar sample;
typedef ushort sum;
typedef ushort16 sums;
#define convert_sums convert_ushort16
#else
typedef ushort sample;
typedef uint sum;
typedef uint16 sums;
#define convert_sums convert_uint16
#endif

/* LIMITED clamps the value v of the type @type to MAX, in the formats in which a word can
 * exceed MAX. */
#if ((1 << 8 * BYTES) - 1) >> SHIFT > MAX
#define LIMITED(v, type) min (v, (type) (MAX))
#else
#define LIMITED(v, type) (v)
#endif

static sum
get (const global uchar * row, int x)
{
  sum v = *(const global sample *) (row + x * PIXEL_STRIDE) >> SHIFT;

  return LIMITED (v, sum);
}

static void
put (global uchar * row, int x, int value)
{
  *(global sample *) (row + x * PIXEL_STRIDE) = (sample) (value << SHIFT);
}

/* ---- Vectors ------------------------------------------------------------------
 *
 * Vectors of samples are loaded as whole pixels; a row of n pixels can therefore be read up to
 * its end. The parameter @position is the byte of a pixel where the component begins; it is 0
 * if PIXEL_STRIDE is BYTES. */

/* The type pair is an integer that holds two adjacent pixels. ODD is the number of the lowest
 * bit of the second pixel. */
#if PIXEL_STRIDE == 1
typedef ushort pair;
typedef uchar pixel;
#define loose_pixels loose_uchar16
#define loose_pairs loose_ushort16
#define convert_pairs convert_ushort16
#elif PIXEL_STRIDE == 2
typedef uint pair;
typedef ushort pixel;
#define loose_pixels loose_ushort16
#define loose_pairs loose_uint16
#define convert_pairs convert_uint16
#elif PIXEL_STRIDE == 4
LOOSE (ulong16, loose_pairs);
typedef ulong pair;
typedef uint pixel;
#define loose_pixels loose_uint16
#define convert_pairs convert_ulong16
#endif
#define ODD ((pair) (8 * PIXEL_STRIDE))

#define WORD ((sum) ((1 << 8 * BYTES) - 1))

static sums
values (sums words)
{
  return LIMITED ((words & WORD) >> (sum) SHIFT, sums);
}

/* Loads 16 adjacent pixels at the address @p. Returns one sample of each: the sample that
 * begins at byte @position of the pixel. */
static sums
load_samples (const global uchar * p, int position)
{
#if PIXEL_STRIDE == BYTES
  return values (convert_sums (LOAD_LOOSE (loose_pixels, p)));
#elif PIXEL_STRIDE == 3
  return values (convert_sums (load_pixels (p, 3) >> (uint) (8 * position)));
#else
  return values (convert_sums (LOAD_LOOSE (loose_pixels, p)
          >> (pixel) (8 * position)));
#endif
}

/* Loads 32 adjacent pixels at the address @p, and extracts one sample of each: the samples of
 * pixels 0, 2 ... 30 into @even, those of pixels 1, 3 ... 31 into @odd. */
static void
load_pairs (const global uchar * p, int position, sums * even, sums * odd)
{
#if PIXEL_STRIDE == 3
  uint16 a = load_pixels (p, 3), b = load_pixels (p + 16 * 3, 3);
  uint shift = 8 * position;

  *even = values (convert_sums ((uint16) (a.even, b.even) >> shift));
  *odd = values (convert_sums ((uint16) (a.odd, b.odd) >> shift));
#else
  pair shift = (pair) (PIXEL_STRIDE == BYTES ? 0 : 8 * position);

  *even = values (convert_sums (LOAD_LOOSE (loose_pairs, p) >> shift));
  *odd = values (convert_sums (LOAD_LOOSE (loose_pairs, p) >> (shift + ODD)));
#endif
}

/* Writes the samples @v to 16 adjacent pixels. @p is the address of the first sample, not of
 * the first pixel. */
static void
store_samples (global uchar * p, sums v)
{
#if PIXEL_STRIDE == BYTES && BYTES == 1
  STORE_LOOSE (loose_uchar16, p, convert_uchar16 (v));
#elif PIXEL_STRIDE == BYTES
  STORE_LOOSE (loose_ushort16, p, convert_ushort16 (v << (sum) SHIFT));
#else
  sum a[16];

  vstore16 (v, 0, a);
#pragma unroll
  for (int i = 0; i < 16; i++)
    put (p, i, a[i]);
#endif
}

/* Writes samples to 32 adjacent pixels: @even to pixels 0, 2 ... 30 and @odd to pixels 1, 3 ...
 * 31. @p is the address of the first sample, not of the first pixel. */
static void
store_pairs (global uchar * p, sums even, sums odd)
{
#if PIXEL_STRIDE == BYTES
  STORE_LOOSE (loose_pairs, p, convert_pairs (even << (sum) SHIFT)
      | convert_pairs (odd << (sum) SHIFT) << ODD);
#else
  sum a[16], b[16];

  vstore16 (even, 0, a);
  vstore16 (odd, 0, b);
#pragma unroll
  for (int i = 0; i < 16; i++) {
    put (p, 2 * i, a[i]);
    put (p, 2 * i + 1, b[i]);
  }
#endif
}

/* Returns the vector @v with its elements moved to the next higher index; element 0 becomes the
 * last element of the vector @last. */
static sums
shift_in_before (sums last, sums v)
{
  return (sums) (last.sf, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8,
      v.s9, v.sa, v.sb, v.sc, v.sd, v.se);
}

/* Returns the vector @v with its elements moved to the next lower index; the last element
 * becomes the first element of the vector @next. */
static sums
shift_in_behind (sums v, sums next)
{
  return (sums) (v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa,
      v.sb, v.sc, v.sd, v.se, v.sf, next.s0);
}

#endif
