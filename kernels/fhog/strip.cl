/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Scales the frame to all sizes and computes gradients, on CPUs: the data of a strip of rows
 * fit into the caches of a CPU. Graphics cards use scale.cl. */

/* Number of samples that a work-item computes at once: 16. */
#ifndef LANES
#define LANES 16
#endif

/* Height of a strip: number of rows of a picture (a scaled frame) that a work-item computes. */
#ifndef STRIP
#define STRIP 32
#endif

#include "fhog/fhog.h"

/* Vector type for four pixels, each with 4 samples of 16 bits. */
typedef ushort16 pixels;
#define PIXELS 4
#define LOAD_PIXELS(p) LOAD_LOOSE (loose_ushort16, p)
#define STORE_PIXELS(p, value) STORE_LOOSE (loose_ushort16, p, value)

/* Computes the upper 16 bits of each product, like mul_hi(). Compilers generate one instruction
 * for this expression; PoCL's mul_hi() takes four products. */
#define SHARE(sample, share) convert_ushort16 \
    ((convert_uint16 (sample) * convert_uint16 (share)) >> 16)

/* Scales vertically: computes row y of the picture (the scaled frame), which is still as wide
 * as its source, the frame or another picture. @in is the frame, whose pixels have 4 bytes. */
static void
scale_columns (const global uchar * in, int stride, const global int *plan,
    const global int *picture, int y, const global ushort4 * samples,
    global ushort4 * out)
{
  int width = picture[SOURCE_WIDTH], source = picture[SOURCE];
  int taps = picture[ROW_TAPS];
  const global int *table = plan + picture[ROW_TABLE] + 2 * taps * y;

  for (int i = 0; i < width; i += PIXELS) {
    int x = min (i, width - PIXELS);
    pixels sum = 0;

    for (int tap = 0; tap < taps; tap++) {
      pixels sample;

      if (source < 0)
        sample = convert_ushort16 (LOAD_LOOSE (loose_uchar16,
                in + (size_t) table[tap] * stride + 4 * x)) << (pixels) (8);
      else
        sample = LOAD_PIXELS (samples + source + (size_t) table[tap] * width
            + x) << (pixels) (1);
      sum += SHARE (sample, (pixels) ((ushort) table[taps + tap]));
    }
    STORE_PIXELS (out + x, sum << (pixels) (1));
  }
}

/* Loads 4 pixels of 8 bytes each from the columns at[0] to at[3] of a row. */
#define PIXEL(row, i) (((const global ulong *) (row))[i])
#define GATHER(row, at) as_ushort16 ((ulong4) (PIXEL (row, (at)[0]), \
        PIXEL (row, (at)[1]), PIXEL (row, (at)[2]), PIXEL (row, (at)[3])))

/* Scales a row from scale_columns() horizontally, to the width of the picture. Writes it to
 * @out, with up to 3 more pixels. Unless @copy is NULL, also writes it to @copy. */
static void
scale_row (const global ushort4 * row, const global int *plan,
    const global int *picture, global ushort4 * out, global ushort4 * copy)
{
  int width = picture[WIDTH], taps = picture[COLUMN_TAPS];
  int pitch = (width + LANES - 1) & -LANES;
  const global int *columns = plan + picture[COLUMN_TABLE];
  const global ushort4 *shares =
      (const global ushort4 *) (columns + pitch * taps);

  for (int i = 0; i < width; i += PIXELS) {
    int x = max (min (i, width - PIXELS), 0);
    pixels sum = 0;

    for (int tap = 0; tap < taps; tap++) {
      const global int *from = columns + tap * pitch + x;

      sum += SHARE (GATHER (row, from), LOAD_PIXELS (shares + tap * pitch + x));
    }
    STORE_PIXELS (out + x, sum);
    if (copy != 0)
      STORE_PIXELS (copy + x, sum);
  }
}

/* Converts a row of the frame, whose pixels have 4 bytes, to pixels of four 16-bit samples. */
static void
copy_row (const global uchar * row, int width, global ushort4 * out)
{
  for (int i = 0; i < width; i += PIXELS) {
    int x = min (i, width - PIXELS);

    STORE_PIXELS (out + x, convert_ushort16 (LOAD_LOOSE (loose_uchar16,
                row + 4 * x)) << (pixels) (7));
  }
}

/* EVEN and ODD return the even or odd elements of two vectors. If the elements are listed one
 * by one, compilers generate one shuffle instruction; for a.even and b.even, they generate
 * several. */
#define EVEN(a, b) (uintn) (a.s0, a.s2, a.s4, a.s6, a.s8, a.sa, a.sc, a.se, \
    b.s0, b.s2, b.s4, b.s6, b.s8, b.sa, b.sc, b.se)
#define ODD(a, b) (uintn) (a.s1, a.s3, a.s5, a.s7, a.s9, a.sb, a.sd, a.sf, \
    b.s1, b.s3, b.s5, b.s7, b.s9, b.sb, b.sd, b.sf)

/* Sorts pixels by class (see fhog/fhog.h) and stores each class. Each round moves pixels at
 * even positions to the first half of @pixels, and pixels at odd positions to the second half.
 * After log2(CLASSES_OF_ROW) rounds, each vector has one class. */
static void
store_classes (uintn * pixels, global uint * out, int pitch)
{
#pragma unroll
  for (int n = 1; n < CLASSES_OF_ROW; n *= 2) {
    uintn t[CLASSES_OF_ROW];

#pragma unroll
    for (int i = 0; i < CLASSES_OF_ROW / 2; i++) {
      t[i] = EVEN (pixels[2 * i], pixels[2 * i + 1]);
      t[i + CLASSES_OF_ROW / 2] = ODD (pixels[2 * i], pixels[2 * i + 1]);
    }
#pragma unroll
    for (int i = 0; i < CLASSES_OF_ROW; i++)
      pixels[i] = t[i];
  }
#pragma unroll
  for (int i = 0; i < CLASSES_OF_ROW; i++)
    STORE (loose_uintn, out + i * pitch, pixels[i]);
}

/* Loads LANES pixels of the frame, starting at column x. Beyond the edges of the frame, the
 * pixels at its edges are repeated. */
static uintn
load_frame (const global uchar * row, int x, int width)
{
  uint each[LANES];

  if (x >= 0 && x + LANES <= width)
    return LOAD_LOOSE (loose_uint16, row + 4 * x);
  for (int i = 0; i < LANES; i++)
    each[i] = as_uint (LOAD_LOOSE (loose_uchar4,
            row + 4 * clamp (x + i, 0, width - 1)));
  return vload16 (0, each);
}

/* Returns sample number @position, 0 to 3, of pixels of four 16-bit samples. The lower 32 bits
 * of the pixels are in low, their upper 32 bits in high. */
#define CHANNEL(low, high, position) \
    ((((position) < 2 ? low : high) >> (uint) (16 * ((position) & 1))) & 0xffffu)

/* Writes a row of pixels to two planes of 32-bit words. The words of the first plane have red
 * and green as their two halves, those of the second have blue. Pixels are read from @frame,
 * with 4 bytes each; if @frame is NULL, from @row, with 8 bytes each. */
static void
split_row (const global uchar * frame, const global ushort4 * row, int width,
    int pitch, int red, int green, int blue, global uint * out)
{
  for (int i = 0; CLASSES_OF_ROW * i - SHIFT < width; i += LANES) {
    uintn first[CLASSES_OF_ROW], second[CLASSES_OF_ROW];

#pragma unroll
    for (int k = 0; k < CLASSES_OF_ROW; k++) {
      int x = CLASSES_OF_ROW * i - SHIFT + LANES * k;

      if (frame != 0) {
        uintn p = load_frame (frame, x, width);

        first[k] = (p >> (uint) (8 * red) & 0xffu) << 7
            | (p >> (uint) (8 * green) & 0xffu) << 23;
        second[k] = (p >> (uint) (8 * blue) & 0xffu) << 7;
      } else {
        uintn a = LOAD_LOOSE (loose_uint16, row + x);
        uintn b = LOAD_LOOSE (loose_uint16, row + x + LANES / 2);
        uintn low = EVEN (a, b), high = ODD (a, b);

        first[k] = CHANNEL (low, high, red) | CHANNEL (low, high, green) << 16;
        second[k] = CHANNEL (low, high, blue);
      }
    }
    store_classes (first, out + i, pitch);
    store_classes (second, out + CLASSES_OF_ROW * pitch + i, pitch);
  }
}

/* Returns the longest of the gradients of red, green and blue for each pixel, starting at the
 * address @p, packed by pack_gradient(). @plane is the number of words in a row of a plane;
 * @left, @right, @up and @down are the offsets of the neighbors. */
static uintn
find_gradient (const global uint * p, int plane, int left, int right, int up,
    int down)
{
  intn x = as_intn (LOAD (loose_uintn, p + right) - LOAD (loose_uintn, p + left));
  intn y = as_intn (LOAD (loose_uintn, p + down) - LOAD (loose_uintn, p + up));
  /* Separates two differences: red and green are the halves of one word, and were subtracted at
   * once. If the difference of red is negative, it has borrowed a bit from the difference of
   * green; adds this bit to green. */
  intn dx = x << 16 >> 16, dy = y << 16 >> 16;
  intn a = (x - dx) >> 16, b = (y - dy) >> 16;
  intn most = dx * dx + dy * dy, square = a * a + b * b;

  dx = square > most ? a : dx;
  dy = square > most ? b : dy;
  most = max (square, most);
  p += plane;
  a = as_intn (LOAD (loose_uintn, p + right) - LOAD (loose_uintn, p + left));
  b = as_intn (LOAD (loose_uintn, p + down) - LOAD (loose_uintn, p + up));
  square = a * a + b * b;
  dx = square > most ? a : dx;
  dy = square > most ? b : dy;
  most = max (square, most);
  return pack_gradient (dx, dy, most);
}

/* Computes a row of gradients from three rows of the planes: the row at the address @at, the
 * row above and the row below. Columns at the right edge of the picture and beyond repeat the
 * gradient of the column next to the edge; to the left of pixel 1, gradients are 0. */
static void
find_gradients (const global uint * at, const global uint * above,
    const global uint * below, int width, int pitch, global uint * out)
{
  int last = width - 2, up = above - at, down = below - at;

  for (int class = 0; class < CLASSES_OF_ROW; class++) {
    int before = class == 0 ? (CLASSES_OF_ROW - 1) * pitch - 1 : -pitch;
    int after = class == CLASSES_OF_ROW - 1 ? 1 - (CLASSES_OF_ROW - 1) * pitch
        : pitch;

    for (int i = 0; CLASSES_OF_ROW * i + class - SHIFT < last + CLASSES_OF_ROW;
        i += LANES)
      STORE (loose_uintn, out + class * pitch + i,
          find_gradient (at + class * pitch + i, CLASSES_OF_ROW * pitch, before,
              after, up, down));
  }
#define AT(x) out[(((x) + SHIFT) & (CLASSES_OF_ROW - 1)) * pitch \
    + ((x) + SHIFT) / CLASSES_OF_ROW]
  for (int x = -SHIFT; x < 1; x++)
    AT (x) = 0;
  for (int x = last + 1; x < last + CLASSES_OF_ROW; x++)
    AT (x) = AT (last);
}

/* Scales strips and computes their gradients. Work-item (0, n) processes strip n of the list:
 * all rows from which other pictures are scaled, and the gradients of rows BEGIN to END - 1 of
 * its entry. Its scratch memory has own_rows pixels for two rows, the first of which is as wide
 * as the source, and own_planes words for 3 rows of the two planes. */
kernel void
fhog_strips (const global uchar * restrict in, int offset, int stride,
    const global int *restrict plan, const global int *restrict lists, int list,
    int red, int green, int blue,
    global ushort4 * restrict samples, global ushort4 * restrict rows,
    int own_rows, global uint * restrict planes, int own_planes,
    global uint * restrict gradients)
{
  size_t id = get_global_id (1);
  const global int *entry = lists + list + ENTRY * id;
  const global int *picture = plan + PICTURE * entry[0];
  int width = picture[WIDTH], height = picture[HEIGHT], pitch = picture[PITCH];
  int begin = entry[1], end = min (begin + STRIP, height);
  int first = max (max (begin, entry[BEGIN]), 1);
  int last = min (min (end, entry[END]), height - 1);
  int is_frame = picture[SOURCE] < 0 && picture[SOURCE_WIDTH] == width
      && picture[ROW_TAPS] == 1 && picture[COLUMN_TAPS] == 1;
  global ushort4 *wide = rows + id * own_rows;
  global ushort4 *row = wide + picture[SOURCE_WIDTH] + LANES;
  global uint *ring = planes + id * own_planes;

  for (int y = max (begin - 1, 0); y < min (end + 1, height); y++) {
    global ushort4 *copy = picture[SAMPLES] < 0 || y < begin || y >= end ? 0
        : samples + picture[SAMPLES] + (size_t) y * width;
    const global uchar *frame = 0;
    int own = 2 * CLASSES_OF_ROW * pitch;
    int is_near = first < last && y >= first - 1 && y <= last;

    if (!is_near && copy == 0)
      continue;
    if (is_frame) {
      frame = in + offset + (size_t) y * stride;
      if (copy != 0)
        copy_row (frame, width, copy);
    } else {
      scale_columns (in + offset, stride, plan, picture, y, samples, wide);
      scale_row (wide, plan, picture, row, copy);
    }
    if (!is_near)
      continue;
    split_row (frame, row, width, pitch, red, green, blue, ring + y % 3 * own);
    if (y > first)
      find_gradients (ring + (y - 1) % 3 * own, ring + (y - 2) % 3 * own,
          ring + y % 3 * own, width, pitch, gradients + picture[GRADIENTS]
          + (size_t) (y - 1) * CLASSES_OF_ROW * pitch);
  }
}
