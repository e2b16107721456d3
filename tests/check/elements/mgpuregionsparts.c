/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests filters that compute several parts of a frame separately, each with another size: the
 * result has to equal the result for the whole frame, and the cost has to be proportional to the
 * size of the parts. */
#include "regions.h"

#include "items.h"

/* Marks regions that are far apart, so that parts of several sizes are computed, and sets @mask to
 * these regions. */
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

/* Tests several parts of a frame that are computed separately, each time in another order. */
GST_START_TEST (test_apart)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_RGBx,
    GST_VIDEO_FORMAT_P010_10LE
  };
  const gchar *launch = launches[__i__ / G_N_ELEMENTS (formats)];
  g_auto (Pair) pair = { NULL };

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
}

GST_END_TEST;

/* Tests a part of a frame with a guide image of another format. */
GST_START_TEST (test_guide)
{
  static const gchar *const filters[] = {
    "mgpubilateral radius=4 planes=all",
    "mgpubilateral method=grid sigma-space=5 planes=all"
  };
  GstVideoInfo guide_info = info_from_string (HOST_CAPS ("RGBx", 703, 431));
  GstHarness *guides[2];
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, filters[__i__], GST_VIDEO_FORMAT_I420, 703, 431);
  g_object_set (pair.filter, "roi-type", "a", NULL);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstElement) filter =
        harness_filter (i == 0 ? pair.part : pair.whole);

    guides[i] = gst_harness_new_with_element (filter, "guide", NULL);
    gst_harness_set_src_caps_str (guides[i], HOST_CAPS ("RGBx", 703, 431));
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
}

GST_END_TEST;

/* Returns: the number of work-items for a frame of which only a rectangle changes */
static guint64
count_items (const gchar * launch, const gchar * rectangle)
{
  g_autoptr (GstHarness) h = open_filter (launch);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_I420, 1280, 720, FALSE);
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_src_caps (h, caps);
  g_object_set (filter, "rectangle", rectangle, NULL);
  /* Pushes two frames, because the first frame may initialize something. */
  for (guint i = 0; i < 2; i++) {
    n_items = 0;
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                i)));
  }
  return n_items;
}

static const struct
{
  const gchar *launch, *kernels;        /* names of the kernels that compute only the parts of
                                         * the frame inside the regions; NULL: all kernels */
  gdouble most;                 /* maximum number of work-items, as a fraction of those for the
                                 * whole frame */
} costs[] = {
  {"mgpublur sigma=5", NULL, 0.2},
  {"mgpublur sigma=1.2", NULL, 0.45},
  {"mgpublur method=pixelate block-size=22", NULL, 0.15},
  {"mgpublur method=fill", NULL, 0.15},
  {"mgpusharpen sigma=2", NULL, 0.45},
  {"mgpusharpen sigma=13", NULL, 0.5},
  {"mgpubilateral planes=all radius=3", NULL, 0.2},
  {"mgpubilateral method=grid sigma-space=7 planes=all", NULL, 0.25},
  {"mgpubilateral method=constant-time sigma-space=4 planes=all", NULL, 0.2},
  {"mgpudenoise noise=20", "denoise_smooth", 0.15},
  {"mgpulocalcontrast", "localcontrast_store", 0.15}
};

/* Tests that a tenth of the frame requires about a tenth of the work-items. The limits are higher
 * because filters also read surrounding pixels, and some work-groups are not full. */
GST_START_TEST (test_cost)
{
  guint64 part, whole;

  counted_kernels = costs[__i__].kernels;
  whole = count_items (costs[__i__].launch, NULL);
  part = count_items (costs[__i__].launch, "384,224,384,240");
  GST_INFO ("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " work-items",
      costs[__i__].launch, part, whole);
  fail_unless (part > 0 && part <= costs[__i__].most * whole,
      "%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " work-items",
      costs[__i__].launch, part, whole);
}

GST_END_TEST;

CHECK_TESTS (mgpuregionsparts)
{
  tcase_add_loop_test (tc, test_apart, 0, 4 * G_N_ELEMENTS (launches));
  tcase_add_loop_test (tc, test_guide, 0, 2);
  tcase_add_loop_test (tc, test_cost, 0, G_N_ELEMENTS (costs));
}
