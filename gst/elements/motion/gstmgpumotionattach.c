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
static void
attach_analytics (GstElement * element, const GArray * regions,
    GstBuffer * buffer)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);

  if (meta == NULL && regions->len > 0)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
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

  gst_mgpu_moving_meta_set_mask (meta, gst_buffer_ref (frame->mask),
      frame->size.width, frame->size.height, frame->size.scale);
  gst_mgpu_moving_meta_set_heat (meta, gst_buffer_ref (frame->heat),
      frame->size.columns, frame->size.rows, frame->size.cell);
  if (known == NULL)
    return;
  gst_mgpu_moving_meta_set_light (meta, known->light, known->survive,
      known->energy, known->tamper);
  attach_regions (known->regions, late, buffer);
#ifdef HAVE_ANALYTICS
  attach_analytics (element, known->regions, buffer);
#endif
}
