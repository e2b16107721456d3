/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/elements/gstmgpuconvertmeta.h>
#include <gst/vision/remap/lens-points.h>

G_BEGIN_DECLS

/* A map of positions from input to output frames: the map of the view, its inverse, and the size of
 * the output frame in pixels */
typedef struct
{
  const MgpuLensMap *map;
  const MgpuLensIndex *index;
  gint width, height;
} GstMgpuRemapMotion;

/* Returns: the functions that map boxes by @motion, which has to outlive them */
GstMgpuConvertMap gst_mgpu_remap_motion_get_map (GstMgpuRemapMotion * motion);

/* Returns: the functions that map points by @motion, between frames of the formats @in and @out.
 * @motion has to outlive them */
GstMgpuMetaMap gst_mgpu_remap_motion_get_points (GstMgpuRemapMotion * motion, const GstVideoInfo * in,
    const GstVideoInfo * out);

/* Sets @shift to the translation, a homography, that maps the position of @event, a NAVIGATION event,
 * from the output frame of @map to the input frame. Returns: FALSE if the event has no position */
gboolean gst_mgpu_remap_motion_find_shift (const MgpuLensMap * map, GstEvent * event, gdouble shift[9]);

G_END_DECLS
