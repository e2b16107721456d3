/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Maximum weight of a filter's result: the result replaces the frame completely */
#define MGPU_BLEND_ALL 256

/* Blends frames with the results of filters. mgpu_object_new() needs no parameters; frames have
 * the format and size of its image @in. Call mgpu_blend_enqueue() instead of the function
 * enqueue() of the algorithm. */
extern const MgpuAlgorithm mgpu_blend;

/* Uploads masks to the device. A mask says where, and how strongly, a result replaces the frame.
 * @masks: gray values of all masks, one mask after the other; @n: total number of gray values.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_blend_set_masks (gpointer self, GstMgpuJob * job, const guint8 * masks, gsize n);

/* Sets the array @results to images on the device, in which callers may keep the results of filters:
 * one for each of the @n boxes @rects of the frame @in, of the size of the box. They share one
 * memory, which is valid until the next call. Kernels address no byte beyond G_MAXINT; more is an
 * error. Returns: FALSE after an error, which is in @job */
gboolean mgpu_blend_get_results (gpointer self, GstMgpuJob * job, const MgpuImage * in, const MgpuRect * rects,
    guint n, MgpuImage * results);

/* Enqueues kernels that blend the image @frame with the image @result, and write the blend to
 * @frame. Both images have the format of the object and the size of the part of a frame that
 * they cover. The alpha of @frame stays unchanged.
 * @offset: byte of the masks of mgpu_blend_set_masks() at which the mask of this part begins.
 * The mask has a byte for each pixel. If its number of columns or rows is odd, its last column
 * or row is repeated once.
 * @stride: distance, in bytes, between the rows of the mask. 0: there is no mask, and the
 * weight of the result is @mix everywhere.
 * @is_inverted: FALSE: the result has the weight @mix where the mask is 255, and the weight 0
 * where it is 0. TRUE: 255 and 0 are exchanged.
 * @mix: weight of the result, at most MGPU_BLEND_ALL. */
void mgpu_blend_enqueue (gpointer self, GstMgpuJob * job, const MgpuImage * frame, const MgpuImage * result,
    gsize offset, gint stride, gboolean is_inverted, guint mix);

G_END_DECLS
