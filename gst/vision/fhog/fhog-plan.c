/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Plans a pyramid of HOG features: its pictures (scaled frames), its levels, and the position
 * of their data in the scratch buffers. */
#include "fhog-private.h"

#include <math.h>
#include <string.h>

#include "taps.h"
#include <kernels/fhog/fhog-shared.h>

/* ---- Sizes of pictures and levels ------------------------------------------ */

guint
mgpu_fhog_count_features (MgpuFhogKind kind)
{
  return kind == MGPU_FHOG_DALAL_TRIGGS ? 36 : MGPU_FHOG_FEATURES;
}

static gint
cells_of (gint pixels, gint size)
{
  return (2 * pixels + size) / (2 * size);
}

guint
mgpu_fhog_find_size (const MgpuFhog * self, guint level, guint * picture)
{
  guint interval = self->params.interval;

  *picture = level < self->n_small ? level % interval : level - self->n_small;
  return level < self->n_small ? (self->n_small - 1 - level) / interval + 1 : 0;
}

static void
plan_pictures (MgpuFhog * self)
{
  gint interval = self->params.interval;
  gdouble octaves = log2 (MIN (self->width, self->height)
      / (5.0 * self->params.cell_size));
  gint n = MAX (1 + (gint) floor (octaves * interval + 1e-9), interval);

  for (gint i = 0; i < n; i++) {
    Picture p = { self->width, self->height, 0, 1 };
    gdouble step = exp2 (-(gdouble) i / interval);

    if (i >= interval) {
      p = g_array_index (self->pictures, Picture, i - interval);
      step = 0.5;
    }
    p.scale *= step;
    p.width = floor (p.width * step + 0.5);
    p.height = floor (p.height * step + 0.5);
    p.pitch = GST_ROUND_UP_16 ((p.width + self->classes / 2 + 3)
        / self->classes + 2) + 16;
    g_array_append_val (self->pictures, p);
  }
}

static void
plan_levels (MgpuFhog * self)
{
  const MgpuFhogParams *params = &self->params;
  guint most = self->n_small + self->pictures->len, at = 0, number = 0;

  if (params->max_levels > 0)
    most = MIN (most, (guint) params->max_levels);
  for (guint i = 0; i < most; i++) {
    guint size = mgpu_fhog_find_size (self, i, &number);
    const Picture *p = &g_array_index (self->pictures, Picture, number);
    MgpuFhogLevel l = {.offset = at,.scale = p->scale };

    l.cell_size = params->cell_size >> size;
    l.columns = cells_of (p->width, l.cell_size) - 2;
    l.rows = cells_of (p->height, l.cell_size) - 2;
    if (l.columns < 1 || l.rows < 1)
      break;
    l.columns += 2 * params->pad_x;
    l.rows += 2 * params->pad_y;
    at += l.columns * l.rows;
    g_array_append_val (self->levels, l);
  }
  /* Drops pictures (scaled frames) that neither a level nor another picture is computed from. */
  number = self->levels->len <= self->n_small
      ? MIN (self->levels->len, (guint) params->interval)
      : MAX (self->levels->len - self->n_small,
      params->whole_cells ? 0 : (guint) params->interval);
  g_array_set_size (self->pictures, number);
}

static gsize
plane_size (const MgpuFhog * self, const Picture * p)
{
  return (gsize) p->height * self->classes * p->pitch;
}

/* Checks that the samples of a frame and the features of its pyramid can be counted in an int,
 * as the kernels do. */
static gboolean
check_size (const MgpuFhog * self, GError ** error)
{
  gint most_cells = G_MAXINT / mgpu_fhog_count_features (self->params.kind);
  gsize cells = 0, most = G_MAXINT / 24;

  for (guint i = 0; i < self->levels->len; i++) {
    const MgpuFhogLevel *l = &g_array_index (self->levels, MgpuFhogLevel, i);

    cells += (gsize) l->columns * l->rows;
  }
  if (cells <= (gsize) most_cells
      && (gsize) self->width * self->height <= most)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "features can be computed for frames of up to about %d million pixels "
      "and %d million cells, but these frames have %dx%d pixels and would have "
      "%"
      G_GSIZE_FORMAT " cells: scale them down before this element, or ask for "
      "fewer levels",
      (gint) most / 1000000, most_cells / 1000000,
      self->width, self->height, cells);
  return FALSE;
}

/* ---- The plan: tables for the kernels --------------------------------------- */

static void
add_word (MgpuFhog * self, gint word)
{
  g_array_append_val (self->words, word);
}

static gint
add_row_table (MgpuFhog * self, gint in, gint out, gint n)
{
  gint begin = self->words->len;

  for (gint y = 0; y < out; y++) {
    MgpuFhogTaps taps;

    mgpu_fhog_taps_find (y, in, out, self->params.resize, &taps);
    for (gint k = 0; k < n; k++)
      add_word (self, MIN (taps.first + k, in - 1));
    for (gint k = 0; k < n; k++)
      add_word (self, taps.shares[k]);
  }
  return begin;
}

/* Adds a table for picture @p (a scaled frame) to the plan (the table that kernels read). For each
 * column of the picture, it has the columns of the image from which the picture is scaled, and
 * their resampling weights. Columns outside the picture also have entries, because kernels compute
 * these columns, although they do not use the results. If the tuning parameter STRIP is set, the
 * columns are in order from left to right; otherwise they are sorted by residue class: see
 * kernels/fhog/fhog.h.
 * Returns: the index of the table in the plan */
static gint
add_column_table (MgpuFhog * self, gint in, const Picture * p, gint n)
{
  gboolean is_strip = self->object.knobs[STRIP] > 0;
  gint begin = GST_ROUND_UP_2 (self->words->len);
  gint of_tap = is_strip ? GST_ROUND_UP_16 (p->width)
      : self->classes * p->pitch;
  gint *columns;
  guint16 *shares;

  g_array_set_size (self->words, begin + 3 * n * of_tap);
  columns = &g_array_index (self->words, gint, begin);
  shares = (guint16 *) (columns + n * of_tap);
  for (gint i = 0; i < of_tap; i++) {
    gint x = is_strip ? i
        : self->classes * (i % p->pitch) + i / p->pitch - self->classes / 2;
    MgpuFhogTaps taps;

    mgpu_fhog_taps_find (CLAMP (x, 0, p->width - 1), in, p->width,
        self->params.resize, &taps);
    for (gint k = 0; k < n; k++) {
      columns[k * of_tap + i] = MIN (taps.first + k, in - 1);
      for (gint j = 0; j < 4; j++)
        shares[4 * (k * of_tap + i) + j] = taps.shares[k];
    }
  }
  return begin;
}

/* Allocation of the scratch buffers that the pictures (scaled frames) of a batch share: the
 * index of the next free element of each buffer. */
typedef struct
{
  gsize tall, planes, gradients, sums, energies;
} Places;

static void
place_picture (MgpuFhog * self, guint i, Places * at)
{
  guint interval = self->params.interval;
  const Picture *p = &g_array_index (self->pictures, Picture, i);
  gint in_width = self->width, in_height = self->height, source = -1;
  gint words[PICTURE] = {
    [WIDTH] = p->width,[HEIGHT] = p->height,[PITCH] = p->pitch,
    [PLANES] = at->planes,[PLANE] = plane_size (self, p),
    [GRADIENTS] = at->gradients
  };

  if (i >= interval) {
    in_width = p[-(gint) interval].width;
    in_height = p[-(gint) interval].height;
    source = g_array_index (self->words, gint,
        PICTURE * (i - interval) + SAMPLES);
  }
  words[SOURCE_WIDTH] = in_width;
  words[SOURCE] = source;
  words[SAMPLES] = i + interval < self->pictures->len
      ? (gint) self->n_samples : -1;
  words[TALL] = at->tall;
  words[ROW_TAPS] =
      mgpu_fhog_taps_count (in_height, p->height, self->params.resize);
  words[ROW_TABLE] =
      add_row_table (self, in_height, p->height, words[ROW_TAPS]);
  words[COLUMN_TAPS] =
      mgpu_fhog_taps_count (in_width, p->width, self->params.resize);
  words[COLUMN_TABLE] =
      add_column_table (self, in_width, p, words[COLUMN_TAPS]);
  memcpy (&g_array_index (self->words, gint, PICTURE * i), words,
      sizeof (words));
  if (words[SAMPLES] >= 0)
    self->n_samples += (gsize) p->width * p->height;
  if (self->object.knobs[STRIP] == 0) {
    at->tall += (gsize) in_width * p->height;
    at->planes += 3 * plane_size (self, p);
  }
  at->gradients += plane_size (self, p);
}

static void
place_level (MgpuFhog * self, guint i, Places * at)
{
  const MgpuFhogLevel *l = &g_array_index (self->levels, MgpuFhogLevel, i);
  gint parts = self->classes / l->cell_size;
  gint cells_x = l->columns + 2 - 2 * self->params.pad_x;
  gint cells_y = l->rows + 2 - 2 * self->params.pad_y;
  gint pitch = GST_ROUND_UP_16 (cells_x / parts + 2) + 16;
  guint picture;
  gint words[LEVEL] = {
    [CELLS_X] = cells_x,[CELLS_Y] = cells_y,[CELL_PITCH] = pitch,
    [SUMS] = at->sums,[ENERGIES] = at->energies,[FIRST_CELL] = l->offset,
    [COLUMNS_OUT] = l->columns,[PAD_X] = self->params.pad_x,
    [PAD_Y] = self->params.pad_y
  };

  mgpu_fhog_find_size (self, i, &picture);
  words[OF_PICTURE] = picture;
  memcpy (&g_array_index (self->words, gint, self->level_words + LEVEL * i),
      words, sizeof (words));
  at->sums += (gsize) cells_y * parts * 2 * ALL_BINS * pitch;
  at->energies += (gsize) cells_y * parts * pitch;
}

/* Returns: whether the cells of a pyramid level have size number @size and are computed from a
 * picture (a scaled frame) of @batch */
static gboolean
is_of (const MgpuFhog * self, guint level, guint size, const Batch * batch)
{
  guint picture;

  return mgpu_fhog_find_size (self, level, &picture) == size
      && picture >= batch->first && picture < batch->last;
}

static void
plan_batch (MgpuFhog * self, guint begin, guint end)
{
  Batch batch = {.first = begin,.last = end };
  /* Leaves an unused element before the energy of the first cell, because kernels that process this
   * cell also read the energy to its left. */
  Places at = {.energies = 16 };

  for (guint i = begin; i < end; i++)
    place_picture (self, i, &at);
  for (guint size = 0; size < self->n_sizes; size++)
    for (guint i = 0; i < self->levels->len; i++)
      if (is_of (self, i, size, &batch))
        place_level (self, i, &at);
  self->n_tall = MAX (self->n_tall, at.tall);
  self->n_planes = MAX (self->n_planes, at.planes);
  self->n_gradients = MAX (self->n_gradients, at.gradients);
  self->n_sums = MAX (self->n_sums, at.sums);
  self->n_energies = MAX (self->n_energies, at.energies);
  g_array_append_val (self->batches, batch);
}

static void
make_plan (MgpuFhog * self)
{
  gsize most, sum = 0;
  guint begin = 0;

  self->level_words = PICTURE * self->pictures->len;
  g_array_set_size (self->words, self->level_words
      + LEVEL * self->levels->len);
  most = MAX ((gsize) self->object.knobs[BATCH], self->pictures->len > 0
      ? plane_size (self, &g_array_index (self->pictures, Picture, 0)) : 0);
  for (guint i = 0; i < self->pictures->len; i++) {
    gsize size = plane_size (self, &g_array_index (self->pictures, Picture, i));

    if (sum + size > most) {
      plan_batch (self, begin, i);
      begin = i;
      sum = 0;
    }
    sum += size;
  }
  if (self->pictures->len > 0)
    plan_batch (self, begin, self->pictures->len);
}

gboolean
mgpu_fhog_plan (MgpuFhog * self, GError ** error)
{
  plan_pictures (self);
  plan_levels (self);
  if (!check_size (self, error))
    return FALSE;
  make_plan (self);
  return TRUE;
}
