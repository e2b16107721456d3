/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpumetatransform.h"

G_BEGIN_DECLS

/* Sets self to how a transform of the given type moves the frame. Knows three types: that
 * of GstMgpuMetaTransform, GStreamer's "gst-video-scale", and GStreamer's
 * "gst-video-matrix" if its matrix is affine. Returns FALSE for other types. */
G_GNUC_INTERNAL
gboolean gst_mgpu_meta_transform_parse (GstMgpuMetaTransform * self, GQuark type, gconstpointer data);

G_END_DECLS
