/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpupools.h"

G_BEGIN_DECLS

/* A guide is the second input of a filter: a request sink pad with its own chain
 * function, which keeps frames ("guides") for the filter's streaming thread. For each
 * frame of its own, that thread takes the newest guide that is not later, or the next
 * guide where one of the two streams has no timestamps; it waits for the guide, at most
 * GST_MGPU_GUIDE_WAIT. docs/architecture.md tells the special cases. */
typedef struct _GstMgpuGuide GstMgpuGuide;

/* Limits how long a frame of the filter waits for its guide, in microseconds. */
#define GST_MGPU_GUIDE_WAIT (5 * G_USEC_PER_SEC)

/* Makes a guide with its pad, and adds the pad to the element of @user. */
GstMgpuGuide * gst_mgpu_guide_new           (GstMgpuDeviceUser * user, GstPadTemplate * templ,
                                             const gchar * name);

GstMgpuGuide * gst_mgpu_guide_ref           (GstMgpuGuide * guide);
void           gst_mgpu_guide_unref         (GstMgpuGuide * guide);

/* Removes the pad from its element. A thread that waits for a frame of it goes on. */
void           gst_mgpu_guide_remove        (GstMgpuGuide * guide);

GstPad *       gst_mgpu_guide_get_pad       (GstMgpuGuide * guide);

/* Tells @guide that a flush of the filter's first input began or ended. During it
 * gst_mgpu_guide_take() returns FLUSHING, and the thread of the guide's pad waits. */
void           gst_mgpu_guide_set_flushing  (GstMgpuGuide * guide, gboolean flushing);

/* Ends the waits of the filter's and the pad's thread where @stopping is set; else allows
 * these threads to wait again. */
void           gst_mgpu_guide_set_stopping  (GstMgpuGuide * guide, gboolean stopping);

/* Tells @guide whether the filter got all its frames: then the pad takes no more guides. */
void           gst_mgpu_guide_set_done      (GstMgpuGuide * guide, gboolean done);

/* Seeks the stream of guides along with the filter's first input. Call begin_seek()
 * before the seek of that input, and end_seek() after it; @seeked says whether that seek
 * succeeded. */
void           gst_mgpu_guide_begin_seek    (GstMgpuGuide * guide, GstEvent * event);
void           gst_mgpu_guide_end_seek      (GstMgpuGuide * guide, GstEvent * event,
                                             gboolean seeked);

/* Forgets the guides, their segment and their caps. */
void           gst_mgpu_guide_reset         (GstMgpuGuide * guide);

/* Gets the guide for the running time @time, or the next guide where @time is
 * GST_CLOCK_TIME_NONE, and waits for it. The parameter @buffer is (out) (transfer full):
 * the guide, NULL when the pad was removed; @info is (out): the format of the guide.
 * Returns: FLUSHING when a flush or stop ended the wait, EOS when no guide came */
GstFlowReturn  gst_mgpu_guide_take          (GstMgpuGuide * guide, GstClockTime time,
                                             GstBuffer ** buffer, GstVideoInfo * info);

/* Drops the guides that no frame at the running time @time, or later, would take. */
void           gst_mgpu_guide_skip          (GstMgpuGuide * guide, GstClockTime time);

/* Adds the latency of the stream of guides to @query, a LATENCY query that the filter's
 * first input answered. The parameter @latency is that of the filter itself. */
void           gst_mgpu_guide_add_latency   (GstMgpuGuide * guide, GstQuery * query,
                                             GstClockTime latency);

G_END_DECLS
