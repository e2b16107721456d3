/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpucontext.h"
#include "gstmgpudevice-private.h"

G_BEGIN_DECLS

/* The context's own queue for maps, unmaps and downloads: a map then waits for
 * the work on its memory alone, and not for all that is in a job queue. */
G_GNUC_INTERNAL
cl_command_queue      gst_mgpu_context_get_transfer_queue (GstMgpuContext * context);

G_GNUC_INTERNAL
const GstMgpuDevice * gst_mgpu_context_get_device         (GstMgpuContext * context);

/* Returns the programs that the context owns, the one that was asked for last at the
 * head. Hold the lock while using them. */
G_GNUC_INTERNAL
GQueue *              gst_mgpu_context_lock_programs      (GstMgpuContext * context);

G_GNUC_INTERNAL
void                  gst_mgpu_context_unlock_programs    (GstMgpuContext * context);

G_END_DECLS
