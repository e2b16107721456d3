/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests filters that compute several parts of a frame, each of another size, by themselves: the
 * result has to be that of the whole frame. */
#include "regions.h"

/* Marks regions that lie far apart, so that parts of several sizes are computed, and sets mask
 * to them. */
static void
mark_apart (Pair * pair, GstBuffer * frame, Mask * mask, guint turn)
{
  static const gint boxes[][4] = {
    {-4, -4, 50, 20}, {601, 30, 40, 9}, {300, 211, 66, 30}, {7, 407, 90, 90},
    {690, 401, 9, 20}
  };

  for (guint i = turn % 2; i < G_N_ELEMENTS (boxes); i += 1 + turn / 2) {
    const gint *b = boxes[i];

    add_region (frame, "a", b[0], b[1], b[2], b[3]);
    mark (&pair->info, mask->base, b[0], b[1], b[2], b[3]);
  }
}

/* Several parts of a frame, each of which is computed alone, in another order each time. */
GST_START_TEST (test_apart)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_RGBx,
    GST_VIDEO_FORMAT_P010_10LE
  };
  const gchar *launch = launches[__i__ / G_N_ELEMENTS (formats)];
  Pair pair;

  pair_init (&pair, launch, formats[__i__ % G_N_ELEMENTS (formats)], 703, 431);
  g_object_set (pair.filter, "roi-type", "a", NULL);
  for (guint i = 0; i < 4; i++) {
    GstBuffer *frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    Mask mask = {.mix = 1,.feather = i % 2,
      .base = g_malloc0 ((gsize) pair.info.width * pair.info.height)
    };

    mark_apart (&pair, frame, &mask, i);
    check_frame (&pair, frame, &mask);
    g_free (mask.base);
  }
  pair_clear (&pair);
}

GST_END_TEST;

/* A part of a frame with a guide, of another format. */
GST_START_TEST (test_guide)
{
  static const gchar *const filters[] = {
    "mgpubilateral radius=4 planes=all",
    "mgpubilateral method=grid sigma-space=5 planes=all"
  };
  GstVideoInfo guide_info = info_from_string (HOST_CAPS ("RGBx", 703, 431));
  GstHarness *guides[2];
  Pair pair;

  pair_init (&pair, filters[__i__], GST_VIDEO_FORMAT_I420, 703, 431);
  g_object_set (pair.filter, "roi-type", "a", NULL);
  for (guint i = 0; i < 2; i++) {
    GstElement *filter = harness_filter (i == 0 ? pair.part : pair.whole);

    guides[i] = gst_harness_new_with_element (filter, "guide", NULL);
    gst_harness_set_src_caps_str (guides[i], HOST_CAPS ("RGBx", 703, 431));
    gst_object_unref (filter);
  }
  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    Mask mask = {.mix = 1,
      .base = g_malloc0 ((gsize) pair.info.width * pair.info.height)
    };

    GST_BUFFER_PTS (frame) = i * GST_SECOND;
    for (guint j = 0; j < 2; j++) {
      GstBuffer *guide = frame_new (&guide_info, LAYOUT_PADDED, i + 5);

      GST_BUFFER_PTS (guide) = i * GST_SECOND;
      GST_BUFFER_DURATION (guide) = GST_SECOND;
      fail_unless_equals_int (gst_harness_push (guides[j], guide),
          GST_FLOW_OK);
    }
    mark_apart (&pair, frame, &mask, i);
    check_frame (&pair, frame, &mask);
    g_free (mask.base);
  }
  gst_harness_teardown (guides[0]);
  gst_harness_teardown (guides[1]);
  pair_clear (&pair);
}

GST_END_TEST;

static Suite *
mgpuregionsparts_suite (void)
{
  Suite *s = suite_create ("mgpuregionsparts");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_apart, 0, 4 * G_N_ELEMENTS (launches));
  tcase_add_loop_test (tc, test_guide, 0, 2);
  return s;
}

GST_CHECK_MAIN (mgpuregionsparts);
