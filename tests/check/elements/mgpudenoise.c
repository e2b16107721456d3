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
  g_autoptr (GstHarness) h =
      harness_new ("mgpudenoise strength=4 noise=32 spatial=8 name=f", caps,
      caps);
  g_autoptr (GstElement) filter = harness_filter (h);

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
}

GST_END_TEST;

/* Pushes a picture of one grey between black bars, which noise does not reach.
 * Returns: the mean square of what is left of the noise between the bars */
static gdouble
push_letterboxed (GstHarness * h, const GstVideoInfo * info, GRand * dice)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new_and_alloc (info->size);
  gint height = GST_VIDEO_INFO_HEIGHT (info), bar = height / 6;
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gdouble sum = 0;
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gint noise = g_rand_int_range (dice, 0, 17) - 8;
      gboolean is_bar = y < bar || y >= height - bar;

      comp_data (&frame, 0)[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0) + x] =
          is_bar ? 16 : 120 + noise;
    }
  gst_video_frame_unmap (&frame);
  buffer = harness_push_pull (h, buffer);
  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (gint y = bar; y < height - bar; y++)
    for (gint x = 0; x < width; x++) {
      gint d = comp_data (&frame, 0)[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)
          + x] - 120;

      sum += d * d;
    }
  gst_video_frame_unmap (&frame);
  return sum / (width * (height - 2 * bar));
}

/* Checks that black bars, in full and in limited range, do not count in the measured noise:
 * the film between them loses its noise, whose mean square is 24. */
GST_START_TEST (test_letterboxed)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 96, 96) ",colorimetry=2:4:5:1";
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpudenoise", caps, caps);
  g_autoptr (GRand) dice = g_rand_new_with_seed (1);
  gdouble left = 24;

  for (guint i = 0; i < 12; i++)
    left = push_letterboxed (h, &info, dice);
  fail_unless (left < 4, "%.2f of 24 is left", left);
}

GST_END_TEST;

CHECK_TESTS (mgpudenoise)
{
  tcase_add_test (tc, test_memory);
  tcase_add_test (tc, test_letterboxed);
}
