/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The error domain of the library: turns OpenCL error codes into GErrors. */
#include "gstmgpuerror-private.h"

/**
 * gst_mgpu_error_quark:
 *
 * Gets the domain of the library's errors.
 *
 * Returns: the domain that #GST_MGPU_ERROR stands for
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (gst-mgpu-error-quark, gst_mgpu_error);

#define NAME(code) { code, #code }

static const struct
{
  gint code;
  const gchar *name;
} names[] = {
  NAME (CL_SUCCESS), NAME (CL_DEVICE_NOT_FOUND), NAME (CL_DEVICE_NOT_AVAILABLE),
  NAME (CL_COMPILER_NOT_AVAILABLE), NAME (CL_MEM_OBJECT_ALLOCATION_FAILURE),
  NAME (CL_OUT_OF_RESOURCES), NAME (CL_OUT_OF_HOST_MEMORY),
  NAME (CL_PROFILING_INFO_NOT_AVAILABLE), NAME (CL_MEM_COPY_OVERLAP),
  NAME (CL_IMAGE_FORMAT_MISMATCH), NAME (CL_IMAGE_FORMAT_NOT_SUPPORTED),
  NAME (CL_BUILD_PROGRAM_FAILURE), NAME (CL_MAP_FAILURE),
  NAME (CL_MISALIGNED_SUB_BUFFER_OFFSET),
  NAME (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
  NAME (CL_COMPILE_PROGRAM_FAILURE), NAME (CL_LINKER_NOT_AVAILABLE),
  NAME (CL_LINK_PROGRAM_FAILURE), NAME (CL_DEVICE_PARTITION_FAILED),
  NAME (CL_KERNEL_ARG_INFO_NOT_AVAILABLE), NAME (CL_INVALID_VALUE),
  NAME (CL_INVALID_DEVICE_TYPE), NAME (CL_INVALID_PLATFORM),
  NAME (CL_INVALID_DEVICE), NAME (CL_INVALID_CONTEXT),
  NAME (CL_INVALID_QUEUE_PROPERTIES), NAME (CL_INVALID_COMMAND_QUEUE),
  NAME (CL_INVALID_HOST_PTR), NAME (CL_INVALID_MEM_OBJECT),
  NAME (CL_INVALID_IMAGE_FORMAT_DESCRIPTOR), NAME (CL_INVALID_IMAGE_SIZE),
  NAME (CL_INVALID_SAMPLER), NAME (CL_INVALID_BINARY),
  NAME (CL_INVALID_BUILD_OPTIONS), NAME (CL_INVALID_PROGRAM),
  NAME (CL_INVALID_PROGRAM_EXECUTABLE), NAME (CL_INVALID_KERNEL_NAME),
  NAME (CL_INVALID_KERNEL_DEFINITION), NAME (CL_INVALID_KERNEL),
  NAME (CL_INVALID_ARG_INDEX), NAME (CL_INVALID_ARG_VALUE),
  NAME (CL_INVALID_ARG_SIZE), NAME (CL_INVALID_KERNEL_ARGS),
  NAME (CL_INVALID_WORK_DIMENSION), NAME (CL_INVALID_WORK_GROUP_SIZE),
  NAME (CL_INVALID_WORK_ITEM_SIZE), NAME (CL_INVALID_GLOBAL_OFFSET),
  NAME (CL_INVALID_EVENT_WAIT_LIST), NAME (CL_INVALID_EVENT),
  NAME (CL_INVALID_OPERATION), NAME (CL_INVALID_GL_OBJECT),
  NAME (CL_INVALID_BUFFER_SIZE), NAME (CL_INVALID_MIP_LEVEL),
  NAME (CL_INVALID_GLOBAL_WORK_SIZE), NAME (CL_INVALID_PROPERTY),
  NAME (CL_INVALID_IMAGE_DESCRIPTOR), NAME (CL_INVALID_COMPILER_OPTIONS),
  NAME (CL_INVALID_LINKER_OPTIONS), NAME (CL_INVALID_DEVICE_PARTITION_COUNT),
  { -1001, "CL_PLATFORM_NOT_FOUND_KHR" }
};

#undef NAME

/**
 * gst_mgpu_cl_error_name:
 * @code: the value that an OpenCL call returned
 *
 * Names the result of an OpenCL call, for messages.
 *
 * Returns: (transfer none): the name of @code, such as
 *   "CL_OUT_OF_RESOURCES", or "unknown OpenCL error"
 *
 * Since: 1.0
 */
const gchar *
gst_mgpu_cl_error_name (gint code)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].code == code)
      return names[i].name;
  return "unknown OpenCL error";
}

gboolean
gst_mgpu_error_check (gint code, const gchar * call, const gchar * device,
    GError ** error)
{
  GstMgpuError kind = GST_MGPU_ERROR_FAILED;
  const gchar *cure = "";

  if (G_LIKELY (code == CL_SUCCESS))
    return TRUE;

  switch (code) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
    case CL_MAP_FAILURE:
      kind = GST_MGPU_ERROR_OUT_OF_MEMORY;
      cure = "; use smaller frames, fewer buffers or a device with more memory";
      break;
    case CL_DEVICE_NOT_AVAILABLE:
      kind = GST_MGPU_ERROR_NO_DEVICE;
      cure = "; choose another device or free this one";
      break;
    default:
      break;
  }
  g_set_error (error, GST_MGPU_ERROR, kind, "%s failed with %s (%d)%s%s%s",
      call, gst_mgpu_cl_error_name (code), code,
      device != NULL ? " on " : "", device != NULL ? device : "", cure);
  return FALSE;
}

const gchar *
gst_mgpu_error_name_kernel (cl_kernel kernel)
{
  gchar name[128];

  if (clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof (name), name,
          NULL) != CL_SUCCESS)
    return g_intern_static_string ("unknown");
  return g_intern_string (name);
}
