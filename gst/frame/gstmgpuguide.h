/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuinput.h"

G_BEGIN_DECLS

/* A guide is the second input of a filter: a request sink pad whose chain function keeps guide
 * images for the filter's streaming thread. For each frame of the filter's first input, the
 * filter's thread takes the newest guide image that is not later than the frame. If one of the
 * two streams has no timestamps, it takes the next guide image. It waits for the guide image, at
 * most GST_MGPU_GUIDE_WAIT. docs/architecture.md describes the special cases.
 *
 * A guide exists as long as its filter. Its pad is requested and released by the application.
 * Without a pad, no frame has a guide image. */
typedef struct _GstMgpuGuide GstMgpuGuide;

/* Maximum time for which a frame of the filter waits for its guide image, in microseconds */
#define GST_MGPU_GUIDE_WAIT (5 * G_USEC_PER_SEC)

/* Makes a guide for the element of @base. The guide has no pad at first. @name (transfer none) is
 * the name of its pad, a string that is never freed. */
GstMgpuGuide * gst_mgpu_guide_new           (GstMgpuDeviceBase * base, const gchar * name);
void           gst_mgpu_guide_free          (GstMgpuGuide * guide);

/* Makes the guide pad and adds it to the element. Returns: (transfer none) (nullable): the pad;
 * NULL if the guide already has a pad */
GstPad *       gst_mgpu_guide_add_pad       (GstMgpuGuide * guide, GstPadTemplate * templ);
/* Removes the guide pad from its element. Ends the wait of a thread that waits for a guide image
 * of this pad. */
void           gst_mgpu_guide_remove_pad    (GstMgpuGuide * guide);
gboolean       gst_mgpu_guide_has_pad       (GstMgpuGuide * guide);

/* Returns: (transfer none): the GstMgpuInput of the guide pad, for the filter's streaming thread
 * only. Its member @info is the format of the guide image that was taken last */
GstMgpuInput * gst_mgpu_guide_get_input     (GstMgpuGuide * guide);

/* If @stopping is TRUE, ends the waits of the filter's and of the guide pad's streaming
 * thread; otherwise allows these threads to wait again. */
void           gst_mgpu_guide_set_stopping  (GstMgpuGuide * guide, gboolean stopping);

/* Forgets the guide images, their segment and caps, and the last seek. */
void           gst_mgpu_guide_reset         (GstMgpuGuide * guide);

/* Follows @event, which has arrived at the filter's first input. During a flush of that input,
 * gst_mgpu_guide_take() returns FLUSHING, and the thread of the guide pad waits. After EOS at
 * that input, the guide pad refuses guide images. */
void           gst_mgpu_guide_follow        (GstMgpuGuide * guide, GstEvent * event);

/* Both functions seek the stream of guide images together with the filter's first input. Call
 * begin_seek() before the seek of that input, and end_seek() after it. @seeked tells whether the
 * seek of that input succeeded. Each sink downstream of the filter sends the same seek:
 * begin_seek() returns TRUE if @event is a new seek, which has to be sent upstream. */
gboolean       gst_mgpu_guide_begin_seek    (GstMgpuGuide * guide, GstEvent * event);
void           gst_mgpu_guide_end_seek      (GstMgpuGuide * guide, GstEvent * event,
                                             gboolean seeked);

/* Waits for the guide image of the frame @in, which has the format @info and belongs to @segment.
 * @buffer (out) (transfer full) is set to the guide image, or to NULL if the guide has no pad.
 * Returns: GST_FLOW_OK; FLUSHING if a flush or stop ended the wait; an error, which was posted,
 * if the guide image and the frame differ in size, or if no guide image arrived */
GstFlowReturn  gst_mgpu_guide_take          (GstMgpuGuide * guide, GstBuffer * in,
                                             const GstVideoInfo * info, const GstSegment * segment,
                                             GstBuffer ** buffer);
/* Skips the guide image of the frame @in, because this frame needs none. Drops the image, so that
 * the stream of guide images continues, unless later frames may need it. */
void           gst_mgpu_guide_skip          (GstMgpuGuide * guide, GstBuffer * in,
                                             const GstSegment * segment);

/* Adds the latency of the stream of guide images to @query, a LATENCY query that was answered by
 * the upstream of the filter's first input. */
void           gst_mgpu_guide_add_latency   (GstMgpuGuide * guide, GstQuery * query);

G_END_DECLS
