/* SPDX-License-Identifier: 0BSD */
/* Computes the histogram of the brightness with 256 bins, and leaves the frame unchanged. Each
 * work-group first counts in local memory. */
//! results int 256 levels
//! group 64 1
//! size WIDTH HEIGHT/16

WORK (histogram)
{
  local int counts[256];
  int x = get_global_id (0), top = get_global_id (1) * 16;

  for (int i = get_local_id (0); i < 256; i += GROUP_X)
    counts[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int y = top; y < top + 16; y++)
    if (x < WIDTH && y < HEIGHT)
      atomic_inc (counts + IN_LOAD (0, x, y) * 256 / (MAX + 1));
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id (0); i < 256; i += GROUP_X)
    if (counts[i] > 0)
      atomic_add (levels + i, counts[i]);
}
