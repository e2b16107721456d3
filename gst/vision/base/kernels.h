/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Builds kernels/<name>.cl with its includes. options: -D definitions or NULL.
 * Returns: (transfer full): the program, shared by all who ask for the same. */
GstMgpuProgram * mgpu_kernels_build (GstMgpuContext * context, const gchar * name,
    const gchar * options, GError ** error);

/* Makes the kernel name of program. FALSE: the error is set, and *kernel NULL. */
gboolean mgpu_kernels_create (GstMgpuProgram * program, const gchar * name, cl_kernel * kernel, GError ** error);

/* Releases those of n kernels that are not NULL. */
void mgpu_kernels_release (const cl_kernel * kernels, guint n);

G_END_DECLS
