/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws tags: outlines and axes. */
#include "tags.h"

#include <math.h>

#include <gst/vision/tags/linear.h>

/* Object ids that select the colors red, green, blue and white */
enum
{
  RED,
  GREEN,
  BLUE,
  WHITE
};

/* Length of the line across the upper left corner of a tag, as a fraction of a side */
#define MARK 0.2

/* Maximum distance of a drawn point from the frame, in pixels */
#define FAR 30000

/* Sets @point to the position in the frame to which the homography @m of a tag maps (u, v, w).
 * Returns: FALSE if this position is far outside the frame */
static gboolean
find_point (const gdouble * m, gdouble u, gdouble v, gdouble w,
    MgpuOverlayPoint * point)
{
  gdouble x = m[0] * u + m[1] * v + m[2] * w;
  gdouble y = m[3] * u + m[4] * v + m[5] * w;
  gdouble z = m[6] * u + m[7] * v + m[8] * w;

  /* The condition is also false for NaN, with which any comparison is false. */
  if (!(z > 0 && fabs (x) <= FAR * z && fabs (y) <= FAR * z))
    return FALSE;
  *point = (MgpuOverlayPoint) {
  x / z, y / z};
  return TRUE;
}

/* Computes the point of a tag's plane at which the camera sees the point half a side behind the
 * center of the tag. Sets @plane to its homogeneous coordinates (u, v, w), in which (0, 0, 1) and
 * (1, 1, 1) are opposite corners of the tag. The intrinsics of the camera are not needed, because
 * all points of a ray have the same position in the frame. */
static gboolean
find_depth (GstMgpuTagMeta * meta, guint i, gdouble size, gdouble plane[3])
{
  const gdouble *r = gst_mgpu_tag_meta_get_rotation (meta, i, 0);
  const gdouble *t = gst_mgpu_tag_meta_get_position (meta, i, 0);
  const gdouble rays[9] =
      { r[0], r[1], t[0], r[3], r[4], t[1], r[6], r[7], t[2] };
  const gdouble end[3] = { r[2] * size / 2 + t[0], r[5] * size / 2 + t[1],
    r[8] * size / 2 + t[2]
  };
  gdouble inverse[9], a[3];

  if (!mgpu_linear_invert (3, rays, inverse))
    return FALSE;
  mgpu_linear_multiply (3, 3, 1, inverse, end, a);
  plane[0] = a[0] / size + 0.5 * a[2];
  plane[1] = a[1] / size + 0.5 * a[2];
  plane[2] = a[2];
  return TRUE;
}

/* Adds the x, y and z axes from the center of a tag to the shapes that are drawn; each is half a
 * side long. */
static void
add_axes (MgpuOverlay * overlay, GstMgpuTagMeta * meta, guint i,
    const gdouble * m, gdouble size)
{
  gdouble ends[3][3] = { {1, 0.5, 1}, {0.5, 1, 1}, {0} };
  MgpuOverlayPoint points[2];

  if (!find_point (m, 0.5, 0.5, 1, &points[0]))
    return;
  for (guint axis = 0; axis < 3; axis++) {
    if (axis == 2 && !find_depth (meta, i, size, ends[2]))
      continue;
    if (find_point (m, ends[axis][0], ends[axis][1], ends[axis][2], &points[1]))
      mgpu_overlay_add_trail (overlay, RED + axis, points, 2);
  }
}

void
mgpu_tag_drawing_add (MgpuOverlay * overlay, GstMgpuTagMeta * meta, guint i)
{
  static const gdouble unit[5][2] = { {0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0} };
  const gdouble *m = gst_mgpu_tag_meta_get_matrix (meta, i);
  MgpuOverlayPoint points[5], mark[2];
  gboolean ok = TRUE;
  GstMgpuTag tag;

  for (guint k = 0; ok && k < 5; k++)
    ok = find_point (m, unit[k][0], unit[k][1], 1, &points[k]);
  ok = ok && find_point (m, MARK, 0, 1, &mark[0])
      && find_point (m, 0, MARK, 1, &mark[1]);
  if (!ok || !gst_mgpu_tag_meta_get_tag (meta, i, &tag))
    return;
  mgpu_overlay_add_trail (overlay, -1, points, 5);
  mgpu_overlay_add_trail (overlay, WHITE, mark, 2);
  if (gst_mgpu_tag_meta_get_n_poses (meta, i) > 0 && tag.size > 0)
    add_axes (overlay, meta, i, m, tag.size);
}
