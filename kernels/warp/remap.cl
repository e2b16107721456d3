/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes frames from the map of a lens: see docs/algorithms/remap.md. */
#include "warp/remap-part.h"

#if CHROMA
#include "warp/chroma.h"
#include "base/mix-pixel.h" /* again */
#include "base/mix.h" /* again */
#if RUN == 16 && VECTORS
#include "warp/segment-mix.h" /* again */
#endif
#include "warp/remap-part.h" /* again */
#endif

/* Defines a kernel. A chroma sample covers 1 << x_shift columns and 1 << y_shift rows of pixels,
 * and lies x_begin and y_begin parts of a cell after the first of these. */
#define REMAP(name) \
kernel void \
name (PARTS_PARAMETERS, global const int * restrict map, MAP_NUMBERS, \
    int x_shift, int y_shift, int x_begin, int y_begin, int samples, \
    int edges) \
{ \
  part_of part = choose_part (PARTS); \
  int2 shift = (int2) (x_shift, y_shift), begin = (int2) (x_begin, y_begin); \
\
  COMPUTE_PART (name, part.number, (&part, MAP, part.number == 0 ? (int2) (0) \
          : shift, part.number == 0 ? (int2) (0) : begin, samples, edges)); \
}

REMAP (remap_bilinear)
REMAP (remap_cubic)
REMAP (remap_lanczos)
