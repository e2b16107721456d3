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
 * @info: the format of the frames that arrive
 *
 * Makes the frames of one sink pad accessible to the device.
 */
typedef struct
{
  GstMgpuDeviceBase *base;
  GstVideoInfo info;

  GstBufferPool *pool;          /* pool of buffers for copies of frames; NULL until a copy
                                 * is needed */
  gboolean warned_foreign;
  gint warned_format;           /* atomic: whether a warning named a format that was refused */
  const gchar *what;            /* what arrives, for the log: "frame" or the name of a guide pad;
                                 * a static string */
  const gchar *last;            /* how the last frame was made accessible to the device, for the
                                 * log; a static string; NULL before the first frame */
} GstMgpuInput;

void            gst_mgpu_input_init     (GstMgpuInput * self, GstMgpuDeviceBase * base);
/* Drops the buffer pool; call it when the element stops, or moves to another OpenCL
 * context. */
void            gst_mgpu_input_reset    (GstMgpuInput * self);

/* Set the member @info of @self, to @info or to the format that @caps describe. */
void            gst_mgpu_input_set_info (GstMgpuInput * self, const GstVideoInfo * info);
gboolean        gst_mgpu_input_set_caps (GstMgpuInput * self, GstCaps * caps, GError ** error);

/* Posts a warning, once, if @query asks whether @pad, a sink pad, accepts caps, and @pad accepts no
 * frames of their format. The element before @pad then ends the stream with an error that does not
 * name the format. */
void            gst_mgpu_input_look_at_query (GstMgpuInput * self, GstPad * pad, GstQuery * query);

/* Checks whether the frame in @buffer is in memory of the element's context, in a layout that
 * kernels can use. Sets @image to the frame if it is. Returns: whether it is */
gboolean        gst_mgpu_input_is_ours  (GstMgpuInput * self, GstBuffer * buffer, MgpuImage * image);

/* Makes the frame of @in accessible to the device, and sets @image to the result: the frame
 * itself if possible, otherwise a wrapped or copied frame. Returns: (transfer full) (nullable):
 * the buffer of this frame, to be passed to gst_mgpu_input_done() */
GstBuffer *     gst_mgpu_input_import   (GstMgpuInput * self, GstBuffer * in, MgpuImage * image,
                                         GError ** error);
/* Makes sure that the frame in @in (transfer full) can be kept while later frames arrive. If
 * upstream may run short of the frame's memory, copies the frame to the device, without its
 * metadata. If @for_device is TRUE, also copies a frame that would otherwise be uploaded each
 * time it is processed. Returns: (transfer full) (nullable): @in, or the copy */
GstBuffer *     gst_mgpu_input_keep     (GstMgpuInput * self, GstBuffer * in, gboolean for_device,
                                         GError ** error);
/* Releases @imported, a buffer from gst_mgpu_input_import(). Call it when the work on the frame
 * is enqueued. If the frame lies in upstream's memory, waits until the device has read it. */
void            gst_mgpu_input_done     (GstMgpuInput * self, GstBuffer * imported);

/* Finds a buffer in which the frame of the buffer @in can be pushed downstream without a copy. If
 * @device is TRUE, the frame must be in device memory. If @video_meta is FALSE, the frame must
 * have the default strides. Returns: (transfer full) (nullable): @in, or a new buffer with the
 * same bytes but no metadata; NULL if the frame has to be copied */
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
