/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Returns: whether @transform changes anything: moves, scales or hides a pixel of the
 * frame */
gboolean gst_mgpu_convert_moves (const GstMgpuMetaTransform * transform);

/* Adds a copy of @meta, which is on the buffer @in, to the buffer @out, with its positions moved by
 * @transform. Returns: TRUE if the caller has to copy @meta unchanged; FALSE if the function has
 * added a transformed copy or has dropped @meta */
gboolean gst_mgpu_convert_meta (GstElement * element, const GstMgpuMetaTransform * transform,
    GstBuffer * out, GstMeta * meta, GstBuffer * in);

G_END_DECLS
