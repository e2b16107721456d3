/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks noise reduction on streams, and measures its quality and its time. */
#include "kernelcheck.h"

#include <math.h>

#include <gst/mgpu/gstmgpuflowmeta.h>

#include "../cases/denoise.h"
#include "../reference/samples.h"

TEST_DECLARE (denoise)
     static const GstVideoFormat formats[] = {
       GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE,
       GST_VIDEO_FORMAT_I420,
       GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444,
       GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_P010_10LE,
       GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx,
       GST_VIDEO_FORMAT_ARGB, GST_VIDEO_FORMAT_UNKNOWN
     };

#define DEFAULTS { 1, 0, 3, 8, MGPU_DENOISE_ALL, MGPU_DENOISE_NONE }

static const MgpuDenoiseParams usual = DEFAULTS;
static const MgpuDenoiseParams luma = { 1, 0, 3, 8, MGPU_DENOISE_LUMA };
static const MgpuDenoiseParams known = { 0.7, 4.3, 1.5, 16, MGPU_DENOISE_ALL };
static const MgpuDenoiseParams strong = { 4, 32, 8, 3, MGPU_DENOISE_ALL };
static const MgpuDenoiseParams still = { 1, 0, 0, 1, MGPU_DENOISE_ALL };

static const KcFilter filter = {.cases = &cases_denoise };

/* Describes a frame of a stream: noise of +-@amplitude 8-bit steps over a gradient, in front of
 * which a bright square moves. */
typedef struct
{
  const MgpuDenoiseParams *params;
  guint amplitude;
  gint place;                   /* position of the square, in 1/16 of the width; -1: random
                                 * samples */
  gboolean forgets;             /* whether the object forgets earlier frames before this one */
  gboolean has_bars;            /* whether a quarter of the height is black at the top, and white at
                                 * the bottom */
  gint slope;                   /* amplitude that is added in white areas, and subtracted in black
                                 * areas */
} Step;

static void
draw (KcPicture * picture, const Step * step, KcRandom * random)
{
  guint n = GST_VIDEO_INFO_N_COMPONENTS (&picture->info);

  for (guint i = 0; i < n; i++) {
    RefPlane plane = kc_picture_plane (picture, i);
    gint unit = (plane.max + 1) / 256, left = step->place * plane.width / 16;

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++) {
        gint v = unit * (60 + 90 * x / plane.width + 30 * y / plane.height);
        gint amplitude = (gint) step->amplitude * unit
            + step->slope * (v - 128 * unit) / 128;
        gint noise = (gint) kc_random_below (random,
            2 * amplitude + 1) - amplitude;

        if (x >= left && x < left + plane.width / 4 && y > plane.height / 4)
          v = 200 * unit;
        if (step->has_bars && y < plane.height / 4)
          v = plane.lo;
        if (step->has_bars && y >= plane.height - plane.height / 4)
          v = plane.hi;
        ref_set (&plane, x, y, step->place < 0
            ? (gint) kc_random_below (random, plane.max + 1)
            : CLAMP (v + noise, 0, plane.max));
      }
  }
}

static const Step plain_steps[] = {
  {&usual, 6, 0}, {&usual, 6, 0}, {&usual, 6, 1}, {&usual, 6, 2},
  {&usual, 2, 2}, {&luma, 2, 2}, {&luma, 12, 3}, {&known, 12, 3},
  {&known, 0, 3}, {&still, 0, 3}, {&still, 6, 4}, {&usual, 6, 4, TRUE},
  {&usual, 6, 4}, {&usual, 0, -1}, {&strong, 0, -1}, {&strong, 0, -1},
  {&usual, 1, 5}, {&usual, 6, 0, TRUE, TRUE}, {&usual, 6, 0, FALSE, TRUE},
  {&usual, 6, 0, FALSE, TRUE}, {&usual, 8, 0, TRUE, FALSE, 14},
  {&usual, 8, 0, FALSE, FALSE, 14}, {&usual, 8, 0, FALSE, FALSE, 14},
  {&known, 8, 1, FALSE, FALSE, -14}, {&usual, 8, 1, FALSE, FALSE, -14}
};

/* ---- Flow ---------------------------------------------------------------- */

static const MgpuDenoiseParams moves = { 1, 0, 3, 8, MGPU_DENOISE_ALL,
  MGPU_DENOISE_FLOW
};

static const MgpuDenoiseParams moves_luma = { 1, 5, 3, 16, MGPU_DENOISE_LUMA,
  MGPU_DENOISE_FLOW
};

static const Step flow_steps[] = {
  {&moves, 6, 0}, {&moves, 6, 1}, {&moves, 6, 2}, {&moves, 6, 3},
  {&usual, 6, 3}, {&moves, 6, 4}, {&moves_luma, 2, 5}, {&moves_luma, 2, 6},
  {&moves_luma, 0, -1}, {&moves, 6, 7, TRUE}, {&moves, 6, 8},
  {&moves, 8, 9, FALSE, FALSE, 14}, {&moves, 8, 10, FALSE, FALSE, 14}
};

/* Makes a flow field for a frame of @width x @height pixels: approximately the motion of the bright
 * square from one step to the next, in fractions of pixels. Some vectors point far away, others
 * have no value. */
static void
make_field (RefFlow * field, gint width, gint height, gint shift,
    KcRandom * random)
{
  field->shift = shift;
  field->width = (width + (1 << shift) - 1) >> shift;
  field->height = (height + (1 << shift) - 1) >> shift;
  field->flow = g_new (gint16, 2 * field->width * field->height);
  for (gint i = 0; i < field->width * field->height; i++) {
    gint16 *sample = &field->flow[2 * i];
    guint dice = kc_random_below (random, 64);

    sample[0] = -2 * width + (gint) kc_random_below (random, 24) - 12;
    sample[1] = (gint) kc_random_below (random, 24) - 12;
    if (dice == 0)
      sample[0] = sample[1] = GST_MGPU_FLOW_NONE;
    else if (dice < 3)
      sample[dice - 1] = (gint) kc_random_below (random, 65535) - 32767;
  }
}

/* Passes the flow field to the object in a buffer. */
static void
give_field (KcRun * run, gpointer self, const Step * step,
    const RefFlow * field)
{
  gsize n = (gsize) field->width * field->height;
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstMgpuFlowMeta *meta = gst_buffer_add_mgpu_flow_meta (buffer, field->width,
      field->height, field->shift, GST_BUFFER_OFFSET_NONE);
  GstBuffer *flow = gst_buffer_new (), *confidence = gst_buffer_new ();

  gst_buffer_append_memory (flow, (GstMemory *) kc_memory_new (run, field->flow,
          n * 2 * sizeof (gint16)));
  gst_buffer_append_memory (confidence, (GstMemory *) kc_memory_new (run,
          field->flow, n));
  gst_mgpu_flow_meta_set_field (meta, GST_MGPU_FLOW_FIELD_TO_PREVIOUS, flow,
      confidence);
  mgpu_denoise.look (self, step->params, buffer);
}

/* Checks a stream of frames with flow fields. A sample of the field stands for 2^shift pixels; if
 * @shift is negative, there is no field. */
static void
check_stream (KcRun * run, GstVideoFormat format, KcLayout layout, gint width,
    gint height, gint shift)
{
  const Step *steps = shift < 0 ? plain_steps : flow_steps;
  guint n_steps = shift < 0 ? G_N_ELEMENTS (plain_steps)
      : G_N_ELEMENTS (flow_steps);
  RefDenoisePast past = { 0 };
  GstVideoInfo info;
  KcRandom random;
  gpointer self;
  MgpuDenoisePlanes planes = steps[0].params->planes;

  kc_case_begin (run, KC_FIXED, "%u frames of %s %dx%d, flow of 1/%d", n_steps,
      gst_video_format_to_string (format), width, height,
      shift < 0 ? 0 : 1 << shift);
  kc_random_init (&random, 1);
  gst_video_info_set_format (&info, format, width, height);
  self = kc_filter_create (run, &filter, &info, &info, steps[0].params);
  for (guint i = 0; i < n_steps && self != NULL; i++) {
    const Step *step = &steps[i];
    g_autoptr (KcPicture) in = kc_picture_new (&info, layout, &random);
    g_autoptr (KcPicture) want = kc_picture_new (&info, layout, &random);
    g_autoptr (KcPicture) got = kc_picture_copy (want);
    RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];
    RefFlow field = { 0 };

    draw (in, step, &random);
    if (shift >= 0)
      make_field (&field, width, height, shift, &random);
    if (step->forgets)
      mgpu_denoise.forget (self);
    if (step->forgets || step->params->planes != planes)
      ref_denoise_forget (&past);
    planes = step->params->planes;
    kc_picture_copy_planes (in, want, ~0u);
    kc_picture_planes (in, from);
    kc_picture_planes (want, to);
    cases_denoise_reduce (step->params, &info, from, to,
        shift >= 0 ? &field : NULL, &past);
    if (shift >= 0)
      give_field (run, self, step, &field);
    if (kc_filter_process (run, &filter, self, step->params, in, got))
      kc_compare_picture (run, want, got);
    g_free (field.flow);
  }
  ref_denoise_forget (&past);
  kc_filter_free (&filter, self);
  kc_case_end (run);
}

/* ---- Quality ------------------------------------------------------------- */

/* Returns a random number with an approximately normal distribution. */
static gdouble
normal (KcRandom * random, gdouble sigma)
{
  gdouble sum = 0;

  for (guint i = 0; i < 12; i++)
    sum += kc_random_below (random, 65536) / 65536.0;
  return sigma * (sum - 6);
}

static void
add_noise (KcPicture * picture, gdouble sigma, KcRandom * random)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); i++) {
    RefPlane plane = kc_picture_plane (picture, i);

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++) {
        gint v = rint (ref_get (&plane, x, y) + normal (random, sigma));

        ref_set (&plane, x, y, CLAMP (v, 0, 255));
      }
  }
}

static gdouble
get_square_error (const KcPicture * a, const KcPicture * b)
{
  gdouble sum = 0, n = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&a->info); i++) {
    RefPlane p = kc_picture_plane (a, i), q = kc_picture_plane (b, i);

    for (gint y = 0; y < p.height; y++)
      for (gint x = 0; x < p.width; x++, n++) {
        gint d = ref_get (&p, x, y) - ref_get (&q, x, y);

        sum += d * d;
      }
  }
  return sum / n;
}

/* Adds noise to a video, and removes the noise again. Requires a mean PSNR of at least @least dB
 * over the frames from the fifth on. */
static void
check_quality (KcRun * run, const gchar * name, const GPtrArray * frames,
    gdouble sigma, gdouble least)
{
  const KcPicture *first = g_ptr_array_index (frames, 0);
  gdouble sum = 0;
  KcRandom random;
  gpointer self;
  guint n = 0;

  kc_case_begin (run, KC_RANDOM, "%s with noise %g", name, sigma);
  kc_random_init (&random, 1);
  self = kc_filter_create (run, &filter, &first->info, &first->info, &usual);
  for (guint i = 0; i < frames->len && self != NULL; i++) {
    const KcPicture *clean = g_ptr_array_index (frames, i);
    g_autoptr (KcPicture) in = kc_picture_copy (clean), got =
        kc_picture_copy (clean);

    add_noise (in, sigma, &random);
    if (kc_filter_process (run, &filter, self, &usual, in, got) && i >= 4) {
      sum += 10 * log10 (255 * 255 / get_square_error (clean, got));
      n++;
    }
  }
  if (n > 0)
    GST_INFO ("%s, noise %g: %.2f dB", name, sigma, sum / n);
  if (n > 0 && sum / n < least)
    kc_case_fail (run, "%.2f dB, and not %.2f", sum / n, least);
  kc_filter_free (&filter, self);
  kc_case_end (run);
}

/* Measures three videos: people who walk in front of a fixed camera, a moving camera, and trees
 * seen from a moving car. */
static void
check_qualities (KcRun * run)
{
  static const struct
  {
    const gchar *name;
    GstVideoFormat format;
    gint width, height;
    gdouble least[2];           /* minimum PSNR in dB, with noise of 5 and 10 */
  } videos[] = {
    {"vtest.avi", GST_VIDEO_FORMAT_BGR, 384, 288, {41.1, 36.9}},
    {"vtest.avi", GST_VIDEO_FORMAT_GRAY8, 384, 288, {42.0, 38.1}},
    {"Megamind.avi", GST_VIDEO_FORMAT_GRAY8, 0, 0, {41.1, 37.2}},
    {"Megamind.avi", GST_VIDEO_FORMAT_BGR, 0, 0, {39.9, 35.5}},
    {"tree.avi", GST_VIDEO_FORMAT_GRAY8, 0, 0, {36.1, 32.1}}
  };

  for (guint i = 0; i < G_N_ELEMENTS (videos); i++) {
    g_autoptr (GPtrArray) frames =
        kc_video_load (videos[i].name, videos[i].format, videos[i].width,
        videos[i].height, 1, 24);

    for (guint j = 0; j < 2 && frames->len > 0; j++)
      check_quality (run, videos[i].name, frames, 5 + 5 * j,
          videos[i].least[j]);
  }
}

static void
check (KcRun * run)
{
  static const struct
  {
    gint width, height;
    KcLayout layout;
  } sizes[] = {
    {35, 19, KC_LAYOUT_PADDED}, {1, 1, KC_LAYOUT_DEFAULT},
    {33, 8, KC_LAYOUT_TIGHT}, {8, 40, KC_LAYOUT_DEFAULT},
    {2, 3, KC_LAYOUT_PADDED}, {67, 35, KC_LAYOUT_PADDED},
    {160, 96, KC_LAYOUT_DEFAULT}
  };

  kc_check_filter (run, &filter);
  for (guint i = 0; formats[i] != GST_VIDEO_FORMAT_UNKNOWN; i++)
    for (guint j = 0; j < G_N_ELEMENTS (sizes) && kc_goes_on (run); j++) {
      /* Skips the noise measurement on an emulator, which takes long for it, and in a frame of one
       * pixel, which has no noise. */
      if (run->quick && (j > 1 || (j == 0 && i % 3 != 0)))
        continue;
      check_stream (run, formats[i], sizes[j].layout, sizes[j].width,
          sizes[j].height, -1);
      check_stream (run, formats[i], sizes[j].layout, sizes[j].width,
          sizes[j].height, (i + j) % 3);
    }
  if (!run->quick)
    check_qualities (run);
}

/* ---- Timing -------------------------------------------------------------- */

typedef struct
{
  KcRun *run;
  gpointer self;
  KcFrame *in[2], *out;
  guint n;
} Timed;

static gdouble
time_frame (gpointer data)
{
  Timed *timed = data;
  GError *error = NULL;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, timed->run->queue, timed->run->stats);
  kc_filter_enqueue (&filter, timed->self, &job, &usual,
      &timed->in[timed->n++ % 2]->image, &timed->out->image);
  if (!gst_mgpu_job_end (&job, &error)
      || !gst_mgpu_queue_finish (timed->run->queue, &error))
    kc_case_fail_error (timed->run, error);
  return -1;
}

/* Measures the time of successive frames of a stream. */
static void
bench_stream (KcRun * run, GstVideoFormat format, gint width, gint height)
{
  g_autofree gchar *what = g_strdup_printf ("stream %s %dx%d",
      gst_video_format_to_string (format), width, height);
  Timed timed = {.run = run };
  const KcContestant ours = { "ours", time_frame, &timed };
  GstVideoInfo info;
  KcRandom random;

  kc_case_begin (run, KC_RANDOM, "%s", what);
  kc_random_init (&random, 1);
  gst_video_info_set_format (&info, format, width, height);
  timed.self = kc_filter_create (run, &filter, &info, &info, &usual);
  if (timed.self != NULL) {
    for (guint i = 0; i < 2; i++) {
      const Step step = { &usual, 6, 0 };
      g_autoptr (KcPicture) picture =
          kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);

      draw (picture, &step, &random);
      timed.in[i] = kc_frame_new (run, picture);
      if (i == 0)
        timed.out = kc_frame_new (run, picture);
    }
    kc_bench (run, what, &ours, 1);
    for (guint i = 0; i < 2; i++)
      kc_frame_free (timed.in[i]);
    kc_frame_free (timed.out);
    kc_filter_free (&filter, timed.self);
  }
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
  bench_stream (run, GST_VIDEO_FORMAT_I420, 1920, 1080);
  bench_stream (run, GST_VIDEO_FORMAT_NV12, 1920, 1080);
  bench_stream (run, GST_VIDEO_FORMAT_BGRx, 1920, 1080);
  bench_stream (run, GST_VIDEO_FORMAT_I420, 640, 480);
}

const KcFunction kc_denoise = { "denoise", check, bench };
