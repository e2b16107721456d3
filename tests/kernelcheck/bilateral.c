/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bilateral-grid.h"
#include "bilateral-guide.h"
#include "bilateral-ladder.h"
#include "peers.h"

#include <gst/vision/bilateral/bilateral.h>
#include <math.h>

#include "../reference/bilateral.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YV12,
  GST_VIDEO_FORMAT_NV21, GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_RGB,
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_xBGR, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_ABGR, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_UNKNOWN
};

/* Small and large tables, weights from tables and from the polynomial, tiles
 * that fit in local memory and such that do not, sigmas at which one neighbour
 * or no neighbour differs, radii beyond most of the sizes. */
static const MgpuBilateralParams radius4 = { 30, 3, 4, FALSE };
static const MgpuBilateralParams all_planes = { 50, 2.2, 0, TRUE };
static const MgpuBilateralParams radius1 = { 12.5, 0.4, 0, TRUE };
static const MgpuBilateralParams radius7 = { 25, 6, 7, TRUE };
static const MgpuBilateralParams sharp = { 0.01, 0.01, 2, TRUE };
static const MgpuBilateralParams blunt = { 1000, 1000, 5, FALSE };
static const MgpuBilateralParams wide = { 80, 9, 0, FALSE };
static const MgpuBilateralParams widest = { 40, 50, 33, FALSE };

static const KcVariant variants[] = {
  {"sigma 30, 3, radius 4", &radius4, 0},
  {"sigma 50, 2.2, all planes", &all_planes, 200 * 200},
  {"sigma 12.5, 0.4, all planes", &radius1, 330 * 250},
  {"sigma 25, 6, radius 7, all planes", &radius7, 130 * 130},
  {"sigma 0.01, 0.01, radius 2, all planes", &sharp, 130 * 130},
  {"sigma 1000, 1000, radius 5", &blunt, 130 * 130},
  {"sigma 80, 9", &wide, 130 * 130},
  {"sigma 40, 50, radius 33", &widest, 40 * 40},
};

static void
filter_components (const MgpuBilateralParams * p, const KcPicture * in,
    KcPicture * out, guint component, gint n)
{
  gint shift = component > 0 ? in->info.finfo->w_sub[component] : 0;
  gdouble sigma_space = p->sigma_space / (1 << shift);
  gint radius = p->radius > 0 ? p->radius >> shift : rint (1.5 * sigma_space);
  RefPlane from[3], to[3];

  for (gint i = 0; i < n; i++) {
    from[i] = kc_picture_plane (in, component + i);
    to[i] = kc_picture_plane (out, component + i);
  }
  ref_bilateral (from, to, n, p->sigma_color, sigma_space, MAX (radius, 1));
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuBilateralParams *p = params;
  gboolean rgb = GST_VIDEO_INFO_IS_RGB (&in->info);

  kc_picture_copy_planes (in, out, ~0u);
  filter_components (p, in, out, 0, rgb ? 3 : 1);
  if (GST_VIDEO_INFO_IS_YUV (&in->info) && p->all_planes) {
    filter_components (p, in, out, 1, 1);
    filter_components (p, in, out, 2, 1);
  }
}

static const KcFilter filter = {
  .formats = formats,
  .variants = variants,
  .n_variants = G_N_ELEMENTS (variants),
  .n_sizes = 5,
  .algorithm = &mgpu_bilateral,
  .reference = reference
};

/* The polynomial behind all weights, for every argument it can get: z has 15
 * fraction bits. Subnormal weights, which devices may flush, cannot be. */
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

static void
bench (KcRun * run)
{
  static const MgpuBilateralParams radius7_luma = { 50, 5, 7, FALSE };
  static const KcPeer peers[] = {
    {"OpenCV", kc_opencv_bilateral, 1, 0.001},
    {"NPP", kc_npp_bilateral, -1, 0},
    {NULL, NULL, 0, 0}
  };
  static const KcPeer none[] = { {NULL, NULL, 0, 0} };
  const KcFilterBench benches[] = {
    {"radius 4", &radius4, GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
    {"radius 4", &radius4, GST_VIDEO_FORMAT_BGR, 1920, 1080, peers},
    {"radius 7", &radius7_luma, GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
    {"radius 7", &radius7_luma, GST_VIDEO_FORMAT_BGR, 1920, 1080, peers},
    {"radius 4", &radius4, GST_VIDEO_FORMAT_NV12, 1920, 1080, none},
    {"radius 4", &radius4, GST_VIDEO_FORMAT_BGRx, 1920, 1080, none},
  };

  for (guint i = 0; i < G_N_ELEMENTS (benches); i++)
    kc_bench_filter (run, &filter, &benches[i]);
  kc_bench_bilateral_grid (run);
  if (run->peers)
    kc_bench_bilateral_ladder (run);
}

const KcFunction kc_bilateral = { "bilateral", check, bench };
