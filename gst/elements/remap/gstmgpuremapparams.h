/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpuparams.h>

#include "gstmgpuremapcamera.h"

G_BEGIN_DECLS

/* Value of the property "projection" in addition to the values of MgpuProjection: frames pass
 * unchanged. */
#define GST_MGPU_REMAP_PROJECTION_SAME (MGPU_PROJECTION_STEREOGRAPHIC + 1)

typedef enum
{
  GST_MGPU_REMAP_EDGES_BLACK,
  GST_MGPU_REMAP_EDGES_COLOR,
  GST_MGPU_REMAP_EDGES_REPEAT,
  GST_MGPU_REMAP_EDGES_MIRROR
} GstMgpuRemapEdges;

/* Values of the properties of mgpuremap. @camera, @view, @corners and @matrix determine the map. */
typedef struct
{
  GstMgpuRemapCamera camera;
  struct
  {
    gint projection;
    gdouble alpha, fov, zoom, pan, tilt, roll;
    gboolean rectify;
  } view;
  gchar *corners, *matrix;
  gint edges, interpolation, samples;
  guint colour;
} GstMgpuRemapParams;

/* Describes the members of GstMgpuRemapParams. */
extern const MgpuParam gst_mgpu_remap_params[];

/* Return: whether @a and @b select the same file (first function), or result in the same map
 * (second function) */
gboolean gst_mgpu_remap_params_same_file (const GstMgpuRemapParams * a, const GstMgpuRemapParams * b);
gboolean gst_mgpu_remap_params_same_map (const GstMgpuRemapParams * a, const GstMgpuRemapParams * b);

G_END_DECLS
