/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/flow/flow.h>

G_BEGIN_DECLS

/* Maximum number of tracks */
#define MGPU_TRACKS_MAX 4096

typedef struct
{
  guint most;                   /* maximum number of tracks, from 1 to MGPU_TRACKS_MAX */
  guint cell;                   /* width and height of a cell, in pixels: new points are added
                                 * in cells that have no track */
  guint first_id;               /* maximum id that was already used; new ids are larger */
  gint left, top;               /* position, in the frame, of the part in which flow is measured */
} MgpuTracksParams;

/* Memories with room for the maximum number of tracks: a GstMgpuKeypointHeader and a
 * GstMgpuKeypoint for each track; a guint32, its id; and four gfloat, its position in the previous
 * frame and its motion from there, in pixels, which is 0 for a new track. */
typedef struct
{
  GstMgpuMemory *keypoints, *ids, *motions;
} MgpuTracksTables;

typedef struct _MgpuTracks MgpuTracks;

/* Describes the algorithm that follows points from frame to frame. An object of
 * mgpu_object_new() is a MgpuTracks, and has no parameters. Its function forget() drops all
 * tracks. */
extern const MgpuAlgorithm mgpu_tracks;

/* Enqueues the kernels that follow the tracks to the frame that was passed to @flow last, add new
 * points, and write all tracks to @tables. If @flow had no previous frame, all tracks are dropped.
 * Errors stay in @job. */
void mgpu_tracks_enqueue (MgpuTracks * self, GstMgpuJob * job, const MgpuTracksParams * params,
    MgpuFlow * flow, const MgpuTracksTables * tables);

G_END_DECLS
