/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the map from the pixels of a view to the pixels of a camera: a grid of nodes between which
 * kernels interpolate, and the exact positions of all pixels of cells in which interpolation is not
 * exact enough. */
#include "lens-map.h"

#include <gst/vision/warp/weights.h>
#include <kernels/base/warp-shared.h>
#include <math.h>
#include <string.h>

/* Distance between adjacent nodes, in pixels, along both axes */
#define STEP WARP_CELL

/* Largest coordinate of a position, in units */
#define FAR 67108864.0

/* Limits of errors, in units. If the error of a cell is above NEAR, the cell and its neighbors are
 * checked at 16 more pixels. If an error is above EXACT, the cell stores exact positions. */
#define NEAR 2
#define EXACT 6

/* Minimum divisor of a homography that maps a pixel; the divisor is 1 at the upper left corner of a
 * frame. */
#define LEAST_DIVISOR (1.0 / 1024)

/* Number of units of a margin in a radian */
#define MARGIN_UNITS 16777216

/* The minimum margin of a node. Differences of margins in these units fit into 32 bits. */
#define LEAST_MARGIN -64.

/* ---- Views ---------------------------------------------------------------------------- */

gdouble
mgpu_projection_find_ray (MgpuProjection projection, gdouble a, gdouble b,
    gdouble ray[3])
{
  gdouble r, s, c, s2, c2;

  ray[0] = a;
  ray[1] = b;
  ray[2] = 1;
  switch (projection) {
    case MGPU_PROJECTION_PERSPECTIVE:
      break;
    case MGPU_PROJECTION_FISHEYE:
      r = sqrt (a * a + b * b);
      mgpu_lens_sincos (r, &s, &c);
      ray[0] = r > 0 ? s * (a / r) : 0;
      ray[1] = r > 0 ? s * (b / r) : 0;
      ray[2] = c;
      return G_PI - r;
    case MGPU_PROJECTION_EQUIRECT:
      mgpu_lens_sincos (a, &s, &c);
      mgpu_lens_sincos (b, &s2, &c2);
      ray[0] = s * c2;
      ray[1] = s2;
      ray[2] = c * c2;
      break;
    case MGPU_PROJECTION_CYLINDER:
      mgpu_lens_sincos (a, &ray[0], &ray[2]);
      break;
    case MGPU_PROJECTION_STEREOGRAPHIC:
      ray[2] = 1 - (a * a + b * b) / 4;
      break;
  }
  return MGPU_LENS_INSIDE;
}

/* Maps the pixel (@x, @y) by the homography @m. Returns: FALSE if it is on the horizon or behind
 * the camera */
static gboolean
move_pixel (const gdouble m[9], gdouble * x, gdouble * y)
{
  gdouble u = (m[0] * *x + m[1] * *y) + m[2];
  gdouble v = (m[3] * *x + m[4] * *y) + m[5];
  gdouble w = (m[6] * *x + m[7] * *y) + m[8];

  *x = u / w;
  *y = v / w;
  return w > LEAST_DIVISOR;
}

gdouble
mgpu_view_find_place (const MgpuView * view, const MgpuLensModel * model,
    gdouble x, gdouble y, gdouble place[2])
{
  const gdouble *turn = view->turn;
  gdouble ray[3], old[3], margin, other;

  if (view->has_matrix && !move_pixel (view->matrix, &x, &y)) {
    place[0] = place[1] = -G_MAXDOUBLE;
    return -1;
  }
  margin = mgpu_projection_find_ray (view->projection,
      (x - view->centre[0]) / view->focal[0],
      (y - view->centre[1]) / view->focal[1], ray);

  /* Multiplies by the transpose of the rotation, which is the inverse of the rotation. */
  for (guint i = 0; i < 3; i++)
    old[i] = (turn[i] * ray[0] + turn[3 + i] * ray[1]) + turn[6 + i] * ray[2];
  other = mgpu_lens_model_project (model, old, place);
  return MIN (other, margin);
}

/* ---- Nodes ---------------------------------------------------------------------------- */

/* Input from which a map is made */
typedef struct
{
  const MgpuLensModel *model;
  const MgpuView *view;
  const gfloat *places;         /* given positions of the pixels of the view; only the sizes of
                                 * camera and view are used then. NULL: positions are computed by
                                 * the model */
  MgpuLensFunction function;    /* function that computes the positions, with the parameter @data; only
                                 * the sizes of camera and view are used then. NULL: positions are
                                 * given by @places or computed by the model */
  gpointer data;
  MgpuLensMap *map;
  gint columns, rows;           /* number of cells */
  gdouble *errors;              /* error at the center of each cell, in units */
} Maker;

/* Returns coordinate @k of the position of pixel (x, y) in the table of positions. Beyond the edges
 * of the table, extrapolates linearly. */
static gdouble
get_place (const Maker * maker, gint x, gint y, guint k)
{
  const gint last[2] = { maker->view->width - 1, maker->view->height - 1 };
  const gint at[2] = { CLAMP (x, 0, last[0]), CLAMP (y, 0, last[1]) };
  const gint beyond[2] = { x - at[0], y - at[1] };
  const gsize steps[2] = { 2, 2 * (gsize) maker->view->width };
  const gfloat *here = maker->places + at[1] * steps[1] + at[0] * steps[0] + k;
  gdouble place = *here;

  for (guint axis = 0; axis < 2; axis++)
    if (beyond[axis] != 0 && last[axis] > 0)
      place += ABS (beyond[axis]) * ((gdouble) * here - (beyond[axis] > 0
              ? here[-(gssize) steps[axis]] : here[steps[axis]]));
  return place;
}

/* Sets @place to the position of pixel (x, y) of the view. Returns: the margin */
static gdouble
find_place (const Maker * maker, gint x, gint y, gdouble place[2])
{
  if (maker->function != NULL) {
    maker->function (maker->data, x, y, place);
    return MGPU_LENS_INSIDE;
  }
  if (maker->places == NULL)
    return mgpu_view_find_place (maker->view, maker->model, x, y, place);
  place[0] = get_place (maker, x, y, 0);
  place[1] = get_place (maker, x, y, 1);
  return MGPU_LENS_INSIDE;
}

/* Converts a coordinate in pixels to units; NaN becomes the minimum. */
static gint32
to_units (gdouble x)
{
  gdouble units = x * WARP_UNITS;

  return rint (units > FAR ? FAR : units >= -FAR ? units : -FAR);
}

static gint32 *
get_words (const MgpuLensMap * map, guint first)
{
  return &g_array_index (map->words, gint32, first);
}

/* Appends @n words to the tables. Returns: the index of the first appended word */
static guint
add_words (MgpuLensMap * map, guint n)
{
  guint first = map->words->len;

  g_array_set_size (map->words, first + n);
  return first;
}

void
mgpu_lens_map_find_weights (gdouble t, gdouble w[4])
{
  w[0] = -t * (t - 1) * (t - 2) / 6;
  w[1] = (t + 1) * (t - 1) * (t - 2) / 2;
  w[2] = -(t + 1) * t * (t - 2) / 2;
  w[3] = (t + 1) * t * (t - 1) / 6;
}

static void
add_node_weights (MgpuLensMap * map)
{
  guint first = add_words (map, 4 * WARP_NODE_WEIGHTS);

  for (gint i = 0; i < WARP_NODE_WEIGHTS; i++) {
    gdouble w[4];

    mgpu_lens_map_find_weights ((i - WARP_BEFORE) / (gdouble) WARP_PARTS, w);
    for (guint k = 0; k < 4; k++) {
      gfloat weight = w[k];

      memcpy (get_words (map, first + 4 * i + k), &weight, sizeof (weight));
    }
  }
}

/* Returns: whether a position with the margin @margin is in the old frame (the input frame) */
static gboolean
is_seen (const MgpuCamera * camera, const gdouble place[2], gdouble margin)
{
  return margin >= 0 && place[0] >= -0.5 && place[1] >= -0.5
      && place[0] <= camera->width - 0.5 && place[1] <= camera->height - 0.5;
}

/* Returns: whether cell (i, j) may show pixels of the old frame although none of the nodes at its
 * corners does: whether, along both axes, the positions of these nodes are on both sides of the old
 * frame, or inside it */
static gboolean
may_see (const Maker * maker, gint i, gint j)
{
  const MgpuCamera *camera = &maker->model->camera;
  const gint size[2] = { camera->width, camera->height };
  gboolean may = TRUE;

  for (guint k = 0; maker->places == NULL && k < 2; k++) {
    const gint32 *a = get_words (maker->map, maker->map->nodes
        + 2 * ((j + 1) * maker->map->columns + i + 1) + k);
    const gint32 *b = a + 2 * maker->map->columns;

    may = may && MIN (MIN (a[0], a[2]), MIN (b[0], b[2])) <= to_units (size[k])
        && MAX (MAX (a[0], a[2]), MAX (b[0], b[2])) >= to_units (-1);
  }
  return may;
}

/* Returns: whether any pixel of cell (i, j) in the new frame shows a pixel of the old frame. Tests
 * only the center pixel if may_see() returns FALSE */
static gboolean
is_cell_seen (const Maker * maker, gint i, gint j)
{
  gint width = MIN (STEP, maker->view->width - STEP * i);
  gint height = MIN (STEP, maker->view->height - STEP * j);
  gboolean may = may_see (maker, i, j);

  for (gint y = may ? 0 : height / 2; y < height; y += may ? 1 : height)
    for (gint x = may ? 0 : width / 2; x < width; x += may ? 1 : width) {
      gdouble place[2], margin =
          find_place (maker, STEP * i + x, STEP * j + y, place);

      if (is_seen (&maker->model->camera, place, margin))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_any_cell_seen (const Maker * maker)
{
  for (gint j = 0; j < maker->rows; j++)
    for (gint i = 0; i < maker->columns; i++)
      if (is_cell_seen (maker, i, j))
        return TRUE;
  return FALSE;
}

/* Sets the fractions @seen and @beyond of the map. Of the @n nodes in the new frame, @n_seen show a
 * pixel of the old frame, and @n_beyond are beyond the limit of the model. */
static void
set_parts (const Maker * maker, guint n, guint n_seen, guint n_beyond)
{
  maker->map->beyond = n_beyond / (gdouble) n;
  maker->map->seen = n_seen > 0 ? n_seen / (gdouble) n
      : is_any_cell_seen (maker) ? 1.0 / (n + 1) : 0;
}

/* Adds the nodes to the tables, and the margins if a pixel is beyond the limit of the model. */
static void
add_nodes (Maker * maker)
{
  MgpuLensMap *map = maker->map;
  guint n = map->columns * map->rows, n_inside = 0, n_seen = 0, n_beyond = 0;
  gboolean has_margins = FALSE;

  map->nodes = add_words (map, 2 * n);
  map->margins = add_words (map, n);
  for (gint j = 0; j < map->rows; j++)
    for (gint i = 0; i < map->columns; i++) {
      guint node = j * map->columns + i;
      gint32 *to = get_words (map, map->nodes + 2 * node);
      gdouble place[2], margin = find_place (maker, STEP * (i - 1),
          STEP * (j - 1), place);

      to[0] = to_units (place[0]);
      to[1] = to_units (place[1]);
      *get_words (map, map->margins + node) = rint (MAX (margin, LEAST_MARGIN)
          * MARGIN_UNITS);
      /* Skips the nodes before the first cell and after the last cell, because they correspond to
       * no pixels. */
      has_margins |= margin < 0 && i > 0 && j > 0 && i < map->columns - 1
          && j < map->rows - 1;
      if (i > 0 && j > 0 && STEP * (i - 1) < maker->view->width
          && STEP * (j - 1) < maker->view->height) {
        n_inside++;
        n_seen += is_seen (&maker->model->camera, place, margin);
        n_beyond += margin < 0;
      }
    }
  set_parts (maker, n_inside, n_seen, n_beyond);
  if (!has_margins) {
    g_array_set_size (map->words, map->margins);
    map->margins = 0;
  }
}

/* ---- Exact cells ------------------------------------------------------------------------ */

/* Returns coordinate @k, in units, of a pixel of cell (i, j), interpolated between nodes with the
 * weights @across and @down. */
static gdouble
interpolate (const MgpuLensMap * map, gint i, gint j, const gdouble * across,
    const gdouble * down, guint k)
{
  const gint32 *nodes = get_words (map, map->nodes + 2 * (j * map->columns
          + i) + k);
  gint32 base = nodes[2 * (map->columns + 1)];
  gint wrap = k == 0 ? map->wrap : 0;
  gdouble sum = 0;

  for (guint row = 0; row < 4; row++, nodes += 2 * map->columns)
    for (guint column = 0; column < 4; column++) {
      gint32 d = nodes[2 * column] - base;

      if (wrap > 0)
        d = d > wrap / 2 ? d - wrap : d < -(wrap / 2) ? d + wrap : d;
      sum += across[column] * down[row] * d;
    }
  return base + rint (sum);
}

/* Returns the distance, in units, of the interpolated position of pixel (x, y) of cell (i, j) from
 * the exact position; 0 if the exact position is outside the old frame. */
static gdouble
find_error (const Maker * maker, gint i, gint j, gint x, gint y)
{
  const MgpuCamera *camera = &maker->model->camera;
  const gint wrap = maker->map->wrap;
  gdouble place[2], across[4], down[4], errors[2], s, c;
  gdouble margin = find_place (maker, STEP * i + x, STEP * j + y, place);

  if (isnan (place[0]) || isnan (place[1]))
    return G_MAXDOUBLE;
  if (!(margin >= 0 && place[0] >= -1 && place[1] >= -1
          && place[0] <= camera->width && place[1] <= camera->height))
    return 0;
  mgpu_lens_map_find_weights (x / (gdouble) STEP, across);
  mgpu_lens_map_find_weights (y / (gdouble) STEP, down);
  for (guint k = 0; k < 2; k++)
    errors[k] = interpolate (maker->map, i, j, across, down, k)
        - place[k] * WARP_UNITS;
  if (wrap > 0) {
    /* Ignores the longitude near a pole, where it hardly affects the position. */
    mgpu_lens_sincos (((place[1] + 0.5) / camera->height - 0.5) * G_PI, &s, &c);
    errors[0] = (errors[0] - wrap * rint (errors[0] / wrap)) * c;
  }
  return MAX (fabs (errors[0]), fabs (errors[1]));
}

/* Returns: whether a cell, or one of its neighbors, has an error above NEAR at its center */
static gboolean
is_near (const Maker * maker, gint i, gint j)
{
  for (gint y = MAX (j - 1, 0); y <= MIN (j + 1, maker->rows - 1); y++)
    for (gint x = MAX (i - 1, 0); x <= MIN (i + 1, maker->columns - 1); x++)
      if (maker->errors[y * maker->columns + x] > NEAR)
        return TRUE;
  return FALSE;
}

/* Returns: whether any pixel of cell (i, j) in the view has an error above EXACT */
static gboolean
has_error (const Maker * maker, gint i, gint j)
{
  for (gint y = 0; y < MIN (STEP, maker->view->height - STEP * j); y++)
    for (gint x = 0; x < MIN (STEP, maker->view->width - STEP * i); x++)
      if (find_error (maker, i, j, x, y) > EXACT)
        return TRUE;
  return FALSE;
}

static gboolean
is_exact (const Maker * maker, gint i, gint j)
{
  if (maker->errors[j * maker->columns + i] > EXACT)
    return TRUE;
  if (maker->places != NULL)
    return has_error (maker, i, j);
  if (!maker->model->is_rough && !is_near (maker, i, j))
    return FALSE;
  for (gint y = 2; y < STEP; y += 4)
    for (gint x = 2; x < STEP; x += 4)
      if (find_error (maker, i, j, x, y) > EXACT)
        return TRUE;
  return FALSE;
}

/* Appends the positions of all pixels of cell (i, j). */
static void
add_exact (Maker * maker, gint i, gint j)
{
  gint32 *to = get_words (maker->map, add_words (maker->map, 2 * STEP * STEP));

  for (gint y = 0; y < STEP; y++)
    for (gint x = 0; x < STEP; x++) {
      gdouble place[2];

      find_place (maker, STEP * i + x, STEP * j + y, place);
      *to++ = to_units (place[0]);
      *to++ = to_units (place[1]);
    }
}

static void
add_cells (Maker * maker)
{
  MgpuLensMap *map = maker->map;
  gint n = maker->columns * maker->rows;

  map->cells = add_words (map, n);
  map->exact = map->words->len;
  maker->errors = g_new (gdouble, n);
  for (gint k = 0; k < n; k++)
    maker->errors[k] = find_error (maker, k % maker->columns,
        k / maker->columns, STEP / 2, STEP / 2);
  for (gint k = 0; k < n; k++) {
    gint i = k % maker->columns, j = k / maker->columns;
    gboolean exact = is_exact (maker, i, j);

    *get_words (map, map->cells + k) = exact ? (gint) map->n_exact : -1;
    if (exact)
      add_exact (maker, i, j);
    map->n_exact += exact;
  }
  g_free (maker->errors);
}

/* Adds the table of cells for a map in which no cell is exact. */
static void
add_smooth_cells (Maker * maker)
{
  gint n = maker->columns * maker->rows;

  maker->map->cells = add_words (maker->map, n);
  maker->map->exact = maker->map->words->len;
  for (gint k = 0; k < n; k++)
    *get_words (maker->map, maker->map->cells + k) = -1;
}

/* Makes the map from the input that the members of @maker before the member @map describe. */
static MgpuLensMap *
make_map (Maker * maker)
{
  const MgpuLensModel *model = maker->model;
  MgpuLensMap *map = g_new0 (MgpuLensMap, 1);

  maker->map = map;
  maker->columns = (maker->view->width + STEP - 1) / STEP;
  maker->rows = (maker->view->height + STEP - 1) / STEP;

  map->words = g_array_new (FALSE, FALSE, sizeof (gint32));
  map->columns = maker->columns + 3;
  map->rows = maker->rows + 3;
  if (model->camera.lens == MGPU_LENS_EQUIRECT)
    map->wrap = model->camera.width * WARP_UNITS;
  add_node_weights (map);
  mgpu_weights_add_lanczos (map->words);
  add_nodes (maker);
  if (maker->function != NULL)
    add_smooth_cells (maker);
  else
    add_cells (maker);
  return map;
}

MgpuLensMap *
mgpu_lens_map_new (const MgpuLensModel * model, const MgpuView * view)
{
  Maker maker = {.model = model,.view = view };

  return make_map (&maker);
}

MgpuLensMap *
mgpu_lens_map_new_from_places (const gfloat * places, gint width, gint height,
    gint old_width, gint old_height)
{
  const MgpuLensModel model = {.camera = {.width = old_width,.height =
          old_height}
  };
  const MgpuView view = {.width = width,.height = height };
  Maker maker = {.model = &model,.view = &view,.places = places };

  return make_map (&maker);
}

MgpuLensMap *
mgpu_lens_map_new_from_function (MgpuLensFunction function, gpointer data,
    gint width, gint height, gint old_width, gint old_height)
{
  const MgpuLensModel model = {.camera = {.width = old_width,.height =
          old_height}
  };
  const MgpuView view = {.width = width,.height = height };
  Maker maker = {.model = &model,.view = &view,.function = function,
    .data = data
  };

  return make_map (&maker);
}

void
mgpu_lens_map_free (MgpuLensMap * map)
{
  g_array_unref (map->words);
  g_free (map);
}
