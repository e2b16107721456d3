/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of optical flow: searches for the patches of one frame in the other
 * frame. */
#include "flow-private.h"

/* ---- Patches -------------------------------------------------------------------- */

typedef struct
{
  int x, y;                     /* first pixel */
  float pixels[PATCH][PATCH], gx[PATCH][PATCH], gy[PATCH][PATCH];
  float mean_gx, mean_gy;
  float i11, i12, i22;          /* inverse of the matrix of the Gauss-Newton step */
} Patch;

/* Sums over the pixels of a patch, for its cost and its Gauss-Newton step */
typedef struct
{
  float d, dd, dx, dy;          /* sums of d, d², d gx and d gy, where d is a difference and (gx,
                                 * gy) the patch's gradient */
} Sums;

/* Returns the sum of eight numbers, added in a fixed order. */
static float
sum_of (const float s[PATCH])
{
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Returns the sum of the products of all numbers of @a and @b: first each column is summed
 * separately, from the first row on. */
static float
sum_of_products (float a[PATCH][PATCH], float b[PATCH][PATCH])
{
  float sums[PATCH];

  for (int x = 0; x < PATCH; x++) {
    sums[x] = a[0][x] * b[0][x];
    for (int y = 1; y < PATCH; y++)
      sums[x] = fmaf (a[y][x], b[y][x], sums[x]);
  }
  return sum_of (sums);
}

static float
sum_of_all (float a[PATCH][PATCH])
{
  float sums[PATCH];

  for (int x = 0; x < PATCH; x++) {
    sums[x] = a[0][x];
    for (int y = 1; y < PATCH; y++)
      sums[x] += a[y][x];
  }
  return sum_of (sums);
}

static void
load_patch (const Level * level, int i, int j, Patch * p)
{
  float h11, h12, h22, r, sx, sy;

  p->x = STRIDE * i - STRIDE;
  p->y = STRIDE * j - STRIDE;
  for (int y = 0; y < PATCH; y++)
    for (int x = 0; x < PATCH; x++) {
      float n[3][3];

      for (int k = 0; k < 9; k++)
        n[k / 3][k % 3] = get (level, p->x + x + k % 3 - 1,
            p->y + y + k / 3 - 1);
      /* These sums are exact. */
      p->pixels[y][x] = n[1][1];
      p->gx[y][x] = ((n[0][2] - n[0][0]) + 2 * (n[1][2] - n[1][0])
          + (n[2][2] - n[2][0])) * 0.125f;
      p->gy[y][x] = ((n[2][0] - n[0][0]) + 2 * (n[2][1] - n[0][1])
          + (n[2][2] - n[0][2])) * 0.125f;
    }
  sx = sum_of_all (p->gx);
  sy = sum_of_all (p->gy);
  p->mean_gx = sx * 0.015625f;
  p->mean_gy = sy * 0.015625f;
  h11 = fmaf (-p->mean_gx, sx, sum_of_products (p->gx, p->gx)) + 256;
  h12 = fmaf (-p->mean_gx, sy, sum_of_products (p->gx, p->gy));
  h22 = fmaf (-p->mean_gy, sy, sum_of_products (p->gy, p->gy)) + 256;
  r = ref_reciprocal (fmaf (-h12, h12, h11 * h22));
  p->i11 = h22 * r;
  p->i12 = -h12 * r;
  p->i22 = h11 * r;
}

/* Computes sums of the differences between the image @to, moved by (@u, @v), and the patch. */
static void
evaluate (const Patch * p, const Level * to, float u, float v, Sums * sums)
{
  float fx, fy, rows[PATCH + 1][PATCH], d[PATCH][PATCH];
  int left = split (p->x + u, to->width, &fx);
  int top = split (p->y + v, to->height, &fy);

  for (int y = 0; y <= PATCH; y++)
    for (int x = 0; x < PATCH; x++) {
      float a = get (to, left + x, top + y);

      rows[y][x] = fmaf (fx, get (to, left + x + 1, top + y) - a, a);
    }
  for (int y = 0; y < PATCH; y++)
    for (int x = 0; x < PATCH; x++)
      d[y][x] = fmaf (fy, rows[y + 1][x] - rows[y][x], rows[y][x])
          - p->pixels[y][x];
  sums->d = sum_of_all (d);
  sums->dd = sum_of_products (d, d);
  sums->dx = sum_of_products (d, (float (*)[PATCH]) p->gx);
  sums->dy = sum_of_products (d, (float (*)[PATCH]) p->gy);
}

static float
cost_of (const Sums * sums)
{
  return fmaf (-(sums->d * 0.015625f), sums->d, sums->dd);
}

/* ---- Search --------------------------------------------------------------------- */

/* Sets @best to the motion (@u, @v) if its cost is lower. */
static void
try_motion (const Patch * p, const Level * to, float u, float v, Found * best)
{
  Sums sums;

  u = ref_clamp_float (u, -to->width, to->width);
  v = ref_clamp_float (v, -to->height, to->height);
  evaluate (p, to, u, v, &sums);
  if (cost_of (&sums) < best->cost)
    *best = (Found) {
    u, v, 0, cost_of (&sums)};
}

/* Tries twice the motions of patches of the coarser level. */
static void
try_above (const Flow * self, const Patch * p, const Level * to, int i, int j,
    Found * best)
{
  int level = to - self->to;
  int columns = count_patches (self->to[level + 1].width);
  int rows = count_patches (self->to[level + 1].height);

  for (int k = -1; k < 9; k++) {
    int x0 = ref_clamp (k < 0 ? i >> 1 : ((i + 1) >> 1) + k % 3 - 1, 0,
        columns - 1);
    int y0 =
        ref_clamp (k < 0 ? j >> 1 : ((j + 1) >> 1) + k / 3 - 1, 0, rows - 1);
    int x1 = k < 0 ? ref_clamp ((i + 1) >> 1, 0, columns - 1) : x0;
    int y1 = k < 0 ? ref_clamp ((j + 1) >> 1, 0, rows - 1) : y0;
    const Found *a = self->above + y0 * columns, *b =
        self->above + y1 * columns;

    /* Numbers 1, 3, 5 and 7 of the 3x3 patches are the direct neighbors. */
    if (k == 4 || (k >= 0 && k % 2 == 0 && self->preset->n_candidates < 9))
      continue;
    try_motion (p, to, ((a[x0].u + a[x1].u) + (b[x0].u + b[x1].u)) * 0.5f,
        ((a[x0].v + a[x1].v) + (b[x0].v + b[x1].v)) * 0.5f, best);
  }
}

/* Tries the motion of the previous frame's field at this position. */
static void
try_before (const Patch * p, const Level * to, int level, int i, int j,
    const RefFlow * before, Found * best)
{
  int x = ref_clamp (((STRIDE * i) << level) >> before->shift, 0,
      before->width - 1);
  int y = ref_clamp (((STRIDE * j) << level) >> before->shift, 0,
      before->height - 1);
  const int16_t *flow = before->flow + 2 * ((size_t) y * before->width + x);
  float unit = ldexpf (0.03125f, -level);

  if (flow[0] != REF_FLOW_NONE)
    try_motion (p, to, flow[0] * unit, flow[1] * unit, best);
}

/* Takes Gauss-Newton steps from the motion in @found as long as the cost decreases. */
static void
descend (const Patch * p, const Level * to, int n, Found * found)
{
  float u = found->u, v = found->v, u0 = u, v0 = v;

  found->cost = INFINITY;
  for (int i = 0; i < n; i++) {
    Sums s;
    float bx, by, cost;

    evaluate (p, to, u, v, &s);
    cost = cost_of (&s);
    if (!(cost < found->cost))
      return;
    *found = (Found) {
    u, v, s.d * 0.015625f, cost};
    bx = fmaf (-s.d, p->mean_gx, s.dx);
    by = fmaf (-s.d, p->mean_gy, s.dy);
    u = ref_clamp_float (u - fmaf (p->i12, by, p->i11 * bx), -to->width,
        to->width);
    v = ref_clamp_float (v - fmaf (p->i22, by, p->i12 * bx), -to->height,
        to->height);
    if (fmaf (v - v0, v - v0, (u - u0) * (u - u0)) > 64)
      return;
  }
}

/* Tries the motions that the first pass found for the neighbors of a patch. */
static void
try_neighbours (const Flow * self, const Patch * p, const Level * to, int i,
    int j, Found * best)
{
  int columns = count_patches (to->width), rows = count_patches (to->height);

  *best = self->first[j * columns + i];
  for (int k = 0; k < 9; k++) {
    int x = i + k % 3 - 1, y = j + k / 3 - 1;

    if (k != 4 && x >= 0 && y >= 0 && x < columns && y < rows)
      try_motion (p, to, self->first[y * columns + x].u,
          self->first[y * columns + x].v, best);
  }
}

int
ref_flow_search (Flow * self, int level, const RefFlow * before)
{
  const Level *from = &self->from[level], *to = &self->to[level];
  int columns = count_patches (from->width);
  int rows = count_patches (from->height);

  free (self->above);
  self->above = self->found;
  self->found = NULL;
  for (int pass = 0; pass <= self->preset->is_twice; pass++) {
    free (self->first);
    self->first = self->found;
    self->found = malloc ((size_t) columns * rows * sizeof (Found));
    if (self->found == NULL)
      return 0;
    for (int j = 0; j < rows; j++)
      for (int i = 0; i < columns; i++) {
        Found best = { 0, 0, 0, INFINITY };
        Patch p;

        load_patch (from, i, j, &p);
        if (pass > 0) {
          try_neighbours (self, &p, to, i, j, &best);
        } else {
          if (level < self->n_levels - 1)
            try_above (self, &p, to, i, j, &best);
          else
            try_motion (&p, to, 0, 0, &best);
          if (before != NULL)
            try_before (&p, to, level, i, j, before, &best);
        }
        descend (&p, to, self->preset->n_evaluations, &best);
        self->found[j * columns + i] = best;
      }
  }
  return 1;
}
