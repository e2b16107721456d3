/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes every device look like a graphics card with dedicated memory, when it is loaded with
 * LD_PRELOAD. Thus transfers, and the kernels for such devices, are also tested where PoCL is the
 * only driver. */
#include "../opencl.h"

__attribute__ ((visibility ("default")))
cl_int CL_API_CALL
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t size,
    void *value, size_t * result_size)
{
  cl_int ret = REAL (clGetDeviceInfo) (device, what, size, value, result_size);

  if (ret != CL_SUCCESS || value == NULL)
    return ret;
  switch (what) {
    case CL_DEVICE_TYPE:
      *(cl_device_type *) value = CL_DEVICE_TYPE_GPU;
      break;
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      *(cl_bool *) value = CL_FALSE;
      break;
    case CL_DEVICE_LOCAL_MEM_TYPE:
      *(cl_device_local_mem_type *) value = CL_LOCAL;
      break;
    default:
      break;
  }
  return ret;
}
