/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Returns: TRUE unless @transform is the identity: whether it moves, scales or hides pixels of
 * the frame */
gboolean gst_mgpu_convert_moves (const GstMgpuMetaTransform * transform);

/* Copies @meta from the buffer @in to the buffer @out, and applies @transform to its positions.
 * Returns: TRUE if the caller has to copy @meta unchanged; FALSE if this function has added a
 * transformed copy or dropped @meta */
gboolean gst_mgpu_convert_meta (GstElement * element, const GstMgpuMetaTransform * transform,
    GstBuffer * out, GstMeta * meta, GstBuffer * in);

G_END_DECLS
