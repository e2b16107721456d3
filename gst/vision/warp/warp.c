/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Warps frames by a homography. */
#include "groups.h"
#include "warp.h"
#include "weights.h"

#include <kernels/base/warp-shared.h>

static const MgpuKnob knobs[] = {
  {"RUN", {16, 1, 1}, "1 16", "number of columns that a work-item computes"},
  {"ROWS", {16, 1, 1}, "1 4 8 16", "number of rows that a work-item computes"},
  {"GROUP_X", {4, 32, 32}, "1 4 16 32 64",
      "width of a work-group, in work-items"},
  {"GROUP_Y", {1, 4, 4}, "1 2 4", "height of a work-group, in work-items"},
  {NULL}
};

/* The kernels in the order of MgpuInterpolation */
static const MgpuKernel kernels[] = {
  {"warp/warp", "warp_bilinear", 0},
  {"warp/warp", "warp_cubic", 0},
  {"warp/warp", "warp_lanczos", 0},
  {NULL}
};

typedef struct
{
  MgpuWarpObject warp;
  GArray *lanczos;              /* weights for slot 0 */
} Warp;

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Warp *self = object;

  self->lanczos = g_array_new (FALSE, FALSE, sizeof (gint32));
  mgpu_weights_add_lanczos (self->lanczos);
  return mgpu_warp_init (object, params, error);
}

static void
clear (gpointer object)
{
  Warp *self = object;

  g_array_unref (self->lanczos);
}

/* Computes the conversion from sample coordinates to pixel coordinates along one axis. A sample
 * with the coordinate x has the pixel coordinate *@scale * x + *@offset. A sample covers 1 <<
 * @shift pixels. It lies at the first of these pixels if @is_cosited is TRUE, otherwise at their
 * center. */
static void
find_axis (guint shift, gboolean is_cosited, gdouble * scale, gdouble * offset)
{
  *scale = 1 << shift;
  *offset = is_cosited ? 0 : (*scale - 1) / 2;
}

/* Sets @moved to the matrix that moves positions in samples of a color component in the same
 * way as @matrix moves positions in pixels. Its last number is 1. */
static void
move_component (const GstVideoInfo * info, guint component,
    const gdouble matrix[9], gfloat moved[9])
{
  GstVideoChromaSite site = info->chroma_site;
  gdouble scale[2], offset[2], m[9];

  find_axis (info->finfo->w_sub[component],
      (site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0, &scale[0], &offset[0]);
  find_axis (info->finfo->h_sub[component],
      (site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0, &scale[1], &offset[1]);
  for (guint i = 0; i < 3; i++) {
    const gdouble *row = matrix + 3 * i;

    m[3 * i] = row[0] * scale[0];
    m[3 * i + 1] = row[1] * scale[1];
    m[3 * i + 2] = row[0] * offset[0] + row[1] * offset[1] + row[2];
  }
  for (guint j = 0; j < 3; j++)
    for (guint i = 0; i < 2; i++)
      m[3 * i + j] = (m[3 * i + j] - offset[i] * m[6 + j]) / scale[i];
  for (guint i = 0; i < 9; i++)
    moved[i] = m[i] / m[8];
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuWarpParams *params = work->params;
  Warp *self = object;
  const MgpuWarpObject *warp = &self->warp;
  const GstVideoInfo *info = &warp->object.in;
  cl_kernel kernel = warp->object.kernels[params->interpolation];
  gboolean is_lanczos = params->interpolation == MGPU_INTERPOLATION_LANCZOS;
  MgpuWarpParts parts;
  gfloat m[9], c[9];

  mgpu_warp_begin (warp, job, work, NULL, &parts);
  move_component (info, warp->groups[0].first, params->matrix, m);
  move_component (info, warp->groups[warp->n_groups - 1].first, params->matrix,
      c);
  gst_mgpu_job_set_args (job, kernel, is_lanczos
      ? MGPU_WARP_PARTS "ffffffffi" "ffffffffi" "im"
      : MGPU_WARP_PARTS "ffffffffi" "ffffffffi" "i",
      MGPU_WARP_USE_PARTS (job, work, &parts),
      m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[6] == 0 && m[7] == 0,
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[6] == 0 && c[7] == 0,
      (gint) params->edges,
      is_lanczos ? mgpu_slot_read_words (self, 0, job, self->lanczos) : NULL);
  mgpu_warp_launch (warp, job, kernel, &parts);
}

const MgpuAlgorithm mgpu_warp = {
  .size = sizeof (Warp),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = 1,
  .init = init,
  .define = mgpu_warp_define,
  .enqueue = enqueue,
  .clear = clear
};
