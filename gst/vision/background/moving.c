/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the parts of a frame that move. A part is a connected group of moving pixels. See
 * docs/algorithms/inpaint-passing.md. */
#include "moving.h"

#include <string.h>

/* A pixel counts as moving when at least this number of the 3x3 pixels around it differ from
 * the background */
#define MIN_DIFFERENT 4

/* A part (connected group of moving pixels) with fewer pixels than this cannot be two people */
#define MIN_PAIR 256

/* Distance in columns and rows. Gaps in a shape are closed up to this width, and a part
 * (connected group of moving pixels) counts as touching hidden pixels up to this distance */
#define REACH 2

void
mgpu_inpaint_find_moving (const guint8 * differs, const guint8 * hidden,
    gint width, gint height, guint8 * moving)
{
  g_autofree gint *sums = g_new (gint, width + 2);

  sums[0] = sums[width + 1] = 0;
  for (gint y = 0; y < height; y++) {
    const guint8 *row = differs + (gsize) y * width;

    for (gint x = 0; x < width; x++)
      sums[x + 1] = row[x] + (y > 0 ? row[x - width] : 0)
          + (y + 1 < height ? row[x + width] : 0);
    for (gint x = 0; x < width; x++) {
      gsize i = (gsize) y * width + x;

      moving[i] = !hidden[i]
          && sums[x] + sums[x + 1] + sums[x + 2] >= MIN_DIFFERENT;
    }
  }
}

/* Fills a connected component: gives the label @label to the pixel @first, and to all pixels
 * that are 8-connected with it. Only pixels whose byte in @left is 1 belong to the component;
 * these bytes are set to 0. @todo is a stack of pixel indices, empty before and after the call. */
static void
flood (gint first, gint label, gint width, gint height, guint8 * left,
    gint * labels, GArray * todo)
{
  left[first] = 0;
  g_array_append_val (todo, first);
  while (todo->len > 0) {
    gint i = g_array_index (todo, gint, todo->len - 1);
    gint x = i % width, y = i / width;

    g_array_set_size (todo, todo->len - 1);
    labels[i] = label;
    for (gint v = MAX (y - 1, 0); v <= MIN (y + 1, height - 1); v++)
      for (gint u = MAX (x - 1, 0); u <= MIN (x + 1, width - 1); u++) {
        gint at = v * width + u;

        if (!left[at])
          continue;
        left[at] = 0;
        g_array_append_val (todo, at);
      }
  }
}

static gboolean
is_near_hidden (const guint8 * hidden, gint width, gint height, gint x, gint y)
{
  for (gint v = MAX (y - REACH, 0); v <= MIN (y + REACH, height - 1); v++)
    for (gint u = MAX (x - REACH, 0); u <= MIN (x + REACH, width - 1); u++)
      if (hidden[(gsize) v * width + u])
        return TRUE;
  return FALSE;
}

/* Measures the part (connected group of moving pixels) that has the label @label. @box: a box
 * that contains all pixels of the part. Returns: the description of the part */
static MgpuInpaintPart
measure (const gint * labels, gint label, const guint8 * hidden, gint width,
    gint height, MgpuBox box)
{
  MgpuInpaintPart part = { {width, height, 0, 0}, 0, 0, FALSE };

  for (gint y = box.y0; y < box.y1; y++) {
    for (gint x = box.x0; x < box.x1; x++) {
      if (labels[(gsize) y * width + x] != label)
        continue;
      part.n++;
      part.box.x0 = MIN (part.box.x0, x);
      part.box.y0 = MIN (part.box.y0, y);
      part.box.x1 = MAX (part.box.x1, x + 1);
      part.box.y1 = MAX (part.box.y1, y + 1);
      part.touches = part.touches
          || is_near_hidden (hidden, width, height, x, y);
    }
  }
  return part;
}

/* Finds the neck of a part: the column at which two people who stand side by side seem to
 * touch. Every candidate divides the part into two sides. Each side must have at least a
 * quarter of the pixels of the part, and a column with at least 1.5 times as many pixels as the
 * neck. The neck is the candidate with the fewest pixels. The number of pixels of a column is
 * the sum over the five columns around it.
 * Returns: the column of the frame; 0 when there is no neck */
static gint
find_neck (const gint * labels, gint label, gint width,
    const MgpuInpaintPart * part)
{
  gint columns = part->box.x1 - part->box.x0, best = -1, left = 0, before = 0;
  gint *counts = g_new0 (gint, columns + 2 * REACH) + REACH;
  gint *sums = g_new0 (gint, columns), *behind = g_new0 (gint, columns + 1);

  for (gint y = part->box.y0; y < part->box.y1; y++)
    for (gint x = 0; x < columns; x++)
      counts[x] += labels[(gsize) y * width + part->box.x0 + x] == label;
  for (gint x = columns - 1; x >= 0; x--) {
    for (gint u = x - REACH; u <= x + REACH; u++)
      sums[x] += counts[u];
    behind[x] = MAX (behind[x + 1], counts[x] > 0 ? sums[x] : 0);
  }
  for (gint x = 0; x < columns; x++) {
    gint most = MIN (before, behind[x + 1]);

    if (4 * left >= part->n && 4 * (part->n - left) >= part->n
        && 3 * sums[x] <= 2 * most && (best < 0 || sums[x] < sums[best]))
      best = x;
    left += counts[x];
    before = MAX (before, counts[x] > 0 ? sums[x] : 0);
  }
  g_free (counts - REACH);
  g_free (sums);
  g_free (behind);
  return best < 0 ? 0 : part->box.x0 + best;
}

/* Cuts the part with the label @label in two at its neck, the column at which two people who
 * stand side by side seem to touch. Repeats this for the left side until it has no neck. The
 * right sides that were cut off become new parts at the end of @parts. */
static void
cut (GArray * parts, gint label, const guint8 * hidden, gint width,
    gint height, gint * labels)
{
  while (TRUE) {
    MgpuInpaintPart *part = &g_array_index (parts, MgpuInpaintPart, label);
    MgpuInpaintPart other;
    MgpuBox box = part->box;
    gint x = part->n < MIN_PAIR ? 0 : find_neck (labels, label, width, part);

    if (x == 0)
      return;
    for (gint y = box.y0; y < box.y1; y++)
      for (gint u = x; u < box.x1; u++)
        if (labels[(gsize) y * width + u] == label)
          labels[(gsize) y * width + u] = parts->len;
    *part = measure (labels, label, hidden, width, height, box);
    other = measure (labels, parts->len, hidden, width, height, box);
    g_array_append_val (parts, other);
  }
}

GArray *
mgpu_inpaint_find_parts (const guint8 * moving, const guint8 * hidden,
    gint width, gint height, gint * labels)
{
  GArray *parts = g_array_new (FALSE, TRUE, sizeof (MgpuInpaintPart));
  g_autoptr (GArray) todo = g_array_new (FALSE, FALSE, sizeof (gint));
  gint n = width * height, n_labels = 0;
  guint8 *left = g_malloc (n), *mask = g_malloc (n);
  MgpuBox all = { 0, 0, width, height };

  for (gint i = 0; i < n; i++)
    mask[i] = moving[i] ? 255 : 0;
  mgpu_inpaint_dilate (mask, width, width, height, 1, left);
  for (gint i = 0; i < n; i++)
    left[i] = left[i] && !hidden[i];
  memset (labels, 0, n * sizeof (gint));
  for (gint i = 0; i < n; i++)
    if (left[i])
      flood (i, ++n_labels, width, height, left, labels, todo);
  g_array_set_size (parts, n_labels + 1);
  for (gint label = 1; label <= n_labels; label++)
    g_array_index (parts, MgpuInpaintPart, label).box =
        (MgpuBox) {width, height, 0, 0};
  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      gint *pixel = &labels[(gsize) y * width + x];
      MgpuBox *box = &g_array_index (parts, MgpuInpaintPart, *pixel).box;

      if (*pixel == 0)
        continue;
      *pixel = moving[(gsize) y * width + x] ? *pixel : 0;
      box->x0 = MIN (box->x0, x);
      box->y0 = MIN (box->y0, y);
      box->x1 = MAX (box->x1, x + 1);
      box->y1 = MAX (box->y1, y + 1);
    }
  }
  g_array_index (parts, MgpuInpaintPart, 0).box = all;
  for (gint label = 1; label <= n_labels; label++) {
    MgpuInpaintPart *part = &g_array_index (parts, MgpuInpaintPart, label);

    *part = measure (labels, label, hidden, width, height, part->box);
  }
  for (guint label = 1; label < parts->len; label++)
    cut (parts, label, hidden, width, height, labels);
  g_free (left);
  g_free (mask);
  return parts;
}

/* Sets each pixel of @to that is in @box. It becomes 1 when any pixel of @from within REACH
 * columns and rows has the value @value, otherwise 0. */
static void
look_around (const guint8 * from, gint width, gint height, MgpuBox box,
    guint8 value, guint8 * to)
{
  for (gint y = box.y0; y < box.y1; y++) {
    for (gint x = box.x0; x < box.x1; x++) {
      gboolean is_found = FALSE;

      for (gint v = MAX (y - REACH, 0); v <= MIN (y + REACH, height - 1); v++)
        for (gint u = MAX (x - REACH, 0); u <= MIN (x + REACH, width - 1); u++)
          is_found |= from[(gsize) v * width + u] == value;
      to[(gsize) y * width + x] = is_found;
    }
  }
}

MgpuBox
mgpu_inpaint_close (guint8 * shape, gint width, gint height, MgpuBox box)
{
  g_autofree guint8 *wide = g_malloc0 ((gsize) width * height);
  MgpuBox around = { MAX (box.x0 - REACH, 0), MAX (box.y0 - REACH, 0),
    MIN (box.x1 + REACH, width), MIN (box.y1 + REACH, height)
  };

  look_around (shape, width, height, around, 1, wide);
  look_around (wide, width, height, around, 0, shape);
  for (gint y = around.y0; y < around.y1; y++)
    for (gint x = around.x0; x < around.x1; x++)
      shape[(gsize) y * width + x] ^= 1;
  return around;
}
