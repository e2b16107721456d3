/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuqueue.h"

G_BEGIN_DECLS

typedef enum
{
  GST_MGPU_DIRECTION_UP,
  GST_MGPU_DIRECTION_DOWN,
  GST_MGPU_N_DIRECTIONS
} GstMgpuDirection;

/* The queue's companion for copies to or from the device, beside the kernels.
 * Both directions have one, because a bus carries both at once. Made when first
 * asked for.
 * Returns: (transfer none): lives as long as queue; NULL on failure */
G_GNUC_INTERNAL
cl_command_queue gst_mgpu_queue_get_transfers (GstMgpuQueue * queue,
    GstMgpuDirection direction, GError ** error);

G_END_DECLS
