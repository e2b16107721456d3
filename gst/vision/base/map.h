/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Maps memory of a device. FALSE: error names the device. */
gboolean mgpu_map (GstMemory * memory, GstMapInfo * info, GstMapFlags flags, GError ** error);

/* The same, with the error in job. */
gboolean mgpu_map_in_job (GstMgpuJob * job, GstMemory * memory, GstMapInfo * info, GstMapFlags flags);

/* Memory of job's device with the size bytes at data.
 * Returns: (transfer full) (nullable): NULL with the error in job */
GstMemory * mgpu_upload (GstMgpuJob * job, gconstpointer data, gsize size);

G_END_DECLS
