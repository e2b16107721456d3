/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds frames that show what a cell hides, and the motion of what they show: steps 3 to 5 of
 * inpaint-video.h. */
#include <stdlib.h>
#include <string.h>

#include "inpaint-video.h"
#include "limits.h"

/* Samples of the comparison window of a cell: every second column and row, SIDE in each */
#define SIDE 15
#define MAX_PROPOSALS 65
#define N_REFINED 6
#define REACH 64
/* Cost per frame of a candidate's age, and per pixel of its refinement, in 1/64 gray level */
#define AGE_COST 10
#define STEP_COST 10

/* Returns: 1024 / (1 + d²/36)², rounded down; @d2 is d² */
static int
get_weight (int d2)
{
  return 1024 * 36 * 36 / ((36 + d2) * (36 + d2));
}

/* Returns pixel (@x, @y) of a frame, or NULL if it is hidden or outside of the frame, or if there
 * is no such frame */
static const RefVideoPixel *
look (const RefVideo * self, int number, int x, int y)
{
  const RefVideoPixel *pixel;

  if (!ref_video_has (self, number) || x < 0 || y < 0 || x >= self->width
      || y >= self->height)
    return NULL;
  pixel = &ref_video_frame (self, number)->pixels[y * self->width + x];
  return pixel->alpha == REF_VIDEO_HIDDEN ? NULL : pixel;
}

/* Returns: the difference |dY| + |dU| + |dV| of two pixels, at most 60 */
static int
get_error (RefVideoPixel p, const int expected[3])
{
  return ref_min (abs (p.c[0] - expected[0]) + abs (p.c[1] - expected[1])
      + abs (p.c[2] - expected[2]), 60);
}

int
ref_video_plate_cost (const RefVideo * self, int number, int x, int y)
{
  uint32_t sum = 0, weights = 0;

  for (int dy = 1 - SIDE; dy < SIDE; dy += 2)
    for (int dx = 1 - SIDE; dx < SIDE; dx += 2) {
      const RefVideoPixel *p = look (self, number, x + dx, y + dy);
      int weight, expected[3];

      if (p == NULL)
        continue;
      for (int c = 0; c < 3; c++)
        expected[c] = self->plate.pixels[(y + dy) * self->width + x + dx].c[c];
      weight = get_weight (dx * dx + dy * dy) * (32 + p->alpha);
      sum += weight * get_error (*p, expected);
      weights += weight;
    }
  return 128 + sum / (weights / 64 > 0 ? weights / 64 : 1);
}

int
ref_video_cost (const RefVideo * self, int number, int x, int y,
    RefVideoCandidate * candidate)
{
  int du = (candidate->dx + 4) >> 3, dv = (candidate->dy + 4) >> 3;
  int age = candidate->age;
  uint32_t sum = 0, weights = 0, seen = 0, all = 0, opacity = 0, n = 0, cost;

  for (int dy = 1 - SIDE; dy < SIDE; dy += 2)
    for (int dx = 1 - SIDE; dx < SIDE; dx += 2) {
      int u = x + dx, v = y + dy, w = get_weight (dx * dx + dy * dy);
      const RefVideoPixel *p = look (self, number, u, v);
      const RefVideoPixel *q = look (self, number - age, u + du, v + dv);
      RefVideoPixel plate;
      int expected[3], weight;

      if (q != NULL && abs (dx) <= 4 && abs (dy) <= 4) {
        opacity += q->alpha;
        n++;
      }
      if (p == NULL)
        continue;
      all += w;
      if (q == NULL)
        q = look (self, number - 2 * age, u + 2 * du, v + 2 * dv);
      if (q == NULL) {
        weight = w * (32 + p->alpha);
        sum += weight * (4 + (24 * p->alpha >> 7));
        weights += weight;
        continue;
      }
      seen += w;
      plate = self->plate.pixels[v * self->width + u];
      expected[0] = plate.c[0] + (q->alpha * (q->c[0] - plate.c[0]) >> 7);
      for (int c = 1; c < 3; c++)
        expected[c] = q->alpha > 20 ? q->c[c] : plate.c[c];
      weight = w * (32 + ref_max (q->alpha, p->alpha));
      sum += weight * get_error (*p, expected);
      weights += weight;
    }
  candidate->alpha = n > 0 ? opacity / n : 0;
  if (seen == 0 || 20 * seen < 3 * all)
    return REF_VIDEO_NEVER;
  cost = sum / (weights / 64 > 0 ? weights / 64 : 1) + AGE_COST * abs (age);
  return ref_min (cost, REF_VIDEO_NEVER - 1);
}

/* ---- proposals ------------------------------------------------------------------- */

typedef struct
{
  RefVideoCandidate all[MAX_PROPOSALS];
  int n;
} Proposals;

/* Adds a proposed candidate, unless there is one with the same age that is less than 0.6 pixel
 * away. */
static void
propose (Proposals * list, RefVideoCandidate c)
{
  if (list->n == MAX_PROPOSALS || c.age == 0)
    return;
  for (int i = 0; i < list->n; i++)
    if (list->all[i].age == c.age && abs (list->all[i].dx - c.dx) < 5
        && abs (list->all[i].dy - c.dy) < 5)
      return;
  list->all[list->n++] = c;
}

/* Returns: @age times the velocity @v, in 1/8 pixel, rounded to the nearest, halves upwards */
static int
get_way (int age, int v)
{
  return (age * v + 16) >> 5;
}

static int
is_near (int dx, int dy)
{
  return abs (dx) < 4096 && abs (dy) < 4096;
}

/* Proposes the nearest earlier frame, and the nearest later one, that show pixel (@x, @y) moved by
 * (@vx, @vy) per frame. */
static void
propose_motion (const RefVideo * self, Proposals * list, int number, int x,
    int y, int vx, int vy)
{
  for (int side = 1; side >= -1; side -= 2) {
    int last = side > 0 ? self->keep : self->later;

    for (int k = 1; k <= last; k++) {
      int dx = get_way (side * k, vx), dy = get_way (side * k, vy);

      if (is_near (dx, dy) && look (self, number - side * k,
              x + ((dx + 4) >> 3), y + ((dy + 4) >> 3)) != NULL) {
        propose (list, (RefVideoCandidate) {
            side * k, dx, dy, vx, vy, 0, 0, 0}
        );
        break;
      }
    }
  }
}

static int
compare_ints (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

/* Returns: the lower median of @n sorted numbers */
static int
get_median (int *x, int n)
{
  qsort (x, n, sizeof (int), compare_ints);
  return x[(n - 1) / 2];
}

static int
limit_motion (int v)
{
  return ref_min (ref_max (v, -16384), 16384);
}

/* Finds the motion next to the hole, in direction (@ux, @uy) from (@x, @y): the median of the flow
 * of 12 pixels from the first visible pixel on; of those of them with a confidence of 128 or more,
 * if there are 3. @sign: 1 for flow to the previous frame, -1 for flow to the next one. Returns 0
 * if no motion is known there. */
static int
find_side (const RefVideo * self, int number, const RefFlow * field, int sign,
    int x, int y, int ux, int uy, int *vx, int *vy)
{
  int xs[2][12], ys[2][12], n[2] = { 0, 0 }, t = 1, good;

  if (field->flow == NULL)
    return 0;
  while (t <= REACH && look (self, number, x + t * ux, y + t * uy) == NULL)
    t++;
  if (t > REACH)
    return 0;
  for (int beyond = 2; beyond <= 6; beyond += 2)
    for (int beside = -3; beside <= 3; beside += 2) {
      int u = x + (t + beyond) * ux + beside * uy;
      int v = y + (t + beyond) * uy + beside * ux, at, f[2], c;

      if (look (self, number, u, v) == NULL)
        continue;
      at = (v >> field->shift) * field->width + (u >> field->shift);
      f[0] = field->flow[2 * at];
      f[1] = field->flow[2 * at + 1];
      if (f[0] == REF_FLOW_NONE)
        continue;
      for (c = 0; c <= (field->confidence[at] >= 128); c++) {
        xs[c][n[c]] = sign * 8 * f[0];
        ys[c][n[c]++] = sign * 8 * f[1];
      }
    }
  good = n[1] >= 3;
  if (n[good] == 0)
    return 0;
  *vx = limit_motion (get_median (xs[good], n[good]));
  *vy = limit_motion (get_median (ys[good], n[good]));
  return 1;
}

/* Returns the candidate of a cell of the last frame as a candidate of this frame, if it has moved
 * by (@vx, @vy); age 0 if it is not usable */
static RefVideoCandidate
continue_candidate (const RefVideo * self, int number,
    const RefVideoCandidate * c, int vx, int vy)
{
  RefVideoCandidate next = *c;
  int dx = c->dx + ((vx + 16) >> 5), dy = c->dy + ((vy + 16) >> 5);

  if (c->age == 0)
    return next;
  next.age = c->age + 1;
  if (next.age > self->keep || !ref_video_has (self, number - next.age)
      || !is_near (dx, dy))
    next.age = 0;
  next.dx = dx;
  next.dy = dy;
  next.vx = vx;
  next.vy = vy;
  next.is_continued = 1;
  return next;
}

static const RefVideoCell *
get_before (const RefVideo * self, int i, int j)
{
  int columns = (self->width + 7) / 8, rows = (self->height + 7) / 8;

  return i < 0 || j < 0 || i >= columns || j >= rows ? NULL
      : &self->before[j * columns + i];
}

static void
propose_all (const RefVideo * self, Proposals * list, int number, int i, int j)
{
  static const int around[9][2] = { {0, 0}, {0, -1}, {-1, 0}, {1, 0}, {0, 1},
  {0, -2}, {-2, 0}, {2, 0}, {0, 2}
  };
  int x = 8 * i + 4, y = 8 * j + 4, sides[8][2], n = 0;
  const RefVideoFrame *frame = ref_video_frame (self, number);
  const RefVideoCell *own = get_before (self, i, j);

  for (int k = 0; k < 4; k++) {
    const int ux = k == 0 ? -1 : k == 1, uy = k == 2 ? -1 : k == 3;

    n += find_side (self, number, &frame->flow, 1, x, y, ux, uy,
        &sides[n][0], &sides[n][1]);
    if (ref_video_has (self, number + 1))
      n += find_side (self, number,
          &ref_video_frame (self, number + 1)->back, -1, x, y, ux, uy,
          &sides[n][0], &sides[n][1]);
  }
  for (int k = 0; k < n; k++)
    propose_motion (self, list, number, x, y, sides[k][0], sides[k][1]);
  for (int k = 0; k < 9; k++) {
    const RefVideoCell *cell = get_before (self, i + around[k][0],
        j + around[k][1]);

    if (cell != NULL && cell->best[0].age != 0)
      propose_motion (self, list, number, x, y, cell->best[0].vx,
          cell->best[0].vy);
  }
  for (int k = 0; k < 5; k++) {
    const RefVideoCell *cell = get_before (self, i + around[k][0],
        j + around[k][1]);

    for (int b = 0; b < 2 && cell != NULL; b++)
      propose (list, continue_candidate (self, number, &cell->best[b],
              cell->best[b].vx, cell->best[b].vy));
  }
  propose (list, continue_candidate (self, number, &own->best[0], 0, 0));
  for (int k = 0; k < n; k++)
    propose (list, continue_candidate (self, number, &own->best[0],
            sides[k][0], sides[k][1]));
}

/* ---- State of a cell --------------------------------------------------------------- */

/* Moves a candidate to the best of its 8 neighboring positions, up to 3 times. */
static void
refine (const RefVideo * self, int number, int x, int y, RefVideoCandidate * c)
{
  RefVideoCandidate start = *c;

  for (int step = 0; step < 3; step++) {
    RefVideoCandidate best = *c;

    for (int k = 0; k < 9; k++) {
      RefVideoCandidate next = *c;
      int cost, away;

      next.dx += 8 * (k % 3 - 1);
      next.dy += 8 * (k / 3 - 1);
      if (k == 4 || !is_near (next.dx, next.dy))
        continue;
      away = ref_max (abs (next.dx - start.dx), abs (next.dy - start.dy)) / 8;
      cost = ref_min (ref_video_cost (self, number, x, y, &next)
          + STEP_COST * away, REF_VIDEO_NEVER);
      next.cost = cost;
      if (next.cost < best.cost)
        best = next;
    }
    if (best.cost == c->cost)
      break;
    *c = best;
  }
  if (c->is_continued) {
    c->vx = limit_motion (start.vx + 8 * (c->dx - start.dx));
    c->vy = limit_motion (start.vy + 8 * (c->dy - start.dy));
  } else {
    c->vx = limit_motion (32 * c->dx / c->age);
    c->vy = limit_motion (32 * c->dy / c->age);
  }
}

/* Moves the @n candidates with the lowest costs, of equal ones the first, to the front of the
 * list. */
static void
select_best (RefVideoCandidate * list, int all, int n)
{
  for (int i = 0; i < n && i < all; i++) {
    int best = i;
    RefVideoCandidate c;

    for (int k = i + 1; k < all; k++)
      if (list[k].cost < list[best].cost)
        best = k;
    c = list[best];
    memmove (&list[i + 1], &list[i], (best - i) * sizeof (RefVideoCandidate));
    list[i] = c;
  }
}

/* Returns whether anything moves near a cell */
static int
is_active (const RefVideo * self, int number, int i, int j)
{
  int sum = 0, n = 0;

  for (int dy = 1 - SIDE; dy < SIDE; dy += 2)
    for (int dx = 1 - SIDE; dx < SIDE; dx += 2) {
      const RefVideoPixel *p = look (self, number, 8 * i + 4 + dx,
          8 * j + 4 + dy);

      if (p != NULL) {
        sum += p->alpha;
        n++;
      }
    }
  if (sum > 2 * n)
    return 1;
  for (int dj = -2; dj <= 2; dj++)
    for (int di = -2; di <= 2; di++) {
      const RefVideoCell *cell = get_before (self, i + di, j + dj);

      if (cell != NULL && cell->alpha > 30)
        return 1;
    }
  return 0;
}

/* Returns whether a cell has hidden pixels */
static int
is_hidden (const RefVideo * self, int number, int i, int j)
{
  const uint8_t *mask = ref_video_frame (self, number)->mask;
  int any = 0;

  for (int y = 8 * j; y < ref_min (8 * j + 8, self->height); y++)
    for (int x = 8 * i; x < ref_min (8 * i + 8, self->width); x++)
      any |= mask[y * self->width + x];
  return any;
}

void
ref_video_search (RefVideo * self, int number, int i, int j)
{
  RefVideoCell *cell = &self->cells[j * ((self->width + 7) / 8) + i];
  int x = 8 * i + 4, y = 8 * j + 4, n = 0;
  Proposals list = {.n = 0 };

  memset (cell, 0, sizeof *cell);
  if (!is_hidden (self, number, i, j))
    return;
  cell->is_active = 1;
  if (!is_active (self, number, i, j))
    return;
  cell->is_active = 2;
  cell->plate_cost = ref_video_plate_cost (self, number, x, y);
  propose_all (self, &list, number, i, j);
  for (int k = 0; k < list.n; k++)
    list.all[k].cost = ref_video_cost (self, number, x, y, &list.all[k]);
  select_best (list.all, list.n, N_REFINED);
  if (list.n > N_REFINED)
    list.n = N_REFINED;
  for (int k = 0; k < list.n; k++)
    if (list.all[k].cost < REF_VIDEO_NEVER)
      refine (self, number, x, y, &list.all[k]);
  select_best (list.all, list.n, N_REFINED);
  for (int k = 0; k < list.n && n < REF_VIDEO_BEST; k++) {
    const RefVideoCandidate *c = &list.all[k];
    int is_new = c->cost < REF_VIDEO_NEVER;

    for (int b = 0; b < n; b++)
      is_new &= cell->best[b].age != c->age
          || abs (cell->best[b].dx - c->dx) >= 8
          || abs (cell->best[b].dy - c->dy) >= 8;
    if (is_new)
      cell->best[n++] = *c;
  }
  cell->alpha = n > 0 && cell->best[0].cost < cell->plate_cost
      ? cell->best[0].alpha : 0;
}
