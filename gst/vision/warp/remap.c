/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes frames from the map of a lens. */
#include "remap.h"

#include <kernels/base/warp-shared.h>

#include "groups.h"

enum
{
  RUN,
  ROWS,
  GROUP_X,
  GROUP_Y
};

static const MgpuKnob knobs[] = {
  {"RUN", {16, 1, 1}, "1 4 16", "columns of a work-item"},
  {"ROWS", {16, 1, 1}, "1 4 16", "rows of a work-item"},
  {"GROUP_X", {4, 32, 32}, "1 4 16 32 64", "work-items side by side"},
  {"GROUP_Y", {1, 4, 4}, "1 2 4", "height of a work-group, in work-items"},
  {NULL}
};

/* Number of kernels for one memory layout of samples, in the order of MgpuInterpolation */
#define N_KERNELS 3

static const MgpuKernel kernels[] = {
  {"warp/remap", "remap_bilinear", 0},
  {"warp/remap", "remap_cubic", 0},
  {"warp/remap", "remap_lanczos", 0},
  {"warp/remap", "remap_bilinear", 1},
  {"warp/remap", "remap_cubic", 1},
  {"warp/remap", "remap_lanczos", 1},
  {NULL}
};

typedef struct
{
  MgpuObject object;
  MgpuWarpGroup groups[MGPU_WARP_MAX_GROUPS];
  guint n_groups;
  gsize size[2];                /* size of a work-group */
  guint serial;                 /* of the map in slot 0; 0: none */
} Remap;

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Remap *self = object;

  if (!mgpu_warp_check_sizes (&self->object.in, &self->object.out, error))
    return FALSE;
  self->n_groups = mgpu_warp_find_groups (&self->object.in, self->groups);
  mgpu_group (self->object.context, self->object.knobs[GROUP_X],
      self->object.knobs[GROUP_Y], self->size);
  return self->groups[self->n_groups - 1].layout == 0
      || mgpu_object_build (self, 1, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  Remap *self = object;

  mgpu_warp_define_group (&self->object.in, self->groups, set, options);
}

/* Returns: how many parts of a cell a sample lies behind the first of the pixels that it
 * covers */
static gint
find_begin (guint shift, gboolean is_cosited)
{
  const gint pixel = WARP_PARTS / WARP_CELL;

  return is_cosited ? 0 : ((1 << shift) - 1) * pixel / 2;
}

static void
enqueue_group (Remap * self, GstMgpuJob * job, const MgpuWork * work,
    const MgpuWarpGroup * group)
{
  const MgpuRemapParams *params = work->params;
  const MgpuLensMap *map = params->map;
  const GstVideoInfo *info = &self->object.in;
  const GstVideoFormatInfo *format = info->finfo;
  cl_kernel kernel = self->object.kernels[N_KERNELS * group->layout
      + params->interpolation];
  MgpuComponent from = mgpu_get_component (&work->in->info, group->first);
  MgpuComponent to = mgpu_get_component (&work->out->info, group->first);
  guint x_shift = format->w_sub[group->first];
  guint y_shift = format->h_sub[group->first];
  gint colour[4];

  for (guint i = 0; i < 4; i++)
    colour[i] = params->colour == NULL
        || group->first + i >= GST_VIDEO_INFO_N_COMPONENTS (info)
        ? group->black[i] : params->colour[group->first + i];
  gst_mgpu_job_set_args (job, kernel,
      MGPU_PLANE MGPU_PLANE "iiiimiiiiiiiiiiiiiiii",
      MGPU_READ (job, work->in, from), MGPU_WRITE (job, work->out, to),
      from.width, from.height, to.width, to.height,
      mgpu_slot_read (self, 0, job), map->columns, (gint) map->nodes,
      (gint) map->margins, (gint) map->cells, (gint) map->exact, map->wrap,
      (gint) x_shift, (gint) y_shift,
      find_begin (x_shift,
          (info->chroma_site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0),
      find_begin (y_shift,
          (info->chroma_site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0),
      params->samples, map->wrap > 0 ? WARP_WRAP : (gint) params->edges,
      colour[0], colour[1], colour[2], colour[3]);
  mgpu_launch (job, kernel, to.width, to.height,
      self->object.knobs[RUN], self->object.knobs[ROWS], self->size);
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuRemapParams *params = work->params;
  Remap *self = object;

  if (self->serial != params->serial) {
    self->serial = 0;
    if (!mgpu_slot_set_words (self, 0, job, params->map->words))
      return;
    self->serial = params->serial;
  }
  mgpu_warp_copy_rest (job, work);
  for (guint i = 0; i < self->n_groups; i++)
    enqueue_group (self, job, work, &self->groups[i]);
}

const MgpuAlgorithm mgpu_remap = {
  .size = sizeof (Remap),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = 1,
  .init = init,
  .define = define,
  .enqueue = enqueue
};
