/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the connected components. */
#include "base/components.h"

/* Adds to the number of cracks and to the area of the component @owner, unless the component
 * touches the edge of the map or its class (black or white) is not measured. */
static void
add_to (volatile global int *cracks, volatile global int *areas, int owner,
    int n, int area)
{
  /* Skips components that touch the edge, which is already known. */
  if (cracks[owner] < 0)
    return;
  atomic_add (&cracks[owner], n);
  if (area != 0)
    atomic_add (&areas[owner], area);
}

/* Counts the cracks of each component, and the pixels that they enclose. A crack is an edge of a
 * pixel between the component and its parent. In each row, the enclosed pixels are those between a
 * crack on the left and the next crack on the right. @classes: bit 0: black components are
 * measured; bit 1: white components are measured */
kernel void
components_measure (const global ComponentsMap * restrict maps, int n_maps,
    int n_rows, int classes, const global int *restrict rows,
    const global ushort * restrict starts, const global int *restrict labels,
    const global int *restrict parents, volatile global int *cracks,
    volatile global int *areas)
{
  int number = GROUP_ID, from = 0;
  Row row, above;

  if (number >= n_rows)
    return;
  find_row (maps, n_maps, rows, number, &row);
  find_above (maps, rows, number, &row, &above);
  for (int i = LOCAL_ID; i < row.n; i += ITEMS) {
    int at = row.first + i, own = labels[at], parent = parents[own];
    int is_white = row.is_white ^ (i & 1), is_wanted = classes >> is_white & 1;
    int others = classes >> (1 - is_white) & 1;
    int x = starts[at], end = end_of (row, starts, i), n = 0, area = 0;

    /* Adds only cracks that belong to this run. A crack on the left or right lies between two
     * runs and belongs to one of them; the work-item of the other run skips it. */
    if (i > 0 && labels[at - 1] == parent) {
      n++;
      area -= x;
    }
    if (i + 1 < row.n && labels[at + 1] == parent) {
      n++;
      area += end;
    }
    if (row.y > 0) {
      int j = from = find_run (above, starts, x, from);

      j += (above.is_white ^ (j & 1)) == is_white;
      for (; j < above.n && starts[above.first + j] < end; j += 2) {
        int other = labels[above.first + j];
        int length = min (end, end_of (above, starts, j))
            - max (x, (int) starts[above.first + j]);

        if (other == parent)
          n += length;
        else if (others)
          add_to (cracks, areas, other, length, 0);
      }
    }
    if (is_wanted && n > 0)
      add_to (cracks, areas, own, n, area);
  }
}
