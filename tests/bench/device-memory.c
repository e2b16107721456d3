/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures how much device memory is in use, which OpenCL does not tell. This program has a
 * clCreateBuffer() of its own, which everything that it loads calls too, and counts.
 * What lies in memory of the host's is left out: frames that the device uses where
 * they are, and pinned copies. */
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

/* Returns whether @memory is in shared virtual memory, which both host and device access. */
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
  /* Where host and device share memory, pinned memory is all memory of the device. */
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
