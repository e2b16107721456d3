/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "reference.h"

#include "../../opencl.h"

typedef struct
{
  gboolean each;
  RefHisteq params;
  RefHisteqPast *past;          /* of frames in their order, or NULL */
} Equalization;

static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer params)
{
  const Equalization *e = params;
  RefPlane from[3], to[3];
  guint n = GST_VIDEO_INFO_IS_RGB (&in->info) ? 3 : 1;

  for (guint i = 0; i < n; i++) {
    from[i] = ref_plane (in, i);
    to[i] = ref_plane (out, i);
  }
  if (n == 3 && !e->each)
    fail_unless (ref_histeq_rgb (from, to, &e->params, e->past));
  else
    fail_unless (ref_histeq (from, to, n, &e->params, e->past));
}

GST_START_TEST (test_formats)
{
  Equalization e = { FALSE };

  check_reference ("mgpuhisteq", all_formats[__i__], 53, 38, reference, &e);
  check_reference ("mgpuhisteq", all_formats[__i__], 1, 1, reference, &e);
  e.each = TRUE;
  check_reference ("mgpuhisteq channels=each", all_formats[__i__], 67, 21,
      reference, &e);
}

GST_END_TEST;

/* A format of each kind: kernelcheck has all formats. */
static const GstVideoFormat clahe_formats[] = {
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YUY2,
  GST_VIDEO_FORMAT_BGRA
};

GST_START_TEST (test_clahe_formats)
{
  GstVideoFormat format = clahe_formats[__i__];
  Equalization e = {.params.clahe = {8, 8, 40.0} };

  check_reference ("mgpuhisteq method=clahe", format, 53, 38, reference, &e);
  /* Fewer pixels than tiles. */
  check_reference ("mgpuhisteq method=clahe", format, 1, 1, reference, &e);
  e.each = TRUE;
  e.params.clahe.tiles_x = 3;
  e.params.clahe.tiles_y = 2;
  e.params.clahe.clip_limit = 0.0;
  check_reference ("mgpuhisteq method=clahe channels=each tiles-x=3 tiles-y=2 "
      "clip-limit=0", format, 66, 22, reference, &e);
}

GST_END_TEST;

/* Pushes a frame. What comes out has to be a copy of it on which the reference
 * has worked. */
static void
push_smoothed (GstHarness * h, const GstVideoInfo * info, guint seed,
    gboolean discont, const Equalization * e)
{
  GstBuffer *from = frame_new (info, LAYOUT_DEFAULT, seed);
  GstBuffer *expected = gst_buffer_copy_deep (from), *to;
  GstVideoFrame in, out;

  if (discont)
    GST_BUFFER_FLAG_SET (from, GST_BUFFER_FLAG_DISCONT);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (gst_video_frame_map (&in, info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, info, expected, GST_MAP_WRITE));
  reference (&in, &out, e);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  fail_unless_same_frame (info, to, expected);
  gst_buffer_unref (from);
  gst_buffer_unref (to);
  gst_buffer_unref (expected);
}

/* Frames go on from each other, but not after a flush, a discontinuity and new
 * caps. */
GST_START_TEST (test_smoothing)
{
  static const struct
  {
    const gchar *launch;
    RefClahe clahe;
  } methods[] = {
    {"mgpuhisteq temporal-smoothing=0.75", {0, 0, 0.0}},
    {"mgpuhisteq temporal-smoothing=0.75 method=clahe tiles-x=2 tiles-y=3 "
          "clip-limit=3", {2, 3, 3.0}}
  };
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  const gchar *other_caps = HOST_CAPS ("NV12", 42, 30);
  GstVideoInfo info = info_from_string (caps);
  GstVideoInfo other_info = info_from_string (other_caps);
  RefHisteqPast past = { 0 };
  Equalization e = { FALSE, {methods[__i__].clahe, 0.75}, &past };
  GstHarness *h = harness_new (methods[__i__].launch, caps, caps);
  GstSegment segment;

  push_smoothed (h, &info, 1, TRUE, &e);
  push_smoothed (h, &info, 2, FALSE, &e);
  push_smoothed (h, &info, 3, FALSE, &e);

  ref_histeq_forget (&past);
  push_smoothed (h, &info, 4, TRUE, &e);
  push_smoothed (h, &info, 5, FALSE, &e);

  ref_histeq_forget (&past);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  push_smoothed (h, &info, 6, FALSE, &e);
  push_smoothed (h, &info, 7, FALSE, &e);

  ref_histeq_forget (&past);
  gst_harness_set_sink_caps_str (h, other_caps);
  gst_harness_set_src_caps_str (h, other_caps);
  push_smoothed (h, &other_info, 8, FALSE, &e);
  push_smoothed (h, &other_info, 9, FALSE, &e);

  ref_histeq_forget (&past);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A controller sets what it likes between frames. */
GST_START_TEST (test_live_clahe)
{
  static const RefClahe steps[] = {
    {8, 8, 40.0}, {1, 1, 40.0}, {5, 3, 2.0}, {5, 3, 0.0}, {0, 0, 0.0},
    {16, 16, 1.0}
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuhisteq name=f", caps, caps);
  GstElement *filter = harness_filter (h);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    Equalization e = {.params.clahe = steps[i] };

    if (steps[i].tiles_x > 0)
      g_object_set (filter, "tiles-x", steps[i].tiles_x, "tiles-y",
          steps[i].tiles_y, "clip-limit", steps[i].clip_limit, NULL);
    gst_util_set_object_arg (G_OBJECT (filter), "method",
        steps[i].tiles_x > 0 ? "clahe" : "global");
    push_smoothed (h, &info, i, FALSE, &e);
  }
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A change while frames flow is seen in the next one. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("RGB", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuhisteq name=f", caps, caps);
  GstElement *filter = harness_filter (h);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstBuffer *out[3];

  for (guint i = 0; i < 3; i++) {
    gst_util_set_object_arg (G_OBJECT (filter), "channels",
        i == 1 ? "each" : "luma");
    out[i] = harness_push_pull (h, gst_buffer_ref (from));
  }
  fail_unless_same_frame (&info, out[0], out[2]);
  fail_unless (count_differences (&info, out[0], out[1]) > 100);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (out[i]);
  gst_buffer_unref (from);
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Nothing of one frame stays in the next. */
GST_START_TEST (test_frames_apart)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuhisteq name=f", caps, caps);
  GstBuffer *first = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstBuffer *expected = harness_push_pull (h, gst_buffer_ref (first));

  for (guint i = 0; i < 5; i++) {
    GstBuffer *out;

    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_PADDED,
                i + 2)));
    out = harness_push_pull (h, gst_buffer_ref (first));
    fail_unless_same_frame (&info, out, expected);
    gst_buffer_unref (out);
  }
  gst_buffer_unref (first);
  gst_buffer_unref (expected);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* How many launches of kernels succeed before one fails; below 0 all succeed. */
static gint n_launches = -1;

/* Stands before the function of OpenCL; fails when n_launches says so. */
__attribute__ ((visibility ("default")))
cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dims, const size_t * offset, const size_t * global,
    const size_t * local, cl_uint n_waits, const cl_event * waits,
    cl_event * event)
{
  if (n_launches >= 0 && n_launches-- == 0)
    return CL_OUT_OF_RESOURCES;
  return REAL (clEnqueueNDRangeKernel) (queue, kernel, n_dims, offset, global,
      local, n_waits, waits, event);
}

static const gchar *failing[] = {
  "mgpuhisteq", "mgpuhisteq channels=each", "mgpuhisteq method=clahe",
  "mgpuhisteq temporal-smoothing=0.9",
  "mgpuhisteq method=clahe temporal-smoothing=0.9"
};

/* A frame that the device did not finish leaves nothing in the next one, which
 * is as if it were the first. */
GST_START_TEST (test_failed_frame)
{
  const gchar *caps = HOST_CAPS ("RGB", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new (failing[__i__], caps, caps);
  GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstBuffer *expected = harness_push_pull (h, gst_buffer_ref (frame)), *out;
  gboolean failed = TRUE;

  for (guint call = 0; failed && call < 40; call++) {
    /* Twice: then the histograms are new. */
    for (guint i = 0; i < 2; i++) {
      n_launches = call;
      failed = gst_harness_push (h, frame_new (&info, LAYOUT_DEFAULT, 2))
          == GST_FLOW_ERROR;
      n_launches = -1;
      out = failed ? gst_harness_try_pull (h) : gst_harness_pull (h);
      fail_unless (failed == (out == NULL));
      gst_clear_buffer (&out);
      fail_unless (failed || call > 2);
    }
    if (failed) {
      out = harness_push_pull (h, gst_buffer_ref (frame));
      fail_unless_same_frame (&info, out, expected);
      gst_buffer_unref (out);
    }
  }
  fail_if (failed);
  gst_buffer_unref (expected);
  gst_buffer_unref (frame);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
mgpuhisteq_suite (void)
{
  Suite *s = suite_create ("mgpuhisteq");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (all_formats));
  tcase_add_loop_test (tc, test_clahe_formats, 0,
      G_N_ELEMENTS (clahe_formats));
  tcase_add_loop_test (tc, test_smoothing, 0, 2);
  tcase_add_test (tc, test_live_clahe);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_frames_apart);
  tcase_add_loop_test (tc, test_failed_frame, 0, G_N_ELEMENTS (failing));
  return s;
}

GST_CHECK_MAIN (mgpuhisteq);
