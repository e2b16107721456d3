/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes frames from the map of a lens. */
#include "remap.h"

#include <kernels/base/warp-shared.h>

#include "groups.h"

static const MgpuKnob knobs[] = {
  {"RUN", {16, 4, 4}, "1 4 16", "number of columns that a work-item computes"},
  {"ROWS", {16, 1, 1}, "1 4 16", "number of rows that a work-item computes"},
  {"GROUP_X", {4, 16, 16}, "1 4 16 32 64",
      "width of a work-group, in work-items"},
  {"GROUP_Y", {1, 4, 4}, "1 2 4", "height of a work-group, in work-items"},
  {NULL}
};

/* The kernels in the order of MgpuInterpolation */
static const MgpuKernel kernels[] = {
  {"warp/remap", "remap_bilinear", 0},
  {"warp/remap", "remap_cubic", 0},
  {"warp/remap", "remap_lanczos", 0},
  {NULL}
};

typedef struct
{
  MgpuWarpObject warp;
  guint serial;                 /* serial number of the map in slot 0; 0: none */
} Remap;

/* Returns: the distance, in parts of a cell, of a sample from the first of the pixels that it
 * covers */
static gint
find_begin (guint shift, gboolean is_cosited)
{
  const gint pixel = WARP_PARTS / WARP_CELL;

  return is_cosited ? 0 : ((1 << shift) - 1) * pixel / 2;
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuRemapParams *params = work->params;
  const MgpuLensMap *map = params->map;
  Remap *self = object;
  const MgpuWarpObject *warp = &self->warp;
  const GstVideoInfo *info = &warp->object.in;
  guint last = warp->groups[warp->n_groups - 1].first;
  cl_kernel kernel = warp->object.kernels[params->interpolation];
  MgpuWarpParts parts;
  gint x_shift, y_shift;

  if (self->serial != params->serial) {
    self->serial = 0;
    if (!mgpu_slot_set_words (self, 0, job, map->words))
      return;
    self->serial = params->serial;
  }
  mgpu_warp_begin (warp, job, work, params->colour, &parts);
  x_shift = info->finfo->w_sub[last];
  y_shift = info->finfo->h_sub[last];
  gst_mgpu_job_set_args (job, kernel, MGPU_WARP_PARTS "miiiiiiiiiiii",
      MGPU_WARP_USE_PARTS (job, work, &parts),
      mgpu_slot_read (self, 0, job), map->columns, (gint) map->nodes,
      (gint) map->margins, (gint) map->cells, (gint) map->exact, map->wrap,
      x_shift, y_shift,
      find_begin (x_shift,
          (info->chroma_site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0),
      find_begin (y_shift,
          (info->chroma_site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0),
      params->samples, map->wrap > 0 ? WARP_WRAP : (gint) params->edges);
  mgpu_warp_launch (warp, job, kernel, &parts);
}

const MgpuAlgorithm mgpu_remap = {
  .size = sizeof (Remap),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = 1,
  .init = mgpu_warp_init,
  .define = mgpu_warp_define,
  .enqueue = enqueue
};
