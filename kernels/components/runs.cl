/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the runs of equal bits of each row, and labels the connected components. */
#include "base/components.h"

#ifndef LABELS_PLAIN
#define LABELS_PLAIN 1
#endif
#include "base/labels.h"

/* Finds the runs of a row, and initializes the component of each run. A work-group processes a
 * row, in chunks of ITEMS words. @n_chunks: number of chunks in a row of the widest of the maps
 * (binary images). The work-group of the first row sets @state to 0. */
kernel void
components_find (const global ComponentsMap * restrict maps, int n_maps,
    int n_rows, int n_chunks, const global uint * restrict bits,
    global int *restrict rows, global ushort * restrict starts,
    global int *restrict labels, global int *restrict cracks,
    global int *restrict areas, global int *restrict places,
    global int *restrict state)
{
  int number = GROUP_ID;
  bool exists = number < n_rows;
  Row row;
  const global ComponentsMap *map;
  const global uint *words;
  int n_words, most, total = 1;
  SHARED int sums[ITEMS];

  place_row (maps, n_maps, exists ? number : 0, &row);
  map = maps + row.map;
  words = bits + map->bits + row.y * map->words;
  n_words = exists ? map->words : 0;
  most = map->most_runs;
#if ITEMS == 1
  if (!exists)
    return;
  n_chunks = n_words;
#endif
  if (number == 0)
    for (int i = LOCAL_ID; i < COMPONENTS_STATE; i += ITEMS)
      state[i] = 0;
  for (int chunk = 0; chunk < n_chunks; chunk++) {
    int w = chunk * ITEMS + LOCAL_ID;
    uint word = w < n_words ? words[w] : 0;
    uint before = w > 0 && w < n_words ? words[w - 1] >> 31 : word & 1;
    int behind = row.width - 32 * w;
    uint changes = (word ^ (word << 1 | before))
        & (behind >= 32 ? 0xffffffffu : behind > 0 ? (1u << behind) - 1 : 0);
    int at = popcount (changes);

    changes = w < n_words ? changes : 0;
    at = w < n_words ? at : 0;
    SUM_BEFORE (int, sums, at);
    at += total;
    total += sums[ITEMS - 1];
    SYNC
    while (changes != 0) {
      int bit = 31 - clz (changes & -changes);

      if (at < most)
        starts[row.first + at] = 32 * w + bit;
      at++;
      changes &= changes - 1;
    }
  }
  if (!exists)
    return;
  if (LOCAL_ID == 0) {
    rows[number] = total > most ? 2 : total << 1 | (words[0] & 1);
    starts[row.first] = 0;
  }
  total = total > most ? 1 : total;
  for (int i = LOCAL_ID; i < total; i += ITEMS) {
    labels[row.first + i] = row.first + i;
    cracks[row.first + i] = 0;
    areas[row.first + i] = 0;
    places[row.first + i] = COMPONENTS_NONE;
  }
}

/* Joins each run with connected runs of the row above. @eight: bit 0: black runs are 8-connected;
 * bit 1: white runs are 8-connected; otherwise runs are 4-connected */
kernel void
components_merge (const global ComponentsMap * restrict maps, int n_maps,
    int n_rows, int eight, const global int *restrict rows,
    const global ushort * restrict starts, volatile global int *labels)
{
  int number = GROUP_ID, from = 0;
  Row row, above;

  if (number >= n_rows)
    return;
  find_row (maps, n_maps, rows, number, &row);
  if (row.y == 0)
    return;
  find_above (maps, rows, number, &row, &above);
  for (int i = LOCAL_ID; i < row.n; i += ITEMS) {
    int is_white = row.is_white ^ (i & 1), wider = eight >> is_white & 1;
    int x = max (starts[row.first + i] - wider, 0);
    int end = end_of (row, starts, i) + wider;
    int j = from = find_run (above, starts, x, from);

    j += (above.is_white ^ (j & 1)) != is_white;
    for (; j < above.n && starts[above.first + j] < end; j += 2)
      labels_merge (labels, row.first + i, above.first + j);
  }
}

/* Sets the label of each run to the first run of its component. The parent of a component is the
 * component that surrounds it; it contains the run above the component's first run. */
kernel void
components_label (const global ComponentsMap * restrict maps, int n_maps,
    int n_rows, const global int *restrict rows,
    const global ushort * restrict starts, volatile global int *labels,
    global int *restrict parents, volatile global int *cracks)
{
  int number = GROUP_ID, from = 0;
  Row row, above;

  if (number >= n_rows)
    return;
  find_row (maps, n_maps, rows, number, &row);
  find_above (maps, rows, number, &row, &above);
  for (int i = LOCAL_ID; i < row.n; i += ITEMS) {
    int at = row.first + i, root = labels_flatten (labels, at);

    if (root == at && row.y > 0) {
      from = find_run (above, starts, starts[at], from);
      parents[at] = labels_find (labels, above.first + from);
    } else if (root == at)
      parents[at] = COMPONENTS_NONE;
    if ((row.y == 0 || row.y == row.height - 1 || i == 0 || i == row.n - 1)
        && (!LABELS_PLAIN || cracks[root] >= 0))
      atomic_or (&cracks[root], COMPONENTS_EDGE);
  }
}
