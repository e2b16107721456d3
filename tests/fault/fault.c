/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes one OpenCL call fail, when it is loaded with LD_PRELOAD:
 *
 * MGPU_TEST_FAIL_CALL=N   makes the Nth OpenCL call of this process fail, from 1
 * MGPU_TEST_FAIL_NAME=clX counts only calls of this function
 * MGPU_TEST_FAIL_COUNT=1  prints the number of calls at exit
 * MGPU_TEST_OWN_MEMORY=1  makes devices appear to be graphics cards with dedicated
 *                         memory
 *
 * Without MGPU_TEST_FAIL_CALL nothing fails. The failure is printed to stderr. A program that is
 * linked with the library calls the functions of fault.h instead. */
#define _GNU_SOURCE
#include "fault.h"

#include "../opencl.h"
#include "keep.h"

#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of return addresses on the stack that are compared to distinguish two calls */
#define MAX_CALLERS 32

static atomic_int n_calls;

/* Whether fault_arm() was called, with which call number, and the function that failed */
static int is_armed;
static int armed_call;
static _Atomic (const char *) failed_name;

EXPORT void
fault_arm (unsigned call)
{
  is_armed = 1;
  armed_call = call;
  n_calls = 0;
  failed_name = NULL;
}

/* Array that was given to fault_record(), and number of its elements */
static unsigned long *places;
static int max_places;

EXPORT void
fault_record (unsigned long *array, unsigned size)
{
  places = array;
  max_places = size;
}

/* Returns: a number that identifies the call site: the sum of all return addresses on the stack,
 * each multiplied by a power of an odd number */
static unsigned long
get_place (void)
{
  void *callers[MAX_CALLERS];
  unsigned long sum = 0;

  for (int i = backtrace (callers, MAX_CALLERS); i-- > 0;)
    sum = sum * 0x100000001b3 + (unsigned long) callers[i];
  return sum;
}

EXPORT const char *
fault_get_name (void)
{
  return failed_name;
}

static void __attribute__ ((destructor))
say_count (void)
{
  if (getenv ("MGPU_TEST_FAIL_COUNT") != NULL)
    fprintf (stderr, "fault: %d calls\n", n_calls);
}

static int
fails (const char *name)
{
  const char *only = getenv ("MGPU_TEST_FAIL_NAME");
  const char *call = getenv ("MGPU_TEST_FAIL_CALL");
  int n;

  if (only != NULL && strcmp (only, name) != 0)
    return 0;
  n = atomic_fetch_add (&n_calls, 1) + 1;
  if (is_armed) {
    if (n < max_places)
      places[n] = get_place ();
    if (n == armed_call)
      failed_name = name;
    return n == armed_call;
  }
  if (call == NULL || atoi (call) != n)
    return 0;
  fprintf (stderr, "fault: call %d, %s, fails\n", n, name);
  return 1;
}

/* Returns: the driver's function, or the function of keep.c that keeps objects for later runs of
 * this process */
static void *
kept_or_real (const char *name)
{
  void *kept = keep_get_function (name);

  return kept != NULL ? kept : real_function (name);
}

#undef REAL
#define REAL(name) ((__typeof__ (name) *) kept_or_real (#name))

/* OpenCL functions that return their error */
#define CALL(name, parameters, arguments, error) \
EXPORT cl_int CL_API_CALL \
name parameters \
{ \
  return fails (#name) ? error : REAL (name) arguments; \
}

/* OpenCL functions that return a pointer, and their error through an argument */
#define CREATE(type, name, parameters, arguments, error) \
EXPORT type CL_API_CALL \
name parameters \
{ \
  if (!fails (#name)) \
    return REAL (name) arguments; \
  if (result != NULL) \
    *result = error; \
  return NULL; \
}

#define EVENTS cl_uint n_waits, const cl_event * waits, cl_event * event
#define PASS_EVENTS n_waits, waits, event

CALL (clGetPlatformIDs, (cl_uint n, cl_platform_id * ids, cl_uint * n_ids),
    (n, ids, n_ids), CL_OUT_OF_HOST_MEMORY)
CALL (clGetDeviceIDs, (cl_platform_id platform, cl_device_type type, cl_uint n,
        cl_device_id * ids, cl_uint * n_ids),
    (platform, type, n, ids, n_ids), CL_OUT_OF_RESOURCES)

#define GET_INFO(name, object, info) \
CALL (name, (object o, info i, size_t size, void *value, size_t * size_ret), \
    (o, i, size, value, size_ret), CL_OUT_OF_RESOURCES)

GET_INFO (clGetPlatformInfo, cl_platform_id, cl_platform_info)
GET_INFO (clGetContextInfo, cl_context, cl_context_info)
GET_INFO (clGetKernelInfo, cl_kernel, cl_kernel_info)
GET_INFO (clGetProgramInfo, cl_program, cl_program_info)
GET_INFO (clGetEventInfo, cl_event, cl_event_info)
GET_INFO (clGetEventProfilingInfo, cl_event, cl_profiling_info)
GET_INFO (clGetMemObjectInfo, cl_mem, cl_mem_info)

EXPORT cl_int CL_API_CALL
clGetDeviceInfo (cl_device_id device, cl_device_info info, size_t size,
    void *value, size_t * size_ret)
{
  cl_int ret;

  if (fails ("clGetDeviceInfo"))
    return CL_OUT_OF_RESOURCES;
  ret = REAL (clGetDeviceInfo) (device, info, size, value, size_ret);
  if (ret != CL_SUCCESS || value == NULL
      || getenv ("MGPU_TEST_OWN_MEMORY") == NULL)
    return ret;
  if (info == CL_DEVICE_TYPE)
    *(cl_device_type *) value = CL_DEVICE_TYPE_GPU;
  else if (info == CL_DEVICE_HOST_UNIFIED_MEMORY)
    *(cl_bool *) value = CL_FALSE;
  return ret;
}

CALL (clGetProgramBuildInfo, (cl_program program, cl_device_id device,
        cl_program_build_info info, size_t size, void *value,
        size_t * size_ret),
    (program, device, info, size, value, size_ret), CL_OUT_OF_RESOURCES)
CALL (clGetKernelWorkGroupInfo, (cl_kernel kernel, cl_device_id device,
        cl_kernel_work_group_info info, size_t size, void *value,
        size_t * size_ret),
    (kernel, device, info, size, value, size_ret), CL_OUT_OF_RESOURCES)

CREATE (cl_context, clCreateContext, (const cl_context_properties * properties,
        cl_uint n, const cl_device_id * devices,
        void (CL_CALLBACK * notify) (const char *, const void *, size_t,
            void *), void *data, cl_int * result),
    (properties, n, devices, notify, data, result), CL_OUT_OF_RESOURCES)
CREATE (cl_command_queue, clCreateCommandQueue, (cl_context context,
        cl_device_id device, cl_command_queue_properties properties,
        cl_int * result),
    (context, device, properties, result), CL_OUT_OF_HOST_MEMORY)
CREATE (cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags,
        size_t size, void *data, cl_int * result),
    (context, flags, size, data, result), CL_MEM_OBJECT_ALLOCATION_FAILURE)
CREATE (cl_program, clCreateProgramWithSource, (cl_context context, cl_uint n,
        const char **strings, const size_t * lengths, cl_int * result),
    (context, n, strings, lengths, result), CL_OUT_OF_HOST_MEMORY)
CREATE (cl_program, clCreateProgramWithBinary, (cl_context context, cl_uint n,
        const cl_device_id * devices, const size_t * lengths,
        const unsigned char **binaries, cl_int * status, cl_int * result),
    (context, n, devices, lengths, binaries, status, result),
    CL_INVALID_BINARY)
CALL (clBuildProgram, (cl_program program, cl_uint n,
        const cl_device_id * devices, const char *options,
        void (CL_CALLBACK * notify) (cl_program, void *), void *data),
    (program, n, devices, options, notify, data), CL_BUILD_PROGRAM_FAILURE)
CREATE (cl_kernel, clCreateKernel, (cl_program program, const char *name,
        cl_int * result),
    (program, name, result), CL_INVALID_KERNEL_NAME)
/* Counts calls only for the first of the possible arguments: most calls have it, and calls with
 * other arguments fail at the same line. */
EXPORT cl_int CL_API_CALL
clSetKernelArg (cl_kernel kernel, cl_uint i, size_t size, const void *value)
{
  return i == 0 && fails ("clSetKernelArg") ? CL_INVALID_ARG_VALUE
      : REAL (clSetKernelArg) (kernel, i, size, value);
}

CALL (clEnqueueNDRangeKernel, (cl_command_queue queue, cl_kernel kernel,
        cl_uint n_dims, const size_t * offset, const size_t * global,
        const size_t * local, EVENTS),
    (queue, kernel, n_dims, offset, global, local, PASS_EVENTS),
    CL_OUT_OF_RESOURCES)
CALL (clEnqueueReadBuffer, (cl_command_queue queue, cl_mem buffer,
        cl_bool blocking, size_t offset, size_t size, void *data, EVENTS),
    (queue, buffer, blocking, offset, size, data, PASS_EVENTS),
    CL_OUT_OF_RESOURCES)
CALL (clEnqueueWriteBuffer, (cl_command_queue queue, cl_mem buffer,
        cl_bool blocking, size_t offset, size_t size, const void *data,
        EVENTS),
    (queue, buffer, blocking, offset, size, data, PASS_EVENTS),
    CL_OUT_OF_RESOURCES)
CALL (clEnqueueCopyBuffer, (cl_command_queue queue, cl_mem src, cl_mem dst,
        size_t src_offset, size_t dst_offset, size_t size, EVENTS),
    (queue, src, dst, src_offset, dst_offset, size, PASS_EVENTS),
    CL_OUT_OF_RESOURCES)
CALL (clEnqueueCopyBufferRect, (cl_command_queue queue, cl_mem src, cl_mem dst,
        const size_t * src_origin, const size_t * dst_origin,
        const size_t * region, size_t src_row_pitch, size_t src_slice_pitch,
        size_t dst_row_pitch, size_t dst_slice_pitch, EVENTS),
    (queue, src, dst, src_origin, dst_origin, region, src_row_pitch,
        src_slice_pitch, dst_row_pitch, dst_slice_pitch, PASS_EVENTS),
    CL_OUT_OF_RESOURCES)
CALL (clEnqueueFillBuffer, (cl_command_queue queue, cl_mem buffer,
        const void *pattern, size_t pattern_size, size_t offset, size_t size,
        EVENTS),
    (queue, buffer, pattern, pattern_size, offset, size, PASS_EVENTS),
    CL_OUT_OF_RESOURCES)
CREATE (void *, clEnqueueMapBuffer, (cl_command_queue queue, cl_mem buffer,
        cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
        EVENTS, cl_int * result),
    (queue, buffer, blocking, flags, offset, size, PASS_EVENTS, result),
    CL_MAP_FAILURE)

/* clSVMAlloc() returns no error code; NULL means an error. */
EXPORT void *CL_API_CALL
clSVMAlloc (cl_context context, cl_svm_mem_flags flags, size_t size,
    cl_uint alignment)
{
  return fails ("clSVMAlloc") ? NULL
      : REAL (clSVMAlloc) (context, flags, size, alignment);
}

EXPORT void *CL_API_CALL
clGetExtensionFunctionAddressForPlatform (cl_platform_id platform,
    const char *name)
{
  return fails ("clGetExtensionFunctionAddressForPlatform") ? NULL
      : REAL (clGetExtensionFunctionAddressForPlatform) (platform, name);
}

EXPORT void CL_API_CALL
clSVMFree (cl_context context, void *data)
{
  REAL (clSVMFree) (context, data);
}

CALL (clSetMemObjectDestructorCallback, (cl_mem buffer,
        void (CL_CALLBACK * notify) (cl_mem, void *), void *data),
    (buffer, notify, data), CL_OUT_OF_RESOURCES)

/* Unmaps even if the call has to fail. Otherwise the driver would keep a mapped buffer forever,
 * which is not a leak of the library. */
EXPORT cl_int CL_API_CALL
clEnqueueUnmapMemObject (cl_command_queue queue, cl_mem buffer, void *data,
    EVENTS)
{
  if (!fails ("clEnqueueUnmapMemObject"))
    return REAL (clEnqueueUnmapMemObject) (queue, buffer, data, PASS_EVENTS);
  REAL (clEnqueueUnmapMemObject) (queue, buffer, data, n_waits, waits, NULL);
  return CL_OUT_OF_RESOURCES;
}

CALL (clEnqueueMarkerWithWaitList, (cl_command_queue queue, EVENTS),
    (queue, PASS_EVENTS), CL_OUT_OF_RESOURCES)
CALL (clEnqueueBarrierWithWaitList, (cl_command_queue queue, EVENTS),
    (queue, PASS_EVENTS), CL_OUT_OF_RESOURCES)
CALL (clWaitForEvents, (cl_uint n, const cl_event * events), (n, events),
    CL_OUT_OF_RESOURCES)
CALL (clFlush, (cl_command_queue queue), (queue), CL_OUT_OF_RESOURCES)
CALL (clFinish, (cl_command_queue queue), (queue), CL_OUT_OF_RESOURCES)
