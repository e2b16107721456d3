/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Launches kernels in a way that keeps PoCL before 6.0 from aborting with "found->ref_count > 0".
 *
 * PoCL makes machine code for a kernel when one of its threads takes a launch from a
 * queue. PoCL keeps the code for later launches of the same kernel (source, options and
 * name) that have the same work-group size and a grid that is no wider; for a wider grid
 * it generates other code. PoCL counts the running launches of each piece of code. When a
 * launch ends, PoCL before 6.0 looks for the launch's code by kernel and work-group size
 * alone, finds the newest code, and so subtracts a launch of older code from the count of
 * the newer code. Therefore no code of a kernel may be in use while code for a wider grid
 * is made. */

/* Registers the kernel with the handle @kernel: gst_mgpu_pocl_launch() counts its launches together
 * with the launches of all kernels that PoCL treats as the same kernel: kernels with the same
 * @source_key (the SHA-256 of source and options) and the same function name @name. */
G_GNUC_INTERNAL
void   gst_mgpu_pocl_add_kernel     (cl_kernel kernel, const gchar * source_key, const gchar * name);

/* Register and unregister a command queue of PoCL, for whose commands
 * gst_mgpu_pocl_launch() has to wait. Every PoCL queue of the process must be registered. */
G_GNUC_INTERNAL
void   gst_mgpu_pocl_add_queue      (cl_command_queue queue);
G_GNUC_INTERNAL
void   gst_mgpu_pocl_remove_queue   (cl_command_queue queue);

/* Calls clEnqueueNDRangeKernel(). Blocks until the device begins with the launch, if it is the
 * first launch of this kernel with this work-group size, or if its grid is wider than the grids of
 * all earlier launches. For a wider grid, first blocks until all commands that are already in the
 * queues are done. Other threads can launch other kernels meanwhile. */
G_GNUC_INTERNAL
cl_int gst_mgpu_pocl_launch         (cl_command_queue queue, cl_kernel kernel, guint n_dims,
                                     const gsize * global, const gsize * local, guint n_waits,
                                     const cl_event * waits, cl_event * event);

G_END_DECLS
