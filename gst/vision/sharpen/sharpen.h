/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuSharpenParams:
 * @amount: factor by which the difference between the frame and its Gaussian blur is multiplied
 *   before it is added to the frame, -1 to 16; -1 gives the blurred frame
 * @sigma: standard deviation of the Gaussian, in pixels, 0 to 256
 * @threshold: minimum difference, in 8-bit steps for all depths, 0 to 255; samples with smaller
 *   differences do not change
 */
typedef struct
{
  gdouble amount;
  gdouble sigma;
  gdouble threshold;
} MgpuSharpenParams;

/* Sharpens the luma of frames by unsharp masking. In RGB frames, the change of luma is added to
 * red, green and blue. The input and output images have the same format and different memories. */
extern const MgpuAlgorithm mgpu_sharpen;

/* Blurs color components of frames of any format with a Gaussian. The parameters of
 * mgpu_object_new() are a pointer to a guint, the index of a color component. The object can
 * blur all color components that have the same memory layout as this one. Use
 * mgpu_gaussian_enqueue() instead of the member @enqueue. */
extern const MgpuAlgorithm mgpu_gaussian;

/* Enqueues kernels that blur a color component with a Gaussian. Errors stay in @job.
 * @in: frame that is read
 * @out: frame that is written, of the same format, in a different memory
 * @component: index of the color component
 * @sigma_x: standard deviation along rows, in samples of the component, at most 256
 * @sigma_y: standard deviation along columns, either @sigma_x or 2 * @sigma_x, at most 256 */
void mgpu_gaussian_enqueue (gpointer self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component, gdouble sigma_x, gdouble sigma_y);

/* Gets the reach of mgpu_gaussian_enqueue(). Sets *@step to a number of samples: if a part of a
 * plane begins at a multiple of *@step, the result for the part is the same as for the whole
 * plane. Returns: the largest distance, in samples, between an output sample and an input sample
 * that it depends on */
gint mgpu_gaussian_get_reach (gdouble sigma_x, gdouble sigma_y, gint * step);

G_END_DECLS
