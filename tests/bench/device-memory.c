/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures how much device memory is in use, which OpenCL does not report. This program has its own
 * clCreateBuffer(), which everything that it loads also calls, and which counts. Buffers in host
 * memory are left out: frames that the device uses without a copy, and pinned copies. */
#define _GNU_SOURCE
#include "pipelines.h"

#include <dlfcn.h>

static gint64 taken, most;
static gboolean pinned_counts;
static GMutex lock;

static void
add (gint64 size)
{
  g_mutex_lock (&lock);
  taken += size;
  most = MAX (most, taken);
  g_mutex_unlock (&lock);
}

static void CL_CALLBACK
on_destroyed (cl_mem memory, void *data)
{
  add (-(gint64) GPOINTER_TO_SIZE (data));
}

/* Returns whether @memory is shared virtual memory, which both host and device access. */
static gboolean
is_shared (cl_mem memory)
{
  cl_bool shared = CL_FALSE;

  return clGetMemObjectInfo (memory, CL_MEM_USES_SVM_POINTER, sizeof (shared),
      &shared, NULL) == CL_SUCCESS && shared;
}

__attribute__((visibility ("default")))
     cl_mem CL_API_CALL clCreateBuffer (cl_context context, cl_mem_flags flags,
    size_t size, void *data, cl_int * result)
{
  __typeof__ (clCreateBuffer) * create = (__typeof__ (clCreateBuffer) *)
      dlsym (RTLD_NEXT, "clCreateBuffer");
  cl_mem memory = create (context, flags, size, data, result);

  if (memory == NULL || ((flags & CL_MEM_USE_HOST_PTR) != 0
          && !is_shared (memory))
      || ((flags & CL_MEM_ALLOC_HOST_PTR) != 0 && !pinned_counts))
    return memory;
  if (clSetMemObjectDestructorCallback (memory, on_destroyed,
          GSIZE_TO_POINTER (size)) == CL_SUCCESS)
    add (size);
  return memory;
}

void
bench_device_memory_begin (GstMgpuContext * context)
{
  /* On devices that share memory with the host, counts pinned memory as the device's memory. */
  pinned_counts = gst_mgpu_context_get_traits (context)->unified_memory;
  g_mutex_lock (&lock);
  most = taken;
  g_mutex_unlock (&lock);
}

gdouble
bench_device_memory_end (void)
{
  gdouble mib;

  g_mutex_lock (&lock);
  mib = most / 1048576.0;
  g_mutex_unlock (&lock);
  return mib;
}
