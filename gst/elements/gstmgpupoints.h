/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the keypoints of frames, and the motion between the keypoints of two frames. */
#pragma once

#include <gst/vision/pyramid/pyramid.h>
#include <gst/vision/sift/sift.h>

#include <gst/frame/gstmgpuwatch.h>

#include "gstmgpuluma.h"
#include "gstmgpupointtracks.h"

G_BEGIN_DECLS

/**
 * GstMgpuPoints:
 *
 * The keypoints of a frame, with descriptors, and its tracks. Keypoints can only be matched in the
 * OpenCL context of their memory.
 */
typedef struct
{
  GstMgpuKeypointMeta *tracks;  /* boxed copy of the meta with the tracks; NULL if points are not
                                 * followed */
  gdouble track_zoom;           /* size of a pixel of the image in which points were followed, in
                                 * pixels of the frame */
  guint track_source;           /* source of the track ids: equal ids mean the same track only if
                                 * the sources are equal */
  GstBuffer *picture;           /* the image in which keypoints can be searched for later; NULL if
                                 * this is not needed */
  guint picture_source;         /* value of the member n_prepared of the finder when @picture was
                                 * made */
  guint most;                   /* maximum number of keypoints */

  GstMgpuKeypointMeta *meta;    /* boxed copy of the meta with the keypoints; NULL if they were not
                                 * searched for yet */
  gdouble zoom;                 /* size of a pixel of the image in which the keypoints were found,
                                 * in pixels of the frame */
  gboolean is_faint;            /* whether the frame has so little contrast that keypoints of
                                 * lower contrast than usual are used */
  GPtrArray *ignored;           /* array of GstMgpuDetection, the regions whose keypoints and tracks
                                 * are ignored; NULL if no keypoint is ignored */
} GstMgpuPoints;

/**
 * GstMgpuPointKernels:
 *
 * Objects with the programs for matching and fitting keypoints. The objects only make sure that the
 * programs are built: the methods of #GstMgpuKeypointMeta make objects of their own, which find
 * these programs in the context. Zero the struct before its first use.
 */
typedef struct
{
  gpointer match, geometry;
} GstMgpuPointKernels;

/* Make and free the objects of @self. Between gst_mgpu_device_base_begin_build() and
 * gst_mgpu_device_base_end_build(), the programs are built and counted together with the other
 * programs of the element. Call clear() even after a failure. */
gboolean gst_mgpu_point_kernels_prepare (GstMgpuPointKernels * self, GstMgpuContext * context, GError ** error);
void     gst_mgpu_point_kernels_clear   (GstMgpuPointKernels * self);

/**
 * GstMgpuPointFinder:
 *
 * The objects that find keypoints on the device. Zero the struct before its first use.
 */
typedef struct
{
  GstMgpuInput *input;
  GstMgpuLuma luma;
  gboolean is_gray;             /* whether the luma plane of frames can be read as a gray
                                 * frame */
  MgpuPyramid *pyramid;         /* object that halves the size of frames repeatedly; NULL if
                                 * frames are small enough */
  guint n_halvings;
  GstVideoInfo info;            /* format and size of the image in which keypoints are searched
                                 * for */
  GstMemory *picture;           /* memory of the image in which keypoints are searched for; NULL
                                 * if this is the luma plane of the frame itself */
  MgpuSift *sift;
  GstMgpuPointKernels kernels;
  GstBufferPool *keypoint_pool, *descriptor_pool;
  gboolean has_tracks;          /* whether points can be followed */
  GstMgpuPointTracks tracks;
  GstBufferPool *picture_pool;  /* pool of the images in which points are followed */
  guint n_prepared;             /* number of calls of gst_mgpu_point_finder_prepare() */
  const gchar *source;          /* source of the points of the last frame, for the log; NULL before
                                 * the first frame */
} GstMgpuPointFinder;

/* Prepares @self for the frames of @input. The size of a frame is halved until both sides have at
 * most @size pixels; keypoints are searched for in the result. @has_tracks tells whether points can
 * be followed. Call gst_mgpu_point_finder_clear() afterwards, even on failure. */
gboolean gst_mgpu_point_finder_prepare (GstMgpuPointFinder * self, GstMgpuInput * input, guint size,
                                        gboolean has_tracks, GError ** error);
void     gst_mgpu_point_finder_clear   (GstMgpuPointFinder * self);

/* Finds up to @most keypoints of a frame. If the frame has a keypoint meta with descriptors in the
 * element's OpenCL context, uses its keypoints. If @follows is TRUE (@self must have been prepared
 * for this), uses the tracks of the frame's keypoint meta, or follows points itself; it searches
 * for keypoints only when a fit needs them. Otherwise searches for keypoints, and waits for the
 * device; if there are few, searches again for keypoints of lower contrast. Keypoints in regions of
 * interest of the types @ignored (nullable) do not count. @watch is the watch of the element.
 * Returns: (transfer full) (nullable): the keypoints; NULL without an error if a buffer pool is
 * flushing */
GstMgpuPoints * gst_mgpu_point_finder_find (GstMgpuPointFinder * self, GstMgpuWatch * watch, GstBuffer * frame,
                                            guint most, const gchar * ignored, gboolean follows, GError ** error);

/* Searches for the keypoints of a frame whose points were followed so far, if @self has not been
 * prepared again since then. Waits for the device. Returns: FALSE on failure; without an error if
 * a buffer pool is flushing */
gboolean gst_mgpu_point_finder_describe (GstMgpuPointFinder * self, GstMgpuPoints * points, GError ** error);

/* Add and drop a reference to the keypoints of a frame. @self of the second function is
 * (nullable). */
GstMgpuPoints * gst_mgpu_points_ref    (GstMgpuPoints * self);
void     gst_mgpu_points_unref         (GstMgpuPoints * self);

/* Removes from @matches (transfer full) the matches of keypoints whose position is NaN or too
 * large for a fit. Returns: (transfer full): the remaining matches */
GBytes * gst_mgpu_drop_unplaced        (GstMgpuKeypointMeta * from, GstMgpuKeypointMeta * to, GBytes * matches);

/**
 * GstMgpuPointsMotion:
 * @matrix: homography, row by row, that maps the keypoints of one frame to the matching keypoints
 *   of the other frame, in pixels
 * @n_inliers: number of keypoints that @matrix maps to their matches
 * @is_found: whether enough keypoints agree for the motion to be reliable
 *
 * The motion of keypoints from one frame to another.
 */
typedef struct
{
  gdouble matrix[9];
  guint n_inliers;
  gboolean is_found;
} GstMgpuPointsMotion;

/* Finds the tracks that two frames share. Returns: (transfer full) (nullable): four gfloat for each
 * shared track: its positions in both frames, in units of the member @track_zoom pixels; NULL if
 * the tracks of the frames have different sources. *@n is set to the number of tracks of @from that
 * @to could also have */
GBytes * gst_mgpu_points_pair_tracks   (GstMgpuPoints * from, GstMgpuPoints * to, guint * n);

/* Fits the motion model @model to the tracks that two frames share, or, if there are few or few
 * agree, to their matching keypoints. Waits for the device. Returns: FALSE on failure; without an
 * error if a buffer pool is flushing */
gboolean gst_mgpu_points_fit           (GstMgpuPointFinder * finder, GstMgpuPoints * from, GstMgpuPoints * to,
                                        GstMgpuFitModel model, GstMgpuPointsMotion * motion, GError ** error);

G_END_DECLS
