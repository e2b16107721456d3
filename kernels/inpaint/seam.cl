/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Removes the seams between areas copied from different places. A membrane (a smooth surface),
 * which is added over the hole, makes the jumps at seams disappear. A multigrid solver computes
 * it in integers, so that the order of the work-items does not change the result.
 *
 * Level 0 is the box around the hole; each further level has half the columns and rows. A level
 * has three arrays with an element for each cell: @weights (from index weights_at on) holds the
 * weights of the neighbours left, above, right and below, in units of 1 / ONE, 0 beyond the edge
 * of the frame; all are 0 if the cell is known. @flow holds, for each colour, the sum of the
 * differences that the membrane must have at the cell to its neighbours; @lift holds, for each
 * colour, the value of the membrane at the cell, 0 if the cell is known (both from index @at on).
 * Work-item (i, j) processes every get_global_size (0)-th column of row j, from column i on; the
 * rows of the colours follow one another. */

#include "inpaint/inpaint-shared.h"

/* DEPTH is the number of bits of a sample in the computation. MAX_FLOW and MAX_LIFT limit the
 * elements of the arrays @flow and @lift, so that ONE (MAX_FLOW + 4 MAX_LIFT) is an int. ONE is
 * the weight of a neighbour at the distance of one cell. */
#define DEPTH 14
#define ONE 32
#define MAX_FLOW (1 << 25)
#define MAX_LIFT (1 << 22)

/* a / b for positive numbers, to the nearest */
#define DIVIDE(a, b) (((a) + (b) / 2) / (b))

/* ---- The filled frame and its seams --------------------------------------------- */

/* Arguments that describe the filled frame. The box of pixels to compute begins at pixel (x0,
 * y0) of the frame, and has the given numbers of columns and rows. The array @samples holds
 * the values of all pixels of the frame if @blended is set, otherwise those of the known
 * pixels. If @blended is set, the array @beside holds four arrays of the size of the box, one
 * for each side: for each pixel of the box, the value of the pixel left of, above, right of
 * or below its origin (the pixel from which it is copied), or -1 if there is none. The array
 * @agreed is 1 for each pixel of the box for which the patches that cover it have the same
 * value; it is not used if the membrane itself is the result. The parameter @steepest is the
 * largest difference of neighbours that counts, in samples of DEPTH bits. */
#define PICTURE_ARGUMENTS global const int *samples, \
    global const int *object, global const int *origin, \
    global const int *beside, global const uchar * agreed, int blended, \
    int width, int height, int x0, int y0, int columns, int rows, int depth, \
    int steepest
#define PICTURE samples, object, origin, beside, agreed, blended, width, height, \
    x0, y0, columns, rows, depth, steepest

/* Tells whether the membrane may change a pixel of the frame: an unknown pixel
 * may change if patches do not agree about it or about one of its 8
 * neighbours. */
static int
is_open (PICTURE_ARGUMENTS, int x, int y)
{
  int all = 1, u, v;

  if (object[y * width + x] == 0)
    return 0;
  x -= x0;
  y -= y0;
  for (v = max (y - 1, 0); v < min (y + 2, rows); v++)
    for (u = max (x - 1, 0); u < min (x + 2, columns); u++)
      all &= agreed[v * columns + u];
  return !all;
}

/* Returns the value of pixel i or, if the pixel is unknown and @blended is not set, of its
 * origin, the pixel from which it was copied. */
static int
get_value (PICTURE_ARGUMENTS, int i)
{
  return samples[object[i] != 0 && !blended ? origin[i] : i];
}

#define SIDE_X(side) ((side) == 0 ? -1 : (side) == 2)
#define SIDE_Y(side) ((side) == 1 ? -1 : (side) == 3)

/* Returns the difference, on the given side, between the neighbour of pixel i
 * and the neighbour of its origin (the pixel that it was copied from), or 0 if
 * the neighbour of the origin is not known. */
static int
find_seam (PICTURE_ARGUMENTS, int i, int side)
{
  int x = origin[i] % width + SIDE_X (side);
  int y = origin[i] / width + SIDE_Y (side), seam = -1;

  if (blended)
    seam = beside[(side * rows + i / width - y0) * columns + i % width - x0];
  else if (x >= 0 && y >= 0 && x < width && y < height
      && object[y * width + x] == 0)
    seam = samples[y * width + x];
  if (seam < 0)
    return 0;
  seam = get_value (PICTURE, i + SIDE_Y (side) * width + SIDE_X (side)) - seam;
  seam = depth <= DEPTH ? seam << (DEPTH - depth) : seam >> (depth - DEPTH);
  return clamp (seam, -steepest, steepest);
}

static int
find_flow (PICTURE_ARGUMENTS, int x, int y)
{
  int sum = 0, side;

  for (side = 0; side < 4; side++) {
    int u = x + SIDE_X (side), v = y + SIDE_Y (side), seam;

    if (u < 0 || v < 0 || u >= width || v >= height)
      continue;
    seam = find_seam (PICTURE, y * width + x, side);
    sum += is_open (PICTURE, u, v) ? seam - find_seam (PICTURE,
        v * width + u, side ^ 2) : 2 * seam;
  }
  return sum >> 1;
}

/* Returns the part of a cell's @flow that the known neighbours of pixel (x, y) contribute if
 * the membrane itself is the result. */
static int
find_edge (PICTURE_ARGUMENTS, int x, int y)
{
  int sum = 0, side;

  for (side = 0; side < 4; side++) {
    int u = x + SIDE_X (side), v = y + SIDE_Y (side), value;

    if (u < 0 || v < 0 || u >= width || v >= height
        || object[v * width + u] != 0)
      continue;
    value = samples[v * width + u];
    sum += depth <= DEPTH ? value << (DEPTH - depth) : value >> (depth - DEPTH);
  }
  return sum;
}

/* Prepares level 0 of a colour. The array @given gets the copied value of each cell, or 0 if
 * @harmonic is set: then the membrane itself is the result. */
kernel void
seam_begin (PICTURE_ARGUMENTS, global uchar4 * weights, global int *flow,
    global int *lift, global int *given, int at, int harmonic)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int i = (y0 + y) * width + x0 + x, cell = y * columns + x;
    int is_free = harmonic ? object[i] != 0
        : is_open (PICTURE, x0 + x, y0 + y);

    weights[cell] = is_free ? (uchar4) (x0 + x > 0 ? ONE : 0,
        y0 + y > 0 ? ONE : 0, x0 + x < width - 1 ? ONE : 0,
        y0 + y < height - 1 ? ONE : 0) : (uchar4) 0;
    lift[at + cell] = 0;
    if (harmonic) {
      flow[at + cell] = is_free ? find_edge (PICTURE, x0 + x, y0 + y) : 0;
      given[at + cell] = 0;
      continue;
    }
    flow[at + cell] = is_free ? find_flow (PICTURE, x0 + x, y0 + y) : 0;
    given[at + cell] = object[i] != 0 ? get_value (PICTURE, i) : 0;
  }
}

/* Writes the final values of the unknown pixels. Values are limited to the nominal range, @lo
 * to @hi; if the copied value lies outside of this range, the copied value is the limit. */
kernel void
seam_end (global int *samples, global const int *object, int width, int x0,
    int y0, int columns, int depth, int lo, int hi, global const int *lift,
    global const int *given, int at)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int i = (y0 + y) * width + x0 + x, cell = at + y * columns + x;
    int value = lift[cell];

    value = depth <= DEPTH ? (value + (1 << DEPTH >> depth) / 2)
        >> (DEPTH - depth) : value << (depth - DEPTH);
    if (object[i] != 0)
      samples[i] = clamp (given[cell] + value, min (given[cell], lo),
          max (given[cell], hi));
  }
}

/* ---- Levels of the multigrid solver ------------------------------------------ */

/* Returns: the weight of cell i itself, the sum of the weights of its neighbours; 0 if the cell
 * is known */
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

/* Tells whether cell (x, y) of a level is unknown. A cell right of or below the level is so if it
 * is beyond the edge of the frame. */
static int
is_unknown (global const uchar4 * weights, int columns, int rows, int open,
    int x, int y)
{
  if (x < columns && y < rows)
    return sum_weights (weights, y * columns + x) > 0;
  return (x >= columns && (open & RIGHT)) || (y >= rows && (open & BOTTOM));
}

/* Tells whether all four cells of a level are unknown that make up cell (x, y) of the next
 * coarser level. */
static int
are_unknown (global const uchar4 * weights, int columns, int rows, int open,
    int x, int y)
{
  return is_unknown (weights, columns, rows, open, 2 * x, 2 * y)
      && is_unknown (weights, columns, rows, open, 2 * x + 1, 2 * y)
      && is_unknown (weights, columns, rows, open, 2 * x, 2 * y + 1)
      && is_unknown (weights, columns, rows, open, 2 * x + 1, 2 * y + 1);
}

/* Returns the weight that the border of the hole has for a cell of the next coarser level: the
 * reciprocal of the distance to it from the middle of this cell. (x, y) is the cell of the finer
 * level inside on the side @k; the border follows it, or the cell after it. */
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

/* Returns the weight of the neighbour on the side @k of the unknown cell (x, y) of the next
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

/* Sets @weights for the cells of a level, from index @to on: a cell is unknown if all of its cells
 * in the next finer level, from index @from on, are. The parameters @columns and @rows are
 * the size of the finer level. */
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

/* Returns: the flow of cell (x, y) and the lifts of its neighbours, added up. A neighbour that is
 * unknown has the weight ONE, all others have the lift 0. */
static int
sum_around (global const int *flow, global const int *lift, int columns,
    int rows, int x, int y)
{
  int i = y * columns + x;

  return flow[i] + (x > 0 ? lift[i - 1] : 0) + (y > 0 ? lift[i - columns] : 0)
      + (x < columns - 1 ? lift[i + 1] : 0)
      + (y < rows - 1 ? lift[i + columns] : 0);
}

/* Relaxes the cells whose sum of column and row is odd, or is even if @odd is 0
 * (red-black Gauss-Seidel). */
kernel void
seam_relax (LEVEL_ARGUMENTS, int odd)
{
  int row = get_global_id (1), y = row % rows, x;

  weights += weights_at;
  flow += at + row / rows * columns * rows;
  lift += at + row / rows * columns * rows;
  for (x = ((y + odd) & 1) + 2 * get_global_id (0); x < columns;
      x += 2 * get_global_size (0)) {
    int i = y * columns + x, n = sum_weights (weights, i), sum;

    if (n == 0)
      continue;
    sum = sum_around (flow, lift, columns, rows, x, y);
    /* Most cells need no division by a variable. */
    sum = n == 4 * ONE ? (sum + (sum < 0 ? -2 : 2)) / 4
        : (ONE * sum + (sum < 0 ? -(n / 2) : n / 2)) / n;
    lift[i] = clamp (sum, -MAX_LIFT, MAX_LIFT);
  }
}

/* Adds up the residuals of the cells, and writes the sums to the array @flow of the next
 * coarser level, whose cells begin at index @to. */
kernel void
seam_restrict (LEVEL_ARGUMENTS, int to)
{
  int next_rows = (rows + 1) / 2, next_columns = (columns + 1) / 2;
  int row = get_global_id (1), y = row % next_rows, x, u, v;
  int cells = row / next_rows * columns * rows;

  weights += weights_at;
  to += row / next_rows * next_columns * next_rows;
  for (x = get_global_id (0); x < next_columns; x += get_global_size (0)) {
    long sum = 0;

    for (v = 2 * y; v < min (2 * y + 2, rows); v++) {
      for (u = 2 * x; u < min (2 * x + 2, columns); u++) {
        int i = v * columns + u, n = sum_weights (weights, i);

        if (n == 0)
          continue;
        sum += (long) ONE * sum_around (flow + at + cells, lift + at + cells,
            columns, rows, u, v) - (long) n * lift[at + cells + i];
      }
    }
    sum = (sum + (sum < 0 ? -ONE / 2 : ONE / 2)) / ONE;
    flow[to + y * next_columns + x] = (int) clamp (sum, (long) -MAX_FLOW,
        (long) MAX_FLOW);
    lift[to + y * next_columns + x] = 0;
  }
}

/* Returns the element of @lift at cell (x, y) of the next coarser level; (x, y) may lie one
 * cell outside of this level. */
static int
get_lift (global const int *lift, int columns, int rows, int open, int x,
    int y)
{
  if ((x < 0 && !(open & LEFT)) || (y < 0 && !(open & TOP))
      || (x >= columns && !(open & RIGHT)) || (y >= rows && !(open & BOTTOM)))
    return 0;
  return lift[clamp (y, 0, rows - 1) * columns + clamp (x, 0, columns - 1)];
}

/* Adds the membrane of the next coarser level, interpolated bilinearly, to that of this level.
 * The cells of the coarser level begin at index @from of @lift. */
kernel void
seam_prolong (LEVEL_ARGUMENTS, int from)
{
  int next_rows = (rows + 1) / 2, next_columns = (columns + 1) / 2;
  int row = get_global_id (1), y = row % rows, x;
  global const int *next = lift + from
      + row / rows * next_columns * next_rows;
  int v = y / 2, above = v + (y % 2 != 0 ? 1 : -1);

  weights += weights_at;
  lift += at + row / rows * columns * rows;
  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int i = y * columns + x, u = x / 2, beside = u + (x % 2 != 0 ? 1 : -1), sum;

    if (sum_weights (weights, i) == 0)
      continue;
    sum = 9 * get_lift (next, next_columns, next_rows, open, u, v)
        + 3 * get_lift (next, next_columns, next_rows, open, beside, v)
        + 3 * get_lift (next, next_columns, next_rows, open, u, above)
        + get_lift (next, next_columns, next_rows, open, beside, above);
    lift[i] = clamp (lift[i] + ((sum + 8) >> 4), -MAX_LIFT, MAX_LIFT);
  }
}
