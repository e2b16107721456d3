/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Extends the flow field of a part of a frame to a field of the whole frame. */
#include "base/base-shared.h"

/* Work-item (x, y) writes sample (x, y) of a field of width x height samples, and the confidence of
 * the sample. Samples inside the part are copied; it has part_width x part_height samples and
 * begins at (left, top). All other samples become unknown. */
kernel void
flowfield_place (global const short2 * part_flow,
    global const uchar * part_confidence, int left, int top, int part_width,
    int part_height, global short2 * flow, global uchar * confidence,
    int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  int i = x - left, j = y - top;
  short2 motion = NO_FLOW;
  uchar trust = 0;

  if (x >= width || y >= height)
    return;
  if (i >= 0 && j >= 0 && i < part_width && j < part_height) {
    motion = part_flow[j * part_width + i];
    trust = part_confidence[j * part_width + i];
  }
  flow[y * width + x] = motion;
  confidence[y * width + x] = trust;
}
