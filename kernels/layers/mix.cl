/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills pixels with a mixture of the plate (the remembered background), of moving objects in
 * other frames, and of moving objects at the ends of lines through the pixel. Colors are
 * added up multiplied by their opacity. */
#include "base/lines.h"
#include "layers/cells.h"

/* Origins of a color, for each of which weights are added up: candidates (moving objects in other
 * frames), the plate, and the filling along lines */
#define N_ORIGINS 3
#define CANDIDATES 0
#define PLATE 1
#define SPATIAL 2

typedef struct
{
  ulong colour[4], opacity, weights, origins[N_ORIGINS];
} Mixture;

/* Adds a color with the weight @weight to a mixture. */
static void
add_colour (Mixture * mixture, const uint * colour, uint opacity, uint weight,
    int origin)
{
  int c;

  for (c = 0; c < N; c++)
    mixture->colour[c] += (ulong) weight * colour[c];
  mixture->opacity += (ulong) weight * opacity;
  mixture->weights += weight;
  mixture->origins[origin] += weight;
}

/* Fills pixel (x, y) along lines: sets @colour to the weighted mean of the colors at the ends of
 * the lines.
 * @ends: distances to both ends of each line; @pixels, @values: the frame
 * Returns: in x, the opacity; in y, the mean difference between the two ends of a line, weighted by
 * opacity, in units of 1/64 level */
static uint2
fill_along_lines (global const uint * pixels, global const ushort * values,
    global const uchar * opacities, global const ushort2 * ends, int n, int x,
    int y, int width, int stride, int size, uint * colour)
{
  ulong sums[4] = { 0, 0, 0, 0 }, opacity = 0, all = 0, differences = 0;
  ulong moving = 0;
  int k, c;

  for (k = 0; k < LINES; k++) {
    uint2 end = convert_uint2 (ends[k * n]), weight;
    int2 p, q;
    uint a, b, alpha, beta, difference;
    int i, l;

    end.x = end.x <= LINES_REACH ? end.x : 0;
    end.y = end.y <= LINES_REACH ? end.y : 0;
    p = get_place (x, y, k, (int) end.x, 1);
    q = get_place (x, y, k, (int) end.y, -1);
    if (end.x + end.y == 0)
      continue;
    p = end.x > 0 ? p : q;
    q = end.y > 0 ? q : p;
    i = p.y * width + p.x;
    l = q.y * width + q.x;
    a = pixels[get_index (stride, p.x, p.y)];
    b = pixels[get_index (stride, q.x, q.y)];
    alpha = opacities[i];
    beta = opacities[l];
    difference = abs_diff (a & 255, b & 255) + (abs_diff (a >> 8 & 255,
            b >> 8 & 255) + abs_diff (a >> 16 & 255, b >> 16 & 255)) / 2;
    weight = weigh_ends (end, difference);
    all += (ulong) weight.x + weight.y;
    {
      ulong first = (ulong) weight.x * alpha, second = (ulong) weight.y * beta;

      opacity += first + second;
      if (end.x > 0 && end.y > 0) {
        differences += (first + second) * min (difference, 40u);
        moving += first + second;
      }
      for (c = 0; c < N; c++)
        sums[c] += first * values[c * size + i] + second * values[c * size + l];
    }
  }
  all = max (all, (ulong) 1);
  for (c = 0; c < N; c++)
    colour[c] = sums[c] / all;
  return (uint2) (opacity / all, 64 * differences / max (moving, (ulong) 1));
}

/* Returns the weight 4096 2^(-difference / 180). */
static uint
get_weight (global const ushort * table, uint difference)
{
  uint i = difference / 4;

  return i < LAYERS_WEIGHTS ? table[min (i, LAYERS_WEIGHTS - 1u)] : 0;
}

/* Sets @colour to the color that a candidate shows at (x, y). Returns the opacity of this color,
 * or LAYERS_HIDDEN if the position is not visible in the candidate's frame. */
static uint
get_look (global const uint * pixels, global const ushort * values, Scene s,
    int number, int slots, int oldest, Candidate candidate, int x, int y,
    int width, int height, int stride, int area, uint * colour)
{
  int u = x + ((candidate.d.x + 4) >> 3), v = y + ((candidate.d.y + 4) >> 3);
  int then = number - candidate.age, size = width * height, c;
  int is_seen = candidate.age != 0 && has_frame (s, oldest, then) && u >= 0
      && v >= 0 && u < width && v < height;
  uint alpha = LAYERS_HIDDEN;

  if (is_seen)
    alpha = get_alpha (pixels[(size_t) (then % slots) * area
            + get_index (stride, u, v)]);
  for (c = 0; c < N && alpha != LAYERS_HIDDEN; c++)
    colour[c] = alpha * values[((size_t) (then % slots) * N + c) * size
        + v * width + u];
  return alpha;
}

/* Blends the mixture over the plate, and writes the result to pixel @at of @filled. Returns the
 * origin with the largest weight. */
static int
store_mixture (Mixture * sum, global const int *plate, int size, int at,
    global ushort * filled)
{
  const uint nothing[4] = { 0, 0, 0, 0 };
  int c;

  if (sum->weights == 0)
    add_colour (sum, nothing, 0, 1, PLATE);
  for (c = 0; c < N; c++) {
    ulong rest = sum->weights * LAYERS_OPAQUE - sum->opacity;
    ulong all = 16 * LAYERS_OPAQUE * sum->weights;

    filled[c * size + at] = (16 * sum->colour[c] + rest * plate[c * size + at]
        + all / 2) / all;
  }
  if (sum->origins[CANDIDATES] >= max (sum->origins[PLATE],
          sum->origins[SPATIAL]))
    return CANDIDATES;
  return sum->origins[PLATE] >= sum->origins[SPATIAL] ? PLATE : SPATIAL;
}

/* Fills the pixels of @order in frame @number, and writes them to the N planes of @filled. Counts
 * the pixels by the origin with the largest weight. @ends: see lines.cl; @depths: for each pixel of
 * @order, 1/8 of its distance from the border of the hole; @weights: table of LAYERS_WEIGHTS
 * weights. */
kernel void
layers_mix (global const int *order, global const uchar * depths, int n,
    global const ushort2 * ends, global const uint * pixels,
    global const ushort * values, global const uchar * opacities,
    global const int *state, int number, int slots, int oldest, int width,
    int height, int stride, int area, global const int *plate,
    global const Cell * cells, global const ushort * weights,
    global ushort * filled, global uint * sums)
{
  Scene s = get_scene (state, slots, number);
  int columns = (width + LAYERS_CELL - 1) / LAYERS_CELL;
  int rows = (height + LAYERS_CELL - 1) / LAYERS_CELL, size = width * height;
  uint counts[N_ORIGINS] = { 0, 0, 0 };
  int item, c;

  plate += (size_t) s.which * N * size;
  for (item = get_global_id (0); item < n; item += get_global_size (0)) {
    int at = order[item], x = at % width, y = at / width, pass, k, b;
    int i0 = (2 * x - 7) >> 4, j0 = (2 * y - 7) >> 4;
    int fx = 2 * x - 7 - 16 * i0, fy = 2 * y - 7 - 16 * j0, active = 0;
    uint colour[4] = { 0, 0, 0, 0 }, nothing[4] = { 0, 0, 0, 0 };
    uint least = UINT_MAX;
    uint2 spatial = (uint2) (0);
    Mixture sum = { {0, 0, 0, 0}, 0, 0, {0, 0, 0} };

    for (k = 0; k < 4; k++) {
      int i = clamp (i0 + (k & 1), 0, columns - 1);
      int j = clamp (j0 + (k >> 1), 0, rows - 1);

      active |= cells[j * columns + i].is_active == 2;
    }
    if (!active) {
      counts[PLATE]++;
      for (c = 0; c < N; c++)
        filled[c * size + at] = (plate[c * size + at] + 8) >> 4;
      continue;
    }
    spatial = fill_along_lines (pixels + (size_t) (number % slots) * area,
        values + (size_t) (number % slots) * N * size, opacities, ends + item,
        n, x, y, width, stride, size, colour);
    for (pass = 0; pass < 2; pass++)
      for (k = 0; k < 4; k++) {
        int i = i0 + (k & 1), j = j0 + (k >> 1);
        uint part = (k & 1 ? fx : 16 - fx) * (k >> 1 ? fy : 16 - fy), cost;
        global const Cell *cell;

        if (i < 0 || j < 0 || i >= columns || j >= rows)
          continue;
        cell = &cells[j * columns + i];
        if (cell->is_active == 0)
          continue;
        cost = cell->is_active == 1 ? 0 : cell->plate_cost;
        if (pass == 0)
          least = min (least, cost);
        else
          add_colour (&sum, nothing, 0,
              part * get_weight (weights, cost - least) >> 8, PLATE);
        if (cell->is_active == 1)
          continue;
        cost = spatial.y / 10 + (512 + cell->plate_cost / 4) * depths[item] / 8;
        if (pass == 0)
          least = min (least, cost);
        else
          add_colour (&sum, colour, spatial.x,
              part * get_weight (weights, cost - least) >> 8, SPATIAL);
        for (b = 0; b < LAYERS_BEST; b++) {
          Candidate candidate = cell->best[b];
          uint look[4] = { 0, 0, 0, 0 };
          uint alpha = get_look (pixels, values, s, number, slots, oldest,
              candidate, x, y, width, height, stride, area, look);

          if (alpha == LAYERS_HIDDEN)
            continue;
          if (pass == 0)
            least = min (least, (uint) candidate.cost);
          else
            add_colour (&sum, look, alpha, part * get_weight (weights,
                    candidate.cost - least) >> 8, CANDIDATES);
        }
      }
    k = store_mixture (&sum, plate, size, at, filled);
    for (c = 0; c < N_ORIGINS; c++)
      counts[c] += k == c;
  }
  for (c = 0; c < N_ORIGINS; c++)
    if (counts[c] > 0)
      atomic_add (&sums[LAYERS_COUNTS + LAYERS_VIDEO_PIXELS + c], counts[c]);
}
