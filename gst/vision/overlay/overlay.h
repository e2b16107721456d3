/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Number of colors for tracked objects. The index of an object's color is its id modulo this
 * number. */
#define MGPU_OVERLAY_N_ID_COLOURS 12

/**
 * MgpuOverlayStyle:
 * @keypoint_colour: color of keypoints, with opacity: 0xaarrggbb
 * @region_colour: color of the lines around regions, 0xaarrggbb; its opacity also applies to the
 *   colors of tracked objects
 * @text_colour: color of text, 0xaarrggbb; its opacity also applies to the dark box behind the
 *   text
 * @line_width: width of all lines, in pixels, 1 to 16
 */
typedef struct
{
  guint32 keypoint_colour, region_colour, text_colour;
  gdouble line_width;
} MgpuOverlayStyle;

/* Image of a text, with @width x @height pixels. @coverage has a byte for each pixel, row by row
 * without gaps: the part of the pixel that letters cover, from 0 (nothing) to 255 (all). */
typedef struct
{
  gint width, height;
  const guint8 *coverage;
} MgpuTextImage;

typedef struct _MgpuOverlay MgpuOverlay;

/* Draws keypoints, regions and text on frames. Objects of this algorithm have the type
 * MgpuOverlay and are created without parameters. Instead, mgpu_overlay_begin() gets an
 * MgpuOverlayStyle for each frame. */
extern const MgpuAlgorithm mgpu_overlay;

/* Begins the drawing of the next frame: removes all shapes that were added for the last frame,
 * and sets the style. Shapes added earlier are drawn on top of shapes added later. */
void mgpu_overlay_begin (MgpuOverlay * self, const MgpuOverlayStyle * style);

/* Returns: the recommended height of letters, in pixels, for the frame size of the object */
gint mgpu_overlay_get_text_size (const MgpuOverlay * self);

/* Adds a text of one or more lines, in the upper left corner of the frame. */
void mgpu_overlay_add_text (MgpuOverlay * self, const MgpuTextImage * text);

/* Adds a region: lines just inside the edges of a rectangle.
 * @id: id of a tracked object, whose color the lines get; below 0: the color of regions
 * @x, @y, @width, @height: rectangle, in pixels; it may extend past the frame
 * @label: (nullable): text that belongs to the region */
void mgpu_overlay_add_region (MgpuOverlay * self, gint64 id, gint64 x, gint64 y, gint64 width, gint64 height,
    const MgpuTextImage * label);

/* Position on a frame, in pixels; (0, 0) is the upper left corner of the first pixel. */
typedef struct
{
  gdouble x, y;
} MgpuOverlayPoint;

/* Adds the trail of an object: lines from each of @n points to the next point, in the color of
 * the tracked object with the id @id. Lines to and from points more than 60000 pixels away are
 * omitted. */
void mgpu_overlay_add_trail (MgpuOverlay * self, gint64 id, const MgpuOverlayPoint * points, guint n);

/* Adds a circle, whose diameter is the size of the keypoint, and a line in its direction, for
 * each of @n keypoints. Keypoints with a coordinate that is NaN, or more than 60000 pixels away,
 * are omitted. */
void mgpu_overlay_add_keypoints (MgpuOverlay * self, const GstMgpuKeypoint * keypoints, guint n);

/* Returns: TRUE if none of the added shapes is visible on the frame */
gboolean mgpu_overlay_is_empty (MgpuOverlay * self);

/* Enqueues kernels that copy the frame @in to @out and draw all added shapes on @out.
 * Errors stay in @job. */
void mgpu_overlay_enqueue (MgpuOverlay * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out);

G_END_DECLS
