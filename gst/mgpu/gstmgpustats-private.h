/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpustats.h"

G_BEGIN_DECLS

/* Adds the device time of the command behind event once it is complete. The
 * queue of event has profiling enabled. */
G_GNUC_INTERNAL
void gst_mgpu_stats_add_event (GstMgpuStats * stats, cl_event event);

G_END_DECLS
