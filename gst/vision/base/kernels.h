/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Builds the OpenCL program kernels/<name>.cl with its includes. @options: -D definitions for
 * the OpenCL compiler, or NULL.
 * Returns: (transfer full): the program, shared by all callers that pass the same arguments;
 * NULL with the error set */
GstMgpuProgram * mgpu_kernels_build (GstMgpuContext * context, const gchar * name,
    const gchar * options, GError ** error);

/* Appends the text of the file kernels/<file>, with its includes, to @source. Returns: FALSE with
 * the error set */
gboolean mgpu_kernels_append (GString * source, const gchar * file, GError ** error);

G_END_DECLS
