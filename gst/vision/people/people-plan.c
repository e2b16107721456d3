/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Plans the search for people: sizes of the scaled frame, detection windows, and the spans that
 * kernels compute. */
#include "people-plan.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/array.h>
#include <gst/vision/base/parts.h>
#include <kernels/people/people-shared.h>

#define STEP 1.05               /* ratio of the scales of adjacent levels (scaled sizes of the
                                 * frame) */

/* Smallest gap, in columns, between two spans (ranges of columns) of a row that kernels compute.
 * Spans with a smaller gap are merged. A vector, which has at most 16 columns, then never writes
 * to two spans. */
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

/* Checks that the frame is small enough for the kernels, which use int for counting the samples
 * of a level, and the bytes of a frame with 4 bytes for each pixel. */
static gboolean
check_size (const MgpuPeoplePlan * self, GError ** error)
{
  if (self->n_levels == 0 || plane_size (&self->sizes[0]) <= G_MAXINT / 4)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "people can be found in frames of up to about %d million pixels, but "
      "these frames have %dx%d: scale them down before this element",
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

/* Finds the two adjacent samples between which sample @i of a scaled row is interpolated. The
 * row has @in_size samples, the scaled row @out_size. Sets *@share to the weight of the second
 * of the two samples, from 0 to 256. Returns: the index of the first of the two samples, at most
 * @in_size - 2 */
static gint
find_source (gint i, gint in_size, gint out_size, gint * share)
{
  gdouble step = 1.0 / ((gdouble) out_size / in_size);
  gdouble at = step * (i + 0.5) - 0.5;
  gint first = CLAMP (floor (at), 0, in_size - 2);

  *share = rint (CLAMP (at - first, 0, 1) * 256);
  return first;
}

/* Adds the tables for the interpolation of a level to the array @words of @self. They contain,
 * in this order:
 * - for each column, the byte offset of the first of the two pixels of the frame
 * - for each column, the weight of the second pixel, as float
 * - for each row, the index of the first of the two rows of the frame, times 512, plus the
 *   weight of the second row
 * The columns begin 8 pixels left of the level, because the level is mirrored at its edges. */
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

/* Adds a batch with the levels (scaled sizes of the frame) @begin to @end - 1. Writes the
 * positions of each level's data in the scratch buffers to the table of levels. */
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
    planes += self->channels * plane;
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

/* Arguments of the functions that make the lists of spans (ranges of columns in a row that
 * kernels compute). */
typedef struct
{
  MgpuPeoplePlan *plan;
  GArray *spans[MGPU_PEOPLE_N_LISTS];
  MgpuPeopleBatch *batch;
  guint level;
} Search;

/* Adds a span (range of columns in a row) to the list @list: the columns of the rectangle @part
 * in row @row of the current level. @columns is the number of columns of a whole row. */
static void
add_span (Search * s, MgpuPeopleList list, const MgpuPart * part, gint row,
    gint columns)
{
  gint lanes = list == MGPU_PEOPLE_HITS ? 1 : s->plan->lanes;
  gint width = part->right - part->left;
  gint wide = (width + lanes - 1) / lanes * lanes;
  gint begin = MIN (part->left, (columns + lanes - 1) / lanes * lanes - wide);
  MgpuPeopleRows *rows = s->batch->rows + list;
  gint span[PEOPLE_SPAN];

  /* If the last vector of the span would extend past the last vector of a whole row, lets the
   * span begin left of the rectangle @part instead. */
  span[SPAN_LEVEL] = s->level;
  span[SPAN_ROW] = row;
  span[SPAN_BEGIN] = begin;
  span[SPAN_END] = part->right;
  g_array_append_vals (s->spans[list], span, PEOPLE_SPAN);
  rows->n++;
  rows->columns = MAX (rows->columns, part->right - begin);
}

/* Adds the spans (ranges of columns in a row) of the rectangles in @parts, an array made by
 * mgpu_parts_split(), to the list @list. A row of a rectangle corresponds to @step rows of the
 * level. Each span is extended by @wider columns at its end. */
static void
add_spans (Search * s, MgpuPeopleList list, const GArray * parts, gint columns,
    gint step, gint wider)
{
  const MgpuPart *all = (const MgpuPart *) parts->data;
  guint begin = 0;

  while (begin < parts->len) {
    guint end = begin;

    while (end < parts->len && all[end].top == all[begin].top)
      end++;
    for (gint y = all[begin].top; y < all[begin].bottom; y++)
      for (guint i = begin; i < end; i++) {
        MgpuPart part = all[i];

        part.right += wider;
        add_span (s, list, &part, y * step, columns + wider);
      }
    begin = end;
  }
}

/* Returns: (transfer full): the detection windows of the current level whose centers lie in one
 * of the search regions, and a few additional windows, as an array of rectangles made by
 * mgpu_parts_split() */
static GArray *
find_windows (const Search * s)
{
  const MgpuPeoplePlan *self = s->plan;
  const MgpuPeopleLevel *l = self->levels + s->level;
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (MgpuPart)), *windows;
  const MgpuPart all = { 0, l->columns, 0, l->rows };

  if (self->regions == NULL) {
    g_array_append_val (parts, all);
  } else {
    gint *x = g_new (gint, l->columns), *y = g_new (gint, l->rows);

    for (gint i = 0; i < l->columns; i++) {
      MgpuScoredBox box = mgpu_people_plan_get_box (self, s->level, 0, i);

      x[i] = box.x + box.width / 2;
    }
    for (gint i = 0; i < l->rows; i++) {
      MgpuScoredBox box = mgpu_people_plan_get_box (self, s->level, i, 0);

      y[i] = box.y + box.height / 2;
    }
    mgpu_parts_add_regions (parts, self->regions, x, l->columns, y, l->rows);
    g_free (x);
    g_free (y);
  }
  windows = mgpu_parts_split (parts, l->columns, l->rows, GAP);
  g_array_unref (parts);
  return windows;
}

/* Adds the spans (ranges of columns in a row) of the samples, tiles or blocks that are needed to
 * score detection windows to the list @list.
 * @windows: rectangles of detection windows
 * @per_row: number of rows of samples, tiles or blocks for each row of windows
 * @more: additional columns at the right of each rectangle (@right), and additional rows at its
 *   top and bottom (@top, @bottom)
 * @columns, @rows: numbers of columns and rows of samples, tiles or blocks in the level
 * @wider: number of columns by which each span is extended at its end */
static void
add_needs (Search * s, MgpuPeopleList list, const GArray * windows,
    gint per_row, const MgpuPart * more, gint columns, gint rows, gint wider)
{
  GArray *parts = g_array_copy ((GArray *) windows), *needs;

  for (guint i = 0; i < parts->len; i++) {
    MgpuPart *p = &g_array_index (parts, MgpuPart, i);

    p->right += more->right;
    p->top = p->top * per_row + more->top;
    p->bottom = p->bottom * per_row + more->bottom;
  }
  needs = mgpu_parts_split (parts, columns, rows, GAP);
  add_spans (s, list, needs, columns, 1, wider);
  g_array_unref (needs);
  g_array_unref (parts);
}

/* Adds detection windows to the work list MGPU_PEOPLE_WINDOWS. A row of this list corresponds to
 * @row_step adjacent rows of windows. */
static void
add_steps (Search * s, const GArray * windows)
{
  const MgpuPeopleLevel *l = s->plan->levels + s->level;
  gint step = s->plan->row_step;
  GArray *parts = g_array_copy ((GArray *) windows), *steps;

  for (guint i = 0; i < parts->len; i++) {
    MgpuPart *p = &g_array_index (parts, MgpuPart, i);

    p->top /= step;
    p->bottom = (p->bottom + step - 1) / step;
  }
  steps = mgpu_parts_split (parts, l->columns, (l->rows + step - 1) / step,
      GAP);
  add_spans (s, MGPU_PEOPLE_WINDOWS, steps, l->columns, step, 0);
  g_array_unref (steps);
  g_array_unref (parts);
}

static void
find_level (Search * s)
{
  const MgpuPeoplePlan *self = s->plan;
  const MgpuPeopleLevel *l = self->levels + s->level;
  const MgpuPeopleSize *size = self->sizes + s->level;
  MgpuScoredBox box = mgpu_people_plan_get_box (self, s->level, 0, 0);
  guint height = rint (self->window.object_height * box.height);
  gint columns = self->window.columns, rows = self->window.rows;
  const MgpuPart block = { 0, columns - 1, 0, rows - 1 };
  const MgpuPart tile = { 0, columns, 0, rows };
  /* Adds one pixel on each side of each tile. The gradients at the edges of a tile depend on
   * these pixels. */
  const MgpuPart sample = { 0, columns, -1, CELL * rows + 1 };
  GArray *windows;

  if (height < self->min_height
      || (self->max_height > 0 && height > self->max_height))
    return;
  windows = find_windows (s);
  add_spans (s, MGPU_PEOPLE_HITS, windows, l->columns, 1, 0);
  add_steps (s, windows);
  add_needs (s, MGPU_PEOPLE_BLOCKS, windows, 1, &block, size->tiles_x - 1,
      size->tiles_y - 1, 0);
  add_needs (s, MGPU_PEOPLE_TILES, windows, 1, &tile, size->tiles_x,
      size->tiles_y, 0);
  add_needs (s, MGPU_PEOPLE_SAMPLES, windows, CELL, &sample, size->tiles_x,
      size->height, 2);
  g_array_unref (windows);
}

static gboolean
is_current (const MgpuPeoplePlan * self, const MgpuPeoplePlaces * places)
{
  return self->min_height == places->min_height
      && self->max_height == places->max_height
      && mgpu_arrays_are_same (self->regions, places->regions);
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
      s.spans[i]->len};
    for (s.level = s.batch->begin; s.level < s.batch->end; s.level++)
      find_level (&s);
  }
  g_array_set_size (self->lists, 0);
  for (guint i = 0; i < MGPU_PEOPLE_N_LISTS; i++) {
    begin[i] = self->lists->len;
    g_array_append_vals (self->lists, s.spans[i]->data, s.spans[i]->len);
    if (i != MGPU_PEOPLE_HITS)
      g_array_unref (s.spans[i]);
  }
  g_clear_pointer (&self->windows, g_array_unref);
  self->windows = s.spans[MGPU_PEOPLE_HITS];
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
  g_clear_pointer (&self->windows, g_array_unref);
  g_clear_pointer (&self->regions, g_array_unref);
}
