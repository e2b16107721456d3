/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/elements/gstmgpuconvertmeta.h>
#include <gst/vision/remap/lens-points.h>

G_BEGIN_DECLS

/* How positions move by a map: the map, its inverse, and the size of the new frame in pixels */
typedef struct
{
  const MgpuLensMap *map;
  const MgpuLensIndex *index;
  gint width, height;
} GstMgpuRemapMotion;

/* Returns: the functions that move positions by @motion, which has to outlive them */
GstMgpuConvertMap gst_mgpu_remap_motion_get_map (GstMgpuRemapMotion * motion);

/* Returns: the same for points, between frames of the formats @in and @out, which have to outlive it */
GstMgpuMetaMap gst_mgpu_remap_motion_get_points (GstMgpuRemapMotion * motion, const GstVideoInfo * in,
    const GstVideoInfo * out);

G_END_DECLS
