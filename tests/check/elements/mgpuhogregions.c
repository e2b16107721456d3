/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests in which regions mgpuhog searches for people, and the limits of people's heights. */
#include "reference.h"
#include "hog.h"
#include "items.h"

/* Tests that only search windows with their center in a region of the given type count; without
 * such a region no window counts. Regions may lie outside of the frame. */
GST_START_TEST (test_regions)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 128, 128);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (ALL " roi-type=door", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  const struct
  {
    const gchar *type;
    guint x, width, n;
  } regions[] = {
    {NULL, 0, 0, 0}, {"window", 48, 17, 0}, {"door", 48, 17, 3},
    {"door", -5, 40, 1}, {"door", 0, G_MAXUINT, 9},
    {"door", (guint) G_MAXINT + 1, 17, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (regions); i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1), *out;
    GstVideoRegionOfInterestMeta *roi;

    /* Search windows begin at 0, 8 ... 64, so that their centers lie at 32, 40 ... 96. */
    if (regions[i].type != NULL)
      gst_buffer_add_video_region_of_interest_meta (from, regions[i].type,
          regions[i].x, 60, regions[i].width, 20);
    out = harness_push_pull (h, from);
    fail_unless_equals_int (count_rois (out), (i > 0) + regions[i].n);
    /* The ids of the detections continue after the id of the region of interest. */
    for (guint id = 1; id <= regions[i].n; id++) {
      roi = gst_buffer_get_video_region_of_interest_meta_id (out, id);
      fail_unless (roi != NULL);
      get_score (roi);
    }
    gst_buffer_unref (out);
  }

  g_object_set (filter, "roi-type", "", NULL);
  {
    GstBuffer *out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
            1));

    fail_unless_equals_int (count_rois (out), 9);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests that height limits apply to people, not to the attached boxes. Search windows within the
 * limits give the same boxes as without limits. */
GST_START_TEST (test_heights)
{
  const guint limits[][2] = {
    {0, 0}, {120, 0}, {0, 130}, {110, 140}, {140, 110}, {2000, 0}, {0, 1}
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 128, 240);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (ALL, caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBuffer) all =
      harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    guint least = limits[i][0], most = limits[i][1], n = 0;
    g_autoptr (GstBuffer) out = NULL;

    g_object_set (filter, "min-height", least, "max-height", most, NULL);
    out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
    for (guint k = 0; k < count_rois (all); k++) {
      GstVideoRegionOfInterestMeta *want = get_roi (all, k), *got;
      guint height = rint (0.8 * want->h);

      if (height < least || (most > 0 && height > most))
        continue;
      got = get_roi (out, n++);
      fail_unless (got != NULL && got->x == want->x && got->y == want->y
          && got->h == want->h);
      fail_unless (get_score (got) == get_score (want));
    }
    fail_unless_equals_int (count_rois (out), n);
    fail_unless ((n > 0) == (i < 4), "%u of %u", n, count_rois (all));
    fail_unless ((n < count_rois (all)) == (i > 0));
  }
}

GST_END_TEST;

/* Adds @n regions of interest to a frame: some within it, some partly or wholly outside. */
static void
add_regions (GstBuffer * buffer, guint n, GRand * random)
{
  for (guint i = 0; i < n; i++)
    gst_buffer_add_video_region_of_interest_meta (buffer, "door",
        (guint) g_rand_int_range (random, -40, 240),
        (guint) g_rand_int_range (random, -40, 320),
        i % 50 == 8 ? G_MAXUINT : (guint) g_rand_int_range (random, 0,
            n > 10 ? 4 : 60), g_rand_int_range (random, 0, n > 10 ? 4 : 60));
}

/* Returns: whether the center of the search window @place lies in a region of interest of
 * @buffer */
static gboolean
is_in_region (GstBuffer * buffer, const GstVideoRegionOfInterestMeta * place)
{
  gint64 x = (gint) place->x + (gint) place->w / 2;
  gint64 y = (gint) place->y + (gint) place->h / 2;
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *r = (GstVideoRegionOfInterestMeta *) meta;
    gint left = r->x, top = r->y;

    if (x >= left && x < (gint64) left + MIN (r->w, G_MAXINT)
        && y >= top && y < (gint64) top + r->h)
      return TRUE;
  }
  return FALSE;
}

/* Tests that a search in regions finds the same windows, with the same scores, as a search of the
 * whole frame finds there: with a few regions, thousands of regions, and changing regions. */
GST_START_TEST (test_windows_in_regions)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 200, 280);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new (ALL, caps, caps);
  const guint n_regions[] = { 1, 3, 5000, 2, 1, 0 };
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  GstBuffer *all, *out;
  guint n_found = 0;

  all = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  gst_harness_teardown (h);
  h = harness_new (ALL " roi-type=door", caps, caps);
  for (guint i = 0; i < G_N_ELEMENTS (n_regions); i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1), *regions;
    GstVideoRegionOfInterestMeta *want, *got;
    guint n = 0, id = n_regions[i] > 0 ? 1 : 0;

    add_regions (from, n_regions[i], random);
    regions = gst_buffer_copy (from);
    out = harness_push_pull (h, from);
    for (guint k = 0; k < count_rois (all); k++) {
      want = get_roi (all, k);
      if (!is_in_region (regions, want))
        continue;
      got = get_roi (out, id + n++);
      fail_unless (got != NULL);
      fail_unless (got->x == want->x && got->y == want->y && got->w == want->w
          && got->h == want->h);
      fail_unless (get_score (got) == get_score (want));
    }
    fail_unless_equals_int (count_rois (out), n_regions[i] + n);
    n_found += n;
    gst_buffer_unref (regions);
    gst_buffer_unref (out);
  }
  fail_unless (n_found > 100);
  gst_buffer_unref (all);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Tests the cost of a search in a region: the number of work-items is proportional to the number of
 * search windows in the region, plus a tenth of all work-items for the cells around it. Graphics
 * cards require another tenth, because they pad rows of work-items to whole work-groups. */
GST_START_TEST (test_cost_of_regions)
{
  static const gchar *const kernels[] = {
    "people_tiles", "people_blocks", "people_score"
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 768, 576);
  GstVideoInfo info = info_from_string (caps);
  guint64 n[2];

  counted_kernels = kernels[__i__];
  for (guint i = 0; i < 2; i++) {
    GstHarness *h = harness_new (i == 0 ? "mgpuhog" : "mgpuhog roi-type=door",
        caps, caps);
    GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 1);

    gst_buffer_add_video_region_of_interest_meta (frame, "door", 300, 150, 120,
        240);
    n_items = 0;
    gst_buffer_unref (harness_push_pull (h, frame));
    gst_harness_teardown (h);
    n[i] = n_items;
  }
  GST_INFO ("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " work-items",
      kernels[__i__], n[1], n[0]);
  fail_unless (n[1] > 0 && n[1] <= 0.42 * n[0], "%s: %" G_GUINT64_FORMAT " of %"
      G_GUINT64_FORMAT " work-items", kernels[__i__], n[1], n[0]);
}

GST_END_TEST;

CHECK_TESTS (mgpuhogregions)
{
  tcase_add_test (tc, test_regions);
  tcase_add_test (tc, test_windows_in_regions);
  tcase_add_test (tc, test_heights);
  tcase_add_loop_test (tc, test_cost_of_regions, 0, 3);
}
