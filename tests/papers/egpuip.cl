/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the methods of Wang, Jia, Zhang, Li and Wei (2022), step by step, for 8-bit gray
 * frames without gaps between rows. */

#define GROUP 128               /* number of work-items of a work-group of the histogram */
#define SCAN 256                /* number of work-items that scan a row together */
#define TILE 16                 /* edge length of the square work-groups */

/* ---- Equalization ----------------------------------------------------------- */

__kernel void
clear_bins (__global uint * bins)
{
  bins[get_global_id (0)] = 0;
}

/* Counts every n-th pixel in each work-item, in a histogram that all work-items share. */
__kernel void
count_global (__global const uchar * in, int n_pixels, __global uint * bins)
{
  for (int i = get_global_id (0); i < n_pixels; i += get_global_size (0))
    atomic_inc (&bins[in[i]]);
}

/* Counts in a local histogram in each work-group, and adds it to the shared histogram. */
__kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
count_group (__global const uchar * in, int n_pixels, __global uint * bins)
{
  __local uint own[256];

  for (int i = get_local_id (0); i < 256; i += GROUP)
    own[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id (0); i < n_pixels; i += get_global_size (0))
    atomic_inc (&own[in[i]]);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id (0); i < 256; i += GROUP)
    atomic_add (&bins[i], own[i]);
}

/* Computes the exclusive prefix sums of the bins, as a tree, and makes the lookup table from them,
 * in one work-group. */
__kernel __attribute__ ((reqd_work_group_size (256, 1, 1)))
void
make_table (__global const uint * bins, uint n_pixels, __global uchar * table)
{
  __local uint sums[256];
  int i = get_local_id (0);
  uint own = bins[i], sum = own;

  for (int step = 1; step < 256; step *= 2) {
    uint other;

    sums[i] = sum;
    barrier (CLK_LOCAL_MEM_FENCE);
    other = sums[max (i - step, 0)];
    sum += select (0u, other, (uint) (i >= step));
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  table[i] = (uchar) ((ulong) (sum - own) * 255 / n_pixels);
}

__kernel void
look_up (__global const uchar * in, __global const uchar * table, __global uchar * out)
{
  out[get_global_id (0)] = table[in[get_global_id (0)]];
}

/* ---- Pyramid ---------------------------------------------------------------- */

__constant int weights[5] = { 1, 4, 6, 4, 1 };

/* Mirrors a position at the edges, with select(). */
int
mirror (int i, int n)
{
  i = select (i, -i, i < 0);
  i = select (i, 2 * n - 2 - i, i >= n);
  return clamp (i, 0, n - 1);
}

/* The same by branches. */
int
mirror_by_branch (int i, int n)
{
  if (i < 0)
    i = -i;
  if (i >= n)
    i = 2 * n - 2 - i;
  if (i < 0)
    i = 0;
  return i;
}

#ifdef BRANCH
#define MIRROR mirror_by_branch
#else
#define MIRROR mirror
#endif

uchar
blur (__global const uchar * in, int width, int height, int x, int y)
{
  int sum = 128;

  for (int j = 0; j < 5; j++) {
    __global const uchar *row = in + MIRROR (y + j - 2, height) * width;

    for (int i = 0; i < 5; i++)
      sum += weights[j] * weights[i] * row[MIRROR (x + i - 2, width)];
  }
  return (uchar) (sum >> 8);
}

/* Blurs all pixels, of which the kernel drop() keeps a quarter. */
__kernel void
blur_all (__global const uchar * in, __global uchar * out, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);

  out[y * width + x] = blur (in, width, height, x, y);
}

__kernel void
drop (__global const uchar * in, __global uchar * out, int width, int out_width)
{
  int x = get_global_id (0), y = get_global_id (1);

  out[y * out_width + x] = in[2 * y * width + 2 * x];
}

/* Blurs only the pixels that are kept. */
__kernel void
blur_kept (__global const uchar * in, __global uchar * out, int width, int height, int out_width)
{
  int x = get_global_id (0), y = get_global_id (1);

  out[y * out_width + x] = blur (in, width, height, 2 * x, 2 * y);
}

#define EDGE (2 * TILE + 3)

/* Copies the pixels that a work-group requires into local memory, and blurs rows, then columns. */
__kernel __attribute__ ((reqd_work_group_size (TILE, TILE, 1)))
void
blur_apart (__global const uchar * in, __global uchar * out, int width, int height, int out_width, int out_height)
{
  __local uchar tile[EDGE][EDGE];
  __local ushort rows[EDGE][TILE];
  int lx = get_local_id (0), ly = get_local_id (1);
  int x = get_global_id (0), y = get_global_id (1);
  int x0 = 2 * (x - lx) - 2, y0 = 2 * (y - ly) - 2;

  for (int j = ly; j < EDGE; j += TILE)
    for (int i = lx; i < EDGE; i += TILE)
      tile[j][i] = in[MIRROR (y0 + j, height) * width + MIRROR (x0 + i, width)];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int j = ly; j < EDGE; j += TILE)
    rows[j][lx] = tile[j][2 * lx] + tile[j][2 * lx + 4] + 4 * (tile[j][2 * lx + 1] + tile[j][2 * lx + 3])
        + 6 * tile[j][2 * lx + 2];
  barrier (CLK_LOCAL_MEM_FENCE);
  if (x < out_width && y < out_height)
    out[y * out_width + x] = (uchar) ((rows[2 * ly][lx] + rows[2 * ly + 4][lx] + 4 * (rows[2 * ly + 1][lx]
                + rows[2 * ly + 3][lx]) + 6 * rows[2 * ly + 2][lx] + 128) >> 8);
}

/* ---- Integral image --------------------------------------------------------- */

__kernel void
widen (__global const uchar * in, __global uint * out)
{
  out[get_global_id (0)] = in[get_global_id (0)];
}

/* Computes the prefix sums of a row in one work-item. */
__kernel void
scan_row (__global uint * sums, int width)
{
  __global uint *row = sums + get_global_id (0) * width;
  uint sum = 0;

  for (int x = 0; x < width; x++) {
    sum += row[x];
    row[x] = sum;
  }
}

/* Computes the prefix sums of a column in one work-item. */
__kernel void
scan_column (__global uint * sums, int width, int height)
{
  int x = get_global_id (0);
  uint sum = 0;

  for (int y = 0; y < height; y++) {
    sum += sums[y * width + x];
    sums[y * width + x] = sum;
  }
}

/* Computes the prefix sums of a row in one work-group, SCAN numbers at a time, as a tree. */
__kernel __attribute__ ((reqd_work_group_size (SCAN, 1, 1)))
void
scan_row_tree (__global uint * sums, int width)
{
  __local uint parts[SCAN];
  __local uint before;
  int i = get_local_id (0);
  __global uint *row = sums + get_group_id (0) * width;

  if (i == 0)
    before = 0;
  for (int x0 = 0; x0 < width; x0 += SCAN) {
    uint sum = row[min (x0 + i, width - 1)];

    sum = select (0u, sum, (uint) (x0 + i < width));
    for (int step = 1; step < SCAN; step *= 2) {
      uint other;

      parts[i] = sum;
      barrier (CLK_LOCAL_MEM_FENCE);
      other = parts[max (i - step, 0)];
      sum += select (0u, other, (uint) (i >= step));
      barrier (CLK_LOCAL_MEM_FENCE);
    }
    sum += before;
    if (x0 + i < width)
      row[x0 + i] = sum;
    barrier (CLK_LOCAL_MEM_FENCE);
    if (i == SCAN - 1)
      before = sum;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
}

/* Transposes rows and columns, through a tile. */
__kernel __attribute__ ((reqd_work_group_size (TILE, TILE, 1)))
void
transpose (__global const uint * in, __global uint * out, int width, int height)
{
  __local uint tile[TILE][TILE + 1];
  int lx = get_local_id (0), ly = get_local_id (1);
  int x = get_global_id (0), y = get_global_id (1);

  if (x < width && y < height)
    tile[ly][lx] = in[y * width + x];
  barrier (CLK_LOCAL_MEM_FENCE);
  x = get_group_id (1) * TILE + lx;
  y = get_group_id (0) * TILE + ly;
  if (x < height && y < width)
    out[y * height + x] = tile[lx][ly];
}

/* ---- Arithmetic ------------------------------------------------------------- */

#define STEPS 256

/* Divides by factors that are powers of two, which only the host knows. */
__kernel void
divide (__global uint * values, uint factor, uint divisor)
{
  uint x = values[get_global_id (0)];

  for (int i = 0; i < STEPS; i++)
    x = x * factor / divisor + i;
  values[get_global_id (0)] = x;
}

__kernel void
shift (__global uint * values, uint left, uint right)
{
  uint x = values[get_global_id (0)];

  for (int i = 0; i < STEPS; i++)
    x = (x << left >> right) + i;
  values[get_global_id (0)] = x;
}
