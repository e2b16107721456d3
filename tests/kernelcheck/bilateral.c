/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks properties that only the bilateral filter has, and compares the filter's time with its
 * peers' (other libraries). */
#include "bilateral-grid.h"
#include "bilateral-guide.h"
#include "bilateral-ladder.h"
#include "peers.h"

#include <math.h>

#include "../cases/bilateral.h"
#include "../reference/bilateral.h"

TEST_DECLARE (bilateral)

static const KcFilter filter = {.cases = &cases_bilateral };

/* Checks the polynomial that computes all weights, for every possible argument: z has 15 fraction
 * bits. No weight is subnormal, because devices may replace subnormal numbers by 0. */
static void
check_exp2 (KcRun * run)
{
  gdouble worst = 0;

  kc_case_begin (run, KC_FIXED, "exp2 of -48 to 0");
  for (gint i = 0; i <= 48 << 15; i++) {
    gfloat z = 488.5f - i / 32768.0f, w = ref_bilateral_exp2 (z);
    gdouble error = fabs (w / exp2 (z - 488.5) - 1);

    worst = MAX (worst, error);
    if (fpclassify (w) != FP_NORMAL) {
      kc_case_fail (run, "the weight of %g is %g", z - 488.5, w);
      break;
    }
  }
  if (worst > 2.7e-6)
    kc_case_fail (run, "relative error %g", worst);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  check_exp2 (run);
  kc_check_filter (run, &filter);
  kc_check_bilateral_grid (run);
  kc_check_bilateral_guide (run);
}

#define RADIUS_4 "sigma-color=30 sigma-space=3 radius=4"
#define RADIUS_7 "sigma-color=50 sigma-space=5 radius=7"

static void
bench (KcRun * run)
{
  static const KcPeer peers[] = {
    {"OpenCV", kc_opencv_bilateral, 1, 0.001, kc_python_bilateral},
    {"NPP", kc_npp_bilateral, -1, 0},
    {NULL, NULL, 0, 0}
  };
  const KcFilterBench benches[] = {
    {"radius 4", RADIUS_4, GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
    {"radius 4", RADIUS_4, GST_VIDEO_FORMAT_BGR, 1920, 1080, peers},
    {"radius 7", RADIUS_7, GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
    {"radius 7", RADIUS_7, GST_VIDEO_FORMAT_BGR, 1920, 1080, peers},
    {"radius 4", RADIUS_4, GST_VIDEO_FORMAT_NV12, 1920, 1080},
    {"radius 4", RADIUS_4, GST_VIDEO_FORMAT_BGRx, 1920, 1080},
  };

  kc_bench_filter (run, &filter, benches, G_N_ELEMENTS (benches));
  kc_bench_bilateral_grid (run);
  if (run->peers)
    kc_bench_bilateral_ladder (run);
}

const KcFunction kc_bilateral = { "bilateral", check, bench };
