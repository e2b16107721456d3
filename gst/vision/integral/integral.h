/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Integral images of one component of a frame. A table has height + 1 rows of
 * width + 1 numbers without gaps; entry (x, y) is the sum of the samples left
 * of x and above y. */
typedef struct _MgpuIntegral MgpuIntegral;

/* Builds the kernels for frames like info: its format and size. component: as
 * in mgpu_image_get_component(). squares, box: whether squared samples will be
 * added up too, and whether the box filter will follow; where that changes, the
 * first frame waits for the other kernels.
 * Returns: (transfer full): an object to be freed with mgpu_object_free(); NULL with
 * the error set */
MgpuIntegral * mgpu_integral_new (GstMgpuContext * context, const GstVideoInfo * info, guint component,
    gboolean squares, gboolean box, GError ** error);

/* Columns and rows of the tables, and bytes of a number of the table of sums:
 * 4 when that is enough for any frame of this size and depth, otherwise 8.
 * Those of squared samples have 8. */
void mgpu_integral_get_layout (MgpuIntegral * self, guint * columns, guint * rows, guint * sum_bytes);

/* sum and squares: memories for the tables; squares is NULL when it is not
 * wanted. Errors stay in job. */
void mgpu_integral_enqueue (MgpuIntegral * self, GstMgpuJob * job, const MgpuImage * in, GstMgpuMemory * sum,
    GstMgpuMemory * squares);

/* The box filter: each sample of the component of out becomes the mean of the
 * (2 radius + 1)^2 around it in the frame that sum was made of; of those that
 * there are, at the borders. radius: any from 0 on. Errors stay in job. */
void mgpu_integral_enqueue_box (MgpuIntegral * self, GstMgpuJob * job, GstMgpuMemory * sum, guint radius,
    const MgpuImage * out);

G_END_DECLS
