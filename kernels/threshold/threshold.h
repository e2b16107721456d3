/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels of the local threshold share. */
#ifndef THRESHOLD_H
#define THRESHOLD_H

#include "base/group.h"
#include "base/pixels.h"
#include "threshold/threshold-shared.h"

LOOSE (ushort8, loose_ushort8);

/* Loads and stores vectors in the memory that the work-items of a group share */
#define LOAD_NEAR(name, p) (((SHARED const name *) (p))->v)
#define STORE_NEAR(name, p, value) (((SHARED name *) (p))->v = (value))

/* Returns pixels x to x + 15 of row y of a plane. Beyond the edges of the plane, its outermost
 * pixels are repeated. */
static uchar16
load_pixels_at (const global uchar * plane, int stride, int width, int height,
    int x, int y)
{
  const global uchar *row = plane + (size_t) min (y, height - 1) * stride;
  uchar v[16];

  if (x + 16 <= width)
    return LOAD_LOOSE (loose_uchar16, row + x);
  for (int i = 0; i < 16; i++)
    v[i] = row[min (x + i, width - 1)];
  return vload16 (0, v);
}

#endif
