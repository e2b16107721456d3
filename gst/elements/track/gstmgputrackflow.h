/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/* For each of @tracks, an array of GstMgpuTrackerTrack, sets the motion of the content of its box
 * since the last frame, if the metas of @buffer tell it. It is the median of the motions of the
 * points tracked there (tracks of a GstMgpuKeypointMeta), otherwise that of the dense flow there (a
 * GstMgpuFlowMeta). Waits until
 * the device has computed them. Returns: the number of tracks that got a motion */
guint gst_mgpu_track_flow_carry (GstBuffer * buffer, const GPtrArray * tracks);

G_END_DECLS
