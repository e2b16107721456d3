/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "fhog.h"

#include <math.h>
#include <string.h>

#include "taps.h"
#include <gst/vision/base/object.h>
#include <gst/vision/convert/rgbx.h>
#include <kernels/fhog/shared.h>

#define MIN_CLASSES 8           /* least number of classes of the pixels of a row */
#define MAX_SIZES 3             /* largest number of sizes of cells in a pyramid */

/* Names the indices of the array knobs. */
enum
{
  LANES,
  GROUP,
  COLUMNS,
  CLASSES,
  STRIP,
  BINS,
  ROWS,
  BATCH
};

/* Holds the knobs, which tune the kernels. Values for processors keep the data in their
 * caches, values for GPUs make many work-items, and values for phones need little
 * memory. */
static const MgpuKnob knobs[] = {
  {"LANES", {16, 1, 1}, NULL, "cells of a work-item, side by side"},
  {"GROUP", {1, 64, 32}, "1 16 32 64 128", "work-items of a work-group"},
  {"COLUMNS", {1, 64, 32}, "1 16 32 64 128",
      "work-items that share a class of a row that is scaled"},
  {"CLASSES", {1, 8, 8}, "1 2 4 8",
      "work-items that share the classes of such a row"},
  {"STRIP", {32, 0, 0}, "0 8 16 32 64",
      "rows that a work-item scales, with 16 LANES alone (0 = work-items share "
        "a row)"},
  {"BINS", {18, 6, 6}, "3 6 9 18", "bins of a histogram that a work-item fills"},
  {"ROWS", {8, 2, 4}, "1 2 4 8 16", "rows of cells of a work-item"},
  {"BATCH", {0, 1 << 25, 0}, "0 2097152 8388608 33554432",
      "samples of pictures that are worked on at once, or those of the largest"},
  {NULL}
};

/* Names the indices of the array kernels. From CELLS on, each size of cells has the
 * kernels of the next list. */
enum
{
  STRIPS,
  SCALE_ROWS,
  SCALE_COLUMNS,
  FIND_GRADIENTS,
  CELLS
};

/* Names the kernels of one size of cells. */
enum
{
  MAKE_TILES,
  MAKE_ENERGIES,
  MAKE_FEATURES,
  PAD,
  N_OF_CELLS
};

/* Names the sets of kernels. SET_STRIP or SET_SCALE is built, and, from SET_CELLS on,
 * a set for each size of cells that a level has. */
enum
{
  SET_STRIP = 1,
  SET_SCALE,
  SET_CELLS
};

#define KERNELS_OF_CELLS(size) \
  {"fhog/cells", "fhog_tiles", SET_CELLS + size}, \
  {"fhog/cells", "fhog_energies", SET_CELLS + size}, \
  {"fhog/cells", "fhog_features", SET_CELLS + size}, \
  {"fhog/cells", "fhog_padding", SET_CELLS + size}

static const MgpuKernel kernels[] = {
  [STRIPS] = {"fhog/strip", "fhog_strips", SET_STRIP},
  [SCALE_ROWS] = {"fhog/scale", "fhog_rows", SET_SCALE},
  [SCALE_COLUMNS] = {"fhog/scale", "fhog_columns", SET_SCALE},
  [FIND_GRADIENTS] = {"fhog/scale", "fhog_gradients", SET_SCALE},
  [CELLS] = KERNELS_OF_CELLS (0),
  KERNELS_OF_CELLS (1),
  KERNELS_OF_CELLS (2),
  {NULL}
};

/* Names the slots, which are memories on the device: the plan, samples from which
 * smaller pictures are made, samples scaled along one axis, and planes, gradients, sums
 * and energies of a batch. */
enum
{
  SLOT_PLAN,
  SLOT_SAMPLES,
  SLOT_TALL,
  SLOT_PLANES,
  SLOT_GRADIENTS,
  SLOT_SUMS,
  SLOT_ENERGIES,
  N_SLOTS
};

/* Describes a part of the plan: n pairs of a picture, or level, and a row. */
typedef struct
{
  gint begin;
  guint n;
} Rows;

/* Describes pictures that are worked on at once. All batches use the same memory, one
 * after the other. */
typedef struct
{
  guint begin, end;             /* range in the array parts */
  Rows gradients;
  Rows tiles[MAX_SIZES], energies[MAX_SIZES], features[MAX_SIZES];
  gint columns[MAX_SIZES];      /* columns of tiles in the widest level */
} Batch;

/* Describes the frame scaled to one size. */
typedef struct
{
  gint width, height;
  gint pitch;
  gdouble scale;
} Picture;

struct _MgpuFhog
{
  MgpuObject object;
  MgpuFhogParams params;
  gint width, height;
  gint classes;                 /* number of classes: pixels of a class are as far apart */
  guint n_sizes;                /* number of sizes of cells */

  GArray *pictures;             /* elements are Picture */
  GArray *levels;               /* elements are MgpuFhogLevel */
  guint n_small;                /* number of levels with smaller cells, in a full pyramid */

  GArray *words;                /* the plan: tables that kernels read */
  gint level_words;             /* place of the levels in the plan */
  GArray *parts;                /* Rows of pictures that are scaled in one launch */
  GArray *batches;
  Rows padding;
  gsize n_samples, n_tall, n_planes, n_gradients, n_sums, n_energies;
  gint own_rows, own_planes;    /* sizes of a strip's own memory, in tall and in planes */

  MgpuRgbx rgbx;
};

/* ---- Sizes ----------------------------------------------------------------- */

static gint
cells_of (gint pixels, gint size)
{
  return (2 * pixels + size) / (2 * size);
}

/* Finds the size of the cells of a level, and the number of its picture. Returns: the
 * number of the size, from 0, the largest */
static guint
find_size (const MgpuFhog * self, guint level, guint * picture)
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
    guint size = find_size (self, i, &number);
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
  /* Drops pictures that neither a level nor another picture needs. */
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

/* Checks that the kernels can count features and samples in an int. */
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
      "features are made of frames of some %d million pixels at most, and of "
      "some %d million cells, and these have %dx%d and would have %"
      G_GSIZE_FORMAT ": scale them down before this element, or ask for fewer levels",
      (gint) most / 1000000, most_cells / 1000000,
      self->width, self->height, cells);
  return FALSE;
}

/* ---- The plan --------------------------------------------------------------- */

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

/* Adds, for each column of picture p, the source columns and their shares. Columns
 * outside of the picture get entries, too: kernels compute them, but nothing uses them.
 * Strips have columns from left to right, other kernels have them by class. */
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

/* Holds the next free places in the memories of a batch. */
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

  find_size (self, i, &picture);
  words[OF_PICTURE] = picture;
  memcpy (&g_array_index (self->words, gint, self->level_words + LEVEL * i),
      words, sizeof (words));
  at->sums += (gsize) cells_y * parts * 2 * ALL_BINS * pitch;
  at->energies += (gsize) cells_y * parts * pitch;
}

static void
add_rows (MgpuFhog * self, Rows * rows, guint number, gint begin, gint end,
    gint step)
{
  if (rows->n == 0)
    rows->begin = self->words->len;
  for (gint row = begin; row < end; row += step) {
    add_word (self, number);
    add_word (self, row);
    rows->n++;
  }
}

/* Returns: whether level has cells of this size and a picture from begin to before
 * end */
static gboolean
is_of (const MgpuFhog * self, guint level, guint size, guint begin, guint end)
{
  guint picture;

  return find_size (self, level, &picture) == size && picture >= begin
      && picture < end;
}

static void
plan_cells (MgpuFhog * self, Batch * batch, guint size, guint begin, guint end)
{
  gint words = self->level_words;

  for (guint step = 0; step < 3; step++)
    for (guint i = 0; i < self->levels->len; i++) {
      const gint *l = &g_array_index (self->words, gint, words + LEVEL * i);
      gint cells_x = l[CELLS_X], cells_y = l[CELLS_Y];

      if (!is_of (self, i, size, begin, end))
        continue;
      batch->columns[size] = MAX (batch->columns[size],
          cells_x / (self->classes / (self->params.cell_size >> size)) + 1);
      if (step == 0)
        add_rows (self, &batch->tiles[size], i, 0, cells_y,
            self->object.knobs[ROWS]);
      else if (step == 1)
        add_rows (self, &batch->energies[size], i, 0, cells_y, 1);
      else
        add_rows (self, &batch->features[size], i, 1, cells_y - 1, 1);
    }
}

static void
plan_batch (MgpuFhog * self, guint begin, guint end)
{
  Batch batch = {.begin = self->parts->len };
  /* Leaves room before the first cell: kernels read one cell to the left of it. */
  Places at = {.energies = 16 };

  for (guint i = begin; i < end; i++)
    place_picture (self, i, &at);
  for (guint size = 0; size < self->n_sizes; size++)
    for (guint i = 0; i < self->levels->len; i++)
      if (is_of (self, i, size, begin, end))
        place_level (self, i, &at);
  self->n_tall = MAX (self->n_tall, at.tall);
  self->n_planes = MAX (self->n_planes, at.planes);
  self->n_gradients = MAX (self->n_gradients, at.gradients);
  self->n_sums = MAX (self->n_sums, at.sums);
  self->n_energies = MAX (self->n_energies, at.energies);

  /* Makes one part of the pictures of each octave: the next octave is made from them. */
  for (guint i = begin; i < end;) {
    Rows rows = { 0, };

    do {
      const Picture *p = &g_array_index (self->pictures, Picture, i);

      add_rows (self, &rows, i, 0, p->height,
          MAX (self->object.knobs[STRIP], 1));
    } while (++i < end && i % self->params.interval != 0);
    g_array_append_val (self->parts, rows);
  }
  batch.end = self->parts->len;
  for (guint i = begin; i < end && self->object.knobs[STRIP] == 0; i++)
    add_rows (self, &batch.gradients, i, 1, g_array_index (self->pictures,
            Picture, i).height - 1, 1);
  for (guint size = 0; size < self->n_sizes; size++)
    plan_cells (self, &batch, size, begin, end);
  g_array_append_val (self->batches, batch);
}

/* Sets how much memory strips of rows need for themselves: see fhog_strips(). The first
 * picture, which is the widest, sets the size. */
static void
place_strips (MgpuFhog * self)
{
  gint pitch = g_array_index (self->pictures, Picture, 0).pitch;
  gint lanes = self->object.knobs[LANES];
  guint n = 0;

  self->own_rows = 2 * (self->width + lanes) + lanes * self->classes;
  self->own_planes = 3 * 2 * self->classes * pitch;
  for (guint i = 0; i < self->parts->len; i++)
    n = MAX (n, g_array_index (self->parts, Rows, i).n);
  self->n_tall = (gsize) n * self->own_rows;
  self->n_planes = (gsize) n * self->own_planes * 2;
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
  if (self->pictures->len > 0 && self->object.knobs[STRIP] > 0)
    place_strips (self);
  for (guint i = 0; i < self->levels->len
      && self->params.pad_x + self->params.pad_y > 0; i++)
    add_rows (self, &self->padding, i, 0, g_array_index (self->levels,
            MgpuFhogLevel, i).rows, 1);
}

/* ---- The object ------------------------------------------------------------- */

guint
mgpu_fhog_count_features (MgpuFhogKind kind)
{
  return kind == MGPU_FHOG_DALAL_TRIGGS ? 36 : MGPU_FHOG_FEATURES;
}

static gboolean
check_params (const MgpuFhogParams * params, GError ** error)
{
  if ((params->cell_size == 8 || params->cell_size == 16
          || (params->cell_size == 4 && !params->extra_octave))
      && !(params->extra_octave && params->whole_cells)
      && params->interval >= 1 && params->interval <= MGPU_FHOG_MAX_INTERVAL
      && params->max_levels >= 0
      && params->pad_x >= 0 && params->pad_x <= MGPU_FHOG_MAX_PADDING
      && params->pad_y >= 0 && params->pad_y <= MGPU_FHOG_MAX_PADDING)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "no features have cells of %d pixels, %d levels of an octave%s and %d x "
      "%d cells of padding: look for models with cells of 8 pixels, or without "
      "an extra octave", params->cell_size, params->interval,
      params->extra_octave ? ", an extra octave" : "", params->pad_x,
      params->pad_y);
  return FALSE;
}

/* Makes the kernels for pictures, and the kernels for the sizes of cells that levels
 * have. When there are few levels, all of them may have small cells. */
static gboolean
build_kernels (MgpuFhog * self, GError ** error)
{
  gboolean ok = mgpu_object_build (self,
      self->object.knobs[STRIP] > 0 ? SET_STRIP : SET_SCALE, error);

  for (guint i = 0; i < self->levels->len && ok; i++) {
    guint picture;

    ok = mgpu_object_build (self, SET_CELLS + find_size (self, i, &picture),
        error);
  }
  return ok;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuFhog *self = object;

  g_string_append_printf (options, " -DCLASSES_OF_ROW=%d", self->classes);
  if (set >= SET_CELLS)
    g_string_append_printf (options, " -DCELL=%d -DFEATURES=%u",
        self->params.cell_size >> (set - SET_CELLS),
        mgpu_fhog_count_features (self->params.kind));
}

static gboolean
init (gpointer object, gconstpointer data, GError ** error)
{
  MgpuFhog *self = object;
  const MgpuFhogParams *params = data;

  self->params = *params;
  self->width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  self->height = GST_VIDEO_INFO_HEIGHT (&self->object.in);
  self->classes = MAX (MIN_CLASSES, params->cell_size);
  self->n_sizes = params->whole_cells ? 1 : params->extra_octave ? 3 : 2;
  self->n_small = (self->n_sizes - 1) * params->interval;
  self->pictures = g_array_new (FALSE, FALSE, sizeof (Picture));
  self->levels = g_array_new (FALSE, FALSE, sizeof (MgpuFhogLevel));
  self->words = g_array_new (FALSE, TRUE, sizeof (gint));
  self->parts = g_array_new (FALSE, FALSE, sizeof (Rows));
  self->batches = g_array_new (FALSE, FALSE, sizeof (Batch));
  if (self->object.knobs[LANES] == 1)
    self->object.knobs[STRIP] = 0;
  if (!check_params (params, error))
    return FALSE;
  plan_pictures (self);
  plan_levels (self);
  if (!check_size (self, error))
    return FALSE;
  make_plan (self);
  return self->levels->len == 0 || (mgpu_rgbx_init (&self->rgbx,
          self->object.context, &self->object.in, error)
      && build_kernels (self, error));
}

static void
clear (gpointer object)
{
  MgpuFhog *self = object;
  GArray *arrays[] = { self->pictures, self->levels, self->words, self->parts,
    self->batches
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (arrays[i]);
  mgpu_rgbx_clear (&self->rgbx);
}

static const MgpuAlgorithm fhog = {
  .size = sizeof (MgpuFhog),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .clear = clear
};

MgpuFhog *
mgpu_fhog_new (GstMgpuContext * context, const GstVideoInfo * info,
    const MgpuFhogParams * params, GError ** error)
{
  return mgpu_object_new (&fhog, context, info, NULL, NULL, params, error);
}

void
mgpu_fhog_free (MgpuFhog * self)
{
  mgpu_object_free (self);
}

guint
mgpu_fhog_get_levels (MgpuFhog * self, const MgpuFhogLevel ** levels)
{
  *levels = (const MgpuFhogLevel *) self->levels->data;
  return self->levels->len;
}

gsize
mgpu_fhog_get_size (MgpuFhog * self)
{
  const MgpuFhogLevel *l;

  if (self->levels->len == 0)
    return sizeof (gfloat);
  l = &g_array_index (self->levels, MgpuFhogLevel, self->levels->len - 1);
  return ((gsize) l->offset + (gsize) l->columns * l->rows)
      * mgpu_fhog_count_features (self->params.kind) * sizeof (gfloat);
}

/* ---- Work on a frame --------------------------------------------------------- */

/* Starts a kernel with COLUMNS work-items for each row of samples, or, with classes > 0,
 * COLUMNS x classes work-items. */
static void
launch_samples (MgpuFhog * self, GstMgpuJob * job, cl_kernel kernel,
    const Rows * rows, gint classes)
{
  gint columns = self->object.knobs[COLUMNS];
  gsize local[3] = { columns, 1, 1 };
  gsize global[3] = { columns, classes > 0 ? (gsize) classes : rows->n,
    rows->n
  };

  gst_mgpu_job_launch (job, kernel, classes > 0 ? 3 : 2, global, local);
}

/* Starts a kernel with parts work-items for each LANES columns of each row. */
static void
launch_cells (MgpuFhog * self, GstMgpuJob * job, cl_kernel kernel,
    gint columns, const Rows * rows, gint parts)
{
  const gint *knobs = self->object.knobs;
  const gsize group[2] = { knobs[GROUP], 1 };

  mgpu_launch_planes (job, kernel, parts, columns, rows->n, knobs[LANES], 1,
      group);
}

/* Scales the pictures of a part. With the knob STRIP also computes their gradients. */
static void
enqueue_part (MgpuFhog * self, GstMgpuJob * job, const MgpuImage * in,
    cl_mem plan, cl_mem planes, cl_mem gradients, const Rows * rows)
{
  cl_mem frame = gst_mgpu_job_read (job, in->memory);
  cl_kernel *kernels = self->object.kernels;
  cl_mem samples = mgpu_slot_write (self, SLOT_SAMPLES, job,
      MAX (self->n_samples, 1) * 8);
  cl_mem tall = mgpu_slot_write (self, SLOT_TALL, job, self->n_tall * 8);
  MgpuComponent c[3];
  gint offset;

  for (guint i = 0; i < 3; i++)
    c[i] = mgpu_get_component (&in->info, i);
  offset = c[0].offset - c[0].position;
  if (self->object.knobs[STRIP] > 0) {
    gst_mgpu_job_set_args (job, kernels[STRIPS], "miimiiiimmimim", frame,
        offset, c[0].stride, plan, rows->begin, c[0].position, c[1].position,
        c[2].position, samples, tall, self->own_rows, planes, self->own_planes,
        gradients);
    launch_samples (self, job, kernels[STRIPS], rows, 0);
    return;
  }
  gst_mgpu_job_set_args (job, kernels[SCALE_ROWS], "miimimm", frame, offset,
      c[0].stride, plan, rows->begin, samples, tall);
  launch_samples (self, job, kernels[SCALE_ROWS], rows, 0);
  gst_mgpu_job_set_args (job, kernels[SCALE_COLUMNS], "mmiiiimm", tall, plan,
      rows->begin, c[0].position, c[1].position, c[2].position, samples,
      planes);
  launch_samples (self, job, kernels[SCALE_COLUMNS], rows,
      self->object.knobs[CLASSES]);
}

static void
enqueue_cells (MgpuFhog * self, GstMgpuJob * job, const Batch * batch,
    guint size, cl_mem plan, cl_mem gradients, cl_mem out)
{
  cl_kernel *kernels = self->object.kernels + CELLS + N_OF_CELLS * size;
  cl_mem sums = mgpu_slot_write (self, SLOT_SUMS, job, self->n_sums * 4);
  cl_mem energies = mgpu_slot_write (self, SLOT_ENERGIES, job,
      self->n_energies * 4);
  gint parts = self->classes / (self->params.cell_size >> size);
  gint columns = batch->columns[size];

  if (batch->tiles[size].n == 0)
    return;
  gst_mgpu_job_set_args (job, kernels[MAKE_TILES], "mmiim", gradients, plan,
      self->level_words, batch->tiles[size].begin, sums);
  launch_cells (self, job, kernels[MAKE_TILES], columns, &batch->tiles[size],
      parts * (ALL_BINS / self->object.knobs[BINS]));
  gst_mgpu_job_set_args (job, kernels[MAKE_ENERGIES], "mmiim", sums, plan,
      self->level_words, batch->energies[size].begin, energies);
  launch_cells (self, job, kernels[MAKE_ENERGIES], columns,
      &batch->energies[size], parts);
  gst_mgpu_job_set_args (job, kernels[MAKE_FEATURES], "mmmiim", sums, energies,
      plan, self->level_words, batch->features[size].begin, out);
  launch_cells (self, job, kernels[MAKE_FEATURES], columns,
      &batch->features[size], parts);
}

static void
enqueue_batch (MgpuFhog * self, GstMgpuJob * job, const MgpuImage * in,
    const Batch * batch, cl_mem plan, cl_mem out)
{
  cl_mem planes = mgpu_slot_write (self, SLOT_PLANES, job, self->n_planes * 2);
  cl_mem gradients = mgpu_slot_write (self, SLOT_GRADIENTS, job,
      self->n_gradients * 4);

  for (guint i = batch->begin; i < batch->end; i++)
    enqueue_part (self, job, in, plan, planes, gradients,
        &g_array_index (self->parts, Rows, i));
  if (self->object.knobs[STRIP] == 0) {
    cl_kernel kernel = self->object.kernels[FIND_GRADIENTS];

    gst_mgpu_job_set_args (job, kernel, "mmim", planes, plan,
        batch->gradients.begin, gradients);
    launch_samples (self, job, kernel, &batch->gradients,
        self->object.knobs[CLASSES]);
  }
  for (guint i = 0; i < self->n_sizes; i++)
    enqueue_cells (self, job, batch, i, plan, gradients, out);
}

/* Fills the cells of the padding, which have no features. The kernels of all sizes of
 * cells do this in the same way. */
static void
enqueue_padding (MgpuFhog * self, GstMgpuJob * job, cl_mem plan, cl_mem out)
{
  guint picture, size = find_size (self, 0, &picture);
  cl_kernel kernel = self->object.kernels[CELLS + N_OF_CELLS * size + PAD];

  gst_mgpu_job_set_args (job, kernel, "miiim", plan, self->level_words,
      self->padding.begin, self->object.knobs[COLUMNS], out);
  launch_samples (self, job, kernel, &self->padding, 0);
}

void
mgpu_fhog_enqueue (MgpuFhog * self, GstMgpuJob * job, const MgpuImage * in,
    GstMgpuMemory * features)
{
  MgpuImage pixels;
  cl_mem plan, out;

  if (self->levels->len == 0 || !mgpu_rgbx_enqueue (&self->rgbx, job, in,
          &pixels))
    return;
  plan = mgpu_slot_read_words (self, SLOT_PLAN, job, self->words);
  out = gst_mgpu_job_write (job, features);
  for (guint i = 0; i < self->batches->len; i++)
    enqueue_batch (self, job, &pixels, &g_array_index (self->batches, Batch, i),
        plan, out);
  if (self->padding.n > 0)
    enqueue_padding (self, job, plan, out);
}
