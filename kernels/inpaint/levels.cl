/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes all levels of the pyramid from the known pixels of a frame, row by row: see
 * patchmatch.h. */
#include "inpaint/patchmatch.h"

#define IS_UNKNOWN(flags, i) (((flags)[i] & MATCH_DEPTH) != 0)

/* Loads a part of the working copy of the frame, starting at (x0, y0), into level 0 of the
 * pyramid. */
kernel void
match_load (global const word * work, int plane, int frame_width, int x0,
    int y0, global uint * pixels, int width)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int i = (y0 + y) * frame_width + x0 + x;

    pixels[y * width + x] = COLOUR (work, plane, i, 0)
        | COLOUR (work, plane, i, 1) << 8 | COLOUR (work, plane, i, 2) << 16;
  }
}

/* Returns the length of the gradient, summed over all colors; -1 next to an unknown pixel or to
 * the edge of the level. */
static int
find_gradient (global const uint * pixels, global const uchar * flags,
    int width, int height, int x, int y)
{
  int i = y * width + x;
  uint4 here, right, below, sum;

  if (x < 0 || y < 0 || x + 1 >= width || y + 1 >= height
      || IS_UNKNOWN (flags, i) || IS_UNKNOWN (flags, i + 1)
      || IS_UNKNOWN (flags, i + width))
    return -1;
  here = unpack (pixels[i]);
  right = unpack (pixels[i + 1]);
  below = unpack (pixels[i + width]);
  sum = max (right, here) - min (right, here) + max (below, here)
      - min (below, here);
  return (int) (sum.x + sum.y + sum.z);
}

/* Writes 8 * sum + n for each pixel. Both numbers are for the 2 * MATCH_RADIUS + 1 pixels around
 * it in its row: n is the number of these pixels that have a gradient, and sum is the sum of the
 * lengths of these gradients. */
kernel void
match_gradients (global const uint * pixels, global const uchar * flags,
    int width, int height, global uint * sums)
{
  int y = get_global_id (1), x, u;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    uint sum = 0;

    for (u = x - MATCH_RADIUS; u <= x + MATCH_RADIUS; u++) {
      int gradient = find_gradient (pixels, flags, width, height, u, y);

      sum += gradient < 0 ? 0 : (uint) gradient << 3 | 1;
    }
    sums[y * width + x] = sum;
  }
}

/* Writes the texture to bits 24 to 31 of each pixel; the other bits are its color. The texture
 * is a scaled mean of the lengths of gradients in a square around the pixel. */
kernel void
match_texture (global uint * pixels, int width, int height,
    global const uint * sums)
{
  int y = get_global_id (1), x, v;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    uint sum = 0, count = 0;

    for (v = max (y - MATCH_RADIUS, 0); v < min (y + MATCH_RADIUS + 1, height);
        v++) {
      sum += sums[v * width + x] >> 3;
      count += sums[v * width + x] & 7;
    }
    sum = MATCH_TEXTURE * sum / (3 * max (count, 1u));
    pixels[y * width + x] |= min (sum, 255u) << 24;
  }
}

/* Computes a level, which begins at index @to, from the next finer level, which begins at index
 * @at. Scales the finer level to half its width and height, with the weights 1 3 3 1. Row y of
 * the work-items writes row y. */
kernel void
match_reduce (global uint * pixels, global const uchar * flags, int at,
    int width, int height, int to, int to_width)
{
  int y = get_global_id (1), x, u, v;

  flags += at;
  for (x = get_global_id (0); x < to_width; x += get_global_size (0)) {
    uint4 sum = 0;
    uint all = 0;

    for (v = max (2 * y - 1, 0); v < min (2 * y + 3, height); v++) {
      for (u = max (2 * x - 1, 0); u < min (2 * x + 3, width); u++) {
        uint weight = (u >> 1 == x ? 3 : 1) * (v >> 1 == y ? 3 : 1);

        if (IS_UNKNOWN (flags, v * width + u))
          continue;
        sum += weight * unpack (pixels[at + v * width + u]);
        all += weight;
      }
    }
    sum = (sum + all / 2) / max (all, 1u);
    pixels[to + y * to_width + x] = sum.x | sum.y << 8 | sum.z << 16
        | sum.w << 24;
  }
}
