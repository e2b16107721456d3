/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes, from a mask, the data that the kernels need: see layers-plan.h. */
#include "layers-plan.h"

#include <string.h>

/* Alignment of the remembered part of frames, in pixels: it begins with a whole cell, and with
 * whole samples of subsampled components */
#define ALIGN LAYERS_CELL

/* Maximum distance of a pixel from the visible pixels; larger distances are set to this maximum.
 * The depth of a pixel is the maximum distance within DEPTH_RADIUS pixels. */
#define MAX_DISTANCE 9
#define DEPTH_RADIUS 4
#define MIN_DEPTH 2
#define MAX_DEPTH 8

MgpuRect
mgpu_layers_find_part (const GstVideoInfo * info, const guint8 * unknown,
    gint margin)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);
  gint x0 = width, y0 = height, x1 = 0, y1 = 0;
  MgpuRect part = { 0, 0, 0, 0 };

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      if (unknown[(gsize) y * width + x]) {
        x0 = MIN (x0, x);
        x1 = MAX (x1, x + 1);
        y0 = MIN (y0, y);
        y1 = y + 1;
      }
  if (x1 == 0)
    return part;
  part.x = MAX (x0 - margin, 0) / ALIGN * ALIGN;
  part.y = MAX (y0 - margin, 0) / ALIGN * ALIGN;
  part.width = MIN (x1 + margin, width) - part.x;
  part.height = MIN (y1 + margin, height) - part.y;
  return part;
}

void
mgpu_layers_hole_init (MgpuLayersHole * self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (gint));
  self->depths = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->cells = g_array_new (FALSE, FALSE, sizeof (gint));
}

void
mgpu_layers_hole_clear (MgpuLayersHole * self)
{
  g_clear_pointer (&self->given, g_free);
  g_clear_pointer (&self->mask, g_free);
  g_clear_pointer (&self->order, g_array_unref);
  g_clear_pointer (&self->depths, g_array_unref);
  g_clear_pointer (&self->cells, g_array_unref);
}

/* Sets self->mask: all pixels that share a sample with a pixel of @unknown. The part begins with whole
 * samples. */
static void
set_mask (MgpuLayersHole * self, const GstVideoInfo * info,
    const MgpuRect * part, const guint8 * unknown)
{
  gint width = GST_VIDEO_INFO_WIDTH (info), columns = 1, rows = 1;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    columns = MAX (columns, 1 << info->finfo->w_sub[i]);
    rows = MAX (rows, 1 << info->finfo->h_sub[i]);
  }
  memset (self->mask, 0, (gsize) part->width * part->height);
  for (gint y = 0; y < part->height; y++)
    for (gint x = 0; x < part->width; x++) {
      gint left = x / columns * columns, top = y / rows * rows;

      if (!unknown[(gsize) (part->y + y) * width + part->x + x])
        continue;
      for (gint v = top; v < MIN (top + rows, part->height); v++)
        memset (self->mask + (gsize) v * part->width + left, 1,
            MIN (columns, part->width - left));
    }
}

/* Returns: (transfer full): for each pixel of the part, its distance to the nearest visible pixel, at
 * most MAX_DISTANCE. A step to any of the 8 neighbors has the length 1 */
static guint8 *
find_distances (const MgpuLayersHole * self, gint width, gint height)
{
  gsize n = (gsize) width * height;
  guint8 *distances = g_malloc (n);

  for (gsize i = 0; i < n; i++)
    distances[i] = self->mask[i] ? MAX_DISTANCE : 0;
  for (gint pass = 0; pass < 2; pass++) {
    gint side = pass == 0 ? -1 : 1;

    for (gsize k = 0; k < n; k++) {
      gsize i = pass == 0 ? k : n - 1 - k;
      gint x = i % width, y = i / width, least = distances[i];

      if (least == 0)
        continue;
      for (gint u = MAX (x - 1, 0); u <= MIN (x + 1, width - 1); u++)
        if (y + side >= 0 && y + side < height)
          least = MIN (least, distances[(y + side) * width + u] + 1);
      if (x + side >= 0 && x + side < width)
        least = MIN (least, distances[i + side] + 1);
      distances[i] = least;
    }
  }
  return distances;
}

/* Lists the pixels to be filled, and their depths. */
static void
list_pixels (MgpuLayersHole * self, gint width, gint height)
{
  g_autofree guint8 *distances = find_distances (self, width, height);

  g_array_set_size (self->order, 0);
  g_array_set_size (self->depths, 0);
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gint i = y * width + x;
      guint8 depth = MIN_DEPTH;

      if (!self->mask[i])
        continue;
      for (gint v = MAX (y - DEPTH_RADIUS, 0);
          v <= MIN (y + DEPTH_RADIUS, height - 1); v++)
        for (gint u = MAX (x - DEPTH_RADIUS, 0);
            u <= MIN (x + DEPTH_RADIUS, width - 1); u++)
          depth = MAX (depth, distances[v * width + u]);
      depth = MIN (depth, MAX_DEPTH);
      g_array_append_val (self->order, i);
      g_array_append_val (self->depths, depth);
    }
}

static void
list_cells (MgpuLayersHole * self, gint width, gint height)
{
  gint columns = (width + LAYERS_CELL - 1) / LAYERS_CELL;
  gint rows = (height + LAYERS_CELL - 1) / LAYERS_CELL;
  g_autofree guint8 *is_listed = g_malloc0 ((gsize) columns * rows);

  g_array_set_size (self->cells, 0);
  for (guint k = 0; k < self->order->len; k++) {
    gint i = g_array_index (self->order, gint, k);
    gint cell = i / width / LAYERS_CELL * columns + i % width / LAYERS_CELL;

    if (!is_listed[cell])
      g_array_append_val (self->cells, cell);
    is_listed[cell] = 1;
  }
}

gboolean
mgpu_layers_hole_set (MgpuLayersHole * self, const GstVideoInfo * info,
    const MgpuRect * part, const guint8 * unknown, guint * serial)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info);

  if (self->given != NULL && memcmp (self->given, unknown, n) == 0)
    return FALSE;
  if (self->given == NULL)
    self->given = g_malloc (n);
  if (self->mask == NULL)
    self->mask = g_malloc ((gsize) part->width * part->height);
  memcpy (self->given, unknown, n);
  set_mask (self, info, part, unknown);
  list_pixels (self, part->width, part->height);
  list_cells (self, part->width, part->height);
  self->serial = ++*serial;
  self->is_uploaded = self->has_ends = FALSE;
  return TRUE;
}
