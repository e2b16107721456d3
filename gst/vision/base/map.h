/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Maps the device memory @memory into the address space of the host. FALSE: the error is
 * set and names the device. */
gboolean mgpu_map (GstMemory * memory, GstMapInfo * info, GstMapFlags flags, GError ** error);

/* Waits until no command on the device uses @memory, and maps it for reading by the host.
 * FALSE: the error is set. */
gboolean mgpu_map_result (GstMgpuMemory * memory, GstMapInfo * info, GError ** error);

/* Does the same as mgpu_map(), but leaves an error in @job, as the first error of this
 * job. */
gboolean mgpu_map_in_job (GstMgpuJob * job, GstMemory * memory, GstMapInfo * info, GstMapFlags flags);

/* Ends @part, a job that gst_mgpu_job_begin_part() began within @job. FALSE: the error is
 * in @job. */
gboolean mgpu_end_part (GstMgpuJob * job, GstMgpuJob * part);

G_END_DECLS
