/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the image pyramid of a frame from its luma: each level has half the width and height
 * of the level before. The algorithm is described in docs/algorithms/flow.md. */
#define HAS_LANES 1
#include "base/samples.h"
#include "flow/flow.h"

/* Number of pixels that a work-item writes: 16, like the vectors of base/samples.h, or 1. */
#define N_PIXELS (LANES > 1 ? 16 : 1)

/* Converts a sample or a vector of samples to units of 1/16 of an 8-bit gray level. */
#if MAX > 4095
#define SCALED(v) ((v) >> 4)
#elif MAX > 1023
#define SCALED(v) (v)
#elif MAX > 255
#define SCALED(v) ((v) << 2)
#else
#define SCALED(v) ((v) << 4)
#endif

typedef struct __attribute__ ((packed))
{
  uint16 v;
} Pairs;

/* Loads the luma of a frame into level 0 and its padding, in units of 1/16 of an 8-bit gray
 * level. Work-item (i, y) writes N_PIXELS pixels of row y - LEVEL_PAD, starting at column i *
 * N_PIXELS - LEVEL_PAD. @position: byte of a pixel where the component begins */
kernel void
flow_load (global const uchar * in, int in_offset, int in_stride,
    int position, global ushort * out, LEVEL)
{
  int x = (int) get_global_id (0) * N_PIXELS - LEVEL_PAD;
  int y = (int) get_global_id (1) - LEVEL_PAD;
  int n = min (width + LEVEL_PAD - x, N_PIXELS);
  global const uchar *row = in + in_offset
      + (size_t) clamp (y, 0, height - 1) * in_stride;
  global ushort *p = out + offset + y * stride + x;

  if (y >= height + LEVEL_PAD)
    return;
#if LANES > 1
  if (x >= 0 && x + N_PIXELS <= width) {
    ushort16 v = convert_ushort16 (load_samples (row + x * PIXEL_STRIDE
            - position, position));

    STORE_LOOSE (loose_ushort16, p, SCALED (v));
    return;
  }
#endif
  for (int i = 0; i < n; i++)
    p[i] = SCALED ((uint) get (row, clamp (x + i, 0, width - 1)));
}

/* Computes a level and its padding: each pixel is the rounded mean of four pixels of the next
 * finer level, whose layout is given by @from_stride and @from_offset. Work-item (i, y) writes
 * N_PIXELS pixels of row y - LEVEL_PAD, starting at column i * N_PIXELS - LEVEL_PAD. */
kernel void
flow_halve (global ushort * levels, int from_stride, int from_offset, LEVEL)
{
  int x = (int) get_global_id (0) * N_PIXELS - LEVEL_PAD;
  int y = (int) get_global_id (1) - LEVEL_PAD;
  int n = min (width + LEVEL_PAD - x, N_PIXELS);
  global const ushort *row = levels + from_offset
      + 2 * clamp (y, 0, height - 1) * from_stride;
  global ushort *out = levels + offset + y * stride + x;

  if (y >= height + LEVEL_PAD)
    return;
#if LANES > 1
  if (x >= 0 && x + N_PIXELS <= width) {
    uint16 a = ((global const Pairs *) (row + 2 * x))->v;
    uint16 b = ((global const Pairs *) (row + 2 * x + from_stride))->v;
    uint16 sum = (a & 0xffffu) + (a >> 16) + (b & 0xffffu) + (b >> 16) + 2;

    STORE_LOOSE (loose_ushort16, out, convert_ushort16 (sum >> 2));
    return;
  }
#endif
  for (int i = 0; i < n; i++) {
    global const ushort *p = row + 2 * clamp (x + i, 0, width - 1);

    out[i] = ((uint) p[0] + p[1] + p[from_stride] + p[from_stride + 1] + 2)
        >> 2;
  }
}
