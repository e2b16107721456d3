/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the numbers of pixels and work-items for the kernels of histogram equalization. */
#include "histeq-private.h"

gint
mgpu_histeq_count_units (const Histeq * self, const MgpuImage * in,
    const MgpuImage * out)
{
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);
  guint layout = in->info.offset[0] | in->info.stride[0]
      | out->info.offset[0] | out->info.stride[0];
  gint pixel = self->samples * self->bytes;

  if (self->object.knobs[KNOB_COUNT] == COUNT_OWN)
    return width / 4;
  if (4 % pixel != 0 || layout % 4 != 0)
    return 0;
  return width / (4 / pixel);
}

gint
mgpu_histeq_count_pixels (const Histeq * self, const GstVideoInfo * info)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);

  return GST_VIDEO_INFO_IS_YUV (info) && self->samples == 2
      ? GST_ROUND_UP_2 (width) : width;
}

cl_mem
mgpu_histeq_write_counts (Histeq * self, GstMgpuJob * job, guint clear, gsize n)
{
  cl_kernel kernel = self->object.kernels[clear];
  gsize size = n * sizeof (guint32);
  gboolean is_new = !mgpu_slot_has (self, COUNTS, size);
  cl_mem counts = mgpu_slot_write (self, COUNTS, job, size);

  if (is_new && counts != NULL) {
    gst_mgpu_job_set_args (job, kernel, "m", counts);
    gst_mgpu_job_launch (job, kernel, 1, &n, NULL);
  }
  return counts;
}
