/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Gets the guide image and the mask of a frame from the additional input pads of a
 * filter. */
#include "gstmgpufilterinputs.h"

guint
gst_mgpu_filter_list_guides (GstMgpuFilter * self, GstMgpuGuide * list[GST_MGPU_FILTER_MAX_GUIDES])
{
  guint n = 0;

  if (self->guide != NULL)
    list[n++] = self->guide;
  if (self->mask_guide != NULL)
    list[n++] = self->mask_guide;
  return n;
}

void
gst_mgpu_filter_reset_inputs (GstMgpuFilter * self)
{
  GstMgpuGuide *guides[GST_MGPU_FILTER_MAX_GUIDES];
  guint n = gst_mgpu_filter_list_guides (self, guides);

  gst_mgpu_input_reset (&self->input);
  for (guint i = 0; i < n; i++)
    gst_mgpu_input_reset (gst_mgpu_guide_get_input (guides[i]));
}

guint
gst_mgpu_filter_list_linked_guides (GstMgpuFilter * self, GstMgpuGuide * list[GST_MGPU_FILTER_MAX_GUIDES])
{
  GstMgpuGuide *guides[GST_MGPU_FILTER_MAX_GUIDES];
  guint n = gst_mgpu_filter_list_guides (self, guides), n_linked = 0;

  for (guint i = 0; i < n; i++)
    if (gst_mgpu_guide_has_pad (guides[i]))
      list[n_linked++] = guides[i];
  return n_linked;
}

void
gst_mgpu_filter_find_guide (GstMgpuFilter * self, GstBuffer * in)
{
  GstMgpuFilterClass *klass = GST_MGPU_FILTER_GET_CLASS (self);
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;

  if (self->guide == NULL)
    return;
  if (self->frame.is_resting
      || (klass->needs_guide != NULL && !klass->needs_guide (self)))
    gst_mgpu_guide_skip (self->guide, in, segment);
  else
    self->frame.flow = gst_mgpu_guide_take (self->guide, in,
        &self->input.info, segment, &self->frame.guide);
}

gboolean
gst_mgpu_filter_update_regions (GstMgpuFilter * self, GstMgpuRegions * regions,
    const GstMgpuRegionsParams * params, GstBuffer * in, GstMgpuGuide * guide,
    GstBuffer * mask, GError ** error)
{
  GstVideoFrame picture;
  gboolean ok;

  if (mask != NULL && !gst_mgpu_input_map (&gst_mgpu_guide_get_input
          (guide)->info, &picture, mask, error)) {
    g_prefix_error (error, "the pad \"mask_sink\": ");
    return FALSE;
  }
  ok = gst_mgpu_regions_update (regions, params, &self->input.info,
      &self->watch, in, mask != NULL ? &picture : NULL, error);
  if (mask != NULL)
    gst_video_frame_unmap (&picture);
  return ok;
}

void
gst_mgpu_filter_find_regions (GstMgpuFilter * self, GstBuffer * in)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstMgpuFrame *frame = &self->frame;
  const GstMgpuRegionsParams *params;
  GstBuffer *mask = NULL;
  GError *error = NULL;

  if (self->mask_guide == NULL || frame->flow != GST_FLOW_OK)
    return;
  params = G_STRUCT_MEMBER_P (frame->params,
      GST_MGPU_FILTER_GET_CLASS (self)->regions);
  if (frame->is_resting || GST_BUFFER_IS_DISCONT (in))
    gst_mgpu_regions_forget (&self->mix.regions);
  if (frame->is_resting || (params->source != GST_MGPU_MASK_SOURCE_AUTO
          && params->source != GST_MGPU_MASK_SOURCE_PAD))
    gst_mgpu_guide_skip (self->mask_guide, in, segment);
  else
    frame->flow = gst_mgpu_guide_take (self->mask_guide, in, &self->input.info,
        segment, &mask);
  if (frame->flow == GST_FLOW_OK && !frame->is_resting
      && !gst_mgpu_filter_update_regions (self, &self->mix.regions, params, in,
          self->mask_guide, mask, &error))
    frame->flow = gst_mgpu_device_base_fail (&self->base, error);
  gst_clear_buffer (&mask);
}
