/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpumetatransform
 * @title: GstMgpuMetaTransform
 * @short_description: tells metas how a frame was moved
 */
#include "gstmgpumetatransform.h"

/**
 * gst_mgpu_meta_transform_affine_get_quark:
 *
 * Returns: the type of a transform whose data is a #GstMgpuMetaTransform
 *
 * Since: 0.1
 */
GQuark
gst_mgpu_meta_transform_affine_get_quark (void)
{
  return g_quark_from_static_string ("gst-mgpu-affine");
}
