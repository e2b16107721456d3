/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Refines the position of an extremum of the scale space to a fraction of a sample. */

#include "sift/sift.h"

/* Largest number of steps in the refinement of the position of an extremum */
#define STEPS 5

static bool
is_far (float x, float limit)
{
  return !(fabs (x) < limit);
}

/* Value and derivatives of a layer at a sample. A layer is a difference of two levels of the
 * scale space. The derivatives are the first and second derivatives by column (x), row (y) and
 * layer (l). */
typedef struct
{
  float value, x, y, l, xx, yy, ll, xy, xl, yl;
} Derivatives;

/* Returns the value and the derivatives of the difference of two levels at a sample. @p is the
 * address of this sample in the lower level. */
static Derivatives
derive (const global float *p, int size, int pitch)
{
  Derivatives d;
  float twice;

#define D(dl, dy, dx) (p[(dl + 1) * size + dy * pitch + dx] \
    - p[(dl) * size + dy * pitch + dx])
  d.value = D (0, 0, 0);
  twice = d.value * 2;
  d.x = (D (0, 0, 1) - D (0, 0, -1)) * 0.5f;
  d.y = (D (0, 1, 0) - D (0, -1, 0)) * 0.5f;
  d.l = (D (1, 0, 0) - D (-1, 0, 0)) * 0.5f;
  d.xx = D (0, 0, 1) + D (0, 0, -1) - twice;
  d.yy = D (0, 1, 0) + D (0, -1, 0) - twice;
  d.ll = D (1, 0, 0) + D (-1, 0, 0) - twice;
  d.xy = (D (0, 1, 1) - D (0, 1, -1) - D (0, -1, 1) + D (0, -1, -1)) * 0.25f;
  d.xl = (D (1, 0, 1) - D (1, 0, -1) - D (-1, 0, 1) + D (-1, 0, -1)) * 0.25f;
  d.yl = (D (1, 1, 0) - D (1, -1, 0) - D (-1, 1, 0) + D (-1, -1, 0)) * 0.25f;
#undef D
  return d;
}

/* Computes the extremum of the paraboloid with the derivatives @d, by Cramer's rule. Sets dc, dr
 * and dl to the distances from the sample to the extremum, in columns, rows and layers; all are
 * 0 if there is no extremum. */
static void
find_offset (const Derivatives * d, float *dc, float *dr, float *dl)
{
  float a = d->yy * d->ll - d->yl * d->yl;
  float b = d->xy * d->ll - d->yl * d->xl;
  float c = d->xy * d->yl - d->yy * d->xl;
  float det = d->xx * a - d->xy * b + d->xl * c, r, ml, mr, mc;

  *dl = *dr = *dc = 0;
  if (!(fabs (det) >= 0x1p-80f))
    return;
  r = reciprocal1 (fabs (det));
  r = det < 0 ? r : -r;
  ml = d->y * d->ll - d->yl * d->l;
  mc = d->y * d->yl - d->yy * d->l;
  mr = d->xy * d->l - d->y * d->xl;
  *dc = r * (d->x * a - d->xy * ml + d->xl * mc);
  *dr = r * (d->xx * ml - d->x * b + d->xl * mr);
  *dl = r * (d->xx * (d->yy * d->l - d->y * d->yl) - d->xy * mr + d->x * c);
}

/* Returns the offset @d of an extremum from its sample @i, such that i + offset rounds to @i.
 * This is needed because a keypoint stores only the sum. With an offset close to 0.5 or -0.5,
 * the sum may be rounded to a float halfway between two samples. In this case, returns the
 * offset of the largest absolute value for which the sum still rounds to @i. */
static float
keep_nearest (int i, float d)
{
  float place = (float) i + d;

  if (fabs (place - (float) i) < 0.5f)
    return d;
  return as_float (as_int (place) + (d < 0 ? 1 : -1)) - (float) i;
}

/* Moves @point to the sample nearest to the extremum, and computes its response. Returns false
 * if there is no extremum or the point is rejected. */
static bool
refine (const global float *level0, const global int *octave, int scales,
    float contrast, float edge, int *point, float *response)
{
  int size = octave[SIZE], pitch = octave[PITCH];
  int layer = point[1], row = point[2], column = point[3];
  int first_row = row, first_column = column;
  float dl, dr, dc, trace, det;
  Derivatives d;

  for (int i = 0;; i++) {
    if (i == STEPS)
      return false;
    d = derive (level0 + (size_t) layer * size + (size_t) row * pitch + column,
        size, pitch);
    find_offset (&d, &dc, &dr, &dl);
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

  *response = fabs (d.value + 0.5f * (d.x * dc + d.y * dr + d.l * dl))
      * (1.0f / 255);
  if (*response * (float) scales < contrast)
    return false;
  trace = d.xx + d.yy;
  det = d.xx * d.yy - d.xy * d.xy;
  point[1] = layer;
  point[2] = row;
  point[3] = column;
  point[D_LAYER] = as_int (dl);
  point[D_ROW] = as_int (keep_nearest (row, dr));
  point[D_COLUMN] = as_int (keep_nearest (column, dc));
  point[RESPONSE] = as_int (*response);
  return det > 0 && trace * trace * edge < (edge + 1) * (edge + 1) * det;
}
