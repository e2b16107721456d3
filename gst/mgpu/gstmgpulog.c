/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Creates the log categories that are shared by several files of the library. */
#include "gstmgpulog-private.h"

GST_DEBUG_CATEGORY (gst_mgpu_context_debug);
GST_DEBUG_CATEGORY (gst_mgpu_device_debug);
GST_DEBUG_CATEGORY (gst_mgpu_memory_debug);
GST_DEBUG_CATEGORY (gst_mgpu_import_debug);
GST_DEBUG_CATEGORY (gst_mgpu_meta_debug);

void
gst_mgpu_log_init (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_context_debug, "mgpucontext", 0,
        "OpenCL contexts and how elements get them");
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_device_debug, "mgpudevice", 0,
        "OpenCL devices and device selection");
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_memory_debug, "mgpumemory", 0,
        "OpenCL memory: uploads, downloads, maps and waits");
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_import_debug, "mgpuimport", 0,
        "Imports and exports of dma-bufs and of CUDA memory");
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_meta_debug, "mgpumeta", 0,
        "Metas of this library: which ones are attached, moved, dropped and "
        "read");
    g_once_init_leave (&once, 1);
  }
}
