/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What becomes of metas when a frame is cropped, turned and scaled. */
#include "gstmgpuconvertmeta.h"

#include <math.h>

typedef struct
{
  gint x, y, width, height;
} Box;

static void
move_point (const GstMgpuMetaTransform * t, gdouble * x, gdouble * y)
{
  gdouble from[2] = { *x, *y };

  *x = t->matrix[0][0] * from[0] + t->matrix[0][1] * from[1] + t->matrix[0][2];
  *y = t->matrix[1][0] * from[0] + t->matrix[1][1] * from[1] + t->matrix[1][2];
}

/* To whole pixels, of which there is one at least. */
static Box
move_box (const GstMgpuMetaTransform * t, Box box)
{
  gdouble x1 = box.x, y1 = box.y;
  gdouble x2 = x1 + box.width, y2 = y1 + box.height;
  Box moved;

  move_point (t, &x1, &y1);
  move_point (t, &x2, &y2);
  moved.x = rint (MIN (x1, x2));
  moved.y = rint (MIN (y1, y2));
  moved.width = MAX (1, rint (MAX (x1, x2)) - moved.x);
  moved.height = MAX (1, rint (MAX (y1, y2)) - moved.y);
  return moved;
}

/* What is seen of it; it goes where nothing is. */
static void
move_region (const GstMgpuMetaTransform * t, GstBuffer * out,
    const GstVideoRegionOfInterestMeta * from)
{
  Box box = { from->x, from->y, from->w, from->h };
  GstVideoRegionOfInterestMeta *to;
  gint right, bottom;

  box = move_box (t, box);
  right = MIN (box.x + box.width, t->x + t->width);
  bottom = MIN (box.y + box.height, t->y + t->height);
  box.x = MAX (box.x, t->x);
  box.y = MAX (box.y, t->y);
  if (right <= box.x || bottom <= box.y)
    return;
  to = gst_buffer_add_video_region_of_interest_meta_id (out, from->roi_type,
      box.x, box.y, right - box.x, bottom - box.y);
  to->id = from->id;
  to->parent_id = from->parent_id;
  for (GList * l = from->params; l != NULL; l = l->next)
    gst_video_region_of_interest_meta_add_param (to,
        gst_structure_copy (l->data));
}

/* Its pictures can be moved and scaled, but not turned. */
static void
move_overlay (const GstMgpuMetaTransform * t, GstBuffer * out,
    const GstVideoOverlayCompositionMeta * from)
{
  guint n = gst_video_overlay_composition_n_rectangles (from->overlay);
  GstVideoOverlayComposition *to;

  if (n == 0 || t->matrix[0][0] <= 0 || t->matrix[1][1] <= 0)
    return;
  to = gst_video_overlay_composition_new (NULL);
  for (guint i = 0; i < n; i++) {
    GstVideoOverlayRectangle *rectangle = gst_video_overlay_rectangle_copy
        (gst_video_overlay_composition_get_rectangle (from->overlay, i));
    guint width, height;
    Box box;

    gst_video_overlay_rectangle_get_render_rectangle (rectangle, &box.x,
        &box.y, &width, &height);
    box.width = width;
    box.height = height;
    box = move_box (t, box);
    gst_video_overlay_rectangle_set_render_rectangle (rectangle, box.x, box.y,
        box.width, box.height);
    gst_video_overlay_composition_add_rectangle (to, rectangle);
    gst_video_overlay_rectangle_unref (rectangle);
  }
  gst_buffer_add_video_overlay_composition_meta (out, to);
  gst_video_overlay_composition_unref (to);
}

/* Whether all of the frame fills the new one, as it was. */
static gboolean
is_whole (const GstMgpuMetaTransform * t)
{
  gdouble x1 = 0, y1 = 0, x2 = GST_VIDEO_INFO_WIDTH (t->in_info);
  gdouble y2 = GST_VIDEO_INFO_HEIGHT (t->in_info);

  move_point (t, &x1, &y1);
  move_point (t, &x2, &y2);
  return t->matrix[0][0] > 0 && t->matrix[1][1] > 0 && x1 == 0 && y1 == 0
      && rint (x2) == GST_VIDEO_INFO_WIDTH (t->out_info)
      && rint (y2) == GST_VIDEO_INFO_HEIGHT (t->out_info);
}

static gboolean
has_tag (GType api, const gchar * tag)
{
  return gst_meta_api_type_has_tag (api, g_quark_from_string (tag));
}

gboolean
gst_mgpu_convert_meta (const GstMgpuMetaTransform * t, GstBuffer * out,
    GstMeta * meta, GstBuffer * in)
{
  const GstMetaInfo *info = meta->info;
  GType api = info->api;
  GstVideoMetaTransform scale = { (GstVideoInfo *) t->in_info,
    (GstVideoInfo *) t->out_info
  };
  gboolean moves = !is_whole (t) || t->matrix[0][0] != 1
      || t->matrix[1][1] != 1;

  /* It has been obeyed. */
  if (api == GST_VIDEO_CROP_META_API_TYPE)
    return FALSE;
  if (has_tag (api, GST_META_TAG_VIDEO_COLORSPACE_STR)
      && (GST_VIDEO_INFO_FORMAT (t->in_info) !=
          GST_VIDEO_INFO_FORMAT (t->out_info)
          || !gst_video_colorimetry_is_equal (&t->in_info->colorimetry,
              &t->out_info->colorimetry)))
    return FALSE;
  if (!moves)
    return TRUE;

  if (api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) {
    move_region (t, out, (GstVideoRegionOfInterestMeta *) meta);
  } else if (api == GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE) {
    move_overlay (t, out, (GstVideoOverlayCompositionMeta *) meta);
  } else if (!has_tag (api, GST_META_TAG_VIDEO_SIZE_STR)
      && !has_tag (api, GST_META_TAG_VIDEO_ORIENTATION_STR)) {
    return TRUE;
  } else if (info->transform_func != NULL
      && !info->transform_func (out, meta, in,
          gst_mgpu_meta_transform_affine_get_quark (), (gpointer) t)
      && is_whole (t)) {
    info->transform_func (out, meta, in,
        gst_video_meta_transform_scale_get_quark (), &scale);
  }
  return FALSE;
}
