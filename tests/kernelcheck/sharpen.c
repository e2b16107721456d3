/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the accuracy of the Gaussian, and compares the time of sharpening with OpenCV's. */
#include "kernelcheck.h"

#include <math.h>
#include <string.h>
#include <gst/vision/sharpen/sharpen.h>

#include "../cases/cases.h"
#include "../reference/sharpen.h"
#include "peers.h"

TEST_DECLARE (sharpen)
     static const KcFilter filter = {.cases = &cases_sharpen };

/* ---- Error of the integer Gaussian compared with an exact one -------------- */

#define EDGE 160

static gint
reflect (gint i, gint n)
{
  gint period = 2 * n - 2;

  i = ABS (i) % period;
  return MIN (i, period - i);
}

/* Convolves EDGE x EDGE numbers with a Gaussian in one direction. */
static void
true_gaussian (const gdouble * in, gdouble * out, gdouble sigma, gint dx)
{
  gint radius = ceil (5 * sigma);
  gdouble weights = 0;

  memset (out, 0, EDGE * EDGE * sizeof (*out));
  for (gint i = -radius; i <= radius; i++) {
    gdouble w = exp (-i * i / (2 * sigma * sigma));

    weights += w;
    for (gint y = 0; y < EDGE; y++) {
      for (gint x = 0; x < EDGE; x++) {
        gint from_x = dx ? reflect (x + i, EDGE) : x;
        gint from_y = dx ? y : reflect (y + i, EDGE);

        out[y * EDGE + x] += w * in[from_y * EDGE + from_x];
      }
    }
  }
  for (gint i = 0; i < EDGE * EDGE; i++)
    out[i] /= weights;
}

/* Checks the accuracy for black and white squares, whose edges have the largest errors. */
static void
check_accuracy (KcRun * run, gdouble sigma)
{
  static guint8 in[EDGE * EDGE], out[EDGE * EDGE];
  static gdouble a[EDGE * EDGE], b[EDGE * EDGE];
  RefPlane from = {
    .data = in,.stride = EDGE,.pixel_stride = 1,.width = EDGE,.height = EDGE,
    .bytes = 1,.max = 255,.hi = 255
  };
  RefPlane to = from;
  gdouble worst = 0;

  kc_case_begin (run, KC_FIXED, "sigma %g against a true Gaussian", sigma);
  to.data = out;
  for (gint i = 0; i < EDGE * EDGE; i++)
    a[i] = in[i] = (i % EDGE / 53 + i / EDGE / 47) % 2 ? 255 : 0;
  true_gaussian (a, b, sigma, 1);
  true_gaussian (b, a, sigma, 0);
  if (!ref_sharpen (&from, &to, -1, sigma, 0))
    g_error ("out of memory");
  for (gint i = 0; i < EDGE * EDGE; i++)
    worst = MAX (worst, fabs (out[i] - a[i]));
  if (worst > 1.5)
    kc_case_fail (run, "an error of %g", worst);
  kc_case_end (run);
}

/* Tests parameters that change from frame to frame, and planes that grow and shrink. The last
 * frame, with all seven levels, takes long. */
static void
check_frames (KcRun * run)
{
  static const MgpuSharpenParams params[] = {
    {2.2, 8, 10}, {1, 1.5, 0}, {0.5, 2.99, 3}, {-0.7, 25, 0}, {3, 0, 0},
    {-1, 3, 0}, {-1, 200, 0}
  };
  guint n = G_N_ELEMENTS (params) - (run->quick ? 1 : 0);
  GstVideoInfo info;
  gpointer self;

  kc_case_begin (run, KC_FIXED, "%u sets of parameters alternately, 65x33", n);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 65, 33);
  self = kc_filter_create (run, &filter, &info, &info, &params[0]);
  for (guint i = 0; i < n && self != NULL; i++) {
    KcRandom random;
    g_autoptr (KcPicture) in = NULL, want = NULL, got = NULL;

    kc_random_init (&random, i);
    in = kc_picture_make (&info, KC_LAYOUT_DEFAULT, KC_CONTENT_RANDOM, &random);
    want = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
    got = kc_picture_copy (want);
    kc_filter_refer (&filter, &params[i], in, want);
    if (kc_filter_process (run, &filter, self, &params[i], in, got))
      kc_compare_picture (run, want, got);
  }
  kc_filter_free (&filter, self);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  static const gdouble sigmas[] = { 0.3, 1, 2.9, 3, 5.9, 6, 8, 11.9, 12, 30 };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
    check_accuracy (run, sigmas[i]);
  kc_check_filter (run, &filter);
  check_frames (run);
}

/* NPP's Gaussian has 8-bit weights and ends at 3 sigma. */
static const KcPeer peers[] = {
  {"OpenCV", kc_opencv_sharpen, 4, 1.0, kc_python_sharpen},
  {NULL, NULL, 0, 0}
};

#define GAUSSIAN(sigma) "Gaussian, sigma " sigma, "amount=-1 sigma=" sigma
#define UNSHARP "unsharp, sigma 1.5", "sigma=1.5"
static const KcFilterBench benches[] = {
  {GAUSSIAN ("1"), GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
  {GAUSSIAN ("2.9"), GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
  {GAUSSIAN ("8"), GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
  {GAUSSIAN ("30"), GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
  {GAUSSIAN ("100"), GST_VIDEO_FORMAT_GRAY8, 1920, 1080},
  {UNSHARP, GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
  {UNSHARP, GST_VIDEO_FORMAT_NV12, 1920, 1080},
  {UNSHARP, GST_VIDEO_FORMAT_BGR, 1920, 1080},
  {UNSHARP, GST_VIDEO_FORMAT_GRAY16_LE, 1920, 1080},
  {NULL}
};

const KcFunction kc_sharpen =
    { "sharpen", check,.filter = &filter,.benches = benches };
