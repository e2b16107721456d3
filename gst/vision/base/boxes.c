/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Sorts, groups, clips and removes scored boxes, the results of object detectors. */
#include "boxes.h"

#include <math.h>

/* Two boxes count as near each other if each side of one is close to the same side of the
 * other. The limit of their distance is NEAR times the mean of two sizes: the smaller width and
 * the smaller height of the two boxes. */
#define NEAR 0.2

/* A group of @n boxes that are near each other: the sums of their x, y, width and height, and
 * their highest score. @mean is the mean box; it is computed when the sums are complete. */
typedef struct
{
  gdouble x, y, width, height;
  gfloat score;
  guint n;
  MgpuScoredBox mean;
} Group;

static gint
compare (gconstpointer a, gconstpointer b)
{
  const MgpuScoredBox *p = a, *q = b;

  if (p->score != q->score)
    return p->score > q->score ? -1 : 1;
  if (p->y != q->y)
    return p->y - q->y;
  if (p->x != q->x)
    return p->x - q->x;
  if (p->width != q->width)
    return p->width - q->width;
  if (p->height != q->height)
    return p->height - q->height;
  return p->label != q->label ? p->label - q->label
      : p->component - q->component;
}

void
mgpu_boxes_sort (GArray * boxes)
{
  g_array_sort (boxes, compare);
}

void
mgpu_boxes_unite (GArray * boxes)
{
  MgpuScoredBox *box = (MgpuScoredBox *) boxes->data;
  guint n = 0;

  for (guint i = 0; i < boxes->len; i++)
    if (n == 0 || compare (&box[n - 1], &box[i]) != 0)
      box[n++] = box[i];
  g_array_set_size (boxes, n);
}

static gboolean
are_near (const MgpuScoredBox * a, const MgpuScoredBox * b)
{
  gdouble most = NEAR * (MIN (a->width, b->width) + MIN (a->height, b->height))
      * 0.5;

  return ABS (a->x - b->x) <= most && ABS (a->y - b->y) <= most
      && ABS (a->x + a->width - b->x - b->width) <= most
      && ABS (a->y + a->height - b->y - b->height) <= most;
}

/* Finds the root of the tree of box @i in a union-find forest, and shortens the path from box
 * @i to the root for later calls. The parent of box k is parents[k]. Returns: the index of the
 * root */
static guint
root_of (guint * parents, guint i)
{
  while (parents[i] != i)
    i = parents[i] = parents[parents[i]];
  return i;
}

/* Groups boxes that are near each other, directly or through boxes between them.
 * Returns: (transfer full): an array with as many elements as there are boxes; the member @n of
 * elements that are not used is 0 */
static Group *
make_groups (GArray * boxes)
{
  const MgpuScoredBox *box = (const MgpuScoredBox *) boxes->data;
  g_autofree guint *parents = g_new (guint, boxes->len);
  Group *groups = g_new0 (Group, boxes->len);

  for (guint i = 0; i < boxes->len; i++)
    parents[i] = i;
  for (guint i = 0; i < boxes->len; i++)
    for (guint j = 0; j < i; j++)
      if (are_near (&box[i], &box[j]))
        parents[root_of (parents, i)] = root_of (parents, j);
  for (guint i = 0; i < boxes->len; i++) {
    Group *g = groups + root_of (parents, i);

    g->x += box[i].x;
    g->y += box[i].y;
    g->width += box[i].width;
    g->height += box[i].height;
    g->score = g->n == 0 ? box[i].score : MAX (g->score, box[i].score);
    g->n++;
  }
  return groups;
}

/* Returns: whether group @a has to be dropped in favor of group @b. Two conditions must hold.
 * First, the mean box of @b surrounds that of @a, with a tolerance of NEAR times the size of
 * the mean box of @b. Second, @b has more than 3 boxes and more boxes than @a, or @a has fewer
 * than 3 boxes. */
static gboolean
is_inside (const Group * a, const Group * b)
{
  const MgpuScoredBox *p = &a->mean, *q = &b->mean;
  gint dx = rint (q->width * NEAR), dy = rint (q->height * NEAR);

  return p->x >= q->x - dx && p->y >= q->y - dy
      && p->x + p->width <= q->x + q->width + dx
      && p->y + p->height <= q->y + q->height + dy
      && (b->n > MAX (3, a->n) || a->n < 3);
}

void
mgpu_boxes_group (GArray * boxes, guint threshold)
{
  guint n = 0, n_boxes = boxes->len;
  Group *groups;

  if (threshold == 0 || n_boxes == 0)
    return;
  groups = make_groups (boxes);
  for (guint i = 0; i < n_boxes; i++) {
    Group *g = groups + i;

    if (g->n > threshold) {
      gdouble share = 1.0 / g->n;

      g->mean.x = rint (g->x * share);
      g->mean.y = rint (g->y * share);
      g->mean.width = rint (g->width * share);
      g->mean.height = rint (g->height * share);
      g->mean.score = g->score;
      groups[n++] = *g;
    }
  }
  g_array_set_size (boxes, 0);
  for (guint i = 0; i < n; i++) {
    guint j;

    for (j = 0; j < n; j++)
      if (j != i && is_inside (&groups[i], &groups[j]))
        break;
    if (j == n)
      g_array_append_val (boxes, groups[i].mean);
  }
  g_free (groups);
}

/* Returns: the area of the intersection of two boxes, in pixels. A box includes the columns x
 * to x + width and the rows y to y + height; hence the + 1 */
static gdouble
shared_area (const MgpuScoredBox * a, const MgpuScoredBox * b)
{
  gint width = MIN (a->x + a->width, b->x + b->width) - MAX (a->x, b->x) + 1;
  gint height = MIN (a->y + a->height, b->y + b->height) - MAX (a->y, b->y) + 1;

  return width > 0 && height > 0 ? (gdouble) width *height : 0;
}

void
mgpu_boxes_suppress (GArray * boxes, gdouble overlap)
{
  MgpuScoredBox *box = (MgpuScoredBox *) boxes->data;
  guint n = 0;

  for (guint i = 0; i < boxes->len; i++) {
    gdouble area = (box[i].width + 1.0) * (box[i].height + 1.0);
    guint j;

    for (j = 0; j < n; j++)
      if (box[j].label == box[i].label
          && shared_area (&box[j], &box[i]) > overlap * area)
        break;
    if (j == n)
      box[n++] = box[i];
  }
  g_array_set_size (boxes, n);
}

void
mgpu_boxes_clip (GArray * boxes, gint width, gint height)
{
  MgpuScoredBox *box = (MgpuScoredBox *) boxes->data;
  guint n = 0;

  for (guint i = 0; i < boxes->len; i++) {
    MgpuScoredBox b = box[i];
    gint right = CLAMP ((gint64) b.x + b.width, 0, width);
    gint bottom = CLAMP ((gint64) b.y + b.height, 0, height);

    b.x = CLAMP (b.x, 0, width);
    b.y = CLAMP (b.y, 0, height);
    b.width = right - b.x;
    b.height = bottom - b.y;
    if (b.width > 0 && b.height > 0)
      box[n++] = b;
  }
  g_array_set_size (boxes, n);
}

void
mgpu_boxes_keep_inside (GArray * boxes, const GArray * regions)
{
  guint n = 0;

  for (guint i = 0; i < boxes->len; i++) {
    MgpuScoredBox b = g_array_index (boxes, MgpuScoredBox, i);
    gint64 x = b.x + b.width / 2, y = b.y + b.height / 2;

    for (guint j = 0; j < regions->len; j++) {
      const MgpuScoredBox *r = &g_array_index (regions, MgpuScoredBox, j);

      if (x >= r->x && y >= r->y && x - r->x < r->width && y - r->y < r->height) {
        g_array_index (boxes, MgpuScoredBox, n++) = b;
        break;
      }
    }
  }
  g_array_set_size (boxes, n);
}
