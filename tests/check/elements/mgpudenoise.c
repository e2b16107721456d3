/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests what mgpudenoise stores of earlier frames; mgpucases tests the rest. */
#include "reference.h"

#include <math.h>

#include "../../cases/denoise.h"

typedef struct
{
  MgpuDenoiseParams params;
  RefDenoisePast *past;         /* averages of earlier frames */
} Stream;

static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const Stream *stream = data;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];

  ref_planes (in, from);
  ref_planes (out, to);
  cases_denoise_reduce (&stream->params, &in->info, from, to, NULL,
      stream->past);
}

static void
push_noisy (GstHarness * h, const GstVideoInfo * info, guint seed,
    gboolean discont, const Stream * stream)
{
  push_as_reference (h, info, seed, discont, reference, stream);
}

/* Tests that a frame continues the averages of the frames before it, also after most parameters
 * changed, but not after a gap, a flush, new caps or a change of "planes". */
GST_START_TEST (test_memory)
{
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  const gchar *other_caps = HOST_CAPS ("NV12", 42, 30);
  GstVideoInfo info = info_from_string (caps);
  GstVideoInfo other_info = info_from_string (other_caps);
  RefDenoisePast past = { 0 };
  Stream stream = { {4, 32, 8, 8, MGPU_DENOISE_ALL, MGPU_DENOISE_NONE}, &past };
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

/* ---- Flow ---- */

typedef enum
{
  OWN,                          /* the element measures flow */
  OF_MGPUFLOW,                  /* frames have the flow meta of an mgpuflow */
  ELSEWHERE,                    /* frames have a flow meta in host memory */
  N_SOURCES
} Source;

/* Stores a stream of frames of a moving texture, and the state of earlier frames */
typedef struct
{
  Source source;
  GstHarness *h;
  GstElement *filter;
  GstVideoInfo info;
  guint64 offset;               /* of the next frame */
  GstBuffer *before;            /* frame to which the next frame's flow leads; NULL: the next frame
                                 * has no flow */
  RefFlow field;                /* flow of the last frame; its arrays are NULL if that frame had no
                                 * flow */
  RefDenoisePast past;
  gboolean follows;             /* whether the last frame was filtered */
} Moving;

static void
forget_field (Moving * self)
{
  g_clear_pointer (&self->field.flow, g_free);
  g_clear_pointer (&self->field.confidence, g_free);
}

static void
forget_moving (Moving * self)
{
  ref_denoise_forget (&self->past);
  forget_field (self);
  gst_clear_buffer (&self->before);
}

/* Returns: (transfer full): a frame whose texture has moved by (3, 1) pixels since the last
 * frame */
static GstBuffer *
moving_frame (Moving * self)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (self->info.size);
  gint place = self->offset;
  g_autoptr (GRand) dice = g_rand_new_with_seed (place);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, &self->info, buffer,
          GST_MAP_WRITE));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&frame); i++) {
    RefPlane plane = ref_plane (&frame, i);

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++)
        plane.data[y * plane.stride + x * plane.pixel_stride] =
            rint (128 + 40 * sin (0.3 * (x + 3 * place) + i)
            + 40 * cos (0.4 * (y + place))) + g_rand_int_range (dice, -6, 7);
  }
  gst_video_frame_unmap (&frame);
  GST_BUFFER_OFFSET (buffer) = self->offset++;
  return buffer;
}

/* Measures the flow of a frame with the reference. */
static void
refer_flow (Moving * self, GstBuffer * frame)
{
  static const RefFlowParams params = { REF_FLOW_MEDIUM, FALSE };
  RefFlow field = { 0 };
  LumaPair luma;

  luma_pair_init (&luma, &self->info, frame, self->before);
  ref_flow_size (&params, luma.planes[0].width, luma.planes[0].height, &field);
  field.flow = g_new (gint16, 2 * field.width * field.height);
  field.confidence = g_new (guint8, field.width * field.height);
  fail_unless (ref_flow (&params, &luma.planes[0], &luma.planes[1],
          self->field.flow != NULL ? &self->field : NULL, &field));
  luma_pair_clear (&luma);
  forget_field (self);
  self->field = field;
}

static void
refer_moving (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  static const MgpuDenoiseParams params =
      { 1, 6, 3, 8, MGPU_DENOISE_ALL, MGPU_DENOISE_FLOW };
  const Moving *self = data;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];
  const RefFlow *flow = self->field.flow != NULL && self->follows
      ? &self->field : NULL;

  ref_planes (in, from);
  ref_planes (out, to);
  cases_denoise_reduce (&params, &in->info, from, to, flow,
      (RefDenoisePast *) & self->past);
}

/* Attaches flow in host memory, as if it came from an element that runs on another device. */
static void
add_flow_elsewhere (GstBuffer * buffer, guint64 offset)
{
  gst_mgpu_flow_meta_set_field (gst_buffer_add_mgpu_flow_meta (buffer, 1, 1, 7,
          offset - 1), GST_MGPU_FLOW_FIELD_TO_PREVIOUS,
      gst_buffer_new_memdup ("\0\1\0\1", 4), gst_buffer_new_memdup ("\377", 1));
}

/* Pushes the next frame. Unless @is_processed is set, it passes unprocessed, with strength=0. */
static void
push_moving (Moving * self, gboolean discont, gboolean is_processed)
{
  g_autoptr (GstBuffer) from = moving_frame (self), to = NULL;
  gboolean sees = is_processed || self->source == OF_MGPUFLOW;

  if (discont)
    GST_BUFFER_FLAG_SET (from, GST_BUFFER_FLAG_DISCONT);
  if (self->source == ELSEWHERE)
    add_flow_elsewhere (from, GST_BUFFER_OFFSET (from));
  g_object_set (self->filter, "strength", is_processed ? 1.0 : 0.0, NULL);
  if (self->before != NULL && sees)
    refer_flow (self, from);
  to = harness_push_pull (self->h, gst_buffer_copy_deep (from));
  if (is_processed)
    fail_unless_as_reference (&self->info, from, to, refer_moving, self);
  else
    fail_unless_same_frame (&self->info, to, from);
  if (sees)
    gst_buffer_replace (&self->before, from);
  if (self->source == OF_MGPUFLOW)
    self->follows = is_processed;
}

/* Tests that the averages move along the flow, which is attached to frames or measured by the
 * element, but not after unprocessed frames, a gap or a flush. */
GST_START_TEST (test_flow)
{
  const gchar *caps = __i__ / N_SOURCES == 0 ? HOST_CAPS ("I420", 53, 38)
      : HOST_CAPS ("BGRx", 53, 38);
  Moving self = {.source = __i__ % N_SOURCES,.follows = TRUE,.info =
        info_from_string (caps)
  };

  self.h = harness_new (self.source == OF_MGPUFLOW
      ? "mgpuflow ! mgpudenoise motion=flow noise=6 name=f"
      : "mgpudenoise motion=flow noise=6 name=f", caps, caps);
  self.filter = harness_filter (self.h);
  for (guint i = 0; i < 4; i++)
    push_moving (&self, i == 0, TRUE);
  push_moving (&self, FALSE, FALSE);
  for (guint i = 0; i < 3; i++)
    push_moving (&self, FALSE, TRUE);
  forget_moving (&self);
  for (guint i = 0; i < 2; i++)
    push_moving (&self, i == 0, TRUE);
  forget_moving (&self);
  flush (self.h);
  for (guint i = 0; i < 2; i++)
    push_moving (&self, FALSE, TRUE);
  forget_moving (&self);
  gst_object_unref (self.filter);
  gst_harness_teardown (self.h);
}

GST_END_TEST;

/* ---- Noise ---- */

/* A uniform gray image, with optional other areas */
typedef struct
{
  gint grey, amplitude;         /* noise amplitude: values from -amplitude to amplitude are added */
  gint bar;                     /* number of rows at the top and at the bottom that are black,
                                 * without noise */
  gint dark;                    /* number of columns at the left that are dark, with noise of -2 to
                                 * 2 */
} Picture;

static gint
draw_pixel (const Picture * self, gint x, gboolean is_bar, GRand * dice)
{
  gint amplitude = x < self->dark ? 2 : self->amplitude;

  if (is_bar)
    return 16;
  return (x < self->dark ? 40 : self->grey)
      + g_rand_int_range (dice, -amplitude, amplitude + 1);
}

/* Pushes an image of 96x96 pixels. Returns: the mean square of the noise that remains in its gray
 * part */
static gdouble
push_gray (GstHarness * h, const GstVideoInfo * info, const Picture * self,
    GRand * dice)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new_and_alloc (info->size);
  gint end = 96 - self->bar;
  gdouble sum = 0;
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < 96; y++)
    for (gint x = 0; x < 96; x++)
      comp_data (&frame, 0)[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0) + x] =
          draw_pixel (self, x, y < self->bar || y >= end, dice);
  gst_video_frame_unmap (&frame);
  buffer = harness_push_pull (h, buffer);
  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (gint y = self->bar; y < end; y++)
    for (gint x = self->dark; x < 96; x++) {
      gint d = comp_data (&frame, 0)[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)
          + x] - self->grey;

      sum += d * d;
    }
  gst_video_frame_unmap (&frame);
  return sum / ((96 - self->dark) * (end - self->bar));
}

/* Pushes 12 images to mgpudenoise. Returns: the mean square of the noise that remains in the last
 * image */
static gdouble
push_pictures (const gchar * caps, const Picture * picture)
{
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpudenoise", caps, caps);
  g_autoptr (GRand) dice = g_rand_new_with_seed (1);
  gdouble left = 0;

  for (guint i = 0; i < 12; i++)
    left = push_gray (h, &info, picture, dice);
  return left;
}

/* Tests that black bars, in full and in limited range, do not count in the noise measurement: the
 * image between the bars, whose noise has a mean square of 24, loses this noise. */
GST_START_TEST (test_letterboxed)
{
  const Picture picture = {.grey = 120,.amplitude = 8,.bar = 16 };
  gdouble left = push_pictures (HOST_CAPS ("GRAY8", 96, 96)
      ",colorimetry=2:4:5:1", &picture);

  fail_unless (left < 4, "%.2f of 24 is left", left);
}

GST_END_TEST;

/* Tests that noise that grows with brightness is measured separately in bright and dark areas: the
 * bright part, whose noise has a mean square of 70, loses the noise. */
GST_START_TEST (test_photons)
{
  const Picture picture = {.grey = 200,.amplitude = 14,.dark = 48 };
  gdouble left = push_pictures (HOST_CAPS ("GRAY8", 96, 96), &picture);

  fail_unless (left < 7, "%.2f of 70 is left", left);
}

GST_END_TEST;

CHECK_TESTS (mgpudenoise)
{
  tcase_add_test (tc, test_memory);
  tcase_add_loop_test (tc, test_flow, 0, 2 * N_SOURCES);
  tcase_add_test (tc, test_letterboxed);
  tcase_add_test (tc, test_photons);
}
