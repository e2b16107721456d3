/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Counts how often OpenCL programs are built. */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <string.h>

#include "../opencl.h"

/* Number of times that a program was built, from source or from a binary */
static gint n_builds;

/* Replaces the OpenCL function clBuildProgram(), and calls it. If FAKE is defined, compiles
 * nothing. */
__attribute__ ((visibility ("default")))
cl_int
clBuildProgram (cl_program program, cl_uint n_devices,
    const cl_device_id * devices, const char *options,
    void (CL_CALLBACK * notify) (cl_program, void *), void *data)
{
  g_atomic_int_inc (&n_builds);
  return strstr (options, "-DFAKE=") != NULL ? CL_SUCCESS
      : REAL (clBuildProgram) (program, n_devices, devices, options, notify,
      data);
}
