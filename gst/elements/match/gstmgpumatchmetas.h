/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpumatchpicture.h"

G_BEGIN_DECLS

/* Sets @box to the box around the four corners of a known picture in a frame of @width x @height
 * pixels, clipped to it. The array @c has x and y of each corner. Returns: FALSE if the result must be
 * wrong: the box is empty, or the area between the corners is too small */
gboolean gst_mgpu_match_find_box (gint width, gint height, const gdouble * c, GstVideoRectangle * box);

/* Attaches a region of interest to the frame for a known picture that was found. */
void gst_mgpu_match_attach_region (GstMgpuMatchPicture * picture, GstBuffer * buffer);

/* Appends to the empty array @found the pictures that other mgpumatch elements found in a frame.
 * Removes from the frame the pictures that the element @id itself found when it processed the same
 * frame earlier. The log names @element. */
void gst_mgpu_match_take_others (GstElement * element, guint id, GstBuffer * buffer, GArray * found);

G_END_DECLS
