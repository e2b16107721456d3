/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "colour.h"

/* A frame that is drawn on: luma or red first, then chroma or the rest. */
typedef struct
{
  RefPlane plane[3];
  int n_planes;                 /* 1 or 3 */
  int chroma_width, chroma_height;      /* pixels of plane[0] that share chroma */
} RefOverlay;

typedef struct
{
  int value[3];                 /* one for each plane */
  int opacity;                  /* from 0 to 255 */
} RefOverlayColour;

/* argb: 0xaarrggbb, full range; to: what the frame's samples mean */
void ref_overlay_colour (uint32_t argb, const RefColour * to, RefOverlayColour * colour);

/* A circle of diameter size around (x, y) and, unless angle is negative, a line
 * from its middle; angle in degrees, clockwise from the right. Nothing when
 * any of x, y and size is NaN, x or y farther than 60000 or size negative.
 * line_width: 1 to 16 pixels */
void ref_overlay_keypoint (const RefOverlay * frame, const RefOverlayColour * colour, double line_width, float x,
    float y, float size, float angle);

/* Colours of objects with an id, by turns: 0xrrggbb */
extern const uint32_t ref_overlay_id_colours[12];

/* A line from (x0, y0) to (x1, y1), in pixels from the corner of the first pixel, which
 * begins with a disc. Nothing when one of them is NaN or farther than 60000. A line of more
 * than 1000 pixels is drawn in parts of the same length. */
void ref_overlay_line (const RefOverlay * frame, const RefOverlayColour * colour, double line_width, double x0,
    double y0, double x1, double y1);

/* A rectangle from (x0, y0) to (x1, y1), edges in units of 1/16 pixel; pixel 0
 * lies from 0 to 16. */
void ref_overlay_box (const RefOverlay * frame, const RefOverlayColour * colour, int64_t x0, int64_t y0, int64_t x1,
    int64_t y1);

/* Lines inside of a rectangle, in pixels. */
void ref_overlay_region (const RefOverlay * frame, const RefOverlayColour * colour, double line_width, int64_t x,
    int64_t y, int64_t width, int64_t height);

/* An image of coverages from 0 to 255 at pixel (x, y). */
void ref_overlay_image (const RefOverlay * frame, const RefOverlayColour * colour, int x, int y, int width,
    int height, const uint8_t * coverage);
