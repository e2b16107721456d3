/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts frames of any format to RGB with 4 bytes for each pixel. */
#include "rgbx.h"

#include "convert-private.h"

static const MgpuConvertParams params = {.method = MGPU_CONVERT_BILINEAR };

gboolean
mgpu_rgbx_init (MgpuRgbx * self, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstVideoInfo out;

  if (GST_VIDEO_INFO_IS_RGB (info)
      && GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 4)
    return TRUE;
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_RGBx,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  self->convert = mgpu_object_new (&mgpu_convert, context, info, NULL, &out,
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
  if (!mgpu_slot_image (self->convert, CONVERTED, job, &self->convert->out,
          out))
    return FALSE;
  mgpu_convert.enqueue (self->convert, job, &work);
  return TRUE;
}

void
mgpu_rgbx_clear (MgpuRgbx * self)
{
  g_clear_pointer (&self->convert, mgpu_object_free);
}
