/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpupools.h"

G_BEGIN_DECLS

/* Returns: whether the frame in @buffer is in memory of @user's OpenCL context, in a layout
 * that kernels can use */
gboolean    gst_mgpu_import_is_ours (GstMgpuDeviceUser * user, GstBuffer * buffer);

/* Makes buffer's system memory visible to the device without a copy.
 * Returns: (transfer full) (nullable): a buffer with that memory, which holds a reference
 * to buffer; NULL where the device or the address of the memory calls for a copy */
GstBuffer * gst_mgpu_import_wrap    (GstMgpuDeviceUser * user, GstBuffer * buffer);

/* Finds a buffer with which the frame in the buffer @in can leave without a copy: on the
 * device where @device is set; else in any memory, with other strides than the default ones
 * only where @video_meta is set.
 * Returns: (transfer full) (nullable): @in, or a new buffer with the same bytes but no
 * metadata; NULL where the frame has to be copied */
GstBuffer * gst_mgpu_import_pass    (GstMgpuDeviceUser * user, GstBuffer * in,
                                     gboolean device, gboolean video_meta);

/* Maps the frame in @buffer, of the format @info, for the host to read. Fails if @buffer
 * lacks a part of the frame. */
gboolean    gst_mgpu_import_map     (const GstVideoInfo * info, GstVideoFrame * frame,
                                     GstBuffer * buffer, GError ** error);

/* Copies a frame on the host. Both buffers may have any kind of memory and any strides. */
gboolean    gst_mgpu_import_copy    (GstMgpuDeviceUser * user, GstBuffer * in,
                                     GstBuffer * out, GError ** error);

/* Counts an upload in user's statistics, after gst_mgpu_import_copy() copied a frame to
 * memory of the device. */
void        gst_mgpu_import_count   (GstMgpuDeviceUser * user);

/* Returns: (transfer full) (nullable): a buffer with the frame of @in that the device can
 * read: @in itself where possible, else a wrapped or copied one. Pass the buffer to
 * gst_mgpu_import_done() in the end. */
GstBuffer * gst_mgpu_import         (GstMgpuDeviceUser * user, GstBuffer * in,
                                     GError ** error);

/* Frees @imported, a buffer of gst_mgpu_import(); call it when the work on that frame is
 * enqueued. Waits for the device where the frame is in upstream's memory. */
void        gst_mgpu_import_done    (GstMgpuDeviceUser * user, GstBuffer * imported);

G_END_DECLS
