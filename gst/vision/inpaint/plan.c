/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "plan.h"

#include <string.h>

/* Search factor with which a window grows that has no source at a factor of 0. */
#define FIRST_FACTOR 0.05

/* Largest number of objects for which the plan looks for lanes: with more it takes too
 * long to find out which objects are near each other. */
#define MAX_APART 1024

/* ---- Boxes ---------------------------------------------------------------- */

static MgpuBox
box_union (MgpuBox a, MgpuBox b)
{
  MgpuBox box = { MIN (a.x0, b.x0), MIN (a.y0, b.y0), MAX (a.x1, b.x1),
    MAX (a.y1, b.y1)
  };

  return box;
}

static MgpuBox
box_grow (MgpuBox a, gint dx, gint dy, gint width, gint height)
{
  MgpuBox box = { MAX (a.x0 - dx, 0), MAX (a.y0 - dy, 0),
    MIN (a.x1 + dx, width), MIN (a.y1 + dy, height)
  };

  return box;
}

static gboolean
boxes_meet (MgpuBox a, MgpuBox b)
{
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* ---- Masks ---------------------------------------------------------------- */

void
mgpu_inpaint_dilate (const guint8 * from, gsize stride, gint width,
    gint height, gint radius, guint8 * to)
{
  gint *last = g_new (gint, width);     /* the last marked row of each column */

  memset (to, 0, (gsize) width * height);
  /* Marks pixels along the rows. */
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
  /* Looks up and down for marks. Bit 0 of a byte is the mark made along the rows, bit 1
   * the result of the first pass. */
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

/* ---- Sources --------------------------------------------------------------- */

/* Marks the pixels around which a whole patch is known and may be copied. Returns: the
 * number of these sources */
static guint
find_sources (MgpuInpaintPlan * self, const guint8 * unknown,
    const guint8 * forbidden, gint patch_size)
{
  gint width = self->width, r = patch_size / 2;
  gint *column = g_new0 (gint, width);  /* usable pixels of each column up to row y */
  guint n = 0;

  for (gint y = 0; y < self->height; y++) {
    gint run = 0;
    guint8 *row = self->sources + (gsize) (y - r) * width;

    for (gint x = 0; x < width; x++) {
      gsize i = (gsize) y * width + x;

      column[x] = unknown[i] || (forbidden != NULL && forbidden[i]) ? 0
          : column[x] + 1;
      run = column[x] >= patch_size ? run + 1 : 0;
      if (run >= patch_size) {
        row[x - r] = 1;
        n++;
      }
    }
  }
  g_free (column);
  return n;
}

static gboolean
has_source (const MgpuInpaintPlan * self, MgpuBox box)
{
  for (gint y = box.y0; y < box.y1; y++)
    if (memchr (self->sources + (gsize) y * self->width + box.x0, 1,
            box.x1 - box.x0) != NULL)
      return TRUE;
  return FALSE;
}

static gint
grow_by (gdouble factor, gint size, gint limit)
{
  return factor * size >= limit ? limit : (gint) (factor * size);
}

/* Returns: the window of an object, which grows until it has a source; the frame must
 * have one */
static MgpuBox
find_window (const MgpuInpaintPlan * self, MgpuBox box, gint radius,
    gdouble factor)
{
  const MgpuBox all = { 0, 0, self->width, self->height };
  MgpuBox window;

  if (factor < 0)
    return all;
  for (;;) {
    window = box_grow (box,
        radius + grow_by (factor, box.x1 - box.x0, self->width),
        radius + grow_by (factor, box.y1 - box.y0, self->height),
        self->width, self->height);
    if (has_source (self, window))
      return window;
    factor = factor == 0 ? FIRST_FACTOR : 2 * factor;
  }
}

/* ---- Objects --------------------------------------------------------------- */

/* Gives all pixels that are connected with pixel start the number of its object. Uses
 * todo as a stack. Returns: the box around the object */
static MgpuBox
find_object (MgpuInpaintPlan * self, const guint8 * unknown, gint start,
    gint number, GArray * todo)
{
  gint width = self->width, height = self->height;
  MgpuBox box = { width, height, 0, 0 };

  self->object[start] = number;
  g_array_append_val (todo, start);
  while (todo->len > 0) {
    gint i = g_array_index (todo, gint, todo->len - 1);
    gint x = i % width, y = i / width;
    MgpuBox here = { x, y, x + 1, y + 1 };
    MgpuBox around = box_grow (here, 1, 1, width, height);

    g_array_set_size (todo, todo->len - 1);
    box = box_union (box, here);
    for (gint v = around.y0; v < around.y1; v++) {
      for (gint u = around.x0; u < around.x1; u++) {
        gint next = v * width + u;

        if (!unknown[next] || self->object[next] != 0)
          continue;
        self->object[next] = number;
        g_array_append_val (todo, next);
      }
    }
  }
  return box;
}

/* Finds the lanes, which are boxes around objects. A patch changes gradients up to one
 * pixel beyond its edge. Two lanes become one when they are so near that a patch in one
 * of them can change the gradient of a pixel next to the other. */
static void
find_lanes (MgpuInpaintPlan * self, const GArray * boxes, gint radius,
    gboolean side_by_side)
{
  MgpuBox *lanes = g_memdup2 (boxes->data, boxes->len * sizeof (MgpuBox));
  guint n = boxes->len;
  gboolean again = side_by_side && n <= MAX_APART;

  while (again) {
    again = FALSE;
    for (guint i = 0; i < n; i++) {
      for (guint j = n - 1; j > i; j--) {
        MgpuBox near = box_grow (lanes[i], radius + 2, radius + 2, self->width,
            self->height);

        if (!boxes_meet (near, lanes[j]))
          continue;
        lanes[i] = box_union (lanes[i], lanes[j]);
        lanes[j] = lanes[--n];
        again = TRUE;
      }
    }
  }
  self->n_lanes = n;
  if (n > MGPU_INPAINT_MAX_LANES || !side_by_side) {
    self->n_lanes = 1;
    lanes[0] = self->hole;
  }
  memcpy (self->lanes, lanes, self->n_lanes * sizeof (MgpuBox));
  g_free (lanes);
}

static void
find_objects (MgpuInpaintPlan * self, const guint8 * unknown, gint radius,
    gdouble factor, gboolean side_by_side)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  GArray *todo = g_array_new (FALSE, FALSE, sizeof (gint));
  gsize n = (gsize) self->width * self->height;
  MgpuBox seen;

  for (gsize i = 0; i < n; i++) {
    MgpuBox box, window;

    if (!unknown[i] || self->object[i] != 0)
      continue;
    box = find_object (self, unknown, i, self->windows->len + 1, todo);
    window = find_window (self, box, radius, factor);
    g_array_append_val (boxes, box);
    g_array_append_val (self->windows, window);
    seen = box_grow (box_union (box, window), radius + 2, radius + 2,
        self->width, self->height);
    self->hole = boxes->len == 1 ? box : box_union (self->hole, box);
    self->view = boxes->len == 1 ? seen : box_union (self->view, seen);
  }
  find_lanes (self, boxes, radius, side_by_side);
  g_array_unref (boxes);
  g_array_unref (todo);
}

/* ---- Without a source ------------------------------------------------------- */

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
  /* Writes the numbers. end[k] moves on with each number, from the first place of level k
   * to its end. */
  for (gint i = 0; i < n; i++)
    if (level[i] > 0)
      g_array_index (sorted, gint, end[level[i]]++) = i;
  return sorted;
}

/* Finds the distance of each pixel from the nearest known one, in steps from a pixel to
 * one of its 8 neighbours. */
static void
find_distances (MgpuInpaintPlan * self, const guint8 * unknown)
{
  gint width = self->width, height = self->height;
  gint far = width + height, *d = self->object, passes = 0;

#define NEARER(x, y, here) \
  if ((x) >= 0 && (x) < width && (y) >= 0 && (y) < height) \
    here = MIN (here, d[(y) * width + (x)] + 1);

  self->hole = self->view = (MgpuBox) { 0, 0, width, height};
  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      gint *here = &d[y * width + x];

      *here = unknown[y * width + x] ? far : 0;
      NEARER (x - 1, y, *here);
      NEARER (x - 1, y - 1, *here);
      NEARER (x, y - 1, *here);
      NEARER (x + 1, y - 1, *here);
    }
  }
  for (gint y = height - 1; y >= 0; y--) {
    for (gint x = width - 1; x >= 0; x--) {
      gint *here = &d[y * width + x];

      NEARER (x + 1, y, *here);
      NEARER (x + 1, y + 1, *here);
      NEARER (x, y + 1, *here);
      NEARER (x - 1, y + 1, *here);
      passes = MAX (passes, *here);
    }
  }
#undef NEARER
  g_array_unref (self->order);
  self->order = mgpu_inpaint_sort (d, width * height, passes, self->passes);
}

/* ---- Plans ------------------------------------------------------------------ */

MgpuInpaintPlan *
mgpu_inpaint_plan_new (const guint8 * unknown, const guint8 * forbidden,
    gint width, gint height, gint patch_size, gdouble search_factor,
    gboolean side_by_side)
{
  MgpuInpaintPlan *self = g_new0 (MgpuInpaintPlan, 1);
  gsize n = (gsize) width * height;

  self->width = width;
  self->height = height;
  self->object = g_new0 (gint, n);
  self->sources = g_new0 (guint8, n);
  self->windows = g_array_new (FALSE, FALSE, sizeof (MgpuBox));
  self->order = g_array_new (FALSE, TRUE, sizeof (gint));
  self->passes = g_array_new (FALSE, TRUE, sizeof (gint));
  for (gsize i = 0; i < n; i++)
    self->n_unknown += unknown[i];
  if (self->n_unknown == 0 || self->n_unknown == n)
    return self;
  self->has_sources = find_sources (self, unknown, forbidden, patch_size) > 0;
  if (self->has_sources)
    find_objects (self, unknown, patch_size / 2, search_factor, side_by_side);
  else
    find_distances (self, unknown);
  return self;
}

void
mgpu_inpaint_plan_free (MgpuInpaintPlan * self)
{
  if (self == NULL)
    return;
  g_free (self->object);
  g_free (self->sources);
  g_array_unref (self->windows);
  g_array_unref (self->order);
  g_array_unref (self->passes);
  g_free (self);
}
