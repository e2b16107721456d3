/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Scales the frame to all sizes in which people are searched. */

/* Number of samples that a work-item computes side by side: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Numbers of work-items for a row, whose samples are stored in 8 classes (see
 * people/people.h): CLASSES divide the classes among them, COLUMNS the samples
 * of a class. */
#ifndef COLUMNS
#define COLUMNS 1
#endif
#ifndef CLASSES
#define CLASSES 1
#endif

/* ROOTS is 1 if gradients are computed of the square roots of samples (gamma
 * compression). */
#ifndef ROOTS
#define ROOTS 1
#endif

#include "people/people.h"

LOOSE (ulong, loose_ulong);

/* Loads two adjacent pixels of 4 bytes each. */
#define PAIR(i) (((const global loose_ulong *) (row + columns[i]))->v)

static void
load_pairs (const global uchar * row, const global int *columns,
    uintn * left, uintn * right)
{
#if LANES == 1
  ulong pair = PAIR (0);

  *left = (uint) pair;
  *right = (uint) (pair >> 32);
#else
  uint16 a = as_uint16 ((ulong8) (PAIR (0), PAIR (1), PAIR (2), PAIR (3),
          PAIR (4), PAIR (5), PAIR (6), PAIR (7)));
  uint16 b = as_uint16 ((ulong8) (PAIR (8), PAIR (9), PAIR (10), PAIR (11),
          PAIR (12), PAIR (13), PAIR (14), PAIR (15)));

  *left = (uint16) (a.even, b.even);
  *right = (uint16) (a.odd, b.odd);
#endif
}

static floatn
channel (uintn pixels, uint shift)
{
  return convert_floatn (convert_intn (pixels >> shift & 255u));
}

/* Work-item (i, j, n) computes every COLUMNS-th vector of samples, from vector
 * i on, of every CLASSES-th class (see people/people.h), from class j on, of
 * span n (a part of a row) of the list. The parameter in is the frame, with 4
 * bytes a pixel.
 *
 * Sums are whole numbers below 2^24, which floats hold exactly. */
kernel void
people_scale (const global uchar * restrict in, int offset, int stride,
    int red, int green, int blue, const global int *restrict plan,
    const global int *restrict lists, int list, global float *restrict planes)
{
  const global int *span = lists + list + PEOPLE_SPAN * get_global_id (2);
  const global int *level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  int y = span[SPAN_ROW], pitch = level[PITCH], plane = level[PLANE];
  int source = plan[level[SOURCES] + 2 * CELL * pitch + y];
  floatn down = (float) (source & 511);
  const global uchar *near = in + offset + (size_t) (source >> 9) * stride;

  for (int class = get_global_id (1); class < CELL; class += CLASSES) {
    const global int *columns = plan + level[SOURCES] + class * pitch;
    const global float *rights =
        (const global float *) columns + CELL * pitch;
    global float *out = planes + level[PLANES]
        + ((size_t) y * CELL + class) * pitch;

    for (int i = span[SPAN_BEGIN] + LANES * get_global_id (0);
        i < span[SPAN_END]; i += LANES * COLUMNS) {
      floatn right = LOAD (rights + i);
      uintn a, b, c, d;

      load_pairs (near, columns + i, &a, &b);
      load_pairs (near + stride, columns + i, &c, &d);
#pragma unroll
      for (int k = 0; k < 3; k++) {
        uint shift = k == 0 ? red : k == 1 ? green : blue;
        floatn a1 = channel (a, shift), c1 = channel (c, shift);
        floatn top = fma (right, channel (b, shift) - a1, 256.0f * a1);
        floatn bottom = fma (right, channel (d, shift) - c1, 256.0f * c1);
        floatn sum = fma (down, bottom - top, fma ((floatn) (256.0f), top,
                (floatn) (32768.0f)));
        floatn sample = convert_floatn (convert_intn (sum * 0x1p-16f));

        STORE (out + i + k * plane, ROOTS ? root (sample) : sample);
      }
    }
  }
}
