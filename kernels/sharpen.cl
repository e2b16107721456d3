/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Unsharp mask: the first and the last step of a Gaussian, those that know the
 * frame and its edges. What it computes: docs/algorithms/sharpen.md. */

/* Bytes of a sample of the frame: 1 or 2. Its value is in DEPTH bits above the
 * SHIFT lowest. */
#ifndef BYTES
#define BYTES 1
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

/* Bytes from a sample to its neighbour in the row. */
#ifndef PIXEL_STRIDE
#define PIXEL_STRIDE BYTES
#endif

/* Columns of a work-item of sharpen_direct: a multiple of LANES. Its sums of
 * columns stay in the cache. */
#ifndef TILE
#define TILE 256
#endif

#include "gaussian.cl"

#if LANES == 16
#define REVERSED sfedcba9876543210
#elif LANES == 8
#define REVERSED s76543210
#else
#define REVERSED s3210
#endif


#define MAX_VALUE ((1 << DEPTH) - 1)

/* From a value to 16 bit */
#define UP (16 - DEPTH)

/* sumn holds 64 values. FRAME_LEVEL: their mean in 16 bit */
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
#define LOAD_LINE(p) convert_uintn (((const loose_ushort16 *) (p))->v)
#define STORE_LINE(p, value) (((loose_ushort16 *) (p))->v = (value))
#else
#define LOAD_LINE(p) convert_uintn (vloadn (0, p))
#define STORE_LINE(p, value) vstoren (value, 0, p)
#define LOAD_SAMPLES(p) vloadn (0, (__global const sample *) (p))
#define STORE_SAMPLES(p, v) vstoren (v, 0, (__global sample *) (p))
#endif

/* Whether LANES samples from x on can be loaded at once. Of a packed frame not
 * the last ones of a row, because the last one's neighbour may be behind it. */
#define PACKED (LANES == 16 && PIXEL_STRIDE == 2 && BYTES == 1)
#define VECTORS (PACKED || PIXEL_STRIDE == BYTES)
#define FITS(x, width) \
    (VECTORS && (x) >= 0 && (x) + LANES + PACKED <= (width))

/* Unit of the amount: 2^-AMOUNT_BITS. BLUR: what makes the frame its Gaussian */
#define AMOUNT_BITS 10
#define BLUR (-(1 << AMOUNT_BITS))

/* The component of a frame that is sharpened: sample (x, y) is at
 * offset + y * stride + x * PIXEL_STRIDE bytes. */
#define FRAME \
    __global const uchar * restrict frame, int offset, int stride, int width, \
    int height
#define FRAME_ARGS frame, offset, stride, width, height
#define FRAME_ROW(y) (frame + offset + (size_t) reflect (y, height) * stride)

/* Index of the sample that stands for sample i of n: mirrored at the first and
 * last one, which are not repeated, as often as it takes. */
static int
reflect (int i, int n)
{
  int period;

  if (i >= 0 && i < n)
    return i;
  period = max (2 * n - 2, 1);
  i = abs (i) % period;
  return min (i, period - i);
}

static ushortn
values_of (samplen word)
{
#if BYTES == 1
  return convert_ushortn (word);
#else
  return min (word >> (ushortn) (SHIFT), (ushortn) (MAX_VALUE));
#endif
}

/* The values at x to x + LANES - 1 of a row of the frame, where FITS holds. */
static ushortn
load_fitting (__global const uchar * row, int x)
{
#if PACKED
  return LOAD_LOOSE (loose_ushort16, row + 2 * x) & (ushort) 255;
#elif VECTORS
  return values_of (LOAD_SAMPLES (row + BYTES * x));
#else
  return 0;
#endif
}

/* As load_fitting, anywhere. */
static ushortn
load_values (__global const uchar * row, int x, int width)
{
  /* If all of them are mirrored once, the last one is at this sample. */
  int last = x < 0 ? 1 - LANES - x : 2 * width - 1 - LANES - x;
  sample lanes[LANES];

  if (FITS (x, width))
    return load_fitting (row, x);
  if (FITS (last, width) && (x < 0 || x >= width))
    return load_fitting (row, last).REVERSED;
  for (int i = 0; i < LANES; i++)
    lanes[i] = *(__global const sample *) (row
        + reflect (x + i, width) * PIXEL_STRIDE);
  return values_of (vloadn (0, lanes));
}

/* Eight times as much as the half as wide row of the samples from x on. */
static sumn
halve_frame_row (__global const uchar * row, int x, int width)
{
#if LANES == 16 && BYTES == 1 && PIXEL_STRIDE == 1
  if (x >= 0 && x + 2 * LANES + 2 <= width) {
    ushortn left = LOAD_LOOSE (loose_ushort16, row + x);
    ushortn right = LOAD_LOOSE (loose_ushort16, row + x + 2);
    ushort low = 255;

    return WEIGH (left & low, left >> (ushortn) (8), right & low,
        right >> (ushortn) (8));
  }
#endif
  SPLIT (ushortn, load_values (row, x, width),
      load_values (row, x + LANES, width), a, b)
  SPLIT (ushortn, load_values (row, x + 2, width),
      load_values (row, x + 2 + LANES, width), c, d)

  return WEIGH (convert_sumn (a), convert_sumn (b), convert_sumn (c),
      convert_sumn (d));
}

/* As gaussian_halve, from the frame. margin: of level, which is as high as
 * level_height with its margins */
__kernel void
sharpen_halve_frame (FRAME, __global ushort * restrict level,
    int level_stride, int level_height, int margin)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, level_height);
  int from = 2 * (x - margin) - 1, row = 2 * (y - margin) - 1;
  sumn a, b, c, d;

  if (x >= level_stride || y >= level_height)
    return;
  c = halve_frame_row (FRAME_ROW (row), from, width);
  d = halve_frame_row (FRAME_ROW (row + 1), from, width);
  for (; y < end; y++) {
    row += 2;
    a = c;
    b = d;
    c = halve_frame_row (FRAME_ROW (row), from, width);
    d = halve_frame_row (FRAME_ROW (row + 1), from, width);
    STORE_PLANE (level + (size_t) y * level_stride + x,
        FRAME_LEVEL (WEIGH (a, b, c, d)));
  }
}

/* The weighted sums of the LANES columns from x on around row y, in 16 bit.
 * inside: radius rows above and below there are */
static ushortn
convolve_frame (FRAME, int x, int y, int radius, const uint * weights,
    bool inside)
{
  __global const uchar *row = frame + offset + (size_t) y * stride;
  uintn sum;

  if (inside && FITS (x, width)) {
    sum = weights[0] * convert_uintn (load_fitting (row, x));
    for (int i = 1; i <= radius; i++)
      sum += weights[i]
          * convert_uintn (convert_sumn (load_fitting (row - i * stride, x))
          + convert_sumn (load_fitting (row + i * stride, x)));
  } else {
    sum = weights[0] * convert_uintn (load_values (row, x, width));
    for (int i = 1; i <= radius; i++)
      sum += weights[i]
          * (convert_uintn (load_values (FRAME_ROW (y - i), x, width))
          + convert_uintn (load_values (FRAME_ROW (y + i), x, width)));
  }
  return convert_ushortn (((sum << UP) + 32768u) >> 16);
}

/* Work-item (x, y): LANES samples from x * LANES on of ROWS rows from y * ROWS
 * on of out, a plane as high as the frame with a margin of radius to the left
 * and right. */
__kernel void
sharpen_columns (FRAME, __global ushort * restrict out, int out_stride,
    WEIGHTS)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);
  bool inside = y >= radius && end + radius <= height;

  if (x >= out_stride)
    return;
  for (; y < end; y++)
    STORE_PLANE (out + (size_t) y * out_stride + x, convolve_frame (FRAME_ARGS,
            x - radius, y, radius, weights, inside));
}

/* What becomes of the pixels: their differences from the blurred ones are
 * multiplied and added. Smaller ones than threshold are not. */
#define SHARPEN \
    __global uchar * restrict to, int to_offset, int to_stride, int amount, \
    int threshold
#define SHARPEN_ARGS to, to_offset, to_stride, amount, threshold

/* Writes the LANES pixels from (x, y) on, as far as the frame has them. */
static void
sharpen (ushortn blurred, int x, int y, FRAME, SHARPEN)
{
  __global uchar *row = to + to_offset + (size_t) y * to_stride;
  ushortn result;
  sample lanes[LANES];

  if (amount == BLUR && threshold == 0) {
    result = (blurred + (ushortn) (1 << UP >> 1)) >> (ushortn) (UP);
  } else {
    intn values = convert_intn (load_values (frame + offset
            + (size_t) y * stride, x, width));
    intn difference = (values << UP) - convert_intn (blurred);
    intn sum = (values << (UP + AMOUNT_BITS)) + difference * amount;

    sum = (sum + (1 << (UP + AMOUNT_BITS - 1))) >> (UP + AMOUNT_BITS);
    /* With scalar limits Oclgrind takes only the first lane for what it is. */
    sum = clamp (sum, (intn) (0), (intn) (MAX_VALUE));
    result = convert_ushortn (difference < threshold
        && -difference < threshold ? values : sum);
  }
  result <<= (ushortn) (SHIFT);

  if (FITS (x, width)) {
#if PACKED
    /* What lies between the samples was copied before. */
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
    *(__global sample *) (row + (x + i) * PIXEL_STRIDE) = lanes[i];
}

/* Work-item (x, y): LANES pixels of a row. in begins radius samples to the
 * left of the frame. */
__kernel void
sharpen_rows (__global const ushort * restrict in, int in_stride, WEIGHTS,
    FRAME, SHARPEN)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * LANES, y = get_global_id (1);

  if (x < width && y < height)
    sharpen (convolve (in + (size_t) y * in_stride + x, 1, radius, weights),
        x, y, FRAME_ARGS, SHARPEN_ARGS);
}

static ushortn
convolve_line (const ushort * in, int radius, const uint * weights)
{
  const ushort *middle = in + radius;
  uintn sum = weights[0] * LOAD_LINE (middle);

  for (int i = 1; i <= radius; i++)
    sum += weights[i] * (LOAD_LINE (middle - i) + LOAD_LINE (middle + i));
  return convert_ushortn ((sum + 32768u) >> 16);
}

/* sharpen_columns and sharpen_rows in one. Work-item (x, y): TILE columns of
 * ROWS rows. */
__kernel void
sharpen_direct (FRAME, WEIGHTS, SHARPEN)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * TILE, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height), n = min (TILE, width - x);
  bool inside = y >= radius && end + radius <= height;
  ushort line[TILE + 2 * MAX_RADIUS + LANES];

  for (; y < end; y++) {
    for (int i = 0; i < n + 2 * radius; i += LANES)
      STORE_LINE (line + i, convolve_frame (FRAME_ARGS, x - radius + i, y,
              radius, weights, inside));
    for (int i = 0; i < n; i += LANES)
      sharpen (convolve_line (line + i, radius, weights), x + i, y, FRAME_ARGS,
          SHARPEN_ARGS);
  }
}

/* Work-item (x, y): 2 * LANES pixels from 2 * x * LANES on of 2 * ROWS rows
 * from 2 * y * ROWS on. in begins two samples to the left of and above the
 * frame. */
__kernel void
sharpen_double (__global const ushort * restrict in, int in_stride, FRAME,
    SHARPEN)
{
  int x = get_global_id (0) * LANES, y = 2 * get_global_id (1) * ROWS;
  int end = min (y + 2 * ROWS, height);
  ushortn even0, odd0, even1, odd1, even2, odd2, blurred[4];

  if (2 * x >= width || y >= height)
    return;
  in += (size_t) (y / 2 + 1) * in_stride + x + 1;
  double_row (in, &even1, &odd1);
  double_row (in + in_stride, &even2, &odd2);
  for (; y < end; y += 2) {
    even0 = even1;
    odd0 = odd1;
    even1 = even2;
    odd1 = odd2;
    double_row (in + 2 * in_stride, &even2, &odd2);
    in += in_stride;

    merge (nearer (even1, even0), nearer (odd1, odd0), &blurred[0],
        &blurred[1]);
    merge (nearer (even1, even2), nearer (odd1, odd2), &blurred[2],
        &blurred[3]);
    /* PoCL inlines what is called in one place; a call costs all registers. */
    for (int i = 0; i < 4; i++)
      if (y + i / 2 < end)
        sharpen (blurred[i], 2 * x + i % 2 * LANES, y + i / 2, FRAME_ARGS,
            SHARPEN_ARGS);
  }
}
