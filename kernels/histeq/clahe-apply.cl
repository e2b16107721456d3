/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Looks up each sample in the tables of the four tiles around it, which clahe.cl computed, and
 * interpolates between the four results. The algorithm is described in
 * docs/algorithms/histeq.md. */
#include "histeq/bins.h"
#include "base/pixels.h"

/* VECTORS is 1 on a CPU: it processes samples in vectors where they are interpolated between the
 * same four tables. */
#define VECTORS (COUNT == COUNT_OWN && (PERMUTE || SAMPLES == 1))

/* Values that are the same for all samples of a row: the tables of the tiles above and below,
 * and their weights. */
#define LOOK
typedef struct
{
  global const sample *above, *below;
  float weight_above, weight_below;
  float inverse;                /* 1 / width of a tile, in samples */
  int tiles_x;
  int left;                     /* column of the frame that contains pixel 0 of the row */
} Look;

/* Returns the distance of pixel column (or row) x from the center of the first tile, in units of
 * tiles. */
static float
tiles_at (int x, float inverse)
{
  return (float) x * inverse - 0.5f;
}

/* Returns the index, along one axis, of the last tile whose center is at or before the position
 * @at; -1 if there is none. */
static int
tile_before (float at)
{
  return convert_int_rtz (at) - (at < 0.0f);
}

static sample
looked_up (const Look * look, int x, int i, sample s)
{
  float at = tiles_at (look->left + x, look->inverse);
  int before = tile_before (at);
  float right = at - (float) before, left = 1.0f - right, value;
  int l = max (before, 0) * COUNTERS, r = min (before + 1,
      look->tiles_x - 1) * COUNTERS;

  if (!IS_EQUALIZED (i))
    return s;
  l += BIN (i, s);
  r += BIN (i, s);
  value = ((float) look->above[l] * left + (float) look->above[r] * right)
      * look->weight_above
      + ((float) look->below[l] * left + (float) look->below[r] * right)
      * look->weight_below;
  return (round_to_uint ((floatn) (value)).s0 + LO) << SHIFT;
}

#include "histeq/row.h"

#if VECTORS
#define LANES_OF(x, step) ((float16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, \
        13, 14, 15) * (float) (step) + (float) (x))
#endif

#if PERMUTE
typedef struct
{
  ushort32 t0, t1, t2, t3;
} Table;

#define LOAD_TABLE(p) { \
    ((global const ushort32_anywhere *) (p))[0], \
    ((global const ushort32_anywhere *) (p))[1], \
    ((global const ushort32_anywhere *) (p))[2], \
    ((global const ushort32_anywhere *) (p))[3] }
#define LOOK_UP(v, t) look_up (v, t.t0, t.t1, t.t2, t.t3)
#define INTERPOLATED(half) round_half ( \
    (convert_float16 (al.half) * left + convert_float16 (ar.half) * right) \
    * look->weight_above + (convert_float16 (bl.half) * left \
        + convert_float16 (br.half) * right) * look->weight_below)

static __attribute__ ((always_inline)) ushort16
round_half (float16 value)
{
  return convert_ushort16 (as_uint16 (value + ROUND_BIAS)
      - (as_uint (ROUND_BIAS) - LO));
}

/* Returns the new values of @v, the samples of the pixels x, x + step, x + 2 step and so on. All
 * these pixels lie between the same two columns of tiles; @before is the index of the left
 * column. */
static __attribute__ ((always_inline)) ushort32
interpolate (ushort32 v, int x, int step, int before, Table above_left,
    Table above_right, Table below_left, Table below_right, const Look * look)
{
  ushort32 al = LOOK_UP (v, above_left), ar = LOOK_UP (v, above_right);
  ushort32 bl = LOOK_UP (v, below_left), br = LOOK_UP (v, below_right);
  float16 at = LANES_OF (look->left + x, step) * look->inverse - 0.5f;
  float16 right = at - (float) before, left = 1.0f - right;
  ushort16 low = INTERPOLATED (lo), high;

  at = LANES_OF (look->left + x + 16 * step, step) * look->inverse - 0.5f;
  right = at - (float) before;
  left = 1.0f - right;
  high = INTERPOLATED (hi);
  return __builtin_shufflevector (low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
      11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
      29, 30, 31);
}

#define PIXELS (64 / SAMPLES)

/* Looks up pixels @begin to @end - 1 of a row in vectors. All these pixels lie between the same
 * four tiles. A vector may write wrong values after pixel @end - 1; the caller overwrites them
 * later. Returns the index of the first pixel that was not processed. */
static int
look_up_pixels (global const uchar * from, global uchar * to, int width,
    int begin, int end, int before, const Look * look)
{
  int l = max (before, 0) * COUNTERS;
  int r = min (before + 1, look->tiles_x - 1) * COUNTERS;
  const Table al = LOAD_TABLE (look->above + l);
  const Table ar = LOAD_TABLE (look->above + r);
  const Table bl = LOAD_TABLE (look->below + l);
  const Table br = LOAD_TABLE (look->below + r);
  int x;

  for (x = begin; x < end && begin <= width - PIXELS; x += PIXELS) {
    int at = min (x, width - PIXELS);
    ushort32 v = *(global const ushort32_anywhere *) (from + at * SAMPLES);
    ushort32 low = v & (ushort) 255, high = v >> (ushort) 8;

#if SAMPLES == 1 || MASK == 1
    low = interpolate (low, at, 3 - SAMPLES, before, al, ar, bl, br, look);
#endif
#if SAMPLES == 1 || MASK == 2
    high = interpolate (high, at + 2 - SAMPLES, 3 - SAMPLES, before, al, ar,
        bl, br, look);
#endif
    *(global ushort32_anywhere *) (to + at * SAMPLES) =
        low | high << (ushort) 8;
  }
  return x;
}

#elif VECTORS
#if BYTES == 1
typedef loose_uchar16 loose_samples;
#else
typedef loose_ushort16 loose_samples;
#endif

#define PIXELS 16
#define GATHERED(t, k) (float16) (t[k.s0], t[k.s1], t[k.s2], t[k.s3], t[k.s4], \
    t[k.s5], t[k.s6], t[k.s7], t[k.s8], t[k.s9], t[k.sa], t[k.sb], t[k.sc], \
    t[k.sd], t[k.se], t[k.sf])

static int
look_up_pixels (global const uchar * from, global uchar * to, int width,
    int begin, int end, int before, const Look * look)
{
  int l = max (before, 0) * COUNTERS;
  int r = min (before + 1, look->tiles_x - 1) * COUNTERS;
  global const sample *al = look->above + l, *ar = look->above + r;
  global const sample *bl = look->below + l, *br = look->below + r;
  int x;

  for (x = begin; x < end && begin <= width - PIXELS; x += PIXELS) {
    int first = min (x, width - PIXELS);
    uint16 v = clamp (convert_uint16 (LOAD_LOOSE (loose_samples,
                from + first * BYTES)) >> (uint) SHIFT, (uint16) (LO),
        (uint16) (HI));
    float16 at = LANES_OF (look->left + first, 1) * look->inverse - 0.5f;
    float16 right = at - (float) before, left = 1.0f - right;
    float16 value = (GATHERED (al, v) * left + GATHERED (ar, v) * right)
        * look->weight_above
        + (GATHERED (bl, v) * left + GATHERED (br, v) * right)
        * look->weight_below;

    STORE_LOOSE (loose_samples, to + first * BYTES,
        convert_sample16 ((round_to_uint (value) + (uint) LO) << (uint) SHIFT));
  }
  return x;
}
#endif

#if VECTORS
static void
vectors_row (global const sample * from, global sample * to, int width,
    int tile_width, const Look * look)
{
  int before = tile_before (tiles_at (look->left, look->inverse));
  int begin = 0, x, i;

  for (; begin < width; before++) {
    int end = (2 * before + 3) * tile_width / 2;

    /* The result of tiles_at() is rounded, so that @end can be wrong by one pixel. Corrects it:
     * @end must be the first pixel for which tiles_at() gives the next tile. */
    while (tiles_at (end - 1, look->inverse) >= before + 1)
      end--;
    while (tiles_at (end, look->inverse) < before + 1)
      end++;
    end = min (end - look->left, width);
    for (x = look_up_pixels ((global const uchar *) from,
            (global uchar *) to, width, begin, end, before, look);
        x < end; x++)
      for (i = 0; i < SAMPLES; i++)
        to[x * SAMPLES + i] = looked_up (look, x, i, from[x * SAMPLES + i]);
    begin = end;
  }
}
#endif

/* Equalizes the rows of a part of a frame. All parameters are read except @out:
 * @left, @top: column and row of the frame that contain the first pixel of the part
 * @inverse_width, @inverse_height: 1 / width and 1 / height of a tile
 * @units: number of units (see UNIT) in a row; the remaining pixels are processed one by one
 * @pixels: number of pixels of a row in memory; those starting at column @width are copied */
kernel void
clahe_apply (global const uchar * in, int in_offset, int in_stride,
    global uchar * out, int out_offset, int out_stride, int width,
    int height, int units, int pixels, global const sample * table,
    int tiles_x, int tiles_y, int tile_width, float inverse_width,
    float inverse_height, int left, int top)
{
  int y;

  for (y = FIRST_ROW (height); y < END_ROW (height); y += ROW_STEP) {
    float at = tiles_at (top + y, inverse_height);
    int before = tile_before (at);
    float weight = at - (float) before;
    const Look look = {
      table + (size_t) max (before, 0) * tiles_x * COUNTERS,
      table + (size_t) min (before + 1, tiles_y - 1) * tiles_x * COUNTERS,
      1.0f - weight, weight, inverse_width, tiles_x, left
    };
    global const sample *from =
        (global const sample *) (in + in_offset + (size_t) y * in_stride);
    global sample *to =
        (global sample *) (out + out_offset + (size_t) y * out_stride);

#if VECTORS
    vectors_row (from, to, width, tile_width, &look);
    copy_rest (from, to, width, pixels, get_global_id (0));
#else
    look_up_row (from, to, width, units, pixels, get_global_id (0), &look);
#endif
  }
}
