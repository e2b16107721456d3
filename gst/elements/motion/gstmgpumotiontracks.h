/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows regions of moving pixels from frame to frame, and gives them ids. All numbers are
 * integers, so that ids are the same on all machines. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A box, in pixels of the working image (the reduced frame that is analyzed). @right and @bottom
 * are the first column and row outside the box. */
typedef struct
{
  gint left, top, right, bottom;
} GstMgpuMotionBox;

/* A region of moving pixels of a frame. @area: number of moving pixels. @evidence: sum of the
 * evidence of motion of the pixels of the region, at most 192 each. @n_pixels: number of pixels in
 * that sum. */
typedef struct
{
  GstMgpuMotionBox box;
  guint area, n_pixels;
  guint64 evidence;
} GstMgpuMotionRegion;

/* Parameters of the tracks. @merge: boxes with a smaller gap, in pixels, are merged. @min_frames:
 * number of frames with a region, of the last 5/4 times as many, after which a track is confirmed.
 * @hold: number of frames without a region after which a track ends. */
typedef struct
{
  guint merge, min_frames, hold;
} GstMgpuMotionTrackParams;

/* A confirmed track that has a region in the last frame.
 * @id: id, from 1 on. @age: number of frames since the first region of the track.
 * @dx, @dy: mean shift of the box per frame, in 1/16 pixel of the reduced frame. */
typedef struct
{
  guint64 id;
  guint age;
  gint dx, dy;
  GstMgpuMotionRegion region;
} GstMgpuMotionTrack;

typedef struct _GstMgpuMotionTracks GstMgpuMotionTracks;

GstMgpuMotionTracks * gst_mgpu_motion_tracks_new    (void);
void                  gst_mgpu_motion_tracks_free   (GstMgpuMotionTracks * self);

/* Ends all tracks. Their ids are not used again. */
void                  gst_mgpu_motion_tracks_forget (GstMgpuMotionTracks * self);

/* Merges the boxes of @regions, an array of GstMgpuMotionRegion, as long as two boxes are less than
 * @merge pixels apart. */
void                  gst_mgpu_motion_regions_merge (GArray * regions, guint merge);

/* Continues the tracks with @regions, the regions of the next frame; merges those that are near
 * each other first. Appends the confirmed tracks that have a region in this frame to @found, an
 * array of GstMgpuMotionTrack, in the order of their ids. */
void                  gst_mgpu_motion_tracks_update (GstMgpuMotionTracks * self, GArray * regions,
                                                     const GstMgpuMotionTrackParams * params,
                                                     GArray * found);

G_END_DECLS
