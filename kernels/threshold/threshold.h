/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels of the local threshold share. */
#ifndef THRESHOLD_H
#define THRESHOLD_H

/* Number of work-items that process a block */
#ifndef GROUP
#define GROUP 1
#endif

#include "base/pixels.h"
#include "threshold/threshold-shared.h"

/* GROUP_ID is the index of the work-group, LOCAL_ID the index of the work-item in it. */
#if GROUP == 1
#define GROUP_ID ((int) get_global_id (0))
#define LOCAL_ID 0
#define SYNC
#define SHARED
#else
#define GROUP_ID ((int) get_group_id (0))
#define LOCAL_ID ((int) get_local_id (0))
#define SYNC barrier (CLK_LOCAL_MEM_FENCE);
#define SHARED local
#endif

LOOSE (ushort8, loose_ushort8);

/* Loads and stores vectors in the memory that the work-items of a group share */
#define LOAD_NEAR(name, p) (((SHARED const name *) (p))->v)
#define STORE_NEAR(name, p, value) (((SHARED name *) (p))->v = (value))

/* Returns pixels x to x + 15 of row y of a plane; the edges of the plane are repeated beyond it. */
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
