/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Weight of a filter's result that replaces the frame completely */
#define MGPU_BLEND_ALL 256

/* Blends frames with the results of filters. An object is made without parameters, for
 * frames with the format and size of the image @in that mgpu_object_new() gets. Call
 * mgpu_blend_enqueue() in place of the function enqueue() of the algorithm. */
extern const MgpuAlgorithm mgpu_blend;

/* Uploads masks, which say where results replace frames, to the device: @masks has their
 * grey values, @n bytes for all masks. FALSE: the error is in @job. */
gboolean mgpu_blend_set_masks (gpointer self, GstMgpuJob * job, const guint8 * masks, gsize n);

/* Returns: (transfer none): device memory of at least @size bytes, in which callers may
 * keep the results of filters; NULL after an error, which is in @job */
GstMgpuMemory * mgpu_blend_get_results (gpointer self, GstMgpuJob * job, gsize size);

/* Enqueues kernels that blend the image @frame with the image @result, and write the blend to
 * @frame. Both images have the format of the object and the size of the part of a frame that they
 * cover. The mask of that part has a byte for each pixel, begins at byte @offset of the masks that
 * mgpu_blend_set_masks() uploaded, and has @stride bytes from row to row; if its number of columns
 * or rows is odd, its last column or row is repeated once. Where a byte of the mask is 255, the
 * result has the weight @mix, at most MGPU_BLEND_ALL; where it is 0, the result has the weight 0.
 * If @is_inverted is set, 255 and 0 are exchanged. With a @stride of 0 there is no mask: the weight
 * is @mix everywhere. The alpha of @frame stays unchanged. */
void mgpu_blend_enqueue (gpointer self, GstMgpuJob * job, const MgpuImage * frame, const MgpuImage * result,
    gsize offset, gint stride, gboolean is_inverted, guint mix);

G_END_DECLS
