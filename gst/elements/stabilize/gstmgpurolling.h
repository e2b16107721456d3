/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows a camera whose rows are read one after the other (rolling shutter), by the tracks of the last
 * frames. */
#pragma once

#include <gst/vision/remap/lens-map.h>
#include <gst/vision/stabilize/rolling.h>

#include <gst/elements/gstmgpupoints.h>

G_BEGIN_DECLS

/* Value of the property "rolling-shutter" with which the readout time is estimated from frames */
#define GST_MGPU_ROLLING_FIND -1

/**
 * GstMgpuRolling:
 * @search: the search for the readout time, as a share of the frame interval
 * @pairs: tracks of the last two pairs of neighboring frames, the earlier pair first; an entry is NULL if
 *   it is not known
 * @zooms: size of a pixel of the tracks, in pixels of the frame
 * @has_logged_unknown: whether it was logged that the readout time cannot be estimated yet
 * @has_warned: whether a warning was posted that there are no tracks
 *
 * The tracks of the last frames. Zero the struct before its first use. The object lock of the element guards
 * @search.
 */
typedef struct
{
  MgpuRollingSearch search;
  GBytes *pairs[2];
  gdouble zooms[2];
  gboolean has_logged_unknown, has_warned;
} GstMgpuRolling;

/* Forgets the tracks of @self, because the next frame does not continue the last one. */
void gst_mgpu_rolling_cut (GstMgpuRolling * self);

/* Adds the tracks that the frame with the points @to shares with the one before, with the points
 * @from, of @width x @height pixels. @share is the value of the property "rolling-shutter"; if it
 * is GST_MGPU_ROLLING_FIND, uses the estimated share. Sets the path of the last 2 or 3 frames.
 * Returns: FALSE if the rows of the frame are read at the same time, as far as is known, or if no
 * path was found */
gboolean gst_mgpu_rolling_add (GstMgpuRolling * self, GstElement * element, GstMgpuPoints * from,
                               GstMgpuPoints * to, gdouble share, gint width, gint height, MgpuRollingPath * path);

/* Returns: the readout time, as a share of the frame interval, that is used if the property
 * "rolling-shutter" is @share. Takes the object lock of @element */
gdouble  gst_mgpu_rolling_get_share (GstMgpuRolling * self, GstElement * element, gdouble share);

/* Makes the map from output frames of the format @out to frame @i of @path. @matrix is the
 * homography from pixels of output frames to pixels of a frame whose rows were read at the same
 * time; its last row has to be 0 0 1. Returns: (transfer full) */
MgpuLensMap * gst_mgpu_rolling_map_new (const MgpuRollingPath * path, guint i, const gdouble matrix[9],
                                        const GstVideoInfo * out);

G_END_DECLS
