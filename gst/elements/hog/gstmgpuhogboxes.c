/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches the boxes that mgpuhog finds to frames, as metas, and posts them as messages. */
#include "gstmgpuhogboxes.h"

#include <math.h>

#include <gst/elements/messages.h>
#include <gst/elements/region.h>
#include <gst/frame/gstmgpulog.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* Name of the class of objects that the built-in people detector finds */
#define LABEL "person"

void
gst_mgpu_hog_boxes_shrink (GArray * boxes, gdouble width, gdouble height)
{
  for (guint i = 0; i < boxes->len; i++) {
    MgpuScoredBox *box = &g_array_index (boxes, MgpuScoredBox, i);
    gint whole_width = box->width, whole_height = box->height;

    box->width = rint (width * whole_width);
    box->height = rint (height * whole_height);
    box->x += (whole_width - box->width) / 2;
    box->y += (whole_height - box->height) / 2;
  }
}

static const gchar *
get_name (const GstMgpuHogModels * models, const MgpuScoredBox * box)
{
  return models != NULL ? gst_mgpu_hog_models_get_name (models, box->label)
      : LABEL;
}

/* Returns: the confidence that a box shows an object, from 0 to 1: a logistic function of
 * the score of the box */
static gdouble
get_confidence (const GstMgpuHogConfidence * confidence,
    const GstMgpuHogModels * models, const MgpuScoredBox * box)
{
  gdouble slope = GST_MGPU_HOG_PEOPLE_SLOPE;
  gdouble midpoint = GST_MGPU_HOG_PEOPLE_MIDPOINT;

  if (models != NULL)
    gst_mgpu_hog_models_get_confidence (models, box->label, &slope, &midpoint);
  if (confidence->slope != NULL)
    slope = *confidence->slope;
  if (confidence->midpoint != NULL)
    midpoint = *confidence->midpoint;
  return 1 / (1 + exp (-slope * (box->score - midpoint)));
}

/* Returns: (transfer full): a structure that describes the object in a box (class, scores
 * and the like), without its position */
static GstStructure *
describe (const GstMgpuHogConfidence * confidence,
    const GstMgpuHogModels * models, const MgpuScoredBox * box,
    const gchar * name)
{
  return gst_structure_new (name, "confidence", G_TYPE_DOUBLE,
      get_confidence (confidence, models, box), "score", G_TYPE_DOUBLE,
      (gdouble) box->score, "label-id", G_TYPE_INT, box->label, "component",
      G_TYPE_INT, box->component, NULL);
}

#ifdef HAVE_ANALYTICS
/* Adds an object detection for each box to the GstAnalyticsRelationMeta of the buffer. A
 * buffer has at most one such meta; an element upstream may have attached it already. */
static void
attach_analytics (GstElement * element, const GArray * boxes,
    const GstMgpuHogModels * models, const GstMgpuHogConfidence * confidence,
    GstBuffer * buffer)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);

  if (meta == NULL && boxes->len > 0)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  for (guint i = 0; i < boxes->len; i++) {
    const MgpuScoredBox *box = &g_array_index (boxes, MgpuScoredBox, i);
    GQuark name = g_quark_from_string (get_name (models, box));
    GstAnalyticsODMtd mtd;

    if (!gst_analytics_relation_meta_add_od_mtd (meta, name, box->x, box->y,
            box->width, box->height, get_confidence (confidence, models, box),
            &mtd)) {
      GST_MGPU_WARNING_OBJECT (element, "a GstAnalyticsRelationMeta can hold "
          "only %u of %u detections", i, boxes->len);
      return;
    }
  }
}
#endif

void
gst_mgpu_hog_boxes_attach (GstElement * element, const GArray * boxes,
    const GstMgpuHogModels * models, const GstMgpuHogConfidence * confidence,
    GstBuffer * buffer)
{
  gint id = gst_mgpu_find_region_id (buffer);

  for (guint i = 0; i < boxes->len; i++) {
    const MgpuScoredBox *box = &g_array_index (boxes, MgpuScoredBox, i);
    const GstVideoRectangle at = { box->x, box->y, box->width, box->height };

    gst_mgpu_add_region (buffer, id + i, get_name (models, box), &at,
        describe (confidence, models, box, "detection"));
  }
#ifdef HAVE_ANALYTICS
  attach_analytics (element, boxes, models, confidence, buffer);
#endif
}

void
gst_mgpu_hog_boxes_post (const GArray * boxes, const GstMgpuHogModels * models,
    const GstMgpuHogConfidence * confidence, GstBaseTransform * trans,
    GstBuffer * buffer)
{
  GstStructure *s = gst_mgpu_message_new_structure ("mgpu-detections", trans,
      GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer));
  GValue list = G_VALUE_INIT;

  g_value_init (&list, GST_TYPE_ARRAY);
  for (guint i = 0; i < boxes->len; i++) {
    const MgpuScoredBox *box = &g_array_index (boxes, MgpuScoredBox, i);
    GstStructure *found = describe (confidence, models, box,
        get_name (models, box));
    GValue value = G_VALUE_INIT;

    gst_structure_set (found, "x", G_TYPE_INT, box->x, "y", G_TYPE_INT, box->y,
        "width", G_TYPE_INT, box->width, "height", G_TYPE_INT, box->height,
        NULL);
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, found);
    gst_value_array_append_and_take_value (&list, &value);
  }
  gst_structure_take_value (s, "detections", &list);
  GST_MGPU_LOG_OBJECT (trans, "posts %" GST_PTR_FORMAT, s);
  gst_element_post_message (GST_ELEMENT (trans),
      gst_message_new_element (GST_OBJECT (trans), s));
}
