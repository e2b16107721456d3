/* SPDX-License-Identifier: 0BSD */
/* Shows the gradient of the brightness as luma, and counts the pixels with strong gradients. */
//! param strength int 2 0 16  How strong edges are
//! results int 1 edges

PIXEL (edges)
{
  int4 c = LOAD (x, y);
  int dx = LOAD (x + 1, y).s0 - LOAD (x - 1, y).s0;
  int dy = LOAD (x, y + 1).s0 - LOAD (x, y - 1).s0;

  if (abs (dx) + abs (dy) > MAX / 4)
    atomic_inc (RESULTS);
  c.s0 = (abs (dx) + abs (dy)) * strength;
  return c;
}
