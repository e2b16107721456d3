/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests how detections are read from regions of interest and from metas of GstAnalytics. */
#include <gst/mgpu/mgpu.h>

#include <math.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#include "../suite.h"

static void
add_region (GstBuffer * buffer, const gchar * type, gint x, gint id,
    GstStructure * param)
{
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_add_video_region_of_interest_meta (buffer, type, x, 2, 3, 4);

  roi->id = id;
  if (param != NULL)
    gst_video_region_of_interest_meta_add_param (roi, param);
}

/* Tests that detections from regions are in the order of the frame's metas, whatever their ids are,
 * and outlive the frame. */
GST_START_TEST (test_regions)
{
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GPtrArray) list = gst_mgpu_buffer_get_detections (buffer);
  const GstMgpuDetection *d;
  GstMgpuDetection *copy;

  fail_unless_equals_int (list->len, 0);
  g_ptr_array_unref (list);
  add_region (buffer, "person", -7, 99, gst_structure_new ("detection",
          "confidence", G_TYPE_DOUBLE, 0.5, "score", G_TYPE_DOUBLE, 2.5,
          "label-id", G_TYPE_INT, 3, NULL));
  add_region (buffer, "car", 8, 99, gst_structure_new ("detection",
          "confidence", G_TYPE_FLOAT, 0.25, "label_id", G_TYPE_INT, 4, NULL));
  add_region (buffer, NULL, 9, 0, gst_structure_new ("detection",
          "confidence", G_TYPE_DOUBLE, NAN, NULL));
  add_region (buffer, "a", 10, 0, gst_structure_new ("tracking",
          "id", G_TYPE_UINT64, G_GUINT64_CONSTANT (5000000000), NULL));
  add_region (buffer, "b", 11, 0, gst_structure_new ("object_id",
          "id", G_TYPE_INT, 6, NULL));
  list = gst_mgpu_buffer_get_detections (buffer);
  gst_buffer_unref (buffer);

  fail_unless_equals_int (list->len, 5);
  d = list->pdata[0];
  fail_unless_equals_string (d->label, "person");
  fail_unless (d->x == -7 && d->y == 2 && d->width == 3 && d->height == 4);
  fail_unless (d->confidence == 0.5 && d->score == 2.5 && d->label_id == 3);
  fail_unless (d->tracking_id == -1 && d->rotation == 0);
  copy = g_boxed_copy (GST_TYPE_MGPU_DETECTION, d);
  fail_unless (copy != d && copy->x == -7);
  g_boxed_free (GST_TYPE_MGPU_DETECTION, copy);
  d = list->pdata[1];
  fail_unless (d->confidence == 0.25 && d->score == 0.25 && d->label_id == 4);
  d = list->pdata[2];
  fail_unless (d->label == NULL && d->confidence == -1 && d->score == -1);
  d = list->pdata[3];
  fail_unless (d->tracking_id == G_GINT64_CONSTANT (5000000000));
  d = list->pdata[4];
  fail_unless (d->tracking_id == 6);
}

GST_END_TEST;

/* Tests that a size beyond G_MAXINT is clamped, and that the box still covers the same part of any
 * frame. */
GST_START_TEST (test_huge)
{
  static const struct
  {
    gint begin;
    guint size;
    gint left, width;
  } cases[] = {
    {G_MININT, G_MAXUINT, -(1 << 30), G_MAXINT}, {-5, G_MAXUINT, -5, G_MAXINT},
    {G_MININT, (guint) G_MAXINT + 9, G_MININT + 9, G_MAXINT},
    {7, G_MAXUINT, 7, G_MAXINT}, {-7, 9, -7, 9}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstBuffer) buffer = gst_buffer_new ();
    const GstMgpuDetection *d;
    g_autoptr (GPtrArray) list = NULL;

    gst_buffer_add_video_region_of_interest_meta (buffer, "a", cases[i].begin,
        cases[i].begin, cases[i].size, cases[i].size);
    list = gst_mgpu_buffer_get_detections (buffer);
    d = list->pdata[0];
    fail_unless_equals_int (d->x, cases[i].left);
    fail_unless (d->y == d->x && d->width == cases[i].width
        && d->height == d->width);
  }
}

GST_END_TEST;

/* Tests parameters of other elements with the same names but other fields or types: they are read
 * as far as they make sense. */
GST_START_TEST (test_foreign)
{
  GstStructure *params[] = {
    gst_structure_new ("detection", "confidence", G_TYPE_STRING, "high",
        "label-id", G_TYPE_DOUBLE, 3., NULL),
    gst_structure_new_empty ("detection"),
    gst_structure_new ("tracking", "id", G_TYPE_INT, -3, NULL),
    gst_structure_new ("tracking", "id", G_TYPE_UINT64, G_MAXUINT64, NULL),
    gst_structure_new ("object_id", "id", G_TYPE_STRING, "7", NULL),
    gst_structure_new ("object_id", "id", G_TYPE_INT, -7, NULL),
    gst_structure_new ("detection", "confidence", G_TYPE_FLOAT, -INFINITY,
        "score", G_TYPE_INT, 5, NULL)
  };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (GPtrArray) list = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    add_region (buffer, "person", i, 0, params[i]);
  list = gst_mgpu_buffer_get_detections (buffer);
  fail_unless_equals_int (list->len, G_N_ELEMENTS (params));
  for (guint i = 0; i < list->len; i++) {
    const GstMgpuDetection *d = list->pdata[i];

    fail_unless_equals_string (d->label, "person");
    fail_unless_equals_int (d->label_id, -1);
    fail_unless_equals_int64 (d->tracking_id, -1);
    fail_unless (d->confidence == (i == 6 ? -INFINITY : -1));
    fail_unless (d->score == d->confidence);
  }
}

GST_END_TEST;

#ifdef HAVE_ANALYTICS
/* Tests that a detection that is in both kinds of meta counts only once. */
GST_START_TEST (test_analytics)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstAnalyticsRelationMeta *meta =
      gst_buffer_add_analytics_relation_meta (buffer);
  GstAnalyticsODMtd od;
  GstAnalyticsTrackingMtd tracking;
  g_autoptr (GPtrArray) list = NULL;
  const GstMgpuDetection *d;

  add_region (buffer, "person", 10, 0, NULL);
  fail_unless (gst_analytics_relation_meta_add_od_mtd (meta,
          g_quark_from_string ("person"), 11, 2, 3, 4, 0.5, &od));
  fail_unless (gst_analytics_relation_meta_add_tracking_mtd (meta, 12, 0,
          &tracking));
  fail_unless (gst_analytics_relation_meta_set_relation (meta,
          GST_ANALYTICS_REL_TYPE_RELATE_TO, od.id, tracking.id));
  fail_unless (gst_analytics_relation_meta_add_od_mtd (meta,
          g_quark_from_string ("car"), 11, 2, 3, 4, 0.25, &od));
  list = gst_mgpu_buffer_get_detections (buffer);
  fail_unless_equals_int (list->len, 2);
  d = list->pdata[0];
  fail_unless (d->x == 10 && d->confidence == 0.5 && d->tracking_id == 12);
  d = list->pdata[1];
  fail_unless_equals_string (d->label, "car");
  fail_unless (d->confidence == 0.25 && d->tracking_id == -1);
}

GST_END_TEST;
#endif

/* Tests that a motion meta is copied with the frame, and that the copy outlives the frame. */
GST_START_TEST (test_motion)
{
  static const gdouble motion[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  GstBuffer *buffer = gst_buffer_new (), *other;
  GstMgpuMotionMeta *meta = gst_buffer_add_mgpu_motion_meta (buffer, motion,
      NULL, GST_MGPU_MOTION_STATE_BRIDGED, 77);

  other = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  meta = g_boxed_copy (GST_TYPE_MGPU_MOTION_META,
      gst_buffer_get_mgpu_motion_meta (other));
  gst_buffer_unref (other);
  fail_unless (gst_mgpu_motion_meta_get_motion (meta)[8] == 9);
  fail_unless (gst_mgpu_motion_meta_get_correction (meta)[4] == 1);
  fail_unless_equals_int (gst_mgpu_motion_meta_get_state (meta),
      GST_MGPU_MOTION_STATE_BRIDGED);
  fail_unless_equals_int (gst_mgpu_motion_meta_get_n_inliers (meta), 77);
  g_boxed_free (GST_TYPE_MGPU_MOTION_META, meta);
}

GST_END_TEST;

CHECK_TESTS (mgpudetection)
{
  tcase_add_test (tc, test_regions);
#ifdef HAVE_ANALYTICS
  tcase_add_test (tc, test_analytics);
#endif
  tcase_add_test (tc, test_huge);
  tcase_add_test (tc, test_foreign);
  tcase_add_test (tc, test_motion);
}
