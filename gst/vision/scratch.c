/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "scratch.h"

#include "map.h"

static const MgpuConvertParams params = {.method = MGPU_CONVERT_BILINEAR };

static gboolean
ensure (GstMemory ** memory, GstMgpuJob * job, gsize size)
{
  GError *error = NULL;

  if (*memory == NULL)
    *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);
  if (*memory == NULL)
    gst_mgpu_job_fail (job, error);
  return *memory != NULL;
}

cl_mem
mgpu_scratch_write (GstMemory ** memory, GstMgpuJob * job, gsize size)
{
  return ensure (memory, job, size)
      ? gst_mgpu_job_write (job, (GstMgpuMemory *) * memory) : NULL;
}

cl_mem
mgpu_scratch_read_words (GstMemory ** memory, GstMgpuJob * job,
    const GArray * words)
{
  if (*memory == NULL)
    *memory = mgpu_upload (job, words->data, words->len * sizeof (gint));
  return *memory != NULL
      ? gst_mgpu_job_read (job, (GstMgpuMemory *) * memory) : NULL;
}

gboolean
mgpu_rgbx_init (MgpuRgbx * self, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  if (GST_VIDEO_INFO_IS_RGB (info)
      && GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 4)
    return TRUE;
  gst_video_info_set_format (&self->info, GST_VIDEO_FORMAT_RGBx,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  self->convert = mgpu_convert_new (context, info, &self->info, &params, error);
  return self->convert != NULL;
}

gboolean
mgpu_rgbx_enqueue (MgpuRgbx * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuImage * out)
{
  *out = *in;
  if (self->convert == NULL)
    return TRUE;
  if (!ensure (&self->memory, job, self->info.size))
    return FALSE;
  out->memory = (GstMgpuMemory *) self->memory;
  out->info = self->info;
  mgpu_convert_enqueue (self->convert, job, &params, in, out);
  return TRUE;
}

void
mgpu_rgbx_clear (MgpuRgbx * self)
{
  g_clear_pointer (&self->convert, mgpu_convert_free);
  g_clear_pointer (&self->memory, gst_memory_unref);
}
