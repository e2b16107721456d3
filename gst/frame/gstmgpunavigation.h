/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Maps the position in @event (transfer full), a NAVIGATION event from downstream, from the
 * output frame to the input frame of @element. @matrix is the homography, row by row, that maps
 * positions in the output frame to positions in the input frame, in pixels from the upper left
 * corner of the frame. The input frame has @width x @height pixels; a position outside the frame
 * is moved to its nearest edge. Returns: (transfer full): the event for upstream; @event itself
 * if it has no position */
GstEvent * gst_mgpu_navigation_move (GstElement * element, GstEvent * event, const gdouble matrix[9],
                                     gint width, gint height);

/* Does the same as gst_mgpu_navigation_move(), but with @transform, which maps positions in the
 * input frame to positions in the output frame. */
GstEvent * gst_mgpu_navigation_move_back (GstElement * element, GstEvent * event,
                                          const GstMgpuMetaTransform * transform);

G_END_DECLS
