/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* A buffer whose address is the same for the host, which may look at it whenever no
 * command writes it. It keeps what it is in, as commands keep the buffer.
 * Returns: NULL where that is not possible */
G_GNUC_INTERNAL
cl_mem gst_mgpu_shared_new  (GstMgpuContext * context, gsize size, gpointer * address);

/* Memory of the host's that stays mapped and is copied to or from a device without a
 * detour. It is not freed before what copies it is done. */
G_GNUC_INTERNAL
cl_mem gst_mgpu_pinned_new  (GstMgpuContext * context, gsize size, gpointer * address,
                             GError ** error);
G_GNUC_INTERNAL
void   gst_mgpu_pinned_free (GstMgpuContext * context, cl_mem buffer, gpointer address);

G_END_DECLS
