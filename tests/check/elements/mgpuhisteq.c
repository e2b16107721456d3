/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Smoothing over time; mgpucases has the rest. */
#include "reference.h"

#include "../../cases/histeq.h"

typedef struct
{
  MgpuHisteqParams params;
  RefHisteqPast *past;          /* what is left of earlier frames */
} Stream;

static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const Stream *stream = data;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];

  ref_planes (in, from);
  ref_planes (out, to);
  cases_histeq_equalize (&stream->params, &in->info, from, to, stream->past);
}

/* Pushes a frame, and compares what comes out with the reference. */
static void
push_smoothed (GstHarness * h, const GstVideoInfo * info, guint seed,
    gboolean discont, const Stream * stream)
{
  GstBuffer *from = frame_new (info, LAYOUT_DEFAULT, seed), *to;

  if (discont)
    GST_BUFFER_FLAG_SET (from, GST_BUFFER_FLAG_DISCONT);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_as_reference (info, from, to, reference, stream);
  gst_buffer_unref (from);
  gst_buffer_unref (to);
}

/* Frames go on from each other, but not after a flush, a discontinuity and new
 * caps. */
GST_START_TEST (test_smoothing)
{
  static const struct
  {
    const gchar *launch;
    MgpuHisteqParams params;
  } methods[] = {
    {"mgpuhisteq temporal-smoothing=0.75", {MGPU_HISTEQ_GLOBAL,
            MGPU_HISTEQ_LUMA, 0.75}},
    {"mgpuhisteq temporal-smoothing=0.75 method=clahe tiles-x=2 tiles-y=3 "
          "clip-limit=3", {MGPU_HISTEQ_CLAHE, MGPU_HISTEQ_LUMA, 0.75, {2, 3,
              3.0}}}
  };
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  const gchar *other_caps = HOST_CAPS ("NV12", 42, 30);
  GstVideoInfo info = info_from_string (caps);
  GstVideoInfo other_info = info_from_string (other_caps);
  RefHisteqPast past = { 0 };
  Stream stream = { methods[__i__].params, &past };
  GstHarness *h = harness_new (methods[__i__].launch, caps, caps);

  push_smoothed (h, &info, 1, TRUE, &stream);
  push_smoothed (h, &info, 2, FALSE, &stream);
  push_smoothed (h, &info, 3, FALSE, &stream);

  ref_histeq_forget (&past);
  push_smoothed (h, &info, 4, TRUE, &stream);
  push_smoothed (h, &info, 5, FALSE, &stream);

  ref_histeq_forget (&past);
  flush (h);
  push_smoothed (h, &info, 6, FALSE, &stream);
  push_smoothed (h, &info, 7, FALSE, &stream);

  ref_histeq_forget (&past);
  gst_harness_set_sink_caps_str (h, other_caps);
  gst_harness_set_src_caps_str (h, other_caps);
  push_smoothed (h, &other_info, 8, FALSE, &stream);
  push_smoothed (h, &other_info, 9, FALSE, &stream);

  ref_histeq_forget (&past);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
mgpuhisteq_suite (void)
{
  Suite *s = suite_create ("mgpuhisteq");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_smoothing, 0, 2);
  return s;
}

GST_CHECK_MAIN (mgpuhisteq);
