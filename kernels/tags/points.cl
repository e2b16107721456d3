/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds points on the boundaries of candidates: the positions between two pixels at which the
 * interpolated value crosses the threshold. */
#include "base/components.h"
#include "tags/tags-private.h"

/* Returns the position, from 0 to 32, between two pixels at which the value crosses the threshold.
 * @thresholds: sum of the thresholds of both pixels */
static int
find_crossing (int a, int b, int thresholds)
{
  int n = thresholds + 1 - 2 * a, d = 2 * (b - a);

  if (d < 0) {
    n = -n;
    d = -d;
  }
  return d == 0 ? 16 : clamp ((64 * n / max (d, 1) + 1) / 2, 0, 32);
}

/* Writes the points on the boundaries (cracks) of the listed components, row by row. The
 * member @next of a component counts its points. */
kernel void
tags_points (const global ComponentsMap * restrict maps, int n_maps,
    int n_rows, const global TagsMap * restrict pictures,
    const global uchar * restrict frame, int offset, int stride,
    const global uchar * restrict halves,
    const global uchar * restrict thresholds, const global int *restrict rows,
    const global ushort * restrict starts, const global int *restrict labels,
    const global int *restrict parents, const global int *restrict places,
    global Component * restrict list, global int2 * restrict points)
{
  int number = GROUP_ID, from = 0;
  Row row, above;
  const global TagsMap *picture;
  const global uchar *pixels, *limits;
  int pitch, tile;

  if (number >= n_rows)
    return;
  find_row (maps, n_maps, rows, number, &row);
  find_above (maps, rows, number, &row, &above);
  picture = pictures + row.map;
  tile = picture->tile;
  pixels = picture->is_halved ? halves + picture->pixels : frame + offset;
  pitch = picture->is_halved ? picture->stride : stride;
  pixels += (size_t) row.y * pitch;
  limits = thresholds + picture->thresholds
      + (size_t) (row.y / tile) * picture->columns;
  for (int i = LOCAL_ID; i < row.n; i += ITEMS) {
    int at = row.first + i, own = labels[at], x = starts[at];
    int is_white = row.is_white ^ (i & 1), end = end_of (row, starts, i);
    int parent = parents[own], own_place = places[own];

    if (i > 0) {
      int other = labels[at - 1];
      int place = other == parent ? own_place : places[other];

      if (place >= 0) {
        volatile global int *next = &list[place].next;
        int t = find_crossing (pixels[x - 1], pixels[x],
            limits[(x - 1) / tile] + limits[x / tile]);

        points[list[place].first + atomic_add (next, 1)] =
            (int2) (32 * x - 16 + t, 32 * row.y + 16);
      }
    }
    if (row.y > 0) {
      const global uchar *upper = pixels - pitch;
      const global uchar *others =
          row.y % tile == 0 ? limits - picture->columns : limits;
      int j = from = find_run (above, starts, x, from);

      j += (above.is_white ^ (j & 1)) == is_white;
      for (; j < above.n && starts[above.first + j] < end; j += 2) {
        int other = labels[above.first + j];
        int place = other == parent ? own_place : places[other];
        int begin = max (x, (int) starts[above.first + j]);
        int stop = min (end, end_of (above, starts, j));

        if (place >= 0) {
          volatile global int *next = &list[place].next;
          int to = list[place].first + atomic_add (next, stop - begin);

          for (int k = begin; k < stop; k++) {
            int t = find_crossing (upper[k], pixels[k], others[k / tile]
                + limits[k / tile]);

            points[to++] = (int2) (32 * k + 16, 32 * row.y - 16 + t);
          }
        }
      }
    }
  }
}
