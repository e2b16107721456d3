/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Counts the work-items of kernels: what a frame costs, however busy the machine is. */
#pragma once

#include <gst/gst.h>

#include <string.h>

#include "../../opencl.h"

/* The counted kernels: those whose names begin with this, or, if it is NULL, all but blend */
static const gchar *counted_kernels;

/* Number of the work-items that were enqueued */
static guint64 n_items;

static inline gboolean
is_counted (const gchar * name)
{
  return counted_kernels == NULL ? !g_str_equal (name, "blend")
      : g_str_has_prefix (name, counted_kernels);
}

/* Stands before the function of OpenCL. */
__attribute__ ((visibility ("default")))
cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dims, const size_t * offset, const size_t * global,
    const size_t * local, cl_uint n_waits, const cl_event * waits,
    cl_event * event)
{
  gchar name[100] = "";
  guint64 n = 1;

  for (cl_uint i = 0; i < n_dims; i++)
    n *= global[i];
  clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof (name), name, NULL);
  if (is_counted (name))
    n_items += n;
  return REAL (clEnqueueNDRangeKernel) (queue, kernel, n_dims, offset, global,
      local, n_waits, waits, event);
}
