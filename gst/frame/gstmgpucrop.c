/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads which part of a frame is visible from its GstVideoCropMeta. */
#include "gstmgpucrop.h"

void
gst_mgpu_crop_propose (GstQuery * query)
{
  gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
}

gboolean
gst_mgpu_crop_withhold (GstBaseTransform * trans, GstQuery * decide_query,
    GstQuery * query)
{
  GstBaseTransformClass *parent = g_type_class_peek (GST_TYPE_BASE_TRANSFORM);
  gboolean ok = parent->propose_allocation (trans, decide_query, query);
  guint i;

  if (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, &i))
    gst_query_remove_nth_allocation_meta (query, i);
  return ok;
}

void
gst_mgpu_crop_set_caps (GstMgpuCrop * self, const GstVideoInfo * info)
{
  self->caps_info = *info;
}

void
gst_mgpu_crop_show_all (GstMgpuCrop * self, const GstVideoInfo * info)
{
  self->has_meta = FALSE;
  self->visible = (MgpuRectangle) {
  0, 0, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info)};
}

/* Sets the size of the input frame to the size in @meta, its GstVideoMeta, or, if @meta is NULL, to
 * the size in the caps. Returns: whether the size has changed */
static gboolean
set_frame_size (GstMgpuCrop * self, GstMgpuInput * input,
    const GstVideoMeta * meta)
{
  GstVideoInfo info = self->caps_info;

  if (meta != NULL && meta->format == GST_VIDEO_INFO_FORMAT (&info)
      && gst_video_info_set_format (&info, meta->format, meta->width,
          meta->height)) {
    info.colorimetry = self->caps_info.colorimetry;
    info.chroma_site = self->caps_info.chroma_site;
    info.par_n = self->caps_info.par_n;
    info.par_d = self->caps_info.par_d;
  }
  if (GST_VIDEO_INFO_WIDTH (&info) == GST_VIDEO_INFO_WIDTH (&input->info)
      && GST_VIDEO_INFO_HEIGHT (&info) == GST_VIDEO_INFO_HEIGHT (&input->info))
    return FALSE;
  GST_MGPU_DEBUG_OBJECT (input->base->element,
      "using the frame size %dx%d of the GstVideoMeta instead of the size in "
      "the caps, because frames have a crop meta", info.width, info.height);
  gst_mgpu_input_set_info (input, &info);
  return TRUE;
}

gboolean
gst_mgpu_crop_read (GstMgpuCrop * self, GstMgpuInput * input, GstBuffer * in)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (in);
  gboolean is_new = set_frame_size (self, input, crop != NULL
      ? gst_buffer_get_video_meta (in) : NULL);
  MgpuRectangle *visible = &self->visible;

  gst_mgpu_crop_show_all (self, &input->info);
  self->has_meta = crop != NULL;
  if (crop == NULL)
    return is_new;
  if (crop->x < (guint) visible->width && crop->y < (guint) visible->height
      && crop->width > 0 && crop->height > 0)
    *visible = (MgpuRectangle) {
    crop->x, crop->y, MIN (crop->width, visible->width - crop->x),
        MIN (crop->height, visible->height - crop->y)};
  if (crop->width > 0 && (visible->width != (gint) crop->width
          || visible->height != (gint) crop->height))
    GST_MGPU_LOG_OBJECT (input->base->element, "the crop meta of %ux%u pixels "
        "at (%u, %u) reaches beyond the frame", crop->width, crop->height,
        crop->x, crop->y);
  return is_new;
}
