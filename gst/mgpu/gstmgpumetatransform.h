/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

typedef struct _GstMgpuMetaTransform GstMgpuMetaTransform;

/**
 * GST_MGPU_META_TRANSFORM_IS_AFFINE:
 * @type: the transform type that a #GstMetaTransformFunction is called with
 *
 * Tells whether the data of the transform is a #GstMgpuMetaTransform.
 *
 * Since: 1.0
 */
#define GST_MGPU_META_TRANSFORM_IS_AFFINE(type) ((type) == gst_mgpu_meta_transform_affine_get_quark ())

/**
 * GstMgpuMetaTransform:
 * @in_info: format and size of the old frame
 * @out_info: format and size of the new frame
 * @matrix: the affine transform from the old frame to the new frame. The new x is the first row
 *   times (x, y, 1), and the new y is the second row times (x, y, 1). Positions are in pixels
 *   from the upper left corner of the frame
 * @x: left edge of the area of the new frame that shows the old frame, in pixels
 * @y: top edge of this area, in pixels
 * @width: width of this area, in pixels
 * @height: height of this area, in pixels
 *
 * Describes how a frame was cropped, rotated, scaled and given borders. A #GstMeta with positions
 * in a frame supports this transform as follows: its #GstMetaTransformFunction transforms the
 * positions, leaves out positions outside the new frame, and returns %TRUE. When the function
 * returns %FALSE, the new frame does not get the meta. There is one exception: a frame that was
 * only scaled gets metas that support GST_VIDEO_META_TRANSFORM_IS_SCALE().
 *
 * Since: 1.0
 */
struct _GstMgpuMetaTransform
{
  const GstVideoInfo *in_info;
  const GstVideoInfo *out_info;
  gdouble matrix[2][3];
  gint x, y;
  gint width, height;
};

typedef struct _GstMgpuMetaMap GstMgpuMetaMap;

/**
 * GST_MGPU_META_TRANSFORM_IS_MAP:
 * @type: the transform type that a #GstMetaTransformFunction is called with
 *
 * Tells whether the data of the transform is a #GstMgpuMetaMap.
 *
 * Since: 1.1
 */
#define GST_MGPU_META_TRANSFORM_IS_MAP(type) ((type) == gst_mgpu_meta_transform_map_get_quark ())

/**
 * GstMgpuMetaMap:
 * @in_info: format and size of the old frame
 * @out_info: format and size of the new frame
 * @move: use gst_mgpu_meta_map_move()
 * @user_data: data for @move
 *
 * Describes how the content of a frame moved if no affine transform describes it: when mgpuremap
 * corrects lenses and changes projections. A #GstMeta with positions in a frame supports this
 * transform as it supports #GstMgpuMetaTransform: its #GstMetaTransformFunction moves the positions
 * with gst_mgpu_meta_map_move(), leaves out positions that the new frame does not show, and returns
 * %TRUE. When the function returns %FALSE, the new frame does not get the meta. The map is valid
 * until the function returns.
 *
 * Since: 1.1
 */
struct _GstMgpuMetaMap
{
  const GstVideoInfo *in_info;
  const GstVideoInfo *out_info;
  gboolean (*move) (const GstMgpuMetaMap * map, gdouble x, gdouble y, gdouble * new_x,
      gdouble * new_y);
  gpointer user_data;
};

GST_MGPU_API
GQuark           gst_mgpu_meta_transform_map_get_quark        (void);

GST_MGPU_API
gboolean         gst_mgpu_meta_map_move                       (const GstMgpuMetaMap * map,
                                                               gdouble                x,
                                                               gdouble                y,
                                                               gdouble              * new_x,
                                                               gdouble              * new_y);

GST_MGPU_API
GQuark           gst_mgpu_meta_transform_affine_get_quark     (void);

G_END_DECLS
