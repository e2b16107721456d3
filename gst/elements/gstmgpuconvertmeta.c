/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Transforms the metas of a frame that is cropped, rotated or scaled. */
#include "gstmgpuconvertmeta.h"

#include <math.h>

#include <gst/frame/gstmgpulog.h>
#include <gst/vision/convert/convert.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

static void
move_point (const GstMgpuMetaTransform * t, gdouble * x, gdouble * y)
{
  gdouble from[2] = { *x, *y };

  *x = t->matrix[0][0] * from[0] + t->matrix[0][1] * from[1] + t->matrix[0][2];
  *y = t->matrix[1][0] * from[0] + t->matrix[1][1] * from[1] + t->matrix[1][2];
}

/* The edges of a box, in pixels. They are double, because boxes of other elements may
 * extend far outside a frame: a double also represents numbers exactly that would overflow
 * an int. */
typedef struct
{
  gdouble left, top, right, bottom;
} Box;

/* Returns: the upright box around a box that is moved by the transform @t. Its edges are on
 * whole pixels; width and height are at least one pixel */
static Box
move_box (const GstMgpuMetaTransform * t, gdouble left, gdouble top,
    gdouble width, gdouble height)
{
  Box box = { INFINITY, INFINITY, -INFINITY, -INFINITY };

  for (guint i = 0; i < 4; i++) {
    gdouble x = left + (i & 1 ? width : 0), y = top + (i & 2 ? height : 0);

    move_point (t, &x, &y);
    box.left = MIN (box.left, rint (x));
    box.top = MIN (box.top, rint (y));
    box.right = MAX (box.right, rint (x));
    box.bottom = MAX (box.bottom, rint (y));
  }
  box.right = MAX (box.right, box.left + 1);
  box.bottom = MAX (box.bottom, box.top + 1);
  return box;
}

/* Clips @box, a box that was moved by the transform @t, to the output frame, and sets
 * @rectangle to the result. Returns: FALSE if the box lies outside the output frame */
static gboolean
cut (const GstMgpuMetaTransform * t, const Box * box, MgpuRectangle * rectangle)
{
  gdouble left = MAX (box->left, t->x), top = MAX (box->top, t->y);
  gdouble right = MIN (box->right, t->x + t->width);
  gdouble bottom = MIN (box->bottom, t->y + t->height);

  if (left >= right || top >= bottom)
    return FALSE;
  *rectangle = (MgpuRectangle) {
  left, top, right - left, bottom - top};
  return TRUE;
}

/* A transform of the positions in a frame: by @map, or, if @map is NULL, by @t. With @map, only the
 * frame sizes and the output area in @t are used. */
typedef struct
{
  const GstMgpuMetaTransform *t;
  const GstMgpuConvertMap *map;
} Motion;

/* Sets @rectangle to the upright box, in the output frame, around a moved box. Returns: FALSE if the
 * output frame shows nothing of it */
static gboolean
find_moved (const Motion * motion, gdouble left, gdouble top, gdouble width,
    gdouble height, MgpuRectangle * rectangle)
{
  const GstMgpuConvertMap *map = motion->map;
  gdouble edges[4];
  Box box;

  if (map == NULL) {
    box = move_box (motion->t, left, top, width, height);
  } else {
    if (!map->move_box (map->data, left, top, width, height, edges))
      return FALSE;
    box = (Box) {
      rint (edges[0]), rint (edges[1]), rint (edges[2]), rint (edges[3])
    };
    box.right = MAX (box.right, box.left + 1);
    box.bottom = MAX (box.bottom, box.top + 1);
  }
  return cut (motion->t, &box, rectangle);
}

/* Returns: @value, rounded and clamped to the range of int */
static gint
round_to_int (gdouble value)
{
  return CLAMP (rint (value), G_MININT, G_MAXINT);
}

/* Adds a region of interest, at its new position, to the output frame, unless it lies
 * outside that frame. */
static void
move_region (const Motion * motion, GstBuffer * out,
    const GstVideoRegionOfInterestMeta * from)
{
  /* Reads the unsigned position as a signed number, because the position is negative if a region
   * begins left of the frame or above it. */
  GstVideoRegionOfInterestMeta *to;
  MgpuRectangle seen;

  if (!find_moved (motion, (gint32) from->x, (gint32) from->y, from->w,
          from->h, &seen))
    return;
  to = gst_buffer_add_video_region_of_interest_meta_id (out, from->roi_type,
      seen.x, seen.y, seen.width, seen.height);
  to->id = from->id;
  to->parent_id = from->parent_id;
  for (GList * l = from->params; l != NULL; l = l->next)
    gst_video_region_of_interest_meta_add_param (to,
        gst_structure_copy (l->data));
}

/* Adds an overlay composition, at its new position, to the output frame. Drops the
 * composition if frames are rotated, because its rectangles can be moved and scaled, but
 * not rotated. */
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
    gint x, y;
    Box box;

    gst_video_overlay_rectangle_get_render_rectangle (rectangle, &x, &y,
        &width, &height);
    box = move_box (t, x, y, width, height);
    gst_video_overlay_rectangle_set_render_rectangle (rectangle,
        round_to_int (box.left), round_to_int (box.top),
        round_to_int (box.right - box.left),
        round_to_int (box.bottom - box.top));
    gst_video_overlay_composition_add_rectangle (to, rectangle);
    gst_video_overlay_rectangle_unref (rectangle);
  }
  gst_buffer_add_video_overlay_composition_meta (out, to);
  gst_video_overlay_composition_unref (to);
}

#ifdef HAVE_ANALYTICS
/* An entry (mtd) of a GstAnalyticsRelationMeta of the input frame, and the entry that is made from
 * it for the output frame. For an object detection, the struct also has its box in the output
 * frame, and the clockwise rotation of this box around its center, in radians. */
typedef struct
{
  GstAnalyticsMtd from, to;
  gboolean stays;
  MgpuRectangle box;
  gfloat angle, score;
} Part;

static gboolean
is_detection (GstAnalyticsMtd * mtd)
{
  return gst_analytics_mtd_get_mtd_type (mtd) ==
      gst_analytics_od_mtd_get_mtd_type ();
}

/* Transforms a rotated box by @t, and updates its angle. The box is not clipped to the
 * output frame. It stays a rectangle even if width and height are scaled differently.
 * Returns: whether a part of the box lies in the output frame */
static gboolean
move_turned (const GstMgpuMetaTransform * t, MgpuRectangle * box,
    gfloat * angle)
{
  gdouble c = cos (*angle), s = sin (*angle);
  /* Transforms two unit vectors by @t: one along the width of the rotated box, and one
   * along its height. */
  gdouble along_x = t->matrix[0][0] * c + t->matrix[0][1] * s;
  gdouble along_y = t->matrix[1][0] * c + t->matrix[1][1] * s;
  gdouble across_x = t->matrix[0][1] * c - t->matrix[0][0] * s;
  gdouble across_y = t->matrix[1][1] * c - t->matrix[1][0] * s;
  gdouble half_x = (fabs (along_x) * box->width
      + fabs (across_x) * box->height) / 2;
  gdouble half_y = (fabs (along_y) * box->width
      + fabs (across_y) * box->height) / 2;
  gdouble x = box->x + box->width / 2.0, y = box->y + box->height / 2.0;

  move_point (t, &x, &y);
  box->width = MAX (1, round_to_int (box->width * hypot (along_x, along_y)));
  box->height = MAX (1, round_to_int (box->height * hypot (across_x,
              across_y)));
  box->x = round_to_int (x - box->width / 2.0);
  box->y = round_to_int (y - box->height / 2.0);
  *angle = atan2 (along_y, along_x);
  if (*angle < 0)
    *angle += 2 * G_PI;
  return x + half_x > t->x && x - half_x < t->x + t->width
      && y + half_y > t->y && y - half_y < t->y + t->height;
}

/* Moves the object detection @part by the transform @t. Returns: whether a part of its
 * box lies in the output frame */
static gboolean
move_detection (const Motion * motion, Part * part)
{
  GstMgpuMetaTransform t = *motion->t;
  MgpuRectangle *box = &part->box;

#if GST_CHECK_VERSION (1, 26, 0)
  gst_analytics_od_mtd_get_oriented_location (&part->from, &box->x, &box->y,
      &box->width, &box->height, &part->angle, &part->score);
#else
  gst_analytics_od_mtd_get_location (&part->from, &box->x, &box->y,
      &box->width, &box->height, &part->score);
#endif
  if (part->angle == 0)
    return find_moved (motion, box->x, box->y, box->width, box->height, box);
  return (motion->map == NULL || motion->map->linearize (motion->map->data,
          box->x + box->width / 2.0, box->y + box->height / 2.0, t.matrix))
      && move_turned (&t, box, &part->angle);
}

static gboolean
add_detection (Part * part, GstAnalyticsRelationMeta * to)
{
  GQuark type = gst_analytics_od_mtd_get_obj_type (&part->from);
  const MgpuRectangle *box = &part->box;

#if GST_CHECK_VERSION (1, 26, 0)
  if (part->angle != 0)
    return gst_analytics_relation_meta_add_oriented_od_mtd (to, type, box->x,
        box->y, box->width, box->height, part->angle, part->score, &part->to);
#endif
  return gst_analytics_relation_meta_add_od_mtd (to, type, box->x, box->y,
      box->width, box->height, part->score, &part->to);
}

static gboolean
add_classes (Part * part, GstAnalyticsRelationMeta * to)
{
  gsize n = gst_analytics_cls_mtd_get_length (&part->from);
  g_autofree gfloat *levels = g_new (gfloat, n);
  g_autofree GQuark *quarks = g_new (GQuark, n);
  gboolean ok;

  for (gsize i = 0; i < n; i++) {
    levels[i] = gst_analytics_cls_mtd_get_level (&part->from, i);
    quarks[i] = gst_analytics_cls_mtd_get_quark (&part->from, i);
  }
  ok = gst_analytics_relation_meta_add_cls_mtd (to, n, levels, quarks,
      &part->to);
  return ok;
}

static gboolean
add_tracking (Part * part, GstAnalyticsRelationMeta * to)
{
  GstClockTime first, last;
  gboolean lost;
  guint64 id;

  if (!gst_analytics_tracking_mtd_get_info (&part->from, &id, &first, &last,
          &lost)
      || !gst_analytics_relation_meta_add_tracking_mtd (to, id, first,
          &part->to))
    return FALSE;
  gst_analytics_tracking_mtd_update_last_seen (&part->to, last);
  if (lost)
    gst_analytics_tracking_mtd_set_lost (&part->to);
  return TRUE;
}

/* Adds the entry @part to @to, the meta of the output frame. Returns: FALSE if the type of the
 * entry is unknown, because it may contain positions that cannot be transformed */
static gboolean
add_part (GstElement * element, Part * part, GstAnalyticsRelationMeta * to)
{
  GstAnalyticsMtdType type = gst_analytics_mtd_get_mtd_type (&part->from);

  if (is_detection (&part->from))
    return add_detection (part, to);
  if (type == gst_analytics_cls_mtd_get_mtd_type ())
    return add_classes (part, to);
  if (type == gst_analytics_tracking_mtd_get_mtd_type ())
    return add_tracking (part, to);
  GST_MGPU_DEBUG_OBJECT (element, "dropping a %s, because the frame was "
      "cropped, rotated or scaled", gst_analytics_mtd_type_get_name (type));
  return FALSE;
}

static gboolean
are_related (GstAnalyticsRelationMeta * meta, const Part * a, const Part * b)
{
  return gst_analytics_relation_meta_get_relation (meta, a->from.id,
      b->from.id) != GST_ANALYTICS_REL_TYPE_NONE
      || gst_analytics_relation_meta_get_relation (meta, b->from.id,
      a->from.id) != GST_ANALYTICS_REL_TYPE_NONE;
}

/* Determines the entries of the meta that are kept: detections that lie at least partly in
 * the output frame, and entries that are related to such a detection or to no detection. */
static void
find_what_stays (const Motion * motion,
    GstAnalyticsRelationMeta * meta, Part * parts, guint n)
{
  for (guint i = 0; i < n; i++)
    if (is_detection (&parts[i].from))
      parts[i].stays = move_detection (motion, &parts[i]);
  for (guint i = 0; i < n; i++) {
    guint n_detections = 0, n_seen = 0;

    if (is_detection (&parts[i].from))
      continue;
    for (guint j = 0; j < n; j++)
      if (is_detection (&parts[j].from)
          && are_related (meta, &parts[i], &parts[j])) {
        n_detections++;
        n_seen += parts[j].stays;
      }
    parts[i].stays = n_detections == 0 || n_seen > 0;
  }
}

/* Adds a new GstAnalyticsRelationMeta to the output frame, with the entries of the old
 * meta that are kept, and their relations. */
static void
move_analytics (GstElement * element, const Motion * motion, GstBuffer * out,
    GstAnalyticsRelationMeta * from)
{
  GstAnalyticsRelationMetaInitParams room = { 1, 64 };
  g_autoptr (GArray) array = g_array_new (FALSE, TRUE, sizeof (Part));
  GstAnalyticsRelationMeta *to;
  gpointer state = NULL;
  Part part = { 0 }, *parts;

  while (gst_analytics_relation_meta_iterate (from, &state,
          GST_ANALYTICS_MTD_TYPE_ANY, &part.from)) {
    g_array_append_val (array, part);
    room.initial_relation_order++;
    room.initial_buf_size += gst_analytics_mtd_get_size (&part.from) + 64;
  }
  parts = (Part *) array->data;
  find_what_stays (motion, from, parts, array->len);
  to = gst_buffer_add_analytics_relation_meta_full (out, &room);
  for (guint i = 0; i < array->len; i++)
    parts[i].stays = parts[i].stays && add_part (element, &parts[i], to);
  for (guint i = 0; i < array->len; i++)
    for (guint j = 0; j < array->len; j++) {
      GstAnalyticsRelTypes types = parts[i].stays && parts[j].stays
          ? gst_analytics_relation_meta_get_relation (from, parts[i].from.id,
          parts[j].from.id) : GST_ANALYTICS_REL_TYPE_NONE;

      if (types != GST_ANALYTICS_REL_TYPE_NONE)
        gst_analytics_relation_meta_set_relation (to, types, parts[i].to.id,
            parts[j].to.id);
    }
}
#endif

/* Returns: whether the whole input frame fills the output frame, and is neither rotated nor
 * mirrored */
static gboolean
is_whole (const GstMgpuMetaTransform * t)
{
  gint width = GST_VIDEO_INFO_WIDTH (t->out_info);
  gint height = GST_VIDEO_INFO_HEIGHT (t->out_info);

  return t->width == width && t->height == height
      && t->matrix[0][2] == 0 && t->matrix[1][2] == 0
      && rint (t->matrix[0][0] * GST_VIDEO_INFO_WIDTH (t->in_info)) == width
      && rint (t->matrix[1][1] * GST_VIDEO_INFO_HEIGHT (t->in_info)) == height;
}

gboolean
gst_mgpu_convert_moves (const GstMgpuMetaTransform * t)
{
  return !is_whole (t) || t->matrix[0][0] != 1 || t->matrix[1][1] != 1;
}

static gboolean
has_tag (GType api, const gchar * tag)
{
  return gst_meta_api_type_has_tag (api, g_quark_from_string (tag));
}

gboolean
gst_mgpu_convert_meta (GstElement * element, const GstMgpuMetaTransform * t,
    GstBuffer * out, GstMeta * meta, GstBuffer * in)
{
  const Motion motion = { t, NULL };
  const GstMetaInfo *info = meta->info;
  GType api = info->api;
  GstVideoMetaTransform scale = { (GstVideoInfo *) t->in_info,
    (GstVideoInfo *) t->out_info
  };

  /* Drops the crop meta, because the frame has been cropped. */
  if (api == GST_VIDEO_CROP_META_API_TYPE)
    return FALSE;
  if (has_tag (api, GST_META_TAG_VIDEO_COLORSPACE_STR)
      && (GST_VIDEO_INFO_FORMAT (t->in_info) !=
          GST_VIDEO_INFO_FORMAT (t->out_info)
          || !gst_video_colorimetry_is_equal (&t->in_info->colorimetry,
              &t->out_info->colorimetry)))
    return FALSE;
  if (!gst_mgpu_convert_moves (t))
    return TRUE;

  GST_MGPU_TRACE_OBJECT (element, "transforming a %s like the content of its "
      "frame", g_type_name (api));
  if (api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) {
    move_region (&motion, out, (GstVideoRegionOfInterestMeta *) meta);
  } else if (api == GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE) {
    move_overlay (t, out, (GstVideoOverlayCompositionMeta *) meta);
#ifdef HAVE_ANALYTICS
  } else if (api == GST_ANALYTICS_RELATION_META_API_TYPE) {
    move_analytics (element, &motion, out, (GstAnalyticsRelationMeta *) meta);
#endif
  } else if (!has_tag (api, GST_META_TAG_VIDEO_SIZE_STR)
      && !has_tag (api, GST_META_TAG_VIDEO_ORIENTATION_STR)) {
    return TRUE;
  } else if (info->transform_func != NULL
      && !info->transform_func (out, meta, in,
          gst_mgpu_meta_transform_affine_get_quark (), (gpointer) t)
      && is_whole (t)) {
    info->transform_func (out, meta, in,
        gst_video_meta_transform_scale_get_quark (), &scale);
  } else if (info->transform_func == NULL) {
    GST_MGPU_LOG_OBJECT (element, "dropping a %s, which cannot be transformed",
        g_type_name (api));
  }
  return FALSE;
}

gboolean
gst_mgpu_convert_meta_by_map (GstElement * element,
    const GstMgpuConvertMap * map, const GstMgpuMetaMap * points,
    GstBuffer * out, GstMeta * meta, GstBuffer * in)
{
  const GstVideoInfo *out_info = points->out_info;
  const GstMgpuMetaTransform t = {.out_info = out_info,.width = out_info->width,
    .height = out_info->height
  };
  const Motion motion = { &t, map };
  GType api = meta->info->api;

  GST_MGPU_TRACE_OBJECT (element, "transforming a %s like the content of its "
      "frame", g_type_name (api));
  if (api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) {
    move_region (&motion, out, (GstVideoRegionOfInterestMeta *) meta);
    return FALSE;
  }
#ifdef HAVE_ANALYTICS
  if (api == GST_ANALYTICS_RELATION_META_API_TYPE) {
    move_analytics (element, &motion, out, (GstAnalyticsRelationMeta *) meta);
    return FALSE;
  }
#endif
  if (!has_tag (api, GST_META_TAG_VIDEO_SIZE_STR)
      && !has_tag (api, GST_META_TAG_VIDEO_ORIENTATION_STR))
    return TRUE;
  if (api == GST_VIDEO_CROP_META_API_TYPE || meta->info->transform_func == NULL
      || !meta->info->transform_func (out, meta, in,
          gst_mgpu_meta_transform_map_get_quark (), (gpointer) points))
    GST_MGPU_LOG_OBJECT (element, "dropping a %s, which cannot be transformed",
        g_type_name (api));
  return FALSE;
}
