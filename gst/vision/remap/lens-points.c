/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Maps positions of new frames to old frames by a map, and positions of old frames to new frames by
 * its inverse. */
#include "lens-points.h"

#include <kernels/base/warp-shared.h>
#include <math.h>

/* Number of cells along each side of a group of cells */
#define GROUP 8

/* Maximum number of Newton steps from a node to a position; length of a step, in pixels of the new
 * frame, below which the iteration ends; and maximum error of the result, in pixels of the old
 * frame. A map has small steps around exact cells. */
#define STEPS 16
#define LEAST_STEP 1e-4
#define MAX_REST 0.05

/* Units of a margin in a radian */
#define MARGIN_UNITS 16777216.0

/* A group of cells. The box contains the positions, in the old frame and relative to @base, of
 * those nodes of the group that the camera sees. */
typedef struct
{
  gint left, top;               /* first node */
  gint right, bottom;           /* last node */
  gdouble base[2], low[2], high[2];     /* edges of the box, in pixels */
} Group;

struct _MgpuLensIndex
{
  const MgpuLensMap *map;
  gint width, height;
  GArray *groups;
};

static const gint32 *
get_words (const MgpuLensMap * map, guint first)
{
  return &g_array_index (map->words, gint32, first);
}

/* Returns @d, the difference of two column coordinates of the old frame, modulo the width of a
 * whole circle. */
static gdouble
wrap_around (const MgpuLensMap * map, gdouble d)
{
  gdouble wrap = map->wrap / (gdouble) WARP_UNITS;

  return wrap > 0 ? d - wrap * rint (d / wrap) : d;
}

/* Adds to @place, in units, the differences of @other from @base, with the weight @weight. */
static void
add_difference (const MgpuLensMap * map, const gint32 * base,
    const gint32 * other, gdouble weight, gdouble place[2])
{
  gdouble wrap = map->wrap, x = (gdouble) other[0] - base[0];

  if (wrap > 0)
    x -= wrap * rint (x / wrap);
  place[0] += weight * x;
  place[1] += weight * ((gdouble) other[1] - base[1]);
}

/* Returns: the integer part of the coordinate x, clamped to the range from 0 to @most; 0 for NaN */
static gint
find_index (gdouble x, gint most)
{
  return x >= 1 ? MIN (floor (x), most) : 0;
}

/* Sets @place, in units, to the position (x, y), in pixels, of cell (i, j). */
static void
find_between_nodes (const MgpuLensMap * map, gint i, gint j, gdouble x,
    gdouble y, gdouble place[2])
{
  const gint32 *first = get_words (map, map->nodes + 2 * (j * map->columns
          + i));
  const gint32 *base = first + 2 * (map->columns + 1);
  gdouble across[4], down[4];

  mgpu_lens_map_find_weights (x / WARP_CELL, across);
  mgpu_lens_map_find_weights (y / WARP_CELL, down);
  place[0] = base[0];
  place[1] = base[1];
  for (guint b = 0; b < 4; b++)
    for (guint a = 0; a < 4; a++)
      add_difference (map, base, first + 2 * (b * map->columns + a),
          across[a] * down[b], place);
}

/* Sets @place as the function above does, but for an exact cell, which has the positions @exact. */
static void
find_between_pixels (const MgpuLensMap * map, const gint32 * exact, gdouble x,
    gdouble y, gdouble place[2])
{
  gint i = find_index (x, WARP_CELL - 2), j = find_index (y, WARP_CELL - 2);
  const gint32 *base = exact + 2 * (WARP_CELL * j + i);

  x -= i;
  y -= j;
  place[0] = base[0];
  place[1] = base[1];
  for (guint b = 0; b < 2; b++)
    for (guint a = 0; a < 2; a++)
      add_difference (map, base, base + 2 * (WARP_CELL * b + a),
          (a == 0 ? 1 - x : x) * (b == 0 ? 1 - y : y), place);
}

static gdouble
find_margin (const MgpuLensMap * map, gint i, gint j, gdouble x, gdouble y)
{
  const gint32 *upper, *lower;
  gdouble f = x / WARP_CELL, g = y / WARP_CELL, a, b;

  if (map->margins == 0)
    return MGPU_LENS_INSIDE;
  upper = get_words (map, map->margins + (j + 1) * map->columns + i + 1);
  lower = upper + map->columns;
  a = upper[0] + f * ((gdouble) upper[1] - upper[0]);
  b = lower[0] + f * ((gdouble) lower[1] - lower[0]);
  return (a + g * (b - a)) / MARGIN_UNITS;
}

gdouble
mgpu_lens_map_find (const MgpuLensMap * map, gdouble x, gdouble y,
    gdouble place[2])
{
  gint i = find_index (x / WARP_CELL, map->columns - 4);
  gint j = find_index (y / WARP_CELL, map->rows - 4);
  gint exact = *get_words (map, map->cells + j * (map->columns - 3) + i);

  x -= WARP_CELL * i;
  y -= WARP_CELL * j;
  if (exact < 0)
    find_between_nodes (map, i, j, x, y, place);
  else
    find_between_pixels (map, get_words (map, map->exact
            + 2 * WARP_CELL * WARP_CELL * exact), x, y, place);
  place[0] /= WARP_UNITS;
  place[1] /= WARP_UNITS;
  return find_margin (map, i, j, x, y);
}

/* ---- The inverse ------------------------------------------------------------------- */

/* Sets @place to the position of a node in the old frame. Returns: FALSE if the camera does not see
 * it */
static gboolean
get_node (const MgpuLensMap * map, gint i, gint j, gdouble place[2])
{
  gint node = j * map->columns + i;
  const gint32 *words = get_words (map, map->nodes + 2 * node);

  place[0] = words[0] / (gdouble) WARP_UNITS;
  place[1] = words[1] / (gdouble) WARP_UNITS;
  return map->margins == 0 || *get_words (map, map->margins + node) >= 0;
}

/* Sets the box of a group. Returns: FALSE if the camera sees none of its nodes */
static gboolean
set_box (const MgpuLensMap * map, Group * group)
{
  gboolean is_seen = FALSE;

  for (gint j = group->top; j <= group->bottom; j++)
    for (gint i = group->left; i <= group->right; i++) {
      gdouble place[2], d[2];

      if (!get_node (map, i, j, place))
        continue;
      for (guint k = 0; k < 2; k++) {
        if (!is_seen) {
          group->base[k] = place[k];
          group->low[k] = group->high[k] = 0;
        }
        d[k] = place[k] - group->base[k];
        if (k == 0)
          d[k] = wrap_around (map, d[k]);
        group->low[k] = MIN (group->low[k], d[k]);
        group->high[k] = MAX (group->high[k], d[k]);
      }
      is_seen = TRUE;
    }
  return is_seen;
}

MgpuLensIndex *
mgpu_lens_index_new (const MgpuLensMap * map, gint width, gint height)
{
  MgpuLensIndex *self = g_new0 (MgpuLensIndex, 1);

  self->map = map;
  self->width = width;
  self->height = height;
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  for (gint j = 1; j < map->rows - 2; j += GROUP)
    for (gint i = 1; i < map->columns - 2; i += GROUP) {
      Group group = { i, j, MIN (i + GROUP, map->columns - 2),
        MIN (j + GROUP, map->rows - 2)
      };

      if (set_box (map, &group))
        g_array_append_val (self->groups, group);
    }
  return self;
}

void
mgpu_lens_index_free (MgpuLensIndex * self)
{
  g_array_unref (self->groups);
  g_free (self);
}

/* Returns whether the position @old of the old frame may be in a group. The box is enlarged by a
 * quarter, because positions between nodes may be outside the box. */
static gboolean
may_have (const MgpuLensMap * map, const Group * group, const gdouble old[2])
{
  for (guint k = 0; k < 2; k++) {
    gdouble spare = (group->high[k] - group->low[k]) / 4 + 2;
    gdouble d = old[k] - group->base[k];

    if (k == 0)
      d = wrap_around (map, d);
    if (d < group->low[k] - spare || d > group->high[k] + spare)
      return FALSE;
  }
  return TRUE;
}

/* Sets @at to the position in the new frame of the node of @group that is nearest to @old. */
static void
find_nearest (const MgpuLensMap * map, const Group * group,
    const gdouble old[2], gdouble at[2])
{
  gdouble least = G_MAXDOUBLE;

  for (gint j = group->top; j <= group->bottom; j++)
    for (gint i = group->left; i <= group->right; i++) {
      gdouble place[2], x, y;

      if (!get_node (map, i, j, place))
        continue;
      x = wrap_around (map, place[0] - old[0]);
      y = place[1] - old[1];
      if (x * x + y * y < least) {
        least = x * x + y * y;
        at[0] = WARP_CELL * (i - 1);
        at[1] = WARP_CELL * (j - 1);
      }
    }
}

/* Sets @rest to the position in the old frame that belongs to @at, minus @old. Returns: the
 * margin */
static gdouble
find_rest (const MgpuLensMap * map, const gdouble old[2], gdouble x, gdouble y,
    gdouble rest[2])
{
  gdouble place[2], margin = mgpu_lens_map_find (map, x, y, place);

  rest[0] = wrap_around (map, place[0] - old[0]);
  rest[1] = place[1] - old[1];
  return margin;
}

/* Moves @at to the position in the new frame that shows @old, by Newton steps with derivatives from
 * differences of half a pixel. Returns: FALSE if there is no such position nearby */
static gboolean
refine (const MgpuLensIndex * self, const gdouble old[2], gdouble at[2])
{
  gdouble rest[2], margin;

  for (guint step = 0; step < STEPS; step++) {
    gdouble a[2], b[2], c[2], d[2], det, x, y;

    find_rest (self->map, old, at[0], at[1], rest);
    find_rest (self->map, old, at[0] - 0.5, at[1], a);
    find_rest (self->map, old, at[0] + 0.5, at[1], b);
    find_rest (self->map, old, at[0], at[1] - 0.5, c);
    find_rest (self->map, old, at[0], at[1] + 0.5, d);
    for (guint k = 0; k < 2; k++) {
      b[k] -= a[k];
      d[k] -= c[k];
    }
    b[0] = wrap_around (self->map, b[0]);
    d[0] = wrap_around (self->map, d[0]);
    det = b[0] * d[1] - d[0] * b[1];
    if (fabs (det) < 1e-12)
      return FALSE;
    x = (d[1] * rest[0] - d[0] * rest[1]) / det;
    y = (b[0] * rest[1] - b[1] * rest[0]) / det;
    at[0] = CLAMP (at[0] - x, -WARP_CELL, self->width + WARP_CELL);
    at[1] = CLAMP (at[1] - y, -WARP_CELL, self->height + WARP_CELL);
    if (MAX (fabs (x), fabs (y)) < LEAST_STEP)
      break;
  }
  margin = find_rest (self->map, old, at[0], at[1], rest);
  return margin >= 0 && MAX (fabs (rest[0]), fabs (rest[1])) <= MAX_REST
      && at[0] >= -0.5 && at[0] <= self->width - 0.5
      && at[1] >= -0.5 && at[1] <= self->height - 0.5;
}

gboolean
mgpu_lens_index_find (const MgpuLensIndex * self, const gdouble old[2],
    gdouble at[2])
{
  for (guint i = 0; i < self->groups->len; i++) {
    const Group *group = &g_array_index (self->groups, Group, i);

    if (!may_have (self->map, group, old))
      continue;
    find_nearest (self->map, group, old, at);
    if (refine (self, old, at))
      return TRUE;
  }
  return FALSE;
}
