/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the warping of frames, and times it. */
#include "kernelcheck.h"

#include <gst/vision/colour/colour.h>
#include <gst/vision/warp/warp.h>

#include "../reference/stabilize.h"

/* A warp of a frame, and the size of the new one in percent of the old one's */
typedef struct
{
  MgpuWarpParams params;
  gint percent;
} Warp;

static const Warp warps[] = {
  {{{1, 0, 0, 0, 1, 0, 0, 0, 1}, MGPU_WARP_REPEAT, FALSE}, 100},
  {{{0.99, 0.02, 1.3, -0.02, 0.99, -2.7, 0, 0, 1}, MGPU_WARP_REPEAT, FALSE},
      100},
  {{{0.99, 0.02, 1.3, -0.02, 0.99, -2.7, 0, 0, 1}, MGPU_WARP_BLACK, FALSE},
      100},
  {{{0.7, -0.6, 9, 0.6, 0.7, -5.1, 0, 0, 1}, MGPU_WARP_MIRROR, FALSE}, 100},
  {{{0.9, 0, 2.5, 0, 0.9, 1.2, 0, 0, 1}, MGPU_WARP_REPEAT, TRUE}, 80},
  {{{1.01, 0.03, -1.3, -0.03, 1.01, 0.4, 0, 0, 1}, MGPU_WARP_BLACK, TRUE}, 100},
  {{{0.98, 0.01, 0.6, -0.02, 1.01, -1.4, 0.0004, -0.0003, 1}, MGPU_WARP_MIRROR,
          TRUE},
      100},
  {{{1.9, 0.2, 1.2, -0.04, 2.02, -1, -0.0006, 0.0009, 2}, MGPU_WARP_REPEAT,
          FALSE},
      90},
  /* Beyond the horizon, and further than places reach */
  {{{1, 0, 0, 0, 1, 0, -0.03, -0.02, 1}, MGPU_WARP_BLACK, FALSE}, 100},
  {{{9000, 0, -70000, 0, -9000, 70000, 0, 0, 1}, MGPU_WARP_MIRROR, TRUE}, 100}
};

static const KcVariant variants[] = {
  {"identity", &warps[0]},
  {"turned, repeated", &warps[1]},
  {"turned, black", &warps[2]},
  {"turned by 40 degrees, mirrored", &warps[3]},
  {"zoomed, smaller, cubic", &warps[4]},
  {"turned, black, cubic", &warps[5]},
  {"homography, mirrored, cubic", &warps[6]},
  {"homography, smaller", &warps[7]},
  {"horizon", &warps[8]},
  {"far away, cubic", &warps[9]}
};

static gboolean
prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  const Warp *warp = params;
  GstVideoInfo info = *out;

  /* Chroma sites of both kinds */
  in->chroma_site = warp->params.is_cubic ? GST_VIDEO_CHROMA_SITE_COSITED
      : warp->params.edges == MGPU_WARP_BLACK ? GST_VIDEO_CHROMA_SITE_NONE
      : GST_VIDEO_CHROMA_SITE_MPEG2;
  if (warp->percent < 100)
    gst_video_info_set_format (out, GST_VIDEO_INFO_FORMAT (&info),
        GST_ROUND_UP_2 (info.width * warp->percent / 100 + 1),
        GST_ROUND_UP_2 (info.height * warp->percent / 100 + 1));
  out->chroma_site = in->chroma_site;
  out->colorimetry = in->colorimetry;
  return TRUE;
}

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  return mgpu_object_new (&mgpu_warp, context, in, NULL, out, NULL, error);
}

static void
enqueue (gpointer self, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuWork warped = {
    &((const Warp *) work->params)->params, work->in, NULL, work->out
  };

  mgpu_warp.enqueue (self, job, &warped);
}

/* Returns: the unused byte of each pixel of RGBx and the like, as a component */
static RefPlane
get_padding (const KcPicture * picture)
{
  RefPlane plane = kc_picture_plane (picture, 0);
  gint at = 6;

  for (guint i = 0; i < 3; i++)
    at -= GST_VIDEO_INFO_COMP_POFFSET (&picture->info, i);
  plane.data += at - (gint) GST_VIDEO_INFO_COMP_POFFSET (&picture->info, 0);
  return plane;
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuWarpParams *p = &((const Warp *) params)->params;
  const GstVideoInfo *info = &in->info;
  guint n = GST_VIDEO_INFO_N_COMPONENTS (info);
  gboolean is_padded = GST_VIDEO_INFO_IS_RGB (info) && n == 3
      && GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 4;

  if (in->info.width == out->info.width && in->info.height == out->info.height)
    kc_picture_copy_planes (in, out, ~0u);
  for (guint i = 0; i < n + is_padded; i++) {
    RefWarpPlane from = {
      .plane = i < n ? kc_picture_plane (in, i) : get_padding (in),
      .x_shift = info->finfo->w_sub[i],
      .y_shift = info->finfo->h_sub[i],
      .x_cosited = (info->chroma_site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0,
      .y_cosited = (info->chroma_site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0,
      .black = i < n ? mgpu_colour_black (info, i) : 255
    };
    RefPlane to = i < n ? kc_picture_plane (out, i) : get_padding (out);

    ref_warp (&from, &to, p->matrix, (RefEdges) p->edges, p->is_cubic);
  }
}

static const KcFilter filter = {
  .formats = all_formats,
  .variants = variants,
  .n_variants = G_N_ELEMENTS (variants),
  .n_sizes = 3,
  .prepare = prepare,
  .create = create,
  .enqueue = enqueue,
  .free = mgpu_object_free,
  .reference = reference
};

static void
check (KcRun * run)
{
  kc_check_filter (run, &filter);
}

static void
bench (KcRun * run)
{
  static const KcFilterBench list[] = {
    {"bilinear", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &warps[1]},
    {"bilinear", NULL, GST_VIDEO_FORMAT_BGRA, 1920, 1080, NULL, &warps[1]},
    {"bilinear", NULL, GST_VIDEO_FORMAT_GRAY8, 640, 480, NULL, &warps[1]},
    {"cubic", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &warps[4]},
    {"homography, cubic", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL,
        &warps[6]}
  };

  kc_bench_filter (run, &filter, list, G_N_ELEMENTS (list));
}

const KcFunction kc_stabilize = { "stabilize", check, bench };
