/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Steps of a Gaussian on planes of 16-bit samples. The length of a row is a multiple of 2 *
 * LANES samples. The padding after the last valid sample is also read and written. */
#ifndef SHARPEN_GAUSSIAN_H
#define SHARPEN_GAUSSIAN_H

/* Number of rows that a work-item computes. Neighboring rows have input in common. */
#ifndef ROWS
#define ROWS 4
#endif

#include "base/math.h"
#include "base/pixels.h"
#include "sharpen/sharpen-shared.h"

/* Loads and stores vectors at any address: see base/pixels.h. */
#if LANES == 16
#define LOAD_PLANE(p) LOAD_LOOSE (loose_ushort16, p)
#define STORE_PLANE(p, v) STORE_LOOSE (loose_ushort16, p, v)
#else
#define LOAD_PLANE(p) vloadn (0, p)
#define STORE_PLANE(p, v) vstoren (v, 0, p)
#endif

#define LOAD_WIDE(p) convert_uintn (LOAD_PLANE (p))
#define STORE_WIDE(p, v) STORE_PLANE (p, convert_ushortn (v))

/* Parameters: the weights of a Gaussian, from its center outwards, in units of 2^-16. */
#define WEIGHTS \
    int radius, uint w0, uint w1, uint w2, uint w3, uint w4, uint w5, \
    uint w6, uint w7, uint w8, uint w9
#define WEIGHT_LIST { w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 }

#define WEIGH(a, b, c, d) \
    ((a) + (d) + ((b) + (c)) + ((b) + (c)) + ((b) + (c)))

/* Defines the vectors even_ and odd_: the elements with even indices and with odd indices of the
 * vectors @first and @second. */
#define SPLIT(type, first, second, even_, odd_) \
    type even_, odd_; \
    even_.lo = (first).even; \
    even_.hi = (second).even; \
    odd_.lo = (first).odd; \
    odd_.hi = (second).odd;

/* Convolves LANES columns or rows. @step is the distance between successive samples in the
 * direction of the convolution. @in is the address of the first samples. */
static ushortn
convolve (global const ushort * in, int step, int radius,
    const uint * weights)
{
  global const ushort *middle = in + radius * step;
  uintn sum = weights[0] * LOAD_WIDE (middle);

  for (int i = 1; i <= radius; i++)
    sum += weights[i] * (LOAD_WIDE (middle - i * step)
        + LOAD_WIDE (middle + i * step));
  return convert_ushortn ((sum + 32768u) >> 16);
}

static ushortn
average (ushortn a, ushortn b)
{
  return convert_ushortn ((convert_uintn (a) + convert_uintn (b) + 1u) >> 1);
}

/* Returns (3 * a + b) / 4, with a rounding error of less than 1. */
static ushortn
nearer (ushortn a, ushortn b)
{
  return average (a, average (a, b));
}

/* Interpolates 2 * LANES samples from the LANES samples at @in + 1 and their neighbors. Sets
 * @even to the results with even indices and @odd to those with odd indices. */
static void
double_row (global const ushort * in, ushortn * even, ushortn * odd)
{
  ushortn middle = LOAD_PLANE (in + 1);

  *even = nearer (middle, LOAD_PLANE (in));
  *odd = nearer (middle, LOAD_PLANE (in + 2));
}

/* Interleaves the elements of the vectors @a and @b. Writes the first LANES results to @first
 * and the others to @second. */
static void
merge (ushortn a, ushortn b, ushortn * first, ushortn * second)
{
  first->even = a.lo;
  first->odd = b.lo;
  second->even = a.hi;
  second->odd = b.hi;
}

#endif
