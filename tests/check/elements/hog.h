/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Holds what several tests of mgpuhog use. */
#pragma once

#include "../notrun.h"
#include "reference.h"

#include <math.h>

/* Properties with which every search window is a hit, and each hit becomes a detection */
#define EVERYTHING "threshold=-100 group-threshold=0 nms-overlap=1 " \
    "max-detections=0"

/* Launch line of an mgpuhog that reports all search windows as people */
#define ALL "mgpuhog name=f box=window " EVERYTHING

static inline guint
count_rois (GstBuffer * buffer)
{
  return gst_buffer_get_n_meta (buffer,
      GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
}

static inline GstVideoRegionOfInterestMeta *
get_roi (GstBuffer * buffer, gint id)
{
  return gst_buffer_get_video_region_of_interest_meta_id (buffer, id);
}

/* Checks the parameters of a person's region. Returns: the person's score */
static inline gdouble
get_score (GstVideoRegionOfInterestMeta * roi)
{
  GstStructure *s = gst_video_region_of_interest_meta_get_param (roi,
      "detection");
  gdouble confidence, score;
  gint label, component;

  fail_unless (s != NULL);
  fail_unless_equals_string (g_quark_to_string (roi->roi_type), "person");
  fail_unless (gst_structure_get (s, "confidence", G_TYPE_DOUBLE, &confidence,
          "score", G_TYPE_DOUBLE, &score, "label-id", G_TYPE_INT, &label,
          "component", G_TYPE_INT, &component, NULL));
  fail_unless_equals_int (gst_structure_n_fields (s), 4);
  fail_unless_equals_int (label, 0);
  fail_unless_equals_int (component, 0);
  fail_unless (fabs (confidence - 1 / (1 + exp (-1.4 * (score - 1.65))))
      < 1e-9, "%g for %g", confidence, score);
  return score;
}

/* Keeps the first frame that the sink gets; the number of later frames depends on time. */
static inline void
keep_first (GstElement * sink, GstBuffer * buffer, GstPad * pad,
    GstBuffer ** first)
{
  if (*first == NULL)
    *first = gst_buffer_ref (buffer);
}

/* Fails unless mgpuhog with these properties finds the person at (268, 262) in the first frame of
 * OpenCV's video, as a region of the type @type. */
static inline void
check_walker (const gchar * properties, const gchar * type)
{
  gchar *text;
  g_autoptr (GstElement) pipeline = NULL, sink = NULL;
  GstBuffer *first = NULL;
  gpointer state = NULL;
  gboolean found = FALSE;
  GstMeta *meta;

  if (!can_play_video ())
    return;
  text = g_strdup_printf ("filesrc location=" VIDEO " ! decodebin ! "
      "videoconvert ! mgpuhog %s ! fakesink name=sink num-buffers=1 sync=false "
      "signal-handoffs=true", properties);
  pipeline = gst_parse_launch (text, NULL);
  g_free (text);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_signal_connect (sink, "handoff", G_CALLBACK (keep_first), &first);
  fail_unless_no_error (run_to_end (pipeline));
  fail_unless (first != NULL);
  while ((meta = gst_buffer_iterate_meta_filtered (first, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    gdouble score = 0;

    if (g_str_equal (type, "person"))
      score = get_score (roi);
    GST_INFO ("%u, %u, %ux%u: %g", roi->x, roi->y, roi->w, roi->h, score);
    fail_unless_equals_string (g_quark_to_string (roi->roi_type), type);
    found |= ABS ((gint) (roi->x + roi->w / 2) - 268) < 16
        && ABS ((gint) (roi->y + roi->h / 2) - 262) < 16 && roi->h < 200
        && (score > 1 || !g_str_equal (type, "person"));
  }
  fail_unless (found);
  gst_buffer_unref (first);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}
