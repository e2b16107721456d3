/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Creates the plan of a search: a table of words that kernels read. It contains the filters of
 * the models, and where each pyramid level begins. See kernels/dpm/dpm-shared.h. */
#include "dpm-private.h"

/* Number of rows of an empty filter, which fills an incomplete group of filters. Sets a number of
 * rows that no pyramid level has, so that the empty filter fits nowhere. */
#define NO_PLACE (1 << 24)

/* ---- Models in the plan ------------------------------------------------------ */

/* Counter for the weights of a model's filters, which are stored in groups. It has the numbers
 * of filters and cells in the current group, and the number of cells in all earlier groups. */
typedef struct
{
  guint n;
  gint rows, columns;
  gsize cells;
} Room;

static void
close_group (Room * room)
{
  room->cells += (gsize) room->rows * room->columns;
  room->n = room->rows = room->columns = 0;
}

static void
add_room (Room * room, const MgpuDpmFilter * filter)
{
  room->rows = MAX (room->rows, filter->rows);
  room->columns = MAX (room->columns, filter->columns);
  if (++room->n == FILTERS)
    close_group (room);
}

/* Returns: the number of words that the weights of a model need in the plan. If @reduced is
 * TRUE, the weights are those of the cascade, for reduced features; otherwise those for all
 * features */
static gsize
count_weights (const MgpuDpmModel * model, gboolean reduced)
{
  Room parts = { 0, }, roots = { 0, };

  for (guint i = 0; i < model->n_components; i++) {
    const MgpuDpmComponent *c = model->components + i;

    add_room (&roots, reduced ? &c->root_pca : &c->root);
    for (guint j = 0; j < c->n_parts; j++)
      add_room (&parts, reduced ? &c->parts[j].pca : &c->parts[j].filter);
  }
  close_group (&roots);
  close_group (&parts);
  return (roots.cells + parts.cells) * (reduced ? model->n_pca : FEATURES)
      * FILTERS;
}

gboolean
mgpu_dpm_check_filters (const MgpuDpm * self,
    const MgpuDpmModel * const *models, GError ** error)
{
  const GstMgpuTraits *traits = self->object.traits;
  guint64 most = MIN (traits->max_allocation_size, G_MAXINT), bytes = 0;

  for (guint i = 0; i < self->n_models; i++)
    bytes += sizeof (gint) * (count_weights (models[i], FALSE)
        + count_weights (models[i], TRUE));
  if (bytes <= most)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "the filters of the models take %" G_GUINT64_FORMAT " bytes (groups of "
      "%d filters, each padded to the size of the largest filter of its "
      "group), and %s allocates %"
      G_GUINT64_FORMAT " at most: use fewer models, or models with filters of "
      "similar sizes, or choose another device", bytes, FILTERS,
      gst_mgpu_context_get_device_name (self->object.context), most);
  return FALSE;
}

/* Writes the deformation costs of a part's filter to @group, the description of a group of
 * filters: for each axis, the cost of each distance between the part and the position where the
 * model expects it. @first is the index of the filter in its group. @costs has the 4 weights of
 * deformation of the filter. */
static void
set_costs (gint * group, guint first, const gfloat * costs)
{
  for (gint j = 0; j < 2 * DISTANCES; j++) {
    const gfloat *c = costs + 2 * (j / DISTANCES);
    gint d = j % DISTANCES - REACH;

    mgpu_word_set_float (&group[COSTS + FILTERS * j + first],
        (gdouble) c[0] * d * d + (gdouble) c[1] * d);
  }
}

/* Adds @n filters to the plan (the table of words that kernels read). Work-items process the
 * filters of a group together. @costs has the 4 weights of deformation of each filter; it is
 * NULL for filters of roots, which do not move. */
static Groups
add_groups (MgpuDpm * self, const MgpuDpmFilter * const *filters, guint n,
    gint features, const gfloat * const *costs)
{
  Groups groups = {.features = features };

  groups.n = (n + FILTERS - 1) / FILTERS;
  groups.begin = mgpu_words_grow (self->words, groups.n * GROUP_WORDS);
  for (guint g = 0; g < groups.n; g++) {
    gint at = groups.begin + g * GROUP_WORDS, rows = 0, columns = 0;
    gint least_rows = NO_PLACE, least_columns = NO_PLACE, weights;
    guint first = g * FILTERS, end = MIN (n, first + FILTERS);
    gint *group, *w;

    for (guint i = first; i < end; i++) {
      rows = MAX (rows, filters[i]->rows);
      columns = MAX (columns, filters[i]->columns);
      least_rows = MIN (least_rows, filters[i]->rows);
      least_columns = MIN (least_columns, filters[i]->columns);
    }
    mgpu_words_grow (self->words, -self->words->len % FILTERS);
    weights = mgpu_words_grow (self->words,
        (gsize) rows * columns * features * FILTERS);
    group = mgpu_words_at (self->words, at);
    w = mgpu_words_at (self->words, weights);
    group[GROUP_ROWS] = rows;
    group[GROUP_COLUMNS] = columns;
    group[LEAST_ROWS] = least_rows;
    group[LEAST_COLUMNS] = least_columns;
    group[WEIGHTS] = weights;
    for (guint i = 0; i < FILTERS; i++) {
      const MgpuDpmFilter *f = first + i < end ? filters[first + i] : NULL;

      group[FILTER_ROWS + i] = f != NULL ? f->rows : NO_PLACE;
      group[FILTER_COLUMNS + i] = f != NULL ? f->columns : 1;
      for (gint j = 0; f != NULL && j < f->rows * f->columns * features; j++) {
        gint row = j / (f->columns * features);
        gint place = j + row * (columns - f->columns) * features;

        mgpu_word_set_float (&w[FILTERS * place + i], f->weights[j]);
      }
      if (f != NULL && costs != NULL)
        set_costs (group, i, costs[first + i]);
    }
  }
  return groups;
}

static void
set_use (gint * use, gint number, const MgpuDpmFilter * filter, gint x, gint y)
{
  use[USE_FILTER] = number;
  use[USE_ROWS] = filter->rows;
  use[USE_COLUMNS] = filter->columns;
  use[USE_X] = x;
  use[USE_Y] = y;
}

static void
add_components (MgpuDpm * self, Model * m)
{
  guint part = 0;

  m->components = mgpu_words_grow (self->words,
      COMPONENT * m->model->n_components);
  for (guint i = 0; i < m->model->n_components; i++) {
    const MgpuDpmComponent *c = m->model->components + i;
    gint parts = mgpu_words_grow (self->words, USE * c->n_parts);
    gint order = mgpu_words_grow (self->words, c->n_parts);
    gint limits = mgpu_words_grow (self->words, c->n_parts + 1);
    gint *words = mgpu_words_at (self->words, m->components + COMPONENT * i);
    gint *uses = mgpu_words_at (self->words, parts);

    for (guint j = 0; j < 3; j++)
      mgpu_word_set_float (&words[OFFSETS + j], c->offset + c->location[j]);
    set_use (words + ROOT, i, &c->root, 0, 0);
    words[N_PARTS] = c->n_parts;
    words[PARTS] = parts;
    words[ORDER] = order;
    words[LIMITS] = limits;
    for (guint j = 0; j < c->n_parts; j++)
      *mgpu_words_at (self->words, order + j) = c->order[j];
    for (guint j = 0; j <= c->n_parts; j++)
      mgpu_word_set_float (mgpu_words_at (self->words, limits + j),
          c->limits[j]);
    /* Subtracts the padding from the positions of parts. The level of the parts has twice the
     * resolution of the root's level, so a part lies at twice the position of its root. This
     * doubles the padding; but the level of the parts has the same padding in cells, so one
     * padding is subtracted. The outermost cells of a frame have no features (see
     * MgpuFhogLevel): feature 0 belongs to cell 1. Doubling this offset adds one cell, which is
     * added again. */
    for (guint j = 0; j < c->n_parts; j++)
      set_use (uses + USE * j, part++, &c->parts[j].filter,
          c->parts[j].x - (self->params.pad_x - 1),
          c->parts[j].y - (self->params.pad_y - 1));
  }
}

/* Adds all filters of a part model to the plan (the table that kernels read). If @reduced is
 * TRUE, these are the cascade's filters, for reduced features; otherwise the filters for all
 * features. */
static void
add_filters (MgpuDpm * self, const MgpuDpmModel * model, gboolean reduced,
    Groups * root_groups, Groups * part_groups)
{
  GPtrArray *parts = g_ptr_array_new (), *roots = g_ptr_array_new ();
  g_autoptr (GPtrArray) costs = g_ptr_array_new ();
  gint features = reduced ? model->n_pca : FEATURES;

  for (guint i = 0; i < model->n_components; i++) {
    const MgpuDpmComponent *c = model->components + i;

    g_ptr_array_add (roots, (gpointer) (reduced ? &c->root_pca : &c->root));
    for (guint j = 0; j < c->n_parts; j++) {
      const MgpuDpmPart *p = c->parts + j;

      g_ptr_array_add (parts, (gpointer) (reduced ? &p->pca : &p->filter));
      g_ptr_array_add (costs, (gpointer) p->deformation);
    }
  }
  *root_groups = add_groups (self, (const MgpuDpmFilter * const *)
      roots->pdata, roots->len, features, NULL);
  *part_groups = add_groups (self, (const MgpuDpmFilter * const *)
      parts->pdata, parts->len, features,
      (const gfloat * const *) costs->pdata);
  g_ptr_array_unref (parts);
  g_ptr_array_unref (roots);
}

static void
add_model (MgpuDpm * self, Model * m, const MgpuDpmModel * model)
{
  m->model = model;
  m->skipped = self->params.extra_octave && !model->extra_octave
      ? self->params.interval : 0;
  add_filters (self, model, FALSE, &m->roots, &m->parts);
  add_filters (self, model, TRUE, &m->few_roots, &m->few_parts);
  m->pca = mgpu_words_grow (self->words, PCA * FEATURES);
  for (gint i = 0; i < FEATURES * model->n_pca; i++)
    mgpu_word_set_float (mgpu_words_at (self->words, m->pca
            + PCA * (i / model->n_pca) + i % model->n_pca), model->pca[i]);
  add_components (self, m);
  self->n_root_groups = MAX (self->n_root_groups, m->roots.n);
  self->n_part_groups = MAX (self->n_part_groups, m->parts.n);
  self->max_pca = MAX (self->max_pca, model->n_pca);
}

/* ---- Pyramid levels in the plan ---------------------------------------------- */

/* Adds a list of all rows of the pyramid levels @begin to @end - 1 to the plan (the table that
 * kernels read), and describes the list in @rows. For each of these levels, also stores where
 * its filter responses begin: in the memory for parts if @which is 0, in the memory for roots
 * if it is 1.
 * Returns: the number of cells of these levels */
static gint
add_rows (MgpuDpm * self, guint begin, guint end, guint which, Rows * rows)
{
  gint cells = 0;

  rows->begin = self->words->len;
  rows->n = 0;
  rows->columns = 0;
  for (guint i = begin; i < end; i++) {
    mgpu_words_at (self->words, LEVEL * i)[PLACE + which] = cells;
    cells += mgpu_dpm_count_cells (self, i);
    rows->columns = MAX (rows->columns, self->levels[i].columns);
    for (gint y = 0; y < self->levels[i].rows; y++, rows->n++) {
      mgpu_words_add (self->words, i);
      mgpu_words_add (self->words, y);
    }
  }
  return cells;
}

static void
add_batch (MgpuDpm * self, guint begin, guint end)
{
  guint finer = self->params.interval;
  Batch batch = {.begin = begin,.end = end };
  gint cells = add_rows (self, begin - finer, end - finer, 0, &batch.parts);

  self->parts_stride = MAX (self->parts_stride, cells);
  cells = add_rows (self, begin, end, 1, &batch.roots);
  self->roots_stride = MAX (self->roots_stride, cells);
  g_array_append_val (self->batches, batch);
}

/* Splits the pyramid levels into batches of levels that kernels process at once. A batch ends
 * where the extra octave ends: for a model that does not use this octave, whole batches can be
 * left out. */
static void
add_batches (MgpuDpm * self)
{
  guint finer = self->params.interval, begin = finer;
  gint sum = 0;

  for (guint i = finer; i < self->n_levels; i++) {
    gint cells = mgpu_dpm_count_cells (self, i - finer);

    if (i > begin && (sum + cells > self->object.knobs[BATCH]
            || (self->params.extra_octave && i == 2 * finer))) {
      add_batch (self, begin, i);
      begin = i;
      sum = 0;
    }
    sum += cells;
  }
  if (begin < self->n_levels)
    add_batch (self, begin, self->n_levels);
}

static void
add_levels (MgpuDpm * self)
{
  mgpu_words_grow (self->words, LEVEL * self->n_levels);
  for (guint i = 0; i < self->n_levels; i++) {
    const MgpuFhogLevel *l = self->levels + i;
    gint *words = mgpu_words_at (self->words, LEVEL * i);

    words[COLUMNS] = l->columns;
    words[ROWS] = l->rows;
    words[FIRST] = l->offset;
    words[SCORES] = self->first_scores[i] = self->n_scores;
    if (i >= (guint) self->params.interval)
      self->n_scores += mgpu_dpm_count_cells (self, i);
  }
}

void
mgpu_dpm_make_plan (MgpuDpm * self, const MgpuDpmModel * const *models)
{
  self->words = mgpu_words_new ();
  self->batches = g_array_new (FALSE, FALSE, sizeof (Batch));
  self->first_scores = g_new0 (gint, self->n_levels);
  self->models = g_new0 (Model, self->n_models);
  add_levels (self);
  add_batches (self);
  for (guint i = 0; i < self->n_models; i++)
    add_model (self, &self->models[i], models[i]);
}
