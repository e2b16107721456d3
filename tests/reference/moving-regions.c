/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of motion detection: the regions of moving objects, see
 * docs/algorithms/moving.md. Components are flood-filled from their first cell. */
#include "moving-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Minimum number of pixels of a component that counts */
#define MIN_PIXELS 24

/* Number of frames after which the position of a ghost (an area that an object has left) is learned
 * again */
#define GHOST_FRAMES 12

#define WARM_UP 50

/* Sums over the pixels of a region that have a given bit of the mask */
typedef struct
{
  int n, evidence, frame_edge, model_edge;
  int n_dark;                   /* number of pixels that are darkened as by a shadow; for bit 1,
                                 * those whose color is close to that of a shadow */
  int x0, y0, x1, y1;
} Sums;

typedef struct
{
  int cell;                     /* the first one */
  Sums sums[2];
  int bit;                      /* number of the component of the mask, of those that count */
  int is_ghost, is_shadow;
  int number;                   /* number of the region, starting at 1; 0: no region */
} Component;

typedef struct
{
  RefMoving *self;
  int *counts, *todo;           /* for each cell */
  int *components;              /* for each cell: the number of its component, or -1 */
  Component *list;
  int n;
} Work;

static void
flood (Work * work, int first)
{
  RefMoving *self = work->self;
  int n = 0;

  self->labels[first] = first;
  work->todo[n++] = first;
  while (n > 0) {
    int c = work->todo[--n], x = c % self->columns, y = c / self->columns;

    for (int v = y - 1; v <= y + 1; v++)
      for (int u = x - 1; u <= x + 1; u++) {
        int at = v * self->columns + u;

        if (u < 0 || v < 0 || u >= self->columns || v >= self->rows
            || work->counts[at] <= 0 || self->labels[at] >= 0)
          continue;
        self->labels[at] = first;
        work->todo[n++] = at;
      }
  }
}

/* Sets @counts to the number of moving pixels in each cell, negative in cells that are not
 * active. */
static void
count_cells (Work * work, RefMovingResults * results)
{
  RefMoving *self = work->self;

  for (int c = 0; c < self->columns * self->rows; c++) {
    int x0 = c % self->columns * self->cell, y0 =
        c / self->columns * self->cell;
    int n = 0, all = 0;

    for (int y = y0; y < y0 + self->cell && y < self->height; y++)
      for (int x = x0; x < x0 + self->cell && x < self->width; x++, all++)
        n += self->mask[y * self->width + x] & 1;
    work->counts[c] = 4 * n >= all ? n : -n;
    results->n_active += work->counts[c] > 0;
  }
}

static void
label_cells (Work * work)
{
  RefMoving *self = work->self;
  int n = self->columns * self->rows;

  for (int c = 0; c < n; c++)
    self->labels[c] = -1;
  for (int c = 0; c < n; c++)
    if (work->counts[c] > 0 && self->labels[c] < 0)
      flood (work, c);
  /* Cells with few moving pixels belong to their first active neighbor. */
  for (int c = 0; c < n; c++)
    for (int i = 0; i < 9 && work->counts[c] < 0 && self->labels[c] < 0; i++) {
      int x = c % self->columns + i % 3 - 1, y = c / self->columns + i / 3 - 1;
      int at = y * self->columns + x;

      if (x >= 0 && y >= 0 && x < self->columns && y < self->rows
          && work->counts[at] > 0)
        self->labels[c] = self->labels[at];
    }
}

/* ---- Sums ----------------------------------------------------------------------- */

static int
is_border (const RefMoving * self, int bit, int x, int y)
{
  const uint8_t *m = self->mask + y * self->width + x;

  return (x > 0 && !(m[-1] >> bit & 1))
      || (x < self->width - 1 && !(m[1] >> bit & 1))
      || (y > 0 && !(m[-self->width] >> bit & 1))
      || (y < self->height - 1 && !(m[self->width] >> bit & 1));
}

static void
add_pixel (const RefMoving * self, Sums * sums, int bit, int x, int y)
{
  int i = y * self->width + x, e = self->evidence[i];

  if (!(self->mask[i] >> bit & 1))
    return;
  if (is_border (self, bit, x, y)) {
    sums->frame_edge += moving_gradient (self, self->value, x, y);
    sums->model_edge += moving_gradient (self, self->m[0], x, y);
  }
  sums->evidence += e < 192 ? e : 192;
  sums->n_dark += (self->shade[i] & (bit == 0 ? SHADE_DARK : SHADE_CLOSE)) != 0;
  sums->x0 = sums->n == 0 || x < sums->x0 ? x : sums->x0;
  sums->y0 = sums->n == 0 || y < sums->y0 ? y : sums->y0;
  sums->x1 = sums->n == 0 || x + 1 > sums->x1 ? x + 1 : sums->x1;
  sums->y1 = sums->n == 0 || y + 1 > sums->y1 ? y + 1 : sums->y1;
  sums->n++;
}

static int
get_cell (const RefMoving * self, int i)
{
  return i / self->width / self->cell * self->columns
      + i % self->width / self->cell;
}

/* Lists the components in the order of their first cells. */
static void
list_components (Work * work, RefMovingResults * results)
{
  RefMoving *self = work->self;
  int n = self->columns * self->rows;

  for (int c = 0; c < n; c++) {
    int pixels = 0;

    work->components[c] = -1;
    if (self->labels[c] != c)
      continue;
    for (int other = 0; other < n; other++)
      if (self->labels[other] == c)
        pixels += abs (work->counts[other]);
    if (pixels < MIN_PIXELS)
      continue;
    if (work->n == REF_MOVING_MAX_REGIONS) {
      results->n_dropped++;
      continue;
    }
    memset (&work->list[work->n], 0, sizeof (Component));
    work->list[work->n].cell = c;
    work->components[c] = work->n++;
  }
  for (int i = 0; i < self->width * self->height; i++) {
    int label = self->labels[get_cell (self, i)];

    for (int bit = 0; bit < 2 && label >= 0; bit++)
      if (work->components[label] >= 0)
        add_pixel (self, &work->list[work->components[label]].sums[bit], bit,
            i % self->width, i / self->width);
  }
}

/* ---- Decisions ------------------------------------------------------------------ */

static void
judge (Work * work, const RefMovingParams * params, RefMovingResults * results)
{
  RefMoving *self = work->self;
  double pixels = (double) self->width * self->height;
  int least = rint (params->min_area * pixels);
  int most = rint (params->max_area * pixels);

  least = least > MIN_PIXELS ? least : MIN_PIXELS;
  for (int i = 0; i < work->n; i++) {
    Component *c = &work->list[i];
    const Sums *s;
    RefMovingRegion *region = &results->regions[results->n_regions];

    c->bit = !params->keeps_shadows && 5 * c->sums[1].n >= 2 * c->sums[0].n;
    s = &c->sums[c->bit];
    c->is_ghost = s->n >= MIN_PIXELS
        && (int64_t) s->model_edge * 16 > (int64_t) s->frame_edge * 24;
    results->n_ghosts += c->is_ghost;
    c->is_shadow = !params->keeps_shadows
        && 7 * (int64_t) s->n_dark >= 6 * (int64_t) s->n;
    if (c->is_ghost || c->is_shadow || s->n < least || s->n > most
        || self->n_learned < WARM_UP)
      continue;
    *region = (RefMovingRegion) {
    s->x0, s->y0, s->x1, s->y1, s->n, s->evidence, s->frame_edge,
          s->model_edge, c->sums[0].n - s->n, c->cell};
    c->number = ++results->n_regions;
    results->n_moving += s->n;
  }
}

static void
apply_pixel (Work * work, int i)
{
  RefMoving *self = work->self;
  int label = self->labels[get_cell (self, i)], x;
  const Component *c;

  self->shown[i] = 0;
  if (label < 0 || work->components[label] < 0) {
    self->ghost[i] = 0;
    return;
  }
  c = &work->list[work->components[label]];
  if (c->number > 0)
    self->shown[i] = self->mask[i] >> c->bit & 1 ? 255
        : self->mask[i] & 1 ? 127 : 0;
  if (!c->is_ghost || !(self->mask[i] >> c->bit & 1)) {
    self->ghost[i] = 0;
    return;
  }
  if (++self->ghost[i] < GHOST_FRAMES)
    return;
  x = self->value[i] - self->offset[i];
  self->m[0][i] = x > 0 ? x : 0;
  self->s[0][i] = 10;
  self->cb0[i] = self->cb[i];
  self->cr0[i] = self->cr[i];
  self->ghost[i] = 0;
}

static void
apply (Work * work)
{
  RefMoving *self = work->self;

  for (int i = 0; i < self->width * self->height; i++)
    apply_pixel (work, i);
  for (int c = 0; c < self->columns * self->rows; c++) {
    int label = self->labels[c], heat = self->heat[c];

    self->numbers[c] = label >= 0 && work->components[label] >= 0
        ? work->list[work->components[label]].number : 0;
    heat += (self->numbers[c] > 0 ? 256 : 0) - (heat >> 8);
    self->heat[c] = heat < 65535 ? heat : 65535;
  }
}

int
ref_moving_regions (RefMoving * self, const RefMovingParams * params,
    RefMovingResults * results)
{
  size_t n = self->columns * self->rows;
  int *ints = malloc (3 * n * sizeof (int));
  Component *list = malloc (REF_MOVING_MAX_REGIONS * sizeof (*list));
  Work work = {.self = self,.counts = ints,.todo = ints + n,
    .components = ints + 2 * n,.list = list
  };

  if (ints != NULL && list != NULL) {
    count_cells (&work, results);
    label_cells (&work);
    list_components (&work, results);
    judge (&work, params, results);
    apply (&work);
  }
  free (ints);
  free (list);
  return ints != NULL && list != NULL;
}
