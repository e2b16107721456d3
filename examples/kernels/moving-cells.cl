/* SPDX-License-Identifier: 0BSD */
/* Finds what moves: divides the frame into cells of 32 x 32 pixels, and outputs a box around the
 * changed pixels of each cell in which enough pixels changed since the last frame. The score of a
 * box is the fraction of the cell's pixels that changed. The frame is not changed. */
//! param change int 24 1 255  Least difference of brightness, of 255, that is a change
//! param least int 6 1 100  Least percentage of a cell that has to change
//! boxes moving 1024
//! previous
//! group 8 4
//! size WIDTH/32 HEIGHT/32

#define CELL 32

WORK (moving_cells)
{
  int x0 = get_global_id (0) * CELL, y0 = get_global_id (1) * CELL;
  int left = WIDTH, top = HEIGHT, right = 0, bottom = 0, n = 0;

  for (int y = y0; y < min (y0 + CELL, HEIGHT); y++)
    for (int x = x0; x < min (x0 + CELL, WIDTH); x++)
      if (abs (LOAD (x, y).s0 - PREVIOUS_LOAD (x, y).s0) * 255 > change * MAX) {
        left = min (left, x);
        top = min (top, y);
        right = max (right, x + 1);
        bottom = max (bottom, y + 1);
        n++;
      }
  if (n > 0 && n * 100 >= least * CELL * CELL)
    BOX (moving, left, top, right - left, bottom - top, n * (1.0f / (CELL * CELL)));
}
