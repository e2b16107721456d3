/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the accuracy of the bilateral grid, and times it. */
#include "bilateral-grid.h"

#include <math.h>

#include "../cases/bilateral.h"

TEST_DECLARE (bilateral)
#define GRID MGPU_BILATERAL_GRID
#define CONSTANT MGPU_BILATERAL_CONSTANT_TIME
     static const KcFilter filter = {.cases = &cases_bilateral };

/* ---- Comparison with the exact filter ------------------------------------ */

/* Size of a part of a photograph, large enough for a disc of three standard deviations */
#define WIDTH 400
#define HEIGHT 300

static KcPicture *
filter_picture (KcRun * run, const KcPicture * in,
    const MgpuBilateralParams * params)
{
  KcPicture *out = kc_picture_copy (in);
  gpointer bilateral = kc_filter_create (run, &filter, &in->info, &in->info,
      params);

  if (bilateral != NULL)
    kc_filter_process (run, &filter, bilateral, params, in, out);
  mgpu_object_free (bilateral);
  return out;
}

/* Returns the PSNR, in decibels, of 16-bit pictures that are rounded to @depth bits. */
static gdouble
psnr (const KcPicture * a, const KcPicture * b, gint depth)
{
  RefPlane p = kc_picture_plane (a, 0), q = kc_picture_plane (b, 0);
  gdouble max = (1 << depth) - 1, sum = 0;

  for (gint y = 0; y < p.height; y++) {
    const guint16 *u = (const guint16 *) (p.data + y * p.stride);
    const guint16 *v = (const guint16 *) (q.data + y * q.stride);

    for (gint x = 0; x < p.width; x++) {
      gdouble d = rint (u[x] * max / 65535) - rint (v[x] * max / 65535);

      sum += d * d;
    }
  }
  return 10 * log10 (max * max * p.width * p.height / MAX (sum, 1));
}

/* Checks the PSNR against the exact filter. @least: minimum in decibels with 16 and with 8 bits,
 * where the rounding of both pictures has the largest effect */
static void
check_accuracy (KcRun * run, const MgpuBilateralParams * params,
    const KcPicture * in, const KcPicture * exact, const gchar * name,
    gdouble least16, gdouble least8)
{
  g_autoptr (KcPicture) out = filter_picture (run, in, params);
  gdouble got16 = psnr (exact, out, 16), got8 = psnr (exact, out, 8);

  g_print ("  %-8s sigma %g, %g, %-13s %.1f dB of exact, %.1f when rounded to "
      "8 bits\n", name, params->sigma_color, params->sigma_space,
      params->method == GRID ? "grid:" : "constant-time:", got16, got8);
  if (got16 < least16 || got8 < least8)
    kc_case_fail (run, "%.1f and %.1f dB, at least are wanted %g and %g", got16,
        got8, least16, least8);
}

static void
check_photograph (KcRun * run, const gchar * name, gdouble sigma_color,
    gdouble sigma_space)
{
  MgpuBilateralParams params = {
    sigma_color, sigma_space, 3 * sigma_space, FALSE, MGPU_BILATERAL_EXACT, 16
  };
  KcPicture *in, *exact;
  GstVideoInfo info;
  KcRandom random;

  kc_case_begin (run, KC_RANDOM, "%s, sigma %g, %g", name, sigma_color,
      sigma_space);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY16_LE, WIDTH, HEIGHT);
  kc_random_init (&random, 4);
  in = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
  if (kc_picture_load (in, name)) {
    exact = filter_picture (run, in, &params);
    params.method = GRID;
    check_accuracy (run, &params, in, exact, name, 53, 51);
    params.method = CONSTANT;
    check_accuracy (run, &params, in, exact, name, 63, 57.5);
    kc_picture_free (exact);
  } else {
    g_print ("  %s.jpg: not found: install opencv-doc\n", name);
  }
  kc_picture_free (in);
  kc_case_end (run);
}

/* Sets all channels to gray. */
static void
spread (const KcPicture * grey, KcPicture * colour)
{
  RefPlane from = kc_picture_plane (grey, 0);

  for (guint i = 0; i < 3; i++) {
    RefPlane to = kc_picture_plane (colour, i);

    for (gint y = 0; y < from.height; y++)
      for (gint x = 0; x < from.width; x++)
        to.data[y * to.stride + x * to.pixel_stride] =
            from.data[y * from.stride + x];
  }
}

/* Checks that a gray picture gives the same result with one and with three channels. */
static void
check_grey (KcRun * run, MgpuBilateralMethod method)
{
  const MgpuBilateralParams colour = { 60, 8, 0, FALSE, method, 16 };
  const MgpuBilateralParams grey = { 20, 8, 0, FALSE, method, 16 };
  KcPicture *frames[2], *out[2];
  GstVideoInfo info;
  KcRandom random;

  kc_case_begin (run, KC_FIXED, "grey as BGR");
  kc_random_init (&random, 5);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 61, 47);
  frames[0] =
      kc_picture_make (&info, KC_LAYOUT_DEFAULT, KC_CONTENT_NOISY_GRADIENT,
      &random);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_BGR, 61, 47);
  frames[1] = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
  spread (frames[0], frames[1]);
  out[0] = filter_picture (run, frames[0], &grey);
  out[1] = filter_picture (run, frames[1], &colour);
  spread (out[0], frames[1]);
  kc_compare_picture (run, frames[1], out[1]);
  for (gint i = 0; i < 2; i++) {
    kc_picture_free (frames[i]);
    kc_picture_free (out[i]);
  }
  kc_case_end (run);
}

void
kc_check_bilateral_grid (KcRun * run)
{
  static const gchar *const names[] = { "fruits", "baboon", "building" };
  static const gdouble sigmas[][2] = { {20, 8}, {50, 8}, {20, 16}, {50, 16} };

  check_grey (run, GRID);
  check_grey (run, CONSTANT);
  for (guint i = 0; i < G_N_ELEMENTS (names) && !run->quick; i++)
    for (guint k = 0; k < G_N_ELEMENTS (sigmas) && kc_goes_on (run); k++)
      check_photograph (run, names[i], sigmas[k][0], sigmas[k][1]);
}

/* Describes a method of the bilateral filter and the frame that it filters. */
typedef struct
{
  KcRun *run;
  MgpuBilateralParams params;
  gpointer bilateral;
  KcFrame *in, *out;
} Method;

static gdouble
time_method (gpointer data)
{
  Method *method = data;
  GError *error = NULL;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, method->run->queue, method->run->stats);
  kc_filter_enqueue (&filter, method->bilateral, &job, &method->params,
      &method->in->image, &method->out->image);
  if (!gst_mgpu_job_end (&job, &error)
      || !gst_mgpu_memory_wait (method->out->image.memory, &error))
    kc_case_fail_error (method->run, error);
  return -1;
}

/* Measures the methods alternately. */
static void
bench_methods (KcRun * run, gdouble sigma_space)
{
  static const MgpuBilateralMethod methods[] = {
    CONSTANT, GRID, MGPU_BILATERAL_EXACT
  };
  static const gchar *const names[] = { "constant-time", "grid", "exact" };
  KcContestant contestants[G_N_ELEMENTS (methods)];
  Method list[G_N_ELEMENTS (methods)];
  gboolean ok = TRUE;
  g_autoptr (KcPicture) picture = NULL;
  gchar *what;

  kc_case_begin (run, KC_RANDOM, "methods, sigma-space %g", sigma_space);
  picture = kc_picture_bench (GST_VIDEO_FORMAT_GRAY8, 1920, 1080);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    Method *m = &list[i];

    m->run = run;
    m->params = (MgpuBilateralParams) {
    30, sigma_space, 0, FALSE, methods[i], 16};
    m->bilateral =
        kc_filter_create (run, &filter, &picture->info, &picture->info,
        &m->params);
    m->in = kc_frame_new (run, picture);
    m->out = kc_frame_new (run, picture);
    ok = ok && m->bilateral != NULL && m->in != NULL && m->out != NULL;
    contestants[i] = (KcContestant) {
    names[i], time_method, m};
  }
  what = g_strdup_printf ("sigma-space %g GRAY8 1920x1080", sigma_space);
  if (ok)
    kc_bench (run, what, contestants, G_N_ELEMENTS (contestants));
  g_free (what);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    mgpu_object_free (list[i].bilateral);
    g_clear_pointer (&list[i].in, kc_frame_free);
    g_clear_pointer (&list[i].out, kc_frame_free);
  }
  kc_case_end (run);
}

void
kc_bench_bilateral_grid (KcRun * run)
{
  static const MgpuBilateralParams params[] = {
    {30, 4, 0, FALSE, GRID, 0}, {30, 16, 0, FALSE, GRID, 0},
    {30, 4, 0, FALSE, CONSTANT, 16}, {30, 16, 0, FALSE, CONSTANT, 16},
  };
  static const gchar *const names[] = {
    "grid, sigma-space 4", "grid, sigma-space 16",
    "constant-time, sigma-space 4", "constant-time, sigma-space 16"
  };

  for (guint i = 0; i < G_N_ELEMENTS (params); i++) {
    const KcFilterBench bench = {
      names[i], NULL, GST_VIDEO_FORMAT_GRAY8, 1920, 1080, NULL, &params[i]
    };

    kc_bench_filter (run, &filter, &bench, 1);
  }
  if (run->tunes)
    return;
  bench_methods (run, 4);
  bench_methods (run, 16);
  check_photograph (run, "fruits", 30, 16);
}
