/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of the search with part models: see docs/algorithms/dpm.md. */
#include "dpm.h"

#include <math.h>
#include <stdlib.h>

#define REACH 4                 /* maximum distance, in cells along each axis, of a part from its
                                 * expected position */

/* Holds the responses of a filter, one for each cell at which the whole filter lies inside the
 * level. */
typedef struct
{
  int columns, rows;
  float *values;
} Map;

static int
map_init (Map * map, int columns, int rows)
{
  map->columns = columns > 0 ? columns : 0;
  map->rows = rows > 0 ? rows : 0;
  map->values = malloc (((size_t) map->columns * map->rows + 1)
      * sizeof (float));
  return map->values != NULL;
}

static float
get (const Map * map, int x, int y)
{
  return map->values[(size_t) y * map->columns + x];
}

static int
has (const Map * map, int x, int y)
{
  return x >= 0 && y >= 0 && x < map->columns && y < map->rows;
}

/* ---- Filters ----------------------------------------------------------------- */

static float
respond (const RefDpmLevel * level, const RefDpmFilter * filter, int features,
    int x, int y)
{
  const float *w = filter->weights;
  float sum = 0;

  for (int r = 0; r < filter->rows; r++)
    for (int c = 0; c < filter->columns; c++) {
      const float *cell = level->features
          + ((size_t) (y + r) * level->columns + x + c) * features;

      for (int f = 0; f < features; f++)
        sum = fmaf (*w++, cell[f], sum);
    }
  return sum;
}

static int
filter_level (const RefDpmLevel * level, const RefDpmFilter * filter,
    int features, Map * out)
{
  if (!map_init (out, level->columns - filter->columns + 1,
          level->rows - filter->rows + 1))
    return 0;
  for (int y = 0; y < out->rows; y++)
    for (int x = 0; x < out->columns; x++)
      out->values[(size_t) y * out->columns + x] = respond (level, filter,
          features, x, y);
  return 1;
}

/* ---- Deformation ------------------------------------------------------------- */

/* Returns: the cost of a part that is @distance cells from its expected position along one axis */
static float
cost (const float *weights, int distance)
{
  return (float) ((double) weights[0] * distance * distance
      + (double) weights[1] * distance);
}

/* Computes the distance transform along one axis: for each cell, the largest value of (score of a
 * position nearby minus the cost of its distance). */
static int
spread (const Map * in, int dx, int dy, const float *weights, Map * out)
{
  if (!map_init (out, in->columns, in->rows))
    return 0;
  for (int y = 0; y < in->rows; y++)
    for (int x = 0; x < in->columns; x++) {
      float best = REF_DPM_NONE;

      for (int i = -REACH; i <= REACH; i++) {
        if (has (in, x - i * dx, y - i * dy)) {
          float value = get (in, x - i * dx, y - i * dy) - cost (weights, i);

          best = value > best ? value : best;
        }
      }
      out->values[(size_t) y * in->columns + x] = best;
    }
  return 1;
}

/* Computes the score that a part contributes, for each cell that may be its expected position, and
 * writes it to @out. */
static int
search_part (const RefDpmLevel * level, const RefDpmPart * part,
    const RefDpmFilter * filter, int features, Map * out)
{
  Map responses = { 0, 0, NULL }, rows = { 0, 0, NULL };
  int ok = filter_level (level, filter, features, &responses)
      && spread (&responses, 1, 0, part->deformation, &rows)
      && spread (&rows, 0, 1, part->deformation + 2, out);

  free (responses.values);
  free (rows.values);
  return ok;
}

/* ---- Components -------------------------------------------------------------- */

/* Responses of all filters of a component */
typedef struct
{
  Map root;
  Map *parts;
} Maps;

/* Computes the responses of all filters of a component. @reduced is the number of reduced features
 * that a cascade uses; 0 for all features. */
static int
maps_init (Maps * maps, const RefDpmComponent * c, const RefDpmLevel * fine,
    const RefDpmLevel * coarse, int reduced)
{
  int features = reduced > 0 ? reduced : REF_DPM_FEATURES, ok;

  maps->root.values = NULL;
  maps->parts = calloc (c->n_parts + 1, sizeof (Map));
  ok = maps->parts != NULL && filter_level (coarse,
      reduced > 0 ? &c->root_pca : &c->root, features, &maps->root);
  for (int i = 0; ok && i < c->n_parts; i++)
    ok = search_part (fine, &c->parts[i], reduced > 0 ? &c->parts[i].pca
        : &c->parts[i].filter, features, &maps->parts[i]);
  return ok;
}

static void
maps_clear (Maps * maps, int n_parts)
{
  for (int i = 0; maps->parts != NULL && i < n_parts; i++)
    free (maps->parts[i].values);
  free (maps->parts);
  free (maps->root.values);
}

/* Describes how the positions of parts depend on the position of the root. */
typedef struct
{
  int octave, margin_x, margin_y;
} Geometry;

/* Returns the score of a component with its root at (@x, @y); REF_DPM_NONE if the component does
 * not fit there. */
static float
add_up (const RefDpmComponent * c, const Geometry * g, const Maps * maps,
    int x, int y)
{
  float sum = c->offset + c->location[g->octave];

  if (!has (&maps->root, x, y))
    return REF_DPM_NONE;
  sum += get (&maps->root, x, y);
  for (int i = 0; i < c->n_parts; i++) {
    int part_x = 2 * x + c->parts[i].x - g->margin_x;
    int part_y = 2 * y + c->parts[i].y - g->margin_y;

    if (!has (&maps->parts[i], part_x, part_y))
      return REF_DPM_NONE;
    sum += get (&maps->parts[i], part_x, part_y);
  }
  return sum;
}

/* Returns 1 if a cascade with the root at (@x, @y) is not stopped by any of its limits. */
static int
is_promising (const RefDpmComponent * c, const Geometry * g,
    const Maps * maps, float shift, int x, int y)
{
  float sum = c->offset + c->location[g->octave];

  if (!has (&maps->root, x, y))
    return 0;
  sum += get (&maps->root, x, y);
  for (int i = 0; i < c->n_parts; i++) {
    const RefDpmPart *part = c->parts + c->order[i];
    const Map *map = maps->parts + c->order[i];
    int part_x = 2 * x + part->x - g->margin_x;
    int part_y = 2 * y + part->y - g->margin_y;

    if (sum < c->limits[i] + shift || !has (map, part_x, part_y))
      return 0;
    sum += get (map, part_x, part_y);
  }
  return sum >= c->limits[c->n_parts] + shift;
}

/* Computes the reduced features that a cascade uses. */
static int
reduce (const RefDpmLevel * level, const RefDpmCascade * cascade,
    RefDpmLevel * out)
{
  size_t n = (size_t) level->columns * level->rows;
  float *to = malloc ((n * cascade->n_pca + 1) * sizeof (float));

  *out = *level;
  out->features = to;
  for (size_t i = 0; to != NULL && i < n; i++)
    for (int k = 0; k < cascade->n_pca; k++) {
      float sum = 0;

      for (int f = 0; f < REF_DPM_FEATURES; f++)
        sum = fmaf (level->features[i * REF_DPM_FEATURES + f],
            cascade->pca[f * cascade->n_pca + k], sum);
      *to++ = sum;
    }
  return out->features != NULL;
}

static int
search_component (const RefDpmComponent * c, int number,
    const RefDpmCascade * cascade, const RefDpmLevel levels[2],
    const RefDpmLevel reduced[2], const Geometry * g, float *scores, int *best)
{
  Maps maps, few = { {0, 0, NULL}, NULL };
  int ok = maps_init (&maps, c, &levels[0], &levels[1], 0)
      && (cascade == NULL || maps_init (&few, c, &reduced[0], &reduced[1],
          cascade->n_pca));

  for (int y = 0; ok && y < levels[1].rows; y++)
    for (int x = 0; x < levels[1].columns; x++) {
      size_t at = (size_t) y * levels[1].columns + x;
      float score = add_up (c, g, &maps, x, y);

      if (score > scores[at] && (cascade == NULL
              || is_promising (c, g, &few, cascade->shift, x, y))) {
        scores[at] = score;
        best[at] = number;
      }
    }
  maps_clear (&maps, c->n_parts);
  maps_clear (&few, c->n_parts);
  return ok;
}

int
ref_dpm (const RefDpmComponent * components, int n_components,
    const RefDpmCascade * cascade, const RefDpmLevel * fine,
    const RefDpmLevel * coarse, int octave, int margin_x, int margin_y,
    float *scores, int *best)
{
  const RefDpmLevel levels[2] = { *fine, *coarse };
  const Geometry g = { octave, margin_x, margin_y };
  RefDpmLevel reduced[2] = { {0, 0, NULL}, {0, 0, NULL} };
  int ok = cascade == NULL || (reduce (fine, cascade, &reduced[0])
      && reduce (coarse, cascade, &reduced[1]));

  for (size_t i = 0; i < (size_t) coarse->columns * coarse->rows; i++) {
    scores[i] = REF_DPM_NONE;
    best[i] = -1;
  }
  for (int i = 0; ok && i < n_components; i++)
    ok = search_component (&components[i], i, cascade, levels, reduced, &g,
        scores, best);
  free ((float *) reduced[0].features);
  free ((float *) reduced[1].features);
  return ok;
}
