/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Initializes the values that inpainting keeps for the pixels in the box around the hole, row by
 * row, before the first patch is filled: gray value, confidence, gradient, priority and others. */
#include "inpaint/front.h"

kernel void
inpaint_begin (FRAME_ARGUMENTS, global const int *object, int is_rgb, int x0,
    int x1, int y0)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    int i = y * width + x;
    uint red = COLOUR (work, plane, i, 0), green = COLOUR (work, plane, i, 1);
    uint blue = COLOUR (work, plane, i, 2);
    int is_unknown = object[i] != 0;

    grey[i] = is_rgb ? (77 * red + 150 * green + 29 * blue + 128) >> 8 : red;
    unknown[i] = is_unknown;
    confidence[i] = is_unknown ? 0 : KNOWN;
    origin[i] = -1;
    filler[i] = -1;
    priority[i] = NO_PRIORITY;
  }
}

kernel void
inpaint_gradients (FRAME_ARGUMENTS, int x0, int x1, int y0)
{
  Frame f = FRAME;
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0))
    gradient[y * width + x] = find_length (&f, x, y);
}

kernel void
inpaint_priorities (FRAME_ARGUMENTS, int x0, int x1, int y0)
{
  Frame f = FRAME;
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0))
    update_priority (&f, x, y);
}

/* Computes the keys of some segments of a lane in work-item (i, lane), and initializes the slots
 * for the lane's target patches. A lane is a box of the frame that one work-group fills.
 * inpaint/front.h defines segments. */
kernel void
inpaint_segments (FRAME_ARGUMENTS, global const int4 * lanes,
    global uint * states, int n_slots, global ulong * segments)
{
  Frame f = FRAME;
  int lane = get_global_id (1), i, first = 0, n;
  int4 box = lanes[lane];
  global uint *state = states + STATE * n_slots * lane;

  for (i = 0; i < lane; i++)
    first += count_segments (lanes[i]) * (lanes[i].s3 - lanes[i].s1);
  n = count_segments (box);
  for (i = get_global_id (0); i < n * (box.s3 - box.s1);
      i += get_global_size (0))
    update_segment (&f, box, segments + first, i % n, box.s1 + i / n);
  if (get_global_id (0) > 0)
    return;
  state[FILLED] = 0;
  state[SEGMENTS] = (uint) first;
  for (i = 0; i < n_slots; i++)
    state[STATE * i + TARGET] = (uint) -1;
}
