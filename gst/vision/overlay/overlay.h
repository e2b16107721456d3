/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Number of different colours of tracked objects, whose colour is chosen by their id
 * modulo this number */
#define MGPU_OVERLAY_N_ID_COLOURS 12

/**
 * MgpuOverlayStyle:
 * @keypoint_colour: colour of keypoints, with opacity: 0xaarrggbb
 * @region_colour: colour of the lines around regions, in the same form; its opacity is also
 *   that of the colours of objects with an id
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

/* Draws keypoints, regions and text on frames. Its objects are of type MgpuOverlay and
 * made without params: instead, mgpu_overlay_begin() takes a MgpuOverlayStyle for each
 * frame. */
extern const MgpuAlgorithm mgpu_overlay;

/* Begins the drawing of the next frame: removes all shapes that were added before, and
 * sets the style. Shapes that are added earlier are drawn on top of later ones. */
void mgpu_overlay_begin (MgpuOverlay * self, const MgpuOverlayStyle * style);

/* Returns: the height that letters should have on frames of the object's size, in
 * pixels */
gint mgpu_overlay_get_text_size (const MgpuOverlay * self);

/* Adds a text of one or more lines, in the upper left corner of the frame. */
void mgpu_overlay_add_text (MgpuOverlay * self, const MgpuTextImage * text);

/* Adds a region: lines just inside of the edges of a rectangle. Its position and size are
 * in pixels, and it may reach beyond the frame. The lines have the colour of the object
 * id, or that of regions where id is below 0. The image label, which may be NULL, is text
 * that belongs to the region. */
void mgpu_overlay_add_region (MgpuOverlay * self, gint64 id, gint64 x, gint64 y, gint64 width, gint64 height,
    const MgpuTextImage * label);

/* Holds a position on a frame, in pixels; (0, 0) is the upper left corner of the first
 * pixel. */
typedef struct
{
  gdouble x, y;
} MgpuOverlayPoint;

/* Adds the trail of an object: lines from each of n points to the next one, in the colour
 * of the object id. Lines to and from points that are far from the frame are left out. */
void mgpu_overlay_add_trail (MgpuOverlay * self, gint64 id, const MgpuOverlayPoint * points, guint n);

/* Adds, for each of n keypoints, a circle of its size, and a line that shows its
 * direction. Keypoints with a NaN as coordinate, or far from the frame, are left out. */
void mgpu_overlay_add_keypoints (MgpuOverlay * self, const GstMgpuKeypoint * keypoints, guint n);

/* Returns: TRUE when no shape was added that can be seen on the frame */
gboolean mgpu_overlay_is_empty (MgpuOverlay * self);

/* Enqueues kernels that copy the frame in to out and draw all added shapes on out. Errors
 * stay in job. */
void mgpu_overlay_enqueue (MgpuOverlay * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out);

G_END_DECLS
