/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Searches feature pyramids for objects with deformable part models. */
#include <math.h>
#include <string.h>

#include <gst/vision/base/array.h>
#include <gst/vision/base/parts.h>
#include <gst/vision/base/map.h>

#include "dpm-private.h"

/* Maximum number of hits (cells with a high score) in the list that kernels write. If there are
 * more hits, the host reads the scores of all cells instead. */
#define ROOM 4096

/* The tuning parameters of the kernels. The default values for CPUs keep data in their caches,
 * those for GPUs result in many work-items, and those for phones need little memory. */
static const MgpuKnob knobs[] = {
  {"LANES", {16, 4, 4}, "1 4 16",
      "number of filters whose scores a work-item computes"},
  {"TILE", {8, 8, 4}, "2 4 8 16",
      "number of neighboring cells that a work-item computes"},
  {"GROUP", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items in a work-group"},
  {"BATCH", {1 << 13, 1 << 19, 1 << 15}, "8192 32768 131072 524288",
      "number of cells in which part filters are computed at once, at least "
      "the number of cells of the largest level"},
  {NULL}
};

/* Indices into the array @kernels of the OpenCL kernels that search for part models */
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

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels.
 * PLAN: the plan (tables of models and levels).
 * RESPONSES, SPREAD_ROWS, ROOTS: responses of filters.
 * REDUCED: reduced features, for cascades.
 * LEFT: components that a cell may still show, for cascades and regions.
 * NEEDED: filters that are still needed, for cascades and regions.
 * ALLOWED: components that each cell may show, for regions. */
enum
{
  PLAN,
  RESPONSES,
  SPREAD_ROWS,
  ROOTS,
  REDUCED,
  LEFT,
  NEEDED,
  ALLOWED,
  N_SLOTS
};

/* The arguments that mgpu_dpm_new() passes to init(). */
typedef struct
{
  const MgpuDpmModel *const *models;
  guint n_models;
  const MgpuFhogPyramid *pyramid;
} Task;

/* Checks that all cells and all scores of the pyramid, for all models, can be counted in an
 * int. */
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
      "the pyramids of all models may have %.0f million cells in total, but "
      "here they have %.0f million for each of %u models: scale frames down "
      "before this element, or search for fewer models", most / 1e6,
      cells / 1e6, self->n_models);
  return FALSE;
}

/* ---- Making the object -------------------------------------------------------- */

static gboolean
check_models (const MgpuDpmModel * const *models, guint n_models,
    gint cell_size, GError ** error)
{
  for (guint i = 0; i < n_models; i++)
    if (models[i]->cell_size != cell_size) {
      g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
          "the model \"%s\" has cells of %d pixels, but the pyramid of features "
          "has cells of %d", models[i]->name, models[i]->cell_size, cell_size);
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
      params.pad_y = MAX (params.pad_y, 1 + MAX (c->root.rows, c->window_rows));
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
          error) || !check_size (self, error)
      || !mgpu_dpm_check_filters (self, task->models, error))
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
  mgpu_dpm_places_clear (&self->places);
  g_clear_pointer (&self->allowed, g_array_unref);
  g_free (self->parts);
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
  self->places.least_height = least;
  self->places.most_height = most;
}

void
mgpu_dpm_get_places (const MgpuDpm * self, MgpuDpmPlaces * places)
{
  *places = self->places;
  if (places->regions != NULL) {
    g_array_ref (places->regions);
    g_array_ref (places->is_busy);
  }
}

void
mgpu_dpm_places_clear (MgpuDpmPlaces * places)
{
  g_clear_pointer (&places->regions, g_array_unref);
  g_clear_pointer (&places->is_busy, g_array_unref);
}

/* Returns: whether the height of objects that component @c finds in pyramid level @level is
 * within the limits of @places */
static gboolean
fits (const MgpuDpm * self, const MgpuDpmPlaces * places,
    const MgpuDpmComponent * c, guint level)
{
  const MgpuFhogLevel *l = self->levels + level;
  guint height = rint (c->window_rows * (l->cell_size / l->scale));

  return height >= places->least_height
      && (places->most_height == 0 || height <= places->most_height);
}

/* Returns: whether level @level has cells of model @model to be scored */
static gboolean
has_cells (const MgpuDpm * self, const MgpuDpmPlaces * places, guint model,
    guint level)
{
  return places->regions == NULL || g_array_index (places->is_busy, gboolean,
      model * self->n_levels + level);
}

/* Returns: whether model @number can find objects in any level of @batch: any of its components
 * finds objects of an allowed height there, and the regions that are searched include cells of
 * the level */
static gboolean
has_objects (const MgpuDpm * self, guint number, const Batch * batch)
{
  const MgpuDpmModel *model = self->models[number].model;

  for (guint i = batch->begin; i < batch->end; i++)
    for (guint k = 0; k < model->n_components; k++)
      if (fits (self, &self->places, &model->components[k], i)
          && has_cells (self, &self->places, number, i))
        return TRUE;
  return FALSE;
}

/* ---- Regions that are searched ------------------------------------------------ */

/* Returns: the box, in pixels of the frame, of an object found by component @c in pyramid level
 * @level. Its root filter is at cell (@column, @row) */
static MgpuScoredBox
get_box (const MgpuDpm * self, const MgpuDpmComponent * c, guint level,
    gint row, gint column)
{
  const MgpuFhogLevel *l = self->levels + level;
  gdouble cell = l->cell_size / l->scale;
  MgpuScoredBox box = {
    .x = rint ((column - (self->params.pad_x - 1) - c->shift_x) * cell),
    .y = rint ((row - (self->params.pad_y - 1) - c->shift_y) * cell),
    .width = rint (c->window_columns * cell),
    .height = rint (c->window_rows * cell)
  };

  return box;
}

/* Enlarges @all, the part of a level whose cells filters read. The filters begin at the cells
 * in columns @left to @right and rows @top to @bottom. Each reads @columns x @rows cells,
 * starting at the cell where it begins. */
static void
add_read (MgpuPart * all, gint left, gint right, gint top, gint bottom,
    gint columns, gint rows)
{
  gboolean is_empty = all->right <= all->left;

  all->left = is_empty ? left : MIN (all->left, left);
  all->top = is_empty ? top : MIN (all->top, top);
  all->right = MAX (all->right, right + columns);
  all->bottom = MAX (all->bottom, bottom + rows);
}

/* Enlarges self->parts, the parts of pyramid levels whose cells filters read. Adds the cells that
 * are needed to score all components of @model at the cells @cells of the level @level: the filters
 * of roots read this level, the filters of parts read a finer level. Assumes that every filter of a
 * part is as large as the largest filter, because the filters of a group are padded to the same
 * size with weights of 0. */
static void
read_parts (MgpuDpm * self, const MgpuDpmModel * model, guint level,
    const MgpuPart * cells)
{
  MgpuPart *coarse = self->parts + level;
  gint columns = 0, rows = 0;

  for (guint i = 0; i < model->n_components; i++) {
    const MgpuDpmComponent *c = &model->components[i];

    for (guint k = 0; k < c->n_parts; k++) {
      columns = MAX (columns, c->parts[k].filter.columns);
      rows = MAX (rows, c->parts[k].filter.rows);
    }
  }
  for (guint i = 0; i < model->n_components; i++) {
    const MgpuDpmComponent *c = &model->components[i];

    add_read (coarse, cells->left, cells->right - 1, cells->top,
        cells->bottom - 1, c->root.columns, c->root.rows);
    for (guint k = 0; k < c->n_parts; k++) {
      gint x = c->parts[k].x - (self->params.pad_x - 1);
      gint y = c->parts[k].y - (self->params.pad_y - 1);

      add_read (coarse - self->params.interval, 2 * cells->left + x - REACH,
          2 * (cells->right - 1) + x + REACH, 2 * cells->top + y - REACH,
          2 * (cells->bottom - 1) + y + REACH, columns, rows);
    }
  }
}

/* Marks the cells of a pyramid level where component @c of @model finds an object whose center
 * is in a region. A cell is marked by setting all bits of its word in @words: an array of one
 * word for each cell of the level, with one bit for each component. All bits are set because
 * another component may be the best one of the cell, even if the center of its object is
 * outside the region. Returns: whether any cell is marked */
static gboolean
allow (MgpuDpm * self, const MgpuDpmModel * model,
    const MgpuDpmComponent * c, guint level, guint64 * words)
{
  gint columns = self->levels[level].columns, rows = self->levels[level].rows;
  gint *x = g_new (gint, columns), *y = g_new (gint, rows);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (MgpuPart)), *parts;
  gboolean is_busy;

  for (gint j = 0; j < columns; j++) {
    MgpuScoredBox box = get_box (self, c, level, 0, j);

    x[j] = box.x + box.width / 2;
  }
  for (gint j = 0; j < rows; j++) {
    MgpuScoredBox box = get_box (self, c, level, j, 0);

    y[j] = box.y + box.height / 2;
  }
  mgpu_parts_add_regions (found, self->places.regions, x, columns, y, rows);
  parts = mgpu_parts_split (found, columns, rows, 1);
  is_busy = parts->len > 0;
  for (guint i = 0; i < parts->len; i++) {
    const MgpuPart *p = &g_array_index (parts, MgpuPart, i);

    read_parts (self, model, level, p);
    for (gint row = p->top; row < p->bottom; row++)
      for (gint column = p->left; column < p->right; column++)
        words[(gsize) row * columns + column] = G_MAXUINT64;
  }
  g_array_unref (parts);
  g_array_unref (found);
  g_free (x);
  g_free (y);
  return is_busy;
}

static void
make_allowed (MgpuDpm * self)
{
  gsize n = (gsize) self->n_models * self->n_scores;

  if (self->allowed == NULL) {
    self->allowed = g_array_new (FALSE, TRUE, sizeof (guint64));
    self->parts = g_new (MgpuPart, self->n_levels);
  }
  g_array_set_size (self->allowed, 0);
  g_array_set_size (self->allowed, n);
  self->places.is_busy = g_array_new (FALSE, TRUE, sizeof (gboolean));
  g_array_set_size (self->places.is_busy, self->n_models * self->n_levels);
  memset (self->parts, 0, self->n_levels * sizeof (MgpuPart));
  for (guint m = 0; m < self->n_models; m++)
    for (guint i = 0; i < self->n_levels; i++) {
      const MgpuDpmModel *model = self->models[m].model;
      gboolean *is_busy = &g_array_index (self->places.is_busy, gboolean,
          m * self->n_levels + i);
      gsize first;

      if (!mgpu_dpm_get_level (self, m, i, &first))
        continue;
      for (guint k = 0; k < model->n_components; k++)
        *is_busy |= allow (self, model, &model->components[k], i,
            &g_array_index (self->allowed, guint64, first));
    }
}

void
mgpu_dpm_set_regions (MgpuDpm * self, const GArray * regions)
{
  if (mgpu_arrays_are_same (self->places.regions, regions))
    return;
  g_clear_pointer (&self->places.regions, g_array_unref);
  g_clear_pointer (&self->places.is_busy, g_array_unref);
  if (regions == NULL)
    return;
  self->places.regions = g_array_copy ((GArray *) regions);
  self->has_allowed = FALSE;
  make_allowed (self);
}

const MgpuPart *
mgpu_dpm_get_parts (const MgpuDpm * self)
{
  return self->places.regions != NULL ? self->parts : NULL;
}

void
mgpu_dpm_get_sizes (MgpuDpm * self, gsize * scores, gsize * hits)
{
  *scores = MAX ((gsize) self->n_models * self->n_scores, 1)
      * sizeof (MgpuDpmScore);
  *hits = (1 + ROOM * DPM_HIT) * sizeof (gint);
}

/* ---- Work on a frame ---------------------------------------------------------- */

/* Launches a kernel with one work-item for each combination of a row in the list @rows, one of
 * @columns columns, and one of @n groups of filters. */
static void
launch (MgpuDpm * self, GstMgpuJob * job, cl_kernel kernel, gsize columns,
    const Rows * rows, guint n)
{
  const gsize group[2] = { self->object.knobs[GROUP], 1 };

  if (n > 0 && rows->n > 0 && columns > 0)
    mgpu_launch_planes (job, kernel, n, columns, rows->n, 1, 1, group);
}

/* The arguments that the kernels for a batch of pyramid levels share. */
typedef struct
{
  GstMgpuJob *job;
  const Batch *batch;
  Rows part_rows, root_rows;    /* rows of HOG cells, in the levels of the batch, in which the
                                 * filters of parts and those of roots are applied */
  const Model *model;
  guint number;                 /* index of the model that is scored */
  gfloat threshold;
  gboolean is_pruned;           /* whether kernels skip the cells that the cascade or the
                                 * regions ruled out */
  cl_mem plan, features, scores, hits;
  cl_mem allowed;               /* for each cell: the components of the model that are searched
                                 * for there. If the whole frame is searched, it is not used,
                                 * and set to @plan */
  cl_mem responses, near, roots;
  cl_mem reduced, left, needed; /* @reduced: reduced features for a cascade. @left: for each
                                 * cell, the components of the part model that may still match
                                 * there. @needed: filters that are still needed. If no cell is
                                 * ruled out, @left and @needed are not used, and set to @plan */
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
  const Rows *rows = &s->part_rows;
  cl_kernel kernel = self->object.kernels[SPREAD];

  gst_mgpu_job_set_args (s->job, kernel, "mmiiiimim", in, s->plan,
      rows->begin, groups->begin, self->parts_stride, axis, s->needed,
      (gint) s->is_pruned, out);
  launch (self, s->job, kernel, (gsize) rows->columns
      * (FILTERS / self->object.knobs[LANES]), rows, groups->n);
}

/* Enqueues the kernels that compute the responses of the filters of parts and roots. They read
 * the features in @features. */
static void
filter (MgpuDpm * self, const Search * s, cl_mem features,
    const Groups * roots, const Groups * parts)
{
  correlate (self, s, features, &s->part_rows, parts, 0, s->responses);
  spread (self, s, s->responses, parts, 0, s->near);
  spread (self, s, s->near, parts, 1, s->responses);
  correlate (self, s, features, &s->root_rows, roots, 1, s->roots);
}

static void
set_zeros (MgpuDpm * self, GstMgpuJob * job, cl_mem words, gsize n)
{
  cl_kernel kernel = self->object.kernels[CLEAR];

  gst_mgpu_job_set_args (job, kernel, "m", words);
  gst_mgpu_job_launch (job, kernel, 1, &n, NULL);
}

/* Enqueues the kernels that choose the cells to be scored: those in the search regions. If
 * @cascade is TRUE, a cell must also be able to reach the threshold, judging by the responses
 * of the filters for reduced features. */
static void
choose (MgpuDpm * self, Search * s, gboolean cascade)
{
  cl_kernel kernel = self->object.kernels[PRUNE];
  const Model *m = s->model;
  gfloat shift = MIN (s->threshold - m->model->threshold, 0);

  s->left = mgpu_slot_write (self, LEFT, s->job,
      (gsize) self->roots_stride * sizeof (guint64));
  s->needed = mgpu_slot_write (self, NEEDED, s->job,
      ((gsize) self->parts_stride + self->roots_stride) * sizeof (gint));
  set_zeros (self, s->job, s->needed, self->parts_stride + self->roots_stride);
  gst_mgpu_job_set_args (s->job, kernel, "mimimiiiiifimimm", s->roots,
      self->roots_stride, s->responses, self->parts_stride, s->plan,
      s->batch->roots.begin, self->params.interval, (gint) m->skipped,
      m->components, (gint) m->model->n_components, (gdouble) shift,
      (gint) cascade, s->allowed, self->places.regions == NULL ? -1
      : (gint) s->number * self->n_scores, s->left, s->needed);
  launch (self, s->job, kernel, s->batch->roots.columns, &s->batch->roots, 1);
  s->is_pruned = TRUE;
}

/* Shortens the list @rows, which has all rows of cells of the levels @begin to @end - 1. Leaves out
 * rows at the beginning and end, and columns on the right, where no needed filter begins, because
 * these rows and columns lie outside self->parts, the parts of levels whose cells filters read.
 * Returns: the shorter list */
static Rows
trim (const MgpuDpm * self, guint begin, guint end, Rows rows)
{
  guint first = rows.n, last = 0, n = 0;
  gint columns = 0;

  for (guint i = begin; i < end; i++) {
    const MgpuPart *p = self->parts + i;
    gint top = MAX (p->top, 0), bottom = MIN (p->bottom, self->levels[i].rows);

    if (top < bottom) {
      first = MIN (first, n + top);
      last = n + bottom;
      columns = MAX (columns, MIN (p->right, self->levels[i].columns));
    }
    n += self->levels[i].rows;
  }
  rows.begin += 2 * first;
  rows.n = MAX (first, last) - first;
  rows.columns = columns;
  return rows;
}

/* Enqueues the kernels that score a model in the pyramid levels of a batch. @cascade: whether
 * to use a cascade. */
static void
search (MgpuDpm * self, Search * s, gboolean cascade)
{
  cl_kernel kernel = self->object.kernels[SUM];
  gsize size = FILTERS * sizeof (gfloat);
  /* Computes the size of the memory for the responses of part filters. The size of a memory
   * must not be 0: models without parts get room for one group of filters. */
  gsize parts_size = size * MAX (self->n_part_groups, 1) * self->parts_stride;
  const Model *m = s->model;

  s->responses = mgpu_slot_write (self, RESPONSES, s->job, parts_size);
  s->near = mgpu_slot_write (self, SPREAD_ROWS, s->job, parts_size);
  s->roots = mgpu_slot_write (self, ROOTS, s->job,
      size * self->n_root_groups * self->roots_stride);
  s->is_pruned = FALSE;
  s->left = s->needed = s->plan;
  s->part_rows = s->batch->parts;
  s->root_rows = s->batch->roots;
  if (self->places.regions != NULL) {
    guint finer = self->params.interval;

    s->part_rows = trim (self, s->batch->begin - finer, s->batch->end - finer,
        s->part_rows);
    s->root_rows = trim (self, s->batch->begin, s->batch->end, s->root_rows);
    choose (self, s, FALSE);
  }
  if (cascade) {
    filter (self, s, s->reduced, &m->few_roots, &m->few_parts);
    choose (self, s, TRUE);
  }
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

/* Enqueues the kernel that computes the reduced features of all pyramid levels for a cascade. */
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
  s.allowed = s.plan;
  if (self->places.regions != NULL) {
    if (!self->has_allowed)
      self->has_allowed = mgpu_slot_upload (self, ALLOWED, job,
          self->allowed->data, self->allowed->len * sizeof (guint64), 0);
    s.allowed = mgpu_slot_read (self, ALLOWED, job);
  }
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
          && has_objects (self, i, s.batch))
        search (self, &s, cascade);
    }
  }
}

/* ---- Boxes of objects -------------------------------------------------------- */

/* Returns: TRUE if model number @model, pyramid level @level, the cell (@column, @row) of this
 * level, and component number @component of the model exist */
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

/* Appends the box of an object to @boxes. The object was found by the component (view of the
 * object) with the index @component of a model; its root filter is at the cell (@column, @row)
 * of a level. Ignores a cell that does not exist; only a faulty device lists such a cell. */
static void
add_box (MgpuDpm * self, const MgpuDpmPlaces * places, guint model, guint level,
    gint row, gint column, gint component, gfloat score, GArray * boxes)
{
  const MgpuDpmComponent *c;
  MgpuScoredBox box;

  if (!is_place (self, model, level, row, column, component))
    return;
  c = self->models[model].model->components + component;
  if (!fits (self, places, c, level))
    return;
  box = get_box (self, c, level, row, column);
  box.score = score;
  box.label = model;
  box.component = component;
  g_array_append_val (boxes, box);
}

/* Reads the scores of all cells, and appends the boxes of all objects. Used if there are more
 * hits than fit into the list of hits. */
static void
find_boxes (MgpuDpm * self, const MgpuDpmPlaces * places,
    const gfloat * thresholds, const MgpuDpmScore * scores, GArray * boxes)
{
  for (guint m = 0; m < self->n_models; m++)
    for (guint i = 0; i < self->n_levels; i++) {
      gint n = mgpu_dpm_count_cells (self, i);
      gint columns = self->levels[i].columns;
      gsize first;

      /* Skips a level that the kernels left out, because its scores in the array @scores are from
       * an earlier frame. */
      if (!mgpu_dpm_get_level (self, m, i, &first)
          || !has_cells (self, places, m, i))
        continue;
      for (gint j = 0; j < n; j++) {
        const MgpuDpmScore *s = scores + first + j;

        if (s->component >= 0 && s->score >= thresholds[m])
          add_box (self, places, m, i, j / columns, j % columns, s->component,
              s->score, boxes);
      }
    }
}

gboolean
mgpu_dpm_read (MgpuDpm * self, const MgpuDpmPlaces * places,
    const gfloat * thresholds, GstMgpuMemory * scores, GstMgpuMemory * hits,
    GArray * boxes, GError ** error)
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
    add_box (self, places, hit[0], hit[1], hit[2], hit[3], hit[4], score,
        boxes);
  }
  gst_memory_unmap (GST_MEMORY_CAST (hits), &info);
  if (n > ROOM) {
    if (!mgpu_map_result (scores, &info, error))
      return FALSE;
    find_boxes (self, places, thresholds, (const MgpuDpmScore *) info.data,
        boxes);
    gst_memory_unmap (GST_MEMORY_CAST (scores), &info);
  }
  if (places->regions != NULL)
    mgpu_boxes_keep_inside (boxes, places->regions);
  mgpu_boxes_sort (boxes);
  return TRUE;
}
