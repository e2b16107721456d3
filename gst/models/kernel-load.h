/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gio/gio.h>
#include <gst/vision/kernel/kernel.h>

G_BEGIN_DECLS

/* Reads a file of a user's kernels with the files that it includes, and parses its //! lines.
 * @files: (element-type filename) (nullable): filled with the paths of the files that were read, or
 * that do not exist, for mgpu_kernel_get_stamp(); also after an error. The array has to free its
 * elements.
 * Returns: (transfer full): the text. NULL with the error set: an error of G_IO_ERROR if the file
 * @path cannot be read, otherwise an error whose text begins with file and line, such as
 * "edges.cl:3: ..." */
MgpuKernelText *mgpu_kernel_text_load (const gchar * path, GPtrArray * files, GError ** error);

/* Does the same as mgpu_kernel_text_load() with a text instead of a file. Messages call the text
 * "source"; it cannot include files. */
MgpuKernelText *mgpu_kernel_text_new (const gchar * text, GError ** error);

/* Returns: a number that changes when one of @files changes its size, time of modification or
 * inode, appears or disappears */
guint64 mgpu_kernel_get_stamp (GPtrArray * files);

G_END_DECLS
