/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the warping of frames, and measures its time. */
#include "warp-planes.h"

#include <gst/vision/warp/warp.h>

/* A warp of a frame, and the size of the new frame in percent of the old frame's size */
typedef struct
{
  MgpuWarpParams params;
  gint percent;
} Warp;

static const Warp warps[] = {
  {{{1, 0, 0, 0, 1, 0, 0, 0, 1}, MGPU_WARP_REPEAT, MGPU_INTERPOLATION_BILINEAR},
      100},
  {{{0.99, 0.02, 1.3, -0.02, 0.99, -2.7, 0, 0, 1}, MGPU_WARP_REPEAT,
          MGPU_INTERPOLATION_BILINEAR},
      100},
  {{{0.99, 0.02, 1.3, -0.02, 0.99, -2.7, 0, 0, 1}, MGPU_WARP_BLACK,
          MGPU_INTERPOLATION_BILINEAR},
      100},
  {{{0.7, -0.6, 9, 0.6, 0.7, -5.1, 0, 0, 1}, MGPU_WARP_MIRROR,
          MGPU_INTERPOLATION_BILINEAR}, 100},
  {{{0.9, 0, 2.5, 0, 0.9, 1.2, 0, 0, 1}, MGPU_WARP_REPEAT,
          MGPU_INTERPOLATION_CUBIC}, 80},
  {{{1.01, 0.03, -1.3, -0.03, 1.01, 0.4, 0, 0, 1}, MGPU_WARP_BLACK,
          MGPU_INTERPOLATION_CUBIC}, 100},
  {{{0.98, 0.01, 0.6, -0.02, 1.01, -1.4, 0.0004, -0.0003, 1}, MGPU_WARP_MIRROR,
          MGPU_INTERPOLATION_CUBIC},
      100},
  {{{1.9, 0.2, 1.2, -0.04, 2.02, -1, -0.0006, 0.0009, 2}, MGPU_WARP_REPEAT,
          MGPU_INTERPOLATION_BILINEAR},
      90},
  /* Matrix with positions beyond the horizon, and farther away than positions are supported */
  {{{1, 0, 0, 0, 1, 0, -0.03, -0.02, 1}, MGPU_WARP_BLACK,
          MGPU_INTERPOLATION_BILINEAR}, 100},
  {{{9000, 0, -70000, 0, -9000, 70000, 0, 0, 1}, MGPU_WARP_MIRROR,
          MGPU_INTERPOLATION_CUBIC}, 100},
  {{{0.98, 0.03, 1.3, -0.03, 0.98, -0.4, 0, 0, 1}, MGPU_WARP_BLACK,
          MGPU_INTERPOLATION_LANCZOS},
      100},
  {{{0.8, 0, 2.5, 0, 0.8, 1.2, 0, 0, 1}, MGPU_WARP_REPEAT,
          MGPU_INTERPOLATION_LANCZOS},
      80},
  {{{0.98, 0.01, 0.6, -0.02, 1.01, -1.4, 0.0004, -0.0003, 1}, MGPU_WARP_MIRROR,
          MGPU_INTERPOLATION_LANCZOS},
      100},
  {{{9000, 0, -70000, 0, -9000, 70000, 0, 0, 1}, MGPU_WARP_MIRROR,
          MGPU_INTERPOLATION_LANCZOS},
      100}
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
  {"far away, cubic", &warps[9]},
  {"turned, black, Lanczos", &warps[10]},
  {"zoomed, smaller, Lanczos", &warps[11]},
  {"homography, mirrored, Lanczos", &warps[12]},
  {"far away, Lanczos", &warps[13]}
};

static gboolean
prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  const Warp *warp = params;

  /* Chroma sites of all kinds */
  kc_warp_prepare (warp->params.interpolation == MGPU_INTERPOLATION_CUBIC
      ? GST_VIDEO_CHROMA_SITE_COSITED
      : warp->params.edges == MGPU_WARP_BLACK ? GST_VIDEO_CHROMA_SITE_NONE
      : GST_VIDEO_CHROMA_SITE_MPEG2, warp->percent, in, out);
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

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuWarpParams *p = &((const Warp *) params)->params;
  RefWarpPlane from[KC_WARP_PLANES];
  RefPlane to[KC_WARP_PLANES];
  guint n = kc_warp_planes (in, out, from, to);

  for (guint i = 0; i < n; i++)
    ref_warp (&from[i], &to[i], p->matrix, (RefEdges) p->edges,
        (RefInterpolation) p->interpolation);
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

static const KcFilterBench list[] = {
  {"bilinear", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &warps[1]},
  {"bilinear", NULL, GST_VIDEO_FORMAT_BGRA, 1920, 1080, NULL, &warps[1]},
  {"bilinear", NULL, GST_VIDEO_FORMAT_GRAY8, 640, 480, NULL, &warps[1]},
  {"cubic", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &warps[4]},
  {"homography, cubic", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL,
      &warps[6]},
  {"lanczos", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &warps[11]},
  {NULL}
};

const KcFunction kc_stabilize =
    { "stabilize",.filter = &filter,.benches = list };
