/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits polynomials, called shades, to the surroundings of wide holes: see
 * docs/algorithms/inpaint.md. */
#include "inpaint-shade.h"
#include "limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 8
#define MAX_OBJECTS 64
#define MAX_DOMAINS 8
#define GRID 32                 /* maximum number of cells in a row, and in a column */
#define MAX_CELLS (GRID * GRID)
#define SIDE 16                 /* maximum number of samples in a row of a cell, and in a column */
#define MARGIN 2
#define N_DEGREES 4
#define MAX_TERMS 28
#define ONE (1 << 24)           /* 1 as a fixed-point number */
#define FRACTION 4              /* number of fraction bits of means and coefficients */
#define LEVEL (64 << FRACTION)  /* an 8-bit gray level, converted to a 14-bit sample with FRACTION
                                 * fraction bits */
#define SQUARE ((int64_t) LEVEL * LEVEL)

static const int degrees[N_DEGREES] = { 1, 2, 4, 6 };
static const int n_terms[N_DEGREES] = { 3, 6, 15, MAX_TERMS };

/* A rectangle around wide holes (a domain), and the cells into which it is divided */
typedef struct
{
  Box box;
  int width, height;            /* size of a cell, in pixels */
  int x_step, y_step, x_count, y_count; /* distances between, and numbers of, the samples of a
                                         * cell */
  int n;                        /* number of cells that the polynomial fit uses */
  int cells[MAX_CELLS][2];
  int n_hidden;                 /* number of cells that contain unknown pixels */
  int hidden[(GRID + 1) * (GRID + 1)][2];
  double l[MAX_TERMS][MAX_TERMS], d[MAX_TERMS]; /* normal matrix of the fit, factored as L D L' */
  int rank;
  int is_determined[N_DEGREES], is_allowed[N_DEGREES];
  int32_t factors[N_DEGREES][MAX_CELLS];
  int32_t matrix[N_DEGREES][MAX_TERMS][MAX_CELLS];
} Domain;

/* A shade (fitted polynomial) of one component */
typedef struct
{
  int degree;                   /* index into degrees[], or -1 if there is no shade */
  int32_t first;                /* mean of the first cell */
  int32_t terms[MAX_TERMS];
} Shade;

/* ---- Domains ---------------------------------------------------------------------- */

static Box
grow_box (const Work * work, Box box, int dx, int dy)
{
  Box grown = { ref_max (box.x0 - dx, 0), ref_max (box.y0 - dy, 0),
    ref_min (box.x1 + dx, work->width), ref_min (box.y1 + dy, work->height)
  };

  return grown;
}

static Box
box_of_pixel (int x, int y)
{
  Box box = { x, y, x + 1, y + 1 };

  return box;
}

static int
boxes_meet (Box a, Box b)
{
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* Enlarges *@box to contain @other. Returns 1 if it has changed. */
static int
add_box (Box * box, Box other)
{
  Box all = { ref_min (box->x0, other.x0), ref_min (box->y0, other.y0),
    ref_max (box->x1, other.x1), ref_max (box->y1, other.y1)
  };
  int grows = memcmp (box, &all, sizeof (all)) != 0;

  *box = all;
  return grows;
}

/* Returns: 1 if all pixels of the frame at most WIDE - 1 columns and rows away from a pixel are
 * unknown */
static int
is_deep (const Work * work, int x, int y)
{
  Box near = grow_box (work, box_of_pixel (x, y), WIDE - 1, WIDE - 1);
  int all = 1;

  FOR_EACH_PIXEL (near, u, v)
      all = all && work->unknown[at (work, u, v)];
  return all;
}

/* Finds the object that contains pixel @first. Sets *@box to the box around it, *@wide to 1 if it
 * is wide, and the elements of @seen for its pixels to 1. The array @todo has memory for all
 * pixels. */
static void
find_object (const Work * work, int first, uint8_t * seen, int32_t * todo,
    Box * box, int *wide)
{
  int n = 1;

  *box = box_of_pixel (first % work->width, first / work->width);
  *wide = 0;
  todo[0] = first;
  seen[first] = 1;
  while (n > 0) {
    int i = todo[--n], x = i % work->width, y = i / work->width;

    add_box (box, box_of_pixel (x, y));
    *wide = *wide || is_deep (work, x, y);
    FOR_EACH_PIXEL (grow_box (work, box_of_pixel (x, y), 1, 1), u, v) {
      int next = at (work, u, v);

      if (work->unknown[next] && !seen[next]) {
        seen[next] = 1;
        todo[n++] = next;
      }
    }
  }
}

/* Enlarges and merges domains until no two domains intersect, and each object that intersects a
 * domain is inside it. Returns the number of remaining domains. */
static int
merge_domains (Box * domains, int n, const Box * objects, int n_objects)
{
  int changes = 1;

  while (changes) {
    changes = 0;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n_objects; k++)
        if (boxes_meet (domains[i], objects[k]))
          changes |= add_box (&domains[i], objects[k]);
      for (int k = n - 1; k > i; k--) {
        if (!boxes_meet (domains[i], domains[k]))
          continue;
        add_box (&domains[i], domains[k]);
        domains[k] = domains[--n];
        changes = 1;
      }
    }
  }
  return n;
}

/* Finds the domains around wide objects. Returns their number; 0 if it exceeds MAX_DOMAINS; -1
 * if there is not enough memory. */
static int
find_domains (const Work * work, double factor, Box * domains)
{
  size_t size = (size_t) work->width * work->height;
  uint8_t *seen = calloc (size, 1);
  int32_t *todo = malloc (size * sizeof (*todo));
  Box *objects = malloc ((size / 2 + 2) * sizeof (*objects));
  Box wide[MAX_OBJECTS];
  int n = 0, n_objects = 0, ok = seen != NULL && todo != NULL
      && objects != NULL;

  factor = factor < 0 || factor > 1 ? 1 : factor < 0.25 ? 0.25 : factor;
  for (size_t i = 0; ok && i < size; i++) {
    Box box;
    int is_wide;

    if (!work->unknown[i] || seen[i])
      continue;
    find_object (work, i, seen, todo, &box, &is_wide);
    objects[n_objects++] = grow_box (work, box, 1, 1);
    if (is_wide && n < MAX_OBJECTS)
      wide[n] = grow_box (work, box, (int) (factor * (box.x1 - box.x0)),
          (int) (factor * (box.y1 - box.y0)));
    n += is_wide;
  }
  n = n > MAX_OBJECTS ? 0 : merge_domains (wide, n, objects, n_objects);
  n = n > MAX_DOMAINS ? 0 : n;
  memcpy (domains, wide, n * sizeof (*wide));
  free (seen);
  free (todo);
  free (objects);
  return ok ? n : -1;
}

/* ---- Cells -------------------------------------------------------------------------- */

static void
set_grid (Domain * domain)
{
  domain->width = (domain->box.x1 - domain->box.x0 + GRID - 1) / GRID;
  domain->height = (domain->box.y1 - domain->box.y0 + GRID - 1) / GRID;
  domain->x_step = (domain->width + SIDE - 1) / SIDE;
  domain->y_step = (domain->height + SIDE - 1) / SIDE;
  domain->x_count = (domain->width + domain->x_step - 1) / domain->x_step;
  domain->y_count = (domain->height + domain->y_step - 1) / domain->y_step;
}

static void
append (int (*corners)[2], int *n, int x, int y)
{
  corners[*n][0] = x;
  corners[(*n)++][1] = y;
}

static void
find_cells (const Work * work, const RefInpaint * params, Domain * domain)
{
  set_grid (domain);
  for (int y = domain->box.y0; y < domain->box.y1; y += domain->height) {
    for (int x = domain->box.x0; x < domain->box.x1; x += domain->width) {
      Box cell = { x, y, ref_min (x + domain->width, domain->box.x1),
        ref_min (y + domain->height, domain->box.y1)
      };
      int hidden = 0, usable = cell.x1 - x == domain->width
          && cell.y1 - y == domain->height;

      FOR_EACH_PIXEL (cell, u, v) {
        hidden |= work->unknown[at (work, u, v)];
        usable &= params->forbidden == NULL
            || params->forbidden[at (work, u, v)] < 128;
      }
      FOR_EACH_PIXEL (grow_box (work, cell, MARGIN, MARGIN), u, v)
          usable &= !work->unknown[at (work, u, v)];
      if (hidden)
        append (domain->hidden, &domain->n_hidden, x, y);
      else if (usable)
        append (domain->cells, &domain->n, x, y);
    }
  }
}

/* Converts a column or row to a fixed-point coordinate from -1 to 1. @twice is twice the index of
 * the column or row, and the range is from @from to @to - 1. Returns: the coordinate */
static int
get_place (int twice, int from, int to)
{
  return (twice - from - to + 1) * (ONE / (to - from));
}

/* Sets (*@x, *@y) to the middle of the samples of a cell that begins at @cell. */
static void
get_middle (const Domain * domain, const int *cell, int *x, int *y)
{
  const Box *box = &domain->box;

  *x = get_place (ref_min (2 * cell[0] + domain->x_step * (domain->x_count - 1),
          2 * box->x1 - 2), box->x0, box->x1);
  *y = get_place (ref_min (2 * cell[1] + domain->y_step * (domain->y_count - 1),
          2 * box->y1 - 2), box->y0, box->y1);
}

/* ---- Least squares ------------------------------------------------------------------ */

/* Sets @terms to 1, x, y, x^2, xy, y^2, x^3, ... of the middle (x, y) of a cell. */
static void
get_terms (const Domain * domain, const int *cell, double *terms)
{
  int px, py, n = 0;
  double x, y;

  get_middle (domain, cell, &px, &py);
  x = px / (double) ONE;
  y = py / (double) ONE;
  terms[n++] = 1;
  for (int t = 1; t <= degrees[N_DEGREES - 1]; t++) {
    for (int j = 0; j < t; j++, n++)
      terms[n] = terms[n - t] * x;
    terms[n] = terms[n - t - 1] * y;
    n++;
  }
}

static void
decompose (Domain * domain)
{
  double terms[MAX_TERMS];

  for (int i = 0; i < domain->n; i++) {
    get_terms (domain, domain->cells[i], terms);
    for (int j = 0; j < MAX_TERMS; j++)
      for (int k = 0; k <= j; k++)
        domain->l[j][k] += terms[j] * terms[k];
  }
  for (int k = 0; k < MAX_TERMS; k++) {
    for (int j = k; j < MAX_TERMS; j++)
      for (int m = 0; m < k; m++)
        domain->l[j][k] -= domain->l[j][m] * domain->l[k][m] * domain->d[m];
    domain->d[k] = domain->l[k][k];
    if (domain->d[k] <= 1e-10 * domain->n)
      return;
    for (int j = k + 1; j < MAX_TERMS; j++)
      domain->l[j][k] /= domain->d[k];
    domain->rank++;
  }
}

/* Sets @z to the solution of L z = terms, where the terms are those of the middle of a cell. Sets
 * @spread to the variance of the polynomial of each degree at this position. */
static void
get_spread (const Domain * domain, const int *cell, double *z, double *spread)
{
  double sum = 0;

  get_terms (domain, cell, z);
  for (int j = 0; j < domain->rank; j++)
    for (int m = 0; m < j; m++)
      z[j] -= domain->l[j][m] * z[m];
  for (int j = 0, k = 0; k < N_DEGREES; k++) {
    for (; j < n_terms[k] && j < domain->rank; j++)
      sum += z[j] * z[j] / domain->d[j];
    spread[k] = sum;
  }
}

static int32_t
to_fixed (double value, int one)
{
  value = value < -127 ? -127 : value > 127 ? 127 : value;
  return (int32_t) floor (value * one + 0.5);
}

/* Determines the degrees that are allowed for the polynomial, and computes the matrices of all
 * determined degrees. Returns 1 if at least one degree is allowed. */
static int
find_matrices (Domain * domain)
{
  double z[MAX_TERMS], spread[N_DEGREES], c[MAX_TERMS];
  double most = domain->x_count * domain->y_count / 128.0;
  int any = 0;

  most = most > 2 ? 2 : most;
  decompose (domain);
  for (int k = 0; k < N_DEGREES; k++)
    domain->is_determined[k] = domain->is_allowed[k] = domain->rank
        >= n_terms[k] && domain->n >= 3 * n_terms[k];
  for (int i = 0; i < domain->n_hidden; i++) {
    get_spread (domain, domain->hidden[i], z, spread);
    for (int k = 0; k < N_DEGREES; k++)
      domain->is_allowed[k] = domain->is_allowed[k] && !(spread[k] > most);
  }
  for (int i = 0; i < domain->n; i++) {
    get_spread (domain, domain->cells[i], z, spread);
    for (int k = 0; k < N_DEGREES; k++) {
      if (!domain->is_determined[k])
        continue;
      domain->factors[k][i] = to_fixed (1 / (1 - spread[k] < 1.0 / 16
              ? 1.0 / 16 : 1 - spread[k]), 256);
      for (int j = n_terms[k] - 1; j >= 0; j--) {
        c[j] = z[j] / domain->d[j];
        for (int m = j + 1; m < n_terms[k]; m++)
          c[j] -= domain->l[m][j] * c[m];
        domain->matrix[k][j][i] = to_fixed (c[j], ONE);
      }
    }
  }
  for (int k = 0; k < N_DEGREES; k++)
    any |= domain->is_allowed[k];
  return any;
}

/* ---- Shades --------------------------------------------------------------------------- */

static int64_t
limit (int64_t value, int64_t most)
{
  return value < -most ? -most : value > most ? most : value;
}

/* Returns: the value of the polynomial of degree @degree at (@x, @y), minus the mean of the first
 * cell */
static int64_t
evaluate (const int32_t * terms, int degree, int x, int y)
{
  int64_t sum = 0;

  for (int i = degree; i >= 0; i--) {
    int64_t row = 0;

    for (int j = degree - i; j >= 0; j--)
      row = (row * y >> 24) + terms[(i + j) * (i + j + 1) / 2 + j];
    sum = (sum * x >> 24) + row;
  }
  return sum;
}

/* Computes the mean of the samples of a cell (*@mean), and the sum of the squared differences of
 * samples two columns apart (*@squares). */
static void
measure_cell (const Work * work, const Domain * domain, int c,
    const int *cell, int32_t * mean, int64_t * squares)
{
  int depth = ref_inpaint_get_depth (&work->in[c]);
  int more = REF_SHADE_DEPTH (depth) - depth;
  int n = domain->x_count * domain->y_count, sum = 0;

  *squares = 0;
  for (int i = 0; i < n; i++) {
    int x = cell[0] + i % domain->x_count * domain->x_step;
    int y = cell[1] + i / domain->x_count * domain->y_step;
    int u = x + 2 < work->width ? x + 2 : ref_max (x - 2, 0);
    int value = ref_inpaint_get_at_pixel (&work->in[c], x, y, work->width,
        work->height);
    int other = abs (value - ref_inpaint_get_at_pixel (&work->in[c], u, y,
            work->width, work->height));

    sum += value;
    other = ref_min (depth > 14 ? other >> (depth - 14) : other << (14 - depth),
        32 * 64 - 1);
    *squares += other * other;
  }
  *mean = ((sum << (more + FRACTION)) + n / 2) / n;
}

/* Fits the shade (polynomial) of a component. Its degree is -1 if no polynomial fits. */
static void
fit_shade (const Work * work, const Domain * domain, int c, Shade * shade)
{
  int depth = ref_inpaint_get_depth (&work->in[c]), n = domain->n;
  int count = domain->x_count * domain->y_count;
  int32_t terms[N_DEGREES][MAX_TERMS], means[MAX_CELLS];
  int64_t errors[N_DEGREES], most[N_DEGREES], noise = 0, best = INT64_MAX;

  for (int i = 0; i < n; i++) {
    int64_t squares;

    measure_cell (work, domain, c, domain->cells[i], &means[i], &squares);
    noise += squares;
  }
  noise = noise * 128 / (n * count);
  for (int k = 0; k < N_DEGREES; k++) {
    errors[k] = most[k] = 0;
    for (int j = 0; j < n_terms[k]; j++) {
      int64_t sum = 0;

      for (int i = 0; i < n; i++)
        sum += (int64_t) domain->matrix[k][j][i] * (means[i] - means[0]);
      terms[k][j] = limit ((sum + ONE / 2) >> 24, 1 << 29);
    }
    for (int i = 0; i < n; i++) {
      int64_t residual = means[i] - means[0];
      int x, y;

      get_middle (domain, domain->cells[i], &x, &y);
      residual -= evaluate (terms[k], degrees[k], x, y);
      residual = limit (residual * domain->factors[k][i]
          >> (8 + (depth > 14 ? depth - 14 : 0)), 32 * LEVEL);
      errors[k] += residual * residual;
      most[k] = residual * residual > most[k] ? residual * residual : most[k];
    }
    errors[k] = domain->is_determined[k] ? errors[k] : INT64_MAX;
    best = errors[k] < best ? errors[k] : best;
  }
  shade->degree = -1;
  for (int k = N_DEGREES - 1; k >= 0; k--)
    if (domain->is_allowed[k]
        && errors[k] <= best + best / 4 + 10486 * (int64_t) n)
      shade->degree = k;
  if (shade->degree < 0)
    return;
  shade->first = means[0];
  memcpy (shade->terms, terms[shade->degree], sizeof (shade->terms));
  if (noise > 36 * SQUARE
      || errors[shade->degree] > n * (SQUARE + 2 * noise / count)
      || most[shade->degree] > 9 * SQUARE + 32 * noise / count)
    shade->degree = -1;
}

/* Fits the shades (polynomials) of the first @n components. Writes them to work->shade, unless a
 * component has no shade. */
static void
lay_shades (Work * work, const Domain * domain, int n)
{
  Shade shades[4];
  int all = 1;

  for (int c = 0; c < n; c++) {
    fit_shade (work, domain, c, &shades[c]);
    all &= shades[c].degree >= 0;
  }
  for (int c = 0; c < n && all; c++) {
    const Shade *shade = &shades[c];
    int depth = ref_inpaint_get_depth (&work->in[c]);
    int most = ((1 << depth) - 1) << (REF_SHADE_DEPTH (depth) - depth);

    FOR_EACH_PIXEL (domain->box, x, y) {
      int64_t value = evaluate (shade->terms, degrees[shade->degree],
          get_place (2 * x, domain->box.x0, domain->box.x1),
          get_place (2 * y, domain->box.y0, domain->box.y1));

      value = (value + shade->first + (1 << FRACTION) / 2) >> FRACTION;
      work->shade[c][at (work, x, y)] = value < 0 ? 0 : value > most ? most
          : value;
    }
  }
}

int
ref_inpaint_find_shades (Work * work, const RefInpaint * params, int n)
{
  size_t size = (size_t) work->width * work->height;
  Box domains[MAX_DOMAINS];
  int n_domains = find_domains (work, params->search_factor, domains);
  int ok = n_domains >= 0;

  for (int c = 0; c < n && n_domains > 0; c++) {
    work->shade[c] = malloc (size * sizeof (*work->shade[c]));
    ok = ok && work->shade[c] != NULL;
    for (size_t i = 0; ok && i < size; i++)
      work->shade[c][i] = REF_NO_SHADE;
  }
  for (int i = 0; i < n_domains && ok; i++) {
    Domain *domain = calloc (1, sizeof (*domain));

    ok = domain != NULL;
    if (ok) {
      domain->box = domains[i];
      find_cells (work, params, domain);
      if (find_matrices (domain))
        lay_shades (work, domain, n);
    }
    free (domain);
  }
  return ok;
}

int32_t
ref_inpaint_carry (const int32_t * shade, int32_t value, int depth, int from,
    int to)
{
  int one = 1 << (REF_SHADE_DEPTH (depth) - depth);
  int32_t texture;

  if (shade == NULL || shade[to] == REF_NO_SHADE)
    return value * one;
  texture = shade[from] == REF_NO_SHADE ? 0 : value * one - shade[from];
  return shade[to] + (abs (texture) > one ? texture : 0);
}
