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
  GstMgpuDeviceBase *base = input->base;
  const MgpuPeopleLevel *levels;
  gsize scores, hits;

  if (self->hits == NULL) {
    gst_mgpu_hog_windows_unprepare (self);
    self->people = mgpu_people_new (base->context, &input->info,
        self->window, error);
    if (self->people == NULL)
      return FALSE;
    mgpu_people_get_sizes (self->people, &scores, &hits);
    self->scores = gst_mgpu_memory_new (base->queue, scores, base->stats,
        error);
    if (self->scores != NULL)
      self->hits = gst_mgpu_memory_new (base->queue, hits, base->stats, error);
    if (self->hits == NULL)
      return FALSE;
  }
  *has_place |= mgpu_people_get_levels (self->people, &levels) > 0;
  return TRUE;
}

void
gst_mgpu_hog_windows_unprepare (GstMgpuHogWindows * self)
{
  g_clear_pointer (&self->people, mgpu_object_free);
  g_clear_pointer (&self->scores, gst_memory_unref);
  g_clear_pointer (&self->hits, gst_memory_unref);
}

void
gst_mgpu_hog_windows_enqueue (GstMgpuHogWindows * self, GstMgpuJob * job,
    gdouble threshold, const MgpuPeoplePlaces * places, const MgpuImage * in)
{
  mgpu_people_enqueue (self->people, job, threshold, places, in,
      (GstMgpuMemory *) self->scores, (GstMgpuMemory *) self->hits);
}

gboolean
gst_mgpu_hog_windows_read (GstMgpuHogWindows * self, gdouble threshold,
    GArray * boxes, GError ** error)
{
  return mgpu_people_read (self->people, threshold,
      (GstMgpuMemory *) self->scores, (GstMgpuMemory *) self->hits, boxes,
      error);
}
