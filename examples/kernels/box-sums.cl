/* SPDX-License-Identifier: 0BSD */
/* Blurs the brightness: each sample becomes the mean of a square around it. Each work-group of 16
 * x 16 loads its pixels and the pixels around them once into local memory, sums the rows of each
 * square there, and then adds up these row sums. */
//! param radius int 3 0 8  Half of the square's side in pixels
//! group 16 16
//! size WIDTH HEIGHT

#define MOST 8
#define SIDE (16 + 2 * MOST)

WORK (box_sums)
{
  local int tile[SIDE * SIDE], rows[16 * SIDE];
  int x = get_global_id (0), y = get_global_id (1);
  int lx = get_local_id (0), ly = get_local_id (1);
  int left = x - lx - radius, top = y - ly - radius;
  int side = GROUP_X + 2 * radius, sum = 0, n = (2 * radius + 1) * (2 * radius + 1);

  for (int j = ly; j < side; j += GROUP_Y)
    for (int i = lx; i < side; i += GROUP_X)
      tile[j * SIDE + i] = IN_LOAD (0, left + i, top + j);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int j = ly; j < side; j += GROUP_Y) {
    int row = 0;

    for (int i = 0; i <= 2 * radius; i++)
      row += tile[j * SIDE + lx + i];
    rows[j * 16 + lx] = row;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j <= 2 * radius; j++)
    sum += rows[(ly + j) * 16 + lx];
  OUT_STORE (0, x, y, (sum + n / 2) / n);
}
