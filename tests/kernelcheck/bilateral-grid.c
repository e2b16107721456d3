/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bilateral-grid.h"

#include <gst/vision/bilateral.h>
#include <math.h>

#include "../reference/bilateral-grid.h"

#define GRID MGPU_BILATERAL_GRID
#define CONSTANT MGPU_BILATERAL_CONSTANT_TIME

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

/* Cells of 2 and of 32 samples and between, no Gaussian at all and one that is
 * wider than the frame, the fewest and the most levels. */
static const MgpuBilateralParams grid = { 30, 5, 0, FALSE, GRID, 0 };
static const MgpuBilateralParams grid_all = { 12, 11.3, 0, TRUE, GRID, 0 };
static const MgpuBilateralParams grid_blunt = { 1000, 1000, 0, TRUE, GRID, 0 };
static const MgpuBilateralParams grid_sharp = { 0.01, 0.01, 0, TRUE, GRID, 0 };
static const MgpuBilateralParams constant = { 30, 16, 0, FALSE, CONSTANT, 16 };
static const MgpuBilateralParams constant_all = {
  45, 9, 0, TRUE, CONSTANT, 9
};
static const MgpuBilateralParams constant_few = {
  200, 70, 0, TRUE, CONSTANT, 4
};
static const MgpuBilateralParams constant_many = {
  2, 0.7, 0, FALSE, CONSTANT, 256
};

static const KcVariant variants[] = {
  {"grid, sigma 30, 5", &grid, 330 * 250},
  {"constant-time, sigma 30, 16", &constant, 330 * 250},
  {"grid, sigma 12, 11.3, all planes", &grid_all, 130 * 130},
  {"constant-time, sigma 45, 9, 9 levels, all planes", &constant_all,
      130 * 130},
  {"grid, sigma 1000, 1000, all planes", &grid_blunt, 130 * 130},
  {"constant-time, sigma 200, 70, 4 levels, all planes", &constant_few,
      130 * 130},
  {"grid, sigma 0.01, 0.01, all planes", &grid_sharp, 70 * 70},
  {"constant-time, sigma 2, 0.7, 256 levels", &constant_many, 40 * 40},
};

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  const MgpuBilateralParams *p = params;

  return mgpu_bilateral_new (context, in, NULL, p->method, error);
}

static void
enqueue (gpointer self, GstMgpuJob * job, gconstpointer params,
    const MgpuImage * in, const MgpuImage * out)
{
  mgpu_bilateral_enqueue (self, job, params, in, NULL, out);
}

static void
destroy (gpointer self)
{
  mgpu_bilateral_free (self);
}

static void
filter_components (const MgpuBilateralParams * p, const KcPicture * in,
    KcPicture * out, guint component, gint n)
{
  gint shift = component > 0 ? in->info.finfo->w_sub[component] : 0;
  const RefBilateralGrid params = {
    .method = p->method == GRID ? REF_BILATERAL_GRID
        : REF_BILATERAL_CONSTANT_TIME,
    .sigma_color = p->sigma_color,
    .sigma_space = p->sigma_space / (1 << shift),
    .levels = p->levels
  };
  RefPlane from[3], to[3];

  for (gint i = 0; i < n; i++) {
    from[i] = kc_picture_plane (in, component + i);
    to[i] = kc_picture_plane (out, component + i);
  }
  ref_bilateral_grid (from, to, n, &params);
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuBilateralParams *p = params;

  kc_picture_copy_planes (in, out, ~0u);
  filter_components (p, in, out, 0, GST_VIDEO_INFO_IS_RGB (&in->info) ? 3 : 1);
  if (GST_VIDEO_INFO_IS_YUV (&in->info) && p->all_planes) {
    filter_components (p, in, out, 1, 1);
    filter_components (p, in, out, 2, 1);
  }
}

static const KcFilter filter = {
  .formats = formats,
  .variants = variants,
  .n_variants = G_N_ELEMENTS (variants),
  .n_sizes = 4,
  .create = create,
  .enqueue = enqueue,
  .free = destroy,
  .reference = reference
};

void
kc_check_bilateral_grid (KcRun * run)
{
  kc_check_filter (run, &filter);
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
      names[i], &params[i], GST_VIDEO_FORMAT_GRAY8, 1920, 1080, NULL
    };

    kc_bench_filter (run, &filter, &bench);
  }
}
