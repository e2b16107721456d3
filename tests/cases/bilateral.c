/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines the cases of the bilateral filter. */
#include "bilateral.h"

#include <math.h>

#include "../reference/bilateral-grid.h"
#include "../reference/bilateral.h"

/* Maximum radius of the exact method, in samples */
#define MAX_RADIUS 64

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

/* Cases with small and large tables, weights from tables and from the polynomial, tiles that fit in
 * local memory and tiles that do not, sigmas at which one neighbor or no neighbor contributes, and
 * radii beyond most of the frame sizes */
static const TestVariant exact[] = {
  {"sigma-color=30 sigma-space=3 radius=4"},
  {"sigma-color=50 sigma-space=2.2 planes=all", 200 * 200},
  {"sigma-color=12.5 sigma-space=0.4 planes=all", 330 * 250},
  {"sigma-color=25 sigma-space=6 radius=7 planes=all", 130 * 130},
  {"sigma-color=0.01 sigma-space=0.01 radius=2 planes=all", 130 * 130},
  {"sigma-color=1000 sigma-space=1000 radius=5", 130 * 130},
  {"sigma-color=80 sigma-space=9", 130 * 130},
  {"sigma-color=40 sigma-space=50 radius=33", 40 * 40},
  {NULL}
};

/* Cases with cells of 2 and of 32 samples and sizes between, no Gaussian at all and one that is
 * wider than the frame, and the minimum and maximum number of levels */
static const TestVariant approximate[] = {
  {"method=grid sigma-color=30 sigma-space=5", 330 * 250},
  {"method=constant-time sigma-color=30 sigma-space=16", 330 * 250},
  {"method=grid sigma-color=12 sigma-space=11.3 planes=all", 130 * 130},
  {"method=constant-time sigma-color=45 sigma-space=9 levels=9 planes=all",
      130 * 130},
  {"method=grid sigma-color=1000 sigma-space=1000 planes=all", 130 * 130},
  {"method=constant-time sigma-color=200 sigma-space=70 levels=4 planes=all",
      130 * 130},
  {"method=grid sigma-color=0.01 sigma-space=0.01 planes=all", 70 * 70},
  {"method=constant-time sigma-color=2 sigma-space=0.7 levels=256", 40 * 40},
  {NULL}
};

void
cases_bilateral_filter (const MgpuBilateralParams * p,
    const GstVideoInfo * info, const RefPlane * in, const RefPlane * out,
    const RefPlane * guide, gint n_guide)
{
  gboolean all = GST_VIDEO_INFO_IS_YUV (info) && p->all_planes;
  gint n = GST_VIDEO_INFO_IS_RGB (info) ? 3 : 1;
  const RefPlane *alpha = GST_VIDEO_INFO_HAS_ALPHA (info) ? &in[3] : NULL;

  for (guint i = 0; i < (all ? 3 : 1); i++) {
    gint x_shift = info->finfo->w_sub[i], y_shift = info->finfo->h_sub[i];
    gint aspect = 1 << (x_shift - y_shift);
    gdouble sigma_space = p->sigma_space / (1 << x_shift);
    gint radius = p->radius > 0 ? p->radius >> x_shift
        : rint (MIN (1.5 * sigma_space, MAX_RADIUS));
    const RefBilateralGrid grid = {
      .method = p->method == MGPU_BILATERAL_GRID ? REF_BILATERAL_GRID
          : REF_BILATERAL_CONSTANT_TIME,
      .sigma_color = p->sigma_color,
      .sigma_space = sigma_space,
      .aspect = aspect,
      .levels = p->levels,
      .guide = guide,
      .n_guide = n_guide,
      .guide_x_shift = x_shift,
      .guide_y_shift = y_shift,
      .alpha = alpha
    };

    if (p->method != MGPU_BILATERAL_EXACT)
      ref_bilateral_grid (&in[i], &out[i], n, &grid);
    else if (guide != NULL)
      ref_bilateral_guided (&in[i], alpha, &out[i], n, guide, n_guide, x_shift,
          y_shift, p->sigma_color, aspect * sigma_space, MAX (radius, 1),
          aspect);
    else
      ref_bilateral (&in[i], alpha, &out[i], n, p->sigma_color,
          aspect * sigma_space, MAX (radius, 1), aspect);
  }
}

static void
reference (const TestParams * params, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out)
{
  cases_bilateral_filter (params->values, info, in, out, NULL, 0);
}

static const TestCases more = {
  .name = "bilateral",
  .algorithm = &mgpu_bilateral,
  .formats = formats,
  .variants = approximate,
  .n_sizes = 4,
  .reference = reference
};

const TestCases cases_bilateral = {
  .name = "bilateral",
  .algorithm = &mgpu_bilateral,
  .formats = formats,
  .variants = exact,
  .n_sizes = 5,
  .reference = reference,
  .more = &more
};
