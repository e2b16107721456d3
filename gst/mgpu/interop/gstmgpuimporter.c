/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Imports dma-bufs and CUDA memory as OpenCL buffers, and stores each buffer in its
 * GstMemory. Tells the driver when the device acquires and releases an imported buffer. */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#include "gstmgpuimporter-private.h"

#include <CL/cl_ext.h>

#include <gst/allocators/gstfdmemory.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <gst/mgpu/gstmgpuerror-private.h>
#include <gst/mgpu/gstmgpulog-private.h>
#include <gst/mgpu/gstmgpuuses-private.h>

#define GST_CAT_DEFAULT gst_mgpu_import_debug

/* Maximum time that the host waits for another device that uses a dma-buf, in milliseconds */
#define FENCE_TIMEOUT 1000

/* Declares the function weak, so that its address is NULL if the OpenCL loader is older
 * than 3.0 and lacks it. */
#pragma weak clCreateBufferWithProperties

typedef cl_mem (CL_API_CALL * ImportArm) (cl_context, cl_mem_flags,
    const cl_import_properties_arm *, void *, size_t, cl_int *);
typedef cl_int (CL_API_CALL * HandOver) (cl_command_queue, cl_uint,
    const cl_mem *, cl_uint, const cl_event *, cl_event *);

struct _GstMgpuImport
{
  GstMgpuImport *next;          /* next import of the same GstMemory, in another OpenCL
                                 * context (linked list) */
  cl_context context;
  cl_mem buffer;                /* OpenCL buffer of the import; NULL if the driver refused
                                 * the GstMemory */
  GError *refusal;              /* error of the driver that refused the GstMemory; NULL if the
                                 * driver accepted it */

  GMutex lock;                  /* lock that guards @n_users and @acquired */
  guint n_users;                /* number of acquisitions that were not released yet */
  GstMgpuUse acquired;          /* command that acquired the import first; the event in it
                                 * is NULL if there is none */
};

/* Guards, for every GstMemory, the list of its imports. */
static GMutex imports_lock;

static gpointer
find_function (const GstMgpuDevice * device, const gchar * name)
{
  return clGetExtensionFunctionAddressForPlatform (device->platform, name);
}

void
gst_mgpu_importer_init (GstMgpuImporter * self, GstMgpuDevice * device,
    cl_context context)
{
  GstMgpuDmabufRoute *route = &device->traits.dmabuf_route;
  gboolean *imports_cuda = &device->traits.imports_cuda;

  g_rec_mutex_init (&self->proof_lock);
  self->context = context;
  self->device_name = device->name;
  if (*route == GST_MGPU_DMABUF_ROUTE_KHR || *imports_cuda) {
    self->acquire =
        find_function (device, "clEnqueueAcquireExternalMemObjectsKHR");
    self->release =
        find_function (device, "clEnqueueReleaseExternalMemObjectsKHR");
    if (self->acquire == NULL || self->release == NULL
        || clCreateBufferWithProperties == NULL) {
      GST_INFO ("the driver of %s or the OpenCL loader lacks functions of "
          "cl_khr_external_memory: frames will be copied", device->name);
      if (*route == GST_MGPU_DMABUF_ROUTE_KHR)
        *route = GST_MGPU_DMABUF_ROUTE_NONE;
      *imports_cuda = FALSE;
    }
  }
  if (*route == GST_MGPU_DMABUF_ROUTE_ARM) {
    self->import_arm = find_function (device, "clImportMemoryARM");
    if (self->import_arm == NULL) {
      GST_INFO
          ("the driver of %s lacks clImportMemoryARM(): dma-bufs will be "
          "copied", device->name);
      *route = GST_MGPU_DMABUF_ROUTE_NONE;
    }
  }
  self->route = *route;
  self->imports_cuda = *imports_cuda;
  self->address = device->address;
  GST_DEBUG ("%s: dma-bufs are %s; CUDA memory is %s", device->name,
      *route == GST_MGPU_DMABUF_ROUTE_KHR ? "imported by "
      "cl_khr_external_memory" : *route == GST_MGPU_DMABUF_ROUTE_ARM
      ? "imported by cl_arm_import_memory" : "not imported",
      *imports_cuda ? "imported" : "not imported");
}

void
gst_mgpu_importer_clear (GstMgpuImporter * self)
{
  g_rec_mutex_clear (&self->proof_lock);
}

GstMgpuImportKind
gst_mgpu_importer_get_kind (const GstMgpuImporter * self, GstMemory * memory)
{
  if (gst_mgpu_cuda_is_memory (memory))
    return self->imports_cuda ? GST_MGPU_IMPORT_CUDA : GST_MGPU_IMPORT_NONE;
  return (self->route == GST_MGPU_DMABUF_ROUTE_KHR
      || self->route == GST_MGPU_DMABUF_ROUTE_ARM) && gst_is_fd_memory (memory)
      ? GST_MGPU_IMPORT_DMABUF : GST_MGPU_IMPORT_NONE;
}

/* --- Imports, and the list of imports of a memory --- */

static void
import_free (GstMgpuImport * import)
{
  if (import->buffer != NULL)
    clReleaseMemObject (import->buffer);
  clReleaseContext (import->context);
  g_clear_error (&import->refusal);
  g_mutex_clear (&import->lock);
  g_free (import);
}

static void
free_imports (gpointer data)
{
  GstMgpuImport *import = data;

  while (import != NULL) {
    GstMgpuImport *next = import->next;

    import_free (import);
    import = next;
  }
}

/* Checks that the driver made @buffer. Sets @error if @buffer is NULL, even if the return
 * code @ret reports success. Returns: TRUE if @buffer was made */
static gboolean
check_import (cl_int ret, cl_mem buffer, const gchar * call,
    GstMgpuImporter * self, GError ** error)
{
  if (buffer != NULL)
    return TRUE;
  return gst_mgpu_error_check (ret != CL_SUCCESS ? ret : CL_INVALID_MEM_OBJECT,
      call, self->device_name, error);
}

/* Imports a handle of the type @type with cl_khr_external_memory. Passes a duplicate of the
 * file descriptor @fd to the driver. The driver owns the duplicate if the import succeeds. */
static cl_mem
import_khr (GstMgpuImporter * self, cl_mem_properties type, gint fd, gsize size,
    GError ** error)
{
  gint copy = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  cl_mem_properties properties[] = { type, copy, 0 };
  cl_mem buffer;
  cl_int ret = CL_SUCCESS;

  if (copy < 0) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "cannot duplicate a file descriptor: %s", g_strerror (errno));
    return NULL;
  }
  buffer = clCreateBufferWithProperties (self->context, properties,
      CL_MEM_READ_WRITE, size, NULL, &ret);
  if (!check_import (ret, buffer, "clCreateBufferWithProperties", self, error))
    close (copy);
  return buffer;
}

static cl_mem
import_arm (GstMgpuImporter * self, gint fd, gsize size, GError ** error)
{
  const cl_import_properties_arm properties[] = {
    CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, 0
  };
  cl_int ret = CL_SUCCESS;
  cl_mem buffer = ((ImportArm) self->import_arm) (self->context,
      CL_MEM_READ_WRITE, properties, &fd, size, &ret);

  check_import (ret, buffer, "clImportMemoryARM", self, error);
  return buffer;
}

/* Imports CUDA memory. The caller holds imports_lock. */
static cl_mem
import_cuda (GstMgpuImporter * self, GstMemory * memory, GError ** error)
{
  gint fd;

  if (!self->knows_cuda_device) {
    self->cuda_device = gst_mgpu_cuda_find_device (&self->address);
    GST_DEBUG ("%s is CUDA device %d (-1 = none)", self->device_name,
        self->cuda_device);
  }
  self->knows_cuda_device = TRUE;
  fd = gst_mgpu_cuda_export (memory, self->cuda_device, error);
  return fd < 0 ? NULL : import_khr (self,
      CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, fd, memory->maxsize, error);
}

static cl_mem
import_dmabuf (GstMgpuImporter * self, GstMemory * memory, GError ** error)
{
  gint fd = gst_fd_memory_get_fd (memory);
  off_t end = lseek (fd, 0, SEEK_END);

  if (end >= 0 && (gsize) end < memory->maxsize) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the memory has %" G_GSIZE_FORMAT " bytes, but its dma-buf only %"
        G_GINT64_FORMAT, memory->maxsize, (gint64) end);
    return NULL;
  }
  return self->route == GST_MGPU_DMABUF_ROUTE_KHR
      ? import_khr (self, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, fd,
      memory->maxsize, error)
      : import_arm (self, fd, memory->maxsize, error);
}

/* Imports @memory, which must not be a part of another memory. */
static GstMgpuImport *
import_new (GstMgpuImporter * self, GstMemory * memory)
{
  GstMgpuImport *import = g_new0 (GstMgpuImport, 1);

  g_mutex_init (&import->lock);
  clRetainContext (self->context);
  import->context = self->context;
  import->buffer = gst_mgpu_cuda_is_memory (memory)
      ? import_cuda (self, memory, &import->refusal)
      : import_dmabuf (self, memory, &import->refusal);
  return import;
}

GstMgpuImport *
gst_mgpu_import_get (GstMgpuImporter * self, GstMemory * memory,
    GError ** error)
{
  GQuark quark = g_quark_from_static_string ("gst-mgpu-imports");
  GstMiniObject *owner =
      GST_MINI_OBJECT_CAST (memory->parent != NULL ? memory->parent : memory);
  GstMgpuImport *first, *import;
  gboolean is_new;

  g_mutex_lock (&imports_lock);
  first = gst_mini_object_get_qdata (owner, quark);
  for (import = first; import != NULL; import = import->next)
    if (import->context == self->context)
      break;
  is_new = import == NULL;
  if (is_new) {
    import = import_new (self, GST_MEMORY_CAST (owner));
    if (first != NULL) {
      import->next = first->next;
      first->next = import;
    } else {
      gst_mini_object_set_qdata (owner, quark, import, free_imports);
    }
  }
  g_mutex_unlock (&imports_lock);

  if (is_new && import->buffer != NULL)
    GST_DEBUG ("imported %p, %" G_GSIZE_FORMAT " bytes", owner,
        GST_MEMORY_CAST (owner)->maxsize);
  else if (is_new)
    GST_INFO ("cannot import %p: %s", owner, import->refusal->message);
  else
    GST_TRACE ("%p has been imported before", owner);
  if (import->buffer != NULL)
    return import;
  g_propagate_error (error, g_error_copy (import->refusal));
  return NULL;
}

cl_mem
gst_mgpu_import_get_buffer (GstMgpuImport * import)
{
  return import->buffer;
}

/* --- Handing memories over to the device, and taking them back --- */

/* Blocks until no other device writes the dma-buf with the file descriptor @fd, and, if
 * @writes is TRUE, until no other device reads it. The host has to wait, because OpenCL
 * drivers ignore the fences of a dma-buf. */
static gboolean
wait_for_others (gint fd, gboolean writes, GError ** error)
{
  gshort wanted = writes ? POLLOUT : POLLIN;
  struct pollfd poller = { fd, wanted, 0 };
  gint64 start = g_get_monotonic_time ();
  gint ret;

  do
    ret = poll (&poller, 1, FENCE_TIMEOUT);
  while (ret < 0 && errno == EINTR);
  GST_LOG ("waited %" G_GINT64_FORMAT " us for other devices that %s a "
      "dma-buf", g_get_monotonic_time () - start, writes ? "use" : "write");
  if (ret > 0 && (poller.revents & wanted))
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "another device that %s a dma-buf has not finished after %d ms",
      writes ? "uses" : "writes", FENCE_TIMEOUT);
  return FALSE;
}

gboolean
gst_mgpu_import_acquire (GstMgpuImporter * self, GstMgpuImport * import,
    GstMemory * memory, gboolean writes, cl_command_queue queue,
    GstMgpuUse * use, GError ** error)
{
  cl_int ret = CL_SUCCESS;

  use->event = NULL;
  if (gst_mgpu_cuda_is_memory (memory)
      ? !gst_mgpu_cuda_hand_over (memory, writes, error)
      : !wait_for_others (gst_fd_memory_get_fd (memory), writes, error))
    return FALSE;
  if (self->acquire == NULL)
    return TRUE;
  g_mutex_lock (&import->lock);
  if (import->n_users == 0) {
    ret = ((HandOver) self->acquire) (queue, 1, &import->buffer, 0, NULL,
        &import->acquired.event);
    import->acquired.queue = queue;
    /* Flushes the queue, because other queues wait for the event of the command, and a driver
     * may delay the command until a flush. */
    if (ret == CL_SUCCESS)
      clFlush (queue);
  }
  if (ret == CL_SUCCESS) {
    import->n_users++;
    clRetainEvent (import->acquired.event);
    *use = import->acquired;
  }
  g_mutex_unlock (&import->lock);
  return gst_mgpu_error_check (ret, "clEnqueueAcquireExternalMemObjectsKHR",
      self->device_name, error);
}

static void
wait_for_events (GPtrArray * waits)
{
  if (waits->len > 0)
    clWaitForEvents (waits->len, (const cl_event *) waits->pdata);
}

/* Enqueues a command that releases a buffer after the events of @waits, and waits for this
 * command. */
static cl_int
release_locked (GstMgpuImporter * self, GstMgpuImport * import,
    cl_command_queue queue, GPtrArray * waits)
{
  cl_event event;
  cl_int ret;

  g_clear_pointer (&import->acquired.event, gst_mgpu_event_release);
  ret = ((HandOver) self->release) (queue, 1, &import->buffer,
      GST_MGPU_WAITS (waits), &event);
  if (ret == CL_SUCCESS) {
    clFlush (queue);
    clWaitForEvents (1, &event);
    clReleaseEvent (event);
  } else {
    wait_for_events (waits);
  }
  return ret;
}

void
gst_mgpu_import_release (GstMgpuImporter * self, GstMgpuImport * import,
    cl_command_queue queue, GPtrArray * waits)
{
  gboolean is_last = FALSE;
  cl_int ret = CL_SUCCESS;

  GST_TRACE ("releasing import %p", import);
  if (self->release != NULL) {
    g_mutex_lock (&import->lock);
    is_last = --import->n_users == 0;
    if (is_last)
      ret = release_locked (self, import, queue, waits);
    g_mutex_unlock (&import->lock);
  }
  if (ret != CL_SUCCESS)
    GST_WARNING ("clEnqueueReleaseExternalMemObjectsKHR: %s",
        gst_mgpu_cl_error_name (ret));
  if (!is_last)
    wait_for_events (waits);
}
