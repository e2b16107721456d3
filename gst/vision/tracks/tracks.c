/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows points from frame to frame. */
#include "tracks.h"

#include <kernels/tracks/tracks-shared.h>

G_STATIC_ASSERT (MGPU_TRACKS_MAX == TRACKS_MAX);

/* Work-group size of kernels in which each work-item computes a pixel or a cell */
#define PIXEL_GROUP 64

/* Indices of the tuning parameters in the list */
enum
{
  FOLLOW_ITEMS,
  FOLLOW_GROUP,
  LIST_GROUP,
  LANES,
  ROWS
};

static const MgpuKnob knobs[] = {
  {"FOLLOW_ITEMS", {1, 16, 16}, "1 16",
      "number of work-items that share a window"},
  {"FOLLOW_GROUP", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items of a work-group that follows points"},
  {"LIST_GROUP", {1, 64, 64}, "1 16 64 256",
      "number of work-items that update the list of tracks"},
  {"LANES", {16, 1, 1}, "1 4 8 16", "number of pixels in a vector"},
  {"ROWS", {32, 1, 1}, "1 8 32",
      "number of rows of scores that a work-item computes"},
  {NULL}
};

enum
{
  GRADIENTS,
  SCORES,
  CELLS,
  FOLLOW,
  LIST
};

/* Indices of the sets of kernels */
enum
{
  POINT_SET,
  FOLLOW_SET,
  LIST_SET,
  N_SETS
};

static const MgpuKernel kernels[] = {
  [GRADIENTS] = {"tracks/points", "tracks_gradients", POINT_SET},
  [SCORES] = {"tracks/points", "tracks_scores", POINT_SET},
  [CELLS] = {"tracks/points", "tracks_cells", POINT_SET},
  [FOLLOW] = {"tracks/follow", "tracks_follow", FOLLOW_SET, TRUE},
  [LIST] = {"tracks/list", "tracks_list", LIST_SET},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory */
enum
{
  TRACKS,
  IS_ALIVE,
  GRADIENT,
  SCORE,
  POINTS,
  TAKEN,
  N_SLOTS
};

struct _MgpuTracks
{
  MgpuObject object;
  gsize group[2];               /* work-group size of kernels in which each work-item computes a
                                 * pixel or a cell */
  guint most;                   /* number of tracks for which the slot TRACKS has memory */
};

/* ---- Making the object ----------------------------------------------------- */

/* Lowers work-group sizes that the device does not allow. */
static void
lower_knobs (MgpuTracks * self)
{
  gint *values = self->object.knobs;
  gint limit = self->object.traits->max_work_group_size;

  if (limit < 16)
    values[FOLLOW_ITEMS] = 1;
  while (values[FOLLOW_GROUP] > limit)
    values[FOLLOW_GROUP] /= 2;
  values[FOLLOW_GROUP] = MAX (values[FOLLOW_GROUP], values[FOLLOW_ITEMS]);
  while (values[LIST_GROUP] > limit)
    values[LIST_GROUP] /= 2;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuTracks *self = object;
  gboolean ok = TRUE;

  lower_knobs (self);
  mgpu_group (self->object.context, PIXEL_GROUP, 1, self->group);
  for (guint set = 1; set < N_SETS && ok; set++)
    ok = mgpu_object_build (self, set, error);
  return ok;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuTracks *self = object;
  const gint *values = self->object.knobs;

  if (set == FOLLOW_SET)
    g_string_append_printf (options, " -DWINDOWS=%d",
        values[FOLLOW_GROUP] / values[FOLLOW_ITEMS]);
}

static void
forget (gpointer object)
{
  MgpuTracks *self = object;

  self->most = 0;
}

/* ---- Work on a frame ------------------------------------------------------- */

#define LEVEL "iiii"
#define LEVEL_OF(l) (l).width, (l).height, (l).stride, (l).offset

static void
enqueue_follow (MgpuTracks * self, GstMgpuJob * job,
    const MgpuFlowLevels * levels, cl_mem tracks)
{
  cl_kernel kernel = self->object.kernels[FOLLOW];
  const gint *values = self->object.knobs;
  const MgpuFlowLevel *l = levels->levels;

  gst_mgpu_job_set_args (job, kernel, "mm" LEVEL LEVEL LEVEL LEVEL "mm",
      levels->previous, levels->now, LEVEL_OF (l[0]), LEVEL_OF (l[1]),
      LEVEL_OF (l[2]), LEVEL_OF (l[3]), tracks,
      mgpu_slot_write (self, IS_ALIVE, job, TRACKS_MAX * sizeof (gint32)));
  mgpu_launch_items (job, kernel, (gsize) self->most * values[FOLLOW_ITEMS],
      values[FOLLOW_GROUP]);
}

/* Finds the best point of each cell. Returns: the points */
static cl_mem
enqueue_points (MgpuTracks * self, GstMgpuJob * job,
    const MgpuFlowLevels * levels, gint cell, gint columns, gint rows)
{
  cl_kernel *kernels = self->object.kernels;
  const MgpuFlowLevel *level = &levels->levels[TRACKS_POINT_LEVEL];
  const gint *values = self->object.knobs;
  gsize size = (TRACKS_PAD + (gsize) TRACKS_STRIDE (level->width)
      * level->height) * sizeof (guint32);
  cl_mem gradients = mgpu_slot_write (self, GRADIENT, job, size);
  cl_mem scores = mgpu_slot_write (self, SCORE, job, size);
  cl_mem points = mgpu_slot_write (self, POINTS, job,
      (gsize) columns * rows * 4 * sizeof (gfloat));

  gst_mgpu_job_set_args (job, kernels[GRADIENTS], "m" LEVEL "m", levels->now,
      LEVEL_OF (*level), gradients);
  mgpu_launch (job, kernels[GRADIENTS], level->width, level->height,
      values[LANES], 1, self->group);
  gst_mgpu_job_set_args (job, kernels[SCORES], "miim", gradients,
      level->width, level->height, scores);
  mgpu_launch (job, kernels[SCORES], level->width, level->height,
      values[LANES], values[ROWS], self->group);
  gst_mgpu_job_set_args (job, kernels[CELLS], "miiiiim", scores, level->width,
      level->height, cell, columns, rows, points);
  mgpu_launch (job, kernels[CELLS], columns, rows, 1, 1, self->group);
  return points;
}

/* Returns: the step with which a cyclic list of n cells is traversed when points are added. The
 * cells that are visited first are then spread over the frame */
static gint
find_step (gint n)
{
  for (gint step = (5 * n + 7) / 8;; step++) {
    gint a = n, b = step;

    while (b != 0) {
      gint rest = a % b;

      a = b;
      b = rest;
    }
    if (a == 1)
      return step;
  }
}

void
mgpu_tracks_enqueue (MgpuTracks * self, GstMgpuJob * job,
    const MgpuTracksParams * params, MgpuFlow * flow,
    const MgpuTracksTables * tables)
{
  gint cell = params->cell, columns, rows;
  gboolean follows;
  MgpuFlowLevels levels;
  cl_mem tracks, points;

  mgpu_flow_get_levels (flow, job, &levels);
  follows = levels.previous != NULL && self->most > 0;
  columns = (levels.levels[0].width + cell - 1) / cell;
  rows = (levels.levels[0].height + cell - 1) / cell;
  if (!mgpu_slot_ensure_zeros (self, TRACKS, job,
          (TRACKS_MAX + 1) * TRACKS_WORDS * sizeof (guint32))
      || !mgpu_slot_ensure_zeros (self, IS_ALIVE, job,
          TRACKS_MAX * sizeof (gint32)))
    return;
  tracks = mgpu_slot_write (self, TRACKS, job, 0);
  if (follows)
    enqueue_follow (self, job, &levels, tracks);
  points = enqueue_points (self, job, &levels, cell, columns, rows);
  gst_mgpu_job_set_args (job, self->object.kernels[LIST], "mmimiiiiiimmmmff",
      tracks, mgpu_slot_read (self, IS_ALIVE, job), follows ? self->most : 0,
      points, cell, columns, rows, find_step (columns * rows), params->most,
      params->first_id,
      mgpu_slot_write (self, TAKEN, job,
          (gsize) columns * rows * sizeof (gint32)),
      gst_mgpu_job_write (job, tables->keypoints),
      gst_mgpu_job_write (job, tables->ids),
      gst_mgpu_job_write (job, tables->motions), (gdouble) params->left,
      (gdouble) params->top);
  mgpu_launch_items (job, self->object.kernels[LIST],
      self->object.knobs[LIST_GROUP], self->object.knobs[LIST_GROUP]);
  self->most = params->most;
}

const MgpuAlgorithm mgpu_tracks = {
  .size = sizeof (MgpuTracks),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .forget = forget
};
