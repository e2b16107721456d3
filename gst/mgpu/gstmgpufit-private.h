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

/* Moves (x, y) by a homography. Returns FALSE where it is at infinity or beyond. */
G_GNUC_INTERNAL
gboolean gst_mgpu_homography_project (const gdouble * matrix, gdouble x, gdouble y, gdouble * to_x, gdouble * to_y);

/* Does for a homography what gst_mgpu_fit_project_corners() does. Returns FALSE where that
 * returns NULL. corners: gets 8 numbers */
G_GNUC_INTERNAL
gboolean gst_mgpu_homography_project_corners (const gdouble * matrix, guint width, guint height, gdouble * corners);

G_END_DECLS
