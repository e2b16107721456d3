/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code shared by all methods of the bilateral filter: loads and stores pixels of any layout. */
#ifndef BILATERAL_PIXELS_H
#define BILATERAL_PIXELS_H

/* Size of a sample in bytes: 1 or 2. */
#ifndef BYTES
#define BYTES 1
#endif

/* Number of components that share the same weights: 1, or 3 for RGB. */
#ifndef CHANNELS
#define CHANNELS 1
#endif

/* The guide is the frame whose values determine the weights: the filtered frame or another one.
 * GUIDE_BYTES is the size of its samples, in bytes. GUIDE_CHANNELS is the number of its
 * components: 1, or 3 for RGB of 8 bits, whose luma is computed. */
#ifndef GUIDE_BYTES
#define GUIDE_BYTES BYTES
#endif
#ifndef GUIDE_CHANNELS
#define GUIDE_CHANNELS CHANNELS
#endif

/* WEIGHTED is 1 if red, green and blue are weighted by alpha, the fourth byte of a pixel. */
#ifndef WEIGHTED
#define WEIGHTED 0
#endif

/* Maximum value of a sample: MAX for the frame, GUIDE_MAX for the guide. A sample of 2 bytes
 * with a larger value is clamped. */
#ifndef MAX
#define MAX (BYTES == 1 ? 255 : 65535)
#endif
#ifndef GUIDE_MAX
#define GUIDE_MAX (GUIDE_BYTES == 1 ? 255 : 65535)
#endif

#include "base/math.h"
#include "bilateral/bilateral-shared.h"
#include "base/pixels.h"
#include "base/reflect.h"

/* Loads or stores LANES floats at any address; base/pixels.h explains LOOSE. */
#if LANES == 16
LOOSE (float4, loose_float4);
LOOSE (float16, loose_float16);
#define LOAD_FLOATS(p) LOAD_LOOSE (loose_float16, p)
#define STORE_FLOATS(v, p) STORE_LOOSE (loose_float16, p, v)
#else
#define LOAD_FLOATS(p) vloadn (0, p)
#define STORE_FLOATS(v, p) vstoren (v, 0, p)
#endif

/* Repeats a statement for each component i, or for each value i (see VALUES). A loop is not
 * used because its arrays would stay in memory: PoCL unrolls loops only after it has placed
 * arrays. */
#if CHANNELS == 1
#define EACH_CHANNEL(statement) { enum { i = 0 }; statement; }
#else
#define EACH_CHANNEL(statement) \
    { enum { i = 0 }; statement; } \
    { enum { i = 1 }; statement; } \
    { enum { i = 2 }; statement; }
#endif

#if WEIGHTED
#define EACH_VALUE(statement) \
    EACH_CHANNEL (statement) { enum { i = CHANNELS }; statement; }
#else
#define EACH_VALUE(statement) EACH_CHANNEL (statement)
#endif

/* LIMITED clamps the value v to the maximum of a sample. */
#if BYTES == 1
typedef uchar sample;
#define SAMPLE_MASK 0xffu
#define LIMITED(v, type) (v)
#else
typedef ushort sample;
#define SAMPLE_MASK 0xffffu
#define LIMITED(v, type) min (v, (type) (MAX))
#endif

/* Minimum log2 of a weight, plus EXP2_BIAS. The minimum weight is 2^-48. A smaller weight makes
 * no visible difference, and a product with 2^-48 is never subnormal. */
#define LOWEST (EXP2_BIAS - 48.0f)

/* Parameters that describe the position in a frame of components that are filtered together.
 * Sample (x, y) of component i is at byte base + y * stride + x * pixel_stride + position<i>;
 * its value is shifted left by @shift bits. */
#define PIXEL \
    int pixel_stride, int position0, int position1, int position2, int shift
#define PIXEL_VALUES pixel_stride, position0, position1, position2, shift

/* Parameters that describe the guide; see PIXEL for those of the frame. The guide value for
 * frame sample (x, y) is at (x << guide_x_shift, y << guide_y_shift). */
#define GUIDE \
    global const uchar * guide, int guide_base, int guide_stride, \
    int guide_x_shift, int guide_y_shift, int guide_pixel_stride, \
    int guide_position0, int guide_position1, int guide_position2, \
    int guide_shift
#define GUIDE_VALUES guide, guide_base, guide_stride, guide_x_shift, \
    guide_y_shift, guide_pixel_stride, guide_position0, guide_position1, \
    guide_position2, guide_shift

/* Number of values of a pixel that the exact filter loads: one for each component and, last,
 * alpha if WEIGHTED is 1. */
#define VALUES (CHANNELS + WEIGHTED)

#define POSITION(i) ((i) == 0 ? position0 : (i) == 1 ? position1 : position2)

static float
load_sample (global const uchar * at, int shift)
{
  return convert_float (LIMITED (*(global const sample *) at >> shift, int));
}

/* Byte that holds alpha, in a pixel of 4 bytes */
#define ALPHA_POSITION (0 + 1 + 2 + 3 - position0 - position1 - position2)

/* Weights are multiplied by alpha times ALPHA_UNIT, which is 2^40 / 255. Full alpha is then
 * 2^40, and no product of weights is subnormal. A common factor of all weights does not change
 * the results if it is a power of 2. */
#define ALPHA_UNIT 0x1.010102p+32f

/* Minimum divisor of a weighted sum: if all pixels are transparent, both the sum and its
 * divisor are 0. */
#define LEAST_WEIGHT 0x1p-100f

/* Returns value i of the pixel whose first byte is at the address @at. For a component this is
 * the sample times @scale, for alpha the factor of the weight. */
static float
load_value (global const uchar * at, int i, float scale, PIXEL)
{
#if WEIGHTED
  if (i == CHANNELS)
    return ALPHA_UNIT * convert_float (at[ALPHA_POSITION]);
#endif
  return scale * load_sample (at + POSITION (i), shift);
}

static int
load_guide (int x, int y, GUIDE)
{
  global const uchar *at = guide + guide_base
      + (y << guide_y_shift) * guide_stride
      + (x << guide_x_shift) * guide_pixel_stride;

#if GUIDE_CHANNELS == 3
  return (9798 * at[guide_position0] + 19235 * at[guide_position1]
      + 3735 * at[guide_position2] + 16384) >> 15;
#elif GUIDE_BYTES == 1
  return at[guide_position0] >> guide_shift;
#else
  return min (*(global const ushort *) (at + guide_position0) >> guide_shift,
      GUIDE_MAX);
#endif
}

/* Stores pixel x: if x < @copied, copies all its bytes from the input; then, if x < @width,
 * writes the filtered samples in the array @values. */
static void
store_pixel (global uchar * to, global const uchar * from, int x,
    const uint * values, int width, int copied, PIXEL)
{
  to += x * pixel_stride;
  from += x * pixel_stride;
  if (x < copied)
    for (int i = 0; i < pixel_stride; i++)
      to[i] = from[i];
  if (x < width)
    for (int i = 0; i < CHANNELS; i++)
      *(global sample *) (to + POSITION (i)) = values[i * LANES] << shift;
}

#endif
