/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds which cells of a grid lie in the regions of a frame. */
#include "parts.h"

#include "boxes.h"

/* @numbers: array of @n numbers in increasing order. Returns: the index of the first number
 * that is at least @value; @n if all numbers are smaller */
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
mgpu_parts_add_regions (GArray * parts, const GArray * regions, const gint * x,
    gint columns, const gint * y, gint rows)
{
  for (guint i = 0; i < regions->len; i++) {
    const MgpuScoredBox *r = &g_array_index (regions, MgpuScoredBox, i);
    MgpuPart part = {
      .left = find_first (x, columns, r->x),
      .right = find_first (x, columns, (gint64) r->x + r->width),
      .top = find_first (y, rows, r->y),
      .bottom = find_first (y, rows, (gint64) r->y + r->height)
    };

    g_array_append_val (parts, part);
  }
}

/* Splits the rows @top to @bottom - 1 of the grid: appends to @out parts that cover the cells
 * of all parts in @in in these rows. A part in @in must have either all of these rows or none
 * of them. @changes is a scratch array of @columns + 1 numbers, which are 0 before and after
 * the call. */
static void
split_rows (const GArray * in, gint top, gint bottom, gint columns, gint gap,
    gint * changes, GArray * out)
{
  MgpuPart next = { -1, 0, top, bottom };
  gint count = 0;

  /* For each column, counts the parts that begin there minus the parts that end there. */
  for (guint i = 0; i < in->len; i++) {
    const MgpuPart *p = &g_array_index (in, MgpuPart, i);
    gint left = CLAMP (p->left, 0, columns);

    if (p->top <= top && p->bottom >= bottom) {
      changes[left]++;
      changes[CLAMP (p->right, left, columns)]--;
    }
  }
  for (gint x = 0; x <= columns; x++) {
    count += changes[x];
    changes[x] = 0;
    if (count > 0) {
      next.left = next.left < 0 ? x : next.left;
      next.right = x + 1;
    } else if (next.left >= 0 && (x == columns || x - next.right + 1 >= gap)) {
      g_array_append_val (out, next);
      next.left = -1;
    }
  }
}

GArray *
mgpu_parts_split (const GArray * parts, gint columns, gint rows, gint gap)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (MgpuPart));
  g_autofree gint *changes = g_new0 (gint, columns + 1);
  /* For each row of the grid: whether any part begins or ends there */
  g_autofree gboolean *is_edge = g_new0 (gboolean, rows + 1);
  gint top = 0;

  for (guint i = 0; i < parts->len; i++) {
    const MgpuPart *p = &g_array_index (parts, MgpuPart, i);

    is_edge[CLAMP (p->top, 0, rows)] = TRUE;
    is_edge[CLAMP (p->bottom, 0, rows)] = TRUE;
  }
  is_edge[rows] = TRUE;
  for (gint y = 1; y <= rows; y++)
    if (is_edge[y]) {
      split_rows (parts, top, y, columns, gap, changes, out);
      top = y;
    }
  return out;
}
