/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds and numbers the connected components of cells. A single work-group runs; it visits only the
 * cells in the list of cells with moving pixels. */
#ifndef COMPONENTS_H
#define COMPONENTS_H

#include "moving/moving-shared.h"
#include "moving/parts.h"
#include "base/labels.h"

/* Number of words of an array that has a bit for each cell */
#define N_PARTS (MOVING_MAX_CELLS / 32)

/* Minimum number of pixels of a component */
#define MIN_PIXELS 24

#define COMPONENT(i) (components + (i) * MOVING_COMPONENT_WORDS)

/* Joins the active cell c with the active cells around it. If the cell above is active, the other
 * three need no join, because they are connected with it as its own neighbors. In the same way, the
 * left cell is connected with the cell above it. */
static void
merge_cell (global const int *counts, global int *parents, int c, int columns)
{
  int x = c % columns;
  bool has_left = x > 0, has_right = x < columns - 1, has_up = c >= columns;

  if (has_up && counts[c - columns] > 0) {
    labels_merge (parents, c, c - columns);
    return;
  }
  if (has_up && has_left && counts[c - columns - 1] > 0)
    labels_merge (parents, c, c - columns - 1);
  else if (has_left && counts[c - 1] > 0)
    labels_merge (parents, c, c - 1);
  if (has_up && has_right && counts[c - columns + 1] > 0)
    labels_merge (parents, c, c - columns + 1);
}

/* Labels connected active cells, and gives cells with few pixels the label of an active neighbor.
 * All work-items call this. @n: number of cells in the list. Returns the number of active cells
 * that the work-item has visited. */
static inline __attribute__ ((always_inline)) int
label_cells (global int *cells, int columns, int rows, int n)
{
  int id = get_local_id (0), active = 0;
  global const int *counts = cells + MOVING_COUNTS_AT, *list = cells + MOVING_LIST_AT;
  global int *parents = cells + MOVING_CELL_PARENTS_AT;

  for (int i = id; i < n; i += WIDE) {
    if (counts[list[i]] <= 0)
      continue;
    active++;
    merge_cell (counts, parents, list[i], columns);
  }
  SYNC (CLK_GLOBAL_MEM_FENCE);
  for (int at = id; at < n; at += WIDE) {
    int c = list[at], label = counts[c] > 0 ? labels_find (parents, c) : -1;

    for (int i = 0; i < 9 && counts[c] < 0 && label < 0; i++) {
      int x = c % columns + i % 3 - 1, y = c / columns + i / 3 - 1;

      if (x >= 0 && y >= 0 && x < columns && y < rows && counts[y * columns + x] > 0)
        label = labels_find (parents, y * columns + x);
    }
    cells[MOVING_LABELS_AT + c] = label;
    if (label >= 0)
      atomic_add (&cells[MOVING_SIZES_AT + label], (int) abs (counts[c]));
  }
  SYNC (CLK_GLOBAL_MEM_FENCE);
  return active;
}

/* Returns whether a component begins at cell c. */
static bool
is_first_cell (global const int *cells, int c)
{
  return cells[MOVING_LABELS_AT + c] == c && cells[MOVING_SIZES_AT + c] >= MIN_PIXELS;
}

/* Numbers components in the order of their first cells. Returns the number of components. All
 * work-items call this. @n: number of cells in the list. @firsts: set to a bit for each cell, which
 * tells whether a component begins there. */
static inline __attribute__ ((always_inline)) int
number_components (global int *cells, int n, global int *components, local uint *firsts,
    local int *parts, local int *tops)
{
  int id = get_local_id (0);
  global const int *list = cells + MOVING_LIST_AT;

  for (int i = id; i < N_PARTS; i += WIDE)
    firsts[i] = 0;
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int i = id; i < n; i += WIDE)
    if (is_first_cell (cells, list[i]))
      atomic_or (&firsts[list[i] >> 5], 1u << (list[i] & 31));
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int i = id; i < N_PARTS; i += WIDE)
    parts[i] = (int) popcount (firsts[i]);
  sum_parts (parts, N_PARTS, tops);
  for (int i = id; i < n; i += WIDE) {
    int c = list[i], number;

    if (!is_first_cell (cells, c))
      continue;
    number = sum_first (parts, tops, c >> 5)
        + (int) popcount (firsts[c >> 5] & ((1u << (c & 31)) - 1));
    number = number < MOVING_MAX_REGIONS ? number : -1;
    cells[MOVING_NUMBERS_AT + c] = number;
    if (number >= 0)
      COMPONENT (number)[MOVING_COMPONENT_CELL] = c;
  }
  SYNC (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return sum_first (parts, tops, N_PARTS);
}

#endif
