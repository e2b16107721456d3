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
 * Watches an element that keeps frames until later ones have arrived. If none arrive because
 * upstream is blocked in another branch, posts a warning that says which queue in that branch is
 * too small.
 */
typedef struct
{
  GstElement *element;
  GstPad *pad;                  /* the pad to which the frames come */

  GMutex lock;                  /* guards the members below */
  GstClockID id;                /* next inspection of the stream; NULL if none is due */
  GstClockTime last;            /* when the last frame came, by the system clock, in ns */
  GstClockTime patience;        /* time without a frame after which upstream counts as
                                 * blocked, in ns */
  GstClockTime duration;        /* duration of a frame, in ns; 0 if unknown */
  guint n_missing;              /* number of frames that have to arrive before one leaves */
  gboolean is_waiting;          /* whether the element still waits for frames */
} GstMgpuStall;

/* Prepares @self for the sink pad @pad of @element; both outlive it. */
void gst_mgpu_stall_init   (GstMgpuStall * self, GstElement * element, GstPad * pad);
void gst_mgpu_stall_clear  (GstMgpuStall * self);

/* Notes that a frame has come, and that @n_missing more, of the duration @duration in ns or
 * 0, have to come before one leaves. If none comes within @patience, in ns, a warning is
 * posted, once; in another thread. */
void gst_mgpu_stall_expect (GstMgpuStall * self, guint n_missing, GstClockTime duration, GstClockTime patience);
/* Notes that no frame is awaited any more. */
void gst_mgpu_stall_end    (GstMgpuStall * self);

G_END_DECLS
