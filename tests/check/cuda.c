/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Simulates a CUDA driver with two GPUs. GPU memory is made of files of memfd_create(); the driver
 * exports these files, and layer.c imports the files of the first GPU. Commands of a stream run
 * only when somebody waits for the stream. In LD_LIBRARY_PATH the folder of this library precedes
 * the folder of NVIDIA's library. */
#define _GNU_SOURCE
#include "layer.h"

#include <cuda.h>

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__ ((visibility ("default")))

#define GRANULARITY (2 << 20)
#define PITCH 512
#define NOT_SUPPORTED ((CUresult) 801)
#define INVALID_VALUE ((CUresult) 1)

/* A copy that waits in a CUDA stream */
typedef struct Copy
{
  struct Copy *next;
  CUstream stream;
  CUDA_MEMCPY2D what;
} Copy;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Copy *copies;

/* Functions of the CUDA driver that the tests never call */
#define STUB(name) \
EXPORT CUresult name (void); \
EXPORT CUresult name (void) { return NOT_SUPPORTED; }

STUB (cuCtxDisablePeerAccess)
STUB (cuCtxEnablePeerAccess)
STUB (cuCtxGetLimit)
STUB (cuCtxSetLimit)
STUB (cuDestroyExternalMemory)
STUB (cuDestroyExternalSemaphore)
STUB (cuDeviceCanAccessPeer)
STUB (cuDeviceGetUuid)
STUB (cuEventCreate)
STUB (cuEventDestroy_v2)
STUB (cuEventRecord)
STUB (cuEventSynchronize)
STUB (cuExternalMemoryGetMappedBuffer)
STUB (cuExternalMemoryGetMappedMipmappedArray)
STUB (cuGLGetDevices_v2)
STUB (cuGraphicsEGLRegisterImage)
STUB (cuGraphicsGLRegisterBuffer)
STUB (cuGraphicsGLRegisterImage)
STUB (cuGraphicsMapResources)
STUB (cuGraphicsResourceGetMappedEglFrame)
STUB (cuGraphicsResourceGetMappedPointer_v2)
STUB (cuGraphicsResourceSetMapFlags_v2)
STUB (cuGraphicsSubResourceGetMappedArray)
STUB (cuGraphicsUnmapResources)
STUB (cuGraphicsUnregisterResource)
STUB (cuImportExternalMemory)
STUB (cuImportExternalSemaphore)
STUB (cuIpcCloseMemHandle)
STUB (cuIpcGetEventHandle)
STUB (cuIpcGetMemHandle)
STUB (cuIpcOpenEventHandle)
STUB (cuIpcOpenMemHandle)
STUB (cuIpcOpenMemHandle_v2)
STUB (cuLaunchKernel)
STUB (cuMemAllocAsync)
STUB (cuMemAllocFromPoolAsync)
STUB (cuMemAlloc_v2)
STUB (cuMemFreeAsync)
STUB (cuMemGetAccess)
STUB (cuMemGetAllocationPropertiesFromHandle)
STUB (cuMemImportFromShareableHandle)
STUB (cuMemPoolCreate)
STUB (cuMemPoolDestroy)
STUB (cuMemPoolGetAttribute)
STUB (cuMemPoolSetAttribute)
STUB (cuMemRetainAllocationHandle)
STUB (cuMemcpyDtoDAsync_v2)
STUB (cuMemcpyDtoD_v2)
STUB (cuMemcpyDtoHAsync_v2)
STUB (cuMemcpyDtoH_v2)
STUB (cuMemcpyHtoDAsync_v2)
STUB (cuMemcpyHtoD_v2)
STUB (cuMemsetD2D16Async)
STUB (cuMemsetD2D16_v2)
STUB (cuMemsetD2D32Async)
STUB (cuMemsetD2D32_v2)
STUB (cuMemsetD2D8Async)
STUB (cuMemsetD2D8_v2)
STUB (cuModuleGetFunction)
STUB (cuModuleLoadData)
STUB (cuModuleUnload)
STUB (cuSignalExternalSemaphoresAsync)
STUB (cuTexObjectCreate)
STUB (cuTexObjectDestroy)
STUB (cuWaitExternalSemaphoresAsync)

#define CALL(name, parameters) \
EXPORT CUresult name parameters; \
EXPORT CUresult name parameters

/* --- The driver and its GPUs --- */

CALL (cuInit, (unsigned flags))
{
  return CUDA_SUCCESS;
}

CALL (cuGetErrorName, (CUresult error, const char **text))
{
  *text = "CUDA_ERROR";
  return CUDA_SUCCESS;
}

CALL (cuGetErrorString, (CUresult error, const char **text))
{
  *text = "an error of the driver for tests";
  return CUDA_SUCCESS;
}

CALL (cuDriverGetVersion, (int *version))
{
  *version = 12000;
  return CUDA_SUCCESS;
}

CALL (cuDeviceGetCount, (int *n))
{
  *n = 2;
  return CUDA_SUCCESS;
}

CALL (cuDeviceGet, (CUdevice * device, int i))
{
  *device = i;
  return i == 0 || i == 1 ? CUDA_SUCCESS : INVALID_VALUE;
}

CALL (cuDeviceGetName, (char *name, int size, CUdevice device))
{
  strncpy (name, "GPU of files", size);
  return CUDA_SUCCESS;
}

CALL (cuDeviceGetAttribute, (int *value, int attribute, CUdevice device))
{
  switch (attribute) {
    case 14:                   /* alignment of textures */
      *value = PITCH;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      *value = device == 0 ? LAYER_PCI_BUS : LAYER_PCI_BUS + 2;
      return CUDA_SUCCESS;
    case 75:                   /* compute capability, major number */
    case 102:                  /* virtual memory */
    case 103:                  /* whether memory can be exported as a file descriptor */
      *value = 1;
      return CUDA_SUCCESS;
    default:
      *value = 0;
      return CUDA_SUCCESS;
  }
}

CALL (cuCtxCreate_v2, (CUcontext * context, unsigned flags, CUdevice device))
{
  *context = malloc (1);
  return CUDA_SUCCESS;
}

CALL (cuCtxDestroy_v2, (CUcontext context))
{
  free (context);
  return CUDA_SUCCESS;
}

CALL (cuCtxPushCurrent_v2, (CUcontext context))
{
  return CUDA_SUCCESS;
}

CALL (cuCtxPopCurrent_v2, (CUcontext * context))
{
  if (context != NULL)
    *context = NULL;
  return CUDA_SUCCESS;
}

/* --- Memory --- */

CALL (cuMemAllocHost_v2, (void **data, size_t size))
{
  *data = calloc (1, size);
  return CUDA_SUCCESS;
}

CALL (cuMemFreeHost, (void *data))
{
  free (data);
  return CUDA_SUCCESS;
}

CALL (cuMemAllocPitch_v2, (CUdeviceptr * data, size_t *pitch, size_t width,
        size_t height, unsigned element))
{
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  *data = (uintptr_t) calloc (height, *pitch);
  return CUDA_SUCCESS;
}

CALL (cuMemFree_v2, (CUdeviceptr data))
{
  free ((void *) (uintptr_t) data);
  return CUDA_SUCCESS;
}

CALL (cuMemGetAllocationGranularity, (size_t *granularity,
        const CUmemAllocationProp * prop, int option))
{
  *granularity = GRANULARITY;
  return CUDA_SUCCESS;
}

CALL (cuMemCreate, (CUmemGenericAllocationHandle * handle, size_t size,
        const CUmemAllocationProp * prop, unsigned long long flags))
{
  int fd = memfd_create ("GPU", MFD_CLOEXEC);

  if (size % GRANULARITY != 0 || fd < 0 || ftruncate (fd, size) != 0)
    return INVALID_VALUE;
  *handle = fd;
  return CUDA_SUCCESS;
}

CALL (cuMemRelease, (CUmemGenericAllocationHandle handle))
{
  return close (handle) == 0 ? CUDA_SUCCESS : INVALID_VALUE;
}

CALL (cuMemAddressReserve, (CUdeviceptr * data, size_t size, size_t alignment,
        CUdeviceptr wish, unsigned long long flags))
{
  void *address = mmap (NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
      0);

  *data = (uintptr_t) address;
  return address != MAP_FAILED ? CUDA_SUCCESS : INVALID_VALUE;
}

CALL (cuMemAddressFree, (CUdeviceptr data, size_t size))
{
  munmap ((void *) (uintptr_t) data, size);
  return CUDA_SUCCESS;
}

CALL (cuMemMap, (CUdeviceptr data, size_t size, size_t offset,
        CUmemGenericAllocationHandle handle, unsigned long long flags))
{
  return mmap ((void *) (uintptr_t) data, size, PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_FIXED, handle, offset) != MAP_FAILED ? CUDA_SUCCESS
      : INVALID_VALUE;
}

CALL (cuMemUnmap, (CUdeviceptr data, size_t size))
{
  return CUDA_SUCCESS;
}

CALL (cuMemSetAccess, (CUdeviceptr data, size_t size,
        const CUmemAccessDesc * access, size_t n))
{
  return CUDA_SUCCESS;
}

CALL (cuMemExportToShareableHandle, (void *fd,
        CUmemGenericAllocationHandle handle, int type,
        unsigned long long flags))
{
  *(int *) fd = dup (handle);
  return CUDA_SUCCESS;
}

/* --- Commands --- */

static void
run_copy (const CUDA_MEMCPY2D * copy)
{
  const char *from = copy->srcMemoryType == CU_MEMORYTYPE_HOST ? copy->srcHost
      : (const char *) (uintptr_t) copy->srcDevice;
  char *to = copy->dstMemoryType == CU_MEMORYTYPE_HOST ? copy->dstHost
      : (char *) (uintptr_t) copy->dstDevice;

  for (size_t y = 0; y < copy->Height; y++)
    memcpy (to + y * copy->dstPitch, from + y * copy->srcPitch,
        copy->WidthInBytes);
}

CALL (cuMemcpy2D_v2, (const CUDA_MEMCPY2D * copy))
{
  run_copy (copy);
  return CUDA_SUCCESS;
}

CALL (cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D * copy, CUstream stream))
{
  Copy *added = calloc (1, sizeof (Copy)), **end = &copies;

  added->stream = stream;
  added->what = *copy;
  pthread_mutex_lock (&lock);
  while (*end != NULL)
    end = &(*end)->next;
  *end = added;
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CALL (cuStreamSynchronize, (CUstream stream))
{
  pthread_mutex_lock (&lock);
  for (Copy ** at = &copies; *at != NULL;) {
    Copy *copy = *at;

    if (copy->stream != stream) {
      at = &copy->next;
      continue;
    }
    run_copy (&copy->what);
    *at = copy->next;
    free (copy);
  }
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CALL (cuCtxSynchronize, (void))
{
  return NOT_SUPPORTED;
}

CALL (cuStreamCreate, (CUstream * stream, unsigned flags))
{
  *stream = malloc (1);
  return CUDA_SUCCESS;
}

CALL (cuStreamDestroy_v2, (CUstream stream))
{
  cuStreamSynchronize (stream);
  free (stream);
  return CUDA_SUCCESS;
}
