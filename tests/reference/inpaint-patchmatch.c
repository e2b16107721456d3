/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of PatchMatch inpainting: fills holes from coarse to fine, see
 * docs/algorithms/inpaint-patchmatch.md. */
#include "inpaint-patchmatch.h"
#include "limits.h"

#include <stdlib.h>
#include <string.h>

#define P REF_PATCHMATCH_SIZE
#define R (P / 2)
#define MAX_LEVELS 12
#define MAX_DEPTH 63            /* maximum distance from the nearest known pixel that is stored;
                                 * larger distances are clamped to it */
#define TOP_DEPTH 10            /* maximum distance of an unknown pixel from known pixels on the
                                 * coarsest level, if this level has sources */
#define MIN_SOURCES 64          /* minimum number of sources of the coarsest level */
#define MIN_TRIALS 128          /* minimum number of sources that a pixel of the coarsest level
                                 * tries at first */
#define MAX_TRIALS 4096
#define ALL_TRIALS (1 << 20)    /* maximum number of first trials of all pixels together */
#define TOP_ROUNDS 10
#define ROUNDS 4
#define LAST_ROUNDS 3           /* number of search rounds on level 0, the full resolution */
#define TEXTURE 4               /* factor of the texture difference in costs */
#define SOFT (P * P * 8)        /* number that is added to costs when the weights of patches are
                                 * computed */
#define CHANNELS 4

typedef struct
{
  int width, height, depth, n_sources;
  uint8_t *pixels;              /* three colors and the texture of each pixel, a byte each */
  uint8_t *unknown, *forbidden, *source, *target;
  uint8_t *distance;            /* distance of each pixel from the nearest known pixel, at most
                                 * 63 */
  int32_t *sources;             /* pixel indices of the sources, in ascending order */
  int32_t *field[2];            /* source of each target, before and after a propagation pass */
  uint32_t *cost[2];
} Level;

/* Mixes the bits of a number, so that each bit affects all bits of the result (a hash). */
static uint32_t
mix (uint32_t n)
{
  n ^= n >> 16;
  n *= 0x7feb352du;
  n ^= n >> 15;
  n *= 0x846ca68bu;
  return n ^ n >> 16;
}

static uint32_t
draw (int level, int round, int pixel, int trial)
{
  return mix ((uint32_t) pixel + mix ((uint32_t) (level << 16 | round << 8
              | trial) + 1));
}

static int
is_inside (const Level * level, int x, int y)
{
  return x >= 0 && y >= 0 && x < level->width && y < level->height;
}

/* Returns 1 if the whole patch around (@x, @y) lies inside the level. */
static int
is_center (const Level * level, int x, int y)
{
  return x >= R && y >= R && x < level->width - R && y < level->height - R;
}

/* ---- Levels ---------------------------------------------------------------- */

static int
level_alloc (Level * level, int width, int height)
{
  size_t n = (size_t) width * height;
  uint8_t *bytes = calloc (n, CHANNELS + 5);
  int32_t *words = calloc (n, 5 * sizeof (*words));

  level->width = width;
  level->height = height;
  level->pixels = bytes;
  level->sources = words;
  if (bytes == NULL || words == NULL)
    return 0;
  level->unknown = bytes + CHANNELS * n;
  level->forbidden = level->unknown + n;
  level->source = level->forbidden + n;
  level->target = level->source + n;
  level->distance = level->target + n;
  level->field[0] = words + n;
  level->field[1] = words + 2 * n;
  level->cost[0] = (uint32_t *) words + 3 * n;
  level->cost[1] = (uint32_t *) words + 4 * n;
  return 1;
}

static void
level_clear (Level * level)
{
  free (level->pixels);
  free (level->sources);
}

/* Computes the distance of each pixel from the nearest known pixel, in steps to one of 8 neighbors,
 * and the largest of these distances. */
static void
find_distances (Level * level)
{
  int n = level->width * level->height, goes_on = 1;

  for (int i = 0; i < n; i++)
    level->distance[i] = level->unknown[i] ? 255 : 0;
  for (int d = 1; goes_on; d++) {
    goes_on = 0;
    for (int i = 0; i < n; i++) {
      int x = i % level->width, y = i / level->width, is_next = 0;

      if (level->distance[i] != 255)
        continue;
      for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++)
          is_next |= is_inside (level, u, v) && (d <= MAX_DEPTH
              ? level->distance[v * level->width + u] == d - 1
              : level->distance[v * level->width + u] == MAX_DEPTH);
      if (!is_next)
        continue;
      level->distance[i] = d <= MAX_DEPTH ? d : MAX_DEPTH;
      level->depth = level->distance[i];
      goes_on = 1;
    }
  }
}

/* Finds the sources and the targets. Patches around sources have no unknown and no forbidden
 * pixels; patches around targets have unknown pixels. */
static void
find_centers (Level * level)
{
  for (int y = 0; y < level->height; y++) {
    for (int x = 0; x < level->width; x++) {
      int i = y * level->width + x, touches = 0, is_source = 1;

      if (!is_center (level, x, y))
        continue;
      for (int v = y - R; v <= y + R; v++) {
        for (int u = x - R; u <= x + R; u++) {
          int at = v * level->width + u;

          touches |= level->unknown[at];
          is_source &= !level->unknown[at] && !level->forbidden[at];
        }
      }
      level->target[i] = touches;
      level->source[i] = is_source;
      if (is_source)
        level->sources[level->n_sources++] = i;
    }
  }
}

/* Returns the length of the gradient, summed over all colors; -1 next to an unknown pixel. */
static int
find_gradient (const Level * level, int x, int y)
{
  int i = y * level->width + x, sum = 0;

  if (!is_inside (level, x, y) || !is_inside (level, x + 1, y + 1)
      || level->unknown[i] || level->unknown[i + 1]
      || level->unknown[i + level->width])
    return -1;
  for (int c = 0; c < 3; c++)
    sum += abs (level->pixels[CHANNELS * (i + 1) + c]
        - level->pixels[CHANNELS * i + c])
        + abs (level->pixels[CHANNELS * (i + level->width) + c]
        - level->pixels[CHANNELS * i + c]);
  return sum;
}

/* Returns the texture of a pixel: the scaled mean length of the gradients around it. */
static int
find_texture (const Level * level, int x, int y)
{
  int sum = 0, count = 0;

  for (int v = y - R; v <= y + R; v++) {
    for (int u = x - R; u <= x + R; u++) {
      int gradient = find_gradient (level, u, v);

      sum += gradient > 0 ? gradient : 0;
      count += gradient >= 0;
    }
  }
  sum = count > 0 ? TEXTURE * sum / (3 * count) : 0;
  return sum < 255 ? sum : 255;
}

static void
load (Level * level, const RefPatchmatch * picture)
{
  int n = level->width * level->height;

  for (int i = 0; i < n; i++) {
    level->unknown[i] = picture->unknown[i] != 0;
    level->forbidden[i] = picture->forbidden != NULL
        && picture->forbidden[i] != 0;
    for (int c = 0; c < 3; c++)
      level->pixels[CHANNELS * i + c] = picture->colour[c][i];
  }
  for (int i = 0; i < n; i++)
    level->pixels[CHANNELS * i + 3] = find_texture (level, i % level->width,
        i / level->width);
}

/* Scales a level to half its width and height with the weights 1 3 3 1. Uses only known pixels. A
 * pixel of @next is unknown if one of its four pixels is unknown. */
static void
reduce (const Level * level, const Level * next)
{
  static const int weights[] = { 1, 3, 3, 1 };

  for (int i = 0; i < next->width * next->height; i++) {
    int x = 2 * (i % next->width), y = 2 * (i / next->width);
    int sums[CHANNELS] = { 0 }, all = 0;

    for (int v = -1; v < 3; v++) {
      for (int u = -1; u < 3; u++) {
        int at = (y + v) * level->width + x + u, w =
            weights[u + 1] * weights[v + 1];

        if (!is_inside (level, x + u, y + v))
          continue;
        if (u >= 0 && v >= 0 && u < 2 && v < 2) {
          next->unknown[i] |= level->unknown[at];
          next->forbidden[i] |= level->forbidden[at];
        }
        if (level->unknown[at])
          continue;
        all += w;
        for (int c = 0; c < CHANNELS; c++)
          sums[c] += w * level->pixels[CHANNELS * at + c];
      }
    }
    for (int c = 0; c < CHANNELS; c++)
      next->pixels[CHANNELS * i + c] = all > 0 ? (sums[c] + all / 2) / all : 0;
  }
}

/* ---- Sources --------------------------------------------------------------- */

/* Returns the sum of squared differences between the patches around two pixels. Compares only those
 * pixels of the target patch whose distance from the known part is less than @limit. */
static uint32_t
find_cost (const Level * level, int target, int source, int limit)
{
  uint32_t sum = 0;

  for (int v = -R; v <= R; v++) {
    for (int u = -R; u <= R; u++) {
      int at = v * level->width + u;

      if (level->distance[target + at] >= limit)
        continue;
      for (int c = 0; c < CHANNELS; c++) {
        int d = level->pixels[CHANNELS * (target + at) + c]
            - level->pixels[CHANNELS * (source + at) + c];

        sum += d * d;
      }
    }
  }
  return sum;
}

typedef struct
{
  uint32_t cost, apart;
  int source;
} Match;

/* Sets @best to the source if its cost is lower. If the costs are equal, prefers the source
 * nearer to the target; if the distances are also equal, the source with the lower index. */
static void
try_source (const Level * level, int target, int source, int limit,
    Match * best)
{
  uint32_t dx = source % level->width - target % level->width;
  uint32_t dy = source / level->width - target / level->width;
  Match match = { 0, dx * dx + dy * dy, source };

  if (source == best->source || !level->source[source])
    return;
  match.cost = find_cost (level, target, source, limit);
  if (match.cost < best->cost || (match.cost == best->cost
          && (match.apart < best->apart || (match.apart == best->apart
                  && source < best->source))))
    *best = match;
}

#define NO_MATCH { UINT32_MAX, UINT32_MAX, -1 }

static Match
get_match (const Level * level, int side, int target)
{
  Match match = NO_MATCH;

  try_source (level, target, level->field[side][target], MAX_DEPTH + 1, &match);
  return match;
}

/* ---- Initial colors of the coarsest level ------------------------------------ */

/* Fills pixel (@x, @y) of the coarsest level with the color at the center of the best of several
 * source patches: random patches, and patches that continue the source patches of its neighbors. */
static void
peel_pixel (Level * level, int number, int trials, int x, int y)
{
  int cx = ref_clamp (x, R, level->width - R - 1);
  int cy = ref_clamp (y, R, level->height - R - 1);
  int i = y * level->width + x, center = cy * level->width + cx;
  int d = level->distance[i];
  Match best = NO_MATCH;

  /* Tries random sources, unless there are few enough to try all. */
  for (int trial = 0; trial < trials && level->n_sources > trials; trial++)
    try_source (level, center, level->sources[draw (number, 0, i, trial)
            % level->n_sources], d, &best);
  for (int n = 0; n < level->n_sources && level->n_sources <= trials; n++)
    try_source (level, center, level->sources[n], d, &best);
  for (int v = cy - 1; v <= cy + 1; v++) {
    for (int u = cx - 1; u <= cx + 1; u++) {
      int next = v * level->width + u, source;

      if (!is_center (level, u, v) || level->distance[next] == 0
          || level->distance[next] >= d)
        continue;
      source = level->field[0][next] + (cy - v) * level->width + cx - u;
      if (is_center (level, level->field[0][next] % level->width + cx - u,
              level->field[0][next] / level->width + cy - v))
        try_source (level, center, source, d, &best);
    }
  }
  memcpy (&level->pixels[CHANNELS * i],
      &level->pixels[CHANNELS * (best.source + i - center)], CHANNELS);
  if (i == center)
    level->field[0][i] = best.source;
}

static void
peel (Level * level, int number)
{
  int n = level->width * level->height, n_unknown = 0, trials;

  for (int i = 0; i < n; i++)
    n_unknown += level->unknown[i];
  trials = ref_clamp (ALL_TRIALS / n_unknown, MIN_TRIALS, MAX_TRIALS);
  for (int i = 0; i < n; i++)
    if (level->target[i])
      level->field[0][i] = level->sources[draw (number, 0, i, 0)
          % level->n_sources];
  for (int d = 1; d <= level->depth; d++)
    for (int i = 0; i < n; i++)
      if (level->distance[i] == d)
        peel_pixel (level, number, trials, i % level->width, i / level->width);
}

/* ---- Rounds ----------------------------------------------------------------- */

/* Sets the source of each target to the source of the same position of the next coarser level, with
 * doubled coordinates. */
static void
grow (const Level * above, Level * level)
{
  for (int y = 0; y < level->height; y++) {
    for (int x = 0; x < level->width; x++) {
      int i = y * level->width + x, u, v, sx, sy, from;

      if (!level->target[i])
        continue;
      u = ref_clamp (x / 2, R, above->width - R - 1);
      v = ref_clamp (y / 2, R, above->height - R - 1);
      from = above->field[0][v * above->width + u];
      sx = 2 * (from % above->width) + x - 2 * u;
      sy = 2 * (from / above->width) + y - 2 * v;
      if (!is_center (level, sx, sy) || !level->source[sy * level->width + sx]) {
        sx = 2 * (from % above->width);
        sy = 2 * (from / above->width);
      }
      level->field[0][i] = sy * level->width + sx;
      level->cost[0][i] = 0;
    }
  }
}

/* Tries, for each target, the sources of the targets that are @jump pixels away from it, shifted
 * back by this distance. */
static void
propagate (Level * level, int side, int jump)
{
  for (int y = R; y < level->height - R; y++) {
    for (int x = R; x < level->width - R; x++) {
      int i = y * level->width + x;
      Match best;

      if (!level->target[i])
        continue;
      best = get_match (level, side, i);
      for (int k = 0; k < 9; k++) {
        int dx = (k % 3 - 1) * jump, dy = (k / 3 - 1) * jump, from;
        int next = (y + dy) * level->width + x + dx;

        if (k == 4 || !is_center (level, x + dx, y + dy)
            || !level->target[next])
          continue;
        from = level->field[side][next];
        if (is_center (level, from % level->width - dx,
                from / level->width - dy))
          try_source (level, i, from - dy * level->width - dx, MAX_DEPTH + 1,
              &best);
      }
      level->field[!side][i] = best.source;
      level->cost[!side][i] = best.cost;
    }
  }
}

/* Tries random sources around the current source, for each target, at decreasing distances. */
static void
search (Level * level, int number, int round, int radius)
{
  for (int i = 0; i < level->width * level->height; i++) {
    Match best;
    int trial = 0;

    if (!level->target[i])
      continue;
    best = get_match (level, 0, i);
    for (int r = radius; r > 0; r /= 2) {
      uint32_t random = draw (number, round + 1, i, trial++);
      int x = best.source % level->width - r
          + (int) ((random & 0xffff) * (2 * r + 1) >> 16);
      int y = best.source / level->width - r
          + (int) ((random >> 16) * (2 * r + 1) >> 16);

      x = ref_clamp (x, R, level->width - R - 1);
      y = ref_clamp (y, R, level->height - R - 1);
      try_source (level, i, y * level->width + x, MAX_DEPTH + 1, &best);
    }
    level->field[0][i] = best.source;
    level->cost[0][i] = best.cost;
  }
}

/* Returns the confidence of a pixel for a distance from the known part. */
static uint32_t
find_confidence (int distance)
{
  uint32_t confidence = 4096;

  for (; distance > 0 && confidence > 16; distance--)
    confidence = confidence * 197 >> 8;
  return confidence;
}

/* Sets each unknown pixel to the weighted mean of the pixels with which the source patches would
 * fill it. A patch has a larger weight if it matches well and if it is near known pixels. */
static void
vote (Level * level)
{
  for (int i = 0; i < level->width * level->height; i++) {
    int x = i % level->width, y = i / level->width;
    uint32_t least = UINT32_MAX, all = 0, sums[CHANNELS] = { 0 };

    if (!level->unknown[i])
      continue;
    for (int pass = 0; pass < 2; pass++) {
      for (int v = y - R; v <= y + R; v++) {
        for (int u = x - R; u <= x + R; u++) {
          int at = v * level->width + u, from;
          uint32_t cost, weight;

          if (!is_center (level, u, v))
            continue;
          cost = level->cost[0][at];
          if (pass == 0) {
            least = cost < least ? cost : least;
            continue;
          }
          weight = ((least + SOFT) << 8) / (cost + SOFT);
          weight = (weight * weight * find_confidence (level->distance[at])
              >> 12) + 1;
          from = level->field[0][at] + i - at;
          for (int c = 0; c < CHANNELS; c++)
            sums[c] += weight * level->pixels[CHANNELS * from + c];
          all += weight;
        }
      }
    }
    for (int c = 0; c < CHANNELS; c++)
      level->pixels[CHANNELS * i + c] = (sums[c] + all / 2) / all;
  }
}

/* Sets the origin of each unknown pixel, that is, the pixel from which it is copied. It is given by
 * the best patch that covers the unknown pixel; if several are equally good, by the first of
 * them. */
static void
finish (const Level * level, int32_t * origin)
{
  for (int i = 0; i < level->width * level->height; i++) {
    int x = i % level->width, y = i / level->width;
    uint32_t least = UINT32_MAX;

    if (!level->unknown[i])
      continue;
    for (int v = y - R; v <= y + R; v++) {
      for (int u = x - R; u <= x + R; u++) {
        int at = v * level->width + u;

        if (!is_center (level, u, v) || level->cost[0][at] >= least)
          continue;
        least = level->cost[0][at];
        origin[i] = level->field[0][at] + i - at;
      }
    }
  }
}

static void
optimise (Level * level, int number, int rounds, int radius, int is_last)
{
  for (int round = 0; round < rounds; round++) {
    for (int jump = 8, side = 0; jump > 0; jump /= 2, side = !side)
      propagate (level, side, jump);
    search (level, number, round, radius);
    if (!is_last || round + 1 < rounds)
      vote (level);
  }
}

/* ---- All levels ------------------------------------------------------------- */

RefPatchmatchResult
ref_inpaint_patchmatch (const RefPatchmatch * picture, int32_t * origin)
{
  Level levels[MAX_LEVELS] = { {0} };
  int n = 1, ok = level_alloc (&levels[0], picture->width, picture->height);
  int has_source = 0;

  if (ok) {
    load (&levels[0], picture);
    find_distances (&levels[0]);
    find_centers (&levels[0]);
    has_source = levels[0].n_sources > 0;
  }
  while (ok && has_source && n < MAX_LEVELS && levels[n - 1].depth > TOP_DEPTH) {
    Level *level = &levels[n - 1], *next = &levels[n];

    ok = level_alloc (next, (level->width + 1) / 2, (level->height + 1) / 2);
    if (!ok)
      break;
    reduce (level, next);
    find_distances (next);
    find_centers (next);
    if (next->n_sources < MIN_SOURCES) {
      level_clear (next);
      *next = (Level) {
      0};
      break;
    }
    n++;
  }
  if (ok && has_source) {
    int top = n - 1, radius = levels[top].width > levels[top].height
        ? levels[top].width : levels[top].height;

    for (int l = top; l >= 0; l--) {
      if (l == top) {
        peel (&levels[l], l);
      } else {
        grow (&levels[l + 1], &levels[l]);
        vote (&levels[l]);
      }
      optimise (&levels[l], l, l == 0 ? LAST_ROUNDS : l == top ? TOP_ROUNDS
          : ROUNDS, radius, l == 0);
    }
    finish (&levels[0], origin);
  }
  for (int l = 0; l < MAX_LEVELS; l++)
    level_clear (&levels[l]);
  return !ok ? REF_PATCHMATCH_NO_MEMORY : has_source ? REF_PATCHMATCH_DONE
      : REF_PATCHMATCH_NO_SOURCE;
}
