/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Gives out what meta of in says, as it is after transform. TRUE when meta has
 * to be copied as it is. */
gboolean gst_mgpu_convert_meta (const GstMgpuMetaTransform * transform, GstBuffer * out, GstMeta * meta,
    GstBuffer * in);

G_END_DECLS
