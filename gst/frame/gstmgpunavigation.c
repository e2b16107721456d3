/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Transforms the positions in navigation events, because the pointer's position is in the output
 * frame, but elements upstream expect a position in the input frame. */
#include "gstmgpunavigation.h"

#include <gst/video/navigation.h>

#include "gstmgpulog.h"

/* Minimum of the divisor w when a homography maps a position. Kernels use the same
 * limit. If w is 0 or negative, the position is at infinity or behind the camera. */
#define LEAST_DIVISOR (1.0 / 1024)

GstEvent *
gst_mgpu_navigation_move (GstElement * element, GstEvent * event,
    const gdouble matrix[9], gint width, gint height)
{
  const gdouble *m = matrix;
  gdouble x, y, u, v, w;

  if (!gst_navigation_event_get_coordinates (event, &x, &y))
    return event;
  w = MAX ((m[6] * x + m[7] * y) / m[8] + 1, LEAST_DIVISOR) * m[8];
  u = (m[0] * x + m[1] * y + m[2]) / w;
  v = (m[3] * x + m[4] * y + m[5]) / w;
  GST_MGPU_LOG_OBJECT (element,
      "converting the position (%g, %g) in the output frame to (%g, %g) in the "
      "input frame", x, y, u, v);
  event = gst_event_make_writable (event);
  gst_navigation_event_set_coordinates (event, CLAMP (u, 0, width), CLAMP (v, 0,
          height));
  return event;
}

GstEvent *
gst_mgpu_navigation_move_back (GstElement * element, GstEvent * event,
    const GstMgpuMetaTransform * t)
{
  const gdouble *a = t->matrix[0], *b = t->matrix[1];
  const gdouble inverse[9] = {
    b[1], -a[1], a[1] * b[2] - a[2] * b[1],
    -b[0], a[0], a[2] * b[0] - a[0] * b[2],
    0, 0, a[0] * b[1] - a[1] * b[0]
  };

  return gst_mgpu_navigation_move (element, event, inverse,
      GST_VIDEO_INFO_WIDTH (t->in_info), GST_VIDEO_INFO_HEIGHT (t->in_info));
}
