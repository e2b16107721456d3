/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GST_CAPS_FEATURE_MEMORY_OPENCL:
 *
 * The caps feature of frames whose memory is a #GstMgpuMemory.
 *
 * Since: 1.0
 */
#define GST_CAPS_FEATURE_MEMORY_OPENCL "memory:OpenCLMemory"

/**
 * GST_MGPU_MEMORY_TYPE:
 *
 * The memory type of #GstMgpuMemory, for gst_memory_is_type().
 *
 * Since: 1.0
 */
#define GST_MGPU_MEMORY_TYPE "OpenCLMemory"

/**
 * GST_MAP_MGPU:
 *
 * A map flag that makes gst_memory_map() return the cl_mem in #GstMapInfo.data. When
 * gst_memory_map() returns, the bytes on the device are up to date, and no pending command
 * conflicts with the map. gst_mgpu_job_read() and gst_mgpu_job_write() return the cl_mem without
 * waiting.
 *
 * Since: 1.0
 */
#define GST_MAP_MGPU (GST_MAP_FLAG_LAST << 1)

/**
 * GstMgpuMemoryFlags:
 * @GST_MGPU_MEMORY_FLAG_NEED_UPLOAD: the host wrote last; the device's copy is stale
 * @GST_MGPU_MEMORY_FLAG_NEED_DOWNLOAD: the device wrote last; the host's copy is stale
 *
 * Flags that say which copy of the bytes is stale. They are never set where host and
 * device share memory.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_MEMORY_FLAG_NEED_UPLOAD = (GST_MEMORY_FLAG_LAST << 0),
  GST_MGPU_MEMORY_FLAG_NEED_DOWNLOAD = (GST_MEMORY_FLAG_LAST << 1)
} GstMgpuMemoryFlags;

/**
 * GstMgpuMemory:
 * @mem: the parent
 * @context: (transfer none): the context that the cl_mem belongs to
 *
 * Bytes that both host and device can access. A frame is one memory that contains all planes;
 * the buffer's #GstVideoMeta has their strides and offsets.
 *
 * Where host and device share memory, there is one copy of the bytes: a CPU map waits for the
 * commands that use the bytes, and copies nothing. With fine-grained shared virtual memory a CPU
 * map also enqueues no command, and so does not wait for unrelated commands.
 *
 * Other devices keep the bytes in their own memory. The first CPU map makes a second copy, in
 * pinned host memory. The flags of the memory say which of the two copies is stale. The bytes
 * are transferred when the side with the stale copy reads them.
 *
 * Since: 1.0
 */
struct _GstMgpuMemory
{
  GstMemory mem;

  GstMgpuContext *context;

  /*< private >*/
  struct _GstMgpuMemoryPrivate *priv;
};

#define GST_TYPE_MGPU_ALLOCATOR (gst_mgpu_allocator_get_type ())

/**
 * GstMgpuAllocator:
 *
 * The allocator of #GstMgpuMemory. gst_allocator_alloc() fails, because a memory needs a
 * context: use gst_mgpu_memory_new().
 *
 * Since: 1.0
 */
struct _GstMgpuAllocator
{
  GstAllocator parent;
};

struct _GstMgpuAllocatorClass
{
  GstAllocatorClass parent_class;
};

GST_MGPU_API
GType           gst_mgpu_allocator_get_type   (void);

GST_MGPU_API
gboolean        gst_is_mgpu_memory            (GstMemory       * memory);

GST_MGPU_API
GstMemory *     gst_mgpu_memory_new           (GstMgpuQueue    * queue,
                                               gsize             size,
                                               GstMgpuStats    * stats,
                                               GError         ** error);

GST_MGPU_API
GstMemory *     gst_mgpu_memory_new_wrapped   (GstMgpuQueue    * queue,
                                               gpointer          data,
                                               gsize             size,
                                               gpointer          user_data,
                                               GDestroyNotify    notify,
                                               GError         ** error);

GST_MGPU_API
gboolean        gst_mgpu_memory_can_import    (GstMgpuContext  * context,
                                               GstMemory       * memory);

GST_MGPU_API
GstMemory *     gst_mgpu_memory_new_imported  (GstMgpuQueue    * queue,
                                               GstMemory       * memory,
                                               gpointer          user_data,
                                               GDestroyNotify    notify,
                                               GError         ** error);

GST_MGPU_API
GstMemory *     gst_mgpu_memory_new_mapped    (GstMgpuQueue    * queue,
                                               GstMemory       * memory,
                                               GstMapFlags       flags,
                                               GstBuffer       * buffer,
                                               GError         ** error);

GST_MGPU_API
GstBuffer *     gst_mgpu_frame_new_exported   (GstMgpuQueue    * queue,
                                               GstBuffer       * target,
                                               GError         ** error);

GST_MGPU_API
GstBuffer *     gst_mgpu_frame_take_target    (GstBuffer       * frame,
                                               GstBufferPool   * pool);

GST_MGPU_API
GstMgpuQueue *  gst_mgpu_memory_get_queue     (GstMgpuMemory   * memory);

GST_MGPU_API
GstMgpuQueue *  gst_mgpu_memory_choose_queue  (GstMgpuMemory   * memory,
                                               GstMgpuQueue    * own);

GST_MGPU_API
gboolean        gst_mgpu_memory_send          (GstMgpuMemory   * memory,
                                               GError         ** error);

GST_MGPU_API
gboolean        gst_mgpu_memory_fetch         (GstMgpuMemory   * memory,
                                               GError         ** error);

GST_MGPU_API
gboolean        gst_mgpu_memory_fetched       (GstMgpuMemory   * memory,
                                               GError         ** error);

GST_MGPU_API
gboolean        gst_mgpu_memory_wait          (GstMgpuMemory   * memory,
                                               GError         ** error);

GST_MGPU_API
gpointer        gst_mgpu_memory_map_cl        (GstMemory       * memory,
                                               GstMapFlags       flags);

GST_MGPU_API
void            gst_mgpu_memory_unmap_cl      (GstMemory       * memory,
                                               GstMapFlags       flags);

G_END_DECLS
