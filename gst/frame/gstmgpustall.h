/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstMgpuStall:
 *
 * Watches an element that keeps frames until later ones have arrived. If no frames arrive
 * because upstream is blocked by another branch, posts a warning that names the queue in that
 * branch that is too small.
 */
typedef struct
{
  GstElement *element;
  GstPad *pad;                  /* the pad at which the frames arrive */

  GMutex lock;                  /* guards the members below */
  GstClockID id;                /* next inspection of the stream; NULL if none is due */
  GstClockTime last;            /* time of the system clock when the last frame arrived, in ns */
  GstClockTime patience;        /* time without a frame after which upstream counts as
                                 * blocked, in ns */
  GstClockTime duration;        /* duration of a frame, in ns; 0 if unknown */
  guint n_missing;              /* number of frames that have to arrive before one is pushed */
  gboolean is_waiting;          /* whether the element still waits for frames */
} GstMgpuStall;

/* Initializes @self for the sink pad @pad of @element. @pad and @element have to outlive @self. */
void gst_mgpu_stall_init   (GstMgpuStall * self, GstElement * element, GstPad * pad);
void gst_mgpu_stall_clear  (GstMgpuStall * self);

/* Records that a frame has arrived, and that @n_missing more frames have to arrive before one is
 * pushed. @duration: duration of a frame in ns; 0 if unknown. If no frame arrives within
 * @patience ns, a warning is posted once, in another thread. */
void gst_mgpu_stall_expect (GstMgpuStall * self, guint n_missing, GstClockTime duration, GstClockTime patience);
/* Records that the element no longer waits for frames. */
void gst_mgpu_stall_end    (GstMgpuStall * self);

G_END_DECLS
