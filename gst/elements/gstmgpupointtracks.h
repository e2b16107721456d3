/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows points from frame to frame, for elements that measure the motion of the camera. */
#pragma once

#include "gstmgputracktables.h"

G_BEGIN_DECLS

/**
 * GstMgpuPointTracks:
 *
 * The objects that follow points on the device. Zero the struct before its first use.
 */
typedef struct
{
  MgpuFlow *flow;               /* object that holds the pyramids of the last two images; NULL if
                                 * points are not followed */
  MgpuTracks *tracks;
  GstMgpuTrackTables tables;
} GstMgpuPointTracks;

/* Prepares @self for images of the format @info. In images that are too small, no points are
 * followed. Call gst_mgpu_point_tracks_clear() afterwards, even on failure. */
gboolean gst_mgpu_point_tracks_prepare (GstMgpuPointTracks * self, GstMgpuDeviceBase * base,
                                        const GstVideoInfo * info, GError ** error);
void     gst_mgpu_point_tracks_clear   (GstMgpuPointTracks * self);

/* Forgets the last image and all tracks, e.g. after a flush. */
void     gst_mgpu_point_tracks_forget  (GstMgpuPointTracks * self);

/* Enqueues the kernels that follow about @most points from the last image to the image @picture.
 * Call gst_mgpu_point_tracks_take() when @job has ended. Errors stay in @job. */
void     gst_mgpu_point_tracks_enqueue (GstMgpuPointTracks * self, GstMgpuJob * job, GstMgpuDeviceBase * base,
                                        const MgpuImage * picture, guint most);

/* Returns: (transfer full) (nullable): the tracks of the last image, as a boxed copy of a meta;
 * NULL if points are not followed */
GstMgpuKeypointMeta * gst_mgpu_point_tracks_take (GstMgpuPointTracks * self);

G_END_DECLS
