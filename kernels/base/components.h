/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code shared by the kernels that read runs (adjacent equal bits in a row).
 *
 * Runs of equal bits are numbered row by row, and classes alternate in a row, so the class of a run
 * follows from that of the first one. @starts holds the first pixel of each run. */
#ifndef COMPONENTS_H
#define COMPONENTS_H

/* Number of work-items that share a row: 1 or the size of a work-group */
#ifndef ITEMS
#define ITEMS 1
#endif

/* Each row is processed by a work-group of ITEMS work-items. */
#define GROUP ITEMS

#include "base/components-shared.h"
#include "base/group.h"

/* A row of a map */
typedef struct
{
  int map, y;
  int width, height;
  int first;                    /* index of the row's first run */
  int n;                        /* number of its runs */
  int is_white;                 /* class of its first run */
} Row;

/* Finds the map of row @number, counted over all maps; does not set the runs. Rows are not returned
 * by value, because Oclgrind does not support the code that its compiler generates for this. */
static void
place_row (const global ComponentsMap * maps, int n_maps, int number, Row * row)
{
  row->map = 0;
  for (int i = 1; i < n_maps; i++)
    if (number >= maps[i].first_row)
      row->map = i;
  maps += row->map;
  row->y = number - maps->first_row;
  row->width = maps->width;
  row->height = maps->height;
  row->first = maps->first_run + row->y * maps->most_runs;
  row->n = 0;
  row->is_white = 0;
}

static void
find_row (const global ComponentsMap * maps, int n_maps,
    const global int *rows, int number, Row * row)
{
  place_row (maps, n_maps, number, row);
  row->n = rows[number] >> 1;
  row->is_white = rows[number] & 1;
}

/* Finds the row above row @number. For the first row of a map, this is @row itself. */
static void
find_above (const global ComponentsMap * maps, const global int *rows,
    int number, const Row * row, Row * above)
{
  *above = *row;
  if (row->y == 0)
    return;
  above->y--;
  above->first -= maps[row->map].most_runs;
  above->n = rows[number - 1] >> 1;
  above->is_white = rows[number - 1] & 1;
}

/* Returns the column after the last column of run i of a row. */
static int
end_of (Row row, const global ushort * starts, int i)
{
  return i + 1 < row.n ? starts[row.first + i + 1] : row.width;
}

/* Returns the run of a row that contains the pixel x. The search begins with run @from. */
static int
find_run (Row row, const global ushort * starts, int x, int from)
{
  int low = from;

#if ITEMS == 1
  while (low + 1 < row.n && starts[row.first + low + 1] <= x)
    low++;
#else
  int high = row.n;

  while (high - low > 1) {
    int middle = (low + high) / 2;

    if (starts[row.first + middle] <= x)
      low = middle;
    else
      high = middle;
  }
#endif
  return low;
}

#endif
