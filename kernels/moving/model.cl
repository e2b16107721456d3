/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares a frame with the background model, which has two modes (mean, deviation and weight)
 * at each pixel of the reduced frame, and updates the model. The algorithm is described in
 * docs/algorithms/moving.md. */
#include "moving/moving.h"
#include "moving/light.h"

#ifndef HAS_CHROMA
#define HAS_CHROMA 1
#endif

/* Minimum weight at which the second mode belongs to the background */
#define BACKGROUND 9000

/* Parameters of a learning step. @rate: learning rate of the weights, at least 1. @moves: the
 * value of @rate in frames in which the weights change, otherwise 0. @number: number of preceding
 * frames */
#define STEP int kappa, int rate, int moves, int number, int drops_evidence
#define YOUNG 50

/* Parameters that describe the change of brightness: the tone curve and the field of @columns x
 * @rows blocks, in @light. @table: for each column and then for each row of pixels, its position
 * between the centers of blocks. @columns is 0 if there is no field. */
#define LIGHT global const int *light, global const int *table, int columns, int rows

/* Returns n / d for n below 2^24 and d from 1 to 2^24. */
static intn
divide (intn n, intn d)
{
#if LANES == 1
  return n / d;
#else
  intn q = convert_intn (convert_floatn (n) * reciprocal (convert_floatn (d)));
  intn rest = n - q * d;

  /* Corrects the estimated quotient, whose error is at most 1. */
  q += WHERE (rest >= d, 1, 0);
  return q - WHERE (rest < 0, 1, 0);
#endif
}

/* Number of columns of blocks that LANES pixels may need for interpolation */
#define N_STEPS ((LANES + MOVING_MIN_BLOCK - 1) / MOVING_MIN_BLOCK + 1)

#if LANES == 1
#define GET_LANE(v) (v)
#else
#define GET_LANE(v) ((v).s0)
#endif

/* Returns 256 times the change of brightness at the center of column @c of blocks, interpolated
 * between the rows @up and @down of blocks. */
static int
get_column (global const int *up, global const int *down, int ay, int c, int columns)
{
  c = clamp (c, 0, columns - 1);
  return up[c] * (256 - ay) + down[c] * ay;
}

/* Returns the change of brightness by the field, interpolated for LANES pixels starting at (x,
 * y). */
static intn
get_field (LIGHT, int width, int x, int y)
{
  int fy = table[MOVING_N_LUMA + width + MOVING_MARGIN + y], ay = fy & 255;
  global const int *up = light + MOVING_FIELD_AT + clamp (fy >> 8, 0, rows - 1) * columns;
  global const int *down = light + MOVING_FIELD_AT + clamp ((fy >> 8) + 1, 0, rows - 1) * columns;
  intn fx = vloadn (0, table + MOVING_N_LUMA + x), ax = fx & 255, column = fx >> 8;
  int first = GET_LANE (column), now, next = get_column (up, down, ay, first, columns);
  intn f = 0;

#pragma unroll
  for (int i = 0; i < N_STEPS; i++) {
    now = next;
    next = get_column (up, down, ay, first + i + 1, columns);
    f = WHERE (column == first + i, (256 - ax) * now + ax * next, f);
  }
  return (f + 32768) >> 16;
}

/* Returns the change of brightness, by the tone curve and the field, of LANES pixels starting at
 * (x, y). @m: mean of the background at these pixels */
static intn
get_light (LIGHT, global const ushort * m, int width, int x, int y)
{
  int found[LANES];
  intn f = 0;

  for (int l = 0; l < LANES; l++)
    found[l] = get_tone (light, m[l]);
  if (columns > 0)
    f = get_field (light, table, columns, rows, width, x, y);
#if LANES == 1
  return f + found[0];
#else
  return f + vloadn (0, found);
#endif
}

/* A mode of the background model at LANES pixels: mean m, weight w and deviation s */
typedef struct
{
  intn m, w, s;
} Mode;

static intn
get_evidence (Mode mode, intn x, intn blink, int kappa)
{
  intn t = ((kappa * 8 * mode.s * (16 + blink)) >> 8) + 24;

  return min (divide (absolutes (x - mode.m) * 64, t), (intn) 255);
}

/* Moves the mean of a mode towards the value @x, and its deviation towards the distance of @x from
 * the mean. */
static Mode
hit_mode (Mode mode, intn x, STEP)
{
  intn d = x - mode.m, r = 0, q, z, next, rounding = 0;

#pragma unroll
  for (int i = 1; i <= 5; i++)
    r = WHERE (mode.w >= ((1 << i) - 1) * rate, i, r);
  rounding = ((intn) (1) << r) >> 1;
  mode.m = max (mode.m + ((d + rounding) >> r), (intn) 0);
  q = max (r, (intn) 4);
  z = absolutes (d) - 8 * mode.s;
  next = (8 * mode.s + ((z + (((intn) (1) << q) >> 1)) >> q) + 4) >> 3;
  next += WHERE (next == mode.s && z > 64, 1, 0);
  next -= WHERE (next == mode.s && z < -8 && (intn) (number % 8) == 0, 1, 0);
  mode.s = clamp (next, (intn) 2, (intn) 255);
  return mode;
}

/* Returns (w * a) >> 16, for w and a below 65536. */
static intn
take_part (intn w, int a)
{
  return as_intn ((as_uintn (w) * (uint) a) >> 16);
}

static Mode
choose (intn condition, Mode a, Mode b)
{
  Mode mode;

  mode.m = WHERE (condition, a.m, b.m);
  mode.w = WHERE (condition, a.w, b.w);
  mode.s = WHERE (condition, a.s, b.s);
  return mode;
}

/* Returns the sum of the absolute differences of both chroma components from the chroma
 * of the background. The background's chroma is multiplied by @u / 256, to adapt it to
 * the brightness of the frame. */
static intn
compare_chroma (intn cb, intn cr, intn cb0, intn cr0, intn u)
{
  return absolutes (cb - 128 - (((cb0 - 128) * u) >> 8))
      + absolutes (cr - 128 - (((cr0 - 128) * u) >> 8));
}

static intn
step_towards (intn from, intn to, intn most)
{
  return from + clamp (to - from, -most, most);
}

/* Updates both modes with the value @x. @ea and @eb tell how badly @x fits the first and the
 * second mode. Returns -1 where a hit made the weight of the second mode large enough to count
 * as background. */
static intn
learn_modes (Mode * first, Mode * second, intn x, intn ea, intn eb, STEP)
{
  Mode a = *first, b = *second, other, none;
  intn hits_a = WHERE (a.w > 0 && ea <= 64, -1, 0);
  intn hits_b = WHERE (b.w > 0 && eb <= 64, -1, 0) & ~hits_a;
  intn misses = ~(hits_a | hits_b), appears;

  other = hit_mode (a, x, kappa, rate, moves, number, drops_evidence);
  other.w += take_part (65535 - a.w, moves);
  a.w -= take_part (a.w, moves);
  a = choose (hits_a != 0, other, a);
  other = hit_mode (b, x, kappa, rate, moves, number, drops_evidence);
  other.w += take_part (65535 - b.w, moves);
  appears = WHERE (hits_b != 0 && b.w < BACKGROUND && other.w >= BACKGROUND, -1, 0);
  b.w -= take_part (b.w, moves);
  b = choose (hits_b != 0, other, b);
  /* Replaces the second mode after a miss, unless its weight is large, so that a single noisy frame
   * does not delete it. */
  none = b;
  none.w -= none.w >> 4;
  other.m = max (x, (intn) 0);
  other.w = rate;
  other.s = 10;
  other = choose ((intn) (number) >= YOUNG && b.w > 16 * rate, none, other);
  b = choose (misses != 0, other, b);
  *first = choose (b.w > a.w, b, a);
  *second = choose (b.w > a.w, a, b);
  return appears;
}

/* Updates the background at LANES pixels starting at (x0, y). In lanes beyond the image, writes 0
 * to the planes whose margins other kernels add up. */
static void
learn (LIGHT, STEP, global ushort * words, global uchar * bytes, global ushort * followed,
    global ushort * shown, int shown_at, LAYOUT, int x0, int y)
{
  int at = AT (x0, y);
  bool is_first = number == 0;
  intn f = get_light (light, table, columns, rows, WORD (MOVING_M0) + at, width, x0, y);
  intn v = LOAD_WORDS (MOVING_VALUE, at), x = v - f;
  intn blinks = LOAD_BYTES (MOVING_BLINK, at), blink = blinks & 127;
  intn bits = is_first ? (intn) (0) : LOAD_BYTES (MOVING_BITS, at) & 1;
  intn smoothed = drops_evidence || is_first ? (intn) (0) : LOAD_BYTES (MOVING_SMOOTHED, at);
  Mode a, b;
  intn e, ea, eb, appears, raw, shade = 0, inside, before;

  a.m = LOAD_WORDS (MOVING_M0, at);
  a.w = LOAD_WORDS (MOVING_W0, at);
  a.s = LOAD_BYTES (MOVING_S0, at);
  b.m = LOAD_WORDS (MOVING_M1, at);
  b.w = LOAD_WORDS (MOVING_W1, at);
  b.s = LOAD_BYTES (MOVING_S1, at);
  ea = get_evidence (a, x, blink, kappa);
  eb = get_evidence (b, x, blink, kappa);
  e = WHERE (b.w >= BACKGROUND, min (ea, eb), ea);
  appears = learn_modes (&a, &b, x, ea, eb, kappa, rate, moves, number, drops_evidence);
#if HAS_CHROMA
  intn cb = LOAD_BYTES (MOVING_CB, at), cr = LOAD_BYTES (MOVING_CR, at);
  intn cb0 = LOAD_BYTES (MOVING_CB0, at), cr0 = LOAD_BYTES (MOVING_CR0, at);
  intn c = compare_chroma (cb, cr, cb0, cr0, max (256 + 177 * f / 2048, (intn) 64));
  intn seen = WHERE (e <= 64 && (bits == 0 || (intn) (number % 8) == 0), -1, 0), all;
  intn most = 1 + (absolutes (f) >> 6);

  c = divide (64 * c, ((20 * (16 + blink)) >> 4) + (absolutes (f) >> 5));
  all = WHERE (appears != 0 || (intn) (number) == 0, -1, 0);
  cb0 = WHERE (all != 0, cb, WHERE (seen != 0, step_towards (cb0, cb, most), cb0));
  cr0 = WHERE (all != 0, cr, WHERE (seen != 0, step_towards (cr0, cr, most), cr0));
  STORE_BYTES (cb0, MOVING_CB0, at);
  STORE_BYTES (cr0, MOVING_CR0, at);
  e = max (e, min (c, (intn) 255));
#endif
  a.m = max (a.m + ((f + 8) >> 4), (intn) 0);
  b.m = max (b.m + ((f + 8) >> 4), (intn) 0);
#if HAS_CHROMA
  intn d = x - a.m, level = a.m >> 6, near = (6 * level * level) >> 13;

  c = compare_chroma (cb, cr, cb0, cr0, 256 + 256 * d / 2600);
  shade = WHERE (d <= -48 && d >= -1600, 2 + WHERE (c <= near, 1, 0)
      + WHERE (c <= max (near, (intn) 6), 4, 0), 0);
#endif
  raw = WHERE (e > 64, 128, 0);
  blink = WHERE (raw > 0 && blinks < 128 && bits == 0, min (blink + 12, (intn) 96),
      WHERE ((intn) (number % 4) == 0, max (blink - 1, (intn) 0), blink));
  if (is_first) {
    a.m = v;
    a.w = 65535;
    a.s = b.s = 10;
    b.m = b.w = 0;
    blink = raw = e = shade = 0;
  }
  before = is_first ? (intn) (0) : convert_intn (vloadn (0, followed + at));
  f = is_first ? (intn) (0) : f;
  vstoren (convert_ushortn (before + f), 0, shown + shown_at + at);
  vstoren (convert_ushortn (before + ((f + 8) >> 4)), 0, followed + at);
  inside = WHERE (COLUMNS_FROM (x0) < width, 1, 0);
  STORE_WORDS (a.m, MOVING_M0, at);
  STORE_WORDS (a.w, MOVING_W0, at);
  STORE_BYTES (a.s, MOVING_S0, at);
  STORE_WORDS (b.m, MOVING_M1, at);
  STORE_WORDS (b.w, MOVING_W1, at);
  STORE_BYTES (b.s, MOVING_S1, at);
  STORE_WORDS (max (x, (intn) 0), MOVING_X, at);
  STORE_BYTES (blink | raw, MOVING_BLINK, at);
  STORE_BYTES (((min (e, (intn) 192) + smoothed + 1) >> 1) * inside, MOVING_SMOOTHED, at);
  STORE_BYTES (e, MOVING_EVIDENCE, at);
  STORE_BYTES (shade, MOVING_SHADE, at);
}

/* Skips LANES pixels of a flat frame, starting at (x0, y): does not change the background, and sets
 * the evidence of motion to 0. */
static void
pass (LIGHT, int drops_evidence, global ushort * words, global uchar * bytes,
    global const ushort * followed, global ushort * shown, int shown_at, LAYOUT, int x0, int y)
{
  int at = AT (x0, y);
  intn f = get_light (light, table, columns, rows, WORD (MOVING_M0) + at, width, x0, y);
  intn smoothed = drops_evidence ? (intn) (0) : LOAD_BYTES (MOVING_SMOOTHED, at);

  vstoren (convert_ushortn (convert_intn (vloadn (0, followed + at)) + f), 0,
      shown + shown_at + at);
  STORE_BYTES (smoothed, MOVING_SMOOTHED, at);
  STORE_BYTES ((intn) (0), MOVING_EVIDENCE, at);
  STORE_BYTES ((intn) (0), MOVING_SHADE, at);
}

kernel void
moving_learn (LIGHT, STEP, global ushort * words, global uchar * bytes, global ushort * followed,
    global ushort * shown, int shown_at, LAYOUT)
{
  int y = get_global_id (1);
  bool is_flat = light[MOVING_FLAT_AT] != 0;

  if (y >= height)
    return;
  for (int x = (int) get_global_id (0) * LANES; x < width; x += (int) get_global_size (0) * LANES)
    if (is_flat)
      pass (light, table, columns, rows, drops_evidence, words, bytes, followed, shown, shown_at,
          LAYOUT_VALUES, x, y);
    else
      learn (light, table, columns, rows, kappa, rate, moves, number, drops_evidence, words, bytes,
          followed, shown, shown_at, LAYOUT_VALUES, x, y);
}
