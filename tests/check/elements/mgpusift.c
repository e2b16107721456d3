/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the keypoints that mgpusift finds in whole frames. */
#include "sift.h"

#include "../launches.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static guint
check_format (GstVideoFormat format, gint width, gint height, Layout layout,
    gboolean device)
{
  GstHarness *h = gst_harness_new_parse ("mgpusift");
  GstVideoInfo info;
  g_autoptr (GstBuffer) from = NULL, out = NULL;
  guint n;

  out = push_through_analyser (h, format, width, height, layout, device, &info,
      &from);
  gst_harness_teardown (h);

  /* Frees the element: its output frames, and results that were not read yet, remain valid. */
  n = check_meta (&info, &defaults, from, out);
  return n;
}

GST_START_TEST (test_formats)
{
  GstVideoFormat format = all_formats[__i__];

  fail_unless (check_format (format, 97, 66, LAYOUT_PADDED, FALSE) > 5);
  fail_unless (check_format (format, 96, 64, LAYOUT_DEFAULT, TRUE) > 5);
  fail_unless_equals_int (check_format (format, 1, 1, LAYOUT_DEFAULT, FALSE),
      0);
}

GST_END_TEST;

/* Tests that nothing is found in flat and in tiny frames, and that an empty list is attached. */
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

  check_format (GST_VIDEO_FORMAT_GRAY8, 8, 8, LAYOUT_DEFAULT, FALSE);
  check_format (GST_VIDEO_FORMAT_GRAY8, 3, 200, LAYOUT_DEFAULT, FALSE);
}

GST_END_TEST;

/* Tests that a frame to which nobody else holds a reference is pushed in the same buffer. A second
 * mgpusift replaces the keypoints of the first; filters keep them. */
GST_START_TEST (test_passes)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 96, 64);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpusift", caps, caps);
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 1), out = NULL;

  fail_unless_equals_int (gst_harness_push (h, from), GST_FLOW_OK);
  out = harness_pull (h);
  fail_unless (out == from);
  get_meta (out);
  gst_buffer_unref (out);
  gst_harness_teardown (h);

  h = harness_new ("mgpusift descriptor=none max-features=1 ! mgpusift ! "
      "mgpuhisteq ! mgpudownload", caps, caps);
  from = frame_new (&info, LAYOUT_DEFAULT, 2);
  out = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (check_meta (&info, &defaults, from, out) > 5);
}

GST_END_TEST;

/* A conversion of a frame of 96x64, and the expected transform of keypoints */
typedef struct
{
  const gchar *launch, *out;
  RefRectangle seen;            /* the crop */
  gdouble matrix[2][3];         /* transform of positions, which are relative to centers of
                                 * pixels */
  gdouble zoom, turn;           /* scale of the keypoint's size, and rotation of its direction in
                                 * degrees */
} Move;

static const Move moves[] = {
  {"mgpuconvert", "format=RGB,width=96,height=64", {0, 0, 96, 64}, {{1, 0, 0},
          {0, 1, 0}}, 1, 0},
  {"mgpuconvert", "width=192,height=128", {0, 0, 96, 64},
      {{2, 0, 0.5}, {0, 2, 0.5}}, 2, 0},
  {"mgpudownload ! videoscale", "width=48,height=32", {0, 0, 96, 64},
      {{0.5, 0, -0.25}, {0, 0.5, -0.25}}, 0.5, 0},
  {"mgpuconvert video-direction=90r", "width=64", {0, 0, 96, 64},
      {{0, -1, 63}, {1, 0, 0}}, 1, 90},
  {"mgpuconvert video-direction=180", "width=96", {0, 0, 96, 64},
      {{-1, 0, 95}, {0, -1, 63}}, 1, 180},
  {"mgpuconvert", "width=40,height=30", {20, 10, 40, 30},
      {{1, 0, -20}, {0, 1, -10}}, 1, 0},
  {"mgpuconvert video-direction=90l", "width=60,height=80", {20, 10, 40, 30},
      {{0, 2, -19.5}, {-2, 0, 118.5}}, 2, 270}
};

/* Tests that keypoints are transformed like the frame by mgpuconvert and videoscale. */
GST_START_TEST (test_moved)
{
  const Move *m = &moves[__i__];
  g_autofree gchar *launch = g_strdup_printf ("mgpusift ! %s", m->launch);
  g_autofree gchar *out = g_strdup_printf ("video/x-raw(ANY),%s" PAR, m->out);
  GstVideoInfo info;
  g_autoptr (GstHarness) h =
      convert_new (launch, HOST_CAPS ("GRAY8", 96, 64) PAR, out, &info);
  GstBuffer *from = cropped_new (h, &info, FALSE, &m->seen), *to;
  RefSiftResult want = sift_of (&info, &defaults, NULL, from);
  GstMgpuKeypointMeta *meta;
  g_autoptr (GBytes) descriptors = NULL;
  GstMgpuKeypoint k;
  guint n = 0;

  to = harness_push_pull (h, from);
  meta = get_meta (to);
  descriptors = gst_mgpu_keypoint_meta_get_descriptors (meta);
  for (guint i = 0; i < want.n; i++) {
    const RefSiftKeypoint *p = &want.keypoints[i];
    gdouble turn;

    if (p->x < m->seen.x - 0.5 || p->x >= m->seen.x + m->seen.width - 0.5
        || p->y < m->seen.y - 0.5 || p->y >= m->seen.y + m->seen.height - 0.5)
      continue;
    fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, n, &k));
    fail_unless (fabs (m->matrix[0][0] * p->x + m->matrix[0][1] * p->y
            + m->matrix[0][2] - k.x) < 1e-3);
    fail_unless (fabs (m->matrix[1][0] * p->x + m->matrix[1][1] * p->y
            + m->matrix[1][2] - k.y) < 1e-3);
    fail_unless (fabs (p->size * m->zoom - k.size) < 1e-3);
    turn = p->angle + m->turn - k.angle;
    fail_unless (fabs (turn - 360 * rint (turn / 360)) < 1e-3);
    fail_unless (memcmp ((const guint8 *) g_bytes_get_data (descriptors, NULL)
            + n * GST_MGPU_DESCRIPTOR_SIZE,
            want.descriptors + i * GST_MGPU_DESCRIPTOR_SIZE,
            GST_MGPU_DESCRIPTOR_SIZE) == 0);
    n++;
  }
  fail_unless (n > 3 && (n < want.n) == (m->seen.width < 96));
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), n);
  ref_sift_clear (&want);
  gst_buffer_unref (to);
}

GST_END_TEST;

/* Tests that property changes while frames arrive affect the next frame. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("RGB", 96, 64);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpusift name=f", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  RefSiftParams params = defaults;
  guint n[9];

  for (guint i = 0; i < G_N_ELEMENTS (n); i++) {
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3), out =
        NULL;

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
      case 8:
        params.grid = 4;
        params.max_features = 6;
        break;
    }
    g_object_set (filter, "max-features", params.max_features,
        "scales-per-octave", params.scales, "octaves", params.octaves,
        "contrast-threshold", params.contrast, "edge-threshold", params.edge,
        "sigma", params.sigma, "upsample", params.upsample,
        "descriptor", params.descriptor,
        "max-orientations", params.max_orientations, "grid", params.grid, NULL);
    out = harness_push_pull (h, gst_buffer_ref (from));
    n[i] = check_meta (&info, &params, from, out);
  }
  fail_unless_equals_int (n[1], 4);
  fail_unless_equals_int (n[2], n[0]);
  fail_unless (n[3] < n[0] && n[4] < n[0] && n[5] < n[0] && n[6] < n[0]);
  fail_unless_equals_int (n[7], n[0]);
}

GST_END_TEST;

/* Tests a search in every third frame: two of three frames pass without a search and are not
 * uploaded. The frame count restarts after a seek. */
GST_START_TEST (test_interval)
{
  const gchar *caps = HOST_CAPS ("NV12", 32, 24);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpusift name=f frame-interval=3", caps, caps);

  for (guint i = 0; i < 10; i++) {
    /* Makes frames of two memories, which the device cannot use without a copy. */
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_PLANES, i), out =
        NULL;
    gboolean looks = i % 5 % 3 == 0;

    if (i == 5)
      flush (h);
    out = harness_push_pull (h, gst_buffer_ref (from));
    fail_unless_equals_int (gst_buffer_get_mgpu_keypoint_meta (out) != NULL,
        looks);
    fail_unless (looks || out == from);
  }
  fail_unless_equals_uint64 (harness_stat (h, "frames"), 10);
  fail_unless_equals_uint64 (harness_stat (h, "uploads"), 4);
}

GST_END_TEST;

/* Tests that results that are not read yet stay valid when caps change, and after the element has
 * stopped. */
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

/* Tests thresholds and counts at the ends of their ranges. */
GST_START_TEST (test_extremes)
{
  static const RefSiftParams extremes[] = {
    {1, 0, 3, 1.6, 0, 1, 4, G_MAXINT, 1504, 0},
    {1, 16, 3, 1.6, 1, 1000000, 8, 0, 1504, 1},
    {0, 16, 1, 4, 0, 1000000, 1, 1, 1504, 2},
    {1, 1, 8, 0.5, 0.04, 10, 4, 2, 1504, 1}
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpusift name=f", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);

  for (guint i = 0; i < G_N_ELEMENTS (extremes); i++) {
    const RefSiftParams *p = &extremes[i];
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3), out =
        NULL;
    guint n;

    g_object_set (filter, "max-features", p->max_features,
        "scales-per-octave", p->scales, "octaves", p->octaves,
        "contrast-threshold", p->contrast, "edge-threshold", p->edge,
        "sigma", p->sigma, "upsample", p->upsample,
        "descriptor", p->descriptor,
        "max-orientations", p->max_orientations, NULL);
    out = harness_push_pull (h, gst_buffer_ref (from));
    n = check_meta (&info, p, from, out);
    fail_unless (p->max_features == 0 || n <= p->max_features);
    /* No keypoint has this contrast, or is this round. */
    fail_unless_equals_int (n > 0, p->contrast < 1 && p->edge > 1);
  }
}

GST_END_TEST;

static void
fill_noise (guint8 * noise, gsize size)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (gsize i = 0; i < size; i++)
    noise[i] = g_rand_int (random) >> 24;
}

/* Tests noise without a contrast threshold, which has more keypoints than fit into the memory for
 * them. One warning reports this, at the end of the stream at the latest; there is no warning if
 * max-features keypoints are kept. */
GST_START_TEST (test_full)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  const RefSiftParams params = {.upsample = 1,.scales = 3,.sigma = 0.5,
    .contrast = 0,.edge = 1000000,.max_orientations = 8,.capacity = 1504,
    .max_features = __i__ ? 100 : 0,.descriptor = 1
  };
  g_autofree gchar *launch =
      g_strdup_printf ("mgpusift name=f sigma=0.5 contrast-threshold=0 "
      "edge-threshold=1000000 max-orientations=8 max-features=%u",
      params.max_features);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstBus *bus = harness_bus (h);
  guint8 noise[160 * 120];

  fill_noise (noise, sizeof (noise));
  for (guint i = 0; i < 7; i++) {
    g_autoptr (GstBuffer) from =
        gst_buffer_new_memdup (noise, sizeof (noise)), out = NULL;

    out = harness_push_pull (h, gst_buffer_ref (from));
    if (i == 0) {
      GstMgpuKeypointMeta *meta = get_meta (out);

      check_meta (&info, &params, from, out);
      fail_unless (gst_mgpu_keypoint_meta_get_n_dropped (meta) > 0);
    }
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  if (params.max_features == 0) {
    g_autoptr (GError) error = pop_message (bus, GST_MESSAGE_WARNING,
        "contrast-threshold", "");

    fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
            GST_RESOURCE_ERROR_NO_SPACE_LEFT));
  }
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
}

GST_END_TEST;

static gint fails;

/* Makes all kernel launches fail while @fails is set. */
static cl_int
on_launch (cl_kernel kernel, cl_uint n_dims, const size_t *global)
{
  return g_atomic_int_get (&fails) ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

/* Tests that a frame that could not be enqueued reports no lost keypoints, although the memory for
 * reports still contains those of an earlier frame. */
GST_START_TEST (test_enqueue_fails)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 80, 60);
  g_autoptr (GstHarness) h =
      harness_new ("mgpusift name=f sigma=0.5 max-features=100 "
      "contrast-threshold=0 edge-threshold=1000000 max-orientations=8", caps,
      caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstBus *bus = harness_bus (h);
  guint8 noise[80 * 60];

  fill_noise (noise, sizeof (noise));
  for (guint i = 0; i < 4; i++) {
    g_autoptr (GstBuffer) out =
        harness_push_pull (h, gst_buffer_new_memdup (noise, sizeof (noise)));

    fail_unless (gst_mgpu_keypoint_meta_get_n_dropped (get_meta (out)) > 0);
  }
  g_object_set (filter, "max-features", 0, NULL);
  g_atomic_int_set (&fails, 1);
  fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_memdup (noise,
              sizeof (noise))), GST_FLOW_ERROR);
  g_atomic_int_set (&fails, 0);
  gst_harness_push_event (h, gst_event_new_eos ());
  check_error (bus, "", "");
}

GST_END_TEST;

/* Simulates a graphics card with a local memory of this many bytes while @is_card is set. Counts
 * the built programs for blurs that fit into the local memory, and that do not. */
#define LOCAL_MEMORY (32 * 1024)
static gint is_card, n_within, n_beyond;

/* Replaces the OpenCL function clGetDeviceInfo(), and calls it. */
__attribute__((visibility ("default")))
    cl_int
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t size,
    void *value, size_t *result_size)
{
  cl_int ret = REAL (clGetDeviceInfo) (device, what, size, value, result_size);

  if (ret != CL_SUCCESS || value == NULL || !g_atomic_int_get (&is_card))
    return ret;
  if (what == CL_DEVICE_TYPE)
    *(cl_device_type *) value = CL_DEVICE_TYPE_GPU;
  else if (what == CL_DEVICE_HOST_UNIFIED_MEMORY)
    *(cl_bool *) value = CL_FALSE;
  else if (what == CL_DEVICE_LOCAL_MEM_TYPE)
    *(cl_device_local_mem_type *) value = CL_LOCAL;
  else if (what == CL_DEVICE_LOCAL_MEM_SIZE)
    *(cl_ulong *) value = LOCAL_MEMORY;
  return ret;
}

static gint
get_option (const gchar * options, const gchar * name)
{
  return atoi (strstr (options, name) + strlen (name));
}

/* Replaces the OpenCL function clBuildProgram(), and calls it. */
__attribute__((visibility ("default")))
    cl_int
clBuildProgram (cl_program program, cl_uint n_devices,
    const cl_device_id * devices, const char *options,
    void (CL_CALLBACK * notify) (cl_program, void *), void *data)
{
  if (strstr (options, "-DPAD=") != NULL) {
    gint width = 2 * get_option (options, "-DBLUR_X=")
        + 2 * get_option (options, "-DPAD=") + 2;

    g_atomic_int_inc (width * get_option (options, "-DBLUR_Y=")
        * sizeof (gfloat) > LOCAL_MEMORY ? &n_beyond : &n_within);
  }
  return REAL (clBuildProgram) (program, n_devices, devices, options, notify,
      data);
}

/* Tests that the tile of a wide blur is made smaller if it does not fit into the local memory of a
 * graphics card. */
GST_START_TEST (test_local_memory)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 97, 66);
  GstVideoInfo info = info_from_string (caps);
  RefSiftParams params = defaults;
  GstHarness *h;
  GstBuffer *from, *out;

  params.scales = 1;
  params.sigma = 3.5;
  params.contrast = 0.001f;
  g_atomic_int_set (&is_card, 1);
  h = harness_new ("mgpusift scales-per-octave=1 sigma=3.5 "
      "contrast-threshold=0.001 ! mgpudownload", caps, caps);
  from = frame_new (&info, LAYOUT_DEFAULT, 1);
  out = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (check_meta (&info, &params, from, out) > 0);
  gst_buffer_unref (from);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  g_atomic_int_set (&is_card, 0);
  fail_unless_equals_int (n_within, 1);
  fail_unless_equals_int (n_beyond, 0);
}

GST_END_TEST;

CHECK_TESTS (mgpusift)
{
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_empty);
  tcase_add_test (tc, test_passes);
  tcase_add_loop_test (tc, test_moved, 0, G_N_ELEMENTS (moves));
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_interval);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_extremes);
  tcase_add_loop_test (tc, test_full, 0, 2);
  tcase_add_test (tc, test_enqueue_fails);
  tcase_add_test (tc, test_local_memory);
}
