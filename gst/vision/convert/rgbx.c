/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rgbx.h"

static const MgpuConvertParams params = {.method = MGPU_CONVERT_BILINEAR };

/* Allocates a memory of size bytes for *memory, unless it has one. FALSE: the error is in
 * job. */
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

gboolean
mgpu_rgbx_init (MgpuRgbx * self, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  if (GST_VIDEO_INFO_IS_RGB (info)
      && GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 4)
    return TRUE;
  gst_video_info_set_format (&self->info, GST_VIDEO_FORMAT_RGBx,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  self->convert = mgpu_object_new (&mgpu_convert, context, info, NULL, &self->info,
      &params, error);
  return self->convert != NULL;
}

gboolean
mgpu_rgbx_enqueue (MgpuRgbx * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuImage * out)
{
  const MgpuWork work = { &params, in, NULL, out };

  *out = *in;
  if (self->convert == NULL)
    return TRUE;
  if (!ensure (&self->memory, job, self->info.size))
    return FALSE;
  out->memory = (GstMgpuMemory *) self->memory;
  out->info = self->info;
  mgpu_convert.enqueue (self->convert, job, &work);
  return TRUE;
}

void
mgpu_rgbx_clear (MgpuRgbx * self)
{
  g_clear_pointer (&self->convert, mgpu_object_free);
  g_clear_pointer (&self->memory, gst_memory_unref);
}
