/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the objects that are removed, and the patches with which they may be filled. */
#include "inpaint-private.h"

void
ref_inpaint_dilate (const Work * work, const RefInpaint * params)
{
  int d = params->mask_dilate;

  for (int y = 0; y < work->height; y++) {
    for (int x = 0; x < work->width; x++) {
      if (params->mask[at (work, x, y)] < 128)
        continue;
      for (int v = y - d; v <= y + d; v++)
        for (int u = x - d; u <= x + d; u++)
          if (u >= 0 && v >= 0 && u < work->width && v < work->height)
            work->unknown[at (work, u, v)] = 1;
    }
  }
}

/* Assigns all pixels that are connected with (@x, @y) to the object @number, and returns the box
 * around them. The array @todo has memory for all pixels. */
static Box
find_object (Work * work, int x, int y, int number, int32_t * todo)
{
  Box box = { x, y, x + 1, y + 1 };
  int n = 0;

  todo[n++] = at (work, x, y);
  work->object[at (work, x, y)] = number;
  while (n > 0) {
    int px = todo[--n] % work->width, py = todo[n] / work->width;

    box.x0 = px < box.x0 ? px : box.x0;
    box.y0 = py < box.y0 ? py : box.y0;
    box.x1 = px >= box.x1 ? px + 1 : box.x1;
    box.y1 = py >= box.y1 ? py + 1 : box.y1;
    for (int v = py - 1; v <= py + 1; v++) {
      for (int u = px - 1; u <= px + 1; u++) {
        if (u < 0 || v < 0 || u >= work->width || v >= work->height
            || !work->unknown[at (work, u, v)]
            || work->object[at (work, u, v)] != 0)
          continue;
        work->object[at (work, u, v)] = number;
        todo[n++] = at (work, u, v);
      }
    }
  }
  return box;
}

void
ref_inpaint_find_sources (Work * work, const RefInpaint * params)
{
  int r = work->radius;

  for (int y = r; y < work->height - r; y++) {
    for (int x = r; x < work->width - r; x++) {
      int ok = 1;

      FOR_EACH_PIXEL (patch (work, x, y), u, v) {
        int i = at (work, u, v);

        ok = ok && !work->unknown[i]
            && (params->forbidden == NULL || params->forbidden[i] < 128);
      }
      work->source[at (work, x, y)] = ok;
    }
  }
}

static int
count_sources (const Work * work, Box box)
{
  int n = 0;

  FOR_EACH_PIXEL (box, x, y)
      n += work->source[at (work, x, y)];
  return n;
}

/* Returns @factor * @size, rounded down, but at most @limit. */
static int
grow (double factor, int size, int limit)
{
  return factor * size >= limit ? limit : (int) (factor * size);
}

/* Finds the search window of an object in @box. The window's margin is @factor times the size of
 * the box, or more if there would be no source in the window. Returns the number of sources in the
 * window. */
static int
find_window (const Work * work, Box box, double factor, Box * window)
{
  for (;;) {
    int r = work->radius, n;
    int dx = r + grow (factor, box.x1 - box.x0, work->width);
    int dy = r + grow (factor, box.y1 - box.y0, work->height);

    window->x0 = factor < 0 || box.x0 < dx ? 0 : box.x0 - dx;
    window->y0 = factor < 0 || box.y0 < dy ? 0 : box.y0 - dy;
    window->x1 = factor < 0 || box.x1 + dx > work->width ? work->width
        : box.x1 + dx;
    window->y1 = factor < 0 || box.y1 + dy > work->height ? work->height
        : box.y1 + dy;
    n = count_sources (work, *window);
    if (n > 0 || (window->x0 == 0 && window->y0 == 0
            && window->x1 == work->width && window->y1 == work->height))
      return n;
    factor = factor == 0 ? 0.05 : 2 * factor;
  }
}

int
ref_inpaint_find_objects (Work * work, const RefInpaint * params,
    int32_t * todo)
{
  int sources = 0;

  for (int y = 0; y < work->height; y++) {
    for (int x = 0; x < work->width; x++) {
      Box box;
      int n;

      if (!work->unknown[at (work, x, y)] || work->object[at (work, x, y)] != 0)
        continue;
      box = find_object (work, x, y, ++work->n_objects, todo);
      n = find_window (work, box, params->search_factor,
          &work->windows[work->n_objects]);
      if (work->n_objects == 1)
        sources = n;
    }
  }
  return sources;
}
