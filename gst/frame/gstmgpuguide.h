/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuinput.h"

G_BEGIN_DECLS

/* A guide is the second input of a filter: a request sink pad with its own chain
 * function, which keeps guide images for the filter's streaming thread. For each frame of
 * the filter's first input, that thread takes the newest guide image that is not later
 * than the frame, or the next guide image if one of the two streams has no timestamps.
 * The thread waits for the guide image, at most GST_MGPU_GUIDE_WAIT. docs/architecture.md
 * describes the special cases.
 *
 * A guide lives as long as its filter, while its pad comes and goes. Without a pad no
 * frame has a guide image. */
typedef struct _GstMgpuGuide GstMgpuGuide;

/* Longest time for which a frame of the filter waits for its guide image, in microseconds */
#define GST_MGPU_GUIDE_WAIT (5 * G_USEC_PER_SEC)

/* Makes a guide (a second input, for guide images), without a pad so far, for the element
 * of @base. The string @name, the name of the pad, is (transfer none), and never freed. */
GstMgpuGuide * gst_mgpu_guide_new           (GstMgpuDeviceBase * base, const gchar * name);
void           gst_mgpu_guide_free          (GstMgpuGuide * guide);

/* Makes the guide pad and adds it to the element. Returns: (transfer none) (nullable):
 * the pad, NULL if the guide has a pad already */
GstPad *       gst_mgpu_guide_add_pad       (GstMgpuGuide * guide, GstPadTemplate * templ);
/* Removes the guide pad from its element. A thread that waits for a guide image of this
 * pad goes on. */
void           gst_mgpu_guide_remove_pad    (GstMgpuGuide * guide);
gboolean       gst_mgpu_guide_has_pad       (GstMgpuGuide * guide);

/* Returns: (transfer none): the GstMgpuInput of the guide pad, whose member @info is the
 * format of the guide image that was taken last; only the filter's streaming thread uses
 * it */
GstMgpuInput * gst_mgpu_guide_get_input     (GstMgpuGuide * guide);

/* If @stopping is TRUE, ends the waits of the filter's and of the guide pad's streaming
 * thread; otherwise allows these threads to wait again. */
void           gst_mgpu_guide_set_stopping  (GstMgpuGuide * guide, gboolean stopping);

/* Forgets the guide images, their segment and caps, and the last seek. */
void           gst_mgpu_guide_reset         (GstMgpuGuide * guide);

/* Reacts to @event, which the filter's first input got. During a flush of that input
 * gst_mgpu_guide_take() returns FLUSHING, and the thread of the guide's pad waits. After
 * the end of the stream of that input, the pad takes no more guide images. */
void           gst_mgpu_guide_follow        (GstMgpuGuide * guide, GstEvent * event);

/* Seeks the stream of guide images along with the filter's first input. Call begin_seek() before
 * the seek of that input, and end_seek() after it; @seeked says whether that seek succeeded. Each
 * sink downstream of the filter sends the same seek: begin_seek() returns whether @event is a new
 * seek, which has to be sent upstream. */
gboolean       gst_mgpu_guide_begin_seek    (GstMgpuGuide * guide, GstEvent * event);
void           gst_mgpu_guide_end_seek      (GstMgpuGuide * guide, GstEvent * event,
                                             gboolean seeked);

/* Waits for the guide image that belongs to the frame @in of the format @info in
 * @segment. @buffer is (out) (transfer full): the guide image, NULL if the guide has no
 * pad. Returns: FLUSHING when a flush or stop ended the wait; an error, which this
 * function posts, if the guide image and the frame differ in size, or if no guide image
 * came */
GstFlowReturn  gst_mgpu_guide_take          (GstMgpuGuide * guide, GstBuffer * in,
                                             const GstVideoInfo * info, const GstSegment * segment,
                                             GstBuffer ** buffer);
/* Drops the guide image that belongs to the frame @in, because this frame needs no guide
 * image; keeps it if later frames may need it. Dropping it lets the stream of guide images
 * go on. */
void           gst_mgpu_guide_skip          (GstMgpuGuide * guide, GstBuffer * in,
                                             const GstSegment * segment);

/* Adds the latency of the stream of guide images to @query, a LATENCY query that the
 * upstream of the filter's first input answered. */
void           gst_mgpu_guide_add_latency   (GstMgpuGuide * guide, GstQuery * query);

G_END_DECLS
