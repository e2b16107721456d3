/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Allocates dma-bufs: Linux memory with a file descriptor, for sharing between devices. */
#define _GNU_SOURCE
#include "gstmgpudmabufallocator.h"

#include <gst/allocators/gstdmabuf.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#ifdef HAVE_DMABUF
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#endif

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_dmabuf_debug);
#define GST_CAT_DEFAULT gst_mgpu_dmabuf_debug

#define HEAP_PATH "/dev/dma_heap/system"
#define UDMABUF_PATH "/dev/udmabuf"

typedef GstDmaBufAllocator GstMgpuDmabufAllocator;
typedef GstDmaBufAllocatorClass GstMgpuDmabufAllocatorClass;

GType gst_mgpu_dmabuf_allocator_get_type (void);

G_DEFINE_TYPE_WITH_CODE (GstMgpuDmabufAllocator, gst_mgpu_dmabuf_allocator,
    GST_TYPE_DMABUF_ALLOCATOR,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_dmabuf_debug, "mgpudmabuf", 0,
        "Allocation of dma-bufs for output frames"));

#ifdef HAVE_DMABUF
/* Opens a device node that makes dma-bufs. Sets *@is_heap to whether the node is
 * HEAP_PATH. Returns: the file descriptor of the node, which the caller has to close; -1
 * on failure */
static gint
open_node (gboolean * is_heap)
{
  gint node = open (HEAP_PATH, O_RDWR | O_CLOEXEC);

  *is_heap = node >= 0;
  return node >= 0 ? node : open (UDMABUF_PATH, O_RDWR | O_CLOEXEC);
}

static gint
allocate_in_heap (gint node, gsize size)
{
  struct dma_heap_allocation_data data = {
    .len = size,
    .fd_flags = O_RDWR | O_CLOEXEC
  };

  return ioctl (node, DMA_HEAP_IOCTL_ALLOC, &data) == 0 ? (gint) data.fd : -1;
}

/* Makes a dma-buf from the pages of a memfd; the dma-buf keeps the pages when the memfd
 * is closed. */
static gint
allocate_udmabuf (gint node, gsize size)
{
  gint file = memfd_create ("frame", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  struct udmabuf_create create = {
    .memfd = file,
    .flags = UDMABUF_FLAGS_CLOEXEC,
    .size = size
  };
  gint fd = -1;

  if (file < 0)
    return -1;
  if (ftruncate (file, size) == 0
      && fcntl (file, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
    fd = ioctl (node, UDMABUF_CREATE, &create);
  close (file);
  return fd;
}
#else
/* Always fails, because only Linux has dma-bufs. */
static gint
open_node (gboolean * is_heap)
{
  *is_heap = FALSE;
  errno = ENOSYS;
  return -1;
}

static gint
allocate_in_heap (gint node, gsize size)
{
  return -1;
}

static gint
allocate_udmabuf (gint node, gsize size)
{
  return -1;
}
#endif

/* Allocates a dma-buf of whole pages. Returns: a memory that consists of its first @size
 * bytes */
static GstMemory *
gst_mgpu_dmabuf_allocator_alloc (GstAllocator * allocator, gsize size,
    GstAllocationParams * params)
{
  gsize page = sysconf (_SC_PAGESIZE);
  gsize whole = (size + page - 1) / page * page;
  gboolean is_heap;
  gint node = open_node (&is_heap);
  gint fd = -1;

  if (node >= 0) {
    fd = is_heap ? allocate_in_heap (node, whole)
        : allocate_udmabuf (node, whole);
  }
  if (fd < 0)
    GST_WARNING ("%s cannot allocate a dma-buf of %" G_GSIZE_FORMAT " bytes: %s",
        is_heap ? HEAP_PATH : UDMABUF_PATH, whole, g_strerror (errno));
  if (node >= 0)
    close (node);
  if (fd < 0)
    return NULL;
  GST_DEBUG_OBJECT (allocator, "made a dma-buf of %" G_GSIZE_FORMAT " bytes "
      "with %s: file descriptor %d", whole, is_heap ? HEAP_PATH : UDMABUF_PATH, fd);
  return gst_dmabuf_allocator_alloc_with_flags (allocator, fd, size,
      GST_FD_MEMORY_FLAG_KEEP_MAPPED);
}

static void
gst_mgpu_dmabuf_allocator_class_init (GstMgpuDmabufAllocatorClass * klass)
{
  GST_ALLOCATOR_CLASS (klass)->alloc = gst_mgpu_dmabuf_allocator_alloc;
}

static void
gst_mgpu_dmabuf_allocator_init (GstMgpuDmabufAllocator * self)
{
}

gboolean
gst_mgpu_dmabuf_allocator_is_possible (void)
{
  static gint said = FALSE;
  gboolean is_heap;
  gint node = open_node (&is_heap);

  /* Creates the log category. */
  g_type_ensure (gst_mgpu_dmabuf_allocator_get_type ());
  if (node >= 0)
    close (node);
  else if (g_atomic_int_compare_and_exchange (&said, FALSE, TRUE))
    GST_INFO ("frames cannot be pushed in dma-bufs, because neither " HEAP_PATH
        " nor " UDMABUF_PATH " can be opened: %s", g_strerror (errno));
  return node >= 0;
}

GstAllocator *
gst_mgpu_dmabuf_allocator_new (void)
{
  GstAllocator *allocator =
      g_object_new (gst_mgpu_dmabuf_allocator_get_type (), NULL);

  return gst_object_ref_sink (allocator);
}
