/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Removes the seams between areas copied from different places. A membrane (a smooth surface) is
 * added over the hole, which removes the jumps at seams. A multigrid solver computes the
 * membrane in integers. The result therefore does not depend on the order of the work-items.
 *
 * Level 0 is the box around the hole. Each further level has half the columns and rows. A level
 * has three arrays with an element for each cell:
 * @weights (starting at index weights_at): the weights of the neighbors left, above, right and
 *   below, in units of 1 / ONE; 0 beyond the edge of the frame. All are 0 if the cell is known.
 * @flow (starting at index @at): for each color, the sum of the differences that the membrane
 *   must have between the cell and its neighbors
 * @lift (starting at index @at): for each color, the value of the membrane at the cell; 0 if
 *   the cell is known
 * Work-item (i, j) processes every get_global_size (0)-th column of row j, starting at column i.
 * The rows of the colors follow one another. Only seam_cycle() distributes the work differently. */

#include "inpaint/seam.h"

/* Quotient a / b of positive numbers, rounded to the nearest integer */
#define DIVIDE(a, b) (((a) + (b) / 2) / (b))

/* ---- Levels of the multigrid solver ------------------------------------------ */

/* Returns the sum of the weights of the neighbors of cell i; 0 if the cell is known. This sum
 * is the weight of the cell itself in its equation. */
static int
sum_weights (global const uchar4 * weights, int i)
{
  int4 w = convert_int4 (weights[i]);

  return w.x + w.y + w.z + w.w;
}

static int
get_weight (global const uchar4 * weights, int i, int side)
{
  return ((global const uchar *) (weights + i))[side];
}

/* Returns 1 if cell (x, y) of a level is unknown. A cell right of the level or below it counts
 * as unknown if it is outside the frame. */
static int
is_unknown (global const uchar4 * weights, int columns, int rows, int open,
    int x, int y)
{
  if (x < columns && y < rows)
    return sum_weights (weights, y * columns + x) > 0;
  return (x >= columns && (open & RIGHT)) || (y >= rows && (open & BOTTOM));
}

/* Returns 1 if all four cells of a level that form cell (x, y) of the next coarser level are
 * unknown. */
static int
are_unknown (global const uchar4 * weights, int columns, int rows, int open,
    int x, int y)
{
  return is_unknown (weights, columns, rows, open, 2 * x, 2 * y)
      && is_unknown (weights, columns, rows, open, 2 * x + 1, 2 * y)
      && is_unknown (weights, columns, rows, open, 2 * x, 2 * y + 1)
      && is_unknown (weights, columns, rows, open, 2 * x + 1, 2 * y + 1);
}

/* Returns the weight of the border of the hole on the side @k of a cell of the next coarser
 * level. It is the reciprocal of the distance from the center of this cell to the border. (x, y)
 * is a cell of the finer level inside the coarser cell, next to its side @k. The border is after
 * this cell or after the next one. */
static int
find_border (global const uchar4 * weights, int columns, int rows, int x,
    int y, int k)
{
  int i = y * columns + x, u = x + SIDE_X (k), v = y + SIDE_Y (k);
  int weight = get_weight (weights, i, k);

  if (u < 0 || v < 0 || u >= columns || v >= rows
      || sum_weights (weights, v * columns + u) == 0)
    return DIVIDE (4 * ONE * weight, 2 * ONE + weight);
  weight = get_weight (weights, v * columns + u, k);
  weight = weight > 0 ? weight : ONE;
  return DIVIDE (4 * ONE * weight, 2 * ONE + 3 * weight);
}

/* Returns the weight of the neighbor on the side @k of the unknown cell (x, y) of the next
 * coarser level. */
static int
find_weight (global const uchar4 * weights, int columns, int rows, int open,
    int x, int y, int k)
{
  int u = x + SIDE_X (k), v = y + SIDE_Y (k), sum = 0, n = 0, j;
  int is_inside = u >= 0 && v >= 0 && u < (columns + 1) / 2
      && v < (rows + 1) / 2;

  if (!is_inside && (open >> k & 1))
    return 0;
  if (is_inside && are_unknown (weights, columns, rows, open, u, v))
    return ONE;
  for (j = 0; j < 2; j++) {
    u = 2 * x + ((k & 1) != 0 ? j : k == 2);
    v = 2 * y + ((k & 1) != 0 ? k == 3 : j);
    if (u >= columns || v >= rows)
      continue;
    sum += find_border (weights, columns, rows, u, v, k);
    n++;
  }
  return DIVIDE (sum, max (n, 1));
}

/* Computes @weights for the cells of a level, starting at index @to. A cell is unknown if all
 * four cells of the next finer level that form it are unknown. The finer level begins at index
 * @from and has the size @columns x @rows. */
kernel void
seam_coarsen (global uchar4 * weights, int from, int to, int columns, int rows,
    int open)
{
  int y = get_global_id (1), x, k;
  int n = (columns + 1) / 2;
  global const uchar4 *finer = weights + from;

  for (x = get_global_id (0); x < n; x += get_global_size (0)) {
    int is_free = are_unknown (finer, columns, rows, open, x, y);
    global uchar *coarse = (global uchar *) (weights + to + y * n + x);

    for (k = 0; k < 4; k++)
      coarse[k] = is_free
          ? find_weight (finer, columns, rows, open, x, y, k) : 0;
  }
}

#define LEVEL_ARGUMENTS global const uchar4 * weights, int weights_at, \
    global int *flow, global int *lift, int at, int columns, int rows, \
    int open

/* Returns the right-hand side of a relaxation step at cell (x, y): its flow plus the lifts of
 * its neighbors. Unknown neighbors have the weight ONE; all other neighbors have the lift 0. */
static int
sum_around (global const int *flow, global const int *lift, int columns,
    int rows, int x, int y)
{
  int i = y * columns + x;

  return flow[i] + (x > 0 ? lift[i - 1] : 0) + (y > 0 ? lift[i - columns] : 0)
      + (x < columns - 1 ? lift[i + 1] : 0)
      + (y < rows - 1 ? lift[i + columns] : 0);
}

/* Relaxes cell (x, y) of a color if it is unknown. */
static void
relax_cell (global const uchar4 * weights, global const int *flow,
    global int *lift, int columns, int rows, int x, int y)
{
  int i = y * columns + x, n = sum_weights (weights, i), sum;

  if (n == 0)
    return;
  sum = sum_around (flow, lift, columns, rows, x, y);
  /* Divides by a constant in the usual case, because this is faster than division by a
   * variable. */
  sum = n == 4 * ONE ? (sum + (sum < 0 ? -2 : 2)) / 4
      : (ONE * sum + (sum < 0 ? -(n / 2) : n / 2)) / n;
  lift[i] = clamp (sum, -MAX_LIFT, MAX_LIFT);
}

/* Relaxes the cells whose sum of column and row is odd if @odd is 1, or even if @odd is 0
 * (red-black Gauss-Seidel). */
kernel void
seam_relax (LEVEL_ARGUMENTS, int odd)
{
  int row = get_global_id (1), y = row % rows, x;

  at += row / rows * columns * rows;
  for (x = ((y + odd) & 1) + 2 * get_global_id (0); x < columns;
      x += 2 * get_global_size (0))
    relax_cell (weights + weights_at, flow + at, lift + at, columns, rows, x,
        y);
}

/* Returns the sum of the residuals of the cells that form cell (x, y) of the next coarser level,
 * for a color. */
static int
sum_residuals (global const uchar4 * weights, global const int *flow,
    global const int *lift, int columns, int rows, int x, int y)
{
  long sum = 0;
  int u, v;

  for (v = 2 * y; v < min (2 * y + 2, rows); v++) {
    for (u = 2 * x; u < min (2 * x + 2, columns); u++) {
      int i = v * columns + u, n = sum_weights (weights, i);

      if (n == 0)
        continue;
      sum += (long) ONE * sum_around (flow, lift, columns, rows, u, v)
          - (long) n * lift[i];
    }
  }
  sum = (sum + (sum < 0 ? -ONE / 2 : ONE / 2)) / ONE;
  return (int) clamp (sum, (long) -MAX_FLOW, (long) MAX_FLOW);
}

/* Adds up the residuals of the cells, and writes the sums to the array @flow of the next coarser
 * level, whose cells begin at index @to. */
kernel void
seam_restrict (LEVEL_ARGUMENTS, int to)
{
  int next_rows = (rows + 1) / 2, next_columns = (columns + 1) / 2;
  int row = get_global_id (1), y = row % next_rows, x;

  at += row / next_rows * columns * rows;
  to += row * next_columns;
  for (x = get_global_id (0); x < next_columns; x += get_global_size (0)) {
    flow[to + x] = sum_residuals (weights + weights_at, flow + at, lift + at,
        columns, rows, x, y);
    lift[to + x] = 0;
  }
}

/* Returns the element of @lift at cell (x, y) of the next coarser level. (x, y) may be up to one
 * cell outside of this level. */
static int
get_lift (global const int *lift, int columns, int rows, int open, int x, int y)
{
  if ((x < 0 && !(open & LEFT)) || (y < 0 && !(open & TOP))
      || (x >= columns && !(open & RIGHT)) || (y >= rows && !(open & BOTTOM)))
    return 0;
  return lift[clamp (y, 0, rows - 1) * columns + clamp (x, 0, columns - 1)];
}

/* Adds the bilinearly interpolated membrane of the next coarser level, @next, to the membrane of
 * cell (x, y) of a color. */
static void
prolong_cell (global const uchar4 * weights, global int *lift,
    global const int *next, int columns, int rows, int open, int x, int y)
{
  int next_rows = (rows + 1) / 2, next_columns = (columns + 1) / 2;
  int u = x / 2, beside = u + (x % 2 != 0 ? 1 : -1);
  int v = y / 2, above = v + (y % 2 != 0 ? 1 : -1);
  int i = y * columns + x, sum;

  if (sum_weights (weights, i) == 0)
    return;
  sum = 9 * get_lift (next, next_columns, next_rows, open, u, v)
      + 3 * get_lift (next, next_columns, next_rows, open, beside, v)
      + 3 * get_lift (next, next_columns, next_rows, open, u, above)
      + get_lift (next, next_columns, next_rows, open, beside, above);
  lift[i] = clamp (lift[i] + ((sum + 8) >> 4), -MAX_LIFT, MAX_LIFT);
}

/* Adds the bilinearly interpolated membrane of the next coarser level to the membrane of this
 * level. The cells of the coarser level begin at index @from of @lift. */
kernel void
seam_prolong (LEVEL_ARGUMENTS, int from)
{
  int row = get_global_id (1), y = row % rows, x;

  at += row / rows * columns * rows;
  from += row / rows * ((columns + 1) / 2) * ((rows + 1) / 2);
  for (x = get_global_id (0); x < columns; x += get_global_size (0))
    prolong_cell (weights + weights_at, lift + at, lift + from, columns, rows,
        open, x, y);
}

/* ---- Small levels ------------------------------------------------------------- */

/* Returns the number of adjacent work-items that share a row of @n cells. The other work-items of
 * the work-group process other rows. The work-group must have a power of two work-items. */
static int
share_row (int n)
{
  int size = get_local_size (0), shared = 1;

  while (shared < n && shared < size)
    shared *= 2;
  return shared;
}

/* Visit the rows of a level, and every @step-th cell of a row from column @begin on. */
#define FOR_EACH_ROW(y, shared, rows) \
    for (int y = get_local_id (0) / shared; y < rows; \
        y += get_local_size (0) / shared)
#define FOR_EACH_CELL(x, shared, begin, step, columns) \
    for (int x = begin + step * (get_local_id (0) & (shared - 1)); x < columns; \
        x += step * shared)

/* Runs @n_cycles cycles of the solver on a level and all coarser levels, of which there are
 * @n_levels together. A work-group computes a color. It takes the place of the many launches that
 * these levels, which have few cells, would require. The result is that of the kernels above. */
kernel void
seam_cycle (LEVEL_ARGUMENTS, int n_levels, int n_cycles, int n_colours)
{
  int colour = get_group_id (0), n_steps = 2 * n_levels - 1, step, i;

  /* There are more work-groups if the driver allows only smaller ones. */
  if (colour >= n_colours)
    return;
  for (step = 0; step < n_cycles * n_steps; step++) {
    /* Goes down to the coarsest level, and up again. */
    int place = step % n_steps, is_down = place < n_levels - 1;
    int number = place < n_levels ? place : n_steps - 1 - place;
    int w = columns, h = rows, weights_begin = weights_at, begin = at;
    int cells, next, shared;
    global const uchar4 *level_weights;
    global int *level_flow, *level_lift;

    for (i = 0; i < number; i++) {
      weights_begin += w * h;
      begin += n_colours * w * h;
      w = (w + 1) / 2;
      h = (h + 1) / 2;
    }
    cells = w * h;
    next = begin + n_colours * cells + colour * ((w + 1) / 2) * ((h + 1) / 2);
    level_weights = weights + weights_begin;
    level_flow = flow + begin + colour * cells;
    level_lift = lift + begin + colour * cells;

    shared = share_row (w);
    if (place >= n_levels) {
      FOR_EACH_ROW (y, shared, h) {
        FOR_EACH_CELL (x, shared, 0, 1, w)
            prolong_cell (level_weights, level_lift, lift + next, w, h, open, x,
            y);
      }
    }
    barrier (CLK_GLOBAL_MEM_FENCE);
    shared = share_row ((w + 1) / 2);
    for (i = 0; i < 2 * SEAM_SWEEPS; i++) {
      FOR_EACH_ROW (y, shared, h) {
        FOR_EACH_CELL (x, shared, ((y + i) & 1), 2, w)
            relax_cell (level_weights, level_flow, level_lift, w, h, x, y);
      }
      barrier (CLK_GLOBAL_MEM_FENCE);
    }
    if (is_down) {
      FOR_EACH_ROW (y, shared, (h + 1) / 2) {
        FOR_EACH_CELL (x, shared, 0, 1, (w + 1) / 2) {
          int k = next + y * ((w + 1) / 2) + x;

          flow[k] = sum_residuals (level_weights, level_flow, level_lift, w, h,
              x, y);
          lift[k] = 0;
        }
      }
    }
    barrier (CLK_GLOBAL_MEM_FENCE);
  }
}
