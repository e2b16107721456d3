/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches the boxes that mgpuhog finds to frames, as metas, and posts them as messages. */
#include "gstmgpuhogboxes.h"

#include <math.h>

#include <gst/elements/detections.h>

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

/* Returns: (transfer full): an array of GstMgpuFound for an array of MgpuScoredBox */
static GArray *
make_list (const GArray * boxes, const GstMgpuHogModels * models,
    const GstMgpuHogConfidence * confidence)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (GstMgpuFound));

  for (guint i = 0; i < boxes->len; i++) {
    const MgpuScoredBox *box = &g_array_index (boxes, MgpuScoredBox, i);
    GstMgpuFound found = { {box->x, box->y, box->width, box->height},
    get_name (models, box), get_confidence (confidence, models, box),
    box->score, box->label, box->component
    };

    g_array_append_val (list, found);
  }
  return list;
}

void
gst_mgpu_hog_boxes_attach (GstElement * element, const GArray * boxes,
    const GstMgpuHogModels * models, const GstMgpuHogConfidence * confidence,
    GstBuffer * buffer)
{
  g_autoptr (GArray) list = make_list (boxes, models, confidence);

  gst_mgpu_attach_detections (element, list, buffer);
}

void
gst_mgpu_hog_boxes_post (const GArray * boxes, const GstMgpuHogModels * models,
    const GstMgpuHogConfidence * confidence, GstBaseTransform * trans,
    GstBuffer * buffer)
{
  g_autoptr (GArray) list = make_list (boxes, models, confidence);

  gst_mgpu_post_detections (trans, list, buffer);
}
