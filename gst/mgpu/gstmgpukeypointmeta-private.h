/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpukeypointmeta.h"

G_BEGIN_DECLS

/* Waits for the device. Returns whether all keypoints in memory are seen in the
 * frame as it is now, so that keypoint i has the i-th descriptor in memory. */
G_GNUC_INTERNAL
gboolean gst_mgpu_keypoint_meta_is_complete (GstMgpuKeypointMeta * meta);

G_END_DECLS
