/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpukeypointmeta.h"

G_BEGIN_DECLS

/* Counts the keypoints, after waiting for the device to find them. Sets *is_complete to
 * whether all keypoints in memory are seen in the current frame, so that the descriptor
 * of keypoint i is the i-th one in memory. Returns FALSE when the keypoints cannot be
 * read. */
G_GNUC_INTERNAL
gboolean gst_mgpu_keypoint_meta_count (GstMgpuKeypointMeta * meta,
    guint * n, gboolean * is_complete);

G_END_DECLS
