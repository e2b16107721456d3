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
 * @params: a copy of the values of the properties, made when the frame arrived
 * @is_resting: the member @is_resting of GstMgpuFrame when the frame arrived
 * @is_discont: whether frames are missing before this one
 * @events: queue of the serialized events that arrived after the frame, and are pushed after it
 *
 * An input frame that is kept until enough later frames have arrived.
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
 * @n_full: number of frames that are kept while the stream runs; 0 until the first frame leaves
 * @stall: warns if upstream blocks before enough frames have arrived
 *
 * Base class of filters whose output frames depend on later input frames. Such a filter keeps
 * input frames until later ones have arrived. The latency of the element includes the kept
 * frames. On new caps, at the end of the stream and on most other serialized events, all kept
 * frames are pushed; a flush drops them.
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
 * @count: returns the number of frames that are kept if the properties have the values @params
 * @came: analyzes a frame that has just arrived, before it is appended to the queue. It may call
 *   gst_mgpu_look_ahead_drain(). Returns %FALSE with the error set on failure
 * @leaves: called before a kept frame is processed and pushed; it is now the frame on which the
 * filter works
 * @left: called after the frame was pushed; may be %NULL
 * @dropped: called after all kept frames were dropped; may be %NULL
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

/* Updates the latency of the element. Call it after a property has changed that affects the
 * number of kept frames. */
void gst_mgpu_look_ahead_update_latency (GstMgpuLookAhead * self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuLookAhead, gst_object_unref)

G_END_DECLS
