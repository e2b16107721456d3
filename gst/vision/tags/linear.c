/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Inverts and multiplies small matrices. */
#include "linear.h"

#include <math.h>
#include <string.h>

static void
swap_rows (guint n, gdouble * a, guint r, guint s)
{
  for (guint c = 0; c < n; c++) {
    gdouble old = a[r * n + c];

    a[r * n + c] = a[s * n + c];
    a[s * n + c] = old;
  }
}

/* Adds @factor times the row @from of @a to the row @to. */
static void
add_row (guint n, gdouble * a, guint to, guint from, gdouble factor)
{
  for (guint c = 0; c < n; c++)
    a[to * n + c] += factor * a[from * n + c];
}

gboolean
mgpu_linear_invert (guint n, const gdouble * from, gdouble * inverse)
{
  gdouble a[MGPU_LINEAR_MAX * MGPU_LINEAR_MAX], largest = 0;

  for (guint i = 0; i < n * n; i++) {
    a[i] = from[i];
    largest = MAX (largest, fabs (a[i]));
    inverse[i] = i % (n + 1) == 0;
  }
  for (guint i = 0; i < n; i++) {
    guint best = i;
    gdouble pivot;

    for (guint r = i + 1; r < n; r++)
      if (fabs (a[r * n + i]) > fabs (a[best * n + i]))
        best = r;
    swap_rows (n, a, i, best);
    swap_rows (n, inverse, i, best);
    pivot = a[i * n + i];
    /* The condition is also false for NaN, with which all comparisons are false. */
    if (!(fabs (pivot) > 1e-14 * largest))
      return FALSE;
    for (guint c = 0; c < n; c++) {
      a[i * n + c] /= pivot;
      inverse[i * n + c] /= pivot;
    }
    for (guint r = 0; r < n; r++) {
      gdouble factor = -a[r * n + i];

      if (r == i)
        continue;
      add_row (n, a, r, i, factor);
      add_row (n, inverse, r, i, factor);
    }
  }
  return TRUE;
}

void
mgpu_linear_multiply (guint rows, guint n, guint columns, const gdouble * a,
    const gdouble * b, gdouble * out)
{
  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < columns; c++) {
      gdouble sum = 0;

      for (guint k = 0; k < n; k++)
        sum += a[r * n + k] * b[k * columns + c];
      out[r * columns + c] = sum;
    }
}

void
mgpu_linear_transpose (guint n, const gdouble * a, gdouble * out)
{
  for (guint r = 0; r < n; r++)
    for (guint c = 0; c < n; c++)
      out[c * n + r] = a[r * n + c];
}
