/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpufit.h>

G_BEGIN_DECLS

struct _GstMgpuFit
{
  gatomicrefcount n_refs;
  gboolean is_found;
  gdouble matrix[9];
  guint n_inliers;
  gdouble rms;
  GBytes *inliers;              /* array with a byte for each pair of points: 1 if the
                                 * pair agrees with the model, else 0 */
};

/* Moves the point (x, y) by a homography. Returns: FALSE if the moved point is at infinity or
 * behind the camera, that is if the divisor is not above 0 */
G_GNUC_INTERNAL
gboolean gst_mgpu_homography_project (const gdouble * matrix, gdouble x, gdouble y, gdouble * to_x, gdouble * to_y);

/* Moves the four corners of an image of @width x @height pixels by a homography, and writes x and y
 * of each to @corners (8 numbers, clockwise from the upper left corner). Returns: FALSE if a corner
 * is at infinity or beyond, or the moved outline is not convex */
G_GNUC_INTERNAL
gboolean gst_mgpu_homography_project_corners (const gdouble * matrix, guint width, guint height, gdouble * corners);

G_END_DECLS
