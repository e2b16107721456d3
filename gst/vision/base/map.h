/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Maps the device memory @memory into the address space of the host.
 * Returns: FALSE with the error set; the error names the device */
gboolean mgpu_map (GstMemory * memory, GstMapInfo * info, GstMapFlags flags, GError ** error);

/* Waits until no command on the device uses @memory, and maps it for reading by the host.
 * Returns: FALSE with the error set */
gboolean mgpu_map_result (GstMgpuMemory * memory, GstMapInfo * info, GError ** error);

/* Like mgpu_map(), but stores the error in @job, unless @job has one already.
 * Returns: FALSE after an error */
gboolean mgpu_map_in_job (GstMgpuJob * job, GstMemory * memory, GstMapInfo * info, GstMapFlags flags);

/* Ends @part, a job that was begun within @job by gst_mgpu_job_begin_part().
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_end_part (GstMgpuJob * job, GstMgpuJob * part);

G_END_DECLS
