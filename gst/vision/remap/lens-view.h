/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/remap/lens-map.h>

G_BEGIN_DECLS
/* Sets @point to the point of a view that shows the ray @ray, in focal lengths from the axis; rays too far
 * from the axis for the projection are shown at its limit. */
void mgpu_projection_find_point (MgpuProjection projection,
    const gdouble ray[3], gdouble point[2]);

/* The view that a user requests.
 * @alpha: 0: only pixels of the old frame are visible; 1: all pixels of the old frame are visible;
 *   values between 0 and 1: a view between these two; -1: the camera matrix is kept
 * @fov: field of view across the width of the new frame in degrees, instead of @alpha; 0: chosen by
 *   @alpha
 * @zoom: factor by which the focal length is multiplied
 * @turn: rows of the rotation from rays of the camera to those of the view
 * @straight: rows of this rotation without pan, tilt and roll. Focal lengths and center are chosen
 *   by @alpha for this rotation, so that they do not change when the view turns */
    typedef struct
{
  MgpuProjection projection;
  gdouble alpha, fov, zoom;
  gdouble turn[9], straight[9];
} MgpuViewChoice;

/* Sets @turn to the rotation of a view that is turned right by @pan, up by @tilt and clockwise by
 * @roll, all in degrees. */
void mgpu_view_set_turn (gdouble turn[9], gdouble pan, gdouble tilt,
    gdouble roll);

/* Sets @camera to an ideal camera for frames of @width x @height. @fov: its field of view in
 * degrees, across the shorter side for MGPU_LENS_FISHEYE, else across the width. Returns: FALSE if
 * there is no such camera, because a perspective camera sees less than 180 degrees */
gboolean mgpu_camera_set_ideal (MgpuCamera * camera, MgpuLens lens, gdouble fov,
    gint width, gint height);

/* Adapts @camera to frames that are scaled by the factors @x and @y to the size @width x
 * @height. */
void mgpu_camera_scale (MgpuCamera * camera, gdouble x, gdouble y, gint width,
    gint height);

/* Sets @view to the view of @width x @height pixels that @choice describes. */
void mgpu_view_choose (MgpuView * view, const MgpuLensModel * model,
    const MgpuViewChoice * choice, gint width, gint height);

/* Returns: the largest field of view, in degrees, of a view with the projection @projection; a
 * larger field of view is reduced to this one */
gdouble mgpu_view_get_max_fov (MgpuProjection projection);

/* Changes @view to frames of @width x @height pixels that show the old view after a homography. @matrix,
 * row by row, maps positions in the old view to positions in the new frames, both in pixels from the upper
 * left corner. Returns: FALSE if the matrix cannot be inverted */
gboolean mgpu_view_set_matrix (MgpuView * view, const gdouble matrix[9],
    gint width, gint height);

/* Changes @view to frames of @width x @height pixels that show a quadrilateral of the old view.
 * @corners: x and y of its corners, clockwise, beginning with the corner that becomes the upper
 * left corner of the new frames, in pixels from the upper left corner of the old view. Returns:
 * FALSE if the quadrilateral is not convex */
gboolean mgpu_view_set_corners (MgpuView * view, const gdouble corners[8],
    gint width, gint height);

G_END_DECLS
