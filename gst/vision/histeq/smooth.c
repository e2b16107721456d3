/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "smooth.h"

#include <math.h>

struct _MgpuSmooth
{
  guint n_bins;
  gint bytes;                   /* of a number in a table */
  gsize group;
  cl_kernel compare, blend;

  guint n_tables;
  guint slot;                   /* of the frame at hand: 0, 1, 0, 1 ... */
  gboolean has_past;
  GstMemory *tables[2];         /* of the frame at hand and of the one before */
  GstMemory *smooth, *distance;
};

MgpuSmooth *
mgpu_smooth_new (GstMgpuContext * context, const MgpuBins * bins,
    GError ** error)
{
  MgpuSmooth *self = g_new0 (MgpuSmooth, 1);
  const MgpuBinsKernel kernels[] = {
    {"smooth_compare", &self->compare}, {"smooth_blend", &self->blend}
  };

  self->n_bins = bins->n_bins;
  self->bytes = bins->bytes;
  self->group = bins->group;
  if (!mgpu_bins_build (bins, context, "histeq/smooth", "", kernels,
          G_N_ELEMENTS (kernels), error))
    g_clear_pointer (&self, mgpu_smooth_free);
  return self;
}

void
mgpu_smooth_reset (MgpuSmooth * self)
{
  self->has_past = FALSE;
}

GstMemory *
mgpu_smooth_get_tables (MgpuSmooth * self, GstMgpuJob * job, guint n_tables)
{
  gsize n = (gsize) n_tables * self->n_bins;

  if (n_tables != self->n_tables)
    self->has_past = FALSE;
  self->n_tables = n_tables;
  for (guint i = 0; i < 2; i++)
    if (!mgpu_bins_ensure_memory (job, &self->tables[i], n * self->bytes, NULL))
      return NULL;
  if (!mgpu_bins_ensure_memory (job, &self->smooth, n * sizeof (guint32), NULL)
      || !mgpu_bins_ensure_memory (job, &self->distance, 2 * sizeof (guint32),
          NULL))
    return NULL;
  return self->tables[self->slot];
}

void
mgpu_smooth_enqueue (MgpuSmooth * self, GstMgpuJob * job, gdouble smoothing,
    guint new_scene, GstMemory * result)
{
  gsize n = (gsize) self->n_tables * self->n_bins;
  gsize compare_global = self->n_tables * self->group;
  cl_mem now, distance;

  if (job->error != NULL)
    return;
  now = mgpu_bins_write (job, self->tables[self->slot]);
  distance = mgpu_bins_write (job, self->distance);
  if (self->has_past) {
    gst_mgpu_job_set_args (job, self->compare, "mmmi", now,
        mgpu_bins_write (job, self->tables[1 - self->slot]), distance,
        (gint) self->slot);
    gst_mgpu_job_launch (job, self->compare, 1, &compare_global, &self->group);
  }
  gst_mgpu_job_set_args (job, self->blend, "mmmumiui", now,
      mgpu_bins_write (job, self->smooth), mgpu_bins_write (job, result),
      (guint) rint (smoothing * 65536), distance, (gint) self->slot,
      self->n_tables * (self->n_bins / new_scene), (gint) ! self->has_past);
  gst_mgpu_job_launch (job, self->blend, 1, &n, NULL);
  self->has_past = TRUE;
  self->slot = 1 - self->slot;
}

void
mgpu_smooth_free (MgpuSmooth * self)
{
  if (self == NULL)
    return;
  if (self->compare != NULL)
    clReleaseKernel (self->compare);
  if (self->blend != NULL)
    clReleaseKernel (self->blend);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&self->tables[i], gst_memory_unref);
  g_clear_pointer (&self->smooth, gst_memory_unref);
  g_clear_pointer (&self->distance, gst_memory_unref);
  g_free (self);
}
