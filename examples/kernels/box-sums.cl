/* SPDX-License-Identifier: 0BSD */
/* Blurs the brightness by the mean of a square. Work-groups of 16 x 16 load their pixels and those
 * around once into local memory. */
//! param radius int 3 0 8  Half of the square's side in pixels
//! group 16 16
//! size WIDTH HEIGHT

#define MOST 8
#define SIDE (16 + 2 * MOST)

WORK (box_sums)
{
  local int tile[SIDE * SIDE];
  int x = get_global_id (0), y = get_global_id (1);
  int lx = get_local_id (0), ly = get_local_id (1);
  int left = x - lx - MOST, top = y - ly - MOST;
  int sum = 0, n = (2 * radius + 1) * (2 * radius + 1);

  for (int i = ly * GROUP_X + lx; i < SIDE * SIDE; i += GROUP_X * GROUP_Y)
    tile[i] = IN_LOAD (0, left + i % SIDE, top + i / SIDE);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = -radius; i <= radius; i++)
    for (int k = -radius; k <= radius; k++)
      sum += tile[(ly + MOST + i) * SIDE + lx + MOST + k];
  OUT_STORE (0, x, y, (sum + n / 2) / n);
}
