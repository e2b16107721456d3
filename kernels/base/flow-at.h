/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads flow fields that the kernels of optical flow have written. */
#ifndef BASE_FLOW_AT_H
#define BASE_FLOW_AT_H

#include "base/base-shared.h"

/* Interpolates the flow of pixel (x, y) between the samples of a field. The field has @columns x
 * @rows samples of 2^shift x 2^shift pixels. Sets @motion to the flow, in units of 1/32 pixel.
 * Returns 0 if the flow is unknown there. */
static int
find_flow (global const short2 * flow, int columns, int rows, int shift, int x,
    int y, int2 * motion)
{
  int unit = 2 << shift, is_known = 1;
  int px = 2 * x + 1 - (1 << shift), py = 2 * y + 1 - (1 << shift);
  int fx = px & (unit - 1), fy = py & (unit - 1);
  int2 sum = unit * unit / 2;

  for (int k = 0; k < 4; k++) {
    int i = clamp ((px >> (shift + 1)) + (k & 1), 0, columns - 1);
    int j = clamp ((py >> (shift + 1)) + (k >> 1), 0, rows - 1);
    int weight = ((k & 1) != 0 ? fx : unit - fx)
        * (k >> 1 != 0 ? fy : unit - fy);
    int2 sample = convert_int2 (flow[(size_t) j * columns + i]);

    is_known = is_known && sample.x != NO_FLOW;
    sum += sample * (int2) (weight);
  }
  *motion = sum >> (int2) (2 * shift + 2);
  return is_known;
}

#endif
