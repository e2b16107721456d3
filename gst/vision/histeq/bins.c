/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "private.h"

void
histeq_bins_init (HisteqBins * bins, const GstVideoInfo * info, guint n)
{
  guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0);

  bins->bytes = depth > 8 ? 2 : 1;
  bins->samples = GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) / bins->bytes;
  bins->mask = 0;
  for (guint i = 0; i < n; i++)
    bins->mask |= 1u << GST_VIDEO_INFO_COMP_POFFSET (info, i) / bins->bytes;
  bins->n_components = n;
  bins->n_bins = 1u << depth;
  bins->n_counters = n * bins->n_bins;
  bins->shift = info->finfo->shift[0];
}

gint
histeq_count_units (const Histeq * self, const MgpuImage * in,
    const MgpuImage * out)
{
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);
  guint layout = in->info.offset[0] | in->info.stride[0]
      | out->info.offset[0] | out->info.stride[0];
  gint pixel = self->bins.samples * self->bins.bytes;

  if (self->object.knobs[KNOB_COUNT] == COUNT_OWN)
    return width / 4;
  if (4 % pixel != 0 || layout % 4 != 0)
    return 0;
  return width / (4 / pixel);
}

gint
histeq_count_pixels (const Histeq * self, const GstVideoInfo * info)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);

  return GST_VIDEO_INFO_IS_YUV (info) && self->bins.samples == 2
      ? GST_ROUND_UP_2 (width) : width;
}

cl_mem
histeq_write_counts (Histeq * self, GstMgpuJob * job, guint clear, gsize n)
{
  cl_kernel kernel = self->object.kernels[clear];
  gboolean is_new;
  cl_mem counts;

  if (!mgpu_slot_ensure (self, COUNTS, job, n * sizeof (guint32), &is_new))
    return NULL;
  counts = mgpu_slot_write (self, COUNTS, job, 0);
  if (is_new) {
    gst_mgpu_job_set_args (job, kernel, "m", counts);
    gst_mgpu_job_launch (job, kernel, 1, &n, NULL);
  }
  return counts;
}
