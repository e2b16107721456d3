/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "dpm.h"

#include <math.h>
#include <stdlib.h>

#define REACH 4                 /* cells that a part may be away from its place */

/* What a filter gives at each cell where it has place. */
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
respond (const RefDpmLevel * level, const RefDpmFilter * filter, int x, int y)
{
  const float *w = filter->weights;
  float sum = 0;

  for (int r = 0; r < filter->rows; r++)
    for (int c = 0; c < filter->columns; c++) {
      const float *cell = level->features
          + ((size_t) (y + r) * level->columns + x + c) * REF_DPM_FEATURES;

      for (int f = 0; f < REF_DPM_FEATURES; f++)
        sum = fmaf (*w++, cell[f], sum);
    }
  return sum;
}

static int
filter_level (const RefDpmLevel * level, const RefDpmFilter * filter, Map * out)
{
  if (!map_init (out, level->columns - filter->columns + 1,
          level->rows - filter->rows + 1))
    return 0;
  for (int y = 0; y < out->rows; y++)
    for (int x = 0; x < out->columns; x++)
      out->values[(size_t) y * out->columns + x] = respond (level, filter, x,
          y);
  return 1;
}

/* ---- Deformation ------------------------------------------------------------- */

/* What it costs that a part is so many cells away on one axis. */
static float
cost (const float *weights, int distance)
{
  return (float) ((double) weights[0] * distance * distance
      + (double) weights[1] * distance);
}

/* The best of the places that are near on one axis, less what they cost. */
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

/* What a part adds for each place that it should be at. */
static int
search_part (const RefDpmLevel * level, const RefDpmPart * part, Map * out)
{
  Map responses = { 0, 0, NULL }, rows = { 0, 0, NULL };
  int ok = filter_level (level, &part->filter, &responses)
      && spread (&responses, 1, 0, part->deformation, &rows)
      && spread (&rows, 0, 1, part->deformation + 2, out);

  free (responses.values);
  free (rows.values);
  return ok;
}

/* ---- Components -------------------------------------------------------------- */

/* The score with the root at (x, y), or REF_DPM_NONE. */
static float
add_up (const RefDpmComponent * c, int octave, const Map * root,
    const Map * parts, int x, int y, int margin_x, int margin_y)
{
  float sum = c->offset + c->location[octave];

  if (!has (root, x, y))
    return REF_DPM_NONE;
  sum += get (root, x, y);
  for (int i = 0; i < c->n_parts; i++) {
    int part_x = 2 * x + c->parts[i].x - margin_x;
    int part_y = 2 * y + c->parts[i].y - margin_y;

    if (!has (&parts[i], part_x, part_y))
      return REF_DPM_NONE;
    sum += get (&parts[i], part_x, part_y);
  }
  return sum;
}

static int
search_component (const RefDpmComponent * c, int number,
    const RefDpmLevel * fine, const RefDpmLevel * coarse, int octave,
    int margin_x, int margin_y, float *scores, int *best)
{
  Map root = { 0, 0, NULL };
  Map *parts = calloc (c->n_parts + 1, sizeof (Map));
  int ok = parts != NULL && filter_level (coarse, &c->root, &root);

  for (int i = 0; ok && i < c->n_parts; i++)
    ok = search_part (fine, &c->parts[i], &parts[i]);
  for (int y = 0; ok && y < coarse->rows; y++)
    for (int x = 0; x < coarse->columns; x++) {
      size_t at = (size_t) y * coarse->columns + x;
      float score = add_up (c, octave, &root, parts, x, y, margin_x, margin_y);

      if (score > scores[at]) {
        scores[at] = score;
        best[at] = number;
      }
    }
  for (int i = 0; parts != NULL && i < c->n_parts; i++)
    free (parts[i].values);
  free (parts);
  free (root.values);
  return ok;
}

int
ref_dpm (const RefDpmComponent * components, int n_components,
    const RefDpmLevel * fine, const RefDpmLevel * coarse, int octave,
    int margin_x, int margin_y, float *scores, int *best)
{
  for (size_t i = 0; i < (size_t) coarse->columns * coarse->rows; i++) {
    scores[i] = REF_DPM_NONE;
    best[i] = -1;
  }
  for (int i = 0; i < n_components; i++)
    if (!search_component (&components[i], i, fine, coarse, octave, margin_x,
            margin_y, scores, best))
      return 0;
  return 1;
}
