/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpukeypointmeta.h"

G_BEGIN_DECLS

/* Waits for the device. Counts the keypoints, and says whether all that are in
 * memory are seen in the frame as it is now, so that keypoint i has the i-th
 * descriptor in memory. Returns FALSE when they cannot be read. */
G_GNUC_INTERNAL
gboolean gst_mgpu_keypoint_meta_count (GstMgpuKeypointMeta * meta,
    guint * n, gboolean * is_complete);

G_END_DECLS
