/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tells from the GstMgpuMotionMeta of frames whether the camera still sees the background that was
 * learned. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The motion of the camera since the background was first learned. @corners: positions of the
 * corners of the first frame in the last frame that had a motion, in pixels of the input of
 * mgpustabilize. @first: their positions in the first frame, after its correction. */
typedef struct
{
  gboolean is_known;
  gdouble corners[4][2], first[4][2];
} GstMgpuMotionCamera;

/* Forgets the motion of the camera, because the background is learned again. */
void     gst_mgpu_motion_camera_forget  (GstMgpuMotionCamera * self);

/* Follows the camera to the frame @buffer of @width x @height pixels. Returns: the reason, if the
 * frame does not show the learned background: it begins another scene, or a corner has moved by
 * more than a quarter of the frame; otherwise NULL */
const gchar * gst_mgpu_motion_camera_follow (GstMgpuMotionCamera * self, GstBuffer * buffer,
    gint width, gint height);

G_END_DECLS
