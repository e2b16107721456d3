/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpustats.h"

G_BEGIN_DECLS

/* Returns: whether the job that begins is to be timed. One that is not counts as
 * long as the last one that was. */
G_GNUC_INTERNAL
gboolean gst_mgpu_stats_begin_job (GstMgpuStats * stats, gboolean always);

/* Adds the device time of the command behind event once it is complete, and to
 * that of kernel, or of copies when that is NULL. Its queue has profiling
 * enabled. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_command (GstMgpuStats * stats, cl_event event,
    cl_kernel kernel);

/* Likewise from the start of the command behind first to the end of that behind
 * last, on one queue. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_span    (GstMgpuStats * stats, cl_event first,
    cl_event last);

G_END_DECLS
