/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bins.h"

#include "kernels.h"

/* Work-items that make a table on a GPU. */
#define MAX_GROUP 256

void
mgpu_bins_init (MgpuBins * self, GstMgpuContext * context,
    const GstVideoInfo * info, guint n)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0);

  self->bytes = depth > 8 ? 2 : 1;
  self->samples = GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) / self->bytes;
  self->mask = 0;
  for (guint i = 0; i < n; i++)
    self->mask |= 1u << GST_VIDEO_INFO_COMP_POFFSET (info, i) / self->bytes;
  self->n_components = n;
  self->n_bins = 1u << depth;
  self->n_counters = n * self->n_bins;
  self->shift = info->finfo->shift[0];

  mgpu_rows_init (&self->rows, traits, GST_VIDEO_INFO_HEIGHT (info));
  self->is_cpu = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU;
  self->group = 1;
  self->n_own = 1;
  if (self->is_cpu) {
    self->count = "COUNT_OWN";
    if (self->n_counters <= MGPU_BINS_SMALL)
      self->n_own = 4;
    return;
  }
  while (self->group * 2 <= MIN (traits->max_work_group_size, MAX_GROUP))
    self->group *= 2;
  self->count = traits->device_class == GST_MGPU_DEVICE_CLASS_DISCRETE
      && self->n_counters <= MGPU_BINS_SMALL ? "COUNT_LOCAL" : "COUNT_GLOBAL";
}

gboolean
mgpu_bins_build (const MgpuBins * self, GstMgpuContext * context,
    const gchar * file, const gchar * more_options,
    const MgpuBinsKernel * kernels, guint n_kernels, GError ** error)
{
  gchar *options = g_strdup_printf ("-DBYTES=%d -DSAMPLES=%d -DMASK=%u "
      "-DBINS=%u -DSHIFT=%u -DCOLUMNS=%d -DCOUNT=%s -DTABLES=%u -DGROUP=%u%s",
      self->bytes, self->samples, self->mask, self->n_bins, self->shift,
      self->rows.columns, self->count, self->n_own, (guint) self->group,
      more_options);
  GstMgpuProgram *program = mgpu_kernels_build (context, file, options, error);
  gboolean ok = program != NULL;

  g_free (options);
  for (guint i = 0; i < n_kernels && ok; i++) {
    *kernels[i].kernel =
        gst_mgpu_program_create_kernel (program, kernels[i].name, error);
    ok = *kernels[i].kernel != NULL;
  }
  g_clear_object (&program);
  return ok;
}

gint
mgpu_bins_count_units (const MgpuBins * self, gint width, guint layout)
{
  gint pixel = self->samples * self->bytes;

  if (self->is_cpu)
    return width / 4;
  if (4 % pixel != 0 || layout % 4 != 0)
    return 0;
  return width / (4 / pixel);
}

gint
mgpu_bins_count_pixels (const MgpuBins * self, const GstVideoInfo * info)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);

  return GST_VIDEO_INFO_IS_YUV (info) && self->samples == 2
      ? GST_ROUND_UP_2 (width) : width;
}

gboolean
mgpu_bins_ensure_memory (GstMgpuJob * job, GstMemory ** memory, gsize size,
    gboolean * is_new)
{
  GError *error = NULL;
  gboolean fits = *memory != NULL && (*memory)->size >= size;

  if (is_new != NULL)
    *is_new = !fits;
  if (fits)
    return TRUE;
  g_clear_pointer (memory, gst_memory_unref);
  *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);
  if (*memory == NULL)
    gst_mgpu_job_fail (job, error);
  return *memory != NULL;
}

cl_mem
mgpu_bins_write (GstMgpuJob * job, GstMemory * memory)
{
  return gst_mgpu_job_write (job, (GstMgpuMemory *) memory);
}
