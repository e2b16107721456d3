/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the driver allow fewer work-items in a work-group of a kernel than its device does, when it
 * is loaded with LD_PRELOAD. Drivers do so for kernels that need many registers. The variable
 * MGPU_LIMITED_KERNEL of the environment contains the name of the kernel; otherwise all kernels
 * are limited. */
#include "../opencl.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT 64

static int
is_limited (cl_kernel kernel)
{
  const char *limited = getenv ("MGPU_LIMITED_KERNEL");
  char name[100];

  return limited == NULL
      || (clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof (name), name,
          NULL) == CL_SUCCESS && strcmp (name, limited) == 0);
}

__attribute__ ((visibility ("default")))
cl_int CL_API_CALL
clGetKernelWorkGroupInfo (cl_kernel kernel, cl_device_id device,
    cl_kernel_work_group_info what, size_t size, void *value,
    size_t * result_size)
{
  cl_int ret = REAL (clGetKernelWorkGroupInfo) (kernel, device, what, size,
      value, result_size);

  if (ret == CL_SUCCESS && what == CL_KERNEL_WORK_GROUP_SIZE && value != NULL
      && is_limited (kernel))
    *(size_t *) value = LIMIT;
  return ret;
}

__attribute__ ((visibility ("default")))
cl_int CL_API_CALL
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dims, const size_t * offset, const size_t * global,
    const size_t * local, cl_uint n_events, const cl_event * events,
    cl_event * event)
{
  size_t n = 1;

  for (cl_uint i = 0; local != NULL && i < n_dims; i++)
    n *= local[i];
  return n > LIMIT && is_limited (kernel) ? CL_INVALID_WORK_GROUP_SIZE
      : REAL (clEnqueueNDRangeKernel) (queue, kernel, n_dims, offset, global,
      local, n_events, events, event);
}
