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

/* Creates a detector for frames with the format and size of @info, and builds its kernels. All
 * formats are supported. The weights of @window must outlive the object. Returns: (transfer
 * full): an object to be freed with mgpu_object_free(); NULL after an error, which is in @error */
MgpuPeople * mgpu_people_new (GstMgpuContext * context, const GstVideoInfo * info, const MgpuPeopleWindow * window,
    GError ** error);

/* Gets the levels, that is, the scaled sizes of the frame that are at least as large as a
 * detection window. There are none if the frame is smaller than the window. @levels is (out)
 * (transfer none). Returns: the number of levels */
guint mgpu_people_get_levels (MgpuPeople * self, const MgpuPeopleLevel ** levels);

/* Sets *@scores and *@hits to the sizes, in bytes, of the memories that mgpu_people_enqueue()
 * writes. */
void mgpu_people_get_sizes (MgpuPeople * self, gsize * scores, gsize * hits);

/* Enqueues the kernels that compute the scores of detection windows in the frame @in. Errors
 * stay in @job.
 * @threshold: minimum score of a hit
 * @places: the windows to score; NULL for all windows
 * @scores: written, the scores of these windows
 * @hits: written, a list of the hits */
void mgpu_people_enqueue (MgpuPeople * self, GstMgpuJob * job, gdouble threshold, const MgpuPeoplePlaces * places,
    const MgpuImage * in, GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Returns: (transfer full): the windows that the last call of mgpu_people_enqueue() scored, an array
 * of the spans of the list MGPU_PEOPLE_HITS; never changed */
GArray * mgpu_people_get_windows (MgpuPeople * self);

/* Waits for the scores and hits of mgpu_people_enqueue(), and appends a box for each hit (window
 * with a high score) to @boxes. The boxes are ordered by size, smallest first; boxes of the same
 * size are ordered from top to bottom and from left to right. @windows must be the result of
 * mgpu_people_get_windows() after that call; @threshold, @scores and @hits must be the arguments of
 * that call. Other threads may enqueue work meanwhile. Returns: FALSE after an error, which is in
 * @error */
gboolean mgpu_people_read (MgpuPeople * self, const GArray * windows, gdouble threshold, GstMgpuMemory * scores,
    GstMgpuMemory * hits, GArray * boxes, GError ** error);

G_END_DECLS
