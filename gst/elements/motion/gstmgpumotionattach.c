/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches what mgpumotion finds to frames, as metas. */
#include "gstmgpumotionattach.h"

#include <gst/elements/region.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* Type of the regions of interest */
#define LABEL "motion"

/* Number of values of the mask: background, shadow, motion */
#define N_VALUES 3

/* Removes a region of interest from the list of metas if it is from another mgpumotion, or from an
 * earlier pass of the frame through this element. */
static gboolean
drop_region (GstBuffer * buffer, GstMeta ** meta, gpointer data)
{
  GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) * meta;

  if ((*meta)->info->api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE
      && roi->roi_type == g_quark_try_string (LABEL)
      && gst_video_region_of_interest_meta_get_param (roi, "motion") != NULL)
    *meta = NULL;
  return TRUE;
}

static void
attach_regions (const GArray * regions, guint late, GstBuffer * buffer)
{
  gint id = gst_mgpu_find_region_id (buffer);

  for (guint i = 0; i < regions->len; i++) {
    const GstMgpuMovingRegion *region =
        &g_array_index (regions, GstMgpuMovingRegion, i);
    const GstVideoRectangle box = {
      region->x, region->y, region->width, region->height
    };
    GstVideoRegionOfInterestMeta *roi = gst_mgpu_add_region (buffer, id + i,
        LABEL, &box, gst_structure_new ("detection", "confidence",
            G_TYPE_DOUBLE, region->confidence, "label", G_TYPE_STRING, LABEL,
            NULL));

    gst_video_region_of_interest_meta_add_param (roi, gst_structure_new
        ("motion", "id", G_TYPE_UINT64, region->id, "age", G_TYPE_UINT,
            region->age, "share", G_TYPE_DOUBLE, region->share, "dx",
            G_TYPE_DOUBLE, region->dx, "dy", G_TYPE_DOUBLE, region->dy, "late",
            G_TYPE_UINT, late, NULL));
  }
}

#ifdef HAVE_ANALYTICS
/* Returns: whether mgpumotion attached @mtd */
static gboolean
is_ours (GstAnalyticsMtd * mtd)
{
  GstAnalyticsMtdType type = gst_analytics_mtd_get_mtd_type (mtd);
  GQuark label = g_quark_from_static_string (LABEL);

  if (type == gst_analytics_od_mtd_get_mtd_type ())
    return gst_analytics_od_mtd_get_obj_type (mtd) == label;
#if GST_CHECK_VERSION (1, 26, 0)
  if (type == gst_analytics_segmentation_mtd_get_mtd_type ())
    return gst_analytics_segmentation_mtd_get_region_count (mtd)
        == N_VALUES
        && gst_analytics_segmentation_mtd_get_region_id (mtd, N_VALUES - 1)
        == MOVING_MASK;
  if (type == gst_analytics_cls_mtd_get_mtd_type ())
    return gst_analytics_cls_mtd_get_length (mtd) == N_VALUES
        && gst_analytics_cls_mtd_get_quark (mtd, N_VALUES - 1) == label;
#endif
  return FALSE;
}

/* Removes the GstAnalyticsRelationMeta of an earlier mgpumotion, if other elements have added
 * nothing to it. Single entries of such a meta cannot be removed. */
static void
drop_analytics (GstBuffer * buffer)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);
  gpointer state = NULL;
  GstAnalyticsMtd mtd;
  guint n = 0;

  if (meta == NULL)
    return;
  while (gst_analytics_relation_meta_iterate (meta, &state,
          GST_ANALYTICS_MTD_TYPE_ANY, &mtd)) {
    if (!is_ours (&mtd))
      return;
    n++;
  }
  if (n > 0)
    gst_buffer_remove_meta (buffer, (GstMeta *) meta);
}

#if GST_CHECK_VERSION (1, 26, 0)
/* Attaches the mask of @frame, which stays on the device until it is mapped. Its values are those of
 * the mask of the GstMgpuMovingMeta. */
static void
attach_segmentation (GstElement * element, const GstMgpuMotionFrame * frame,
    GstAnalyticsRelationMeta * meta)
{
  const MgpuMovingSize *size = &frame->size;
  GstBuffer *mask = gst_buffer_copy (frame->mask);
  guint values[N_VALUES] = { 0, MOVING_SHADOW, MOVING_MASK };
  gfloat levels[N_VALUES] = { -1, -1, -1 };
  GQuark classes[N_VALUES] = { g_quark_from_static_string ("background"),
    g_quark_from_static_string ("shadow"), g_quark_from_static_string (LABEL)
  };
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0 };
  gint strides[GST_VIDEO_MAX_PLANES] = { size->width };
  GstAnalyticsMtd segments, cls;

  /* Holds a reference to the buffer of the mask, so that its pool does not reuse the memory while
   * the copy exists. */
  gst_buffer_add_parent_buffer_meta (mask, frame->mask);
  gst_buffer_add_video_meta_full (mask, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, size->width, size->height, 1, offsets, strides);
  if (!gst_analytics_relation_meta_add_segmentation_mtd (meta, mask,
          GST_SEGMENTATION_TYPE_SEMANTIC, N_VALUES, values, 0, 0,
          size->width * size->scale, size->height * size->scale, &segments)
      || !gst_analytics_relation_meta_add_cls_mtd (meta, N_VALUES, levels,
          classes, &cls)
      || !gst_analytics_relation_meta_set_relation (meta,
          GST_ANALYTICS_REL_TYPE_RELATE_TO, segments.id, cls.id))
    GST_MGPU_WARNING_OBJECT (element, "cannot add the mask, because the "
        "GstAnalyticsRelationMeta is full");
}
#endif

static void
attach_analytics (GstElement * element, const GstMgpuMotionFrame * frame,
    const GArray * regions, GstBuffer * buffer)
{
  GstAnalyticsRelationMeta *meta;

  meta = gst_buffer_get_analytics_relation_meta (buffer);
  if (meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
#if GST_CHECK_VERSION (1, 26, 0)
  attach_segmentation (element, frame, meta);
#endif
  for (guint i = 0; i < regions->len; i++) {
    const GstMgpuMovingRegion *region =
        &g_array_index (regions, GstMgpuMovingRegion, i);
    GstAnalyticsODMtd mtd;

    if (!gst_analytics_relation_meta_add_od_mtd (meta,
            g_quark_from_static_string (LABEL), region->x, region->y,
            region->width, region->height, region->confidence, &mtd)) {
      GST_MGPU_WARNING_OBJECT (element, "a GstAnalyticsRelationMeta can hold "
          "only %u of %u regions", i, regions->len);
      return;
    }
  }
}
#endif

void
gst_mgpu_motion_attach_results (GstElement * element,
    GstMgpuMotionFrame * frame, GstMgpuMotionFrame * known, GstBuffer * buffer)
{
  guint n = known != NULL ? known->regions->len : 0;
  guint late = known != NULL ? frame->number - known->number : 0;
  GstMgpuMovingMeta *meta = gst_buffer_add_mgpu_moving_meta (buffer,
      n > 0 ? (const GstMgpuMovingRegion *) known->regions->data : NULL, n,
      known != NULL && known->active, late);

  gst_buffer_foreach_meta (buffer, drop_region, NULL);
#ifdef HAVE_ANALYTICS
  drop_analytics (buffer);
#endif
  gst_mgpu_moving_meta_set_mask (meta, gst_buffer_ref (frame->mask),
      frame->size.width, frame->size.height, frame->size.scale);
  gst_mgpu_moving_meta_set_heat (meta, gst_buffer_ref (frame->heat),
      frame->size.columns, frame->size.rows, frame->size.cell);
  gst_mgpu_moving_meta_set_light_field (meta, gst_buffer_ref (frame->change),
      frame->size.light_offset, frame->size.light_stride, frame->n_forgotten);
  if (known == NULL)
    return;
  gst_mgpu_moving_meta_set_light (meta, known->light, known->survive,
      known->energy, known->tamper);
  attach_regions (known->regions, late, buffer);
#ifdef HAVE_ANALYTICS
  attach_analytics (element, frame, known->regions, buffer);
#endif
}
