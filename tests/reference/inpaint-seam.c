/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the membrane, a smooth surface that is added to a filled hole, or that fills it: see
 * docs/algorithms/inpaint.md. */
#include "inpaint-seam.h"

#include <stdlib.h>
#include <string.h>

#include "inpaint-shade.h"
#include "limits.h"
#include "samples.h"

#define DEPTH 14                /* number of bits of a sample in the computation of the membrane */
#define MIN_CYCLES 3
#define MIN_HARMONIC_CYCLES 6
#define SWEEPS 2
#define MAX_LEVELS 32
#define ONE 32                  /* weight of a neighbor at the distance of one cell */
#define MAX_FLOW (1 << 25)
#define MAX_LIFT (1 << 22)

typedef struct
{
  int width, height;
    uint8_t (*weights)[4];      /* for each cell: the weights of its neighbors left, above, right
                                 * and below, in units of 1 / ONE; 0 beyond the edge of the frame.
                                 * All weights are 0 if the cell is known */
  int32_t *flow;                /* for each cell: sum of the differences that the membrane must have
                                 * between the cell and its neighbors */
  int32_t *lift;                /* value of the membrane at each cell; 0 if the cell is known */
} Level;

typedef struct
{
  Level levels[MAX_LEVELS];
  int n_levels;
  int open[4];                  /* whether the box touches the edge of the frame: left, top, right,
                                 * bottom */
} Membrane;

static int32_t
clamp (int64_t value, int32_t most)
{
  return value < -most ? -most : value > most ? most : (int32_t) value;
}

/* Returns: a / b, rounded to the nearest integer, halves away from 0 */
static int64_t
divide (int64_t a, int b)
{
  return (a + (a < 0 ? -b / 2 : b / 2)) / b;
}

static int
is_inside (const Level * level, int x, int y)
{
  return x >= 0 && y >= 0 && x < level->width && y < level->height;
}

/* Returns: the weight of cell @i itself, which is the sum of the weights of its neighbors; 0 if the
 * cell is known */
static int
sum_weights (const Level * level, int i)
{
  const uint8_t *weights = level->weights[i];

  return weights[0] + weights[1] + weights[2] + weights[3];
}

/* Returns: the flow of cell (@x, @y) (the differences that the membrane must have there) plus the
 * lifts (values of the membrane) of its neighbors. Unknown neighbors have the weight ONE; all
 * others have the lift 0. */
static int64_t
sum_around (const Level * level, int x, int y)
{
  int64_t sum = level->flow[y * level->width + x];

  for (int k = 0; k < 4; k++) {
    int u = x + REF_INPAINT_SIDE_X (k), v = y + REF_INPAINT_SIDE_Y (k);

    if (is_inside (level, u, v))
      sum += level->lift[v * level->width + u];
  }
  return sum;
}

/* Relaxes the cells of a level in two halves, like the white and the black squares of a chessboard
 * (red-black Gauss-Seidel). */
static void
relax (const Level * level)
{
  for (int colour = 0; colour < 2; colour++) {
    for (int y = 0; y < level->height; y++) {
      for (int x = 0; x < level->width; x++) {
        int i = y * level->width + x, n = sum_weights (level, i);

        if (n > 0 && (x + y) % 2 == colour)
          level->lift[i] = clamp (divide (ONE * sum_around (level, x, y), n),
              MAX_LIFT);
      }
    }
  }
}

/* Adds up the residuals of a multigrid level. The sums are the flow (right-hand side) of the next
 * coarser level. */
static void
restrict_flow (const Level * level, const Level * next)
{
  for (int y = 0; y < next->height; y++) {
    for (int x = 0; x < next->width; x++) {
      int64_t sum = 0;

      for (int v = 2 * y; v < 2 * y + 2 && v < level->height; v++) {
        for (int u = 2 * x; u < 2 * x + 2 && u < level->width; u++) {
          int i = v * level->width + u, n = sum_weights (level, i);

          if (n > 0)
            sum += ONE * sum_around (level, u, v)
            - (int64_t) n *level->lift[i];
        }
      }
      next->flow[y * next->width + x] = clamp (divide (sum, ONE), MAX_FLOW);
      next->lift[y * next->width + x] = 0;
    }
  }
}

/* Returns the lift (value of the membrane) of a level at (@x, @y), which may be one cell
 * outside. */
static int64_t
get_lift (const Membrane * membrane, const Level * level, int x, int y)
{
  if ((x < 0 && !membrane->open[0]) || (y < 0 && !membrane->open[1])
      || (x >= level->width && !membrane->open[2])
      || (y >= level->height && !membrane->open[3]))
    return 0;
  x = x < 0 ? 0 : x >= level->width ? level->width - 1 : x;
  y = y < 0 ? 0 : y >= level->height ? level->height - 1 : y;
  return level->lift[y * level->width + x];
}

/* Adds the bilinearly interpolated lift (values of the membrane) of the coarser level @next. */
static void
prolong (const Membrane * membrane, const Level * next, const Level * level)
{
  for (int y = 0; y < level->height; y++) {
    for (int x = 0; x < level->width; x++) {
      int i = y * level->width + x, u = x / 2, v = y / 2;
      int beside = u + (x % 2 ? 1 : -1), above = v + (y % 2 ? 1 : -1);
      int64_t sum = 9 * get_lift (membrane, next, u, v)
          + 3 * get_lift (membrane, next, beside, v)
          + 3 * get_lift (membrane, next, u, above)
          + get_lift (membrane, next, beside, above);

      if (sum_weights (level, i) > 0)
        level->lift[i] = clamp (level->lift[i] + ((sum + 8) >> 4), MAX_LIFT);
    }
  }
}

/* Solves the membrane's equation by V-cycles, whose number increases with the size of the hole. A
 * membrane that is added to copies needs fewer cycles, because its values are small from the
 * beginning. */
static void
solve (const Membrane * membrane, int is_harmonic)
{
  const Level *levels = membrane->levels;
  int last = membrane->n_levels - 1;
  int cycles = is_harmonic ? ref_max (membrane->n_levels + 1,
      MIN_HARMONIC_CYCLES) : ref_max (membrane->n_levels / 2 + 1, MIN_CYCLES);

  for (int cycle = 0; cycle < cycles; cycle++) {
    for (int l = 0; l <= last; l++) {
      for (int n = 0; n < SWEEPS; n++)
        relax (&levels[l]);
      if (l < last)
        restrict_flow (&levels[l], &levels[l + 1]);
    }
    for (int l = last - 1; l >= 0; l--) {
      prolong (membrane, &levels[l + 1], &levels[l]);
      for (int n = 0; n < SWEEPS; n++)
        relax (&levels[l]);
    }
  }
}

/* Returns 1 if cell (@x, @y) of a level is unknown. A cell right of the level or below it is
 * unknown if it is outside of the frame. */
static int
is_unknown (const Membrane * membrane, const Level * level, int x, int y)
{
  if (is_inside (level, x, y))
    return sum_weights (level, y * level->width + x) > 0;
  return (x >= level->width && membrane->open[2])
      || (y >= level->height && membrane->open[3]);
}

/* Returns 1 if all four cells of @level that form cell (@x, @y) of the next coarser level are
 * unknown. */
static int
are_unknown (const Membrane * membrane, const Level * level, int x, int y)
{
  return is_unknown (membrane, level, 2 * x, 2 * y)
      && is_unknown (membrane, level, 2 * x + 1, 2 * y)
      && is_unknown (membrane, level, 2 * x, 2 * y + 1)
      && is_unknown (membrane, level, 2 * x + 1, 2 * y + 1);
}

/* Returns the weight of the border of the hole for a cell of the next coarser level. It is the
 * reciprocal of the distance from the center of this cell to the border. (@x, @y) is the cell of
 * @level inside the coarser cell on side @k. The border is after this cell or after the next
 * one. */
static int
find_border (const Level * level, int x, int y, int k)
{
  int u = x + REF_INPAINT_SIDE_X (k), v = y + REF_INPAINT_SIDE_Y (k);
  int weight = level->weights[y * level->width + x][k];

  if (!is_inside (level, u, v)
      || sum_weights (level, v * level->width + u) == 0)
    return divide (4 * ONE * weight, 2 * ONE + weight);
  weight = level->weights[v * level->width + u][k];
  weight = weight > 0 ? weight : ONE;
  return divide (4 * ONE * weight, 2 * ONE + 3 * weight);
}

/* Returns the weight of the neighbor on side @k of the unknown cell (@x, @y) of the level @next. */
static int
find_weight (const Membrane * membrane, const Level * level,
    const Level * next, int x, int y, int k)
{
  int u = x + REF_INPAINT_SIDE_X (k), v = y + REF_INPAINT_SIDE_Y (k);
  int sum = 0, n = 0;

  if (!is_inside (next, u, v) && membrane->open[k])
    return 0;
  if (is_inside (next, u, v) && are_unknown (membrane, level, u, v))
    return ONE;
  for (int j = 0; j < 2; j++) {
    u = 2 * x + (k % 2 ? j : k == 2);
    v = 2 * y + (k % 2 ? k == 3 : j);
    if (!is_inside (level, u, v))
      continue;
    sum += find_border (level, u, v, k);
    n++;
  }
  return divide (sum, n);
}

/* Computes the weights of the coarser level @next. A cell is unknown if all of its cells in the
 * finer level are unknown. */
static void
coarsen (const Membrane * membrane, const Level * level, const Level * next)
{
  for (int y = 0; y < next->height; y++)
    for (int x = 0; x < next->width; x++)
      for (int k = 0; k < 4; k++)
        next->weights[y * next->width + x][k] =
            are_unknown (membrane, level, x, y)
            ? find_weight (membrane, level, next, x, y, k) : 0;
}

static int
add_level (Membrane * membrane, int width, int height)
{
  Level *level = &membrane->levels[membrane->n_levels++];
  size_t n = (size_t) width * height;

  level->width = width;
  level->height = height;
  level->weights = calloc (n, sizeof (*level->weights));
  level->flow = calloc (n, sizeof (*level->flow));
  level->lift = calloc (n, sizeof (*level->lift));
  return level->weights != NULL && level->flow != NULL && level->lift != NULL;
}

/* Returns: a value of REF_SHADE_DEPTH bits, converted to the unit of samples of DEPTH bits */
static int
scale (int value, int depth)
{
  return depth <= DEPTH ? value : value >> (depth - DEPTH);
}

/* Returns the difference between the neighbor of pixel @i on one side and its expected value. */
static int
find_seam (const int32_t * samples, int32_t * const beside[4], int width, int i,
    int side, int depth, int steepest)
{
  int q = i + REF_INPAINT_SIDE_Y (side) * width + REF_INPAINT_SIDE_X (side);

  return beside[side][i] == REF_NO_SHADE ? 0 : clamp (scale (samples[q]
          - beside[side][i], depth), steepest * (1 << (DEPTH - 8)));
}

/* Returns: the contribution of the known neighbors of pixel (@x, @y) to its flow (right-hand side).
 * It is the sum of their values minus their shades; the membrane continues these values. */
static int32_t
find_edge (const int32_t * samples, const uint8_t * unknown,
    const int32_t * shade, int width, int height, int x, int y, int depth)
{
  int32_t sum = 0;

  for (int k = 0; k < 4; k++) {
    int u = x + REF_INPAINT_SIDE_X (k), v = y + REF_INPAINT_SIDE_Y (k);
    int q = v * width + u;

    if (u >= 0 && v >= 0 && u < width && v < height && !unknown[q])
      sum += scale (samples[q] * (1 << (REF_SHADE_DEPTH (depth) - depth))
          - (shade != NULL && shade[q] != REF_NO_SHADE ? shade[q] : 0), depth);
  }
  return sum;
}

static int32_t
find_flow (const int32_t * samples, const uint8_t * unknown,
    int32_t * const beside[4], int width, int height, int x, int y, int depth,
    int steepest)
{
  int i = y * width + x;
  int32_t sum = 0;

  for (int k = 0; k < 4; k++) {
    int u = x + REF_INPAINT_SIDE_X (k), v = y + REF_INPAINT_SIDE_Y (k), seam;

    if (u < 0 || v < 0 || u >= width || v >= height)
      continue;
    seam = find_seam (samples, beside, width, i, k, depth, steepest);
    sum += unknown[v * width + u] ? seam - find_seam (samples, beside, width,
        v * width + u, (k + 2) % 4, depth, steepest) : 2 * seam;
  }
  return sum >> 1;
}

/* Returns: the box around the hole */
static Box
find_box (const uint8_t * hole, int width, int height)
{
  Box box = { width, height, 0, 0 };

  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      if (!hole[y * width + x])
        continue;
      box.x0 = x < box.x0 ? x : box.x0;
      box.y0 = y < box.y0 ? y : box.y0;
      box.x1 = x >= box.x1 ? x + 1 : box.x1;
      box.y1 = y >= box.y1 ? y + 1 : box.y1;
    }
  }
  return box;
}

/* Adds the membrane to the unknown samples in the box. If @replaces is set, replaces them by the
 * sum of the membrane and their shade instead. */
static void
lift_samples (const Level * level, const Box * box, int32_t * samples,
    const uint8_t * hole, const int32_t * shade, int replaces, int width,
    int depth, const RefPlane * plane)
{
  int more = REF_SHADE_DEPTH (depth) - depth;

  for (int y = box->y0; y < box->y1; y++) {
    for (int x = box->x0; x < box->x1; x++) {
      int i = y * width + x;
      int is_shaded = shade != NULL && shade[i] != REF_NO_SHADE;
      int32_t lift = level->lift[(y - box->y0) * (box->x1 - box->x0)
          + x - box->x0];
      int from = !replaces ? samples[i] : is_shaded ? shade[i] : 0;
      int value = (from + lift * (depth > DEPTH ? 1 << (depth - DEPTH) : 1)
          + (1 << more) / 2) >> more;

      if (!hole[i])
        continue;
      if (plane != NULL && !is_shaded)
        samples[i] = ref_limit (plane, value, from >> more);
      else
        samples[i] = value < 0 ? 0 : value >> depth ? (1 << depth) - 1 : value;
    }
  }
}

/* Computes the membrane and adds it to @samples. If @beside is NULL, the membrane itself is the
 * result. If @plane is NULL, the result is not clamped to the nominal range, but only to its bit
 * depth. */
static int
lay_membrane (int32_t * samples, const uint8_t * unknown, const uint8_t * hole,
    int32_t * const beside[4], const int32_t * shade, int width, int height,
    int depth, const RefPlane * plane, int steepest)
{
  Membrane membrane = {.n_levels = 0 };
  const Box box = find_box (hole, width, height);
  int w = box.x1 - box.x0, h = box.y1 - box.y0, ok;
  const Level *first = &membrane.levels[0];

  if (box.x1 == 0)
    return 1;
  membrane.open[0] = box.x0 == 0;
  membrane.open[1] = box.y0 == 0;
  membrane.open[2] = box.x1 == width;
  membrane.open[3] = box.y1 == height;

  ok = add_level (&membrane, w, h);
  for (int y = box.y0; y < box.y1 && ok; y++) {
    for (int x = box.x0; x < box.x1; x++) {
      int i = y * width + x, at = (y - box.y0) * w + x - box.x0;

      for (int k = 0; k < 4; k++) {
        int u = x + REF_INPAINT_SIDE_X (k), v = y + REF_INPAINT_SIDE_Y (k);

        first->weights[at][k] = unknown[i] && u >= 0 && v >= 0 && u < width
            && v < height ? ONE : 0;
      }
      first->flow[at] = !unknown[i] ? 0 : beside != NULL
          ? find_flow (samples, unknown, beside, width, height, x, y, depth,
          steepest) : find_edge (samples, unknown, shade, width, height, x, y,
          depth);
    }
  }
  while (ok && (w > 2 || h > 2)) {
    w = (w + 1) / 2;
    h = (h + 1) / 2;
    ok = add_level (&membrane, w, h);
    if (ok)
      coarsen (&membrane, &membrane.levels[membrane.n_levels - 2],
          &membrane.levels[membrane.n_levels - 1]);
  }
  if (ok) {
    solve (&membrane, beside == NULL);
    lift_samples (first, &box, samples, hole, shade, beside == NULL, width,
        depth, plane);
  }
  for (int l = 0; l < membrane.n_levels; l++) {
    free (membrane.levels[l].weights);
    free (membrane.levels[l].flow);
    free (membrane.levels[l].lift);
  }
  return ok;
}

int
ref_inpaint_seam (int32_t * samples, const uint8_t * unknown,
    const uint8_t * hole, int32_t * const beside[4], const int32_t * shade,
    int width, int height, int depth, const RefPlane * plane, int steepest)
{
  return lay_membrane (samples, unknown, hole, beside, shade, width, height,
      depth, plane, steepest);
}

int
ref_inpaint_harmonic (int32_t * samples, const uint8_t * unknown,
    const uint8_t * hole, const int32_t * shade, int width, int height,
    int depth)
{
  return lay_membrane (samples, unknown, hole, NULL, shade, width, height,
      depth, NULL, 0);
}
