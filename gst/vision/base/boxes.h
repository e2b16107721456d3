/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Holds a rectangle in pixels of the frame, with the score of the object that a detector found
 * there. For a rectangle that only defines a search region, score and label are unused. */
typedef struct
{
  gint x, y;
  gint width, height;
  gfloat score;
  gint label, component;        /* indices of the object's class and of the model's
                                 * component (view of the object) that found it */
} MgpuScoredBox;

/* Sorts an array of boxes: highest score first; boxes of one score from top to bottom,
 * then from left to right, then small ones first, then by label and component. */
void mgpu_boxes_sort (GArray * boxes);

/* Replaces each group of more than @threshold boxes whose sides lie within 20 % of each
 * other, directly or through boxes between them, by their mean box with the highest score
 * of the group; removes smaller groups. Does the same as OpenCV's
 * HOGDescriptor::groupRectangles(). A threshold of 0 leaves the boxes as they are. */
void mgpu_boxes_group (GArray * boxes, guint threshold);

/* Suppresses overlapping boxes: goes through the array @boxes from first to last, and
 * removes each box that has more than @overlap, from 0 to 1, of its area inside an
 * earlier box of the same label that was kept. */
void mgpu_boxes_suppress (GArray * boxes, gdouble overlap);

/* Crops boxes to a frame of @width x @height pixels, and removes those that lie outside
 * of it as a whole. */
void mgpu_boxes_clip (GArray * boxes, gint width, gint height);

/* Removes boxes whose centre lies in none of the @regions. Both arrays have elements of
 * type MgpuScoredBox. */
void mgpu_boxes_keep_inside (GArray * boxes, const GArray * regions);

G_END_DECLS
