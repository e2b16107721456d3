/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Makes *memory one of at least size bytes. FALSE after an error, which is in
 * job. is_new, which may be NULL: whether it was allocated now. */
gboolean mgpu_bins_ensure_memory (GstMgpuJob * job, GstMemory ** memory, gsize size, gboolean * is_new);

/* Announces that job writes it; what is in it stays. */
cl_mem mgpu_bins_write (GstMgpuJob * job, GstMemory * memory);

G_END_DECLS
