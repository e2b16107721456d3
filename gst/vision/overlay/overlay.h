/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Number of different colours of tracked objects. The id of an object modulo this number
 * chooses its colour. */
#define MGPU_OVERLAY_N_ID_COLOURS 12

/**
 * MgpuOverlayStyle:
 * @keypoint_colour: colour of keypoints, with opacity: 0xaarrggbb
 * @region_colour: colour of the lines around regions, 0xaarrggbb; its opacity also applies
 *   to the colours of tracked objects
 * @text_colour: colour of text, 0xaarrggbb; the dark box behind the text becomes more
 *   transparent with the text
 * @line_width: width of all lines, in pixels, 1 to 16
 */
typedef struct
{
  guint32 keypoint_colour, region_colour, text_colour;
  gdouble line_width;
} MgpuOverlayStyle;

/* Holds the image of a text of @width x @height pixels. @coverage has a byte for each
 * pixel, row by row without gaps: how much of the pixel the letters cover, from 0
 * (nothing) to 255 (all). */
typedef struct
{
  gint width, height;
  const guint8 *coverage;
} MgpuTextImage;

typedef struct _MgpuOverlay MgpuOverlay;

/* Draws keypoints, regions and text on frames. Objects of this algorithm are of type
 * MgpuOverlay, and are made without parameters: instead, mgpu_overlay_begin() takes a
 * MgpuOverlayStyle for each frame. */
extern const MgpuAlgorithm mgpu_overlay;

/* Begins the drawing of the next frame: removes all shapes that were added for the last
 * frame, and sets the style. Shapes that are added first are drawn on top of shapes that
 * are added later. */
void mgpu_overlay_begin (MgpuOverlay * self, const MgpuOverlayStyle * style);

/* Returns: the height that letters should have on frames of the object's size, in
 * pixels */
gint mgpu_overlay_get_text_size (const MgpuOverlay * self);

/* Adds a text of one or more lines, in the upper left corner of the frame. */
void mgpu_overlay_add_text (MgpuOverlay * self, const MgpuTextImage * text);

/* Adds a region: lines just inside of the edges of a rectangle. Its position and size are
 * in pixels, and it may reach beyond the frame. The lines have the colour of the tracked
 * object with the id @id, or, if @id is below 0, the colour of regions. The image @label,
 * which may be NULL, is text that belongs to the region. */
void mgpu_overlay_add_region (MgpuOverlay * self, gint64 id, gint64 x, gint64 y, gint64 width, gint64 height,
    const MgpuTextImage * label);

/* Holds a position on a frame, in pixels; (0, 0) is the upper left corner of the first
 * pixel. */
typedef struct
{
  gdouble x, y;
} MgpuOverlayPoint;

/* Adds the trail of an object: lines from each of @n points to the next one, in the
 * colour of the tracked object with the id @id. Lines to and from points more than 60000
 * pixels away are left out. */
void mgpu_overlay_add_trail (MgpuOverlay * self, gint64 id, const MgpuOverlayPoint * points, guint n);

/* Adds, for each of @n keypoints, a circle whose diameter is the keypoint's size, and a
 * line that shows its direction. Keypoints with a coordinate that is NaN, or more than
 * 60000 pixels away, are left out. */
void mgpu_overlay_add_keypoints (MgpuOverlay * self, const GstMgpuKeypoint * keypoints, guint n);

/* Returns: TRUE when none of the added shapes can be seen on the frame */
gboolean mgpu_overlay_is_empty (MgpuOverlay * self);

/* Enqueues kernels that copy the frame @in to @out and draw all added shapes on @out.
 * Errors stay in @job. */
void mgpu_overlay_enqueue (MgpuOverlay * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out);

G_END_DECLS
