/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Allocates the arrays that the searches of mgpuhog write. */
#include "gstmgpuhoghits.h"

gboolean
gst_mgpu_hog_pools_init (GstMgpuHogPools * self, GstMgpuDeviceBase * base,
    gsize scores, gsize hits, GError ** error)
{
  self->base = base;
  self->scores = gst_mgpu_device_base_new_table_pool (base, scores, error);
  if (self->scores != NULL)
    self->hits = gst_mgpu_device_base_new_table_pool (base, hits, error);
  return self->hits != NULL;
}

void
gst_mgpu_hog_pools_clear (GstMgpuHogPools * self)
{
  gst_mgpu_clear_pool (&self->scores);
  gst_mgpu_clear_pool (&self->hits);
}

gboolean
gst_mgpu_hog_pools_acquire (GstMgpuHogPools * self, GstMgpuJob * job,
    GstMgpuHogHits * hits)
{
  GError *error = NULL;

  hits->scores = gst_mgpu_device_base_acquire (self->base, self->scores,
      &error);
  if (hits->scores != NULL)
    hits->hits = gst_mgpu_device_base_acquire (self->base, self->hits, &error);
  if (hits->hits == NULL)
    gst_mgpu_job_fail (job, error);
  return hits->hits != NULL;
}

void
gst_mgpu_hog_hits_clear (GstMgpuHogHits * self)
{
  gst_clear_buffer (&self->scores);
  gst_clear_buffer (&self->hits);
}
