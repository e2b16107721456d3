/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpupools.h"

G_BEGIN_DECLS

/**
 * GstMgpuInput:
 * @user: the device of the element
 * @info: the format of frames that arrive
 *
 * Keeps what the frames of one sink pad need to reach the device.
 */
typedef struct
{
  GstMgpuDeviceUser *user;
  GstVideoInfo info;

  /*< private >*/
  GstBufferPool *pool;          /* pool for copies of frames; NULL until one is needed */
  gboolean said_foreign;
} GstMgpuInput;

void            gst_mgpu_input_init     (GstMgpuInput * self, GstMgpuDeviceUser * user);
/* Drops the pool; call it when the element stops, or moves to another context. */
void            gst_mgpu_input_reset    (GstMgpuInput * self);

/* Sets the member info to @info, or to the format that @caps describe. */
void            gst_mgpu_input_set_info (GstMgpuInput * self, const GstVideoInfo * info);
gboolean        gst_mgpu_input_set_caps (GstMgpuInput * self, GstCaps * caps, GError ** error);

/* Returns: whether the frame in @buffer is in memory of the element's context,
 * in a layout that kernels can use; if so, sets @image to the frame */
gboolean        gst_mgpu_input_is_ours  (GstMgpuInput * self, GstBuffer * buffer, MgpuImage * image);

/* Sets @image to the frame of @in on the device: the frame of @in itself where
 * possible, otherwise a wrapped or copied frame. Returns: (transfer full)
 * (nullable): the buffer of that frame; pass it to gst_mgpu_input_done() in the
 * end */
GstBuffer *     gst_mgpu_input_import   (GstMgpuInput * self, GstBuffer * in, MgpuImage * image,
                                         GError ** error);
/* Makes sure that the frame in @in, (transfer full), can be kept while other
 * frames come: a frame in memory that upstream may be short of is copied,
 * without its metadata. Returns: (transfer full) (nullable): @in, or the
 * copy */
GstBuffer *     gst_mgpu_input_keep     (GstMgpuInput * self, GstBuffer * in, GError ** error);
/* Frees @imported, a buffer of gst_mgpu_input_import(); call it when the work on that frame
 * is enqueued. Waits for the device where the frame is in upstream's memory. */
void            gst_mgpu_input_done     (GstMgpuInput * self, GstBuffer * imported);

/* Finds a buffer with which the frame in the buffer @in can leave without a
 * copy: on the device where @device is set; else in any memory, where
 * @video_meta is not set, with the default strides only. Returns: (transfer
 * full) (nullable): @in, or a new buffer with the same bytes but no metadata;
 * NULL where the frame has to be copied */
GstBuffer *     gst_mgpu_input_pass     (GstMgpuInput * self, GstBuffer * in, gboolean device,
                                         gboolean video_meta);

/* Copies a frame on the host. Both buffers may have any kind of memory and any strides. If
 * @uploads is set, the copy counts as an upload of the element. */
gboolean        gst_mgpu_input_copy     (GstMgpuInput * self, GstBuffer * in, GstBuffer * out,
                                         gboolean uploads, GError ** error);

/* Maps the frame in @buffer, of the format @info, for the host to read. Fails if @buffer
 * lacks a part of the frame. */
gboolean        gst_mgpu_input_map      (const GstVideoInfo * info, GstVideoFrame * frame,
                                         GstBuffer * buffer, GError ** error);

G_END_DECLS
