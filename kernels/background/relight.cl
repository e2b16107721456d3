/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Adapts the remembered background to the illumination of a frame. Illumination is a number for
 * each pixel: the logarithm of its brightness in units of 1/2048 octave, modulo 65536. */
#include "background/background-shared.h"

/* Returns a sample after a change of brightness: its difference from @base is multiplied by 2^(d /
 * 2048). @powers: 2^14 2^(i / 2048), i from 0 to 2047. */
static int
relight (int value, int d, global const int *powers, int base, int most)
{
  int bounded = clamp (d, -8192, 8191), shift = 14 - (bounded >> 11);
  uint product = abs (value - base) * (uint) powers[bounded & 2047];
  int distance = (product + (1u << (shift - 1))) >> shift;

  return clamp (value < base ? base - distance : base + distance, 0, most);
}

/* Adapts the remembered samples of a component to the illumination of a frame. @lit: for each
 * sample, .y is the illumination in which it was remembered. For hidden pixels, .x is the sample in
 * this illumination; the adapted sample is always computed from .x, so that errors do not add up.
 * @mask, @was: whether each pixel is hidden in this frame, and in the previous frame. @table: the
 * powers of relight(); then for each column and for each row of the frame, the column or row of
 * @light, or -1. @is_first: set if the earlier illumination is unknown; no sample changes then. See
 * background_look() for the other arguments. */
kernel void
background_relight (global ushort4 * samples, global ushort2 * lit,
    global const uchar * mask, global const uchar * was,
    global const int *table, global const ushort * light, int light_offset,
    int light_stride, int sub_x, int sub_y, int columns, int width, int base,
    int most, int is_first)
{
  int y = get_global_id (1), x, v = y << sub_y;
  int row = table[RELIGHT_POWERS + width + v];

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int u = x << sub_x, i = y * columns + x;
    int column = table[RELIGHT_POWERS + u], is_known = column >= 0 && row >= 0;
    ushort4 sample = samples[i];
    ushort2 before = lit[i];
    int from = !is_first && was[v * width + u] ? before.x : sample.x;
    int now = is_known ? light[light_offset + row * light_stride + column] : 0;
    int d = (short) (ushort) (now - (int) before.y), value;

    d = is_first || !is_known ? 0 : d;
    value = relight (from, d, table, base, most);
    sample.x = value;
    samples[i] = sample;
    if (is_first || !mask[v * width + u])
      before.y = now;
    before.x = from;
    lit[i] = before;
  }
}
