/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/remap/lens-map.h>
#include <gst/vision/warp/warp.h>

G_BEGIN_DECLS

/**
 * MgpuRemapParams:
 * @map: the map, of the size of the new frame. It is uploaded if @serial differs from the serial
 *   number of the previous frame
 * @serial: serial number of the map, above 0; different maps have different numbers
 * @edges: samples beyond the edges of the old frame
 * @samples: 1, 2 or 4: number of positions along each axis whose mean becomes a new sample
 * @colour: (nullable): samples of the components of a pixel that the camera does not see, and, with
 *   MGPU_WARP_BLACK, of a pixel beyond the edges; NULL means black
 */
typedef struct
{
  const MgpuLensMap *map;
  guint serial;
  MgpuWarpEdges edges;
  MgpuInterpolation interpolation;
  gint samples;
  const gint *colour;
} MgpuRemapParams;

/* Computes frames of any format from a map. mgpu_object_new() takes no parameters; input and
 * output have the format of the object, and may have any size of up to WARP_FAR columns and rows. */
extern const MgpuAlgorithm mgpu_remap;

G_END_DECLS
