/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpustats.h"

G_BEGIN_DECLS

/* Adds the device time of the command behind event once it is complete: of
 * kernel, or of a copy when that is NULL. The queue of event has profiling
 * enabled. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_command (GstMgpuStats * stats, cl_event event,
    cl_kernel kernel);

G_END_DECLS
