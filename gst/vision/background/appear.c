/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the pixels that are set in the mask of a frame and were not set in the mask of the
 * frame before. Works on runs (adjacent set pixels of a row): a frame has few of them, so the
 * time depends little on the size of the frame. */
#include "appear.h"

#include <string.h>

/* A run: set pixels of a row, from column @x0 to column @x1 - 1 */
typedef struct
{
  gint y, x0, x1;
  guint parent;                 /* union-find parent: index of a run of the same connected part.
                                 * The parent of a root is the root itself */
  gboolean is_old;              /* whether any pixel of the run was set in the mask of the frame
                                 * before; in a root: whether any pixel of its part was */
  gint label;                   /* in a root: 1 + the index of its part in the result, or 0 if
                                 * the part is not in the result */
} Run;

MgpuBox
mgpu_background_find_new (const guint8 * mask, const guint8 * was, gint width,
    gint height)
{
  MgpuBox box = { width, height, 0, 0 };

  for (gint y = 0; y < height; y++) {
    const guint8 *row = mask + (gsize) y * width;
    const guint8 *before = was + (gsize) y * width;

    if (memcmp (row, before, width) == 0)
      continue;
    for (gint x = 0; x < width; x++) {
      if (!row[x] || before[x])
        continue;
      box.x0 = MIN (box.x0, x);
      box.y0 = MIN (box.y0, y);
      box.x1 = MAX (box.x1, x + 1);
      box.y1 = y + 1;
    }
  }
  return box;
}

/* Returns: the root of the part to which run @i belongs */
static guint
find_root (GArray * runs, guint i)
{
  Run *run = &g_array_index (runs, Run, i);

  while (run->parent != i) {
    run->parent = g_array_index (runs, Run, run->parent).parent;
    i = run->parent;
    run = &g_array_index (runs, Run, i);
  }
  return i;
}

static void
join (GArray * runs, guint a, guint b)
{
  Run *from, *to;

  a = find_root (runs, a);
  b = find_root (runs, b);
  from = &g_array_index (runs, Run, MAX (a, b));
  to = &g_array_index (runs, Run, MIN (a, b));
  from->parent = MIN (a, b);
  to->is_old |= from->is_old;
}

/* Appends the runs of row @y to @runs, and joins each of them with the runs of the row above
 * that touch it. @above is the index of the first run of the row above. */
static void
add_row (GArray * runs, const guint8 * row, const guint8 * was, gint width,
    gint y, guint above)
{
  guint end = runs->len, first = above;
  const guint8 *start = row;

  while ((start = memchr (start, 1, row + width - start)) != NULL) {
    const guint8 *stop = memchr (start, 0, row + width - start);
    Run run = {.y = y,.x0 = start - row,.parent = runs->len };

    run.x1 = stop != NULL ? stop - row : width;
    run.is_old = memchr (was + run.x0, 1, run.x1 - run.x0) != NULL;
    g_array_append_val (runs, run);
    while (first < end && g_array_index (runs, Run, first).x1 < run.x0)
      first++;
    for (guint i = first; i < end
        && g_array_index (runs, Run, i).x0 <= run.x1; i++)
      join (runs, i, run.parent);
    start = row + run.x1;
  }
}

/* Returns: the runs of @mask, joined into 8-connected parts */
static GArray *
find_runs (const guint8 * mask, const guint8 * was, gint width, gint height)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (Run));
  guint above = 0;

  for (gint y = 0; y < height; y++) {
    guint here = runs->len;

    add_row (runs, mask + (gsize) y * width, was + (gsize) y * width, width, y,
        above);
    above = here;
  }
  return runs;
}

GArray *
mgpu_background_find_appeared (const guint8 * mask, const guint8 * was,
    gint width, gint height, gint ** labels)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  g_autoptr (GArray) runs = find_runs (mask, was, width, height);
  const MgpuBox none = { width, height, 0, 0 };

  for (guint i = 0; i < runs->len; i++) {
    Run *root = &g_array_index (runs, Run, i);

    if (root->parent != i || root->is_old)
      continue;
    g_array_append_val (boxes, none);
    root->label = boxes->len;
  }
  *labels = boxes->len == 0 ? NULL
      : g_new0 (gint, (gsize) width * height + 2 * (boxes->len + 1));
  for (guint i = 0; i < runs->len && boxes->len > 0; i++) {
    const Run *run = &g_array_index (runs, Run, i);
    gint label = g_array_index (runs, Run, find_root (runs, i)).label;
    MgpuBox *box = &g_array_index (boxes, MgpuBox, label - 1);

    if (label == 0)
      continue;
    for (gint x = run->x0; x < run->x1; x++)
      (*labels)[(gsize) run->y * width + x] = label;
    box->x0 = MIN (box->x0, run->x0);
    box->y0 = MIN (box->y0, run->y);
    box->x1 = MAX (box->x1, run->x1);
    box->y1 = MAX (box->y1, run->y + 1);
  }
  return boxes;
}
