/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lists the rows that kernels compute for a pyramid of HOG features. Of each picture (scaled
 * frame) and each level, only rows that affect the features of the wanted cells are listed. */
#include "fhog-private.h"

#include <string.h>

#include "taps.h"
#include <kernels/fhog/fhog-shared.h>

/* A range of rows, @begin to @end - 1. The range is empty if @end is at most @begin. */
typedef struct
{
  gint begin, end;
} Range;

static void
add_range (Range * all, gint begin, gint end)
{
  if (begin >= end)
    return;
  all->begin = all->begin < all->end ? MIN (all->begin, begin) : begin;
  all->end = MAX (all->end, end);
}

/* Adds entries to the list @rows: every @step-th of the rows @begin to @end - 1 of the picture
 * or level @number. In lists for kernels that work on cells, these kernels compute the columns
 * @first to @last - 1 of each row. In lists for the kernel that scales strips of rows, the
 * gradients of the rows @first to @last - 1 are computed. */
static void
add_rows (MgpuFhog * self, Rows * rows, guint number, gint begin, gint end,
    gint step, gint first, gint last)
{
  if (rows->n == 0)
    rows->begin = self->lists->len;
  for (gint row = begin; row < end; row += step) {
    const gint entry[ENTRY] = { number, row, first, last };

    g_array_append_vals (self->lists, entry, ENTRY);
    rows->n++;
    rows->columns = MAX (rows->columns, last - first);
  }
}

/* Returns: the rectangle of the cells of a level that are wanted and have features. Columns and
 * rows are counted from the corner of the frame. The outermost cells have no features: the
 * first cell with features is in column 1 and row 1 */
static MgpuPart
find_cells (const MgpuFhog * self, guint level)
{
  const gint *l = &g_array_index (self->words, gint,
      self->level_words + LEVEL * level);
  const MgpuPart *p = self->wanted + level;
  MgpuPart cells = {
    .left = MAX (p->left - self->params.pad_x + 1, 1),
    .right = MIN (p->right - self->params.pad_x + 1, l[CELLS_X] - 1),
    .top = MAX (p->top - self->params.pad_y + 1, 1),
    .bottom = MIN (p->bottom - self->params.pad_y + 1, l[CELLS_Y] - 1)
  };

  return cells.left < cells.right && cells.top < cells.bottom ? cells
      : (MgpuPart) { 0, };
}

/* Adds entries for the wanted cells of the level @level to the lists of @batch for cells of size
 * number @size: to the list of tiles (@step 0), of energies (1) or of features (2). The features of
 * a cell depend on the energies of the cells around it. The histogram of a cell depends on the tile
 * with the same number and on the neighboring tiles to the right and below. For tiles, the range
 * @gradients is extended to the rows of pixels that they cover. */
static void
add_cells (MgpuFhog * self, Batch * batch, guint step, guint size, guint level,
    Range * gradients)
{
  MgpuPart p = find_cells (self, level);
  gint cell = self->params.cell_size >> size, parts = self->classes / cell;
  gint rows = self->object.knobs[ROWS], last;
  gint left = (p.left - 1) / parts;

  if (p.bottom == 0)
    return;
  if (step == 0) {
    add_rows (self, &batch->tiles[size], level, p.top - 1, p.bottom + 1, rows,
        left, (p.right + 1) / parts + 1);
    last = GST_ROUND_UP_N (p.bottom + 2 - p.top, rows) + p.top - 1;
    add_range (gradients, cell * (p.top - 1) - cell / 2,
        cell * last + cell / 2);
  } else if (step == 1) {
    add_rows (self, &batch->energies[size], level, p.top - 1, p.bottom + 1, 1,
        left, p.right / parts + 1);
  } else {
    add_rows (self, &batch->features[size], level, p.top, p.bottom, 1,
        p.left / parts, (p.right - 1) / parts + 1);
  }
}

/* Finds the range of rows of each picture that kernels have to scale, and writes it to @rows.
 * The range includes the rows in @gradients, whose gradients are computed; the rows next to
 * them; and the rows from which later pictures are scaled. For this reason, the last picture is
 * processed first. If the tuning parameter STRIP is set, the range consists of whole strips,
 * without the rows next to a strip, because each work-item scales these rows for itself. */
static void
find_rows (const MgpuFhog * self, const Range * gradients, Range * rows)
{
  gint interval = self->params.interval;
  gint strip = MAX (self->object.knobs[STRIP], 1);
  gint around = self->object.knobs[STRIP] > 0 ? 0 : 1;

  for (gint i = self->pictures->len - 1; i >= 0; i--) {
    const Picture *p = &g_array_index (self->pictures, Picture, i);
    Range *r = rows + i;
    MgpuFhogTaps first, last;
    gint in;

    if (gradients[i].begin < gradients[i].end)
      add_range (r, gradients[i].begin - around, gradients[i].end + around);
    r->begin = MAX (r->begin, 0) / strip * strip;
    r->end = MIN (r->end, p->height);
    if (i < interval || r->begin >= r->end)
      continue;
    in = p[-interval].height;
    mgpu_fhog_taps_find (MAX (r->begin - 1, 0), in, p->height,
        self->params.resize, &first);
    mgpu_fhog_taps_find (MIN (GST_ROUND_UP_N (r->end, strip), p->height - 1),
        in, p->height, self->params.resize, &last);
    add_range (rows + i - interval, first.first, last.first
        + mgpu_fhog_taps_count (in, p->height, self->params.resize));
  }
}

/* Creates a list of rows for each octave of a batch, with the rows of all pictures of this
 * octave. Each list has a separate launch, because the pictures of an octave are scaled from
 * those of the octave before. */
static void
add_pictures (MgpuFhog * self, Batch * batch, const Range * gradients,
    const Range * ranges)
{
  gint strip = self->object.knobs[STRIP];

  batch->begin = self->parts->len;
  for (guint i = batch->first; i < batch->last;) {
    Rows rows = { 0, };

    do {
      add_rows (self, &rows, i, ranges[i].begin, ranges[i].end,
          MAX (strip, 1), gradients[i].begin, gradients[i].end);
    } while (++i < batch->last && i % self->params.interval != 0);
    g_array_append_val (self->parts, rows);
  }
  batch->end = self->parts->len;
  for (guint i = batch->first; i < batch->last && strip == 0; i++)
    add_rows (self, &batch->gradients, i, MAX (gradients[i].begin, 1),
        MIN (gradients[i].end, g_array_index (self->pictures, Picture,
                i).height - 1), 1, 0, 0);
}

static void
make_lists (MgpuFhog * self)
{
  g_autofree Range *gradients = g_new0 (Range, self->pictures->len + 1);
  g_autofree Range *rows = g_new0 (Range, self->pictures->len + 1);
  const MgpuFhogLevel *levels = (const MgpuFhogLevel *) self->levels->data;
  guint picture;

  for (guint i = 0; i < self->batches->len; i++) {
    Batch *batch = &g_array_index (self->batches, Batch, i);
    const Rows none = { 0, };

    batch->gradients = none;
    for (guint size = 0; size < self->n_sizes; size++) {
      batch->tiles[size] = batch->energies[size] = batch->features[size] = none;
      for (guint step = 0; step < 3; step++)
        for (guint k = 0; k < self->levels->len; k++)
          if (mgpu_fhog_find_size (self, k, &picture) == size
              && picture >= batch->first && picture < batch->last)
            add_cells (self, batch, step, size, k, gradients + picture);
    }
  }
  find_rows (self, gradients, rows);
  for (guint i = 0; i < self->batches->len; i++)
    add_pictures (self, &g_array_index (self->batches, Batch, i), gradients,
        rows);
  for (guint i = 0; i < self->levels->len
      && self->params.pad_x + self->params.pad_y > 0; i++)
    add_rows (self, &self->padding, i, MAX (self->wanted[i].top, 0),
        MIN (self->wanted[i].bottom, levels[i].rows), 1, 0, 0);
}

/* Computes how much memory a strip of rows needs. A work-item of fhog_strips() scales a strip,
 * and each has its own memory. The first picture is the widest and determines the size. */
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
  self->n_tall = MAX (self->n_tall, (gsize) n * self->own_rows);
  self->n_planes = MAX (self->n_planes, (gsize) n * self->own_planes * 2);
}

gboolean
mgpu_fhog_plan_parts (MgpuFhog * self, const MgpuPart * parts)
{
  gsize size = self->levels->len * sizeof (MgpuPart);
  MgpuPart *wanted = g_new0 (MgpuPart, self->levels->len + 1);

  for (guint i = 0; i < self->levels->len; i++) {
    const MgpuFhogLevel *l = &g_array_index (self->levels, MgpuFhogLevel, i);

    wanted[i] = parts != NULL ? parts[i]
        : (MgpuPart) {.right = l->columns,.bottom = l->rows };
  }
  if (self->wanted != NULL && memcmp (self->wanted, wanted, size) == 0) {
    g_free (wanted);
    return FALSE;
  }
  g_free (self->wanted);
  self->wanted = wanted;
  g_array_set_size (self->lists, 0);
  g_array_set_size (self->parts, 0);
  self->padding = (Rows) { 0, };
  make_lists (self);
  if (self->pictures->len > 0 && self->object.knobs[STRIP] > 0)
    place_strips (self);
  return TRUE;
}
