/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Estimates the motion of a camera: see docs/algorithms/inpaint.md. */
#include "inpaint-camera.h"

#include <stdlib.h>

/* Returns the mean of the 2 x 2 values that form value (@x, @y) of the next smaller pyramid level;
 * -1 if one of them is marked as unused. */
static int
halve (const int16_t * from, int width, int x, int y)
{
  int sum = 0, is_void = 0;

  for (int v = 2 * y; v < 2 * y + 2; v++) {
    for (int u = 2 * x; u < 2 * x + 2; u++) {
      sum += from[v * width + u];
      is_void |= from[v * width + u] < 0;
    }
  }
  return is_void ? -1 : (sum + 2) / 4;
}

/* Returns 1024 times the mean difference between the two images for a shift of (dx, dy). Only
 * some of the pixels are compared. */
static int64_t
cost_of_shift (const RefInpaintPair * pair, int dx, int dy)
{
  int step = 0, all, n = 0;
  int64_t sum = 0;

  do {
    step++;
    all =
        ((pair->width + step - 1) / step) * ((pair->height + step - 1) / step);
  } while (all > 16384);
  for (int y = 0; y < pair->height; y += step) {
    for (int x = 0; x < pair->width; x += step) {
      int u = x + dx, v = y + dy, a, b;

      if (u < 0 || v < 0 || u >= pair->width || v >= pair->height)
        continue;
      a = pair->now[y * pair->width + x];
      b = pair->then[v * pair->width + u];
      if (a < 0 || b < 0)
        continue;
      n++;
      sum += abs (a - b) < 32 ? abs (a - b) : 32;
    }
  }
  return n == 0 || 4 * n < all ? INT32_MAX : 1024 * sum / n;
}

/* Sets (@x, @y) to the best shift at most @range away from it. Returns its cost. */
static int64_t
find_best_shift (const RefInpaintPair * pair, int range, int *x, int *y)
{
  int from_x = *x - range, from_y = *y - range, size = INT32_MAX;
  int64_t best = INT32_MAX;

  for (int v = from_y; v <= from_y + 2 * range; v++) {
    for (int u = from_x; u <= from_x + 2 * range; u++) {
      int64_t cost = cost_of_shift (pair, u, v);

      if (cost < best || (cost == best && u * u + v * v < size)) {
        best = cost;
        size = u * u + v * v;
        *x = u;
        *y = v;
      }
    }
  }
  return best;
}

/* Estimates the motion of the camera from coarse to fine. Returns 0 if there is not enough
 * memory. */
static int
find_movement (const RefInpaintPair * pair, int n_halves, int *x, int *y,
    int64_t * cost)
{
  RefInpaintPair half = { pair->width / 2, pair->height / 2, NULL, NULL };
  size_t size = (size_t) half.width * half.height * sizeof (int16_t);
  int ok;

  if (n_halves == 0 || half.width < 24 || half.height < 24) {
    *x = *y = 0;
    *cost = find_best_shift (pair, 8, x, y);
    return 1;
  }
  half.now = malloc (size);
  half.then = malloc (size);
  ok = half.now != NULL && half.then != NULL;
  for (int i = 0; i < half.width * half.height && ok; i++) {
    half.now[i] = halve (pair->now, pair->width, i % half.width,
        i / half.width);
    half.then[i] = halve (pair->then, pair->width, i % half.width,
        i / half.width);
  }
  ok = ok && find_movement (&half, n_halves - 1, x, y, cost);
  free (half.now);
  free (half.then);
  *x *= 2;
  *y *= 2;
  *cost = ok ? find_best_shift (pair, 2, x, y) : 0;
  return ok;
}

int
ref_inpaint_camera (const RefInpaintPair * pair, int *x, int *y)
{
  int64_t cost;

  *x = *y = 0;
  if (!find_movement (pair, 3, x, y, &cost))
    return 0;
  if (cost == INT32_MAX || 8 * cost > 7 * cost_of_shift (pair, 0, 0))
    *x = *y = 0;
  return 1;
}
