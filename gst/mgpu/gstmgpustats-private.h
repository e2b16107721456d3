/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpustats.h"

G_BEGIN_DECLS

/* Counts a job that begins. Returns: whether its time is to be measured: TRUE
 * for all jobs if @always is set, otherwise for a sample of them. Where the job
 * is not measured, adds the time of the job that was measured last. */
G_GNUC_INTERNAL
gboolean gst_mgpu_stats_begin_job (GstMgpuStats * stats, gboolean always);

/* Adds the time of a command on the device, once the command is complete, to
 * the device time and to the time of @kernel, or of copies when @kernel is
 * NULL. The parameter event is the event of the command, on a queue with
 * profiling. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_command (GstMgpuStats * stats, cl_event event,
    cl_kernel kernel);

/* Adds the time from the start of the command with the event first to the end of the
 * command with the event last, once both are complete. Both are on one queue with
 * profiling. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_span    (GstMgpuStats * stats, cl_event first,
    cl_event last);

G_END_DECLS
