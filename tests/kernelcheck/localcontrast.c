/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the pyramids of the local contrast filter, and measures its time. */
#include "kernelcheck.h"

#include <math.h>
#include <gst/vision/localcontrast/localcontrast.h>

#include "../cases/cases.h"
#include "../reference/localcontrast.h"
#include "../reference/samples.h"

TEST_DECLARE (localcontrast)
     static const KcFilter filter = {.cases = &cases_localcontrast };

/* ---- Loss of quality of few levels compared with one level per value -------- */

#define WIDTH 160
#define HEIGHT 120

/* Returns: the peak signal-to-noise ratio of two planes, in dB */
static gdouble
compare_planes (const RefPlane * a, const RefPlane * b)
{
  gdouble sum = 0.01;

  for (gint y = 0; y < a->height; y++)
    for (gint x = 0; x < a->width; x++) {
      gdouble d = ref_get (a, x, y) - ref_get (b, x, y);

      sum += d * d;
    }
  return 10 * log10 (255.0 * 255 * a->width * a->height / sum);
}

static void
check_levels (KcRun * run, const gchar * name, gdouble sigma)
{
  RefLocalcontrast params = { 1, 0, 0, sigma, 0, 0, 255 };
  g_autoptr (KcPicture) in = NULL, few = NULL, all = NULL;
  RefPlane planes[3];
  GstVideoInfo info;
  KcRandom random;
  gdouble ratio;

  kc_case_begin (run, KC_FIXED, "%s, sigma %g, against %d levels", name, sigma,
      REF_LOCALCONTRAST_LEVELS);
  kc_random_init (&random, 1);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  in = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
  few = kc_picture_copy (in);
  all = kc_picture_copy (in);
  if (!kc_picture_load (in, name))
    kc_picture_fill (in, KC_CONTENT_NOISY_GRADIENT, &random);
  planes[0] = kc_picture_plane (in, 0);
  planes[1] = kc_picture_plane (few, 0);
  planes[2] = kc_picture_plane (all, 0);
  if (!ref_localcontrast (&planes[0], &planes[1], &params))
    g_error ("out of memory");
  params.levels = REF_LOCALCONTRAST_LEVELS;
  if (!ref_localcontrast (&planes[0], &planes[2], &params))
    g_error ("out of memory");
  ratio = compare_planes (&planes[1], &planes[2]);
  GST_INFO ("%s, sigma %g: %.1f dB", name, sigma, ratio);
  if (ratio < 38)
    kc_case_fail (run, "%.1f dB", ratio);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  static const gdouble sigmas[] = { 20, 30, 50 };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    check_levels (run, "fruits", sigmas[i]);
    check_levels (run, "building", sigmas[i]);
  }
  kc_check_filter (run, &filter);
}

static const KcFilterBench benches[] = {
  {"10 levels", "", GST_VIDEO_FORMAT_GRAY8, 1920, 1080},
  {"10 levels", "", GST_VIDEO_FORMAT_NV12, 1920, 1080},
  {"10 levels", "", GST_VIDEO_FORMAT_BGRx, 1920, 1080},
  {"18 levels", "detail=1 shadows=0.5 highlights=-0.5 sigma=15",
      GST_VIDEO_FORMAT_GRAY8, 1920, 1080},
  {NULL}
};

const KcFunction kc_localcontrast =
    { "localcontrast", check,.filter = &filter,.benches = benches };
