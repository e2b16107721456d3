/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpupools.h"

G_BEGIN_DECLS

/**
 * GstMgpuInput:
 * @base: the device of the element
 * @info: the format of frames that arrive
 *
 * Brings the frames of one sink pad to the device.
 */
typedef struct
{
  GstMgpuDeviceBase *base;
  GstVideoInfo info;

  GstBufferPool *pool;          /* pool of buffers for copies of frames; NULL until a copy
                                 * is needed */
  gboolean warned_foreign;
  const gchar *what;            /* what arrives (frames or guide images), for the log: a static
                                 * string */
  const gchar *last;            /* how the last frame came to the device, for the log: a static
                                 * string; NULL before the first frame */
} GstMgpuInput;

void            gst_mgpu_input_init     (GstMgpuInput * self, GstMgpuDeviceBase * base);
/* Drops the buffer pool; call it when the element stops, or moves to another OpenCL
 * context. */
void            gst_mgpu_input_reset    (GstMgpuInput * self);

/* Set the member @info of @self: to @info, or to the format that @caps describe. */
void            gst_mgpu_input_set_info (GstMgpuInput * self, const GstVideoInfo * info);
gboolean        gst_mgpu_input_set_caps (GstMgpuInput * self, GstCaps * caps, GError ** error);

/* Returns: whether the frame in @buffer is in memory of the element's context,
 * in a layout that kernels can use; if so, sets @image to the frame */
gboolean        gst_mgpu_input_is_ours  (GstMgpuInput * self, GstBuffer * buffer, MgpuImage * image);

/* Sets @image to the frame of @in on the device: the frame of @in itself if possible,
 * otherwise a wrapped or copied frame. Returns: (transfer full) (nullable): the buffer of
 * that frame; pass it to gst_mgpu_input_done() in the end */
GstBuffer *     gst_mgpu_input_import   (GstMgpuInput * self, GstBuffer * in, MgpuImage * image,
                                         GError ** error);
/* Makes sure that the frame in @in, (transfer full), can be kept while later frames arrive: if
 * upstream may run short of the frame's memory, copies the frame to the device, without its
 * metadata. If @for_device is TRUE, also copies a frame that would otherwise be uploaded each time
 * the device reads it. Returns: (transfer full) (nullable): @in, or the copy */
GstBuffer *     gst_mgpu_input_keep     (GstMgpuInput * self, GstBuffer * in, gboolean for_device,
                                         GError ** error);
/* Frees @imported, a buffer of gst_mgpu_input_import(); call it when the work on that
 * frame is enqueued. If the frame lies in upstream's memory, waits until the device is
 * done with it. */
void            gst_mgpu_input_done     (GstMgpuInput * self, GstBuffer * imported);

/* Finds a buffer in which the frame of the buffer @in can be pushed downstream without a copy. If
 * @device is TRUE, the frame must be in memory of the device; if @video_meta is FALSE,
 * the frame must have the default strides. Returns: (transfer full) (nullable): @in, or a
 * new buffer with the same bytes but no metadata; NULL if the frame has to be copied */
GstBuffer *     gst_mgpu_input_pass     (GstMgpuInput * self, GstBuffer * in, gboolean device,
                                         gboolean video_meta);

/* Copies the frame in @in to @out on the host. Both buffers may have any kind of memory and any
 * strides. If @uploads is TRUE, the copy counts as an upload of the element. */
gboolean        gst_mgpu_input_copy     (GstMgpuInput * self, GstBuffer * in, GstBuffer * out,
                                         gboolean uploads, GError ** error);

/* Maps the frame in @buffer, of the format @info, for the host to read. Fails if @buffer
 * lacks a part of the frame. */
gboolean        gst_mgpu_input_map      (const GstVideoInfo * info, GstVideoFrame * frame,
                                         GstBuffer * buffer, GError ** error);

G_END_DECLS
