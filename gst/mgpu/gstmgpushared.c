/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes buffers in shared virtual memory, in heap memory that a CPU device uses in
 * place, and in pinned host memory. */
#include "gstmgpushared-private.h"

#include "gstmgpucontext-private.h"
#include "gstmgpuerror.h"
#include "gstmgpulog-private.h"

#include <stdlib.h>

#define GST_CAT_DEFAULT gst_mgpu_memory_debug

/* Alignment of the largest OpenCL type, in bytes */
#define ALIGNMENT 128

typedef struct
{
  cl_context context;           /* OpenCL context of the shared memory, kept alive by the
                                 * memory's cl_mem buffer; NULL for heap memory */
  gpointer address;
} Shared;

static gboolean
allocate (GstMgpuContext * context, gsize size, Shared * shared)
{
  const GstMgpuDevice *device = gst_mgpu_context_get_device (context);

  if (device->shares_heap) {
    shared->context = NULL;
    return posix_memalign (&shared->address, ALIGNMENT, size) == 0;
  }
  shared->context = gst_mgpu_context_get_cl_context (context);
  shared->address = device->shares_pointers ? clSVMAlloc (shared->context,
      CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, size, 0) : NULL;
  return shared->address != NULL;
}

static void CL_CALLBACK
free_shared (cl_mem buffer, void *data)
{
  Shared *shared = data;

  if (shared->context != NULL)
    clSVMFree (shared->context, shared->address);
  else
    free (shared->address);
  g_free (shared);
}

cl_mem
gst_mgpu_shared_new (GstMgpuContext * context, gsize size, gpointer * address)
{
  Shared shared, *kept;
  cl_mem buffer;
  cl_int ret;

  if (!allocate (context, size, &shared)) {
    GST_DEBUG ("%" G_GSIZE_FORMAT " bytes cannot be shared by host and device: "
        "the driver will allocate them, and each map will enqueue a command",
        size);
    return NULL;
  }
  kept = g_memdup2 (&shared, sizeof (shared));
  buffer = clCreateBuffer (gst_mgpu_context_get_cl_context (context),
      CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, shared.address, &ret);
  if (ret == CL_SUCCESS
      && clSetMemObjectDestructorCallback (buffer, free_shared, kept)
      == CL_SUCCESS) {
    *address = shared.address;
    return buffer;
  }
  GST_DEBUG ("the driver cannot wrap shared memory of %" G_GSIZE_FORMAT
      " bytes (%s): each map will enqueue a command", size,
      gst_mgpu_cl_error_name (ret));
  if (ret == CL_SUCCESS)
    clReleaseMemObject (buffer);
  free_shared (NULL, kept);
  return NULL;
}

cl_mem
gst_mgpu_pinned_new (GstMgpuContext * context, gsize size, gpointer * address,
    GError ** error)
{
  cl_int ret;
  cl_mem buffer = clCreateBuffer (gst_mgpu_context_get_cl_context (context),
      CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &ret);

  if (!gst_mgpu_cl_check (ret, "clCreateBuffer", context, error))
    return NULL;
  *address =
      clEnqueueMapBuffer (gst_mgpu_context_get_transfer_queue (context), buffer,
      CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &ret);
  if (gst_mgpu_cl_check (ret, "clEnqueueMapBuffer", context, error))
    return buffer;
  clReleaseMemObject (buffer);
  *address = NULL;
  return NULL;
}

void
gst_mgpu_pinned_free (GstMgpuContext * context, cl_mem buffer, gpointer address)
{
  cl_command_queue queue = gst_mgpu_context_get_transfer_queue (context);

  clEnqueueUnmapMemObject (queue, buffer, address, 0, NULL, NULL);
  clFlush (queue);
  clReleaseMemObject (buffer);
}
