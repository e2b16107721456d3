/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A rectangle in pixels of the frame, with the score of the object that a detector found there.
 * If the rectangle only defines a search region, score and label are unused. */
typedef struct
{
  gint x, y;
  gint width, height;
  gfloat score;
  gint label, component;        /* indices of the object's class, and of the component of the
                                 * model (view of the object) that found it */
} MgpuScoredBox;

/* Sorts an array of boxes by decreasing score. Boxes with equal scores are sorted from top to
 * bottom, then from left to right, then by increasing size, then by label and component. */
void mgpu_boxes_sort (GArray * boxes);

/* Replaces each group of more than @threshold boxes by one box: the mean of the boxes, with the
 * highest score of the group. Removes smaller groups. A group consists of boxes whose sides lie
 * within 20 % of each other, directly or through boxes between them. Does the same as OpenCV's
 * HOGDescriptor::groupRectangles(). A threshold of 0 leaves the array unchanged. */
void mgpu_boxes_group (GArray * boxes, guint threshold);

/* Removes overlapping boxes (non-maximum suppression): goes through the array @boxes from first
 * to last, and keeps a box if at most the fraction @overlap, from 0 to 1, of its area lies
 * inside any single box that was kept before and has the same label. */
void mgpu_boxes_suppress (GArray * boxes, gdouble overlap);

/* Removes boxes that are equal to the one before them in a sorted array. */
void mgpu_boxes_unite (GArray * boxes);

/* Crops boxes to a frame of @width x @height pixels. Removes boxes that lie completely outside
 * the frame. */
void mgpu_boxes_clip (GArray * boxes, gint width, gint height);

/* Removes boxes whose center is not in any of the @regions. Both arrays have elements of type
 * MgpuScoredBox. */
void mgpu_boxes_keep_inside (GArray * boxes, const GArray * regions);

G_END_DECLS
