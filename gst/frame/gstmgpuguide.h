/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuinput.h"

G_BEGIN_DECLS

/* A guide is the second input of a filter: a request sink pad with its own
 * chain function, which keeps frames ("guides") for the filter's streaming
 * thread. For each frame of its own, that thread takes the newest guide that is
 * not later, or the next guide where one of the two streams has no timestamps;
 * the thread waits for the guide, at most GST_MGPU_GUIDE_WAIT.
 * docs/architecture.md describes the special cases.
 *
 * A guide lives as long as its filter, while the pad comes and goes. Without a
 * pad no frame has a guide. */
typedef struct _GstMgpuGuide GstMgpuGuide;

/* Limits how long a frame of the filter waits for its guide, in microseconds. */
#define GST_MGPU_GUIDE_WAIT (5 * G_USEC_PER_SEC)

/* Makes a guide, without a pad so far, for the element of @user. The name of the pad is
 * (transfer none), and never freed. */
GstMgpuGuide * gst_mgpu_guide_new           (GstMgpuDeviceUser * user, const gchar * name);
void           gst_mgpu_guide_free          (GstMgpuGuide * guide);

/* Makes the pad and adds it to the element. Returns: (transfer none) (nullable): the pad,
 * NULL where there is one already */
GstPad *       gst_mgpu_guide_add_pad       (GstMgpuGuide * guide, GstPadTemplate * templ);
/* Removes the pad from its element. A thread that waits for a frame of this pad
 * goes on. */
void           gst_mgpu_guide_remove_pad    (GstMgpuGuide * guide);
gboolean       gst_mgpu_guide_has_pad       (GstMgpuGuide * guide);

/* Returns: (transfer none): the input of the pad, whose member info is the format of the
 * guide that was taken last; only the filter's streaming thread uses it */
GstMgpuInput * gst_mgpu_guide_get_input     (GstMgpuGuide * guide);

/* Ends the waits of the filter's and the pad's thread where @stopping is set; else allows
 * these threads to wait again. */
void           gst_mgpu_guide_set_stopping  (GstMgpuGuide * guide, gboolean stopping);

/* Forgets the guides, their segment, their caps and the last seek. */
void           gst_mgpu_guide_reset         (GstMgpuGuide * guide);

/* Reacts to @event, which the filter's first input got. During a flush of that
 * input gst_mgpu_guide_take() returns FLUSHING, and the thread of the guide's
 * pad waits. After the end of the stream of that input, the pad takes no more
 * guides. */
void           gst_mgpu_guide_follow        (GstMgpuGuide * guide, GstEvent * event);

/* Seeks the stream of guides along with the filter's first input. Call
 * begin_seek() before the seek of that input, and end_seek() after it; @seeked
 * says whether that seek succeeded. Each sink behind the filter sends the same
 * seek: begin_seek() returns whether @event is a new seek, which has to be
 * sent. */
gboolean       gst_mgpu_guide_begin_seek    (GstMgpuGuide * guide, GstEvent * event);
void           gst_mgpu_guide_end_seek      (GstMgpuGuide * guide, GstEvent * event,
                                             gboolean seeked);

/* Gets the guide for the frame @in of the format @info, which lies in @segment,
 * and waits for it. The parameter @buffer is (out) (transfer full): the guide,
 * NULL where there is no pad. Returns: FLUSHING when a flush or stop ended the
 * wait; an error, which this function posts, where the guide and the frame
 * differ in size, or where no guide came */
GstFlowReturn  gst_mgpu_guide_take          (GstMgpuGuide * guide, GstBuffer * in,
                                             const GstVideoInfo * info, const GstSegment * segment,
                                             GstBuffer ** buffer);
/* Drops the guide of the frame @in, which needs no guide, unless later frames
 * may take the same guide. So the stream of guides goes on. */
void           gst_mgpu_guide_skip          (GstMgpuGuide * guide, GstBuffer * in,
                                             const GstSegment * segment);

/* Adds the latency of the stream of guides to @query, a LATENCY query that the upstream of
 * the filter's first input answered. */
void           gst_mgpu_guide_add_latency   (GstMgpuGuide * guide, GstQuery * query);

G_END_DECLS
