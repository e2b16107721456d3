/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code shared by the kernels that separate a video into two layers: background and moving
 * objects.
 *
 * The ring buffer keeps the last @slots frames; frame number i is in slot i % slots. It consists
 * of several arrays: pixels: 8-bit images on which decisions are made. A pixel is a uint whose
 * bytes are Y, U, V and
 *   opacity, lowest first. An image has @area elements, in rows of @stride, with LAYERS_PAD
 *   columns on both sides
 * values: N planes of width x height samples with their full bit depth
 * masks: for each pixel, whether it is filled
 *
 * In kernels with two dimensions, each row of work-items processes one row of the part of the frame
 * that is remembered. The columns of this row are distributed among the ROW_GROUP work-items:
 * work-item i processes columns i, i + ROW_GROUP, i + 2 ROW_GROUP and so on. */
#ifndef LAYERS_H
#define LAYERS_H

#include "layers/layers-shared.h"

#ifndef ROW_GROUP
#define ROW_GROUP 1
#endif

/* N: number of components of a frame; IS_RGB: whether the components are R, G, B; MORE: number of
 * bits of a sample beyond 8 */
#ifndef N
#define N 3
#define IS_RGB 0
#define MORE 0
#endif

#define EACH_COLUMN(x, n) (x = get_global_id (0); x < (n); x += ROW_GROUP)

/* Returns the index of pixel (x, y) in an 8-bit picture, which has padding on all sides. */
static int
get_index (int stride, int x, int y)
{
  return (y + LAYERS_PAD_ROWS) * stride + x + LAYERS_PAD;
}

static uint
get_y (uint pixel)
{
  return pixel & 255;
}

static uint
get_alpha (uint pixel)
{
  return pixel >> 24;
}

/* Returns max (|dY|, 2 |dU|, 2 |dV|) of two pixels. */
static uint
get_difference (uint a, uint b)
{
  uint y = abs_diff (a & 255, b & 255);
  uint u = abs_diff (a >> 8 & 255, b >> 8 & 255);
  uint v = abs_diff (a >> 16 & 255, b >> 16 & 255);

  return max (y, 2 * max (u, v));
}

/* The scene of a frame. @which: 0 or 1, the index for pairs of entries of the state. @age:
 * number of frames of the scene before this frame */
typedef struct
{
  int scene, which, first, last, age;
} Scene;

static Scene
get_scene (global const int *state, int slots, int number)
{
  Scene s;

  s.scene = state[LAYERS_SCENES + number % slots];
  s.which = s.scene & 1;
  s.first = state[LAYERS_FIRST + s.which];
  s.last = state[LAYERS_LAST + s.which];
  s.age = number - s.first;
  return s;
}

/* Returns the noise: the first bin of the histogram such that at least a quarter of the
 * pixels are in this bin or below; @before if there are no pixels. */
static int
find_noise (global const uint * sums, int before)
{
  uint all = 0, sum = sums[0];
  int bin = 0, i;

  for (i = 0; i < LAYERS_BINS; i++)
    all += sums[i];
  while (bin < LAYERS_BINS - 1 && 4 * sum < all)
    sum += sums[++bin];
  return all > 0 ? bin : before;
}

/* Returns whether frame @number belongs to the scene and is in the ring buffer. @oldest: number
 * of the oldest frame in the ring buffer */
static int
has_frame (Scene s, int oldest, int number)
{
  return number >= s.first && number <= s.last && number >= oldest;
}

/* Converts a pixel to 8-bit Y, U and V, on which decisions are based. @more: number of bits of the
 * samples beyond 8 */
static uint
make_pixel (uint a, uint b, uint c, int more)
{
  uint y = a >> (uint) more, u = 128, v = 128;

#if N >= 3
  u = b >> (uint) more;
  v = c >> (uint) more;
#if IS_RGB
  {
    int red = y, blue = v, mean = (y + 2 * u + v + 2) >> 2;

    y = mean;
    u = 128 + ((blue - mean) >> 1);
    v = 128 + ((red - mean) >> 1);
  }
#endif
#endif
  return y | u << 8 | v << 16;
}

#endif
