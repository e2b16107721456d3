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

G_END_DECLS
