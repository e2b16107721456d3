/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Unsharp mask with a small Gaussian in one launch, for CPUs: convolves the
 * columns and then the rows of a tile. The algorithm is described in
 * docs/algorithms/sharpen.md. */

/* Number of samples in a vector; only 16 is supported. */
#ifndef LANES
#define LANES 16
#endif

/* Number of columns of a work-item: a multiple of 2 * LANES. Its sums of
 * columns stay in the cache. */
#ifndef TILE
#define TILE 256
#endif

#include "base/dot.h"
#include "sharpen/frame.h"

/* Load and store 16 values in private memory, at any address. */
#define LOAD_VALUES(p) (((const loose_ushort16 *) (p))->v)
#define STORE_VALUES(p, value) (((loose_ushort16 *) (p))->v = (value))
/* Loads 32 values as 16 words of two. They are loaded as ushorts: Mesa 22.3.6
 * assumes that words in private memory are aligned. */
#define LOAD_WORDS(p) ((uint16) (as_uint8 (LOAD_VALUES (p)), \
    as_uint8 (LOAD_VALUES ((p) + 16))))

/* Holds the weights of neighbours in the two halves of words. The first word of
 * from holds the weights of the first and second tap, the first word of behind
 * those of no tap and of the first tap. rest holds the part of the middle
 * weight that does not fit into a signed half. */
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

/* SIGN subtracts 2^15 from values of 16 bits, to make them signed. SIGN_OF_SUM
 * is added to sums of such values: 2^15 times the sum of all weights. */
#define SIGN(v) ((v) ^ (ushort) (DEPTH == 16 ? 0x8000 : 0))
#define SIGN_OF_SUM (DEPTH == 16 ? 0x80000000u : 0u)

/* Returns the lower halves of words as signed numbers. */
#define SIGNED(words) as_uintn (as_intn ((words) << 16) >> 16)

/* Computes the sums of the columns from x on around row y (first) and around
 * the next row (second), in 16 bits less 2^15. The parameter rows holds the
 * offsets of the rows from y - radius on in the frame. */
static void
convolve_rows (global const uchar * frame, const size_t * rows, int x,
    int width, const Factors * f, ushort * first, ushort * second)
{
  uintn sum = SIGN_OF_SUM, next = SIGN_OF_SUM, words[2];
  bool fits = FITS (x, width);

  for (int k = 0; k <= f->radius; k++) {
    if (fits) {
      words[0] = convert_uintn (SIGN (load_fitting (frame + rows[2 * k], x)));
      words[1] =
          convert_uintn (SIGN (load_fitting (frame + rows[2 * k + 1], x)));
    } else {
      for (int i = 0; i < 2; i++)
        words[i] = convert_uintn (SIGN (load_values (frame + rows[2 * k + i],
                    x, width)));
    }
    words[0] |= words[1] << 16;
    sum = add_dot (sum, words[0], f->from[k]);
    next = add_dot (next, words[0], f->behind[k]);
  }
  if (f->rest > 0) {
    sum += f->rest * SIGNED (convert_uintn (SIGN (load_values (frame
                    + rows[f->radius], x, width))));
    next += f->rest * SIGNED (convert_uintn (SIGN (load_values (frame
                    + rows[f->radius + 1], x, width))));
  }
  STORE_VALUES (first, convert_ushortn (((sum << UP) + 32768u) >> 16)
      ^ (ushort) 0x8000);
  STORE_VALUES (second, convert_ushortn (((next << UP) + 32768u) >> 16)
      ^ (ushort) 0x8000);
}

/* Replaces 2 * LANES values, less 2^15, by the sums around the values that lie
 * radius places behind them. */
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

/* Work-item (x, y) sharpens TILE columns of ROWS rows, an even number. */
kernel void
sharpen_direct (FRAME, WEIGHTS, SHARPEN)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * TILE, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height), n = min (TILE, width - x);
  ushort lines[2][TILE + 2 * MAX_RADIUS + 2 * LANES];
  size_t rows[2 * MAX_RADIUS + 2];
  Factors factors;

  make_factors (&factors, radius, weights);
  for (; y < end; y += 2) {
    for (int i = 0; i < 2 * radius + 2; i++)
      rows[i] = offset + (size_t) reflect (y - radius + i, height) * stride;
    for (int i = 0; i < n + 2 * radius; i += LANES)
      convolve_rows (frame, rows, x - radius + i, width, &factors,
          lines[0] + i, lines[1] + i);
    for (int k = 0; k < min (2, end - y); k++) {
      for (int i = 0; i < n; i += 2 * LANES)
        convolve_line (lines[k] + i, &factors);
      for (int i = 0; i < n; i += LANES)
        sharpen (LOAD_VALUES (lines[k] + i), x + i, y + k, FRAME_ARGS,
            SHARPEN_ARGS);
    }
  }
}
