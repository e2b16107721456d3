/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/* Gives each of @tracks, an array of GstMgpuTrackerTrack, the motion since the last frame of what is
 * in its box, where the frame @buffer has it: the median of the motions of points that are followed
 * (tracks of a GstMgpuKeypointMeta), otherwise that of dense flow (a GstMgpuFlowMeta). Waits until
 * the device has computed them. Returns: the number of tracks that got a motion */
guint gst_mgpu_track_flow_carry (GstBuffer * buffer, const GPtrArray * tracks);

G_END_DECLS
