/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Dilates and searches masks. A mask has a byte for each pixel of a frame, which indicates, for
 * example, whether the pixel is unknown. */
#include "masks.h"

#include <string.h>

void
mgpu_inpaint_dilate (const guint8 * from, gsize stride, gint width,
    gint height, gint radius, guint8 * to)
{
  gint *last = g_new (gint, width);     /* for each column: the last row so far whose pixel is
                                         * set in the mask */

  memset (to, 0, (gsize) width * height);
  /* Dilates the mask along the rows. */
  for (gint y = 0; y < height; y++) {
    guint8 *row = to + (gsize) y * width;
    gint end = 0;

    for (gint x = 0; x < width; x++) {
      if (from[y * stride + x] < 128)
        continue;
      end = MAX (end, x - radius);
      for (gint limit = MIN (x + radius + 1, width); end < limit; end++)
        row[end] = 1;
    }
  }
  if (radius == 0) {
    g_free (last);
    return;
  }
  /* Dilates the mask along the columns. Bit 0 of the bytes of @to contains the mask after
   * dilation along the rows. The first pass goes down and writes bit 1. The second pass goes up,
   * reads both bits, and replaces the byte by the result, 0 or 1. */
  for (gint x = 0; x < width; x++)
    last[x] = -radius - 1;
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      guint8 *p = to + (gsize) y * width + x;

      last[x] = *p & 1 ? y : last[x];
      *p |= y - last[x] <= radius ? 2 : 0;
    }
  for (gint x = 0; x < width; x++)
    last[x] = height + radius;
  for (gint y = height - 1; y >= 0; y--)
    for (gint x = 0; x < width; x++) {
      guint8 *p = to + (gsize) y * width + x;

      last[x] = *p & 1 ? y : last[x];
      *p = *p >> 1 | (last[x] - y <= radius);
    }
  g_free (last);
}

gint
mgpu_inpaint_find_distances (const guint8 * unknown, gint width, gint height,
    MgpuBox box, gint * distances)
{
  gint far = width + height;
  gint columns = box.x1 - box.x0, largest = 0;

#define NEARER(x, y, here) \
  if ((x) >= box.x0 && (x) < box.x1 && (y) >= box.y0 && (y) < box.y1) \
    here = MIN (here, distances[((y) - box.y0) * columns + (x) - box.x0] + 1); \
  else if ((x) >= 0 && (x) < width && (y) >= 0 && (y) < height) \
    here = MIN (here, 1);

  for (gint y = box.y0; y < box.y1; y++) {
    for (gint x = box.x0; x < box.x1; x++) {
      gint *here = &distances[(y - box.y0) * columns + x - box.x0];

      *here = unknown[(gsize) y * width + x] ? far : 0;
      if (*here == 0)
        continue;
      NEARER (x - 1, y, *here);
      NEARER (x - 1, y - 1, *here);
      NEARER (x, y - 1, *here);
      NEARER (x + 1, y - 1, *here);
    }
  }
  for (gint y = box.y1 - 1; y >= box.y0; y--) {
    for (gint x = box.x1 - 1; x >= box.x0; x--) {
      gint *here = &distances[(y - box.y0) * columns + x - box.x0];

      if (*here == 0)
        continue;
      NEARER (x + 1, y, *here);
      NEARER (x + 1, y + 1, *here);
      NEARER (x, y + 1, *here);
      NEARER (x - 1, y + 1, *here);
      largest = MAX (largest, *here);
    }
  }
#undef NEARER
  return largest;
}

GArray *
mgpu_inpaint_sort (const gint * level, gint n, gint n_levels, GArray * ends)
{
  GArray *sorted = g_array_new (FALSE, TRUE, sizeof (gint));
  gint *end, sum = 0;

  g_array_set_size (ends, 0);
  g_array_set_size (ends, n_levels + 1);
  end = (gint *) ends->data;
  for (gint i = 0; i < n; i++)
    if (level[i] > 0)
      end[level[i]]++;
  for (gint i = 1; i <= n_levels; i++) {
    gint count = end[i];

    end[i] = sum;
    sum += count;
  }
  g_array_set_size (sorted, sum);
  /* Writes the sorted numbers (counting sort). @end[k] is the index in @sorted for the next
   * number of level k. */
  for (gint i = 0; i < n; i++)
    if (level[i] > 0)
      g_array_index (sorted, gint, end[level[i]]++) = i;
  return sorted;
}
