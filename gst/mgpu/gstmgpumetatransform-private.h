/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpumetatransform.h"

G_BEGIN_DECLS

/* Sets self to what a transform does that moves the frame: ours, GStreamer's
 * "gst-video-scale", or its "gst-video-matrix" where that is affine. Returns
 * FALSE for others. */
G_GNUC_INTERNAL
gboolean gst_mgpu_meta_transform_parse (GstMgpuMetaTransform * self, GQuark type, gconstpointer data);

G_END_DECLS
