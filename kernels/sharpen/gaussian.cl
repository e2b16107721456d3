/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What a large Gaussian is made of: a small one between halvings and doublings
 * of the size. What it computes: docs/algorithms/sharpen.md.
 *
 * Planes have 16 bit samples, as many in a row as a multiple of 2 * LANES. What
 * lies behind the last sample that counts is read and written too. */
#ifndef GAUSSIAN_CL
#define GAUSSIAN_CL

/* Rows of a work-item: neighbours share what they read. */
#ifndef ROWS
#define ROWS 4
#endif

#include "base/math.h"
#include "base/pixels.h"
#include "sharpen/shared.h"

/* Vectors at any address: see pixels.cl. */
#if LANES == 16
#define LOAD_PLANE(p) LOAD_LOOSE (loose_ushort16, p)
#define STORE_PLANE(p, v) STORE_LOOSE (loose_ushort16, p, v)
#else
#define LOAD_PLANE(p) vloadn (0, p)
#define STORE_PLANE(p, v) vstoren (v, 0, p)
#endif

#define LOAD_WIDE(p) convert_uintn (LOAD_PLANE (p))
#define STORE_WIDE(p, v) STORE_PLANE (p, convert_ushortn (v))

/* Of a Gaussian, from its middle outwards, in units of 2^-16 */
#define WEIGHTS \
    int radius, uint w0, uint w1, uint w2, uint w3, uint w4, uint w5, \
    uint w6, uint w7, uint w8, uint w9
#define WEIGHT_LIST { w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 }

#define WEIGH(a, b, c, d) \
    ((a) + (d) + ((b) + (c)) + ((b) + (c)) + ((b) + (c)))

/* Every second element of first and second. */
#define SPLIT(type, first, second, even_, odd_) \
    type even_, odd_; \
    even_.lo = (first).even; \
    even_.hi = (second).even; \
    odd_.lo = (first).odd; \
    odd_.hi = (second).odd;

/* Eight times as much as the half as wide row of the samples from in on. */
static uintn
halve_row (global const ushort * in)
{
#if LANES == 16
  uintn left = LOAD_LOOSE (loose_uint16, in);
  uintn right = LOAD_LOOSE (loose_uint16, in + 2);

  return WEIGH (left & 0xffffu, left >> 16, right & 0xffffu, right >> 16);
#else
  SPLIT (ushortn, LOAD_PLANE (in), LOAD_PLANE (in + LANES), a, b)
  SPLIT (ushortn, LOAD_PLANE (in + 2), LOAD_PLANE (in + 2 + LANES), c, d)

  return WEIGH (convert_uintn (a), convert_uintn (b), convert_uintn (c),
      convert_uintn (d));
#endif
}

/* Work-item (x, y): LANES samples from x * LANES on of ROWS rows from y * ROWS
 * on of a level. in begins two samples to the left of and above it. */
kernel void
gaussian_halve (global const ushort * restrict in, int in_stride,
    global ushort * restrict out, int out_stride, int out_height)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, out_height);
  uintn a, b, c, d;

  if (x >= out_stride || y >= out_height)
    return;
  in += (size_t) (2 * y + 1) * in_stride + 2 * x + 1;
  c = halve_row (in);
  d = halve_row (in + in_stride);
  for (; y < end; y++) {
    in += 2 * in_stride;
    a = c;
    b = d;
    c = halve_row (in);
    d = halve_row (in + in_stride);
    STORE_WIDE (out + (size_t) y * out_stride + x,
        (WEIGH (a, b, c, d) + 32u) >> 6);
  }
}

/* Of samples that are step apart; the first ones are at in. */
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

/* Work-item (x, y): LANES samples from x * LANES on of row y. step: from sample
 * to sample; in begins radius steps before out. */
kernel void
gaussian_convolve (global const ushort * restrict in, int in_stride,
    int step, global ushort * restrict out, int out_stride, int out_height,
    WEIGHTS)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * LANES, y = get_global_id (1);

  if (x < out_stride && y < out_height)
    STORE_PLANE (out + (size_t) y * out_stride + x,
        convolve (in + (size_t) y * in_stride + x, step, radius, weights));
}

static ushortn
average (ushortn a, ushortn b)
{
  return convert_ushortn ((convert_uintn (a) + convert_uintn (b) + 1u) >> 1);
}

/* Three parts of a, one of b. */
static ushortn
nearer (ushortn a, ushortn b)
{
  return average (a, average (a, b));
}

/* Twice as wide: what becomes of the LANES samples from in + 1 on. */
static void
double_row (global const ushort * in, ushortn * even, ushortn * odd)
{
  ushortn middle = LOAD_PLANE (in + 1);

  *even = nearer (middle, LOAD_PLANE (in));
  *odd = nearer (middle, LOAD_PLANE (in + 2));
}

/* The elements of a and b in turns. */
static void
merge (ushortn a, ushortn b, ushortn * first, ushortn * second)
{
  first->even = a.lo;
  first->odd = b.lo;
  second->even = a.hi;
  second->odd = b.hi;
}

/* Work-item (x, y): 2 * LANES samples from 2 * x * LANES on of 2 * ROWS rows
 * from 2 * y * ROWS on. in begins one sample to the left of and above out. */
kernel void
gaussian_double (global const ushort * restrict in, int in_stride,
    int in_height, global ushort * restrict out, int out_stride)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, in_height);
  ushortn even0, odd0, even1, odd1, even2, odd2, first, second;

  if (2 * x >= out_stride || y >= in_height)
    return;
  in += (size_t) y * in_stride + x;
  out += (size_t) 2 * y * out_stride + 2 * x;
  double_row (in, &even1, &odd1);
  double_row (in + in_stride, &even2, &odd2);
  for (; y < end; y++) {
    even0 = even1;
    odd0 = odd1;
    even1 = even2;
    odd1 = odd2;
    double_row (in + 2 * in_stride, &even2, &odd2);
    in += in_stride;

    merge (nearer (even1, even0), nearer (odd1, odd0), &first, &second);
    STORE_PLANE (out, first);
    STORE_PLANE (out + LANES, second);
    out += out_stride;
    merge (nearer (even1, even2), nearer (odd1, odd2), &first, &second);
    STORE_PLANE (out, first);
    STORE_PLANE (out + LANES, second);
    out += out_stride;
  }
}

#endif
