/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The frame in all sizes, gradients, and what lies outside of the frame. */

/* Samples that a work-item makes side by side: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Work-items that share a row: of those of a class, and of the classes. */
#ifndef COLUMNS
#define COLUMNS 1
#endif
#ifndef CLASSES
#define CLASSES 1
#endif

#include "fhog.cl"

/* A pixel is 4 numbers of 16 bits; processors take 4 pixels at a time. */
#if LANES == 1
#define PIXELS 1
typedef ushort4 pixels;
#define LOAD_BYTES(p) convert_ushort4 (LOAD_LOOSE (loose_uchar4, p))
#define LOAD_PIXELS(p) (*(p))
#define STORE_PIXELS(p, value) (*(p) = (value))
#define SHARE(sample, share) mul_hi (sample, share)
#else
#define PIXELS 4
typedef ushort16 pixels;
#define LOAD_BYTES(p) convert_ushort16 (LOAD_LOOSE (loose_uchar16, p))
#define LOAD_PIXELS(p) LOAD_LOOSE (loose_ushort16, p)
#define STORE_PIXELS(p, value) STORE_LOOSE (loose_ushort16, p, value)
/* What mul_hi() gives, which PoCL composes of four products; compilers know this
 * one as one instruction. */
#define SHARE(sample, share) convert_ushort16 \
    ((convert_uint16 (sample) * convert_uint16 (share)) >> 16)
#endif

/* Work-item (i, n): every COLUMNS-th pixel or four, from the i-th on, of row n
 * of the list, of rows of the frame or of a picture. in: 4 bytes for a pixel */
kernel void
fhog_rows (const global uchar * restrict in, int offset, int stride,
    const global int *restrict plan, int list,
    const global ushort4 *restrict samples, global ushort4 * restrict tall)
{
  const global int *entry = plan + list + 2 * get_global_id (1);
  const global int *picture = plan + PICTURE * entry[0];
  int width = picture[SOURCE_WIDTH], source = picture[SOURCE];
  int taps = picture[ROW_TAPS], y = entry[1];
  const global int *table = plan + picture[ROW_TABLE] + 2 * taps * y;
  global ushort4 *out = tall + picture[TALL] + (size_t) y * width;

  for (int i = PIXELS * get_global_id (0); i < width; i += PIXELS * COLUMNS) {
    int x = min (i, width - PIXELS);
    pixels sum = 0;

    for (int tap = 0; tap < taps; tap++) {
      pixels sample;

      if (source < 0)
        sample = LOAD_BYTES (in + offset + (size_t) table[tap] * stride
            + 4 * x) << (pixels) (8);
      else
        sample = LOAD_PIXELS (samples + source + (size_t) table[tap] * width
            + x) << (pixels) (1);
      sum += SHARE (sample, (pixels) ((ushort) table[taps + tap]));
    }
    STORE_PIXELS (out + x, sum << (pixels) (1));
  }
}

#if LANES == 1
#define GATHER(row, at) (*((row) + *(at)))
#else
/* 4 pixels of 8 bytes. */
#define PIXEL(row, i) (((const global ulong *) (row))[i])
#define GATHER(row, at) as_ushort16 ((ulong4) (PIXEL (row, (at)[0]), \
        PIXEL (row, (at)[1]), PIXEL (row, (at)[2]), PIXEL (row, (at)[3])))
#endif

/* The channel whose byte the frame has at position. */
#if LANES == 1
#define CHANNEL(sum, position) \
    ((ushort) (as_ulong (sum[0]) >> (16 * (position))))
#else
#define CHANNEL_OF_4(sum, position) \
    convert_ushort4 (as_ulong4 (sum) >> (ulong4) (16 * (position)))
#define CHANNEL(sum, position) (ushort16) (CHANNEL_OF_4 (sum[0], position), \
    CHANNEL_OF_4 (sum[1], position), CHANNEL_OF_4 (sum[2], position), \
    CHANNEL_OF_4 (sum[3], position))
#endif

/* Work-item (i, j, n): every COLUMNS-th vector of samples, from the i-th on, of
 * every CLASSES-th class from j on of row n of the list. */
kernel void
fhog_columns (const global ushort4 * restrict tall,
    const global int *restrict plan, int list, int red, int green, int blue,
    global ushort4 * restrict samples, global ushort * restrict planes)
{
  const global int *entry = plan + list + 2 * get_global_id (2);
  const global int *picture = plan + PICTURE * entry[0];
  int y = entry[1], width = picture[WIDTH], pitch = picture[PITCH];
  int taps = picture[COLUMN_TAPS], plane = picture[PLANE];
  const global ushort4 *row =
      tall + picture[TALL] + (size_t) y * picture[SOURCE_WIDTH];
  const global int *columns = plan + picture[COLUMN_TABLE];
  const global ushort4 *shares = (const global ushort4 *)
      (columns + CLASSES_OF_ROW * pitch * taps);
  global ushort4 *copy = samples + picture[SAMPLES] + (size_t) y * width;

  for (int class = get_global_id (1); class < CLASSES_OF_ROW;
      class += CLASSES) {
    global ushort *out = planes + picture[PLANES]
        + ((size_t) y * CLASSES_OF_ROW + class) * pitch;

    for (int i = LANES * get_global_id (0);
        CLASSES_OF_ROW * i + class - SHIFT < width; i += LANES * COLUMNS) {
      int at = class * pitch + i, x = CLASSES_OF_ROW * i + class - SHIFT;
      pixels sum[LANES / PIXELS];
#if LANES > 1
      ulong lanes[LANES];
#endif

#pragma unroll
      for (int k = 0; k < LANES / PIXELS; k++)
        sum[k] = 0;
      for (int tap = 0; tap < taps; tap++, at += CLASSES_OF_ROW * pitch) {
#pragma unroll
        for (int k = 0; k < LANES / PIXELS; k++) {
          const global int *from = columns + at + PIXELS * k;

          sum[k] += SHARE (GATHER (row, from),
              LOAD_PIXELS (shares + at + PIXELS * k));
        }
      }
      STORE (loose_ushortn, out + i, CHANNEL (sum, red));
      STORE (loose_ushortn, out + i + plane, CHANNEL (sum, green));
      STORE (loose_ushortn, out + i + 2 * plane, CHANNEL (sum, blue));
      if (picture[SAMPLES] < 0)
        continue;
#if LANES == 1
      if (x >= 0)
        copy[x] = sum[0];
#else
#pragma unroll
      for (int k = 0; k < LANES / PIXELS; k++)
        vstore4 (as_ulong4 (sum[k]), k, lanes);
      for (int k = 0; k < LANES; k++, x += CLASSES_OF_ROW)
        if (x >= 0 && x < width)
          ((global ulong *) copy)[x] = lanes[k];
#endif
    }
  }
}

#define LOAD_SAMPLE(p) convert_intn (LOAD (loose_ushortn, p))

/* The gradient at p: which of 18 directions, and 32 times its length. */
static uintn
find_gradient (const global ushort * p, int plane, int left, int right,
    int up, int down)
{
  intn dx = LOAD_SAMPLE (p + right) - LOAD_SAMPLE (p + left);
  intn dy = LOAD_SAMPLE (p + down) - LOAD_SAMPLE (p + up);
  intn most = dx * dx + dy * dy, turn, flip, ax, ay, q;
  floatn length;

#pragma unroll
  for (int i = 0; i < 2; i++) {
    intn a, b, square;

    p += plane;
    a = LOAD_SAMPLE (p + right) - LOAD_SAMPLE (p + left);
    b = LOAD_SAMPLE (p + down) - LOAD_SAMPLE (p + up);
    square = a * a + b * b;
    dx = square > most ? a : dx;
    dy = square > most ? b : dy;
    most = square > most ? square : most;
  }

  /* Half a turn, so that dy is not below 0; then a mirror, so that dx is not.
   * turn and flip are -1 where that was done. Then four borders between five
   * directions; of two that are equally near the first counts, which the mirror
   * makes the second. */
  turn = dy >> 31;
  ay = (dy ^ turn) - turn;
  dx = (dx ^ turn) - turn;
  flip = dx >> 31;
  ax = (dx ^ flip) - flip;
  q = (ax * 603 - ay * 3420) >> 31;
  q += (ax * 1737 + flip - ay * 3008) >> 31;
  q += (ax * 2660 + flip - ay * 2232) >> 31;
  q += (ax * 3264 + flip - ay * 1188) >> 31;
  q = (flip - (q ^ flip)) + (flip & 9) + (turn & 9);
  q = q == 18 ? (intn) (0) : q;
  length = root (convert_floatn (most)) + 0.5f;
  return as_uintn (convert_intn (length) << 5 | q);
}

/* Work-item (i, j, n): as above, of rows that have neighbours. The columns at
 * the edges, and those beyond, have the gradients of their neighbours; left of
 * pixel 1 there are none. */
kernel void
fhog_gradients (const global ushort * restrict planes,
    const global int *restrict plan, int list, global uint * restrict gradients)
{
  const global int *entry = plan + list + 2 * get_global_id (2);
  const global int *picture = plan + PICTURE * entry[0];
  int y = entry[1], pitch = picture[PITCH], plane = picture[PLANE];
  int last = picture[WIDTH] - 2, below = CLASSES_OF_ROW * pitch;
  const global ushort *row = planes + picture[PLANES] + (size_t) y * below;
  global uint *out = gradients + picture[GRADIENTS] + (size_t) y * below;

  for (int class = get_global_id (1); class < CLASSES_OF_ROW;
      class += CLASSES) {
    for (int i = LANES * get_global_id (0);
        CLASSES_OF_ROW * i + class - SHIFT < last + CLASSES_OF_ROW;
        i += LANES * COLUMNS) {
#if LANES == 1
      int x = CLASSES_OF_ROW * i + class - SHIFT;
      int at = clamp (x, 1, last) + SHIFT, c = at & (CLASSES_OF_ROW - 1);
      int before = c == 0 ? (CLASSES_OF_ROW - 1) * pitch - 1 : -pitch;
      int after = c == CLASSES_OF_ROW - 1 ? 1 - (CLASSES_OF_ROW - 1) * pitch
          : pitch;
      uint value = find_gradient (row + c * pitch + at / CLASSES_OF_ROW, plane,
          before, after, -below, below);

      out[class * pitch + i] = x < 1 ? 0 : value;
#else
      int before = class == 0 ? (CLASSES_OF_ROW - 1) * pitch - 1 : -pitch;
      int after = class == CLASSES_OF_ROW - 1
          ? 1 - (CLASSES_OF_ROW - 1) * pitch : pitch;

      STORE (loose_uintn, out + class * pitch + i,
          find_gradient (row + class * pitch + i, plane, before, after, -below,
              below));
#endif
    }
  }
#if LANES > 1
#define AT(x) out[(((x) + SHIFT) & (CLASSES_OF_ROW - 1)) * pitch \
    + ((x) + SHIFT) / CLASSES_OF_ROW]
  for (int x = -SHIFT; x < 1; x++)
    AT (x) = 0;
  for (int x = last + 1; x < last + CLASSES_OF_ROW; x++)
    AT (x) = AT (last);
#endif
}

/* Work-item (i, n): what lies outside of the cells with features, of row n of
 * the list, padding included. */
kernel void
fhog_padding (const global int *restrict plan, int levels, int list,
    int columns, global float *restrict out)
{
  const global int *entry = plan + list + 2 * get_global_id (1);
  const global int *level = plan + levels + LEVEL * entry[0];
  int inner = level[CELLS_X] - 2, y = entry[1] - level[PAD_Y];
  int is_row = y < 0 || y >= level[CELLS_Y] - 2;
  global float *row = out + (size_t) FEATURES * (level[FIRST_CELL]
      + (size_t) entry[1] * level[COLUMNS_OUT]);

  for (int x = get_global_id (0); x < level[COLUMNS_OUT]; x += columns)
    if (is_row || x < level[PAD_X] || x >= level[PAD_X] + inner)
      for (int i = 0; i < FEATURES; i++)
        row[FEATURES * x + i] = FEATURES == 32 && i == FEATURES - 1;
}
