/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Removes the seams between areas copied from different places. A membrane (a smooth surface),
 * which is added over the hole, makes the jumps at seams disappear. A multigrid solver computes
 * it in integers, so that the order of the work-items does not change the result.
 *
 * Level 0 is the box around the hole; each further level has half the columns and rows. A level
 * has three arrays with an element for each cell: @unknown (from index unknown_at on) tells
 * whether the cell is unknown; @flow holds, for each colour, the sum of the differences that
 * the membrane must have at the cell to its neighbours; @lift holds, for each colour, the value
 * of the membrane at the cell (both from index @at on). Work-item (i, j) processes every
 * get_global_size (0)-th column of row j, from column i on; the rows of the colours follow one
 * another. */

#include "inpaint/shared.h"

/* DEPTH is the number of bits of a sample in the computation. MAX_FLOW and MAX_LIFT limit the
 * elements of the arrays @flow and @lift. */
#define DEPTH 14
#define MAX_FLOW (1 << 26)
#define MAX_LIFT (1 << 26)

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
seam_begin (PICTURE_ARGUMENTS, global uchar * unknown, global int *flow,
    global int *lift, global int *given, int at, int harmonic)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int i = (y0 + y) * width + x0 + x, cell = y * columns + x;
    int is_free = harmonic ? object[i] != 0
        : is_open (PICTURE, x0 + x, y0 + y);

    unknown[cell] = is_free;
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

/* Sets @unknown for the cells of a level: a cell is unknown if all of its cells in the next
 * finer level are unknown. The parameters @columns and @rows are the size of the finer level. */
kernel void
seam_coarsen (global uchar * unknown, int from, int to, int columns, int rows)
{
  int y = get_global_id (1), x, u, v;
  int n = (columns + 1) / 2;

  for (x = get_global_id (0); x < n; x += get_global_size (0)) {
    int is_unknown = 1;

    for (v = 2 * y; v < min (2 * y + 2, rows); v++)
      for (u = 2 * x; u < min (2 * x + 2, columns); u++)
        is_unknown &= unknown[from + v * columns + u];
    unknown[to + y * n + x] = is_unknown;
  }
}

/* Returns the sum of the elements of @lift of a cell's neighbours. Sets n to the weight of the
 * cell itself. The parameter @wall is 0 in level 0 and 1 in others: see
 * docs/algorithms/inpaint.md. */
static int
sum_neighbours (global const uchar * unknown, global const int *lift,
    int columns, int rows, int open, int wall, int x, int y, int *n)
{
  int k, sum = 0, own = lift[y * columns + x];

  *n = 4;
  for (k = 0; k < 4; k++) {
    int u = x + (k == 0 ? -1 : k == 2), v = y + (k == 1 ? -1 : k == 3);
    int is_inside = u >= 0 && v >= 0 && u < columns && v < rows;

    if (is_inside && unknown[v * columns + u])
      sum += lift[v * columns + u];
    else if (!is_inside && (open >> k & 1))
      sum += own;
    else
      *n += wall;
  }
  return sum;
}

#define LEVEL_ARGUMENTS global const uchar * unknown, int unknown_at, \
    global int *flow, global int *lift, int at, int columns, int rows, \
    int open, int wall

/* Relaxes the cells whose sum of column and row is odd, or is even if @odd is 0
 * (red-black Gauss-Seidel). */
kernel void
seam_relax (LEVEL_ARGUMENTS, int odd)
{
  int row = get_global_id (1), y = row % rows, x;

  unknown += unknown_at;
  flow += at + row / rows * columns * rows;
  lift += at + row / rows * columns * rows;
  for (x = ((y + odd) & 1) + 2 * get_global_id (0); x < columns;
      x += 2 * get_global_size (0)) {
    int i = y * columns + x, n, sum;

    if (!unknown[i])
      continue;
    sum = flow[i] + sum_neighbours (unknown, lift, columns, rows, open, wall, x,
        y, &n);
    sum += sum < 0 ? -(n / 2) : n / 2;
    lift[i] = clamp (n == 4 ? sum / 4 : sum / n, -MAX_LIFT, MAX_LIFT);
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

  unknown += unknown_at;
  to += row / next_rows * next_columns * next_rows;
  for (x = get_global_id (0); x < next_columns; x += get_global_size (0)) {
    long sum = 0;

    for (v = 2 * y; v < min (2 * y + 2, rows); v++) {
      for (u = 2 * x; u < min (2 * x + 2, columns); u++) {
        int i = v * columns + u, n, around;

        if (!unknown[i])
          continue;
        around = sum_neighbours (unknown, lift + at + cells, columns, rows,
            open, wall, u, v, &n);
        sum += (long) flow[at + cells + i] + around
            - (long) n * lift[at + cells + i];
      }
    }
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

  unknown += unknown_at;
  lift += at + row / rows * columns * rows;
  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int i = y * columns + x, u = x / 2, beside = u + (x % 2 != 0 ? 1 : -1), sum;

    if (!unknown[i])
      continue;
    sum = 9 * get_lift (next, next_columns, next_rows, open, u, v)
        + 3 * get_lift (next, next_columns, next_rows, open, beside, v)
        + 3 * get_lift (next, next_columns, next_rows, open, u, above)
        + get_lift (next, next_columns, next_rows, open, beside, above);
    lift[i] = clamp (lift[i] + ((sum + 8) >> 4), -MAX_LIFT, MAX_LIFT);
  }
}
