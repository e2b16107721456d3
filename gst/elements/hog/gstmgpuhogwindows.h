/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/people/people.h>

#include "gstmgpuhoghits.h"

G_BEGIN_DECLS

/* The kernels that search frames for the detection windows of an SVM. */
typedef struct
{
  const MgpuPeopleWindow *window;       /* detection window of the SVM; set before the
                                         * kernels are built */
  MgpuPeople *people;
  GstMgpuHogPools pools;
} GstMgpuHogWindows;

/* A search in one frame, from the time when it is enqueued until its results are read. Zero the
 * struct before its first use. */
typedef struct
{
  GArray *windows;              /* see mgpu_people_get_windows() */
  gdouble threshold;
  GstMgpuHogHits hits;
} GstMgpuHogWindowsSearch;

/* Builds the search kernels for frames that arrive at @input, unless this was done before.
 * Sets *@has_place to whether a detection window fits into these frames. */
gboolean gst_mgpu_hog_windows_prepare (GstMgpuHogWindows * self, GstMgpuInput * input, gboolean * has_place,
    GError ** error);
void gst_mgpu_hog_windows_unprepare (GstMgpuHogWindows * self);

/* Enqueues a search for objects in the frame @in; errors stay in @job. Sets @search to this search;
 * free it with gst_mgpu_hog_windows_search_clear(). */
void gst_mgpu_hog_windows_enqueue (GstMgpuHogWindows * self, GstMgpuJob * job, gdouble threshold,
    const MgpuPeoplePlaces * places, const MgpuImage * in, GstMgpuHogWindowsSearch * search);

/* Starts to download the results of @search. The search must have been enqueued before. */
gboolean gst_mgpu_hog_windows_fetch (GstMgpuHogWindowsSearch * search, GError ** error);

/* Waits for @search, and appends a box to @boxes for each window in which it has found an object.
 * May be called by another thread than gst_mgpu_hog_windows_enqueue(). */
gboolean gst_mgpu_hog_windows_read (GstMgpuHogWindows * self, GstMgpuHogWindowsSearch * search, GArray * boxes,
    GError ** error);

void gst_mgpu_hog_windows_search_clear (GstMgpuHogWindowsSearch * search);

G_END_DECLS
