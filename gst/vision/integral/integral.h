/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Makes integral images of one component of frames. The integral image is a table of
 * height + 1 rows of width + 1 numbers without gaps; entry (x, y) is the sum of all
 * samples left of x and above y. */
typedef struct _MgpuIntegral MgpuIntegral;

/* Builds the kernels for frames with the format and size of info. The parameter component
 * is a number as in mgpu_get_component(). When squares is TRUE, the kernels that also
 * add up squared samples are built; when box is TRUE, the one of the box filter. Other
 * kernels are built for the first frame that needs them.
 * Returns: (transfer full): an object to be freed with mgpu_object_free(); NULL with
 * the error set */
MgpuIntegral * mgpu_integral_new (GstMgpuContext * context, const GstVideoInfo * info, guint component,
    gboolean squares, gboolean box, GError ** error);

/* Tells the number of columns and rows of the tables, and the bytes of a number in the
 * table of sums: 4 if that is enough for any frame of this size and depth, otherwise 8.
 * Numbers in the table of sums of squares have 8 bytes. */
void mgpu_integral_get_layout (MgpuIntegral * self, guint * columns, guint * rows, guint * sum_bytes);

/* Enqueues the kernels that make the tables of the frame in: sums in the memory sum and
 * sums of squares in the memory squares, unless that is NULL. Errors stay in job. */
void mgpu_integral_enqueue (MgpuIntegral * self, GstMgpuJob * job, const MgpuImage * in, GstMgpuMemory * sum,
    GstMgpuMemory * squares);

/* Enqueues the box filter: each sample of the component of out becomes the mean of the
 * (2 radius + 1)^2 samples around it in the frame that the table sum was made of. Near the
 * borders, samples outside the frame are left out of the mean. The radius may be 0 or
 * more. Errors stay in job. */
void mgpu_integral_enqueue_box (MgpuIntegral * self, GstMgpuJob * job, GstMgpuMemory * sum, guint radius,
    const MgpuImage * out);

G_END_DECLS
