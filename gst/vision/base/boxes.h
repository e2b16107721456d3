/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Holds a rectangle, such as the place of an object that a detector found, in pixels of
 * the frame. */
typedef struct
{
  gint x, y;
  gint width, height;
  gfloat score;
  gint label, component;        /* numbers of the class of the object and of its view */
} MgpuBox;

/* Sorts an array of boxes: highest score first; boxes of one score from top to bottom,
 * then from left to right, then small ones first, then by label and component. */
void mgpu_boxes_sort (GArray * boxes);

/* Makes one box, the mean with the highest score, of each group of more than
 * threshold boxes whose sides lie within 20 % of each other, directly or by
 * way of others; smaller groups are left out. Does the same as OpenCV's
 * HOGDescriptor::groupRectangles(). A threshold of 0 leaves the boxes as they are. */
void mgpu_boxes_group (GArray * boxes, guint threshold);

/* Goes through the boxes in their order and leaves out each that has more than
 * overlap, from 0 to 1, of its area inside an earlier box of the same label that was
 * kept. */
void mgpu_boxes_suppress (GArray * boxes, gdouble overlap);

/* Cuts off the parts of boxes that lie outside a frame of width x height pixels, and
 * removes boxes that lie outside as a whole. */
void mgpu_boxes_clip (GArray * boxes, gint width, gint height);

/* Removes boxes whose middle lies in none of the regions, an array of MgpuBox. */
void mgpu_boxes_keep_inside (GArray * boxes, const GArray * regions);

G_END_DECLS
