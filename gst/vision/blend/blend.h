/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Share of a filter's result in a blend when the result replaces the frame
 * completely */
#define MGPU_BLEND_ALL 256

/* Blends frames with the results of filters. Objects are made without params,
 * for frames of the format and size of their image in. Call
 * mgpu_blend_enqueue() in place of enqueue(). */
extern const MgpuAlgorithm mgpu_blend;

/* Uploads n bytes to the device, which are the grey values of masks. FALSE: the
 * error is in job. */
gboolean mgpu_blend_set_masks (gpointer self, GstMgpuJob * job, const guint8 * masks, gsize n);

/* Returns: (transfer none): memory of at least size bytes, where results may
 * lie; NULL after an error, which is in @job */
GstMgpuMemory * mgpu_blend_get_results (gpointer self, GstMgpuJob * job, gsize size);

/* Enqueues kernels that blend the image frame with the image result, and write
 * the blend to frame. Both images have the format of the object and the size of
 * the part that they cover. The mask of that part has a byte for each pixel,
 * begins at byte offset of what mgpu_blend_set_masks() uploaded, and has stride
 * bytes from row to row; its last column and row are repeated once where their
 * number is odd. Where a byte of the mask is 255, the result has a share of
 * @mix, which is at most MGPU_BLEND_ALL; where it is 0, the result has no
 * share. With is_inverted set it is the other way round. With a stride of 0
 * there is no mask: the share is mix everywhere. The alpha of @frame stays. */
void mgpu_blend_enqueue (gpointer self, GstMgpuJob * job, const MgpuImage * frame, const MgpuImage * result,
    gsize offset, gint stride, gboolean is_inverted, guint mix);

G_END_DECLS
