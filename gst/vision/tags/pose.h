/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgputagmeta.h>
#include <gst/vision/remap/lens.h>

G_BEGIN_DECLS

/* The position of a tag in a frame, and on a board. */
typedef struct
{
  gdouble corners[8];           /* x and y of the corners in pixels; the center of the first pixel
                                 * is (0.5, 0.5) */
  gdouble information[64];      /* inverse of the covariance of @corners: 8 rows of 8 numbers */
  gdouble points[12];           /* x, y and z of the corners on the board, in meters */
} MgpuTagView;

/* Sets @information to the inverse covariance of corners with independent errors of 0.1 pixel. */
void mgpu_tag_view_set_plain (gdouble information[64]);

/* Sets @points to the corners of a tag of @size meters in its own coordinates. */
void mgpu_tag_view_set_square (gdouble points[12], gdouble size);

/* Finds the poses of the square @view in a frame of the camera @model; the points of @view were set
 * by mgpu_tag_view_set_square(): closed form (IPPE), then Gauss-Newton steps weighted by the
 * information. Uses double, and only operations whose rounding IEEE 754 defines. Sets @covariance
 * (nullable) to the covariance of the first pose: 6 rows of 6 numbers, of a small rotation in the
 * camera's coordinates and of the position. Returns: the number of @poses, which are in the order
 * of their errors, smallest first; 0 if there is none */
guint mgpu_tag_pose_find (const MgpuLensModel * model, const MgpuTagView * view, GstMgpuTagPose poses[2],
    gdouble covariance[36]);

/* Finds the pose of a board of which @n tags are visible. The initial estimates are the poses of
 * each tag. The points of a tag have to be the corners of a square. Returns: FALSE if no pose was
 * found */
gboolean mgpu_tag_pose_find_board (const MgpuLensModel * model, const MgpuTagView * views, guint n,
    GstMgpuTagPose * pose);

/* Sets @quaternion to the rotation matrix @rotation: x, y, z, w, where w is not negative. */
void mgpu_tag_pose_get_quaternion (const gdouble rotation[9], gdouble quaternion[4]);

G_END_DECLS
