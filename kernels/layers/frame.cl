/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Copies the part of a frame around the mask to the ring buffer, copies the filled pixels back to
 * the frame, and decides whether a scene begins. Macros describe the format: STEPS, BYTES, SHIFTS
 * and MOSTS (see base/any-samples.h) and SUBS_X and SUBS_Y (subsampling) each have a number for
 * each of the N components. MORE is the number of bits of a sample beyond 8. */
#include "base/any-samples.h"
#include "layers/layers.h"

#ifndef STEPS
#define STEPS 1, 1, 1
#define BYTES 1, 1, 1
#define SHIFTS 0, 0, 0
#define MOSTS 255, 255, 255
#define SUBS_X 0, 1, 1
#define SUBS_Y 0, 1, 1
#endif

constant int steps[N] = { STEPS }, bytes[N] = { BYTES };
constant int shifts[N] = { SHIFTS }, mosts[N] = { MOSTS };
constant int subs_x[N] = { SUBS_X }, subs_y[N] = { SUBS_Y };

#define OF(vector, c) ((c) == 0 ? (vector).x : (c) == 1 ? (vector).y : (c) == 2 ? (vector).z : (vector).w)

/* Adds @n to one of the frame's sums. */
static void
add (global uint * sums, int index, uint n)
{
  if (n > 0)
    atomic_add (&sums[index], n);
}

/* Returns whether a pixel is in the mask, or next to it. */
static int
is_near_mask (global const uchar * mask, int width, int height, int x, int y)
{
  int near = 0, u, v;

  for (v = max (y - 1, 0); v <= min (y + 1, height - 1); v++)
    for (u = max (x - 1, 0); u <= min (x + 1, width - 1); u++)
      near |= mask[v * width + u];
  return near != 0;
}

/* Loads a part of a frame and the mask @mask into slot @slot of the ring buffer, and the luma of
 * the part into @luma. Counts the visible pixels, and how many of them differ much from the frame
 * in slot @before. Pixel (0, 0) of the part is pixel (x0, y0) of the frame. */
kernel void
layers_load (global const uchar * in, int offset0, int offset1, int offset2,
    int offset3, int stride0, int stride1, int stride2, int stride3,
    global const uchar * mask, int x0, int y0, int width, int height,
    int stride, int area, int slot, int before, global uint * pixels,
    global ushort * values, global uchar * masks, global uchar * luma,
    int luma_stride, global uint * sums)
{
  int4 offsets = (int4) (offset0, offset1, offset2, offset3);
  int4 strides = (int4) (stride0, stride1, stride2, stride3);
  int size = width * height, y = get_global_id (1), x, c;
  uint visible = 0, changed = 0;

  for EACH_COLUMN (x, width) {
    int at = y * width + x, index = get_index (stride, x, y);
    uint v[4] = { 0, 0, 0, 0 }, pixel, was;
    uchar is_filled = mask[at];

    for (c = 0; c < N; c++) {
      v[c] = get_sample (in, OF (offsets, c), OF (strides, c), steps[c],
          bytes[c], shifts[c], mosts[c], (x0 + x) >> subs_x[c],
          (y0 + y) >> subs_y[c]);
      values[((size_t) slot * N + c) * size + at] = v[c];
    }
    pixel = make_pixel (v[0], v[1], v[2], MORE);
    was = pixels[(size_t) before * area + index];
    if (!is_filled && !masks[(size_t) before * size + at]) {
      visible++;
      changed += abs_diff (get_y (pixel), get_y (was)) > LAYERS_CUT_LEVEL;
    }
    pixels[(size_t) slot * area + index] = pixel
        | (is_near_mask (mask, width, height, x, y)
        ? (uint) LAYERS_HIDDEN << 24 : 0);
    masks[(size_t) slot * size + at] = is_filled;
    luma[y * luma_stride + x] = get_y (pixel);
  }
  add (sums, LAYERS_VISIBLE, visible);
  add (sums, LAYERS_CHANGED, changed);
}

/* Decides whether frame @number begins a scene, and sets the sums to 0 for the next kernels. Runs
 * as a single work-item. @is_first: whether there is no frame before this one; @later: number of
 * later frames that are remembered before a frame is filled. */
kernel void
layers_judge (global uint * sums, global int *state, int number, int slots,
    int later, int is_first)
{
  int scene = is_first ? 0 : state[LAYERS_SCENE], which = scene & 1, i;
  int is_cut = number - state[LAYERS_FIRST + which] > later
      && (ulong) LAYERS_CUT_PART * sums[LAYERS_CHANGED] > sums[LAYERS_VISIBLE];

  if (is_first)
    state[LAYERS_FILLED] = -1;
  scene += !is_first && is_cut;
  which = scene & 1;
  if (is_first || is_cut) {
    state[LAYERS_FIRST + which] = number;
    state[LAYERS_NOISE + which] = 0;
  }
  state[LAYERS_SCENE] = scene;
  state[LAYERS_LAST + which] = number;
  state[LAYERS_SCENES + number % slots] = scene;
  for (i = 0; i < LAYERS_COUNTS; i++)
    sums[i] = 0;
}

/* Writes the filled pixels, from the N planes of @filled, to the frame @out. A sample that covers
 * several pixels becomes the mean of these pixels; @mask marks either all or none of them. */
kernel void
layers_store (global uchar * out, int offset0, int offset1, int offset2,
    int offset3, int stride0, int stride1, int stride2, int stride3,
    global const uchar * mask, int x0, int y0, int width, int height,
    global const ushort * filled)
{
  int4 offsets = (int4) (offset0, offset1, offset2, offset3);
  int4 strides = (int4) (stride0, stride1, stride2, stride3);
  int size = width * height, y = get_global_id (1), x, c;

  for EACH_COLUMN (x, width) {
    int at = y * width + x;

    for (c = 0; c < N && mask[at]; c++) {
      int columns = 1 << subs_x[c], rows = 1 << subs_y[c], u, v;
      uint sum = 0, n = 0;

      if ((x & (columns - 1)) != 0 || (y & (rows - 1)) != 0)
        continue;
      for (v = y; v < min (y + rows, height); v++)
        for (u = x; u < min (x + columns, width); u++, n++)
          sum += filled[c * size + v * width + u];
      put_sample (out, OF (offsets, c), OF (strides, c), steps[c], bytes[c],
          shifts[c], (x0 + x) >> subs_x[c], (y0 + y) >> subs_y[c],
          (sum + n / 2) / n);
    }
  }
}

/* Writes the counts of the frame that was filled to @counts; if @has_before is set, adds the
 * counts in @before. Stores the scene of the frame. Runs as a single work-item. */
kernel void
layers_count (global uint * sums, global int *state, int number, int slots,
    global const ulong * before, int has_before, global ulong * counts)
{
  int i;

  for (i = 0; i < LAYERS_N_COUNTS; i++) {
    counts[i] = (has_before ? before[i] : 0) + sums[LAYERS_COUNTS + i];
    sums[LAYERS_COUNTS + i] = 0;
  }
  state[LAYERS_FILLED] = state[LAYERS_SCENES + number % slots];
}

/* Sets @n elements to @value. */
kernel void
layers_clear (global uint * array, int n, uint value)
{
  int i;

  for (i = get_global_id (0); i < n; i += get_global_size (0))
    array[i] = value;
}
