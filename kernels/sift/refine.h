/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the place of an extremum between samples. */

#include "sift/sift.h"

/* Largest number of steps of refinement */
#define STEPS 5

static bool
is_far (float x, float limit)
{
  return !(fabs (x) < limit);
}

/* Moves point to the sample next to the extremum. Returns false if there is no
 * extremum that is worth keeping. */
static bool
refine (const global float *level0, const global int *octave, int scales,
    float contrast, float edge, int *point, float *response)
{
  int size = octave[SIZE], pitch = octave[PITCH];
  int layer = point[1], row = point[2], column = point[3];
  int first_row = row, first_column = column;
  float dl, dr, dc, value, x, y, l, xx, yy, ll, xy, xl, yl, trace, det;

#define D(dl, dy, dx) (p[(dl + 1) * size + dy * pitch + dx] \
    - p[(dl) * size + dy * pitch + dx])
  for (int i = 0;; i++) {
    const global float *p =
        level0 + (size_t) layer * size + (size_t) row * pitch + column;
    float twice, a, b, c, r;

    if (i == STEPS)
      return false;
    value = D (0, 0, 0);
    twice = value * 2;
    x = (D (0, 0, 1) - D (0, 0, -1)) * 0.5f;
    y = (D (0, 1, 0) - D (0, -1, 0)) * 0.5f;
    l = (D (1, 0, 0) - D (-1, 0, 0)) * 0.5f;
    xx = D (0, 0, 1) + D (0, 0, -1) - twice;
    yy = D (0, 1, 0) + D (0, -1, 0) - twice;
    ll = D (1, 0, 0) + D (-1, 0, 0) - twice;
    xy = (D (0, 1, 1) - D (0, 1, -1) - D (0, -1, 1) + D (0, -1, -1)) * 0.25f;
    xl = (D (1, 0, 1) - D (1, 0, -1) - D (-1, 0, 1) + D (-1, 0, -1)) * 0.25f;
    yl = (D (1, 1, 0) - D (1, -1, 0) - D (-1, 1, 0) + D (-1, -1, 0)) * 0.25f;

    a = yy * ll - yl * yl;
    b = xy * ll - yl * xl;
    c = xy * yl - yy * xl;
    det = xx * a - xy * b + xl * c;
    dl = dr = dc = 0;
    if (fabs (det) >= 0x1p-80f) {
      r = reciprocal1 (fabs (det));
      r = det < 0 ? r : -r;
      dc = r * (x * a - xy * (y * ll - yl * l) + xl * (y * yl - yy * l));
      dr = r * (xx * (y * ll - yl * l) - x * b + xl * (xy * l - y * xl));
      dl = r * (xx * (yy * l - y * yl) - xy * (xy * l - y * xl) + x * c);
    }
    if (!is_far (dc, 0.5f) && !is_far (dr, 0.5f) && !is_far (dl, 0.5f))
      break;
    if (is_far (dc, 1e6f) || is_far (dr, 1e6f) || is_far (dl, 1e6f))
      return false;
    column += round_to_int (dc);
    row += round_to_int (dr);
    layer += round_to_int (dl);
    if (layer < 1 || layer > scales
        || column < BORDER || column >= octave[WIDTH] - BORDER
        || row < BORDER || row >= octave[HEIGHT] - BORDER
        || abs_diff (column, first_column) > REACH
        || abs_diff (row, first_row) > REACH)
      return false;
  }
#undef D

  *response = fabs (value + 0.5f * (x * dc + y * dr + l * dl)) * (1.0f / 255);
  if (*response * (float) scales < contrast)
    return false;
  trace = xx + yy;
  det = xx * yy - xy * xy;
  point[1] = layer;
  point[2] = row;
  point[3] = column;
  point[D_LAYER] = as_int (dl);
  point[D_ROW] = as_int (dr);
  point[D_COLUMN] = as_int (dc);
  point[RESPONSE] = as_int (*response);
  return det > 0 && trace * trace * edge < (edge + 1) * (edge + 1) * det;
}
