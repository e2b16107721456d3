/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of tag detection: finds and reads tags. */
#include "tags-private.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CANDIDATES 16384

/* A binary image (map) of the frame, and its connected components */
typedef struct
{
  RefGray grey;
  int tile, columns, scale, most_runs, first_run;
  uint8_t *thresholds;
  RefComponents found;
} Map;

typedef struct
{
  int map, component;
} Candidate;

/* Growing lists of quads and of the points of one candidate */
typedef struct
{
  Map maps[3];
  int n_maps, n_candidates, n_points, n_dropped, n_quads, n_tags;
  Candidate *candidates;
  Quad *quads;
} Work;

static void
map_init (Map * map, const RefTagsParams * params, int number,
    const RefPlane * plane, int first_run)
{
  uint8_t *bits;

  map->grey = ref_gray (plane);
  map->scale = 1;
  for (int i = 0; i < params->maps[number].halvings; i++) {
    RefGray half = ref_halve (&map->grey);

    free (map->grey.data);
    map->grey = half;
    map->scale *= 2;
  }
  map->tile = params->maps[number].tile;
  map->columns = (map->grey.width + map->tile - 1) / map->tile;
  map->most_runs = map->grey.width * 3 / 4 > 1 ? map->grey.width * 3 / 4 : 1;
  map->first_run = first_run;
  map->thresholds = malloc (map->columns
      * ((map->grey.height + map->tile - 1) / map->tile));
  bits = malloc ((size_t) map->grey.width * map->grey.height);
  ref_threshold (&map->grey, map->tile, params->maps[number].is_mean,
      params->contrast, map->thresholds, bits);
  ref_components (bits, map->grey.width, map->grey.height, 2, map->most_runs,
      &map->found);
  free (bits);
}

/* ---- Candidates ---------------------------------------------------------------- */

static int
is_wanted (const RefTagsParams * params, const RefTagsFamily * families, int n,
    int is_white, int border)
{
  for (int i = 0; i < n; i++)
    if ((border == 0 || families[i].border == border)
        && (families[i].is_white == is_white ? params->is_normal
            : params->is_inverted))
      return 1;
  return 0;
}

static int
is_candidate (const Map * map, const RefComponent * c)
{
  int most = 4 * (map->grey.width + map->grey.height);

  return !c->is_edge && c->cracks >= 16 && c->cracks <= most && c->area >= 12
      && (int64_t) c->cracks * c->cracks <= (int64_t) 200 *c->area;
}

/* Returns the number of candidates whose size class is at least @least. *@n_points: number of their
 * points */
static int
count_candidates (Work * work, const RefTagsParams * params,
    const RefTagsFamily * families, int n, int least, int list)
{
  int count = 0;

  work->n_points = 0;
  for (int m = 0; m < work->n_maps; m++)
    for (int i = 0; i < work->maps[m].found.n; i++) {
      const RefComponent *c = &work->maps[m].found.components[i];

      if (!is_wanted (params, families, n, c->is_white, 0)
          || !is_candidate (&work->maps[m], c)
          || ref_components_size (c->cracks) < least)
        continue;
      work->n_points += c->cracks;
      if (list)
        work->candidates[count] = (Candidate) {
        m, i};
      count++;
    }
  return count;
}

static void
list_candidates (Work * work, const RefTagsParams * params,
    const RefTagsFamily * families, int n, int width, int height)
{
  int64_t half = (int64_t) width * height / 2;
  int most_points = half > 64 ? half : 64, least = 0, all;
  int most = most_points / 16 < MAX_CANDIDATES ? most_points / 16
      : MAX_CANDIDATES;

  all = count_candidates (work, params, families, n, 0, 0);
  while (count_candidates (work, params, families, n, least, 0) > most
      || work->n_points > most_points)
    least++;
  work->candidates = malloc ((most + 1) * sizeof (Candidate));
  work->n_candidates = count_candidates (work, params, families, n, least, 1);
  work->n_dropped = all - work->n_candidates;
}

/* ---- Points --------------------------------------------------------------------- */

static int
threshold_of (const Map * map, int x, int y)
{
  return map->thresholds[y / map->tile * map->columns + x / map->tile];
}

/* Adds the boundary point between pixel (@x, @y) and the pixel to its left, or above it, if these
 * lie on both sides of the boundary of component @own. */
static void
add_point (const Map * map, int own, int x, int y, int is_below,
    Crossing * points, int *n)
{
  int width = map->grey.width, u = is_below ? x : x - 1;
  int v = is_below ? y - 1 : y;
  int a = map->found.numbers[v * width + u];
  int b = map->found.numbers[y * width + x];
  int parent = map->found.components[own].parent, from, to, top, bottom, t = 16;

  if (!(a == own && b == parent) && !(b == own && a == parent))
    return;
  from = map->grey.data[(size_t) v * width + u];
  to = map->grey.data[(size_t) y * width + x];
  top = threshold_of (map, u, v) + threshold_of (map, x, y) + 1 - 2 * from;
  bottom = 2 * (to - from);
  if (bottom < 0) {
    top = -top;
    bottom = -bottom;
  }
  if (bottom > 0)
    t = ref_clamp ((64 * top / bottom + 1) / 2, 0, 32);
  points[*n].x = is_below ? 32 * x + 16 : 32 * x - 16 + t;
  points[*n].y = is_below ? 32 * y - 16 + t : 32 * y + 16;
  (*n)++;
}

/* Finds the points of a boundary: in the rows from the first pixel's on, until all are found. */
static int
find_points (const Map * map, int own, Crossing * points)
{
  const RefComponent *c = &map->found.components[own];
  int n = 0;

  for (int y = c->y; y < map->grey.height && n < c->cracks; y++)
    for (int x = 1; x < map->grey.width; x++) {
      add_point (map, own, x, y, 0, points, &n);
      add_point (map, own, x, y, 1, points, &n);
    }
  return n;
}

/* ---- Quads ---------------------------------------------------------------------- */

static int
label_of (const Map * map, const RefComponent * c)
{
  const uint8_t *row = map->found.bits + (size_t) c->y * map->grey.width;
  int run = 0;

  for (int x = 1; x <= c->x; x++)
    run += row[x] != row[x - 1];
  return map->first_run + c->y * map->most_runs + run;
}

static void
find_quads (Work * work, const RefGray * frame, const RefTagsParams * params,
    const RefTagsFamily * families, int n)
{
  work->quads = malloc ((work->n_candidates + 1) * sizeof (Quad));
  for (int i = 0; i < work->n_candidates; i++) {
    const Candidate *candidate = &work->candidates[i];
    const Map *map = &work->maps[candidate->map];
    const RefComponent *c = &map->found.components[candidate->component];
    Crossing *points = malloc (c->cracks * sizeof (Crossing));
    Quad *quad = &work->quads[work->n_quads];
    int ok = 0;

    *quad = (Quad) {
      candidate->map, map->scale, label_of (map, c), c->is_white, {
    0}};
    if (ref_tags_quad (points, find_points (map, candidate->component, points),
            c->area, quad))
      for (int border = 1; border <= 16 && !ok; border++)
        ok = is_wanted (params, families, n, c->is_white, border)
            && ref_tags_has_border (frame, quad, border);
    work->n_quads += ok;
    free (points);
  }
}

static int
is_same (const Quad * a, const Quad * b, int limit)
{
  for (int turn = 0; turn < 8; turn += 2) {
    int n = 0;

    for (int i = 0; i < 8; i++)
      n += abs (a->corners[i] - b->corners[(i + turn) % 8]) <= limit;
    if (n == 8 && a->is_white == b->is_white)
      return 1;
  }
  return 0;
}

static int
is_known (const Work * work, int number)
{
  const Quad *quad = &work->quads[number];

  for (int i = 0; i < number; i++)
    if (work->quads[i].map < quad->map
        && is_same (&work->quads[i], quad, quad->scale * 2 * 65536))
      return 1;
  return 0;
}

void
ref_tags (const RefPlane * plane, const RefTagsParams * params,
    const RefTagsFamily * families, int n_families, RefTags * found)
{
  Work work = {.n_maps = params->n_maps };
  RefGray frame = ref_gray (plane);
  int first_run = 0;

  for (int i = 0; i < work.n_maps; i++) {
    map_init (&work.maps[i], params, i, plane, first_run);
    first_run += work.maps[i].most_runs * work.maps[i].grey.height;
  }
  list_candidates (&work, params, families, n_families, frame.width,
      frame.height);
  find_quads (&work, &frame, params, families, n_families);
  memset (found, 0, sizeof (*found));
  found->tags = malloc ((work.n_quads + 1) * sizeof (RefTag));
  for (int i = 0; i < work.n_quads; i++) {
    RefTag *tag = &found->tags[found->n_tags];
    Point q[4];

    if (is_known (&work, i) || !ref_tags_read (&frame, params, families,
            n_families, &work.quads[i], tag))
      continue;
    memcpy (tag->corners, tag->edges, sizeof (tag->corners));
    ref_tags_load (tag->edges, q, &tag->origin[0], &tag->origin[1]);
    if (params->refine > 1)
      ref_tags_refine (&frame, &families[tag->family], tag);
    found->n_tags++;
  }
  found->n_quads = work.n_quads;
  found->n_candidates = work.n_candidates;
  found->n_points = work.n_points;
  found->dropped_candidates = work.n_dropped;
  for (int i = 0; i < work.n_maps; i++) {
    free (work.maps[i].grey.data);
    free (work.maps[i].thresholds);
    ref_components_clear (&work.maps[i].found);
  }
  free (work.candidates);
  free (work.quads);
  free (frame.data);
}
