/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Launches kernels in a way that avoids a bug of PoCL before 6.0, which aborts with
 * "found->ref_count > 0".
 *
 * PoCL makes machine code for a kernel when one of PoCL's threads takes a launch from a queue.
 * The code is kept for later launches of the same kernel (source, options and name) with the same
 * work-group size, if their grid is not wider. For a wider grid PoCL makes new code. PoCL counts
 * the running launches of each piece of code. When a launch ends, PoCL before 6.0 looks for its
 * code by kernel and work-group size alone, and so finds the newest code. It thus subtracts a
 * launch of older code from the count of newer code. Therefore no launch of a kernel may be
 * running while code for a wider grid of this kernel is made. */

/* Registers the kernel with the handle @kernel, so that gst_mgpu_pocl_launch() counts its
 * launches. PoCL treats kernels with the same source, options and function name as one kernel;
 * their launches are counted together. @source_key: the SHA-256 of source and options; @name: the
 * function name */
G_GNUC_INTERNAL
void   gst_mgpu_pocl_add_kernel     (cl_kernel kernel, const gchar * source_key, const gchar * name);

/* Register and unregister a PoCL command queue. gst_mgpu_pocl_launch() waits for the commands of
 * all registered queues; therefore every PoCL queue of the process must be registered. */
G_GNUC_INTERNAL
void   gst_mgpu_pocl_add_queue      (cl_command_queue queue);
G_GNUC_INTERNAL
void   gst_mgpu_pocl_remove_queue   (cl_command_queue queue);

/* Calls clEnqueueNDRangeKernel(). If this is the first launch of the kernel with this work-group
 * size, blocks until the device begins with the launch. If the grid is wider than the grids of
 * all earlier launches, first blocks until all commands that are already in the queues are done,
 * then launches the kernel, and blocks until the device begins with the launch. Other threads can
 * launch other kernels meanwhile. */
G_GNUC_INTERNAL
cl_int gst_mgpu_pocl_launch         (cl_command_queue queue, cl_kernel kernel, guint n_dims,
                                     const gsize * global, const gsize * local, guint n_waits,
                                     const cl_event * waits, cl_event * event);

G_END_DECLS
