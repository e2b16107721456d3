/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Adds to the buffer out what meta of the buffer in says, with its positions moved by
 * transform. Returns: TRUE when it added nothing and the caller has to copy meta as it is;
 * FALSE when meta has been handled or is dropped */
gboolean gst_mgpu_convert_meta (const GstMgpuMetaTransform * transform, GstBuffer * out, GstMeta * meta,
    GstBuffer * in);

G_END_DECLS
