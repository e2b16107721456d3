/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns: whether this process can allocate dma-bufs, that is, open the device node
 * /dev/dma_heap/system or /dev/udmabuf. If it cannot, the first call logs the reason */
gboolean        gst_mgpu_dmabuf_allocator_is_possible   (void);
/* Returns: (transfer full): an allocator of dma-bufs. An allocation fails, with a warning in the
 * log, when Linux cannot allocate a dma-buf of that size. */
GstAllocator *  gst_mgpu_dmabuf_allocator_new           (void);

G_END_DECLS
