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

/* Ends part, which is a job for a part of the work of job. FALSE: the error is in job. */
gboolean mgpu_end_part (GstMgpuJob * job, GstMgpuJob * part);

G_END_DECLS
