/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "colour.h"

/* Describes a frame on which shapes are drawn. The first plane is luma or red. The others are
 * chroma, or green and blue. */
typedef struct
{
  RefPlane plane[3];
  int n_planes;                 /* number of planes: 1 or 3 */
  int chroma_width, chroma_height;      /* numbers of columns and rows of plane[0] for each
                                         * chroma sample */
} RefOverlay;

typedef struct
{
  int value[3];                 /* sample of the color in each plane */
  int opacity;                  /* opacity, from 0 to 255 */
} RefOverlayColour;

/* Converts a color. @argb is 0xaarrggbb, full range; @to describes the meaning of the samples
 * of the frame. */
void ref_overlay_colour (uint32_t argb, const RefColour * to, RefOverlayColour * colour);

/* Draws a circle with the diameter @size around (x, y) and, unless @angle is negative, a line
 * from its center. @angle is in degrees, clockwise from the right. The line width is 1 to 16
 * pixels. Draws nothing if x, y or @size is NaN, if the absolute value of x or y is above 60000,
 * or if @size is negative. */
void ref_overlay_keypoint (const RefOverlay * frame, const RefOverlayColour * colour, double line_width, float x,
    float y, float size, float angle);

/* Colors of objects with an id, as 0xrrggbb, used cyclically */
extern const uint32_t ref_overlay_id_colours[12];

/* Draws a line from (x0, y0) to (x1, y1), which are in pixels relative to the corner of the
 * first pixel. The line begins with a disc. A line of more than 1000 pixels is drawn in parts of
 * equal length. Draws nothing if a coordinate is NaN or its absolute value is above 60000. */
void ref_overlay_line (const RefOverlay * frame, const RefOverlayColour * colour, double line_width, double x0,
    double y0, double x1, double y1);

/* Fills a rectangle from (@x0, @y0) to (@x1, @y1). Coordinates are in units of 1/16 pixel: pixel 0
 * extends from 0 to 16. */
void ref_overlay_box (const RefOverlay * frame, const RefOverlayColour * colour, int64_t x0, int64_t y0, int64_t x1,
    int64_t y1);

/* Draws lines just inside the edges of a rectangle. Its coordinates are in pixels. */
void ref_overlay_region (const RefOverlay * frame, const RefOverlayColour * colour, double line_width, int64_t x,
    int64_t y, int64_t width, int64_t height);

/* Draws an image of coverages, from 0 to 255. Its first pixel is drawn at pixel (@x, @y). */
void ref_overlay_image (const RefOverlay * frame, const RefOverlayColour * colour, int x, int y, int width,
    int height, const uint8_t * coverage);
