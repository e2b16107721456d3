/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Computes integral images of one colour component of frames. An integral image is a
 * table of height + 1 rows of width + 1 numbers without gaps; entry (x, y) is the sum of
 * all samples left of x and above y. */
typedef struct _MgpuIntegral MgpuIntegral;

/* Builds the kernels for frames with the format and size of @info. @component is an index
 * as in mgpu_get_component(). When @squares is TRUE, the kernels that also add up squared
 * samples are built now; when @box is TRUE, also the kernel of the box filter. Kernels
 * that are not built now are built for the first frame that needs them. The box filter
 * rounds means to the nearest number or, when @rounds is FALSE, down. Returns:
 * (transfer full): an object to be freed with mgpu_object_free(); NULL with the error set */
MgpuIntegral * mgpu_integral_new (GstMgpuContext * context, const GstVideoInfo * info, guint component,
    gboolean squares, gboolean box, gboolean rounds, GError ** error);

/* Gets the number of columns and rows of the integral image, and the size in bytes of a
 * number in the integral image: 4 if 4 bytes can hold the sum of all samples of any frame
 * of this size and depth, otherwise 8. Numbers in the integral image of squared samples
 * always have 8 bytes. */
void mgpu_integral_get_layout (MgpuIntegral * self, guint * columns, guint * rows, guint * sum_bytes);

/* Enqueues the kernels that compute the integral images of the frame @in: they write sums
 * to the memory @sum and, unless @squares is NULL, sums of squares to the memory
 * @squares. Errors stay in @job. */
void mgpu_integral_enqueue (MgpuIntegral * self, GstMgpuJob * job, const MgpuImage * in, GstMgpuMemory * sum,
    GstMgpuMemory * squares);

/* Holds the radii of the box filter, in samples: each sample becomes the mean of the (2
 * @x + 1) x (2 @y + 1) samples around it. Near the borders of the frame only the samples
 * inside of the frame are averaged. Each radius is 0 or more. */
typedef struct
{
  guint x, y;
} MgpuRadii;

/* Enqueues the box filter, which computes a colour component of the image @out from @sum,
 * the integral image of this component of a whole frame with @columns x @rows samples.
 * @place is the offset and size, in samples, of the part of the frame that the image @out
 * shows. Errors stay in @job. */
void mgpu_integral_enqueue_box (MgpuIntegral * self, GstMgpuJob * job, GstMgpuMemory * sum, gint columns,
    gint rows, const MgpuRadii * radii, const MgpuPlace * place, const MgpuImage * out);

G_END_DECLS
