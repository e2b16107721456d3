/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpupools.h"

G_BEGIN_DECLS

/* Whether the device can use buffer's frame as it lies. */
gboolean    gst_mgpu_import_is_ours (GstMgpuDeviceUser * user, GstBuffer * buffer);

/* Returns: (transfer full) (nullable): a buffer around buffer's system memory
 * as the device sees it, which keeps buffer; NULL where this device or this
 * address would need a copy */
GstBuffer * gst_mgpu_import_wrap    (GstMgpuDeviceUser * user, GstBuffer * buffer);

/* Returns: (transfer full) (nullable): in, or a buffer around the same bytes
 * without metadata, for a pad whose caps ask for frames on the device, or for
 * plain ones whose strides may be their own when video_meta is set; NULL where
 * that would need a copy */
GstBuffer * gst_mgpu_import_pass    (GstMgpuDeviceUser * user, GstBuffer * in,
                                     gboolean device, gboolean video_meta);

/* Maps a frame that came, for the host to read, if all of it is there. */
gboolean    gst_mgpu_import_map     (const GstVideoInfo * info, GstVideoFrame * frame,
                                     GstBuffer * buffer, GError ** error);

/* Copies a frame with the host, from whatever memory and strides to whatever
 * memory and strides. */
gboolean    gst_mgpu_import_copy    (GstMgpuDeviceUser * user, GstBuffer * in,
                                     GstBuffer * out, GError ** error);

/* Counts a copy of a frame to the device by gst_mgpu_import_copy(). */
void        gst_mgpu_import_count   (GstMgpuDeviceUser * user);

/* Returns: (transfer full) (nullable): a buffer with in's frame that the device
 * can read, in itself where possible. Give it to gst_mgpu_import_done(). */
GstBuffer * gst_mgpu_import         (GstMgpuDeviceUser * user, GstBuffer * in,
                                     GError ** error);

/* Called when the work on an imported frame is enqueued. */
void        gst_mgpu_import_done    (GstMgpuDeviceUser * user, GstBuffer * imported);

G_END_DECLS
