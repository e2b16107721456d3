/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* What a detector found, in pixels of the frame. */
typedef struct
{
  gint x, y;
  gint width, height;
  gfloat score;
  gint label, component;        /* of a detector of several classes, of several views */
} MgpuBox;

/* Puts the boxes of an array into order: best first, then from above, from the
 * left, small ones first, by label, by component. */
void mgpu_boxes_sort (GArray * boxes);

/* Makes one box, the mean with the highest score, of each group of more than
 * threshold boxes whose sides lie within 20 % of each other, directly or by
 * way of others; smaller groups are left out. As OpenCV's
 * HOGDescriptor::groupRectangles(). 0: does nothing. */
void mgpu_boxes_group (GArray * boxes, guint threshold);

/* Goes through the boxes in their order and leaves out each that has more than
 * overlap, from 0 to 1, of its area in a box of its label that stayed. */
void mgpu_boxes_suppress (GArray * boxes, gdouble overlap);

/* Cuts off what lies outside the frame; leaves out what has nothing inside. */
void mgpu_boxes_clip (GArray * boxes, gint width, gint height);

/* Leaves out boxes whose middle lies in none of the regions, which are boxes,
 * too. */
void mgpu_boxes_keep_inside (GArray * boxes, const GArray * regions);

G_END_DECLS
