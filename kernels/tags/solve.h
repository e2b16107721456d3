/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Solves the normal equations of the correction of a homography. */
#ifndef SOLVE_H
#define SOLVE_H

#include "tags/tags.h"

/* Solves the equations by Cholesky's method, with the last two numbers in units of 1 / @size.
 * Returns: whether they have a solution */
static bool
solve (SHARED const long *sums, float size, float *x)
{
  float a[8][9], scale = reciprocal (size);
  bool ok = true;

  for (int i = 0, k = 0; i < 8; i++)
    for (int j = i; j < 9; j++, k++) {
      float f = (i >= 6 ? scale : 1.0f) * (j == 6 || j == 7 ? scale : 1.0f);

      a[i][j] = convert_float_rte (sums[k]) * f;
      if (j < 8)
        a[j][i] = a[i][j];
    }
  for (int i = 0; i < 8; i++) {
    float r, diagonal = a[i][i];

    ok = ok && diagonal > 16.0f;
    r = reciprocal (max (diagonal, 16.0f));
    for (int j = i + 1; j < 8; j++) {
      float f = a[j][i] * r;

      /* Also updates the columns before i, which are not read again, because LLVM in PoCL 6 fails
       * without this. */
      for (int c = 0; c < 9; c++)
        a[j][c] = a[j][c] - f * a[i][c];
    }
  }
  for (int i = 7; i >= 0; i--) {
    float sum = a[i][8];

    for (int c = i + 1; c < 8; c++)
      sum = sum - a[i][c] * x[c];
    x[i] = sum * reciprocal (max (a[i][i], 16.0f));
  }
  x[6] = x[6] * scale;
  x[7] = x[7] * scale;
  return ok;
}

#endif
