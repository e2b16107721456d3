/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpucontext.h"
#include "gstmgpudevice-private.h"
#include <gst/mgpu/interop/gstmgpuimporter-private.h>

G_BEGIN_DECLS

/* Returns: (transfer none): the command queue that the context uses only for maps and unmaps of
 * buffers. A map on a queue of jobs would wait for all commands of that queue; a map on this queue
 * waits only for the commands that use the buffer's memory */
G_GNUC_INTERNAL
cl_command_queue      gst_mgpu_context_get_transfer_queue (GstMgpuContext * context);

G_GNUC_INTERNAL
const GstMgpuDevice * gst_mgpu_context_get_device         (GstMgpuContext * context);

/* Returns: (transfer none): the driver's functions for importing memory into the OpenCL
 * context */
G_GNUC_INTERNAL
GstMgpuImporter *     gst_mgpu_context_get_importer       (GstMgpuContext * context);

/* Locks the list of the programs that the context owns, until
 * gst_mgpu_context_unlock_programs(). Returns: the list, whose head is the program that
 * was requested last */
G_GNUC_INTERNAL
GQueue *              gst_mgpu_context_lock_programs      (GstMgpuContext * context);

G_GNUC_INTERNAL
void                  gst_mgpu_context_unlock_programs    (GstMgpuContext * context);

/* Returns: (transfer full) (nullable): a new context on the same device as @context; NULL
 * with @error on failure */
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
