/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the masks of moving pixels, with and without shadows, at the reduced size of the
 * frame. The algorithm is described in docs/algorithms/moving.md. */
/* Number of pixels of a vector in this file */
#ifdef MASK_LANES
#undef LANES
#define LANES MASK_LANES
#endif

#include "moving/moving.h"

/* Factor by which the width and height of frames are reduced */
#ifndef SCALE
#define SCALE 3
#endif

/* Returns, for each of LANES pixels, the sum of the 5x5 bytes around it. Bytes in the margins are
 * 0. */
static inline __attribute__ ((always_inline)) ushortn
add_around (global const uchar * p, int stride)
{
  ushortn sum = 0;

#pragma unroll
  for (int j = -2; j <= 2; j++)
#pragma unroll
    for (int i = -2; i <= 2; i++)
      sum += convert_ushortn (vloadn (0, p + j * stride + i));
  return sum;
}

/* Returns how many of the 5x5 pixels around each of LANES pixels are inside the image. */
static intn
count_around (int x, int y, int width, int height)
{
  intn column = COLUMNS_FROM (x);
  intn n = min (column + 2, (intn) (width - 1)) - max (column - 2, (intn) 0) + 1;

  return n * (min (y + 2, height - 1) - max (y - 2, 0) + 1);
}

#define INSIDE(x) WHERE (COLUMNS_FROM (x) < width, 1, 0)

/* Begins a loop over the vectors of a row: a work-item processes every get_global_size (0)-th
 * vector. */
#define EACH_VECTOR \
  int y = get_global_id (1); \
  if (y >= height) \
    return; \
  for (int x = (int) get_global_id (0) * LANES; x < width; \
      x += (int) get_global_size (0) * LANES)

/* Marks pixels with evidence of motion around them. */
kernel void
moving_mark (int least, global uchar * bytes, LAYOUT)
{
  EACH_VECTOR {
    int at = AT (x, y);
    intn sum = convert_intn (add_around (BYTE (MOVING_SMOOTHED) + at, stride));
    intn moves = WHERE (sum >= least * count_around (x, y, width, height)
        && LOAD_BYTES (MOVING_EVIDENCE, at) >= 24, INSIDE (x), 0);

    STORE_BYTES (moves + ((LOAD_BYTES (MOVING_SHADE, at) & moves) << 5), MOVING_P, at);
  }
}

/* Removes shadows from the mask. */
kernel void
moving_unshade (global uchar * bytes, LAYOUT)
{
  EACH_VECTOR {
    int at = AT (x, y);
    intn sum = convert_intn (add_around (BYTE (MOVING_P) + at, stride)) >> 5;
    intn p = LOAD_BYTES (MOVING_P, at);

    STORE_BYTES (WHERE (p == 33 && sum >= 10, 0, p & 1), MOVING_Q, at);
  }
}

/* Removes ragged remains where shadows were removed. */
kernel void
moving_thin (global uchar * bytes, LAYOUT)
{
  EACH_VECTOR {
    int at = AT (x, y);
    intn sum = convert_intn (add_around (BYTE (MOVING_Q) + at, stride));

    STORE_BYTES (WHERE (100 * sum >= 44 * count_around (x, y, width, height),
            LOAD_BYTES (MOVING_Q, at), 0), MOVING_R, at);
  }
}

#define REGION global const uchar *region, int offset, int region_stride, int frame_width, \
    int frame_height

/* Returns, for LANES pixels of the reduced frame starting at (x, y), whether they are in the
 * region in which motion is detected. */
static intn
get_region (REGION, int x, int y)
{
  int v = min (y * SCALE + SCALE / 2, frame_height - 1);
  global const uchar *row = region + offset + (size_t) v * region_stride;
  int found[LANES];

  for (int l = 0; l < LANES; l++)
    found[l] = row[min ((x + l) * SCALE + SCALE / 2, frame_width - 1)] >= 128;
#if LANES == 1
  return found[0];
#else
  return vloadn (0, found);
#endif
}

/* Computes the bits of the mask by a median filter: a bit is set if it is set in at least half of
 * the 5x5 pixels around it. @is_enabled: where motion is detected; 0: nowhere; 1: everywhere; 2:
 * in the mask @region */
kernel void
moving_bits (REGION, int is_enabled, global uchar * bytes, LAYOUT)
{
  EACH_VECTOR {
    int at = AT (x, y);
    intn n = count_around (x, y, width, height), counts = INSIDE (x);
    intn p = convert_intn (add_around (BYTE (MOVING_P) + at, stride)) & 31;
    intn r = convert_intn (add_around (BYTE (MOVING_R) + at, stride));

    if (is_enabled != 1)
      counts = is_enabled == 0 ? (intn) (0)
          : counts * get_region (region, offset, region_stride, frame_width, frame_height, x, y);
    STORE_BYTES ((WHERE (2 * p >= n, 1, 0) + WHERE (2 * r >= n, 2, 0)) * counts, MOVING_BITS, at);
  }
}

/* Writes the mask @shown, which has a value for each pixel of the reduced frame, to a component
 * of a frame: each value fills SCALE x SCALE pixels. */
kernel void
moving_write (global const uchar * shown, int width, global uchar * frame, int offset, int stride,
    int step, int frame_width, int frame_height)
{
  int y = get_global_id (1);

  if (y >= frame_height)
    return;
  for (int x = get_global_id (0); x < frame_width; x += get_global_size (0))
    frame[offset + (size_t) y * stride + x * step] = shown[y / SCALE * width + x / SCALE];
}
