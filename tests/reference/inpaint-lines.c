/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills holes along straight lines: see docs/algorithms/inpaint.md. */
#include <math.h>
#include <stdlib.h>

#include "inpaint-private.h"

#define N_LINES 16
#define REACH 64

/* Describes the end of a line, a known pixel beyond the hole. */
typedef struct
{
  int distance;                 /* length in steps; 0: the line has no end on this side */
  int x, y;
} End;

int
ref_inpaint_has_cross (const Work * work)
{
  int rows = 0, columns = 0;

  for (int y = 0; y < work->height; y++) {
    int x = 0;

    while (x < work->width && work->unknown[at (work, x, y)])
      x++;
    rows += x == work->width;
  }
  for (int x = 0; x < work->width; x++) {
    int y = 0;

    while (y < work->height && work->unknown[at (work, x, y)])
      y++;
    columns += y == work->height;
  }
  return rows > 0 && columns > 0;
}

/* Returns: @n / 16, rounded to the nearest integer, halves upwards */
static int
round_sixteenths (int n)
{
  return (int) floor (n / 16.0 + 0.5);
}

/* Follows the line with the number @k from pixel (@x, @y) to its end. @side: 1 or -1, the
 * direction */
static End
follow (const uint8_t * mask, int width, int height, int x, int y, int k,
    int side, int reach)
{
  static const int steps[N_LINES][2] = {
    {16, 0}, {16, 3}, {15, 6}, {13, 9}, {11, 11}, {9, 13}, {6, 15}, {3, 16},
    {0, 16}, {-3, 16}, {-6, 15}, {-9, 13}, {-11, 11}, {-13, 9}, {-15, 6},
    {-16, 3}
  };

  for (int t = 1; t <= reach; t++) {
    int u = x + side * round_sixteenths (t * steps[k][0]);
    int v = y + side * round_sixteenths (t * steps[k][1]);

    if (u < 0 || v < 0 || u >= width || v >= height)
      break;
    if (!mask[v * width + u])
      return (End) {
      t, u, v};
  }
  return (End) {
  0, x, y};
}

/* Returns: the difference between two colors in 8-bit gray levels */
static uint32_t
differ (const uint32_t a[4], const uint32_t b[4], int n, int is_rgb, int depth)
{
  uint32_t d[3] = { 0, 0, 0 };

  for (int c = 0; c < n && c < 3; c++)
    d[c] = abs ((int) (a[c] >> (depth - 8)) - (int) (b[c] >> (depth - 8)));
  return is_rgb ? (d[0] + 2 * d[1] + d[2]) / 4 : d[0] + (d[1] + d[2]) / 2;
}

/* Sets the weights of the colors at the two ends of a line, whose difference is @d. */
static void
weigh (const End ends[2], uint64_t d, uint64_t weights[2])
{
  uint64_t length = ends[0].distance + ends[1].distance, w;

  if (ends[0].distance > 0 && ends[1].distance > 0) {
    uint64_t l = length < 4095 ? length : 4095;

    w = ((1 << 24) / (l * l)) * (163840 / (10 + d)) / 64 / length;
    w = w > 0 ? w : 1;
    weights[0] = w * ends[1].distance;
    weights[1] = w * ends[0].distance;
  } else {
    uint64_t l = length < 2047 ? length : 2047;

    w = (1 << 22) / (l * l) * 328 / 64;
    w = w > 0 ? w : 1;
    weights[0] = ends[0].distance > 0 ? w : 0;
    weights[1] = ends[1].distance > 0 ? w : 0;
  }
}

/* Fills pixel (@x, @y). Returns: whether a line has an end within @reach */
static int
fill_pixel (int32_t * values, int n, int is_rgb, int depth,
    const uint8_t * mask, int width, int height, int x, int y, int reach)
{
  uint64_t sum[4] = { 0 }, all = 0;
  size_t plane = (size_t) width * height;

  for (int k = 0; k < N_LINES; k++) {
    End ends[2];
    uint32_t colours[2][4] = { {0} };
    uint64_t weights[2];

    for (int i = 0; i < 2; i++) {
      ends[i] = follow (mask, width, height, x, y, k, i == 0 ? 1 : -1, reach);
      for (int c = 0; c < n && ends[i].distance > 0; c++)
        colours[i][c] = values[c * plane + (size_t) ends[i].y * width
            + ends[i].x];
    }
    if (ends[0].distance == 0 && ends[1].distance == 0)
      continue;
    weigh (ends, differ (colours[0], colours[1], n, is_rgb, depth), weights);
    all += weights[0] + weights[1];
    for (int c = 0; c < n; c++)
      sum[c] += weights[0] * colours[0][c] + weights[1] * colours[1][c];
  }
  for (int c = 0; c < n && all > 0; c++)
    values[c * plane + (size_t) y * width + x] = (sum[c] + all / 2) / all;
  return all > 0;
}

void
ref_inpaint_lines (int32_t * values, int n, int is_rgb, int depth,
    const uint8_t * mask, int width, int height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (mask[y * width + x]
          && !fill_pixel (values, n, is_rgb, depth, mask, width, height, x, y,
              REACH))
        fill_pixel (values, n, is_rgb, depth, mask, width, height, x, y,
            width + height);
}
