/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Maps memory of a device for the host. FALSE after an error, whose message names the
 * device. */
gboolean mgpu_map (GstMemory * memory, GstMapInfo * info, GstMapFlags flags, GError ** error);

/* Waits until no command on the device uses memory, and maps it for reading. FALSE after
 * an error. */
gboolean mgpu_map_result (GstMgpuMemory * memory, GstMapInfo * info, GError ** error);

/* Does the same as mgpu_map(), but leaves an error in job. */
gboolean mgpu_map_in_job (GstMgpuJob * job, GstMemory * memory, GstMapInfo * info, GstMapFlags flags);

/* Allocates memory of the device that job runs on, and copies size bytes from data to it.
 * Returns: (transfer full) (nullable): the memory; NULL with the error in job */
GstMemory * mgpu_upload (GstMgpuJob * job, gconstpointer data, gsize size);

G_END_DECLS
