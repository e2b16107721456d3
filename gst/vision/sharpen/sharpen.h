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
 * @threshold: limit of the difference, in 8-bit steps for every depth, 0 to 255; samples with smaller differences stay
 *   as they are
 */
typedef struct
{
  gdouble amount;
  gdouble sigma;
  gdouble threshold;
} MgpuSharpenParams;

/* Sharpens the luma of frames by unsharp masking; red, green and blue change by as much
 * as luma does. The images in and out have the same format and different memories. */
extern const MgpuAlgorithm mgpu_sharpen;

/* Blurs components of frames of any format with a Gaussian. The params of
 * mgpu_object_new() are a pointer to a guint, the index of a component; the object blurs
 * all components that have the same memory layout as this one. Use
 * mgpu_gaussian_enqueue() in place of enqueue(). */
extern const MgpuAlgorithm mgpu_gaussian;

/* Enqueues kernels that blur a component of the frame in with a Gaussian and write it to
 * the same component of out, which has the same format and another memory. Both standard
 * deviations are in samples of the component, at most 256: sigma_x along rows, and
 * sigma_y, which is sigma_x or twice as much, along columns. Errors stay in job. */
void mgpu_gaussian_enqueue (gpointer self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    guint component, gdouble sigma_x, gdouble sigma_y);

/* Returns: the largest distance in samples between a sample of the result of
 * mgpu_gaussian_enqueue() and a sample that it is computed from. Sets *step to a number
 * of samples: a part of a plane that begins at a multiple of it gives the same result as
 * the whole plane. */
gint mgpu_gaussian_get_reach (gdouble sigma_x, gdouble sigma_y, gint * step);

G_END_DECLS
