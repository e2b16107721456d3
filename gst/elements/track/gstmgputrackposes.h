/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/* Chooses between the poses of tags in the GstMgpuTagMeta of @buffer, which is writable: if both
 * poses fit the corners nearly equally well, the pose nearer to the last pose of the track becomes
 * the first one. @tracks: tracks with an id, and with a GstMgpuTrackObject as data, which the
 * frame's regions of interest have. Returns: whether a pose was chosen that had been the second
 * one */
gboolean gst_mgpu_track_poses_choose (GstBuffer * buffer, const GPtrArray * tracks);

G_END_DECLS
