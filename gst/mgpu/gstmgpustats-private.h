/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpustats.h"

G_BEGIN_DECLS

/* Counts a job that begins. Returns: whether the job's time on the device is to be measured:
 * always TRUE if @always is TRUE, otherwise TRUE for a sample of the jobs. If the job is not
 * measured, adds the time of the last measured job to the device time */
G_GNUC_INTERNAL
gboolean gst_mgpu_stats_begin_job (GstMgpuStats * stats, gboolean always);

/* Adds the time that a command took on the device, once the command is complete, to the total
 * device time and to the time recorded for @kernel, or to the time recorded for copies if @kernel
 * is NULL. @event is the event of the command, on a command queue with profiling. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_command (GstMgpuStats * stats, cl_event event,
    cl_kernel kernel);

/* Adds the time from the start of the command with the event @first to the end of the
 * command with the event @last to the device time, once both commands are complete. Both
 * are in one command queue with profiling. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_span    (GstMgpuStats * stats, cl_event first,
    cl_event last);

G_END_DECLS
