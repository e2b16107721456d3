/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes PoCL appear to be a GPU that imports dma-bufs: see layer.h. */
#define _GNU_SOURCE
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#include "layer.h"

#include "../opencl.h"

#include <CL/cl_ext.h>

#include <asm/poll.h>
#include <errno.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/fcntl.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__ ((visibility ("default")))
#define MAX_IMPORTS 256

typedef struct
{
  cl_mem buffer;                /* imported buffer; NULL if the entry is free */
  void *data;
  size_t size;
  int fd;                       /* file descriptor of the memory; -1 if the layer must not close
                                 * it */
  int is_acquired;
} Import;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Import imports[MAX_IMPORTS];
static LayerRoute route;
static int is_unified;
static const char *failing;
static int is_lying;
static atomic_int is_lost;
static int blocked_fd = -1;
static unsigned pci_bus;
static LayerNodes nodes;
static unsigned n_made, n_left, n_wrong, n_buffers, n_maps;

EXPORT void
layer_set_device (LayerRoute new_route, int unified)
{
  route = new_route;
  is_unified = unified;
  failing = NULL;
  is_lying = 0;
  is_lost = 0;
  blocked_fd = -1;
  pci_bus = LAYER_PCI_BUS;
  nodes = LAYER_NODES_NONE;
  pthread_mutex_lock (&lock);
  n_made = 0;
  pthread_mutex_unlock (&lock);
}

EXPORT void
layer_fail (const char *name)
{
  failing = name;
}

EXPORT void
layer_lose (int lost)
{
  is_lost = lost;
}

EXPORT void
layer_lie (int lies)
{
  is_lying = lies;
}

EXPORT void
layer_block (int fd)
{
  blocked_fd = fd;
}

EXPORT void
layer_set_bus (unsigned bus)
{
  pci_bus = bus;
}

EXPORT void
layer_set_nodes (LayerNodes new_nodes)
{
  nodes = new_nodes;
}

#define GETTER(name, variable) \
EXPORT unsigned \
name (void) \
{ \
  unsigned n; \
  pthread_mutex_lock (&lock); \
  n = variable; \
  pthread_mutex_unlock (&lock); \
  return n; \
}

GETTER (layer_count_made, n_made)
GETTER (layer_count_left, n_left)
GETTER (layer_count_wrong, n_wrong)
GETTER (layer_count_buffers, n_buffers)
GETTER (layer_count_maps, n_maps)

static int
fails (const char *name)
{
  return failing != NULL && strcmp (failing, name) == 0;
}

/* Finds the import of @buffer. The caller holds the lock. */
static Import *
find_import (cl_mem buffer)
{
  for (int i = 0; buffer != NULL && i < MAX_IMPORTS; i++)
    if (imports[i].buffer == buffer)
      return &imports[i];
  return NULL;
}

static void
wrong (const char *what)
{
  fprintf (stderr, "layer: %s\n", what);
  n_wrong++;
}

/* Counts a command that real drivers refuse on imports. Returns: whether @buffer is an import */
static int
refuses (cl_mem buffer, const char *name)
{
  int is_import;

  pthread_mutex_lock (&lock);
  is_import = find_import (buffer) != NULL;
  if (is_import)
    wrong (name);
  pthread_mutex_unlock (&lock);
  return is_import;
}

/* --- Imports --- */

static void CL_CALLBACK
import_gone (cl_mem buffer, void *data)
{
  Import *import = data;

  pthread_mutex_lock (&lock);
  if (import->is_acquired)
    wrong ("freed while acquired");
  munmap (import->data, import->size);
  if (import->fd >= 0)
    close (import->fd);
  import->buffer = NULL;
  n_left--;
  pthread_mutex_unlock (&lock);
}

static cl_mem
make_import (cl_context context, cl_mem_flags flags, size_t size, int fd,
    int owns, cl_int * result)
{
  Import *import = NULL;
  void *data = is_lost ? MAP_FAILED : mmap (NULL, size, PROT_READ | PROT_WRITE,
      is_lying ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, is_lying ? -1 : fd,
      0);

  *result = is_lost ? CL_DEVICE_NOT_AVAILABLE : CL_INVALID_VALUE;
  if (data == MAP_FAILED)
    return NULL;
  pthread_mutex_lock (&lock);
  for (int i = 0; i < MAX_IMPORTS && import == NULL; i++)
    if (imports[i].buffer == NULL)
      import = &imports[i];
  if (import == NULL)
    abort ();
  import->data = data;
  import->size = size;
  import->fd = owns ? fd : -1;
  import->is_acquired = 0;
  import->buffer = REAL (clCreateBuffer) (context,
      flags | CL_MEM_USE_HOST_PTR, size, data, result);
  if (import->buffer == NULL
      || REAL (clSetMemObjectDestructorCallback) (import->buffer, import_gone,
          import) != CL_SUCCESS)
    abort ();
  n_made++;
  n_left++;
  pthread_mutex_unlock (&lock);
  return import->buffer;
}

EXPORT cl_mem CL_API_CALL
clCreateBufferWithProperties (cl_context context,
    const cl_mem_properties * properties, cl_mem_flags flags, size_t size,
    void *data, cl_int * result)
{
  if (fails ("clCreateBufferWithProperties")
      || (route != LAYER_ROUTE_KHR && route != LAYER_ROUTE_CUDA)
      || properties[0] != (route == LAYER_ROUTE_KHR
          ? CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR
          : CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR)
      || properties[2] != 0) {
    /* Returns a positive error code, as NVIDIA's driver does. */
    *result = 999;
    return NULL;
  }
  return make_import (context, flags, size, properties[1], 1, result);
}

static cl_mem CL_API_CALL
import_arm (cl_context context, cl_mem_flags flags,
    const cl_import_properties_arm * properties, void *memory, size_t size,
    cl_int * result)
{
  if (fails ("clImportMemoryARM") || properties[0] != CL_IMPORT_TYPE_ARM
      || properties[1] != CL_IMPORT_TYPE_DMA_BUF_ARM) {
    *result = CL_INVALID_OPERATION;
    return NULL;
  }
  return make_import (context, flags, size, *(int *) memory, 0, result);
}

/* Sets whether the device has acquired an imported buffer. */
static cl_int
hand_over (cl_command_queue queue, cl_uint n, const cl_mem * buffers,
    int acquires, cl_uint n_waits, const cl_event * waits, cl_event * event)
{
  pthread_mutex_lock (&lock);
  for (cl_uint i = 0; i < n; i++) {
    Import *import = find_import (buffers[i]);

    if (import == NULL || import->is_acquired == acquires)
      wrong (acquires ? "acquired twice" : "released twice");
    else
      import->is_acquired = acquires;
  }
  pthread_mutex_unlock (&lock);
  return REAL (clEnqueueMarkerWithWaitList) (queue, n_waits, waits, event);
}

static cl_int CL_API_CALL
acquire (cl_command_queue queue, cl_uint n, const cl_mem * buffers,
    cl_uint n_waits, const cl_event * waits, cl_event * event)
{
  return is_lost ? CL_DEVICE_NOT_AVAILABLE
      : fails ("clEnqueueAcquireExternalMemObjectsKHR") ? CL_OUT_OF_RESOURCES
      : hand_over (queue, n, buffers, 1, n_waits, waits, event);
}

/* Releases the buffers also when the call has to fail, so that later calls work. */
static cl_int CL_API_CALL
release (cl_command_queue queue, cl_uint n, const cl_mem * buffers,
    cl_uint n_waits, const cl_event * waits, cl_event * event)
{
  cl_int ret = hand_over (queue, n, buffers, 0, n_waits, waits, event);

  if (ret == CL_SUCCESS && (is_lost
          || fails ("clEnqueueReleaseExternalMemObjectsKHR"))) {
    clReleaseEvent (*event);
    return is_lost ? CL_DEVICE_NOT_AVAILABLE : CL_OUT_OF_RESOURCES;
  }
  return ret;
}

EXPORT void *CL_API_CALL
clGetExtensionFunctionAddressForPlatform (cl_platform_id platform,
    const char *name)
{
  if (failing != NULL && failing[0] == '?' && strcmp (failing + 1, name) == 0)
    return NULL;
  return strcmp (name, "clImportMemoryARM") == 0 ? (void *) import_arm
      : strcmp (name, "clEnqueueAcquireExternalMemObjectsKHR") == 0
      ? (void *) acquire
      : strcmp (name, "clEnqueueReleaseExternalMemObjectsKHR") == 0
      ? (void *) release
      : REAL (clGetExtensionFunctionAddressForPlatform) (platform, name);
}

/* --- Properties of devices --- */

/* Lists only the devices of PoCL, because other drivers may use a copy of the files. */
EXPORT cl_int CL_API_CALL
clGetDeviceIDs (cl_platform_id platform, cl_device_type type, cl_uint n,
    cl_device_id * devices, cl_uint * n_ret)
{
  char name[64] = "";

  REAL (clGetPlatformInfo) (platform, CL_PLATFORM_NAME, sizeof (name) - 1,
      name, NULL);
  return strcmp (name, "Portable Computing Language") == 0
      ? REAL (clGetDeviceIDs) (platform, type, n, devices, n_ret)
      : CL_DEVICE_NOT_FOUND;
}

static cl_int
tell (const void *text, size_t length, size_t size, void *value,
    size_t * size_ret)
{
  if (size_ret != NULL)
    *size_ret = length;
  if (value != NULL && size < length)
    return CL_INVALID_VALUE;
  if (value != NULL)
    memcpy (value, text, length);
  return CL_SUCCESS;
}

EXPORT cl_int CL_API_CALL
clGetDeviceInfo (cl_device_id device, cl_device_info info, size_t size,
    void *value, size_t * size_ret)
{
  const cl_uint handles[] = {
    CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
    CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR
  };
  const cl_device_type type = route == LAYER_ROUTE_MAP
      ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
  const cl_bool unified = is_unified;
  const cl_device_local_mem_type local = CL_LOCAL;
  const cl_device_pci_bus_info_khr pci = {.pci_bus = pci_bus };
  const char *extensions = route == LAYER_ROUTE_KHR || route == LAYER_ROUTE_CUDA
      ? "cl_khr_external_memory cl_khr_fp64" : route == LAYER_ROUTE_ARM
      ? "cl_arm_import_memory cl_arm_import_memory_dma_buf" : "cl_khr_fp64";

  if (fails ("clGetDeviceInfo")
      && info == CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR)
    return CL_INVALID_VALUE;
  switch (info) {
    case CL_DEVICE_TYPE:
      return tell (&type, sizeof (type), size, value, size_ret);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return tell (&unified, sizeof (unified), size, value, size_ret);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return tell (&local, sizeof (local), size, value, size_ret);
    case CL_DEVICE_EXTENSIONS:
      return tell (extensions, strlen (extensions) + 1, size, value, size_ret);
    case CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
      if (route == LAYER_ROUTE_KHR)
        return tell (handles, sizeof (handles), size, value, size_ret);
      if (route == LAYER_ROUTE_CUDA)
        return tell (handles, sizeof (handles[0]), size, value, size_ret);
      break;
    case CL_DEVICE_PCI_BUS_INFO_KHR:
      if (route == LAYER_ROUTE_CUDA)
        return tell (&pci, sizeof (pci), size, value, size_ret);
      break;
    default:
      break;
  }
  return REAL (clGetDeviceInfo) (device, info, size, value, size_ret);
}

/* --- Commands --- */

static void
count (unsigned *n)
{
  pthread_mutex_lock (&lock);
  (*n)++;
  pthread_mutex_unlock (&lock);
}

EXPORT cl_mem CL_API_CALL
clCreateBuffer (cl_context context, cl_mem_flags flags, size_t size,
    void *data, cl_int * result)
{
  count (&n_buffers);
  if (is_lost) {
    if (result != NULL)
      *result = CL_DEVICE_NOT_AVAILABLE;
    return NULL;
  }
  return REAL (clCreateBuffer) (context, flags, size, data, result);
}

EXPORT cl_int CL_API_CALL
clSetKernelArg (cl_kernel kernel, cl_uint i, size_t size, const void *value)
{
  if (value != NULL && size == sizeof (cl_mem)) {
    Import *import;

    pthread_mutex_lock (&lock);
    import = find_import (*(const cl_mem *) value);
    if (import != NULL && route != LAYER_ROUTE_ARM && !import->is_acquired)
      wrong ("used while not acquired");
    pthread_mutex_unlock (&lock);
  }
  return REAL (clSetKernelArg) (kernel, i, size, value);
}

EXPORT cl_int CL_API_CALL
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel, cl_uint n,
    const size_t * offset, const size_t * global, const size_t * local,
    cl_uint n_waits, const cl_event * waits, cl_event * event)
{
  return is_lost ? CL_DEVICE_NOT_AVAILABLE
      : fails ("clEnqueueNDRangeKernel") ? CL_OUT_OF_RESOURCES
      : REAL (clEnqueueNDRangeKernel) (queue, kernel, n, offset, global, local,
      n_waits, waits, event);
}

#define EVENTS cl_uint n_waits, const cl_event * waits, cl_event * event
#define PASS_EVENTS n_waits, waits, event

/* Defines a command that drivers refuse if @a or @b is an import. */
#define COMMAND(name, a, b, parameters, arguments) \
EXPORT cl_int CL_API_CALL \
name parameters \
{ \
  return is_lost ? CL_DEVICE_NOT_AVAILABLE \
      : refuses (a, #name) || refuses (b, #name) ? CL_INVALID_OPERATION \
      : REAL (name) arguments; \
}

COMMAND (clEnqueueReadBuffer, buffer, NULL, (cl_command_queue queue,
        cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
        void *data, EVENTS),
    (queue, buffer, blocking, offset, size, data, PASS_EVENTS))
COMMAND (clEnqueueWriteBuffer, buffer, NULL, (cl_command_queue queue,
        cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
        const void *data, EVENTS),
    (queue, buffer, blocking, offset, size, data, PASS_EVENTS))
COMMAND (clEnqueueFillBuffer, buffer, NULL, (cl_command_queue queue,
        cl_mem buffer, const void *pattern, size_t pattern_size,
        size_t offset, size_t size, EVENTS),
    (queue, buffer, pattern, pattern_size, offset, size, PASS_EVENTS))
COMMAND (clEnqueueCopyBuffer, src, dst, (cl_command_queue queue, cl_mem src,
        cl_mem dst, size_t src_offset, size_t dst_offset, size_t size, EVENTS),
    (queue, src, dst, src_offset, dst_offset, size, PASS_EVENTS))
COMMAND (clEnqueueCopyBufferRect, src, dst, (cl_command_queue queue,
        cl_mem src, cl_mem dst, const size_t * src_origin,
        const size_t * dst_origin, const size_t * region, size_t src_row,
        size_t src_slice, size_t dst_row, size_t dst_slice, EVENTS),
    (queue, src, dst, src_origin, dst_origin, region, src_row, src_slice,
        dst_row, dst_slice, PASS_EVENTS))

EXPORT void *CL_API_CALL
clEnqueueMapBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, EVENTS, cl_int * result)
{
  count (&n_maps);
  if (is_lost) {
    *result = CL_DEVICE_NOT_AVAILABLE;
    return NULL;
  }
  if (!refuses (buffer, "clEnqueueMapBuffer"))
    return REAL (clEnqueueMapBuffer) (queue, buffer, blocking, flags, offset,
        size, PASS_EVENTS, result);
  *result = CL_INVALID_OPERATION;
  return NULL;
}

/* Defines a call that waits for commands, or flushes them to the device so that others can wait for
 * them. */
#define WAIT(name, parameters, arguments) \
EXPORT cl_int CL_API_CALL \
name parameters \
{ \
  cl_int ret = REAL (name) arguments; \
  return is_lost ? CL_DEVICE_NOT_AVAILABLE : ret; \
}

WAIT (clFinish, (cl_command_queue queue), (queue))
WAIT (clFlush, (cl_command_queue queue), (queue))
WAIT (clWaitForEvents, (cl_uint n, const cl_event * events), (n, events))
WAIT (clEnqueueUnmapMemObject, (cl_command_queue queue, cl_mem buffer,
        void *data, EVENTS), (queue, buffer, data, PASS_EVENTS))

/* Replaces poll(), so that the fence of a dma-buf that is being written does not become
 * readable. */
int poll (struct pollfd *files, unsigned long n, int timeout);

EXPORT int
poll (struct pollfd *files, unsigned long n, int timeout)
{
  struct timespec time = { timeout / 1000, timeout % 1000 * 1000000L };

  if (n == 1 && files[0].fd == blocked_fd) {
    files[0].revents = 0;
    nanosleep (&time, NULL);
    return 0;
  }
  return syscall (SYS_ppoll, files, n, timeout >= 0 ? &time : NULL, NULL, 8);
}

/* --- Device nodes that allocate dma-bufs --- */

static int
make_file (size_t size)
{
  int fd = memfd_create ("dma-buf", MFD_CLOEXEC);

  if (ftruncate (fd, size) != 0)
    abort ();
  return fd;
}

/* Opens a file. Replaces device nodes by in-memory files. */
static int
open_file (const char *path, int flags, unsigned mode)
{
  int heap = strcmp (path, "/dev/dma_heap/system") == 0;

  if ((!heap && strcmp (path, "/dev/udmabuf") != 0)
      || nodes == LAYER_NODES_REAL)
    return syscall (SYS_openat, AT_FDCWD, path, flags, mode);
  if (nodes == (heap ? LAYER_NODES_HEAP : LAYER_NODES_UDMABUF))
    return make_file (0);
  errno = ENOENT;
  return -1;
}

#define OPEN(name) \
int name (const char *path, int flags, ...); \
EXPORT int \
name (const char *path, int flags, ...) \
{ \
  va_list list; \
  unsigned mode; \
  va_start (list, flags); \
  mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg (list, unsigned) : 0; \
  va_end (list); \
  return open_file (path, flags, mode); \
}

OPEN (open)
OPEN (open64)

/* Makes a dma-buf of the pages of a file, as the kernel does. Requires whole pages of a file that
 * cannot be truncated. */
static int
make_udmabuf (const struct udmabuf_create *create)
{
  int seals = syscall (SYS_fcntl, create->memfd, F_GET_SEALS);

  if (!(seals & F_SEAL_SHRINK) || create->size % 4096 != 0
      || create->offset != 0) {
    errno = EINVAL;
    return -1;
  }
  return syscall (SYS_fcntl, create->memfd, F_DUPFD_CLOEXEC, 0);
}

int ioctl (int fd, unsigned long request, ...);

EXPORT int
ioctl (int fd, unsigned long request, ...)
{
  struct dma_heap_allocation_data *data;
  va_list list;
  void *argument;

  va_start (list, request);
  argument = va_arg (list, void *);
  va_end (list);
  if (nodes != LAYER_NODES_NONE && fails ("ioctl")) {
    errno = ENOMEM;
    return -1;
  }
  if (nodes == LAYER_NODES_REAL)
    return syscall (SYS_ioctl, fd, request, argument);
  if (request == DMA_HEAP_IOCTL_ALLOC) {
    data = argument;
    data->fd = make_file (data->len);
    return 0;
  }
  if (request == UDMABUF_CREATE)
    return make_udmabuf (argument);
  if (request == DMA_BUF_IOCTL_SYNC)
    return 0;
  return syscall (SYS_ioctl, fd, request, argument);
}
