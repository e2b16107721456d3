/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Limits the work-groups of kernel launches to the size that the driver allows for the kernel.
 * This limit may be lower than the device's limit, because a kernel that needs many registers can
 * only have few work-items. */

/* Lets gst_mgpu_job_launch() make the work-groups of @kernel smaller if the driver allows fewer
 * work-items for this kernel than the device allows. The results of @kernel must not depend on the
 * size of its work-groups. Does nothing if the kernel's source requires a size. */
G_GNUC_INTERNAL
void         gst_mgpu_limit_add     (cl_kernel kernel, GstMgpuContext * context);

/* Forgets @kernel, which is about to be released. */
G_GNUC_INTERNAL
void         gst_mgpu_limit_remove  (cl_kernel kernel);

/* Returns: @local, a work-group size in @n_dims dimensions, if the driver allows it for @kernel;
 * otherwise @fitted, into which the function writes a smaller size that divides @local */
G_GNUC_INTERNAL
const gsize *gst_mgpu_limit_fit     (cl_kernel kernel, guint n_dims, const gsize * local, gsize * fitted);

/* Checks, after a launch was refused, whether the work-group size @local is the reason, and sets
 * @error if so. Returns: TRUE if it is the reason */
G_GNUC_INTERNAL
gboolean     gst_mgpu_limit_explain (cl_kernel kernel, GstMgpuContext * context, guint n_dims,
                                     const gsize * local, GError ** error);

G_END_DECLS
