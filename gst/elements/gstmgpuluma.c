/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the luma of RGB frames for elements that analyze gray images. */
#include "gstmgpuluma.h"

#include <gst/vision/base/object.h>

gboolean
gst_mgpu_luma_prepare (GstMgpuLuma * self, GstMgpuInput * input,
    GError ** error)
{
  const GstVideoInfo *info = &input->info;

  self->info = *info;
  if (!GST_VIDEO_INFO_IS_RGB (info))
    return TRUE;
  GST_MGPU_DEBUG_OBJECT (input->base->element, "converting %s frames to luma "
      "first, %"
      G_GSIZE_FORMAT " bytes", GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_SIZE (info));
  mgpu_colour_luma_info (info, &self->info);
  self->frame = gst_mgpu_memory_new (input->base->queue,
      GST_VIDEO_INFO_SIZE (&self->info), NULL, error);
  if (self->frame == NULL)
    return FALSE;
  self->colour = mgpu_colour_luma_new (input->base->context, info, error);
  return self->colour != NULL;
}

void
gst_mgpu_luma_clear (GstMgpuLuma * self)
{
  g_clear_pointer (&self->colour, mgpu_object_free);
  g_clear_pointer (&self->frame, gst_memory_unref);
}

gboolean
gst_mgpu_luma_is_made (const GstMgpuLuma * self)
{
  return self->colour != NULL;
}

const MgpuImage *
gst_mgpu_luma_enqueue (GstMgpuLuma * self, GstMgpuJob * job,
    const MgpuImage * in, MgpuImage * made)
{
  if (self->colour == NULL)
    return in;
  made->memory = (GstMgpuMemory *) self->frame;
  made->info = self->info;
  mgpu_colour_luma_enqueue (self->colour, job, in, made);
  return made;
}
