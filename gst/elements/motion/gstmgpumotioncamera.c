/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows the motion of the camera with the metas that mgpustabilize attaches. */
#include "gstmgpumotioncamera.h"

#include <gst/mgpu/gstmgpumotionmeta.h>

#include <math.h>

/* Maximum motion of a corner, as a fraction of the frame */
#define MAX_MOTION 0.25

/* Moves the point @from by the homography @m. Returns: FALSE if it is moved to infinity */
static gboolean
project (const gdouble * m, const gdouble * from, gdouble * to)
{
  gdouble w = m[6] * from[0] + m[7] * from[1] + m[8];
  gdouble x = (m[0] * from[0] + m[1] * from[1] + m[2]) / w;
  gdouble y = (m[3] * from[0] + m[4] * from[1] + m[5]) / w;

  to[0] = x;
  to[1] = y;
  return isfinite (x) && isfinite (y);
}

void
gst_mgpu_motion_camera_forget (GstMgpuMotionCamera * self)
{
  self->is_known = FALSE;
}

const gchar *
gst_mgpu_motion_camera_follow (GstMgpuMotionCamera * self, GstBuffer * buffer,
    gint width, gint height)
{
  GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (buffer);
  const gdouble *correction, *motion;
  GstMgpuMotionState state;

  if (meta == NULL)
    return NULL;
  state = gst_mgpu_motion_meta_get_state (meta);
  motion = gst_mgpu_motion_meta_get_motion (meta);
  correction = gst_mgpu_motion_meta_get_correction (meta);
  if (state == GST_MGPU_MOTION_STATE_CUT && self->is_known) {
    self->is_known = FALSE;
    return "the scene has changed";
  }
  for (guint i = 0; i < 4; i++) {
    gdouble *corner = self->corners[i], now[2];

    if (!self->is_known) {
      corner[0] = i % 2 ? width : 0;
      corner[1] = i / 2 ? height : 0;
      if (!project (correction, corner, self->first[i]))
        return NULL;
      continue;
    }
    if ((state != GST_MGPU_MOTION_STATE_LOST
            && !project (motion, corner, corner))
        || !project (correction, corner, now)
        || fabs (now[0] - self->first[i][0]) > MAX_MOTION * width
        || fabs (now[1] - self->first[i][1]) > MAX_MOTION * height) {
      self->is_known = FALSE;
      return "the camera has moved";
    }
  }
  self->is_known = TRUE;
  return NULL;
}
