/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuOverlayStyle:
 * @keypoint_colour: colour of keypoints, with opacity: 0xaarrggbb
 * @region_colour: colour of the lines around regions, in the same form
 * @text_colour: colour of text, in the same form; its opacity also decides on that of the
 *   dark box behind the text
 * @line_width: width of all lines, in pixels, 1 to 16
 */
typedef struct
{
  guint32 keypoint_colour, region_colour, text_colour;
  gdouble line_width;
} MgpuOverlayStyle;

/* Holds the image of a text of width x height pixels. The array coverage says for each
 * pixel, row by row without gaps, how much of it letters cover: 0 to 255. */
typedef struct
{
  gint width, height;
  const guint8 *coverage;
} MgpuTextImage;

typedef struct _MgpuOverlay MgpuOverlay;

/* Draws on frames. Its objects are of type MgpuOverlay and made without params: instead,
 * mgpu_overlay_begin() takes a MgpuOverlayStyle for each frame. */
extern const MgpuAlgorithm mgpu_overlay;

/* Begins the drawing of the next frame: removes all shapes that were added before, and sets
 * the style. Shapes that are added first are drawn on top of others. */
void mgpu_overlay_begin (MgpuOverlay * self, const MgpuOverlayStyle * style);

/* Returns: the height that letters should have on these frames, in pixels */
gint mgpu_overlay_get_text_size (const MgpuOverlay * self);

/* Adds a text of one or more lines, in the upper left corner of the frame. */
void mgpu_overlay_add_text (MgpuOverlay * self, const MgpuTextImage * text);

/* Adds lines just inside of the edges of a rectangle. Its place and size are in pixels, and
 * it may reach beyond the frame. The image label, which may be NULL, is text that belongs
 * to the rectangle. */
void mgpu_overlay_add_region (MgpuOverlay * self, gint64 x, gint64 y, gint64 width, gint64 height,
    const MgpuTextImage * label);

/* Adds for each of n keypoints a circle of its size, and a line that shows its direction.
 * Keypoints with a NaN as coordinate, or far from the frame, are left out. */
void mgpu_overlay_add_keypoints (MgpuOverlay * self, const GstMgpuKeypoint * keypoints, guint n);

/* Returns: TRUE when no shape was added that can be seen on the frame */
gboolean mgpu_overlay_is_empty (MgpuOverlay * self);

/* Enqueues kernels that copy in to out and draw all shapes on out that were added. Errors
 * stay in job. */
void mgpu_overlay_enqueue (MgpuOverlay * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out);

G_END_DECLS
