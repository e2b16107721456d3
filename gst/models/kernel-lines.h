/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/kernel/kernel.h>

G_BEGIN_DECLS

/* Maximum length of the name of a parameter, list or kernel */
#define MGPU_KERNEL_MAX_NAME 63

/* Parses one line of a kernel file, without the "//!" in front, into @text.
 * @later: (element-type MgpuKernelLine): the line is added to this array if it names kernels,
 * because the list of kernels is complete only at the end of the file.
 * @file, @number: name of the file, and number of the line in it.
 * Returns: FALSE with the error set */
gboolean mgpu_kernel_line_parse (MgpuKernelText * text, GPtrArray * later, const gchar * file, guint number,
    const gchar * line, GError ** error);

/* Makes an array for the lines of mgpu_kernel_line_parse() that name kernels. */
GPtrArray *mgpu_kernel_lines_new (void);

/* Applies the lines @later to text->functions, which must be complete. Returns: FALSE with the
 * error set */
gboolean mgpu_kernel_lines_apply (MgpuKernelText * text, GPtrArray * later, GError ** error);

/* Returns: the error of a line: "FILE:NUMBER: " and the text of @format */
GError *mgpu_kernel_line_error (const gchar * file, guint number, const gchar * format, ...) G_GNUC_PRINTF (3, 4);

G_END_DECLS
