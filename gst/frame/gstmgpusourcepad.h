/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A source pad whose frames differ from those of the sink pad in format or size, for elements that
 * push more than one stream. */
#pragma once

#include "gstmgpuoutput.h"

G_BEGIN_DECLS

#define GST_TYPE_MGPU_SOURCE_PAD (gst_mgpu_source_pad_get_type ())
#define GST_MGPU_SOURCE_PAD(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_SOURCE_PAD, GstMgpuSourcePad))
#define GST_MGPU_SOURCE_PAD_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_MGPU_SOURCE_PAD, GstMgpuSourcePadClass))
#define GST_MGPU_SOURCE_PAD_GET_CLASS(obj) (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_MGPU_SOURCE_PAD, GstMgpuSourcePadClass))

typedef struct _GstMgpuSourcePad GstMgpuSourcePad;
typedef struct _GstMgpuSourcePadClass GstMgpuSourcePadClass;

/**
 * GstMgpuSourcePad:
 * @sinkpad: the sink pad of the element, whose streaming thread makes the frames
 * @stream: what is appended to the stream id of @sinkpad
 * @flow: GST_FLOW_OK if the peer takes frames (@pool is set then), otherwise the reason why it does
 *   not. It is set before the work on the frame begins
 * @output: pushes the frames of the pad
 * @pool: the pool for the pad's frames
 * @out: the pad's output frame for the current input frame; NULL: none
 *
 * Only the streaming thread of @sinkpad uses these members, except the members of @output that have
 * locks.
 */
struct _GstMgpuSourcePad
{
  GstPad parent;

  GstPad *sinkpad;
  gchar *stream;
  GstFlowReturn flow;
  GstMgpuOutput output;
  GstBufferPool *pool;
  GstBuffer *out;
};

/**
 * GstMgpuSourcePadClass:
 * @make_caps: returns (transfer full) (nullable) the caps of the pad's frames in system memory; NULL
 *   as long as the format of the input is not known
 */
struct _GstMgpuSourcePadClass
{
  GstPadClass parent_class;

  GstCaps *(*make_caps) (GstMgpuSourcePad * self);
};

GType gst_mgpu_source_pad_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuSourcePad, gst_object_unref)

/* Completes a new pad. @base: the device of the element, whose frames arrive at @sinkpad. @base and
 * @sinkpad have to outlive the streams of the pad. @stream (transfer full): appended to the stream
 * id */
void          gst_mgpu_source_pad_set_up      (GstMgpuSourcePad * self, GstMgpuDeviceBase * base,
                                               GstPad * sinkpad, gchar * stream);

/* Only the streaming thread of @sinkpad may call the functions below. */

/* Begins the stream of the pad: pushes a STREAM_START event. The stream id in this event is derived
 * from the stream id in @stream_start, the event of the sink pad. */
void          gst_mgpu_source_pad_start       (GstMgpuSourcePad * self, GstEvent * stream_start);
/* Begins the stream of a pad that was requested after it had begun at the sink pad: pushes the
 * sticky events that have arrived there so far. */
void          gst_mgpu_source_pad_catch_up    (GstMgpuSourcePad * self);
/* Pushes the caps of the pad, asks its peer for a buffer pool, and sets the member @flow. Posts an
 * error message on failure. */
void          gst_mgpu_source_pad_negotiate   (GstMgpuSourcePad * self);
/* Decides whether the pad pushes a frame for the current input frame. A pad that is linked after
 * this call pushes its first frame for the next input frame. */
void          gst_mgpu_source_pad_begin_frame (GstMgpuSourcePad * self);

/* Drops the frames in flight and the buffer pool. Call it when the pad is not active. */
void          gst_mgpu_source_pad_reset       (GstMgpuSourcePad * self);

G_END_DECLS
