/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls on_launch() before each kernel launch, for tests that count, name or refuse launches. */
#pragma once

#include <glib.h>

#include "../opencl.h"

/* Not an OpenCL error: the launch returns success, but no kernel runs. */
#define LAUNCH_LOST 1

/* Called before each kernel launch, in any thread; the test defines this function. Returns:
 * CL_SUCCESS, LAUNCH_LOST, or the error with which the launch fails */
static cl_int on_launch (cl_kernel kernel, cl_uint n_dims,
    const size_t *global);

/* Sets @name to the name of @kernel. */
static inline void
launch_get_name (cl_kernel kernel, gchar name[100])
{
  name[0] = '\0';
  clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, 100, name, NULL);
}

/* Replaces the OpenCL function clEnqueueNDRangeKernel(), and calls it. */
__attribute__((visibility ("default")))
    cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dims, const size_t *offset, const size_t *global,
    const size_t *local, cl_uint n_waits, const cl_event * waits,
    cl_event * event)
{
  cl_int ret = on_launch (kernel, n_dims, global);

  if (ret == LAUNCH_LOST)
    return clEnqueueMarkerWithWaitList (queue, n_waits, waits, event);
  return ret != CL_SUCCESS ? ret : REAL (clEnqueueNDRangeKernel) (queue, kernel,
      n_dims, offset, global, local, n_waits, waits, event);
}
