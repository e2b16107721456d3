/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of rows of a matrix */
#define MGPU_LINEAR_MAX 8

/* Sets @inverse to the inverse of the matrix @a of @n rows of @n numbers, with row pivots. Only
 * operations that IEEE 754 rounds are used, in a fixed order. Returns: FALSE if a pivot is 0 or
 * less than 1e-14 of the largest number of the matrix */
gboolean mgpu_linear_invert (guint n, const gdouble * a, gdouble * inverse);

/* Sets @out to the product of the matrices @a, of @rows rows of @n numbers, and @b, of @n rows of
 * @columns numbers. */
void mgpu_linear_multiply (guint rows, guint n, guint columns, const gdouble * a, const gdouble * b, gdouble * out);

/* Sets @out to the transposed matrix @a of @n rows of @n numbers. */
void mgpu_linear_transpose (guint n, const gdouble * a, gdouble * out);

G_END_DECLS
