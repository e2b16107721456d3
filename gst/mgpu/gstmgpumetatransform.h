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
 * @type: the type that a #GstMetaTransformFunction is called with
 *
 * Whether the data is a #GstMgpuMetaTransform.
 *
 * Since: 0.1
 */
#define GST_MGPU_META_TRANSFORM_IS_AFFINE(type) ((type) == gst_mgpu_meta_transform_affine_get_quark ())

/**
 * GstMgpuMetaTransform:
 * @in_info: the frame that was
 * @out_info: the frame that is
 * @matrix: where a point of the old frame is in the new one: (x, y, 1) times
 *   each row, in pixels from the upper left corner of the frame
 * @x: where what is seen of the old frame begins in the new one, in pixels
 * @y: the same, from above
 * @width: how wide it is
 * @height: how high it is
 *
 * How a frame was cropped, turned, scaled and given borders. A #GstMeta that
 * holds places in a frame moves them in its #GstMetaTransformFunction, leaves
 * out those that are not seen any more, and returns %TRUE. One that returns
 * %FALSE is left out, unless the frame was only scaled and it knows
 * GST_VIDEO_META_TRANSFORM_IS_SCALE().
 *
 * Since: 0.1
 */
struct _GstMgpuMetaTransform
{
  const GstVideoInfo *in_info;
  const GstVideoInfo *out_info;
  gdouble matrix[2][3];
  gint x, y;
  gint width, height;
};

GST_MGPU_API
GQuark           gst_mgpu_meta_transform_affine_get_quark     (void);

G_END_DECLS
