/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuOverlayStyle:
 * @keypoint_colour: of keypoints, with opacity: 0xaarrggbb
 * @region_colour: of the lines around regions
 * @text_colour: of text, behind which lies a dark box as opaque
 * @line_width: of all lines, in pixels, 1 to 16
 */
typedef struct
{
  guint32 keypoint_colour, region_colour, text_colour;
  gdouble line_width;
} MgpuOverlayStyle;

/* Holds how much of each of width x height pixels letters cover, 0 to 255, row by row
 * without a gap. */
typedef struct
{
  gint width, height;
  const guint8 *coverage;
} MgpuTextImage;

typedef struct _MgpuOverlay MgpuOverlay;

/* Draws on frames. A MgpuOverlay is an object of it, made without parameters: each frame
 * has a MgpuOverlayStyle. */
extern const MgpuAlgorithm mgpu_overlay;

/* What is added from here on is drawn on the next frame, what is added first on
 * top. */
void mgpu_overlay_begin (MgpuOverlay * self, const MgpuOverlayStyle * style);

/* How large letters should be, in pixels. */
gint mgpu_overlay_get_text_size (const MgpuOverlay * self);

/* A line of text, or several, at the top on the left. */
void mgpu_overlay_add_text (MgpuOverlay * self, const MgpuTextImage * text);

/* Lines just inside of a rectangle, in pixels, which may lie anywhere. label:
 * (nullable): text that belongs to it */
void mgpu_overlay_add_region (MgpuOverlay * self, gint64 x, gint64 y, gint64 width, gint64 height,
    const MgpuTextImage * label);

/* Circles of their size, and lines that show their direction. Those that lie
 * nowhere (NaN) or far from the frame are left out. */
void mgpu_overlay_add_keypoints (MgpuOverlay * self, const GstMgpuKeypoint * keypoints, guint n);

/* Whether nothing of what was added is seen on the frame. */
gboolean mgpu_overlay_is_empty (MgpuOverlay * self);

/* Makes out from in and what was added. Errors stay in job. */
void mgpu_overlay_enqueue (MgpuOverlay * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out);

G_END_DECLS
