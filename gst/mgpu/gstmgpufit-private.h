/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufit.h"

G_BEGIN_DECLS

struct _GstMgpuFit
{
  gatomicrefcount n_refs;
  gboolean is_found;
  gdouble matrix[9];
  guint n_inliers;
  gdouble rms;
  GBytes *inliers;              /* for each pair of points: 1 if it agrees with
                                 * the model, else 0 */
};

/* Moves (x, y) by a homography. Returns FALSE where the result is at infinity
 * or beyond (the divisor is not above 0). */
G_GNUC_INTERNAL
gboolean gst_mgpu_homography_project (const gdouble * matrix, gdouble x, gdouble y, gdouble * to_x, gdouble * to_y);

/* Does the same as gst_mgpu_fit_project_corners(), for a homography. Writes 8
 * numbers to @corners. Returns FALSE where that function returns NULL. */
G_GNUC_INTERNAL
gboolean gst_mgpu_homography_project_corners (const gdouble * matrix, guint width, guint height, gdouble * corners);

G_END_DECLS
