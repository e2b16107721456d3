/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lets a test replace the status that OpenCL reports to the library for events. */
#pragma once

#include <gst/mgpu/mgpu.h>

#include "../opencl.h"

/* Returns the execution status that the library gets for @event, whose real status is @status. The
 * test defines this function. */
static cl_int tell_status (cl_event event, cl_int status);

/* Returns the result that the library gets from a wait for @n events, whose real result was
 * @result. The test defines this function. */
static cl_int tell_wait (cl_uint n, const cl_event * events, cl_int result);

/* Replaces the OpenCL function clGetEventInfo(), and calls it. */
__attribute__ ((visibility ("default")))
cl_int
clGetEventInfo (cl_event event, cl_event_info what, size_t size, void *value,
    size_t * result_size)
{
  cl_int ret = REAL (clGetEventInfo) (event, what, size, value, result_size);

  if (ret == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS)
    *(cl_int *) value = tell_status (event, *(cl_int *) value);
  return ret;
}

/* Replaces the OpenCL function clWaitForEvents(), and calls it. */
__attribute__ ((visibility ("default")))
cl_int
clWaitForEvents (cl_uint n, const cl_event * events)
{
  return tell_wait (n, events, REAL (clWaitForEvents) (n, events));
}
