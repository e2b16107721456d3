/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shows rectangular parts of frames as frames, without a copy where possible. */
#include "cut.h"

#include "convert-private.h"

static gboolean
has_size (const GstVideoInfo * a, const GstVideoInfo * b)
{
  return GST_VIDEO_INFO_WIDTH (a) == GST_VIDEO_INFO_WIDTH (b)
      && GST_VIDEO_INFO_HEIGHT (a) == GST_VIDEO_INFO_HEIGHT (b);
}

/* Makes the object that converts parts of @in to frames of the format @out, unless there is one for frames of
 * these sizes. Returns: FALSE after an error, which is in @job */
static gboolean
ensure (MgpuCut * self, GstMgpuJob * job, const MgpuImage * in,
    const GstVideoInfo * out, const MgpuConvertParams * params)
{
  GError *error = NULL;

  if (self->convert != NULL && has_size (&self->convert->in, &in->info)
      && has_size (&self->convert->out, out))
    return TRUE;
  mgpu_cut_clear (self);
  self->convert = mgpu_object_new (&mgpu_convert, in->memory->context,
      &in->info, NULL, out, params, &error);
  if (self->convert == NULL)
    gst_mgpu_job_fail (job, error);
  return self->convert != NULL;
}

static MgpuConvertParams
get_params (const MgpuRectangle * rectangle)
{
  return (MgpuConvertParams) {
  .method = MGPU_CONVERT_BILINEAR,.source = *rectangle};
}

/* Returns: whether a part that begins at (@x, @y) begins with a whole sample of each component */
static gboolean
is_whole (const GstVideoInfo * info, gint x, gint y)
{
  gboolean result = TRUE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++)
    result = result && x % (1 << info->finfo->w_sub[i]) == 0
        && y % (1 << info->finfo->h_sub[i]) == 0;
  return result;
}

gboolean
mgpu_cut_enqueue (MgpuCut * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuRectangle * rectangle, MgpuImage * part)
{
  const MgpuRect rect = {
    rectangle->x, rectangle->y, rectangle->width, rectangle->height
  };
  const MgpuConvertParams params = get_params (rectangle);
  const MgpuWork work = { &params, in, NULL, part };
  GstVideoInfo info;

  if (is_whole (&in->info, rect.x, rect.y)) {
    *part = mgpu_image_crop (in, &rect);
    return TRUE;
  }
  gst_video_info_set_format (&info, GST_VIDEO_INFO_FORMAT (&in->info),
      rect.width, rect.height);
  info.colorimetry = in->info.colorimetry;
  info.chroma_site = in->info.chroma_site;
  if (!ensure (self, job, in, &info, &params)
      || !mgpu_slot_image (self->convert, CONVERTED, job, &info, part))
    return FALSE;
  mgpu_convert.enqueue (self->convert, job, &work);
  return TRUE;
}

void
mgpu_cut_enqueue_to (MgpuCut * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuRectangle * rectangle, const MgpuImage * out)
{
  const MgpuConvertParams params = get_params (rectangle);
  const MgpuWork work = { &params, in, NULL, out };

  if (ensure (self, job, in, &out->info, &params))
    mgpu_convert.enqueue (self->convert, job, &work);
}

void
mgpu_cut_clear (MgpuCut * self)
{
  g_clear_pointer (&self->convert, mgpu_object_free);
}
