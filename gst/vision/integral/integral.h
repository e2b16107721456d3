/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Computes integral images of one color component of frames. An integral image is a table with
 * height + 1 rows of width + 1 numbers, without gaps between rows. Entry (x, y) is the sum of
 * all samples left of x and above y. */
typedef struct _MgpuIntegral MgpuIntegral;

/* Creates an object for frames with the format and size of @info, and builds its kernels.
 * Kernels that are not built now are built for the first frame that needs them.
 * @component: index of the color component, as in mgpu_get_component()
 * @squares: whether to build the kernels that also add up squared samples now
 * @box: whether to build the kernel of the box filter now
 * @rounds: whether the box filter rounds means to the nearest number; otherwise it rounds down
 * Returns: (transfer full): an object to be freed with mgpu_object_free(); NULL after an error,
 * which is in @error */
MgpuIntegral * mgpu_integral_new (GstMgpuContext * context, const GstVideoInfo * info, guint component,
    gboolean squares, gboolean box, gboolean rounds, GError ** error);

/* Gets the layout of the integral image:
 * @columns, @rows: number of columns and rows
 * @sum_bytes: size of a number, in bytes: 4 if the sum of all samples of any frame of this
 *   size and depth fits into 4 bytes, otherwise 8
 * Numbers in the integral image of squared samples always have 8 bytes. */
void mgpu_integral_get_layout (MgpuIntegral * self, guint * columns, guint * rows, guint * sum_bytes);

/* Enqueues the kernels that compute the integral images of the frame @in. They write sums of
 * samples to the memory @sum. Unless @squares is NULL, they also write sums of squared samples
 * to the memory @squares. Errors stay in @job. */
void mgpu_integral_enqueue (MgpuIntegral * self, GstMgpuJob * job, const MgpuImage * in, GstMgpuMemory * sum,
    GstMgpuMemory * squares);

/* Radii of the box filter, in samples, 0 or more. Each sample is replaced by the mean of the (2
 * @x + 1) x (2 @y + 1) samples around it. Near the borders of the frame, only the samples inside
 * the frame are averaged. */
typedef struct
{
  guint x, y;
} MgpuRadii;

/* Enqueues the box filter for a color component of the image @out. Errors stay in @job.
 * @sum: integral image of this component of a whole frame; read
 * @columns, @rows: size of the component in the whole frame, in samples
 * @radii: radii of the box filter
 * @place: offset and size, in samples, of the part of the frame that @out shows
 * @out: written */
void mgpu_integral_enqueue_box (MgpuIntegral * self, GstMgpuJob * job, GstMgpuMemory * sum, gint columns,
    gint rows, const MgpuRadii * radii, const MgpuPlace * place, const MgpuImage * out);

G_END_DECLS
