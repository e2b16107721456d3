/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/people/people.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/* Holds the kernels with which an SVM searches its detection windows in
 * frames. */
typedef struct
{
  const MgpuPeopleWindow *window;       /* windows of the SVM; set before prepare() */
  MgpuPeople *people;
  GstMemory *scores, *hits;
} GstMgpuHogWindows;

/* Builds the kernels for frames that arrive at @input, unless they were built
 * before. Sets *has_place to TRUE when a window fits into these frames. */
gboolean gst_mgpu_hog_windows_prepare (GstMgpuHogWindows * self, GstMgpuInput * input, gboolean * has_place,
    GError ** error);
void gst_mgpu_hog_windows_unprepare (GstMgpuHogWindows * self);

/* Enqueues the search in the frame @in; errors stay in @job. */
void gst_mgpu_hog_windows_enqueue (GstMgpuHogWindows * self, GstMgpuJob * job, gdouble threshold,
    const MgpuPeoplePlaces * places, const MgpuImage * in);

/* Appends a box for each window that the enqueued search found to @boxes. */
gboolean gst_mgpu_hog_windows_read (GstMgpuHogWindows * self, gdouble threshold, GArray * boxes, GError ** error);

G_END_DECLS
