/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts a component of frames of any format to 8 bits. */
#include "base/samples.h"

/* Reads the samples of a frame, and writes them as pixels of 8 bits, 16 of a row in each
 * work-item. */
kernel void
threshold_load (const global uchar * restrict frame, int offset, int stride,
    int width, int height, int bits, global uchar * restrict plane, int pitch)
{
  int x = 16 * (int) get_global_id (0), y = get_global_id (1);

  if (x >= width || y >= height)
    return;
  frame += offset + (size_t) y * stride;
  for (int i = x; i < min (x + 16, width); i++)
    plane[(size_t) y * pitch + i] = get (frame, i) >> (bits - 8);
}
