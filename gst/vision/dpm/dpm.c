/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <math.h>
#include <string.h>

#include <gst/vision/base/map.h>

#include "private.h"

/* Number of hits for which the list has room. When the device finds more, the host reads
 * all scores instead. */
#define ROOM 4096

/* Holds the knobs, which tune the kernels. Values for processors keep the data in their
 * caches, values for GPUs make many work-items, and values for phones need little
 * memory. */
static const MgpuKnob knobs[] = {
  {"LANES", {16, 4, 4}, "1 4 16", "filters of a work-item"},
  {"TILE", {8, 8, 4}, "2 4 8 16", "neighbouring cells of a work-item"},
  {"GROUP", {1, 64, 32}, "1 16 32 64 128", "work-items of a work-group"},
  {"BATCH", {1 << 13, 1 << 19, 1 << 15}, "8192 32768 131072 524288",
      "cells of parts that are worked on at once, or those of the largest level"},
  {NULL}
};

/* Names the indices of the array kernels. */
enum
{
  CLEAR,
  REDUCE,
  CORRELATE,
  SPREAD,
  PRUNE,
  SUM
};

static const MgpuKernel kernels[] = {
  [CLEAR] = {"dpm/dpm", "dpm_clear", 0},
  [REDUCE] = {"dpm/dpm", "dpm_reduce", 0},
  [CORRELATE] = {"dpm/dpm", "dpm_correlate", 0},
  [SPREAD] = {"dpm/dpm", "dpm_spread", 0},
  [PRUNE] = {"dpm/dpm", "dpm_prune", 0},
  [SUM] = {"dpm/dpm", "dpm_sum", 0},
  {NULL}
};

/* Names the slots, which are memories on the device: the plan, the responses of filters
 * (RESPONSES, SPREAD_ROWS, ROOTS), and, for cascades, the reduced features, the
 * components that may still be found, and the filters that are still needed. */
enum
{
  PLAN,
  RESPONSES,
  SPREAD_ROWS,
  ROOTS,
  REDUCED,
  LEFT,
  NEEDED,
  N_SLOTS
};

/* Holds the arguments that mgpu_dpm_new() passes to init(). */
typedef struct
{
  const MgpuDpmModel *const *models;
  guint n_models;
  const MgpuFhogPyramid *pyramid;
} Task;

/* Checks that the kernels can count all cells and scores in an int. */
static gboolean
check_size (const MgpuDpm * self, GError ** error)
{
  const gdouble most = G_MAXINT / 4;
  gdouble cells = 0;

  for (guint i = 0; i < self->n_levels; i++)
    cells += (gdouble) self->levels[i].columns * self->levels[i].rows;
  if (cells * self->n_models <= most)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "models are found in pyramids of %.0f million cells at most for all of "
      "them, and these are %.0f million for each of %u: scale frames down "
      "before this element, or look for fewer", most / 1e6, cells / 1e6,
      self->n_models);
  return FALSE;
}

/* ---- The object --------------------------------------------------------------- */

static gboolean
check_models (const MgpuDpmModel * const *models, guint n_models,
    gint cell_size, GError ** error)
{
  for (guint i = 0; i < n_models; i++)
    if (models[i]->cell_size != cell_size) {
      g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
          "the model \"%s\" has cells of %d pixels, and what it is looked for "
          "in has cells of %d", models[i]->name, models[i]->cell_size,
          cell_size);
      return FALSE;
    }
  return TRUE;
}

MgpuFhogParams
mgpu_dpm_choose_params (const MgpuDpmModel * const *models, guint n_models)
{
  MgpuFhogParams params = {.resize = MGPU_FHOG_AREA };

  for (guint i = 0; i < n_models; i++) {
    const MgpuDpmModel *m = models[i];

    params.cell_size = MAX (params.cell_size, m->cell_size);
    params.interval = MAX (params.interval, m->interval);
    params.extra_octave |= m->extra_octave;
    for (guint j = 0; j < m->n_components; j++) {
      const MgpuDpmComponent *c = m->components + j;

      params.pad_x = MAX (params.pad_x, 1 + MAX (c->root.columns,
              c->window_columns));
      params.pad_y = MAX (params.pad_y, 1 + MAX (c->root.rows,
              c->window_rows));
    }
  }
  return params;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuDpm *self = object;
  const Task *task = params;
  const MgpuFhogPyramid *pyramid = task->pyramid;

  self->params = pyramid->params;
  self->n_levels = pyramid->n_levels;
  self->levels = g_memdup2 (pyramid->levels,
      pyramid->n_levels * sizeof (MgpuFhogLevel));
  self->n_models = task->n_models;
  if (!check_models (task->models, task->n_models, self->params.cell_size,
          error) || !check_size (self, error))
    return FALSE;
  mgpu_dpm_make_plan (self, task->models);
  return TRUE;
}

static void
clear (gpointer object)
{
  MgpuDpm *self = object;

  g_clear_pointer (&self->words, g_array_unref);
  g_clear_pointer (&self->batches, g_array_unref);
  g_free (self->first_scores);
  g_free (self->models);
  g_free (self->levels);
}

static const MgpuAlgorithm dpm = {
  .size = sizeof (MgpuDpm),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .clear = clear
};

MgpuDpm *
mgpu_dpm_new (GstMgpuContext * context, const MgpuDpmModel * const *models,
    guint n_models, const MgpuFhogPyramid * pyramid, GError ** error)
{
  const Task task = { models, n_models, pyramid };

  return mgpu_object_new (&dpm, context, NULL, NULL, NULL, &task, error);
}

gboolean
mgpu_dpm_get_level (MgpuDpm * self, guint model, guint level, gsize * first)
{
  *first = (gsize) model *self->n_scores + self->first_scores[level];
  return level >= self->models[model].skipped + self->params.interval;
}

void
mgpu_dpm_set_heights (MgpuDpm * self, guint least, guint most)
{
  self->least_height = least;
  self->most_height = most;
}

/* Returns: whether the objects of a component in a level are as high as they may be */
static gboolean
fits (const MgpuDpm * self, const MgpuDpmComponent * c, guint level)
{
  const MgpuFhogLevel *l = self->levels + level;
  guint height = rint (c->window_rows * (l->cell_size / l->scale));

  return height >= self->least_height
      && (self->most_height == 0 || height <= self->most_height);
}

/* Returns: whether any object of a model fits into a level of batch */
static gboolean
has_objects (const MgpuDpm * self, const MgpuDpmModel * model,
    const Batch * batch)
{
  for (guint i = batch->begin; i < batch->end; i++)
    for (guint k = 0; k < model->n_components; k++)
      if (fits (self, &model->components[k], i))
        return TRUE;
  return FALSE;
}

void
mgpu_dpm_get_sizes (MgpuDpm * self, gsize * scores, gsize * hits)
{
  *scores = MAX ((gsize) self->n_models * self->n_scores, 1)
      * sizeof (MgpuDpmScore);
  *hits = (1 + ROOM * DPM_HIT) * sizeof (gint);
}

/* ---- Work on a frame ---------------------------------------------------------- */

/* Starts a kernel with one work-item for each column of each row of each of n groups. */
static void
launch (MgpuDpm * self, GstMgpuJob * job, cl_kernel kernel, gsize columns,
    const Rows * rows, guint n)
{
  const gsize group[2] = { self->object.knobs[GROUP], 1 };

  if (n > 0)
    mgpu_launch_planes (job, kernel, n, columns, rows->n, 1, 1, group);
}

/* Holds the arguments that the kernels for a batch share. */
typedef struct
{
  GstMgpuJob *job;
  const Batch *batch;
  const Model *model;
  guint number;                 /* number of the model */
  gfloat threshold;
  gboolean is_pruned;           /* whether kernels skip cells that a cascade ruled out */
  cl_mem plan, features, scores, hits;
  cl_mem responses, near, roots;
  cl_mem reduced, left, needed; /* left and needed are plan when nothing is pruned */
} Search;

static void
correlate (MgpuDpm * self, const Search * s, cl_mem features,
    const Rows * rows, const Groups * groups, gint place, cl_mem out)
{
  const gint *knobs = self->object.knobs;
  cl_kernel kernel = self->object.kernels[CORRELATE];
  gint tiles = (rows->columns + knobs[TILE] - 1) / knobs[TILE];

  gst_mgpu_job_set_args (s->job, kernel, "mimiiiimim", features,
      groups->features, s->plan, rows->begin, groups->begin, place,
      place == 0 ? self->parts_stride : self->roots_stride, s->needed,
      !s->is_pruned ? -1 : place == 0 ? 0 : self->parts_stride, out);
  launch (self, s->job, kernel, (gsize) tiles * (FILTERS / knobs[LANES]), rows,
      groups->n);
}

static void
spread (MgpuDpm * self, const Search * s, cl_mem in, const Groups * groups,
    gint axis, cl_mem out)
{
  const Rows *rows = &s->batch->parts;
  cl_kernel kernel = self->object.kernels[SPREAD];

  gst_mgpu_job_set_args (s->job, kernel, "mmiiiimim", in, s->plan,
      rows->begin, groups->begin, self->parts_stride, axis, s->needed,
      (gint) s->is_pruned, out);
  launch (self, s->job, kernel, (gsize) rows->columns
      * (FILTERS / self->object.knobs[LANES]), rows, groups->n);
}

/* Computes the responses of the filters of parts and roots. */
static void
filter (MgpuDpm * self, const Search * s, cl_mem features,
    const Groups * roots, const Groups * parts)
{
  correlate (self, s, features, &s->batch->parts, parts, 0, s->responses);
  spread (self, s, s->responses, parts, 0, s->near);
  spread (self, s, s->near, parts, 1, s->responses);
  correlate (self, s, features, &s->batch->roots, roots, 1, s->roots);
}

static void
set_zeros (MgpuDpm * self, GstMgpuJob * job, cl_mem words, gsize n)
{
  cl_kernel kernel = self->object.kernels[CLEAR];

  gst_mgpu_job_set_args (job, kernel, "m", words);
  gst_mgpu_job_launch (job, kernel, 1, &n, NULL);
}

/* Finds the cells that may still reach the threshold, by the reduced features. */
static void
prune (MgpuDpm * self, Search * s)
{
  cl_kernel kernel = self->object.kernels[PRUNE];
  const Model *m = s->model;
  gfloat shift = MIN (s->threshold - m->model->threshold, 0);

  s->left = mgpu_slot_write (self, LEFT, s->job,
      (gsize) self->roots_stride * sizeof (guint64));
  s->needed = mgpu_slot_write (self, NEEDED, s->job,
      ((gsize) self->parts_stride + self->roots_stride) * sizeof (gint));
  filter (self, s, s->reduced, &m->few_roots, &m->few_parts);
  set_zeros (self, s->job, s->needed, self->parts_stride + self->roots_stride);
  gst_mgpu_job_set_args (s->job, kernel, "mimimiiiiifmm", s->roots,
      self->roots_stride, s->responses, self->parts_stride, s->plan,
      s->batch->roots.begin, self->params.interval, (gint) m->skipped,
      m->components, (gint) m->model->n_components, (gdouble) shift, s->left,
      s->needed);
  launch (self, s->job, kernel, s->batch->roots.columns, &s->batch->roots, 1);
  s->is_pruned = TRUE;
}

/* Looks for a model's roots in the levels of a batch. */
static void
search (MgpuDpm * self, Search * s, gboolean cascade)
{
  cl_kernel kernel = self->object.kernels[SUM];
  gsize size = FILTERS * sizeof (gfloat);
  /* Memory cannot be empty: models without parts get room for one group. */
  gsize parts_size = size * MAX (self->n_part_groups, 1) * self->parts_stride;
  const Model *m = s->model;

  s->responses = mgpu_slot_write (self, RESPONSES, s->job, parts_size);
  s->near = mgpu_slot_write (self, SPREAD_ROWS, s->job, parts_size);
  s->roots = mgpu_slot_write (self, ROOTS, s->job,
      size * self->n_root_groups * self->roots_stride);
  s->is_pruned = FALSE;
  s->left = s->needed = s->plan;
  if (cascade)
    prune (self, s);
  filter (self, s, s->features, &m->roots, &m->parts);
  gst_mgpu_job_set_args (s->job, kernel, "mimimiiiiimiiifimm", s->roots,
      self->roots_stride, s->responses, self->parts_stride, s->plan,
      s->batch->roots.begin, self->params.interval, (gint) m->skipped,
      m->components, (gint) m->model->n_components, s->left,
      (gint) s->is_pruned, (gint) s->number,
      (gint) s->number * self->n_scores, (gdouble) s->threshold, ROOM,
      s->scores, s->hits);
  launch (self, s->job, kernel, s->batch->roots.columns, &s->batch->roots, 1);
}

/* Computes the reduced features of a cascade for all levels. */
static void
reduce (MgpuDpm * self, Search * s)
{
  cl_kernel kernel = self->object.kernels[REDUCE];
  const MgpuFhogLevel *last = self->levels + self->n_levels - 1;
  gsize n = (gsize) last->offset + (gsize) last->columns * last->rows;

  s->reduced = mgpu_slot_write (self, REDUCED, s->job,
      n * self->max_pca * sizeof (gfloat));
  gst_mgpu_job_set_args (s->job, kernel, "mmiiim", s->features, s->plan,
      s->model->pca, (gint) n, s->model->model->n_pca, s->reduced);
  mgpu_launch_items (s->job, kernel, n, 64);
}

void
mgpu_dpm_enqueue (MgpuDpm * self, GstMgpuJob * job, gboolean cascade,
    const gfloat * thresholds, GstMgpuMemory * features,
    GstMgpuMemory * scores, GstMgpuMemory * hits)
{
  Search s = {.job = job };

  if (self->batches->len == 0 || self->n_models == 0)
    return;
  s.features = gst_mgpu_job_read (job, features);
  s.plan = mgpu_slot_read_words (self, PLAN, job, self->words);
  s.scores = gst_mgpu_job_write (job, scores);
  s.hits = gst_mgpu_job_write (job, hits);
  set_zeros (self, job, s.hits, 1);
  for (guint i = 0; i < self->n_models; i++) {
    s.model = self->models + i;
    s.number = i;
    s.threshold = thresholds[i];
    if (cascade)
      reduce (self, &s);
    for (guint j = 0; j < self->batches->len; j++) {
      s.batch = &g_array_index (self->batches, Batch, j);
      if (s.batch->begin >= s.model->skipped + self->params.interval
          && has_objects (self, s.model->model, s.batch))
        search (self, &s, cascade);
    }
  }
}

/* ---- Boxes of hits ----------------------------------------------------------- */

/* Returns: whether this model, level, cell and component exist */
static gboolean
is_place (MgpuDpm * self, guint model, guint level, gint row, gint column,
    gint component)
{
  return model < self->n_models && level < self->n_levels
      && row >= 0 && row < self->levels[level].rows
      && column >= 0 && column < self->levels[level].columns
      && component >= 0
      && (guint) component < self->models[model].model->n_components;
}

/* Appends the box of a hit. Leaves out a place that does not exist, which only a
 * mistake of the device can list. */
static void
add_box (MgpuDpm * self, guint model, guint level, gint row, gint column,
    gint component, gfloat score, GArray * boxes)
{
  const MgpuFhogLevel *l = self->levels + level;
  MgpuBox box = {.score = score,.label = model,.component = component };
  const MgpuDpmComponent *c;
  gdouble cell;

  if (!is_place (self, model, level, row, column, component))
    return;
  c = self->models[model].model->components + component;
  if (!fits (self, c, level))
    return;
  cell = l->cell_size / l->scale;
  box.x = rint ((column - (self->params.pad_x - 1) - c->shift_x) * cell);
  box.y = rint ((row - (self->params.pad_y - 1) - c->shift_y) * cell);
  box.width = rint (c->window_columns * cell);
  box.height = rint (c->window_rows * cell);
  g_array_append_val (boxes, box);
}

/* Appends the boxes of all hits by reading the scores. Used when the list has no room
 * for all hits. */
static void
find_boxes (MgpuDpm * self, const gfloat * thresholds,
    const MgpuDpmScore * scores, GArray * boxes)
{
  for (guint m = 0; m < self->n_models; m++)
    for (guint i = 0; i < self->n_levels; i++) {
      gint n = mgpu_dpm_count_cells (self, i);
      gint columns = self->levels[i].columns;
      gsize first;

      if (!mgpu_dpm_get_level (self, m, i, &first))
        continue;
      for (gint j = 0; j < n; j++) {
        const MgpuDpmScore *s = scores + first + j;

        if (s->component >= 0 && s->score >= thresholds[m])
          add_box (self, m, i, j / columns, j % columns, s->component,
              s->score, boxes);
      }
    }
}

gboolean
mgpu_dpm_read (MgpuDpm * self, const gfloat * thresholds,
    GstMgpuMemory * scores, GstMgpuMemory * hits, GArray * boxes,
    GError ** error)
{
  GstMapInfo info;
  const gint *list;
  gint n;

  if (self->batches->len == 0 || self->n_models == 0)
    return TRUE;
  if (!mgpu_map_result (hits, &info, error))
    return FALSE;
  list = (const gint *) info.data;
  n = list[0];
  for (gint i = 0; n <= ROOM && i < n; i++) {
    const gint *hit = list + 1 + DPM_HIT * i;
    gfloat score;

    memcpy (&score, hit + 5, sizeof (score));
    add_box (self, hit[0], hit[1], hit[2], hit[3], hit[4], score, boxes);
  }
  gst_memory_unmap (GST_MEMORY_CAST (hits), &info);
  if (n > ROOM) {
    if (!mgpu_map_result (scores, &info, error))
      return FALSE;
    find_boxes (self, thresholds, (const MgpuDpmScore *) info.data, boxes);
    gst_memory_unmap (GST_MEMORY_CAST (scores), &info);
  }
  mgpu_boxes_sort (boxes);
  return TRUE;
}
