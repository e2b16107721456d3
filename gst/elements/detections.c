/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches objects that were found to frames, as metas, and posts them as messages. */
#include "detections.h"

#include <gst/frame/gstmgpulog.h>

#include "messages.h"
#include "region.h"

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* Returns: (transfer full): a structure that describes an object (class, scores and the like),
 * without its position */
static GstStructure *
describe (const GstMgpuFound * found, const gchar * name)
{
  GstStructure *s = gst_structure_new (name, "confidence", G_TYPE_DOUBLE,
      found->confidence, "score", G_TYPE_DOUBLE, found->score, "label-id",
      G_TYPE_INT, found->label, NULL);

  if (found->component >= 0)
    gst_structure_set (s, "component", G_TYPE_INT, found->component, NULL);
  return s;
}

#ifdef HAVE_ANALYTICS
/* Adds an object detection for each object to the GstAnalyticsRelationMeta of the buffer. A
 * buffer has at most one such meta; an element upstream may have attached it already. */
static void
attach_analytics (GstElement * element, const GArray * list, GstBuffer * buffer)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);

  if (meta == NULL && list->len > 0)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  for (guint i = 0; i < list->len; i++) {
    const GstMgpuFound *found = &g_array_index (list, GstMgpuFound, i);
    const GstVideoRectangle *box = &found->box;
    GstAnalyticsODMtd mtd;

    if (!gst_analytics_relation_meta_add_od_mtd (meta,
            g_quark_from_string (found->name), box->x, box->y, box->w, box->h,
            found->confidence, &mtd)) {
      GST_MGPU_WARNING_OBJECT (element, "a GstAnalyticsRelationMeta can hold "
          "only %u of %u detections", i, list->len);
      return;
    }
  }
}
#endif

void
gst_mgpu_attach_detections (GstElement * element, const GArray * list,
    GstBuffer * buffer)
{
  gint id = gst_mgpu_find_region_id (buffer);

  for (guint i = 0; i < list->len; i++) {
    const GstMgpuFound *found = &g_array_index (list, GstMgpuFound, i);

    gst_mgpu_add_region (buffer, id + i, found->name, &found->box,
        describe (found, "detection"));
  }
#ifdef HAVE_ANALYTICS
  attach_analytics (element, list, buffer);
#endif
}

void
gst_mgpu_post_detections (GstBaseTransform * trans, const GArray * list,
    GstBuffer * buffer)
{
  GstStructure *s = gst_mgpu_message_new_structure ("mgpu-detections", trans,
      GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer));
  GValue all = G_VALUE_INIT;

  g_value_init (&all, GST_TYPE_ARRAY);
  for (guint i = 0; i < list->len; i++) {
    const GstMgpuFound *found = &g_array_index (list, GstMgpuFound, i);
    GstStructure *one = describe (found, found->name);
    GValue value = G_VALUE_INIT;

    gst_structure_set (one, "x", G_TYPE_INT, found->box.x, "y", G_TYPE_INT,
        found->box.y, "width", G_TYPE_INT, found->box.w, "height", G_TYPE_INT,
        found->box.h, NULL);
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, one);
    gst_value_array_append_and_take_value (&all, &value);
  }
  gst_structure_take_value (s, "detections", &all);
  GST_MGPU_LOG_OBJECT (trans, "posting %" GST_PTR_FORMAT, s);
  gst_element_post_message (GST_ELEMENT (trans),
      gst_message_new_element (GST_OBJECT (trans), s));
}
