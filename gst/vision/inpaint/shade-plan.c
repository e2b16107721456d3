/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Plans the shades, which are polynomials that are fitted to the surroundings of wide holes.
 * Finds the domains of the frame, and computes the matrices of the least-squares fits. The
 * result depends only on the mask. The order of the floating-point operations is part of the
 * definition in docs/algorithms/inpaint.md. */
#include "inpaint-plan.h"

#include <kernels/inpaint/inpaint-shared.h>
#include <math.h>
#include <string.h>

/* Largest number of wide objects. Frames with more wide objects are filled without shades. */
#define MAX_OBJECTS 64

/* Limits of the search factor where it determines the size of a domain: the distance by which
 * the domain extends past the box around its object, as a multiple of the size of the box. */
#define MIN_FACTOR 0.25
#define MAX_FACTOR 1.0

/* The fit uses only cells without unknown pixels within this distance, in pixels */
#define MARGIN 2

/* Conditions for a polynomial to be determined: there are at least MIN_CELLS cells for each of
 * its coefficients, and each pivot of its normal matrix is larger than MIN_PIVOT times the
 * number of cells. */
#define MIN_CELLS 3
#define MIN_PIVOT 1e-10

/* Largest variance of a shade in the hole, as a multiple of the variance of the means of cells
 * (MAX_SPREAD), and of the variance of samples, that is, of noise (MAX_NOISE). */
#define MAX_SPREAD 2.0
#define MAX_NOISE (1.0 / 128)

/* Largest ratio of a leave-one-out residual to the plain residual, and largest absolute value of
 * a matrix element */
#define MAX_LEVERAGE 16.0
#define MAX_FIXED 127.0

/* Numbers of coefficients of polynomials of degree 1, 2, 4 and 6. */
static const gint n_terms[SHADE_DEGREES] = { 3, 6, 15, SHADE_MAX_TERMS };

/* ---- Domains ------------------------------------------------------------------ */

static gboolean
box_is_inside (MgpuBox a, MgpuBox b)
{
  return a.x0 >= b.x0 && a.y0 >= b.y0 && a.x1 <= b.x1 && a.y1 <= b.y1;
}

/* Searches @boxes, starting at index @skip, for a box that intersects *@domain. If @takes is
 * FALSE, ignores boxes inside *@domain. If a box is found, enlarges *@domain to the smallest box
 * that contains both; if @takes is TRUE, also removes the found box from @boxes. Returns:
 * whether a box was found */
static gboolean
grow_domain (MgpuBox * domain, GArray * boxes, guint skip, gboolean takes)
{
  for (guint i = skip; i < boxes->len; i++) {
    MgpuBox box = g_array_index (boxes, MgpuBox, i);

    if (!mgpu_boxes_meet (box, *domain) || (!takes
            && box_is_inside (box, *domain)))
      continue;
    *domain = mgpu_box_union (box, *domain);
    if (takes)
      g_array_remove_index_fast (boxes, i);
    return TRUE;
  }
  return FALSE;
}

/* Returns: (transfer full): array of MgpuBox, the domains around the wide objects. Domains do
 * not intersect. If an object intersects a domain, the object and the pixels next to it are
 * inside the domain. */
static GArray *
find_domains (const MgpuInpaintPlan * plan, const gint * distances,
    gdouble factor)
{
  GArray *domains = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  g_autoptr (GArray) objects = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  g_autofree gboolean *is_wide = g_new0 (gboolean, plan->boxes->len);
  gint width = plan->width;

  for (gint y = plan->hole.y0; y < plan->hole.y1; y++)
    for (gint x = plan->hole.x0; x < plan->hole.x1; x++)
      if (*distances++ >= MGPU_INPAINT_WIDE)
        is_wide[plan->object[(gsize) y * width + x] - 1] = TRUE;
  factor = factor < 0 ? MAX_FACTOR : CLAMP (factor, MIN_FACTOR, MAX_FACTOR);
  for (guint i = 0; i < plan->boxes->len; i++) {
    MgpuBox box = g_array_index (plan->boxes, MgpuBox, i);
    MgpuBox domain = mgpu_box_grow (box, (gint) (factor * (box.x1 - box.x0)),
        (gint) (factor * (box.y1 - box.y0)), width, plan->height);

    box = mgpu_box_grow (box, 1, 1, width, plan->height);
    g_array_append_val (objects, box);
    if (is_wide[i] && domains->len <= MAX_OBJECTS)
      g_array_append_val (domains, domain);
  }
  if (domains->len > MAX_OBJECTS)
    g_array_set_size (domains, 0);
  for (guint i = 0; i < domains->len; i++) {
    MgpuBox *domain = &g_array_index (domains, MgpuBox, i);

    /* After growing, a domain may intersect earlier domains. */
    if (grow_domain (domain, objects, 0, FALSE)
        || grow_domain (domain, domains, i + 1, TRUE))
      i = (guint) - 1;
  }
  return domains;
}

/* ---- Cells --------------------------------------------------------------------- */

/* Divides a domain into cells. */
static void
set_grid (MgpuInpaintShade * shade)
{
  shade->width = (shade->box.x1 - shade->box.x0 + SHADE_GRID - 1) / SHADE_GRID;
  shade->height = (shade->box.y1 - shade->box.y0 + SHADE_GRID - 1) / SHADE_GRID;
  shade->x_step = (shade->width + SHADE_SIDE - 1) / SHADE_SIDE;
  shade->y_step = (shade->height + SHADE_SIDE - 1) / SHADE_SIDE;
  shade->x_count = (shade->width + shade->x_step - 1) / shade->x_step;
  shade->y_count = (shade->height + shade->y_step - 1) / shade->y_step;
}

/* Returns: whether @mask has a byte that is not 0 for a pixel of @box */
static gboolean
has_any (const guint8 * mask, gint width, MgpuBox box)
{
  for (gint y = box.y0; y < box.y1; y++)
    for (gint x = box.x0; x < box.x1; x++)
      if (mask[(gsize) y * width + x])
        return TRUE;
  return FALSE;
}

/* Appends the center of the samples of a cell to @places, limited to the domain. The center is
 * stored as twice its column and twice its row. (@x, @y) is the first pixel of the cell. */
static void
add_place (GArray * places, const MgpuInpaintShade * shade, gint x, gint y)
{
  gint twice[] = {
    MIN (2 * x + shade->x_step * (shade->x_count - 1), 2 * shade->box.x1 - 2),
    MIN (2 * y + shade->y_step * (shade->y_count - 1), 2 * shade->box.y1 - 2)
  };

  g_array_append_vals (places, twice, 2);
}

/* Finds the cells that the fit uses. These are whole cells without forbidden pixels, and without
 * unknown pixels in the cell or up to MARGIN pixels away from it.
 * @cells: column and row of the first pixel of each of these cells are appended
 * @known: centers of these cells are appended
 * @hidden: centers of cells with an unknown pixel are appended */
static void
find_cells (const MgpuInpaintShade * shade, const MgpuInpaintPlan * plan,
    const guint8 * unknown, const guint8 * forbidden, GArray * cells,
    GArray * known, GArray * hidden)
{
  for (gint y = shade->box.y0; y < shade->box.y1; y += shade->height) {
    for (gint x = shade->box.x0; x < shade->box.x1; x += shade->width) {
      MgpuBox cell = { x, y, MIN (x + shade->width, shade->box.x1),
        MIN (y + shade->height, shade->box.y1)
      };
      gboolean is_whole = cell.x1 == x + shade->width
          && cell.y1 == y + shade->height;

      if (has_any (unknown, plan->width, cell))
        add_place (hidden, shade, x, y);
      else if (is_whole && !has_any (unknown, plan->width,
              mgpu_box_grow (cell, MARGIN, MARGIN, plan->width, plan->height))
          && (forbidden == NULL || !has_any (forbidden, plan->width, cell))) {
        g_array_append_val (cells, x);
        g_array_append_val (cells, y);
        add_place (known, shade, x, y);
      }
    }
  }
}

/* ---- Least squares --------------------------------------------------------------- */

/* Normal matrix, decomposed into L D L' with ones on the diagonal of L. Only the coefficients of
 * the first @n terms are determined. */
typedef struct
{
  gdouble l[SHADE_MAX_TERMS][SHADE_MAX_TERMS], d[SHADE_MAX_TERMS];
  gint n;
} Normal;

/* Converts a column or row of a box to a coordinate from -1 to 1. @twice is twice the index of
 * the column or row. The box extends from @from to @to - 1. Returns: the coordinate */
static gdouble
get_place (gint twice, gint from, gint to)
{
  return (twice - from - to + 1) * (SHADE_ONE / (to - from))
      / (gdouble) SHADE_ONE;
}

/* Sets @terms to the powers x^(t - j) y^j of the coordinates of element @number of @places, for
 * t = 0, 1, ... and j = 0 ... t. */
static void
get_terms (const MgpuInpaintShade * shade, const GArray * places, guint number,
    gdouble * terms)
{
  gdouble x = get_place (g_array_index (places, gint, 2 * number),
      shade->box.x0, shade->box.x1);
  gdouble y = get_place (g_array_index (places, gint, 2 * number + 1),
      shade->box.y0, shade->box.y1);
  gint first = 1;

  terms[0] = 1;
  for (gint t = 1; t <= SHADE_MAX_DEGREE; t++, first += t) {
    for (gint j = 0; j < t; j++)
      terms[first + j] = terms[first - t + j] * x;
    terms[first + t] = terms[first - 1] * y;
  }
}

static void
normal_init (Normal * self, const MgpuInpaintShade * shade,
    const GArray * places)
{
  gdouble terms[SHADE_MAX_TERMS];
  gint n = places->len / 2;

  memset (self, 0, sizeof (*self));
  for (gint i = 0; i < n; i++) {
    get_terms (shade, places, i, terms);
    for (gint j = 0; j < SHADE_MAX_TERMS; j++)
      for (gint k = 0; k <= j; k++)
        self->l[j][k] += terms[j] * terms[k];
  }
  for (gint k = 0; k < SHADE_MAX_TERMS; k++) {
    for (gint j = k; j < SHADE_MAX_TERMS; j++) {
      for (gint m = 0; m < k; m++)
        self->l[j][k] -= self->l[j][m] * self->l[k][m] * self->d[m];
      if (j == k)
        self->d[k] = self->l[k][k];
      else
        self->l[j][k] /= self->d[k];
    }
    if (self->d[k] <= MIN_PIVOT * n)
      return;
    self->n++;
  }
}

/* Solves L z = @terms, in place. */
static void
solve_forward (const Normal * self, gdouble * terms)
{
  for (gint j = 0; j < self->n; j++)
    for (gint m = 0; m < j; m++)
      terms[j] -= self->l[j][m] * terms[m];
}

/* Computes the variance of the polynomial of each degree at the position for which
 * solve_forward() computed @z: sets @spread to z' D^-1 z, which is a multiple of the variance of
 * the means of cells. */
static void
get_spread (const Normal * self, const gdouble * z, gdouble * spread)
{
  gdouble sum = 0;
  gint j = 0;

  for (gint k = 0; k < SHADE_DEGREES; k++) {
    for (; j < MIN (n_terms[k], self->n); j++)
      sum += z[j] * z[j] / self->d[j];
    spread[k] = sum;
  }
}

/* Returns: a bit mask of the degrees whose polynomials are determined */
static guint
find_degrees (const Normal * self, const MgpuInpaintShade * shade)
{
  guint determined = 0;

  for (gint k = 0; k < SHADE_DEGREES; k++)
    if (self->n >= n_terms[k] && shade->n_cells >= MIN_CELLS * n_terms[k])
      determined |= 1u << k;
  return determined;
}

/* Returns: the bits of @determined whose polynomials have a small variance everywhere in the
 * hole. @hidden contains the centers of the cells of the hole. */
static guint
find_allowed (const Normal * self, const MgpuInpaintShade * shade,
    const GArray * hidden, guint determined)
{
  gdouble terms[SHADE_MAX_TERMS], spread[SHADE_DEGREES];
  gdouble most = MIN (MAX_SPREAD, MAX_NOISE * shade->x_count * shade->y_count);

  for (guint i = 0; i < hidden->len / 2 && determined != 0; i++) {
    get_terms (shade, hidden, i, terms);
    solve_forward (self, terms);
    get_spread (self, terms, spread);
    for (gint k = 0; k < SHADE_DEGREES; k++)
      if (spread[k] > most)
        determined &= ~(1u << k);
  }
  return determined;
}

/* Returns: @value as a fixed-point number, rounded to the nearest multiple of 1 / @one */
static gint
to_fixed (gdouble value, gint one)
{
  return (gint) floor (CLAMP (value, -MAX_FIXED, MAX_FIXED) * one + 0.5);
}

/* Writes the factors, and the matrices for the degrees in @determined, to @words, the plan of a
 * domain: see kernels/inpaint/inpaint-shared.h. The entries for other degrees remain 0. */
static void
write_matrices (const Normal * self, const MgpuInpaintShade * shade,
    const GArray * known, guint determined, gint * words)
{
  gint n = shade->n_cells;

  for (gint i = 0; i < n; i++) {
    gdouble z[SHADE_MAX_TERMS], spread[SHADE_DEGREES];
    gint *row = words + SHADE_MATRIX (n) + i;

    get_terms (shade, known, i, z);
    solve_forward (self, z);
    get_spread (self, z, spread);
    for (gint k = 0; k < SHADE_DEGREES; row += n_terms[k++] * n) {
      gdouble c[SHADE_MAX_TERMS];

      if (!(determined >> k & 1))
        continue;
      words[SHADE_FACTORS (n) + k * n + i] = to_fixed (1 / MAX (1 - spread[k],
              1 / MAX_LEVERAGE), 1 << SHADE_FACTOR_BITS);
      for (gint j = n_terms[k] - 1; j >= 0; j--) {
        c[j] = z[j] / self->d[j];
        for (gint m = j + 1; m < n_terms[k]; m++)
          c[j] -= self->l[m][j] * c[m];
        row[j * n] = to_fixed (c[j], SHADE_ONE);
      }
    }
  }
}

/* Adds the domain @box to @plan if at least one polynomial degree is allowed there. */
static void
add_shade (MgpuInpaintPlan * plan, MgpuBox box, const guint8 * unknown,
    const guint8 * forbidden)
{
  MgpuInpaintShade shade = {.box = box,.at = plan->shade_words->len };
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (gint));
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (gint));
  g_autoptr (GArray) hidden = g_array_new (FALSE, FALSE, sizeof (gint));
  g_autofree Normal *normal = g_new (Normal, 1);
  guint determined, allowed;

  set_grid (&shade);
  find_cells (&shade, plan, unknown, forbidden, cells, known, hidden);
  shade.n_cells = cells->len / 2;
  normal_init (normal, &shade, known);
  determined = find_degrees (normal, &shade);
  allowed = find_allowed (normal, &shade, hidden, determined);
  if (allowed != 0) {
    gint *words;

    g_array_append_vals (plan->shade_words, &box, 4);
    g_array_append_val (plan->shade_words, allowed);
    g_array_append_vals (plan->shade_words, cells->data, cells->len);
    /* New elements of the array are set to zero. */
    g_array_set_size (plan->shade_words, shade.at + SHADE_MATRIX (shade.n_cells)
        + SHADE_TERMS * shade.n_cells);
    words = &g_array_index (plan->shade_words, gint, shade.at);
    write_matrices (normal, &shade, known, determined, words);
    g_array_append_val (plan->shades, shade);
  }
}

void
mgpu_inpaint_shades_init (MgpuInpaintPlan * plan, const guint8 * unknown,
    const guint8 * forbidden, const gint * distances, gdouble factor)
{
  g_autoptr (GArray) domains = find_domains (plan, distances, factor);

  for (guint i = 0; i < domains->len && domains->len <= MAX_SHADES; i++)
    add_shade (plan, g_array_index (domains, MgpuBox, i), unknown, forbidden);
}
