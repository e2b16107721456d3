/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Dilates and searches masks; a mask has a byte for each pixel of a frame, which tells,
 * for example, whether the pixel is unknown. */
#include "masks.h"

#include <string.h>

void
mgpu_inpaint_dilate (const guint8 * from, gsize stride, gint width,
    gint height, gint radius, guint8 * to)
{
  gint *last = g_new (gint, width);     /* for each column: the last row so far whose pixel is in
                                         * the mask */

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
  /* Dilates along the columns what has been dilated along the rows, which is in bit 0 of the
   * bytes of @to. The first pass goes down and writes bit 1. The second pass goes up, reads
   * both bits, and replaces the byte by the result, 0 or 1. */
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

/* Moves the neighbours of pixel @i from the mask @left to the stack @todo: clears the
 * neighbours that are set in @left, and pushes their indices. */
static void
spread (gint i, gint width, gint height, guint8 * left, GArray * todo)
{
  gint x = i % width, y = i / width;

  for (gint v = MAX (y - 1, 0); v < MIN (y + 2, height); v++)
    for (gint u = MAX (x - 1, 0); u < MIN (x + 2, width); u++) {
      gint at = v * width + u;

      if (!left[at])
        continue;
      left[at] = 0;
      g_array_append_val (todo, at);
    }
}

void
mgpu_inpaint_find_appeared (const guint8 * hidden, const guint8 * was_hidden,
    gint width, gint height, guint8 * appeared)
{
  GArray *todo = g_array_new (FALSE, FALSE, sizeof (gint));
  gint n = width * height;

  for (gint i = 0; i < n; i++)
    appeared[i] = hidden[i] != 0;
  for (gint i = 0; i < n; i++) {
    if (!appeared[i] || !was_hidden[i])
      continue;
    appeared[i] = 0;
    spread (i, width, height, appeared, todo);
    while (todo->len > 0) {
      gint next = g_array_index (todo, gint, todo->len - 1);

      g_array_set_size (todo, todo->len - 1);
      spread (next, width, height, appeared, todo);
    }
  }
  g_array_unref (todo);
}

/* Removes from the mask @left the 8-connected part (group of pixels) that contains the
 * pixel @first. The array @part gets the indices of the pixels of this part.
 * Returns: the box around these pixels */
static MgpuBox
take_part (gint first, gint width, gint height, guint8 * left, GArray * part)
{
  MgpuBox box = { width, height, 0, 0 };

  g_array_set_size (part, 0);
  left[first] = 0;
  g_array_append_val (part, first);
  for (guint k = 0; k < part->len; k++) {
    gint i = g_array_index (part, gint, k);

    box.x0 = MIN (box.x0, i % width);
    box.y0 = MIN (box.y0, i / width);
    box.x1 = MAX (box.x1, i % width + 1);
    box.y1 = MAX (box.y1, i / width + 1);
    spread (i, width, height, left, part);
  }
  return box;
}

void
mgpu_inpaint_find_doubtful (const guint8 * seen, guint8 trusted,
    const guint8 * changed, gint width, gint height, guint8 * appeared)
{
  gsize size = (gsize) width * height;
  guint8 *left = g_memdup2 (appeared, size), *differs = g_malloc0 (size);
  guint8 *near = g_malloc (size);
  GArray *part = g_array_new (FALSE, FALSE, sizeof (gint));

  for (gint first = 0; first < (gint) size; first++) {
    gint n = 0, n_changed = 0;
    MgpuBox box;

    if (!left[first])
      continue;
    box = take_part (first, width, height, left, part);
    for (guint k = 0; k < part->len; k++) {
      gint i = g_array_index (part, gint, k);
      gboolean is_young = seen[i] > 0 && seen[i] < trusted;

      n += is_young;
      n_changed += is_young && changed[i];
      differs[i] = changed[i] ? 255 : 0;
    }
    mgpu_inpaint_dilate (differs, width, width, height,
        MIN (box.x1 - box.x0, box.y1 - box.y0) / 4, near);
    for (guint k = 0; k < part->len; k++) {
      gint i = g_array_index (part, gint, k);

      differs[i] = 0;
      appeared[i] = seen[i] < trusted && (16 * n_changed < n || near[i]);
    }
  }
  g_array_unref (part);
  g_free (near);
  g_free (differs);
  g_free (left);
}
