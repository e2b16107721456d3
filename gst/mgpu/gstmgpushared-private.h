/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Makes a buffer in memory that host and device share. This is shared virtual memory, or heap
 * memory where PoCL runs on a CPU and uses heap memory in place. The host can read the bytes at
 * *@address whenever no command writes them. The shared memory is freed with the buffer; OpenCL
 * keeps the buffer until the commands that use it are done. Returns: the buffer; NULL on failure,
 * and if the device does not share addresses with the host */
G_GNUC_INTERNAL
cl_mem gst_mgpu_shared_new  (GstMgpuContext * context, gsize size, gpointer * address);

/* Make and free a buffer in pinned host memory. Its bytes stay mapped at *@address. The driver
 * transfers such memory without a temporary copy. Do not free the buffer before the commands that
 * copy its bytes are done. */
G_GNUC_INTERNAL
cl_mem gst_mgpu_pinned_new  (GstMgpuContext * context, gsize size, gpointer * address,
                             GError ** error);
G_GNUC_INTERNAL
void   gst_mgpu_pinned_free (GstMgpuContext * context, cl_mem buffer, gpointer address);

G_END_DECLS
