/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests what mgpudenoise remembers of earlier frames; mgpucases has the rest. */
#include "reference.h"

#include "../../cases/denoise.h"

typedef struct
{
  MgpuDenoiseParams params;
  RefDenoisePast *past;         /* what is left of earlier frames */
} Stream;

static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const Stream *stream = data;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];

  ref_planes (in, from);
  ref_planes (out, to);
  cases_denoise_reduce (&stream->params, &in->info, from, to, stream->past);
}

static void
push_noisy (GstHarness * h, const GstVideoInfo * info, guint seed,
    gboolean discont, const Stream * stream)
{
  push_as_reference (h, info, seed, discont, reference, stream);
}

/* Frames go on from each other, also with other parameters, but not after a gap, a flush,
 * new caps and another value of "planes". */
GST_START_TEST (test_memory)
{
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  const gchar *other_caps = HOST_CAPS ("NV12", 42, 30);
  GstVideoInfo info = info_from_string (caps);
  GstVideoInfo other_info = info_from_string (other_caps);
  RefDenoisePast past = { 0 };
  Stream stream = { {4, 32, 8, 8, MGPU_DENOISE_ALL}, &past };
  GstHarness *h = harness_new ("mgpudenoise strength=4 noise=32 spatial=8 name=f",
      caps, caps);
  GstElement *filter = harness_filter (h);

  push_noisy (h, &info, 1, TRUE, &stream);
  push_noisy (h, &info, 2, FALSE, &stream);
  stream.params.frames = 2;
  stream.params.noise = 0;
  g_object_set (filter, "frames", 2, "noise", 0.0, NULL);
  push_noisy (h, &info, 3, FALSE, &stream);
  push_noisy (h, &info, 3, FALSE, &stream);

  ref_denoise_forget (&past);
  push_noisy (h, &info, 4, TRUE, &stream);
  push_noisy (h, &info, 5, FALSE, &stream);

  ref_denoise_forget (&past);
  flush (h);
  push_noisy (h, &info, 6, FALSE, &stream);
  push_noisy (h, &info, 7, FALSE, &stream);

  ref_denoise_forget (&past);
  stream.params.planes = MGPU_DENOISE_LUMA;
  g_object_set (filter, "planes", MGPU_DENOISE_LUMA, NULL);
  push_noisy (h, &info, 8, FALSE, &stream);
  push_noisy (h, &info, 9, FALSE, &stream);

  ref_denoise_forget (&past);
  gst_harness_set_sink_caps_str (h, other_caps);
  gst_harness_set_src_caps_str (h, other_caps);
  push_noisy (h, &other_info, 10, FALSE, &stream);
  push_noisy (h, &other_info, 11, FALSE, &stream);

  ref_denoise_forget (&past);
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
mgpudenoise_suite (void)
{
  Suite *s = suite_create ("mgpudenoise");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_memory);
  return s;
}

GST_CHECK_MAIN (mgpudenoise);
