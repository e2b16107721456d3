/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "plan.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/grid.h>
#include <kernels/people/shared.h>

#define STEP 1.05               /* factor between the scales of neighbouring levels */

/* Least number of columns between two spans of a row that are computed; spans that are
 * nearer become one span. Vectors, which have 16 columns at most, then never write to two
 * spans. */
#define GAP 32

/* ---- Levels: scaled sizes of the frame --------------------------------------- */

static gsize
plane_size (const MgpuPeopleSize * size)
{
  return (gsize) size->height * CELL * size->pitch;
}

static void
plan_sizes (MgpuPeoplePlan * self)
{
  guint most = MIN (self->window.max_levels, MGPU_PEOPLE_MAX_LEVELS);
  gdouble scale = 1;

  for (guint i = 0; i < most; i++, scale *= STEP) {
    MgpuPeopleLevel *l = self->levels + i;
    MgpuPeopleSize *s = self->sizes + i;

    s->width = rint (self->width / scale);
    s->height = rint (self->height / scale);
    s->tiles_x = s->width / CELL;
    s->tiles_y = s->height / CELL;
    if (s->tiles_x <= self->window.columns || s->tiles_y <= self->window.rows)
      break;
    s->pitch = GST_ROUND_UP_16 (s->tiles_x) + 16;
    l->scale = scale;
    l->columns = s->tiles_x - self->window.columns;
    l->rows = s->tiles_y - self->window.rows;
    l->first = self->n_scores;
    l->pitch = GST_ROUND_UP_16 (l->columns);
    self->n_scores += (gsize) l->pitch * l->rows;
    self->n_levels++;
  }
}

/* Checks that the kernels can count the samples of a level, and the bytes of a frame with
 * 4 bytes for a pixel, in an int. */
static gboolean
check_size (const MgpuPeoplePlan * self, GError ** error)
{
  if (self->n_levels == 0 || plane_size (&self->sizes[0]) <= G_MAXINT / 4)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "people are found in frames of some %d million pixels at most, and these "
      "have %dx%d: scale them down before this element",
      G_MAXINT / 4 / 1000000, self->width, self->height);
  return FALSE;
}

MgpuScoredBox
mgpu_people_plan_get_box (const MgpuPeoplePlan * self, guint level, gint row,
    gint column)
{
  gdouble scale = self->levels[level].scale;
  MgpuScoredBox box = {.x = rint (CELL * column * scale),.y =
        rint (CELL * row * scale)
  };

  box.width = rint (CELL * (self->window.columns + 1) * scale);
  box.height = rint (CELL * (self->window.rows + 1) * scale);
  return box;
}

/* ---- Tables of levels for the kernels ----------------------------------------- */

/* Finds the two neighbouring samples from which sample i of a scaled row is
 * interpolated. The row has in_size samples, the scaled row has out_size. Sets
 * *share to the weight of the second one, from 0 to 256. Returns: the index of
 * the first one, which is at most in_size - 2 */
static gint
find_source (gint i, gint in_size, gint out_size, gint * share)
{
  gdouble step = 1.0 / ((gdouble) out_size / in_size);
  gdouble at = step * (i + 0.5) - 0.5;
  gint first = CLAMP (floor (at), 0, in_size - 2);

  *share = rint (CLAMP (at - first, 0, 1) * 256);
  return first;
}

/* Adds to the table words from which pixels of the frame the columns and rows of a level
 * are interpolated. Each column has the byte offset of its first pixel; after those of
 * all columns come the weights of the second pixels as floats. Columns begin 8 pixels
 * left of the frame, which is mirrored at its edges. Each row has the index of the first
 * row of the frame times 512 plus the weight of the second row. */
static void
add_sources (MgpuPeoplePlan * self, const MgpuPeopleSize * s)
{
  guint at = self->words->len, rows = at + 2 * CELL * s->pitch;
  gint share;

  g_array_set_size (self->words, rows + s->height);
  for (gint i = 0; i < CELL * s->pitch; i++) {
    gint x = CELL * (i % s->pitch - 1) + i / s->pitch;

    x = x < 0 ? -x : x >= s->width ? MAX (2 * (s->width - 1) - x, 0) : x;
    g_array_index (self->words, gint, at + i) =
        4 * find_source (x, self->width, s->width, &share);
    g_array_index (self->words, gfloat, at + CELL * s->pitch + i) = share;
  }
  for (gint y = 0; y < s->height; y++) {
    gint row = find_source (y, self->height, s->height, &share);

    g_array_index (self->words, gint, rows + y) = row << 9 | share;
  }
}

/* Adds a batch of the levels from @begin to before end, and sets where each of
 * them begins in the memories of the batch. */
static void
add_batch (MgpuPeoplePlan * self, guint begin, guint end)
{
  MgpuPeopleBatch batch = {.begin = begin,.end = end };
  gsize planes = 0, tiles = 0, blocks = 0;

  for (guint i = begin; i < end; i++) {
    const MgpuPeopleLevel *l = self->levels + i;
    const MgpuPeopleSize *s = self->sizes + i;
    gsize plane = plane_size (s);
    const gint words[PEOPLE_LEVEL] = {
      [HEIGHT] = s->height,[PITCH] = s->pitch,
      [PLANES] = planes,[PLANE] = plane,[TILES] = tiles,
      [BLOCKS] = blocks,[LAST_BLOCK] = s->tiles_y - 2,
      [FIRST_SCORE] = l->first,[WINDOWS_PITCH] = l->pitch,
      [SOURCES] = self->words->len
    };

    memcpy (&g_array_index (self->words, gint, PEOPLE_LEVEL * i), words,
        sizeof (words));
    add_sources (self, s);
    planes += 3 * plane;
    tiles += (gsize) s->tiles_y * 16 * ALL_BINS * s->pitch;
    blocks += (gsize) (s->tiles_y - 1) * BLOCK_FEATURES * s->pitch;
  }
  self->n_planes = MAX (self->n_planes, planes);
  self->n_tiles = MAX (self->n_tiles, tiles);
  self->n_blocks = MAX (self->n_blocks, blocks);
  g_array_append_val (self->batches, batch);
}

static void
add_batches (MgpuPeoplePlan * self, gsize most)
{
  gsize sum = 0;
  guint begin = 0;

  for (guint i = 0; i < self->n_levels; i++) {
    gsize size = plane_size (&self->sizes[i]);

    if (i > begin && sum + size > most) {
      add_batch (self, begin, i);
      begin = i;
      sum = 0;
    }
    sum += size;
    most = MAX (most, size);
  }
  if (self->n_levels > 0)
    add_batch (self, begin, self->n_levels);
}

/* ---- Lists of the spans that kernels compute ------------------------------------ */

/* Holds the arguments that the functions which make the lists of spans share. */
typedef struct
{
  MgpuPeoplePlan *plan;
  GArray *spans[MGPU_PEOPLE_N_LISTS];
  MgpuPeopleBatch *batch;
  guint level;
} Search;

static void
add_span (Search * s, MgpuPeopleList list, gint row, gint begin, gint end,
    gint columns)
{
  gint lanes = list == MGPU_PEOPLE_HITS ? 1 : s->plan->lanes;
  gint wide = (end - begin + lanes - 1) / lanes * lanes;
  MgpuPeopleRows *rows = s->batch->rows + list;
  gint span[PEOPLE_SPAN];

  /* Moves the beginning of the span to the left where its last vector would
   * reach beyond the last vector of a whole row. */
  begin = MIN (begin, (columns + lanes - 1) / lanes * lanes - wide);
  span[SPAN_LEVEL] = s->level;
  span[SPAN_ROW] = row;
  span[SPAN_BEGIN] = begin;
  span[SPAN_END] = end;
  g_array_append_vals (s->spans[list], span, PEOPLE_SPAN);
  rows->n++;
  rows->columns = MAX (rows->columns, end - begin);
}

/* Adds to a list the spans of columns, in one row of a level, in which the grid
 * has a rectangle in any of the rows first to last. Each span is made longer at
 * its end by @wider columns. */
static void
add_spans (Search * s, MgpuPeopleList list, gint row, const MgpuGrid * grid,
    gint first, gint last, gint wider)
{
  gint begin = -1, end = 0;

  last = MIN (last, grid->rows - 1);
  for (gint x = 0; x <= grid->columns; x++) {
    if (x < grid->columns && mgpu_grid_is_in (grid, x, first, last)) {
      begin = begin < 0 ? x : begin;
      end = x + 1;
    } else if (begin >= 0 && (x == grid->columns || x - end + 1 >= GAP)) {
      add_span (s, list, row, begin, end + wider, grid->columns + wider);
      begin = -1;
    }
  }
}

/* Adds to @grid the detection windows of a level whose middle lies in one of
 * the regions of the plan. */
static void
add_regions (const Search * s, MgpuGrid * grid)
{
  gint *x = g_new (gint, grid->columns), *y = g_new (gint, grid->rows);

  for (gint i = 0; i < grid->columns; i++) {
    MgpuScoredBox box = mgpu_people_plan_get_box (s->plan, s->level, 0, i);

    x[i] = box.x + box.width / 2;
  }
  for (gint i = 0; i < grid->rows; i++) {
    MgpuScoredBox box = mgpu_people_plan_get_box (s->plan, s->level, i, 0);

    y[i] = box.y + box.height / 2;
  }
  mgpu_grid_add_regions (grid, s->plan->regions, x, y);
  g_free (x);
  g_free (y);
}

/* Adds to the lists the blocks, tiles and samples that are needed to score the
 * windows in the list of hits, from index @first on. */
static void
add_needs (Search * s, guint first)
{
  const MgpuPeoplePlan *self = s->plan;
  const MgpuPeopleSize *size = self->sizes + s->level;
  const GArray *hits = s->spans[MGPU_PEOPLE_HITS];
  MgpuGrid blocks, tiles;

  mgpu_grid_init (&blocks, size->tiles_x - 1, size->tiles_y - 1);
  mgpu_grid_init (&tiles, size->tiles_x, size->tiles_y);
  for (guint i = first; i < hits->len; i += PEOPLE_SPAN) {
    const gint *span = &g_array_index (hits, gint, i);
    gint begin = span[SPAN_BEGIN], row = span[SPAN_ROW];
    gint end = span[SPAN_END] + self->window.columns;
    gint last = row + self->window.rows;

    mgpu_grid_add (&blocks, begin, end - 1, row, last);
    mgpu_grid_add (&tiles, begin, end, row, last + 1);
  }
  mgpu_grid_sum (&blocks);
  mgpu_grid_sum (&tiles);
  for (gint y = 0; y < blocks.rows; y++)
    add_spans (s, MGPU_PEOPLE_BLOCKS, y, &blocks, y, y, 0);
  for (gint y = 0; y < tiles.rows; y++)
    add_spans (s, MGPU_PEOPLE_TILES, y, &tiles, y, y, 0);
  /* Adds a pixel on each side of each tile, because the gradients at its edges
   * depend on these pixels. */
  for (gint y = 0; y < size->height; y++)
    add_spans (s, MGPU_PEOPLE_SAMPLES, y, &tiles, MAX (y - 1, 0) / CELL,
        (y + 1) / CELL, 2);
  mgpu_grid_clear (&blocks);
  mgpu_grid_clear (&tiles);
}

static void
find_level (Search * s)
{
  const MgpuPeoplePlan *self = s->plan;
  const MgpuPeopleLevel *l = self->levels + s->level;
  MgpuScoredBox box = mgpu_people_plan_get_box (self, s->level, 0, 0);
  guint height = rint (self->window.object_height * box.height);
  guint first = s->spans[MGPU_PEOPLE_HITS]->len;
  MgpuGrid windows;

  if (height < self->min_height
      || (self->max_height > 0 && height > self->max_height))
    return;
  mgpu_grid_init (&windows, l->columns, l->rows);
  if (self->regions != NULL)
    add_regions (s, &windows);
  else
    mgpu_grid_add (&windows, 0, l->columns, 0, l->rows);
  mgpu_grid_sum (&windows);
  for (gint y = 0; y < l->rows; y++)
    add_spans (s, MGPU_PEOPLE_HITS, y, &windows, y, y, 0);
  if (s->spans[MGPU_PEOPLE_HITS]->len > first) {
    for (gint y = 0; y < l->rows; y += self->row_step)
      add_spans (s, MGPU_PEOPLE_WINDOWS, y, &windows, y,
          y + self->row_step - 1, 0);
    add_needs (s, first);
  }
  mgpu_grid_clear (&windows);
}

static gboolean
is_current (const MgpuPeoplePlan * self, const MgpuPeoplePlaces * places)
{
  return self->min_height == places->min_height
      && self->max_height == places->max_height
      && mgpu_boxes_are_same (self->regions, places->regions);
}

static void
make_lists (MgpuPeoplePlan * self)
{
  Search s = { self };
  gint begin[MGPU_PEOPLE_N_LISTS];

  for (guint i = 0; i < MGPU_PEOPLE_N_LISTS; i++)
    s.spans[i] = g_array_new (FALSE, FALSE, sizeof (gint));
  for (guint b = 0; b < self->batches->len; b++) {
    s.batch = &g_array_index (self->batches, MgpuPeopleBatch, b);
    for (guint i = 0; i < MGPU_PEOPLE_N_LISTS; i++)
      s.batch->rows[i] = (MgpuPeopleRows) {
        s.spans[i]->len
      };
    for (s.level = s.batch->begin; s.level < s.batch->end; s.level++)
      find_level (&s);
  }
  g_array_set_size (self->lists, 0);
  for (guint i = 0; i < MGPU_PEOPLE_N_LISTS; i++) {
    begin[i] = self->lists->len;
    g_array_append_vals (self->lists, s.spans[i]->data, s.spans[i]->len);
    g_array_unref (s.spans[i]);
  }
  for (guint b = 0; b < self->batches->len; b++)
    for (guint i = 0; i < MGPU_PEOPLE_N_LISTS; i++)
      g_array_index (self->batches, MgpuPeopleBatch, b).rows[i].begin +=
          begin[i];
  self->hits.begin = begin[MGPU_PEOPLE_HITS];
  self->hits.n = (self->lists->len - self->hits.begin) / PEOPLE_SPAN;
}

gboolean
mgpu_people_plan_find (MgpuPeoplePlan * self, const MgpuPeoplePlaces * places)
{
  static const MgpuPeoplePlaces all = { NULL, 0, 0 };

  if (places == NULL)
    places = &all;
  if (is_current (self, places))
    return FALSE;
  g_clear_pointer (&self->regions, g_array_unref);
  if (places->regions != NULL)
    self->regions = g_array_copy ((GArray *) places->regions);
  self->min_height = places->min_height;
  self->max_height = places->max_height;
  make_lists (self);
  return TRUE;
}

/* ---- Making and freeing the plan ------------------------------------------------ */

gboolean
mgpu_people_plan_init (MgpuPeoplePlan * self, gsize batch, GError ** error)
{
  plan_sizes (self);
  if (!check_size (self, error))
    return FALSE;
  self->words = g_array_new (FALSE, FALSE, sizeof (gint));
  self->batches = g_array_new (FALSE, FALSE, sizeof (MgpuPeopleBatch));
  self->lists = g_array_new (FALSE, FALSE, sizeof (gint));
  g_array_set_size (self->words, PEOPLE_LEVEL * self->n_levels);
  add_batches (self, batch);
  self->weights = self->words->len;
  g_array_append_vals (self->words, self->window.weights,
      MGPU_PEOPLE_N_WEIGHTS (self->window.columns, self->window.rows));
  make_lists (self);
  return TRUE;
}

void
mgpu_people_plan_clear (MgpuPeoplePlan * self)
{
  g_clear_pointer (&self->words, g_array_unref);
  g_clear_pointer (&self->batches, g_array_unref);
  g_clear_pointer (&self->lists, g_array_unref);
  g_clear_pointer (&self->regions, g_array_unref);
}
