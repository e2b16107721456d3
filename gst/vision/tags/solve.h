/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include <kernels/tags/tags-shared.h>

G_BEGIN_DECLS

/* Finds the corners of a tag from the sums that the device measured: solves the normal equations of
 * the tag's homography. Sets @corners to x and y of each, in pixels; the center of the first pixel
 * is (0.5, 0.5). Sets @information to the inverse of their covariance, 8 rows of 8 numbers.
 * Returns: whether the sums were used; FALSE if there are too few measurements or the corners would
 * move too far; @corners are then the intersections of the sides */
gboolean mgpu_tags_solve (const TagsRecord * record, gdouble corners[8], gdouble information[64]);

G_END_DECLS
