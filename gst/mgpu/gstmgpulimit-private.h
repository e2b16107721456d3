/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Keeps launches within the work-group size that the driver allows for a kernel. This size may be
 * less than the device's largest one: a kernel that needs many registers allows only few
 * work-items. */

/* Lets gst_mgpu_job_launch() make the work-groups of @kernel smaller if the driver allows fewer
 * work-items for this kernel than the device allows. The results of @kernel must not depend on the
 * size of its work-groups. Does nothing if the kernel's source requires a size. */
G_GNUC_INTERNAL
void         gst_mgpu_limit_add     (cl_kernel kernel, GstMgpuContext * context);

/* Forgets @kernel, which is about to be released. */
G_GNUC_INTERNAL
void         gst_mgpu_limit_remove  (cl_kernel kernel);

/* Returns: @local, the size of a work-group in @n_dims dimensions, or, if the driver does not allow
 * it for @kernel, a smaller size in @fitted that divides it */
G_GNUC_INTERNAL
const gsize *gst_mgpu_limit_fit     (cl_kernel kernel, guint n_dims, const gsize * local, gsize * fitted);

/* Sets @error, after a launch was refused, if the work-group size @local is the reason. Returns:
 * whether it is the reason */
G_GNUC_INTERNAL
gboolean     gst_mgpu_limit_explain (cl_kernel kernel, GstMgpuContext * context, guint n_dims,
                                     const gsize * local, GError ** error);

G_END_DECLS
