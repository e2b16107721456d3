/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include <gst/vision/kernel/kernel.h>

G_BEGIN_DECLS

/* Attaches the results of a frame to @buffer, the output frame. @memory (nullable): memory that
 * begins with the lists of text->results, one after the other; NULL means that all numbers are
 * 0. */
void gst_mgpu_kernel_attach_results  (GstBuffer * buffer, const MgpuKernelText * text, GstMemory * memory);

/* Posts the lists of @buffer as an element message "mgpu-numbers". Blocks until the device has
 * computed them. */
void gst_mgpu_kernel_post_results    (GstBaseTransform * trans, GstBuffer * buffer, const MgpuKernelText * text);

/* Sets @values to the values of the parameters of @text: their defaults, replaced by the fields of
 * @set (nullable), which are clipped to the range of their parameter. Returns: (transfer full)
 * (nullable): a text that names the errors in @set, for a warning; NULL if there are none */
gchar * gst_mgpu_kernel_find_values  (const MgpuKernelText * text, const GstStructure * set, gdouble * values);

/* Returns: (transfer full): @value, clipped to the range of the parameter, and rounded to an
 * integer if the parameter is an int */
gdouble gst_mgpu_kernel_clip_value   (const MgpuKernelParam * param, gdouble value);

G_END_DECLS
