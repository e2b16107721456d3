/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the visible part of a frame the input frame of mgpuremap. Metas and positions move as mgpuconvert moves
 * them when it crops, and then by the map. */
#include "gstmgpuremapcrop.h"

#include <gst/frame/gstmgpunavigation.h>

/* Lets @shift move positions from the input frame to a frame of the format @to, which shows the visible part. */
static void
set_shift (GstMgpuRemapCrop * self, GstElement * element,
    const GstVideoInfo * info, const GstVideoInfo * to)
{
  const MgpuConvertParams params = {.source = self->crop.visible };
  GstMgpuMetaTransform shift = {.in_info = &self->info,.out_info = to,
    .width = to->width,.height = to->height
  };

  mgpu_convert_get_matrix (info, to, &params, shift.matrix);
  GST_OBJECT_LOCK (element);
  self->info = *info;
  self->shift = shift;
  self->moves = gst_mgpu_convert_moves (&shift);
  GST_OBJECT_UNLOCK (element);
}

gboolean
gst_mgpu_remap_crop_read (GstMgpuRemapCrop * self, GstMgpuInput * input,
    GstBuffer * in)
{
  gboolean is_new = gst_mgpu_crop_read (&self->crop, input, in);
  const MgpuRectangle *visible = &self->crop.visible;

  self->seen = input->info;
  self->seen.width = visible->width;
  self->seen.height = visible->height;
  set_shift (self, input->base->element, &input->info, &self->seen);
  if (self->moves)
    GST_MGPU_LOG_OBJECT (input->base->element, "in a frame of %dx%d pixels, "
        "using the %dx%d pixels at (%d, %d) that its crop meta selects",
        input->info.width, input->info.height, visible->width, visible->height,
        visible->x, visible->y);
  return is_new;
}

void
gst_mgpu_remap_crop_show (GstMgpuRemapCrop * self, GstElement * element,
    const GstVideoInfo * out)
{
  const GstVideoInfo info = self->info;

  set_shift (self, element, &info, out);
}

gboolean
gst_mgpu_remap_crop_get_camera (GstMgpuRemapCrop * self, GstElement * element,
    GstBuffer * in, GstMgpuCamera * camera)
{
  GstMgpuCameraMeta *meta = gst_buffer_get_mgpu_camera_meta (in);
  g_autoptr (GstBuffer) cut = gst_buffer_new ();

  if (meta != NULL && self->moves) {
    gst_mgpu_convert_meta (element, &self->shift, cut, (GstMeta *) meta, in);
    meta = gst_buffer_get_mgpu_camera_meta (cut);
  }
  if (meta != NULL)
    gst_mgpu_camera_meta_get_camera (meta, camera);
  return meta != NULL;
}

gboolean
gst_mgpu_remap_crop_move_meta (GstMgpuRemapCrop * self, GstElement * element,
    const GstMgpuConvertMap * map, const GstMgpuMetaMap * points,
    GstBuffer * out, GstMeta * meta, GstBuffer * in)
{
  GstMetaTransformCopy copy = { FALSE, 0, -1 };
  g_autoptr (GstBuffer) cut = NULL;
  gpointer state = NULL;
  GstMeta *moved;

  if (!self->moves)
    return gst_mgpu_convert_meta_by_map (element, map, points, out, meta, in);
  cut = gst_buffer_new ();
  if (gst_mgpu_convert_meta (element, &self->shift, cut, meta, in))
    return gst_mgpu_convert_meta_by_map (element, map, points, out, meta, in);
  while ((moved = gst_buffer_iterate_meta (cut, &state)) != NULL)
    if (gst_mgpu_convert_meta_by_map (element, map, points, out, moved, cut)
        && moved->info->transform_func != NULL)
      moved->info->transform_func (out, moved, cut, _gst_meta_transform_copy,
          &copy);
  return FALSE;
}

GstEvent *
gst_mgpu_remap_crop_move_event (GstMgpuRemapCrop * self, GstElement * element,
    GstEvent * event)
{
  GstMgpuMetaTransform shift;
  GstVideoInfo info;
  gboolean moves;

  GST_OBJECT_LOCK (element);
  shift = self->shift;
  info = self->info;
  moves = self->moves;
  GST_OBJECT_UNLOCK (element);
  shift.in_info = &info;
  return moves ? gst_mgpu_navigation_move_back (element, event, &shift) : event;
}

void
gst_mgpu_remap_crop_clear (GstMgpuRemapCrop * self, GstElement * element)
{
  mgpu_cut_clear (&self->cut);
  GST_OBJECT_LOCK (element);
  self->moves = FALSE;
  GST_OBJECT_UNLOCK (element);
}
