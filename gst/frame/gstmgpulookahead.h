/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpufilter.h"
#include "gstmgpustall.h"

G_BEGIN_DECLS

#define GST_TYPE_MGPU_LOOK_AHEAD (gst_mgpu_look_ahead_get_type ())
#define GST_MGPU_LOOK_AHEAD(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_LOOK_AHEAD, GstMgpuLookAhead))
#define GST_MGPU_LOOK_AHEAD_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_MGPU_LOOK_AHEAD, GstMgpuLookAheadClass))
#define GST_MGPU_LOOK_AHEAD_GET_CLASS(obj) (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_MGPU_LOOK_AHEAD, GstMgpuLookAheadClass))

/**
 * GstMgpuHeldFrame:
 * @buffer: the input frame
 * @guide: the guide image of the frame; %NULL if it has none
 * @params: a copy of the values of the properties, made when the frame came
 * @is_resting: the member of GstMgpuFrame, as it was when the frame came
 * @is_discont: whether frames are missing before this one
 * @events: queue of the serialized events that came after the frame and leave after it
 *
 * Holds an input frame that is kept until enough later frames have come.
 */
typedef struct
{
  GstBuffer *buffer, *guide;
  gpointer params;
  gboolean is_resting, is_discont;
  GQueue events;
} GstMgpuHeldFrame;

/**
 * GstMgpuLookAhead:
 * @held: queue of GstMgpuHeldFrame, the input frames that are kept, oldest first
 * @is_discont: whether frames are missing before the next input frame
 * @n_full: number of frames that are kept once frames leave regularly; 0 until enough frames have
 *   arrived for the first one to leave
 * @stall: warns if upstream blocks before that many frames have arrived
 *
 * Base class of filters that keep input frames until later ones have arrived, because an output
 * frame depends on later input frames. The latency of the element includes the kept frames. New
 * caps, the end of the stream and most other serialized events push all kept frames; a flush drops
 * them.
 */
typedef struct
{
  GstMgpuFilter parent;

  GQueue held;
  gboolean is_discont;
  guint n_full;
  GstMgpuStall stall;
} GstMgpuLookAhead;

/**
 * GstMgpuLookAheadClass:
 * @count: returns how many frames are kept if the properties have the values @params
 * @came: analyses a frame that has just arrived, before it is appended to the queue; may call
 *   gst_mgpu_look_ahead_drain(). Returns %FALSE with the error set
 * @leaves: called when a frame is about to leave, as the frame that the filter works on
 * @left: called when the frame has left; may be %NULL
 * @dropped: called when all frames that are kept were dropped; may be %NULL
 */
typedef struct
{
  GstMgpuFilterClass parent_class;

  guint    (*count)   (gconstpointer params);
  gboolean (*came)    (GstMgpuLookAhead * self, const GstMgpuHeldFrame * frame, GError ** error);
  void     (*leaves)  (GstMgpuLookAhead * self, const GstMgpuHeldFrame * frame);
  void     (*left)    (GstMgpuLookAhead * self);
  void     (*dropped) (GstMgpuLookAhead * self);
} GstMgpuLookAheadClass;

GType gst_mgpu_look_ahead_get_type (void);

/* Processes and pushes all kept frames, with their events. */
void gst_mgpu_look_ahead_drain (GstMgpuLookAhead * self);

/* Updates the latency of the element; call it when a property has changed on which the number of
 * frames that are kept depends. */
void gst_mgpu_look_ahead_update_latency (GstMgpuLookAhead * self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuLookAhead, gst_object_unref)

G_END_DECLS
