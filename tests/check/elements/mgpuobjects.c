/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests how elements read the objects that detectors attached to frames. */
#include "common.h"

#include <math.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* Frames that are wide and high enough for a search window of mgpuhog */
#define CAPS HOST_CAPS ("GRAY8", 96, 152)

/* Launch lines. Regions are added before object detections: whether detections of mgpuhog are drawn
 * below or above those of the frame does not matter, because their color is the same. */
static const gchar *const launches[] = {
  "mgpuoverlay name=f draw=regions",
  "mgpuoverlay name=f",
  "mgpuinpaint name=f mask-source=roi roi-type=thing search-factor=0.5",
  "mgpusift name=f roi-type=thing octaves=2 ! mgpuoverlay draw=keypoints",
  /* Uses parentheses, because Clang would otherwise warn about a missing comma. */
  ("mgpuhog name=f roi-type=thing threshold=-9 group-threshold=0 nms-overlap=1 "
      "max-detections=0 ! mgpuoverlay draw=regions text-color=0 line-width=2"),
  "mgputrack name=f min-frames=1 ! mgpuoverlay draw=regions",
  "mgpublur name=f roi-type=thing mask-hold=2"
};

/* Elements of @launches that only use regions of interest */
static const guint with_types[] = { 2, 3, 4, 6 };

typedef struct
{
  const gchar *type;
  gint x, y, width, height;
  gdouble confidence;
} Object;

static const Object usual[] = {
  {"thing", 40, 70, 40, 41, 0.5},
  {"other", 5, 7, 30, 20, 0.75},
  {"thing", -4, 60, 12, 30, 0.25},
  {"thing", 80, 140, 40, 40, 1}
};

static void
add_regions (GstBuffer * buffer, const Object * objects, guint n)
{
  for (guint i = 0; i < n; i++)
    gst_video_region_of_interest_meta_add_param
        (gst_buffer_add_video_region_of_interest_meta (buffer, objects[i].type,
            objects[i].x, objects[i].y, objects[i].width, objects[i].height),
        gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE,
            objects[i].confidence, NULL));
}

/* Pushes a frame with objects. Returns: (transfer full): the output frame */
static GstBuffer *
push (GstHarness * h, const GstVideoInfo * info, const Object * objects,
    guint n)
{
  GstBuffer *buffer = frame_new (info, LAYOUT_DEFAULT, 7);

  add_regions (buffer, objects, n);
  return harness_push_pull (h, buffer);
}

#ifdef HAVE_ANALYTICS
static void
add_detections (GstBuffer * buffer, const Object * objects, guint n)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_add_analytics_relation_meta (buffer);
  GstAnalyticsODMtd mtd;

  for (guint i = 0; i < n; i++)
    fail_unless (gst_analytics_relation_meta_add_od_mtd (meta,
            g_quark_from_string (objects[i].type), objects[i].x, objects[i].y,
            objects[i].width, objects[i].height, objects[i].confidence, &mtd));
}

/* Tests that regions of interest, object detections, and both for the same objects give the same
 * frames, which differ from a frame without objects. */
GST_START_TEST (test_same)
{
  GstVideoInfo info = info_from_string (CAPS);
  GstBuffer *frames[4];

  for (guint i = 0; i < 4; i++) {
    g_autoptr (GstHarness) h = harness_new (launches[__i__], CAPS, CAPS);
    GstBuffer *buffer = frame_new (&info, LAYOUT_DEFAULT, 7);

    if (i & 1)
      add_regions (buffer, usual, G_N_ELEMENTS (usual));
    if (i & 2)
      add_detections (buffer, usual, G_N_ELEMENTS (usual));
    frames[i] = harness_push_pull (h, buffer);
  }
  fail_unless_same_frame (&info, frames[1], frames[2]);
  fail_unless_same_frame (&info, frames[1], frames[3]);
  fail_unless (count_differences (&info, frames[0], frames[1]) > 0);
  for (guint i = 0; i < 4; i++)
    gst_buffer_unref (frames[i]);
}

GST_END_TEST;
#endif

/* Pushes a frame with @objects. Returns: (transfer full): the output frame of an element whose
 * "roi-type" is set to @types, or not set if @types is NULL */
static GstBuffer *
push_types (const gchar * launch, const gchar * types, const Object * objects)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstHarness) h = harness_new (launch, CAPS, CAPS);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstBuffer *out;

  g_object_set (filter, "roi-type", types, NULL);
  out = push (h, &info, objects, 4);
  return out;
}

/* Tests that roi-type may contain several types, separated by commas and spaces, all of which are
 * searched for, and * for any type. A type that no object has makes no difference. */
GST_START_TEST (test_types)
{
  static const Object objects[] = {
    {"thing", 40, 70, 40, 41, 0.5}, {"a b", 5, 7, 30, 70, 0.75},
    {"other", 30, 60, 30, 40, 0.25}, {"thing", 80, 140, 40, 40, 1}
  };
  const gchar *launch = launches[with_types[__i__]];
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstBuffer) all = push_types (launch, "*", objects);
  g_autoptr (GstBuffer) one = push_types (launch, "thing", objects);
  static const gchar *const same[] = {
    "thing,a b,other", " other , thing,,no,a b ", "no,*"
  };

  for (guint i = 0; i < G_N_ELEMENTS (same); i++) {
    g_autoptr (GstBuffer) out = push_types (launch, same[i], objects);

    fail_unless_same_frame (&info, out, all);
  }
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out =
        push_types (launch, i == 0 ? "thing,a b" : "no,thing", objects);

    fail_unless_equals_int (count_differences (&info, out, one) > 0, i == 0);
    fail_unless (count_differences (&info, out, all) > 0);
  }
}

GST_END_TEST;

static const Object bad[] = {
  {"thing", 500, 500, 10, 10, 0.5},
  {"thing", -500, -500, 10, 10, 0.5},
  {"thing", 40, 70, 0, 0, 0.5},
  {"thing", 40, 70, 10, 0, 0.5},
  {"thing", 40, 70, -10, -10, 0.5},
  {"thing", 40, 70, G_MININT, G_MININT, 0.5},
  {"thing", G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT, 0.5},
  {"thing", G_MININT, G_MININT, G_MAXINT, G_MAXINT, 0.5},
  {"thing", 20, 20, G_MAXINT, 1, NAN},
  {"thing", 10, 10, 20, 20, INFINITY},
  {"thing", 10, 10, 20, 20, -INFINITY},
  {"", 10, 10, 20, 20, 1e300},
  {"thing", 12, 10, 20, 20, -1e300}
};

/* Tests that invalid boxes and NaN confidences do no harm: each frame is pushed, and the output for
 * the next valid frame is the same as without them. */
GST_START_TEST (test_bad)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstHarness) h = harness_new (launches[__i__], CAPS, CAPS);
  g_autoptr (GstBuffer) before =
      push (h, &info, usual, G_N_ELEMENTS (usual)), after = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    gst_buffer_unref (push (h, &info, &bad[i], 1));
#ifdef HAVE_ANALYTICS
    {
      GstBuffer *buffer = frame_new (&info, LAYOUT_DEFAULT, 7);

      add_detections (buffer, &bad[i], 1);
      gst_buffer_unref (harness_push_pull (h, buffer));
    }
#endif
  }
  gst_buffer_unref (push (h, &info, bad, G_N_ELEMENTS (bad)));
  flush (h);
  after = push (h, &info, usual, G_N_ELEMENTS (usual));
  /* Skips elements whose output depends on earlier frames: ids, with their colors and labels,
   * continue after a flush, and the text contains a time. */
  if (strstr (launches[__i__], "mgputrack") == NULL
      && strstr (launches[__i__], "draw") != NULL)
    fail_unless_same_frame (&info, before, after);
}

GST_END_TEST;

/* Tests that thousands of objects, most of them at the same position, take at most seconds. */
GST_START_TEST (test_thousands)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstHarness) h = harness_new (launches[__i__], CAPS, CAPS);
  g_autofree Object *objects = g_new (Object, 5000);
  gint64 time;

  for (guint i = 0; i < 5000; i++)
    objects[i] = (Object) {
    "thing", i % 90, 60 + i % 7, 1 + i % 40, 2 + i % 50, i / 5000.0};
  gst_buffer_unref (push (h, &info, usual, 1));
  time = g_get_monotonic_time ();
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (push (h, &info, objects, 5000));
  fail_unless (g_get_monotonic_time () - time < 60 * G_USEC_PER_SEC);
}

GST_END_TEST;

CHECK_TESTS (mgpuobjects)
{
#ifdef HAVE_ANALYTICS
  tcase_add_loop_test (tc, test_same, 0, G_N_ELEMENTS (launches));
#endif
  tcase_add_loop_test (tc, test_types, 0, G_N_ELEMENTS (with_types));
  tcase_add_loop_test (tc, test_bad, 0, G_N_ELEMENTS (launches));
  tcase_add_loop_test (tc, test_thousands, 0, G_N_ELEMENTS (launches));
}
