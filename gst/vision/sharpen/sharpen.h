/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuSharpenParams:
 * @amount: factor of the difference between the frame and its Gaussian, which is added to the frame: -1 to 16; -1
 *   leaves only the Gaussian
 * @sigma: standard deviation of the Gaussian, in pixels, 0 to 256
 * @threshold: limit of the difference, in 8-bit steps for every depth, 0 to 255; samples with
 *   smaller differences stay unchanged
 */
typedef struct
{
  gdouble amount;
  gdouble sigma;
  gdouble threshold;
} MgpuSharpenParams;

/* Sharpens the luma of frames by unsharp masking; in RGB frames, red, green and blue
 * change by as much as luma does. The input and output images have the same format and
 * different memories. */
extern const MgpuAlgorithm mgpu_sharpen;

/* Blurs colour components of frames of any format with a Gaussian. The parameters of
 * mgpu_object_new() are a pointer to a guint, the index of a colour component; the object
 * can blur all colour components with the same memory layout as this one. Use
 * mgpu_gaussian_enqueue() in place of the member @enqueue. */
extern const MgpuAlgorithm mgpu_gaussian;

/* Enqueues kernels that blur a colour component of the frame @in with a Gaussian, and
 * write it to the same colour component of @out, which has the same format and another
 * memory. Both standard deviations are in samples of the component, at most 256: @sigma_x
 * along rows, and @sigma_y, which is @sigma_x or twice as much, along columns. Errors
 * stay in @job. */
void mgpu_gaussian_enqueue (gpointer self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component, gdouble sigma_x, gdouble sigma_y);

/* Returns: the largest distance in samples between an output sample of
 * mgpu_gaussian_enqueue() and an input sample from which it is computed. Sets *step to a
 * number of samples: if a part of a plane begins at a multiple of *step, the result for
 * the part is the same as for the whole plane. */
gint mgpu_gaussian_get_reach (gdouble sigma_x, gdouble sigma_y, gint * step);

G_END_DECLS
