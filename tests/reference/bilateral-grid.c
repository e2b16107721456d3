/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of the bilateral grid: see docs/algorithms/bilateral.md. */
#include "bilateral-grid.h"

#include <math.h>
#include <stdlib.h>

#include "bilateral.h"
#include "samples.h"

#define LOG2_E 1.4426950408889634
#define EXP2_BIAS 488.5f
#define LOWEST (EXP2_BIAS - 48.0f)

#define MAX_GRID_LEVELS 64
#define MIN_CELL 2
#define MAX_CELL 32
#define MAX_ROWS 1024           /* maximum number of rows of the table of range weights */

/* Describes a cell along one axis. It contains the samples @first to @last, which may lie
 * outside of the frame. first_part and last_part are the fractions (0 to 1) of the first and of
 * the last sample that lie in the cell. */
typedef struct
{
  int first, last;
  float first_part, last_part;
} Cell;

typedef struct
{
  int n, n_cells;
  Cell *cells;
  int radius;                   /* radius of the Gaussian, in grid cells */
  float *taps;                  /* weights of the Gaussian, from its center outwards */
} Axis;

/* The bilateral grid. For each cell and level, @sums contains the sum of the weights and, for each
 * component, the sum of the weighted samples. */
typedef struct
{
  const RefBilateralGrid *params;
  Axis x, y;
  int n_levels, n_sums;
  float step, scale, inverse;
  int index_shift;              /* number of bits by which a guide value is shifted right to get the
                                 * index of its row of range weights */
  float *weights, *sums;
} Grid;

static int
guide_value (const Grid * g, const RefPlane * in, int n, int x, int y)
{
  if (g->params->guide != NULL) {
    in = g->params->guide;
    n = g->params->n_guide;
    x <<= g->params->guide_x_shift;
    y <<= g->params->guide_y_shift;
  }
  if (n == 1)
    return ref_get (in, x, y);
  return (9798 * ref_get (&in[0], x, y) + 19235 * ref_get (&in[1], x, y)
      + 3735 * ref_get (&in[2], x, y) + 16384) >> 15;
}

static float *
sums_at (const Grid * g, float *sums, int cx, int cy, int level)
{
  return sums + (((size_t) cy * g->x.n_cells + cx) * g->n_levels + level)
      * g->n_sums;
}

static long long
floor_div (long long a, long long b)
{
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Computes the extent of grid cell @i along an axis. The centers of cells are (n - 1) / (n_cells -
 * 1) samples apart, starting at the first sample; this distance is also the width of a cell. Sample
 * k extends from k - 1/2 to k + 1/2. */
static Cell
find_cell (const Axis * axis, int i)
{
  long long n = axis->n - 1, m = axis->n_cells - 1;
  long long begin = (2 * i - 1) * n, end = (2 * i + 1) * n;     /* numerators of fractions whose
                                                                 * denominator is 2 m */
  Cell cell = { 0, 0, 1, 1 };

  if (m == 0)
    return cell;
  cell.first = (int) floor_div (begin + m, 2 * m);
  cell.last = (int) -floor_div (-(end + m), 2 * m) - 1;
  cell.first_part =
      (float) ((double) ((2 * cell.first + 1) * m - begin) / (2 * m));
  cell.last_part = (float) ((double) (end - (2 * cell.last - 1) * m) / (2 * m));
  return cell;
}

/* Divides an axis of @n samples into cells that are at most @step samples apart, and computes the
 * weights of the Gaussian. */
static void
init_axis (Axis * axis, int n, double step, double sigma)
{
  double variance;

  axis->n = n;
  axis->n_cells = (int) ceil ((n - 1) / step) + 1;
  axis->cells = malloc (axis->n_cells * sizeof (Cell));
  for (int i = 0; i < axis->n_cells; i++)
    axis->cells[i] = find_cell (axis, i);

  /* Reduces the variance of the Gaussian, because filling cells and interpolating between cells
   * also blurs. A single cell is its own mirror image. */
  step = (n - 1.0) / (axis->n_cells - 1);
  variance = n > 1 ? sigma * sigma / (step * step) - 0.25 : 0;
  axis->radius = variance > 0 ? (int) ceil (3 * sqrt (variance)) : 0;
  axis->taps = malloc ((axis->radius + 1) * sizeof (float));
  axis->taps[0] = 1;
  /* Rounds the weights to 16 bits, which hides inaccurate last bits of exp(). */
  for (int i = 1; i <= axis->radius; i++)
    axis->taps[i] = (float) (rint (65536 * exp (-i * i / (2 * variance)))
        / 65536);
}

/* Chooses the number of levels of the guide and their spacing. @sigma is in units of the guide,
 * whose largest value is @max. */
static void
init_levels (Grid * g, double sigma, int max)
{
  int grid = g->params->method == REF_BILATERAL_GRID;
  double step;

  g->n_levels = g->params->levels;
  if (grid)
    g->n_levels = (int) fmin (ceil (2 * max / sigma) + 1, MAX_GRID_LEVELS);
  step = (double) max / (g->n_levels - 1);
  sigma = fmax (sigma, grid ? 2 * step : step / 2);
  g->step = (float) step;
  g->inverse = (float) (1 / step);
  g->scale = (float) (sqrt (LOG2_E / 2) / sigma);

  while (max >> g->index_shift >= MAX_ROWS)
    g->index_shift++;
}

static void
fill_weights (Grid * g, int max)
{
  int n_rows = (max >> g->index_shift) + 1;

  g->weights = malloc (n_rows * g->n_levels * sizeof (float));
  for (int i = 0; i < n_rows; i++) {
    float value = (float) ((i << g->index_shift)
        + ((1 << g->index_shift) >> 1));

    for (int k = 0; k < g->n_levels; k++) {
      float d = (value - (float) k * g->step) * g->scale;
      float z = fmaf (-d, d, EXP2_BIAS);

      g->weights[i * g->n_levels + k] =
          ref_bilateral_exp2 (z < LOWEST ? LOWEST : z);
    }
  }
}

static float
part_of (const Cell * cell, int i)
{
  return i == cell->first ? cell->first_part
      : i == cell->last ? cell->last_part : 1;
}

/* Sets @line to the sums of row @y of samples of a grid cell. */
static void
fill_line (const Grid * g, const RefPlane * in, int n, const Cell * across,
    int y, float *line)
{
  for (int i = 0; i < g->n_levels * g->n_sums; i++)
    line[i] = 0;
  for (int i = across->first; i <= across->last; i++) {
    int x = ref_reflect (i, g->x.n);
    const float *weights = g->weights + g->n_levels
        * (guide_value (g, in, n, x, y) >> g->index_shift);

    for (int k = 0; k < g->n_levels; k++) {
      float *sums = line + k * g->n_sums, w = weights[k] * part_of (across, i)
          * ref_bilateral_alpha (g->params->alpha, x, y);

      sums[0] += w;
      for (int c = 0; c < n; c++)
        sums[1 + c] = fmaf (w, (float) ref_get (&in[c], x, y), sums[1 + c]);
    }
  }
}

static void
fill_cell (const Grid * g, const RefPlane * in, int n, int cx, int cy)
{
  const Cell *down = &g->y.cells[cy];
  float *to = sums_at (g, g->sums, cx, cy, 0);
  int n_floats = g->n_levels * g->n_sums;
  float *line = malloc (n_floats * sizeof (float));

  for (int i = 0; i < n_floats; i++)
    to[i] = 0;
  for (int j = down->first; j <= down->last; j++) {
    fill_line (g, in, n, &g->x.cells[cx], ref_reflect (j, g->y.n), line);
    for (int i = 0; i < n_floats; i++)
      to[i] = fmaf (line[i], part_of (down, j), to[i]);
  }
  free (line);
}

/* Blurs a grid cell along an axis. @stride is the distance between adjacent cells along this axis,
 * in floats. */
static void
blur_cell (const Grid * g, const Axis * axis, const float *line, size_t stride,
    int cell, float *to)
{
  for (int i = 0; i < g->n_levels * g->n_sums; i++) {
    float sum = axis->taps[0] * line[cell * stride + i];

    for (int t = 1; t <= axis->radius; t++)
      sum = fmaf (axis->taps[t],
          line[ref_reflect (cell - t, axis->n_cells) * stride + i]
          + line[ref_reflect (cell + t, axis->n_cells) * stride + i], sum);
    to[i] = sum;
  }
}

static void
blur (Grid * g)
{
  size_t cell = (size_t) g->n_levels * g->n_sums, row = cell * g->x.n_cells;
  float *half = malloc (row * g->y.n_cells * sizeof (float));

  for (int y = 0; y < g->y.n_cells; y++)
    for (int x = 0; x < g->x.n_cells; x++)
      blur_cell (g, &g->x, g->sums + y * row, cell, x,
          half + y * row + x * cell);
  for (int y = 0; y < g->y.n_cells; y++)
    for (int x = 0; x < g->x.n_cells; x++)
      blur_cell (g, &g->y, half + x * cell, row, y,
          g->sums + y * row + x * cell);
  free (half);
}

static float
reciprocal (float x)
{
  union
  {
    float f;
    uint32_t bits;
  } u = { x };

  u.bits = 0x7ef311c7u - u.bits;
  for (int i = 0; i < 3; i++)
    u.f = fmaf (fmaf (-x, u.f, 1.0f), u.f, u.f);
  return u.f;
}

/* Returns 1 / @x for a sum of weights @x; a finite number if the sum is 0. */
static float
reciprocal_of_sum (float x)
{
  return reciprocal (x > 0x1p-100f ? x : 0x1p-100f);
}

static float
mix (float a, float b, float t)
{
  return fmaf (t, b - a, a);
}

/* Sets @cell to the last cell whose center is at or before sample @i. Returns the position of the
 * sample between the centers of this cell and the next cell, as a fraction of their distance. */
static float
place (const Axis * axis, int i, int *cell)
{
  long long at = (long long) i * (axis->n_cells - 1);
  long long unit = axis->n > 1 ? axis->n - 1 : 1;

  *cell = (int) (at / unit);
  return (float) ((double) (at % unit) / unit);
}

/* Computes the weights with which levels 0 to 3 are interpolated at position t, from 0 to 3, and
 * writes them to @shares. */
static void
find_shares (int method, float t, float shares[4])
{
  float t1 = t - 1, t2 = t - 2, t3 = t - 3, low = t * t1, high = t2 * t3;

  if (method == REF_BILATERAL_GRID) {
    for (int k = 0; k < 4; k++)
      shares[k] = fmaxf (1 - fabsf (t - (float) k), 0);
    return;
  }
  shares[0] = t1 * high * (-1.0f / 6);
  shares[1] = t * high * 0.5f;
  shares[2] = low * t3 * -0.5f;
  shares[3] = low * t2 * (1.0f / 6);
}

static float
over_levels (const float v[4], const float shares[4])
{
  float sum = v[0] * shares[0];

  for (int k = 1; k < 4; k++)
    sum = fmaf (v[k], shares[k], sum);
  return sum;
}

static void
read_pixel (const Grid * g, const RefPlane * in, const RefPlane * out, int n,
    int x, int y)
{
  int cx, cy, right, below, first;
  float tx = place (&g->x, x, &cx), ty = place (&g->y, y, &cy);
  float level = (float) guide_value (g, in, n, x, y) * g->inverse;
  float shares[4], sums[4][4] = { {0} };

  right = cx + 1 < g->x.n_cells ? cx + 1 : cx;
  below = cy + 1 < g->y.n_cells ? cy + 1 : cy;
  first = (int) level - 1;
  if (first > g->n_levels - 4)
    first = g->n_levels - 4;
  if (first < 0)
    first = 0;
  find_shares (g->params->method, level - (float) first, shares);

  /* Uses fewer than 4 levels if the grid has fewer. */
  for (int k = 0; k < 4 && first + k < g->n_levels; k++) {
    const float *a = sums_at (g, g->sums, cx, cy, first + k);
    const float *b = sums_at (g, g->sums, right, cy, first + k);
    const float *c = sums_at (g, g->sums, cx, below, first + k);
    const float *d = sums_at (g, g->sums, right, below, first + k);

    for (int i = 0; i < g->n_sums; i++)
      sums[i][k] = mix (mix (a[i], c[i], ty), mix (b[i], d[i], ty), tx);
  }
  for (int i = 0; i < n; i++) {
    float value, means[4];
    int old;

    if (g->params->method == REF_BILATERAL_GRID) {
      value = over_levels (sums[1 + i], shares)
          * reciprocal_of_sum (over_levels (sums[0], shares));
    } else {
      for (int k = 0; k < 4; k++)
        means[k] = sums[1 + i][k] * reciprocal_of_sum (sums[0][k]);
      value = over_levels (means, shares);
    }
    old = ref_get (&in[i], x, y);
    if (sums[0][0] == 0)
      value = (float) old;
    value = fminf (fmaxf (value, old < in[i].lo ? old : in[i].lo),
        old > in[i].hi ? old : in[i].hi);
    ref_set (&out[i], x, y, (int) rintf (value));
  }
}

/* Returns the maximum distance between cells, in samples, along an axis with the standard
 * deviation @sigma. */
static double
cell_of (const RefBilateralGrid * params, double sigma)
{
  double cell = sigma / (params->method == REF_BILATERAL_GRID ? 2 : 3);

  return fmin (fmax (cell, MIN_CELL), MAX_CELL);
}

void
ref_bilateral_grid (const RefPlane * in, const RefPlane * out,
    int n_components, const RefBilateralGrid * params)
{
  int max = params->guide != NULL ? params->guide->max : in->max;
  int own_colours = params->guide == NULL && n_components == 3;
  double sigma_color = ref_bilateral_sigma (params->guide != NULL
      ? params->guide : in, params->sigma_color);
  double sigma = sigma_color * max / 255 / (own_colours ? 3 : 1);
  double sigma_y = params->sigma_space * params->aspect;
  Grid g = {.params = params,.n_sums = 1 + n_components };

  init_axis (&g.x, in->width, cell_of (params, params->sigma_space),
      params->sigma_space);
  init_axis (&g.y, in->height, cell_of (params, sigma_y), sigma_y);
  init_levels (&g, sigma, max);
  fill_weights (&g, max);
  g.sums = malloc ((size_t) g.x.n_cells * g.y.n_cells * g.n_levels * g.n_sums
      * sizeof (float));

  for (int y = 0; y < g.y.n_cells; y++)
    for (int x = 0; x < g.x.n_cells; x++)
      fill_cell (&g, in, n_components, x, y);
  blur (&g);
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      read_pixel (&g, in, out, n_components, x, y);
  free (g.sums);
  free (g.weights);
  free (g.x.cells);
  free (g.x.taps);
  free (g.y.cells);
  free (g.y.taps);
}
