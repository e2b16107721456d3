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
  GBytes *inliers;              /* one byte for each pair of points: 1 if the pair agrees with the
                                 * model, otherwise 0 */
};

/* Maps the point (x, y) by a homography. Returns: FALSE if the mapped point is at infinity or
 * behind the camera, that is, if the divisor is not positive */
G_GNUC_INTERNAL
gboolean gst_mgpu_homography_project (const gdouble * matrix, gdouble x, gdouble y, gdouble * to_x, gdouble * to_y);

/* Maps the four corners of an image of @width x @height pixels by a homography. Writes 8 numbers
 * to @corners: x and y of each mapped corner, clockwise from the upper left corner of the image.
 * Returns: FALSE if a mapped corner is at infinity or behind the camera, or if the mapped outline
 * is not convex */
G_GNUC_INTERNAL
gboolean gst_mgpu_homography_project_corners (const gdouble * matrix, guint width, guint height, gdouble * corners);

G_END_DECLS
