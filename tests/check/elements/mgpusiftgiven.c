/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpusift with points=given. */
#include "sift.h"

#include <math.h>
#include <string.h>

#define CAPS HOST_CAPS ("GRAY8", 96, 64)

/* Returns: a frame with the @n keypoints at @points attached */
static GstBuffer *
frame_with (const GstVideoInfo * info, guint seed, gconstpointer points,
    guint n)
{
  GstBuffer *frame = frame_new (info, LAYOUT_DEFAULT, seed);
  g_autoptr (GBytes) bytes = g_bytes_new (points, n * sizeof (GstMgpuKeypoint));

  fail_unless (gst_buffer_add_mgpu_keypoint_meta_points (frame, bytes) != NULL);
  return frame;
}

/* Checks that @out has the keypoints and descriptors of @want. */
static void
check_result (GstBuffer * out, const RefSiftResult * want)
{
  GstMgpuKeypointMeta *meta = get_meta (out);

  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta),
      want->n);
  check_bytes (gst_mgpu_keypoint_meta_get_keypoints (meta), want->keypoints,
      want->n * sizeof (GstMgpuKeypoint));
  check_bytes (gst_mgpu_keypoint_meta_get_descriptors (meta),
      want->descriptors, want->n * GST_MGPU_DESCRIPTOR_SIZE);
}

/* Returns the number of warnings of the element since the last call. Fails unless each contains
 * @text. */
static guint
count_warnings (GstBus * bus, const gchar * text)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL) {
    GError *error;

    gst_message_parse_warning (message, &error, NULL);
    fail_unless (g_str_has_prefix (error->message, "f: ")
        && strstr (error->message, text) != NULL, "%s", error->message);
    g_error_free (error);
    gst_message_unref (message);
    n++;
  }
  return n;
}

/* Tests descriptors of given keypoints: keypoints that mgpusift has found get descriptors with the
 * same bytes again, whether the keypoints are on the host, or an element before it has just found
 * them. */
GST_START_TEST (test_own)
{
  static const gchar *const properties[] = {
    "", "upsample=false contrast-threshold=0 edge-threshold=1000", "sigma=1.2 scales-per-octave=5"
  };
  static const RefSiftParams wants[] = {
    {1, 0, 3, 1.6, 0.04f, 10, 4, 0, G_MAXINT, 1},
    {0, 0, 3, 1.6, 0, 1000, 4, 0, G_MAXINT, 1},
    {1, 0, 5, 1.2, 0.04f, 10, 4, 0, G_MAXINT, 1}
  };
  const gchar *own = properties[__i__];
  GstVideoInfo info = info_from_string (CAPS);
  g_autofree gchar *launch = g_strdup_printf ("mgpusift points=given %s", own);
  g_autoptr (GstHarness) h = harness_new (launch, CAPS, CAPS);
  GstBuffer *plain = frame_new (&info, LAYOUT_DEFAULT, 3), *out;
  RefSiftResult want = sift_of (&info, &wants[__i__], NULL, plain);

  fail_unless (want.n > (__i__ == 1 ? 0 : 5), "%u", want.n);
  out = harness_push_pull (h, frame_with (&info, 3, want.keypoints, want.n));
  check_result (out, &want);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  g_free (launch);

  launch = g_strdup_printf ("mgpusift descriptor=none %s ! "
      "mgpusift points=given %s", own, own);
  h = harness_new (launch, CAPS, CAPS);
  out = harness_push_pull (h, plain);
  check_result (out, &want);
  gst_buffer_unref (out);
  ref_sift_clear (&want);
}

GST_END_TEST;

/* Tests given keypoints with incomplete fields: angles of -1 are computed, and octaves of G_MININT
 * follow from the size. The order is kept, and max-features keeps the first keypoints, without a
 * warning. */
GST_START_TEST (test_found)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstHarness) h = harness_new ("mgpusift name=f points=given", CAPS, CAPS);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstBus *bus = harness_bus (h);
  RefSiftParams params = defaults;
  GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 3), *out;
  RefSiftResult want;
  g_autofree GstMgpuKeypoint *points = NULL;
  guint n;

  params.max_orientations = 1;
  want = sift_of (&info, &params, NULL, frame);
  n = want.n;
  fail_unless (n > 5);
  points = g_memdup2 (want.keypoints, n * sizeof (*points));
  for (guint i = 0; i < n; i++) {
    points[i].angle = -1;
    points[i].octave = G_MININT32;
    points[i].layer = 0;
    want.keypoints[i].octave = G_MININT32;
    want.keypoints[i].layer = 0;
  }
  out = harness_push_pull (h, frame_with (&info, 3, points, n));
  check_result (out, &want);
  gst_buffer_unref (out);

  g_object_set (filter, "max-features", 3, NULL);
  out = harness_push_pull (h, frame_with (&info, 3, points, n));
  want.n = 3;
  check_result (out, &want);
  gst_buffer_unref (out);
  fail_unless_equals_int (count_warnings (bus, ""), 0);
  want.n = n;
  ref_sift_clear (&want);
  gst_buffer_unref (frame);
}

GST_END_TEST;

/* Tests that given keypoints with NaN or outside of the frame keep their positions in the list and
 * have descriptors of zeros, with one warning for NaN. An empty list is a valid result; frames
 * without the meta pass, with one warning. */
GST_START_TEST (test_odd)
{
  const GstMgpuKeypoint odd[] = {
    {30, 20, 4, 0, 0.5f, G_MININT32, 0}, {NAN, 20, 4, 0, 0.5f, 0, 1},
    {30, INFINITY, 4, NAN, NAN, 0, 1}, {30, 20, -1, 400, 0.5f, 0, 1},
    {30, 20, NAN, -1, 0.5f, 0, 1}, {-500, 20, 4, 0, 0.5f, G_MAXINT32, 1},
    {30, 1e30f, 4, 0, 0.5f, G_MININT32, -7}, {95.4f, -3, 1e30f, 10, 0.5f, 3, 9}
  };
  static const guint8 zeros[GST_MGPU_DESCRIPTOR_SIZE];
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstHarness) h = harness_new ("mgpusift name=f points=given", CAPS, CAPS);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstBus *bus = harness_bus (h);

  for (guint i = 0; i < 2; i++) {
    GstBuffer *out = harness_push_pull (h, frame_with (&info, 3, odd,
            G_N_ELEMENTS (odd)));
    GBytes *bytes = gst_mgpu_keypoint_meta_get_descriptors (get_meta (out));
    const guint8 *data = g_bytes_get_data (bytes, NULL);

    fail_unless_equals_uint64 (g_bytes_get_size (bytes),
        G_N_ELEMENTS (odd) * sizeof (zeros));
    for (guint j = 0; j < G_N_ELEMENTS (odd); j++) {
      GstMgpuKeypoint k;

      fail_unless (gst_mgpu_keypoint_meta_get_keypoint (get_meta (out), j, &k));
      fail_unless (memcmp (&k.x, &odd[j].x, 3 * sizeof (k.x)) == 0);
      fail_unless (k.angle >= 0 && k.angle < 360);
      fail_unless_equals_int (memcmp (data + j * sizeof (zeros), zeros,
              sizeof (zeros)) == 0, j > 0 && j < 7);
    }
    g_bytes_unref (bytes);
    gst_buffer_unref (out);
    fail_unless_equals_int (count_warnings (bus, "4 of the 8"), i == 0);
  }
  for (guint i = 0; i < 3; i++) {
    GstBuffer *in = i == 0 ? frame_with (&info, 3, NULL, 0)
        : frame_new (&info, LAYOUT_DEFAULT, 3);
    GstBuffer *out = harness_push_pull (h, in);

    if (i == 0) {
      fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (get_meta
              (out)), 0);
    } else {
      fail_unless (out == in
          && gst_buffer_get_mgpu_keypoint_meta (out) == NULL);
    }
    gst_buffer_unref (out);
    fail_unless_equals_int (count_warnings (bus, "points=given"), i == 1);
  }
}

GST_END_TEST;

/* Tests given keypoints in frames without an octave, more keypoints than usual, and a frame size
 * that changes. */
GST_START_TEST (test_sizes)
{
  static const gint sizes[][2] = { {1, 1}, {96, 64}, {40, 300} };
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpusift points=given");
  g_autofree GstMgpuKeypoint *points = g_new (GstMgpuKeypoint, 3000);

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstCaps *caps = caps_new (GST_VIDEO_FORMAT_GRAY8, sizes[i][0], sizes[i][1],
        FALSE);
    RefSiftResult want;
    GstVideoInfo info;
    GstVideoFrame frame;
    GstBuffer *in, *out;
    RefPlane plane;
    guint8 *luma;

    for (guint j = 0; j < 3000; j++)
      points[j] = (GstMgpuKeypoint) { j % sizes[i][0], j % sizes[i][1],
        2 + j % 97, j % 3 ? (gint) j % 360 : -1, 0, G_MININT32, 0
      };
    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    in = frame_with (&info, i, points, 3000);
    fail_unless (gst_video_frame_map (&frame, &info, in, GST_MAP_READ));
    plane = ref_luma (&frame, &luma);
    fail_unless (ref_sift_given (&plane, &defaults,
            (const RefSiftKeypoint *) points, 3000, &want));
    g_free (luma);
    gst_video_frame_unmap (&frame);
    out = harness_push_pull (h, in);
    check_result (out, &want);
    ref_sift_clear (&want);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpusiftgiven)
{
  tcase_add_loop_test (tc, test_own, 0, 3);
  tcase_add_test (tc, test_found);
  tcase_add_test (tc, test_odd);
  tcase_add_test (tc, test_sizes);
}
