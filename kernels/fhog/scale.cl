/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Scales the frame to all sizes and computes gradients, on graphics cards: a work-item computes
 * one value at a time, without vectors. CPUs use strip.cl. */
#undef LANES
#define LANES 1

/* Numbers of work-items for a row. A row is stored in classes of pixels (see fhog/fhog.h). The
 * classes are divided among CLASSES work-items, the pixels of a class among COLUMNS work-items. */
#ifndef COLUMNS
#define COLUMNS 1
#endif
#ifndef CLASSES
#define CLASSES 1
#endif

#include "fhog/fhog.h"

/* Scales rows vertically. Work-item (i, n) computes every COLUMNS-th pixel of row n of the
 * list, starting at pixel i. It reads rows of the frame, whose pixels have 4 bytes, or of a
 * picture (a scaled frame). */
kernel void
fhog_rows (const global uchar * restrict in, int offset, int stride,
    const global int *restrict plan, const global int *restrict lists, int list,
    const global ushort4 *restrict samples, global ushort4 * restrict tall)
{
  const global int *entry = lists + list + ENTRY * get_global_id (1);
  const global int *picture = plan + PICTURE * entry[0];
  int width = picture[SOURCE_WIDTH], source = picture[SOURCE];
  int taps = picture[ROW_TAPS], y = entry[1];
  const global int *table = plan + picture[ROW_TABLE] + 2 * taps * y;
  global ushort4 *out = tall + picture[TALL] + (size_t) y * width;

  for (int x = get_global_id (0); x < width; x += COLUMNS) {
    ushort4 sum = 0;

    for (int tap = 0; tap < taps; tap++) {
      ushort4 sample;

      if (source < 0)
        sample = convert_ushort4 (LOAD_LOOSE (loose_uchar4, in + offset
                + (size_t) table[tap] * stride + 4 * x)) << (ushort4) (8);
      else
        sample = samples[source + (size_t) table[tap] * width + x]
            << (ushort4) (1);
      sum += mul_hi (sample, (ushort4) ((ushort) table[taps + tap]));
    }
    out[x] = sum << (ushort4) (1);
  }
}

/* Returns one of the four 16-bit samples of a pixel. @position is the byte of this sample in a
 * pixel of the frame. */
#define CHANNEL(pixel, position) ((ushort) (as_ulong (pixel) >> (16 * (position))))

/* Scales rows horizontally. Work-item (i, j, n) computes samples of row n of the list: every
 * COLUMNS-th sample, starting at sample i, of every CLASSES-th class of pixels, starting at
 * class j (see fhog/fhog.h). */
kernel void
fhog_columns (const global ushort4 * restrict tall,
    const global int *restrict plan, const global int *restrict lists, int list,
    int red, int green, int blue,
    global ushort4 * restrict samples, global ushort * restrict planes)
{
  const global int *entry = lists + list + ENTRY * get_global_id (2);
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

    for (int i = get_global_id (0); CLASSES_OF_ROW * i + class - SHIFT < width;
        i += COLUMNS) {
      int at = class * pitch + i, x = CLASSES_OF_ROW * i + class - SHIFT;
      ushort4 sum = 0;

      for (int tap = 0; tap < taps; tap++, at += CLASSES_OF_ROW * pitch)
        sum += mul_hi (row[columns[at]], shares[at]);
      out[i] = CHANNEL (sum, red);
      out[i + plane] = CHANNEL (sum, green);
      out[i + 2 * plane] = CHANNEL (sum, blue);
      if (picture[SAMPLES] >= 0 && x >= 0)
        copy[x] = sum;
    }
  }
}

/* Returns the longest of the gradients in the three color planes at the address @p, packed by
 * pack_gradient(). @plane is the distance between the planes; @left, @right, @up and @down are
 * the offsets of the neighbors. */
static uint
find_gradient (const global ushort * p, int plane, int left, int right,
    int up, int down)
{
  int dx = p[right] - p[left], dy = p[down] - p[up];
  int most = dx * dx + dy * dy;

#pragma unroll
  for (int i = 0; i < 2; i++) {
    int a, b, square;

    p += plane;
    a = p[right] - p[left];
    b = p[down] - p[up];
    square = a * a + b * b;
    dx = square > most ? a : dx;
    dy = square > most ? b : dy;
    most = square > most ? square : most;
  }
  return pack_gradient (dx, dy, most);
}

/* Computes gradients. Work-item (i, j, n) processes row n of the list, which is neither the
 * first nor the last row of its picture: every COLUMNS-th pixel, starting at pixel i, of every
 * CLASSES-th class of pixels, starting at class j (see fhog/fhog.h). Columns at the right edge
 * of the picture and beyond repeat the gradient of the column next to the edge; to the left of
 * pixel 1, gradients are 0. */
kernel void
fhog_gradients (const global ushort * restrict planes,
    const global int *restrict plan, const global int *restrict lists, int list,
    global uint * restrict gradients)
{
  const global int *entry = lists + list + ENTRY * get_global_id (2);
  const global int *picture = plan + PICTURE * entry[0];
  int y = entry[1], pitch = picture[PITCH], plane = picture[PLANE];
  int last = picture[WIDTH] - 2, below = CLASSES_OF_ROW * pitch;
  const global ushort *row = planes + picture[PLANES] + (size_t) y * below;
  global uint *out = gradients + picture[GRADIENTS] + (size_t) y * below;

  for (int class = get_global_id (1); class < CLASSES_OF_ROW;
      class += CLASSES) {
    for (int i = get_global_id (0);
        CLASSES_OF_ROW * i + class - SHIFT < last + CLASSES_OF_ROW;
        i += COLUMNS) {
      int x = CLASSES_OF_ROW * i + class - SHIFT;
      int at = clamp (x, 1, last) + SHIFT, c = at & (CLASSES_OF_ROW - 1);
      int before = c == 0 ? (CLASSES_OF_ROW - 1) * pitch - 1 : -pitch;
      int after = c == CLASSES_OF_ROW - 1 ? 1 - (CLASSES_OF_ROW - 1) * pitch
          : pitch;
      uint value = find_gradient (row + c * pitch + at / CLASSES_OF_ROW, plane,
          before, after, -below, below);

      out[class * pitch + i] = x < 1 ? 0 : value;
    }
  }
}
