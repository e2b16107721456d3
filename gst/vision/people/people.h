/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/boxes.h>
#include <gst/vision/base/object.h>

#include "window.h"

G_BEGIN_DECLS

typedef struct _MgpuPeople MgpuPeople;

/* Makes a detector for frames with the format and size of @info, in any format, and
 * builds its kernels. The weights of @window must outlive the object.
 * Returns: (transfer full): an object to be freed with mgpu_object_free(); NULL with
 * the error set */
MgpuPeople * mgpu_people_new (GstMgpuContext * context, const GstVideoInfo * info, const MgpuPeopleWindow * window,
    GError ** error);

/* Gets the levels: the scaled sizes of the frame into which a detection window fits. A
 * frame that is smaller than the window has none. @levels is (out) (transfer none).
 * Returns: the number of levels */
guint mgpu_people_get_levels (MgpuPeople * self, const MgpuPeopleLevel ** levels);

/* Sets *scores and *hits to the sizes of the memories that mgpu_people_enqueue() writes,
 * in bytes. */
void mgpu_people_get_sizes (MgpuPeople * self, gsize * scores, gsize * hits);

/* Enqueues the kernels that write to @scores the scores of detection windows of the frame
 * @in: of the windows that @places selects, or of all windows if @places is NULL. The
 * kernels also write to @hits a list of the hits: windows whose score is at least
 * @threshold. Errors stay in @job. */
void mgpu_people_enqueue (MgpuPeople * self, GstMgpuJob * job, gdouble threshold, const MgpuPeoplePlaces * places,
    const MgpuImage * in, GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Waits for the scores and hits of mgpu_people_enqueue(), and appends to @boxes a box for
 * each hit (window with a high score): small boxes first, and boxes of one size from top
 * to bottom and from left to right. @threshold, @scores and @hits are those given to
 * mgpu_people_enqueue(). FALSE: the error is set. */
gboolean mgpu_people_read (MgpuPeople * self, gdouble threshold, GstMgpuMemory * scores, GstMgpuMemory * hits,
    GArray * boxes, GError ** error);

G_END_DECLS
