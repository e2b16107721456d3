/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the borders of quads: the cells on the inner side of a border must differ from those on the
 * outer side. */
#ifndef BORDER_H
#define BORDER_H

#include "tags/tags.h"

/* Data that the work-items of a quad share: the sum of all differences, and the number of
 * differences that are large enough */
typedef struct
{
  int mean, good;
} Border;

/* Returns the difference of pair @i of cells, one on each side of the border of a quad. @n: width
 * of the border square, in cells; @sign: 1 if the cells outside are brighter, -1 if they are
 * darker */
static int
subtract_pair (Frame frame, const Homography * h, int ox, int oy, int n, int i,
    int sign)
{
  float step = reciprocal (convert_float_rte (n));
  float along = (convert_float_rte (i % n) + 0.5f) * step - 0.5f;
  int values[2], side = i / n;

  for (int k = 0; k < 2; k++) {
    float across = k == 0 ? 0.5f - 0.5f * step : 0.5f + 0.5f * step;
    float u = side == 0 || side == 2 ? along : side == 1 ? across : -across;
    float v = side == 1 || side == 3 ? along : side == 2 ? across : -across;
    float2 p = project (h, u, v);

    values[k] = sample_at (frame, place_sample (p.x, ox),
        place_sample (p.y, oy));
  }
  return (values[1] - values[0]) * sign;
}

/* Maximum number of pairs of cells that a work-item compares */
#define PAIRS ((4 * TAGS_MAX_WIDTH + GROUP - 1) / GROUP)

/* Returns whether the cells on the inner side of the border of a quad differ from those on the
 * outer side. @n: width of the border square, in cells; if 0, returns false */
static __attribute__ ((always_inline)) bool
has_border (Frame frame, const Homography * h, int ox, int oy, int n, int sign,
    SHARED Border * border)
{
  int differences[PAIRS], sum = 0, count = 0, mean, good;

  for (int k = 0, i = LOCAL_ID; i < 4 * n; k++, i += GROUP) {
    differences[k] = subtract_pair (frame, h, ox, oy, n, i, sign);
    sum += differences[k];
  }
  if (LOCAL_ID == 0)
    border->mean = border->good = 0;
  SYNC
  ADD_SHARED (&border->mean, sum);
  SYNC
  mean = border->mean;
  /* Counts the pairs of cells whose difference is at least a quarter of the mean difference. */
  for (int k = 0, i = LOCAL_ID; i < 4 * n; k++, i += GROUP)
    count += differences[k] > 0 && 16L * n * differences[k] >= mean;
  ADD_SHARED (&border->good, count);
  SYNC
  good = border->good;
  SYNC
  return mean > 0 && 10 * good >= 7 * 4 * n;
}

/* Tests the border of a quad. @borders: for each width, the number of cells, and whether any family
 * has a black or a white border of this width */
static __attribute__ ((always_inline)) void
test_border (Frame frame, const global int *borders, int n_borders,
    bool exists, global TagsQuad * quad, SHARED Border * border)
{
  int ox, oy, is_white = exists && quad->is_white;
  bool ok = false;
  float2 q[4];
  Homography h;

  load_corners (quad->corners, q, &ox, &oy);
  h = find_homography (q);
  for (int k = 0; k < n_borders; k++) {
    bool is_tried = exists && !ok && borders[3 * k + 1 + is_white];

#if GROUP == 1
    if (!is_tried)
      continue;
#endif
    ok = has_border (frame, &h, ox, oy, is_tried ? borders[3 * k] : 0,
        is_white ? -1 : 1, border) || ok;
  }
  if (LOCAL_ID == 0 && ok)
    quad->is_quad = 2;
}

#endif
