/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Searches frames for the detection windows of an SVM, such as the built-in people
 * detector of mgpuhog. */
#include "gstmgpuhogwindows.h"

gboolean
gst_mgpu_hog_windows_prepare (GstMgpuHogWindows * self,
    GstMgpuInput * input, gboolean * has_place, GError ** error)
{
  const MgpuPeopleLevel *levels;
  gsize scores, hits;

  if (self->pools.hits == NULL) {
    gst_mgpu_hog_windows_unprepare (self);
    self->people = mgpu_people_new (input->base->context, &input->info,
        self->window, error);
    if (self->people == NULL)
      return FALSE;
    mgpu_people_get_sizes (self->people, &scores, &hits);
    if (!gst_mgpu_hog_pools_init (&self->pools, input->base, scores, hits,
            error))
      return FALSE;
  }
  *has_place |= mgpu_people_get_levels (self->people, &levels) > 0;
  return TRUE;
}

void
gst_mgpu_hog_windows_unprepare (GstMgpuHogWindows * self)
{
  g_clear_pointer (&self->people, mgpu_object_free);
  gst_mgpu_hog_pools_clear (&self->pools);
}

void
gst_mgpu_hog_windows_enqueue (GstMgpuHogWindows * self, GstMgpuJob * job,
    gdouble threshold, const MgpuPeoplePlaces * places, const MgpuImage * in,
    GstMgpuHogWindowsSearch * search)
{
  gst_mgpu_hog_windows_search_clear (search);
  if (!gst_mgpu_hog_pools_acquire (&self->pools, job, &search->hits))
    return;
  search->threshold = threshold;
  mgpu_people_enqueue (self->people, job, threshold, places, in,
      gst_mgpu_peek_table (search->hits.scores),
      gst_mgpu_peek_table (search->hits.hits));
  search->windows = mgpu_people_get_windows (self->people);
}

gboolean
gst_mgpu_hog_windows_fetch (GstMgpuHogWindowsSearch * search, GError ** error)
{
  return search->windows->len == 0
      || gst_mgpu_memory_fetch (gst_mgpu_peek_table (search->hits.hits), error);
}

gboolean
gst_mgpu_hog_windows_read (GstMgpuHogWindows * self,
    GstMgpuHogWindowsSearch * search, GArray * boxes, GError ** error)
{
  GstMgpuMemory *hits = gst_mgpu_peek_table (search->hits.hits);

  return gst_mgpu_memory_fetched (hits, error)
      && mgpu_people_read (self->people, search->windows, search->threshold,
      gst_mgpu_peek_table (search->hits.scores), hits, boxes, error);
}

void
gst_mgpu_hog_windows_search_clear (GstMgpuHogWindowsSearch * search)
{
  g_clear_pointer (&search->windows, g_array_unref);
  gst_mgpu_hog_hits_clear (&search->hits);
}
