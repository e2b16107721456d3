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
