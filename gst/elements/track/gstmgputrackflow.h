/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/* For each of @tracks, an array of GstMgpuTrackerTrack, sets the motion of the content of the
 * track's box since the last frame, if the metas of @buffer have it. This is the median of the
 * motions of the points that were followed in the box (tracks of a GstMgpuKeypointMeta), otherwise
 * the median of the dense flow in the box (a GstMgpuFlowMeta). Waits until the device has computed
 * these metas. Returns: the number of tracks that got a motion */
guint gst_mgpu_track_flow_carry (GstBuffer * buffer, const GPtrArray * tracks);

G_END_DECLS
