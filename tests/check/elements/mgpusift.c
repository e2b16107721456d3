/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "reference.h"

#include "../../reference/sift.h"

static const RefSiftParams defaults = {
  .upsample = 1,.scales = 3,.sigma = 1.6,.contrast = 0.04f,.edge = 10,
  .max_orientations = 4,.capacity = G_MAXINT,.descriptor = 1
};

static GstMgpuKeypointMeta *
get_meta (GstBuffer * buffer)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (buffer);

  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_buffer_get_n_meta (buffer,
          GST_MGPU_KEYPOINT_META_API_TYPE), 1);
  return meta;
}

static void
check_bytes (GBytes * bytes, gconstpointer expected, gsize size)
{
  fail_unless (bytes != NULL);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes), size);
  fail_unless (memcmp (g_bytes_get_data (bytes, NULL), expected, size) == 0);
  g_bytes_unref (bytes);
}

/* out carries the keypoints of from. Returns how many. */
static guint
check_meta (const GstVideoInfo * info, const RefSiftParams * params,
    GstBuffer * from, GstBuffer * out)
{
  GstMgpuKeypointMeta *meta = get_meta (out);
  GstVideoFrame frame;
  RefSiftResult want;
  RefPlane plane;
  guint8 *luma;
  guint n;

  fail_unless (gst_video_frame_map (&frame, info, from, GST_MAP_READ));
  plane = ref_luma (&frame, &luma);
  fail_unless (ref_sift (&plane, params, NULL, &want));
  g_free (luma);
  gst_video_frame_unmap (&frame);

  n = want.n;
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), n);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_dropped (meta), 0);
  check_bytes (gst_mgpu_keypoint_meta_get_keypoints (meta), want.keypoints,
      n * sizeof (GstMgpuKeypoint));
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_descriptor_type (meta),
      params->descriptor);
  if (params->descriptor != 0)
    check_bytes (gst_mgpu_keypoint_meta_get_descriptors (meta),
        want.descriptors, (gsize) n * GST_MGPU_DESCRIPTOR_SIZE);
  else
    fail_unless (gst_mgpu_keypoint_meta_get_descriptors (meta) == NULL);
  ref_sift_clear (&want);
  return n;
}

static guint
check_frame (GstVideoFormat format, gint width, gint height, Layout layout,
    gboolean device)
{
  GstHarness *h = gst_harness_new_parse ("mgpusift");
  GstCaps *caps = caps_new (format, width, height, FALSE);
  GstVideoInfo info;
  GstBuffer *from, *out;
  guint n;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_caps (h, caps, caps_new (format, width, height, device));
  from = frame_new (&info, layout, width);
  out = harness_push_pull (h, gst_buffer_ref (from));
  if (device)
    frame_memory (out);
  fail_unless_same_frame (&info, from, out);
  gst_harness_teardown (h);

  /* Frames outlive the element, and so does what was not read yet. */
  n = check_meta (&info, &defaults, from, out);
  gst_buffer_unref (from);
  gst_buffer_unref (out);
  return n;
}

GST_START_TEST (test_formats)
{
  GstVideoFormat format = all_formats[__i__];

  fail_unless (check_frame (format, 97, 66, LAYOUT_PADDED, FALSE) > 5);
  fail_unless (check_frame (format, 96, 64, LAYOUT_DEFAULT, TRUE) > 5);
  fail_unless_equals_int (check_frame (format, 1, 1, LAYOUT_DEFAULT, FALSE), 0);
}

GST_END_TEST;

/* Nothing is found in flat and in tiny frames, and that is said. */
GST_START_TEST (test_empty)
{
  const gchar *caps = HOST_CAPS ("NV12", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpusift", caps, caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1), *out;

  gst_buffer_memset (from, 0, 77, info.size);
  out = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_equals_int (check_meta (&info, &defaults, from, out), 0);
  gst_buffer_unref (from);
  gst_buffer_unref (out);
  gst_harness_teardown (h);

  check_frame (GST_VIDEO_FORMAT_GRAY8, 8, 8, LAYOUT_DEFAULT, FALSE);
  check_frame (GST_VIDEO_FORMAT_GRAY8, 3, 200, LAYOUT_DEFAULT, FALSE);
}

GST_END_TEST;

/* A frame that nobody else has passes as the same buffer; an element behind
 * another replaces its keypoints, filters keep them. */
GST_START_TEST (test_passes)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 96, 64);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpusift", caps, caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1), *out;

  fail_unless_equals_int (gst_harness_push (h, from), GST_FLOW_OK);
  out = gst_harness_pull (h);
  fail_unless (out == from);
  get_meta (out);
  gst_buffer_unref (out);
  gst_harness_teardown (h);

  h = harness_new ("mgpusift descriptor=none max-features=1 ! mgpusift ! "
      "mgpuhisteq ! mgpudownload", caps, caps);
  from = frame_new (&info, LAYOUT_DEFAULT, 2);
  out = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (check_meta (&info, &defaults, from, out) > 5);
  gst_buffer_unref (from);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Keypoints follow the frame to another size. */
GST_START_TEST (test_scaled)
{
  GstHarness *h = harness_new ("mgpusift name=f ! tee name=t ! mgpudownload ! "
      "videoscale", HOST_CAPS ("GRAY8", 96, 64), HOST_CAPS ("GRAY8", 48, 64));
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 96, 64));
  GstBuffer *out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  GstMgpuKeypointMeta *meta = get_meta (out);
  GstMgpuKeypoint k;

  for (guint i = 0; gst_mgpu_keypoint_meta_get_keypoint (meta, i, &k); i++)
    fail_unless (k.x > 0 && k.x < 48 && k.y > 0 && k.y < 64);
  fail_unless (gst_mgpu_keypoint_meta_get_n_keypoints (meta) > 5);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Changes while frames flow are seen in the next one. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("RGB", 96, 64);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpusift name=f", caps, caps);
  GstElement *filter = harness_filter (h);
  RefSiftParams params = defaults;
  guint n[8];

  for (guint i = 0; i < G_N_ELEMENTS (n); i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 3), *out;

    switch (i) {
      case 1:
        params.max_features = 4;
        break;
      case 2:
        params.max_features = 0;
        params.descriptor = 2;
        break;
      case 3:
        params.contrast = 0.15f;
        break;
      case 4:
        params.contrast = 0.04f;
        params.upsample = 0;
        params.descriptor = 0;
        break;
      case 5:
        params.upsample = 1;
        params.scales = 2;
        params.sigma = 1.5;
        params.octaves = 1;
        break;
      case 6:
        params = defaults;
        params.edge = 2;
        params.max_orientations = 1;
        break;
      case 7:
        params = defaults;
        break;
    }
    g_object_set (filter, "max-features", params.max_features,
        "scales-per-octave", params.scales, "octaves", params.octaves,
        "contrast-threshold", params.contrast, "edge-threshold", params.edge,
        "sigma", params.sigma, "upsample", params.upsample,
        "descriptor", params.descriptor,
        "max-orientations", params.max_orientations, NULL);
    out = harness_push_pull (h, gst_buffer_ref (from));
    n[i] = check_meta (&info, &params, from, out);
    gst_buffer_unref (from);
    gst_buffer_unref (out);
  }
  fail_unless_equals_int (n[1], 4);
  fail_unless_equals_int (n[2], n[0]);
  fail_unless (n[3] < n[0] && n[4] < n[0] && n[5] < n[0] && n[6] < n[0]);
  fail_unless_equals_int (n[7], n[0]);
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Two frames of three pass without a look at them. */
GST_START_TEST (test_interval)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 32, 24);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpusift frame-interval=3", caps, caps);

  for (guint i = 0; i < 7; i++) {
    GstBuffer *out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
            i));

    fail_unless_equals_int (gst_buffer_get_mgpu_keypoint_meta (out) != NULL,
        i % 3 == 0);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Results that nobody has read when caps change, and at the end, stay. */
GST_START_TEST (test_caps_change)
{
  static const gint sizes[][2] = { {96, 64}, {64, 96}, {8, 8}, {120, 50} };
  GstHarness *h = gst_harness_new_parse ("mgpusift");
  GstBuffer *from[4], *out[4];
  GstVideoInfo info[4];

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < 4; i++) {
    GstCaps *caps = caps_new (i % 2 ? GST_VIDEO_FORMAT_BGRx
        : GST_VIDEO_FORMAT_I420, sizes[i][0], sizes[i][1], FALSE);

    fail_unless (gst_video_info_from_caps (&info[i], caps));
    gst_harness_set_src_caps (h, caps);
    from[i] = frame_new (&info[i], LAYOUT_DEFAULT, i);
    out[i] = harness_push_pull (h, gst_buffer_ref (from[i]));
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  gst_harness_teardown (h);
  for (guint i = 0; i < 4; i++) {
    check_meta (&info[i], &defaults, from[i], out[i]);
    gst_buffer_unref (from[i]);
    gst_buffer_unref (out[i]);
  }
}

GST_END_TEST;

static Suite *
mgpusift_suite (void)
{
  Suite *s = suite_create ("mgpusift");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (all_formats));
  tcase_add_test (tc, test_empty);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_scaled);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_interval);
  tcase_add_test (tc, test_caps_change);
  return s;
}

GST_CHECK_MAIN (mgpusift);
