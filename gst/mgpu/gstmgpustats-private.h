/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpustats.h"

G_BEGIN_DECLS

/* Counts a job that begins. Decides whether the job's time on the device is measured: if @always
 * is TRUE, every job is measured, otherwise only a sample of the jobs. For a job that is not
 * measured, adds the time of the last measured job to the device time. Returns: TRUE if the job
 * is to be measured */
G_GNUC_INTERNAL
gboolean gst_mgpu_stats_begin_job (GstMgpuStats * stats, gboolean always);

/* Registers a command whose time on the device is to be counted. Once the command is complete,
 * its time is added to the total device time, and to the time of @kernel, or to the time of
 * copies if @kernel is NULL. @event is the event of the command, in a command queue with
 * profiling. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_command (GstMgpuStats * stats, cl_event event,
    cl_kernel kernel);

/* Registers a sequence of commands whose time on the device is to be counted. Once they are
 * complete, the time from the start of the command of @first to the end of the command of @last
 * is added to the device time. @first and @last are events of the same command queue, which has
 * profiling enabled. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_span    (GstMgpuStats * stats, cl_event first,
    cl_event last);

G_END_DECLS
