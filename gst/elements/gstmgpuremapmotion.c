/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Maps boxes and points of input frames of mgpuremap to output frames. The origin of positions in
 * metas is the upper left corner of the frame; the origin of positions in maps is the center of the
 * first pixel. */
#include "gstmgpuremapmotion.h"

#include <gst/video/navigation.h>
#include <math.h>
#include <string.h>

/* Number of points that are tested along each side of a box, and along each side of the output
 * frame */
#define N_SIDE 8
#define N_VIEW 32

/* Minimum fraction of the points on the sides of a box that the output frame has to show; otherwise
 * the box is dropped */
#define LEAST_SHARE 0.1

/* Sets @point to point number @i of the 4 * @n points on the sides of a box. */
static void
get_side (const gdouble box[4], guint i, guint n, gdouble point[2])
{
  gdouble f = i % n / (gdouble) n, width = box[2], height = box[3];

  point[0] = box[0] + (i / n == 0 ? f : i / n == 1 ? 1 : i / n == 2 ? 1 - f
      : 0) * width;
  point[1] = box[1] + (i / n == 0 ? 0 : i / n == 1 ? f : i / n == 2 ? 1
      : 1 - f) * height;
}

static void
add_point (gdouble edges[4], gdouble x, gdouble y)
{
  edges[0] = MIN (edges[0], x);
  edges[1] = MIN (edges[1], y);
  edges[2] = MAX (edges[2], x);
  edges[3] = MAX (edges[3], y);
}

/* Returns: whether the position @place of the input frame is in a box */
static gboolean
is_inside (const MgpuLensMap * map, const gdouble box[4],
    const gdouble place[2])
{
  gdouble x = place[0] + 0.5 - box[0], y = place[1] + 0.5 - box[1];
  gdouble wrap = map->wrap / 1024.0;

  if (wrap > 0)
    x -= wrap * floor (x / wrap);
  return x >= 0 && x <= box[2] && y >= 0 && y <= box[3];
}

/* Extends @edges by the points on the sides of the output frame that show a part of the box.
 * Returns: the number of these points */
static guint
add_view (const GstMgpuRemapMotion * self, const gdouble box[4],
    gdouble edges[4])
{
  const gdouble view[4] = { -0.5, -0.5, self->width, self->height };
  guint n = 0;

  for (guint i = 0; i < 4 * N_VIEW; i++) {
    gdouble at[2], place[2];

    get_side (view, i, N_VIEW, at);
    if (mgpu_lens_map_find (self->map, at[0], at[1], place) < 0
        || !is_inside (self->map, box, place))
      continue;
    add_point (edges, at[0] + 0.5, at[1] + 0.5);
    n++;
  }
  return n;
}

static gboolean
move_box (gpointer data, gdouble left, gdouble top, gdouble width,
    gdouble height, gdouble edges[4])
{
  const GstMgpuRemapMotion *self = data;
  const gdouble box[4] = { left, top, width, height };
  guint n = 0;

  if (width <= 0 || height <= 0)
    return FALSE;
  edges[0] = edges[1] = INFINITY;
  edges[2] = edges[3] = -INFINITY;
  for (guint i = 0; i < 4 * N_SIDE; i++) {
    gdouble old[2], at[2];

    get_side (box, i, N_SIDE, old);
    old[0] -= 0.5;
    old[1] -= 0.5;
    if (!mgpu_lens_index_find (self->index, old, at))
      continue;
    add_point (edges, at[0] + 0.5, at[1] + 0.5);
    n++;
  }
  return add_view (self, box, edges) > 0 || n >= 4 * N_SIDE * LEAST_SHARE;
}

static gboolean
linearize (gpointer data, gdouble x, gdouble y, gdouble matrix[2][3])
{
  const GstMgpuRemapMotion *self = data;
  const gdouble old[2] = { x - 0.5, y - 0.5 };
  gdouble at[2], a[2], b[2], c[2], d[2], det;

  if (!mgpu_lens_index_find (self->index, old, at))
    return FALSE;
  mgpu_lens_map_find (self->map, at[0] - 0.5, at[1], a);
  mgpu_lens_map_find (self->map, at[0] + 0.5, at[1], b);
  mgpu_lens_map_find (self->map, at[0], at[1] - 0.5, c);
  mgpu_lens_map_find (self->map, at[0], at[1] + 0.5, d);
  det = (b[0] - a[0]) * (d[1] - c[1]) - (d[0] - c[0]) * (b[1] - a[1]);
  if (fabs (det) < 1e-12)
    return FALSE;
  matrix[0][0] = (d[1] - c[1]) / det;
  matrix[0][1] = -(d[0] - c[0]) / det;
  matrix[1][0] = -(b[1] - a[1]) / det;
  matrix[1][1] = (b[0] - a[0]) / det;
  for (guint i = 0; i < 2; i++)
    matrix[i][2] = at[i] + 0.5 - matrix[i][0] * x - matrix[i][1] * y;
  return TRUE;
}

GstMgpuConvertMap
gst_mgpu_remap_motion_get_map (GstMgpuRemapMotion * self)
{
  return (GstMgpuConvertMap) {
  move_box, linearize, self};
}

static gboolean
move_point (const GstMgpuMetaMap * map, gdouble x, gdouble y, gdouble * new_x,
    gdouble * new_y)
{
  const GstMgpuRemapMotion *self = map->user_data;
  const gdouble old[2] = { x - 0.5, y - 0.5 };
  gdouble at[2];

  if (!mgpu_lens_index_find (self->index, old, at))
    return FALSE;
  *new_x = at[0] + 0.5;
  *new_y = at[1] + 0.5;
  return TRUE;
}

GstMgpuMetaMap
gst_mgpu_remap_motion_get_points (GstMgpuRemapMotion * self,
    const GstVideoInfo * in, const GstVideoInfo * out)
{
  return (GstMgpuMetaMap) {
  in, out, move_point, self};
}

gboolean
gst_mgpu_remap_motion_find_shift (const MgpuLensMap * map, GstEvent * event,
    gdouble shift[9])
{
  gdouble matrix[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, x, y, place[2];

  if (!gst_navigation_event_get_coordinates (event, &x, &y))
    return FALSE;
  mgpu_lens_map_find (map, x - 0.5, y - 0.5, place);
  matrix[2] = place[0] + 0.5 - x;
  matrix[5] = place[1] + 0.5 - y;
  memcpy (shift, matrix, sizeof (matrix));
  return TRUE;
}
