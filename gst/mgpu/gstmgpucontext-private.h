/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpucontext.h"
#include "gstmgpudevice-private.h"
#include <gst/mgpu/interop/gstmgpuimporter-private.h>

G_BEGIN_DECLS

/* Returns the context's own command queue for maps and unmaps of buffers. A map on this
 * queue waits only for the commands that use the buffer's memory, and not for all
 * commands of a job queue. */
G_GNUC_INTERNAL
cl_command_queue      gst_mgpu_context_get_transfer_queue (GstMgpuContext * context);

G_GNUC_INTERNAL
const GstMgpuDevice * gst_mgpu_context_get_device         (GstMgpuContext * context);

/* Returns the functions with which the driver of the OpenCL context imports memories. */
G_GNUC_INTERNAL
GstMgpuImporter *     gst_mgpu_context_get_importer       (GstMgpuContext * context);

/* Locks and returns the list of programs that the context owns, the most recently
 * requested program at the head. Call gst_mgpu_context_unlock_programs() when done. */
G_GNUC_INTERNAL
GQueue *              gst_mgpu_context_lock_programs      (GstMgpuContext * context);

G_GNUC_INTERNAL
void                  gst_mgpu_context_unlock_programs    (GstMgpuContext * context);

/* Returns: (transfer full) (nullable): a new context of the device of @context; NULL with
 * @error on failure */
G_GNUC_INTERNAL
GstMgpuContext *      gst_mgpu_context_new_beside         (GstMgpuContext * context,
                                                           GError        ** error);

/* Returns: the number of GstMgpuQueue objects of @context */
G_GNUC_INTERNAL
guint                 gst_mgpu_context_get_n_queues       (GstMgpuContext * context);

G_GNUC_INTERNAL
void                  gst_mgpu_context_add_queues         (GstMgpuContext * context,
                                                           gint             n);

/* Emits the signal "building" of @context. Call it without holding a lock. */
G_GNUC_INTERNAL
void                  gst_mgpu_context_tell_building      (GstMgpuContext * context,
                                                           const gchar    * program,
                                                           guint            built,
                                                           guint            total);

G_END_DECLS
