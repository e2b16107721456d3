/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the levels of a frame: its luma, and that halved again and again. The algorithm is
 * described in docs/algorithms/flow.md. */
#include "base/samples.h"
#include "flow/flow.h"

/* Work-item (x, y) writes pixel (x - LEVEL_PAD, y - LEVEL_PAD) of level 0, in units of 1/16 of an
 * 8-bit step. */
kernel void
flow_load (global const uchar * in, int in_offset, int in_stride,
    global ushort * out, LEVEL)
{
  int x = (int) get_global_id (0) - LEVEL_PAD;
  int y = (int) get_global_id (1) - LEVEL_PAD;
  uint v;

  if (x >= width + LEVEL_PAD || y >= height + LEVEL_PAD)
    return;
  v = get (in + in_offset + (size_t) clamp (y, 0, height - 1) * in_stride,
      clamp (x, 0, width - 1));
#if MAX > 4095
  v >>= 4;
#elif MAX > 1023
#elif MAX > 255
  v <<= 2;
#else
  v <<= 4;
#endif
  out[offset + y * stride + x] = v;
}

/* Work-item (x, y) writes pixel (x - LEVEL_PAD, y - LEVEL_PAD) of a level, the rounded mean of
 * four pixels of the level before, which has @from_stride and @from_offset. */
kernel void
flow_halve (global ushort * levels, int from_stride, int from_offset, LEVEL)
{
  int x = (int) get_global_id (0) - LEVEL_PAD;
  int y = (int) get_global_id (1) - LEVEL_PAD;
  global const ushort *p = levels + from_offset
      + 2 * clamp (y, 0, height - 1) * from_stride
      + 2 * clamp (x, 0, width - 1);

  if (x >= width + LEVEL_PAD || y >= height + LEVEL_PAD)
    return;
  levels[offset + y * stride + x] = ((uint) p[0] + p[1] + p[from_stride]
      + p[from_stride + 1] + 2) >> 2;
}
