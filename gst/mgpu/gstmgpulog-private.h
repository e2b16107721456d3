/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Log categories that are shared by several files and that no class_init() creates. A
 * category has to exist before the first message: a message without a category causes a
 * critical warning. */
GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_context_debug);
GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_device_debug);
GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_memory_debug);
GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_import_debug);
GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_meta_debug);

/* Creates these categories on the first call. Thread-safe. */
void gst_mgpu_log_init (void);

/* Returns: "yes" or "no", for messages */
#define GST_MGPU_YES(condition) ((condition) ? "yes" : "no")

G_END_DECLS
