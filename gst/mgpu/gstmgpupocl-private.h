/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* PoCL 3.1 aborts now and then where several pipelines play: "found->ref_count > 0".
 * It seems to keep code of a kernel for the widest grid so far, and to count who runs
 * it by kernel and work-group alone, so that an end of the old code is taken from the
 * count of the new. It has not aborted where nothing runs when a grid is wider than
 * those before.
 *
 * These know all queues, and widths, of PoCL in the process. */
G_GNUC_INTERNAL
void   gst_mgpu_pocl_add_queue      (cl_command_queue queue);
G_GNUC_INTERNAL
void   gst_mgpu_pocl_remove_queue   (cl_command_queue queue);
G_GNUC_INTERNAL
void   gst_mgpu_pocl_remove_program (cl_program program);

/* clEnqueueNDRangeKernel(), when that is safe */
G_GNUC_INTERNAL
cl_int gst_mgpu_pocl_launch         (cl_command_queue queue, cl_kernel kernel, guint n_dims,
                                     const gsize * global, const gsize * local, guint n_waits,
                                     const cl_event * waits, cl_event * event);

G_END_DECLS
