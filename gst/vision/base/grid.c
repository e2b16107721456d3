/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "grid.h"

#include "boxes.h"

void
mgpu_grid_init (MgpuGrid * self, gint columns, gint rows)
{
  self->columns = columns;
  self->rows = rows;
  self->counts = g_new0 (gint, (gsize) (columns + 1) * (rows + 1));
}

void
mgpu_grid_clear (MgpuGrid * self)
{
  g_clear_pointer (&self->counts, g_free);
}

void
mgpu_grid_add (MgpuGrid * self, gint left, gint right, gint top, gint bottom)
{
  gint *first = self->counts + (gsize) top * (self->columns + 1);
  gint *last = self->counts + (gsize) bottom * (self->columns + 1);

  /* Notes how the number of rectangles changes: it rises by 1 at the upper left
   * corner, falls at the next two, and rises at the last. mgpu_grid_sum() adds
   * up these changes. */
  first[left]++;
  first[right]--;
  last[left]--;
  last[right]++;
}

/* Returns: the index of the first of n numbers, in rising order, that is at least value;
 * n if there is none */
static gint
find_first (const gint * numbers, gint n, gint64 value)
{
  gint low = 0, high = n;

  while (low < high) {
    gint middle = (low + high) / 2;

    if (numbers[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void
mgpu_grid_add_regions (MgpuGrid * self, const GArray * regions, const gint * x,
    const gint * y)
{
  for (guint i = 0; i < regions->len; i++) {
    const MgpuScoredBox *r = &g_array_index (regions, MgpuScoredBox, i);

    mgpu_grid_add (self, find_first (x, self->columns, r->x),
        find_first (x, self->columns, (gint64) r->x + r->width),
        find_first (y, self->rows, r->y),
        find_first (y, self->rows, (gint64) r->y + r->height));
  }
}

void
mgpu_grid_sum (MgpuGrid * self)
{
  gint pitch = self->columns + 1;

  for (gint y = 0; y < self->rows; y++) {
    gint *row = self->counts + (gsize) y * pitch, sum = 0;

    for (gint x = 0; x < self->columns; x++) {
      sum += row[x];
      row[x] = sum + (y > 0 ? row[x - pitch] : 0);
    }
  }
}

gboolean
mgpu_grid_is_in (const MgpuGrid * self, gint x, gint first, gint last)
{
  for (gint y = first; y <= last; y++)
    if (self->counts[(gsize) y * (self->columns + 1) + x] > 0)
      return TRUE;
  return FALSE;
}
