/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Unsharp mask with a small Gaussian in one kernel launch, for CPUs. Convolves the columns of a
 * tile, and then its rows. The algorithm is described in docs/algorithms/sharpen.md. */

/* Number of samples of a vector; must be 16. */
#ifndef LANES
#define LANES 16
#endif

/* Number of columns that a work-item sharpens, a multiple of 2 * LANES. It is small enough for
 * the sums of these columns to stay in the cache. */
#ifndef TILE
#define TILE 256
#endif

#include "base/dot.h"
#include "sharpen/frame.h"

/* LOAD_VALUES and STORE_VALUES load and store 16 values in private memory, at any address. */
#define LOAD_VALUES(p) (((const loose_ushort16 *) (p))->v)
#define STORE_VALUES(p, value) (((loose_ushort16 *) (p))->v = (value))
/* Loads 32 values as 16 words of two values. Loads them as ushorts, because Mesa 22.3.6 assumes
 * that words in private memory are aligned. */
#define LOAD_WORDS(p) ((uint16) (as_uint8 (LOAD_VALUES (p)), \
    as_uint8 (LOAD_VALUES ((p) + 16))))

/* Weights of adjacent taps, in pairs: each word contains two weights. The first word of @from
 * contains the weights of the first and second tap. The first word of @behind contains 0 and the
 * weight of the first tap. @rest is the part of the center weight that does not fit into a
 * signed half of a word. */
typedef struct
{
  int radius;
  uint from[MAX_RADIUS + 1], behind[MAX_RADIUS + 1];
  uint rest;
} Factors;

static void
make_factors (Factors * f, int radius, const uint * weights)
{
  uint last = 0;

  f->radius = radius;
  f->rest = weights[0] - min (weights[0], 32767u);
  for (int k = 0; k <= radius; k++) {
    uint first = weights[abs (radius - 2 * k)] - (2 * k == radius ? f->rest : 0);
    uint second = k == radius ? 0 : weights[abs (radius - 2 * k - 1)]
        - (2 * k + 1 == radius ? f->rest : 0);

    f->from[k] = first | second << 16;
    f->behind[k] = last | first << 16;
    last = second;
  }
}

/* SIGN converts 16-bit values to signed values, by subtracting 2^15. SIGN_OF_SUM is the
 * correction for a weighted sum of such values: 2^15 times the sum of all weights. */
#define SIGN(v) ((v) ^ (ushort) (DEPTH == 16 ? 0x8000 : 0))
#define SIGN_OF_SUM (DEPTH == 16 ? 0x80000000u : 0u)

/* Returns the lower halves of @words as signed values. */
#define SIGNED(words) as_uintn (as_intn ((words) << 16) >> 16)

/* Returns the values at columns x to x + LANES - 1 of a row of the frame. After the end of the
 * row, the last value is repeated. */
static ushortn
load_columns (global const uchar * row, int x, int width)
{
  sample lanes[LANES];

  if (FITS (x, width))
    return load_fitting (row, x);
  for (int i = 0; i < LANES; i++)
    lanes[i] = *(global const sample *) (row
        + min (x + i, width - 1) * PIXEL_STRIDE);
  return values_of (vloadn (0, lanes));
}

/* Convolves LANES columns vertically, starting at column @x.
 * @rows: read, offsets in the frame of the rows starting at row y - radius
 * @fits: false if some columns may lie after the end of the rows
 * @first: written, weighted sums around row y, as 16-bit values minus 2^15
 * @second: written, weighted sums around row y + 1, in the same form */
static void
convolve_columns (global const uchar * frame, const size_t * rows, int x,
    int width, bool fits, const Factors * f, ushort * first, ushort * second)
{
  uintn sum = SIGN_OF_SUM, next = SIGN_OF_SUM;
  ushortn values[2];

  for (int k = 0; k <= f->radius; k++) {
    uintn words;

    for (int i = 0; i < 2; i++)
      values[i] = SIGN (fits ? load_fitting (frame + rows[2 * k + i], x)
          : load_columns (frame + rows[2 * k + i], x, width));
    words = pair_words (values[0], values[1]);
    sum = add_dot (sum, words, f->from[k]);
    next = add_dot (next, words, f->behind[k]);
  }
  if (f->rest > 0) {
    uintn words;

    for (int i = 0; i < 2; i++)
      values[i] = SIGN (fits ? load_fitting (frame + rows[f->radius + i], x)
          : load_columns (frame + rows[f->radius + i], x, width));
    words = pair_words (values[0], values[1]);
    sum += f->rest * SIGNED (words);
    next += f->rest * SIGNED (words >> 16);
  }
  STORE_VALUES (first, upper_halves ((sum << UP) + 32768u) ^ (ushort) 0x8000);
  STORE_VALUES (second, upper_halves ((next << UP) + 32768u)
      ^ (ushort) 0x8000);
}

/* Computes the weighted sums of @n columns, starting at column @x, like convolve_columns(), and
 * of f->radius additional columns on each side. Outside of the frame, the sums are mirrored. */
static void
convolve_rows (global const uchar * frame, const size_t * rows, int x, int n,
    int width, const Factors * f, ushort * first, ushort * second)
{
  int margin = f->radius, at = max (x - margin, 0);
  int end = min (x + n + margin, width);

  first += margin - x;
  second += margin - x;
  for (; at < end && FITS (at, width); at += LANES)
    convolve_columns (frame, rows, at, width, true, f, first + at, second + at);
  for (; at < end; at += LANES)
    convolve_columns (frame, rows, at, width, false, f, first + at,
        second + at);
  for (int i = x - margin; i < 0; i++) {
    first[i] = first[reflect (i, width)];
    second[i] = second[reflect (i, width)];
  }
  for (int i = end; i < x + n + margin; i++) {
    first[i] = first[reflect (i, width)];
    second[i] = second[reflect (i, width)];
  }
}

/* Convolves 2 * LANES values of a row in place. All values are stored minus 2^15. The result for
 * value i + radius replaces value i. */
static void
convolve_line (ushort * line, const Factors * f)
{
  uintn even = 0x80008000u, odd = 0x80008000u;

  for (int k = 0; k <= f->radius; k++) {
    even = add_dot (even, LOAD_WORDS (line + 2 * k), f->from[k]);
    odd = add_dot (odd, LOAD_WORDS (line + 2 * k + 1), f->from[k]);
  }
  if (f->rest > 0) {
    uintn words = LOAD_WORDS (line + f->radius);

    even += f->rest * SIGNED (words);
    odd += f->rest * SIGNED (words >> 16);
  }
  even = even >> 16 | (odd & 0xffff0000u);
  STORE_VALUES (line, as_ushort16 (even.lo));
  STORE_VALUES (line + 16, as_ushort16 (even.hi));
}

/* Writes blurred values to row @y of the output, starting at column @x: as many whole vectors as
 * fit into @n columns. Returns the number of columns written. Returns 0 if the output is not
 * simply the rounded blurred frame: the caller must use sharpen() then. */
static int
store_blurred (const ushort * line, int x, int y, int n, FRAME, SHARPEN)
{
  int i = 0;

#if VECTORS && !PACKED
  global uchar *row = to + to_offset + (size_t) y * to_stride + BYTES * x;

  if (IS_BLUR (amount, threshold))
    for (; i + LANES <= n; i += LANES)
      STORE_SAMPLES (row + BYTES * i,
          convert_samplen (blurred_value (LOAD_VALUES (line + i))
              << (ushortn) (SHIFT)));
#endif
  return i;
}

/* Sharpens TILE columns of ROWS rows in work-item (x, y). ROWS is even. */
kernel void
sharpen_direct (FRAME, WEIGHTS, SHARPEN)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * TILE, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height), n = min (TILE, width - x);
  ushort lines[2][TILE + 2 * MAX_RADIUS + 2 * LANES];
  size_t rows[2 * MAX_RADIUS + 2];
  Factors factors;

  /* Work-groups may extend past the edge of the frame. Returns from work-items outside of the
   * frame. */
  if (n <= 0)
    return;
  make_factors (&factors, radius, weights);
  for (; y < end; y += 2) {
    for (int i = 0; i < 2 * radius + 2; i++)
      rows[i] = offset + (size_t) reflect (y - radius + i, height) * stride;
    convolve_rows (frame, rows, x, n, width, &factors, lines[0], lines[1]);
    for (int k = 0; k < min (2, end - y); k++) {
      for (int i = 0; i < n; i += 2 * LANES)
        convolve_line (lines[k] + i, &factors);
      for (int i = store_blurred (lines[k], x, y + k, n, FRAME_ARGS,
              SHARPEN_ARGS); i < n; i += LANES)
        sharpen (LOAD_VALUES (lines[k] + i), x + i, y + k, FRAME_ARGS,
            SHARPEN_ARGS);
    }
  }
}
