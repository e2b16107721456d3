/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Launches kernels so that PoCL before 6.0 does not abort with "found->ref_count > 0".
 *
 * PoCL makes machine code when one of its threads takes a launch from a queue, and
 * keeps it for the launches of the same kernel (source, options and name) and size of
 * work-groups whose grid is no wider. A wider launch makes other code. When a launch
 * ends, these versions look for its code by kernel and size of work-groups alone, find
 * the newest, and so take the end of a launch of the older code from the count of the
 * newer one. Therefore no code of a kernel may be in use while wider code is made. */

/* Tells which kernel a handle stands for. source_key: what the SHA-256 of its source
 * and options says */
G_GNUC_INTERNAL
void   gst_mgpu_pocl_add_kernel     (cl_kernel kernel, const gchar * source_key, const gchar * name);

/* Tells of each queue of PoCL in the process. */
G_GNUC_INTERNAL
void   gst_mgpu_pocl_add_queue      (cl_command_queue queue);
G_GNUC_INTERNAL
void   gst_mgpu_pocl_remove_queue   (cl_command_queue queue);

/* Calls clEnqueueNDRangeKernel(). Blocks the first time for each kernel and size of
 * work-groups, and for each wider grid, until the device begins with the launch; for a
 * wider grid also until all that is enqueued is done. Other threads launch other
 * kernels meanwhile. */
G_GNUC_INTERNAL
cl_int gst_mgpu_pocl_launch         (cl_command_queue queue, cl_kernel kernel, guint n_dims,
                                     const gsize * global, const gsize * local, guint n_waits,
                                     const cl_event * waits, cl_event * event);

G_END_DECLS
