/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the scaling or affine transform that is passed to a meta's transform
 * function. */
#include "gstmgpumeta-private.h"

#include <string.h>

/* A copy of the struct that GStreamer passes to metas with the transform
 * "gst-video-matrix": headers before 1.28 do not declare it. The matrix maps a point of
 * the rectangle @in to a point of the rectangle @out. Each point is in pixels, relative
 * to the upper left corner of its rectangle. */
typedef struct
{
  const GstVideoInfo *in_info;
  GstVideoRectangle in;
  const GstVideoInfo *out_info;
  GstVideoRectangle out;
  gfloat matrix[3][3];
} VideoMatrix;

/**
 * gst_mgpu_meta_transform_affine_get_quark:
 *
 * Gets the type that #GST_MGPU_META_TRANSFORM_IS_AFFINE compares with.
 *
 * Returns: the type of a transform whose data is a #GstMgpuMetaTransform
 *
 * Since: 1.0
 */
GQuark
gst_mgpu_meta_transform_affine_get_quark (void)
{
  return g_quark_from_static_string ("gst-mgpu-affine");
}

/**
 * gst_mgpu_meta_transform_map_get_quark:
 *
 * Gets the type that #GST_MGPU_META_TRANSFORM_IS_MAP compares with.
 *
 * Returns: the type of a transform whose data is a #GstMgpuMetaMap
 *
 * Since: 1.1
 */
GQuark
gst_mgpu_meta_transform_map_get_quark (void)
{
  return g_quark_from_static_string ("gst-mgpu-map");
}

/**
 * gst_mgpu_meta_map_move: (skip)
 * @map: how the content of the frame moved
 * @x: x of a position in the old frame, in pixels from its left edge
 * @y: y of the position, in pixels from the top edge
 * @new_x: (out): x of the new position, in pixels
 * @new_y: (out): y of the new position, in pixels
 *
 * Moves a position from the old frame to the new one.
 *
 * Returns: %FALSE if the new frame does not show the position
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_meta_map_move (const GstMgpuMetaMap * map, gdouble x, gdouble y,
    gdouble * new_x, gdouble * new_y)
{
  return map->move (map, x, y, new_x, new_y);
}

gboolean
gst_mgpu_meta_map_move_corners (const GstMgpuMetaMap * map, gdouble shift,
    gdouble corners[8])
{
  for (guint i = 0; i < 8; i += 2) {
    gdouble x, y;

    if (!gst_mgpu_meta_map_move (map, corners[i] + shift,
            corners[i + 1] + shift, &x, &y))
      return FALSE;
    corners[i] = x - shift;
    corners[i + 1] = y - shift;
  }
  return TRUE;
}

gboolean
gst_mgpu_meta_map_linearize (const GstMgpuMetaMap * map, gdouble x, gdouble y,
    gdouble matrix[2][2])
{
  gdouble left[2], right[2], above[2], below[2];

  if (!gst_mgpu_meta_map_move (map, x - 0.5, y, &left[0], &left[1])
      || !gst_mgpu_meta_map_move (map, x + 0.5, y, &right[0], &right[1])
      || !gst_mgpu_meta_map_move (map, x, y - 0.5, &above[0], &above[1])
      || !gst_mgpu_meta_map_move (map, x, y + 0.5, &below[0], &below[1]))
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    matrix[i][0] = right[i] - left[i];
    matrix[i][1] = below[i] - above[i];
  }
  return TRUE;
}

gboolean
gst_mgpu_meta_find_square (const gdouble c[8], gdouble m[9])
{
  gdouble ax = c[2] - c[4], ay = c[3] - c[5];
  gdouble bx = c[6] - c[4], by = c[7] - c[5];
  gdouble sx = c[0] - c[2] + c[4] - c[6], sy = c[1] - c[3] + c[5] - c[7];
  gdouble d = ax * by - bx * ay;

  memset (m, 0, 9 * sizeof (*m));
  if (d == 0)
    return FALSE;
  m[6] = (sx * by - bx * sy) / d;
  m[7] = (ax * sy - sx * ay) / d;
  m[8] = 1;
  for (guint i = 0; i < 2; i++) {
    m[3 * i] = c[2 + i] - c[i] + m[6] * c[2 + i];
    m[3 * i + 1] = c[6 + i] - c[i] + m[7] * c[6 + i];
    m[3 * i + 2] = c[i];
  }
  return TRUE;
}

static void
parse_scale (GstMgpuMetaTransform * self, const GstVideoMetaTransform * from)
{
  self->in_info = from->in_info;
  self->out_info = from->out_info;
  self->width = GST_VIDEO_INFO_WIDTH (from->out_info);
  self->height = GST_VIDEO_INFO_HEIGHT (from->out_info);
  self->matrix[0][0] = (gdouble) self->width
      / GST_VIDEO_INFO_WIDTH (from->in_info);
  self->matrix[1][1] = (gdouble) self->height
      / GST_VIDEO_INFO_HEIGHT (from->in_info);
}

static gboolean
parse_matrix (GstMgpuMetaTransform * self, const VideoMatrix * from)
{
  if (from->matrix[2][0] != 0 || from->matrix[2][1] != 0
      || from->matrix[2][2] != 1)
    return FALSE;
  self->in_info = from->in_info;
  self->out_info = from->out_info;
  self->x = from->out.x;
  self->y = from->out.y;
  self->width = from->out.w;
  self->height = from->out.h;
  for (guint i = 0; i < 2; i++) {
    self->matrix[i][0] = from->matrix[i][0];
    self->matrix[i][1] = from->matrix[i][1];
    self->matrix[i][2] = from->matrix[i][2] + (i == 0 ? from->out.x
        : from->out.y) - from->matrix[i][0] * from->in.x
        - from->matrix[i][1] * from->in.y;
  }
  return TRUE;
}

gboolean
gst_mgpu_meta_transform_parse (GstMgpuMetaTransform * self, GQuark type,
    gconstpointer data)
{
  memset (self, 0, sizeof (*self));
  if (GST_MGPU_META_TRANSFORM_IS_AFFINE (type))
    *self = *(const GstMgpuMetaTransform *) data;
  else if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    parse_scale (self, data);
  else
    return type != 0 && type == g_quark_try_string ("gst-video-matrix")
        && parse_matrix (self, data);
  return TRUE;
}
