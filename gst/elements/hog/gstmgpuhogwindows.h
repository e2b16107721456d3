/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/people/people.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/* The kernels that search frames for the detection windows of an SVM. */
typedef struct
{
  const MgpuPeopleWindow *window;       /* detection window of the SVM; set before the
                                         * kernels are built */
  MgpuPeople *people;
  GstMemory *scores, *hits;
} GstMgpuHogWindows;

/* Builds the search kernels for frames that arrive at @input, unless this was done before.
 * Sets *@has_place to whether a detection window fits into these frames. */
gboolean gst_mgpu_hog_windows_prepare (GstMgpuHogWindows * self, GstMgpuInput * input, gboolean * has_place,
    GError ** error);
void gst_mgpu_hog_windows_unprepare (GstMgpuHogWindows * self);

/* Enqueues the search of the frame @in for objects; errors stay in @job. */
void gst_mgpu_hog_windows_enqueue (GstMgpuHogWindows * self, GstMgpuJob * job, gdouble threshold,
    const MgpuPeoplePlaces * places, const MgpuImage * in);

/* Appends a box to @boxes for each window in which the enqueued search has found an
 * object. */
gboolean gst_mgpu_hog_windows_read (GstMgpuHogWindows * self, gdouble threshold, GArray * boxes, GError ** error);

G_END_DECLS
