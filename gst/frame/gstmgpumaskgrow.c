/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Dilates masks, softens their borders and copies parts of them for the device. */
#include "gstmgpumaskgrow.h"

#include <string.h>

#include <gst/gst.h>

/* Running maximum: replaces each of the first @n bytes of @row by the maximum of the
 * @length bytes that begin with it. The array @row has @n + @length - 1 bytes. */
static void
spread_row (guint8 * row, gint n, gint length)
{
  gint done = 1;

  for (n += length - 1; 2 * done <= length; done *= 2)
    for (gint i = 0; i < n - done; i++)
      row[i] = MAX (row[i], row[i + done]);
  for (gint i = 0; length > done && i < n - length + 1; i++)
    row[i] = MAX (row[i], row[i + length - done]);
}

static void
join_rows (guint8 * to, const guint8 * from, gint n)
{
  for (gint i = 0; i < n; i++)
    to[i] = MAX (to[i], from[i]);
}

void
gst_mgpu_mask_spread (const guint8 * from, guint8 * to, gint width,
    gint height, gint radius)
{
  gint length = 2 * radius + 1, n = height + 2 * radius, done = 1;
  g_autofree guint8 *rows = g_malloc0 ((gsize) n * width);
  g_autofree guint8 *row = g_malloc (width + 2 * radius);

  for (gint y = 0; y < height; y++) {
    memset (row, 0, width + 2 * radius);
    memcpy (row + radius, from + (gsize) y * width, width);
    spread_row (row, width, length);
    memcpy (rows + (gsize) (y + radius) * width, row, width);
  }
  for (; 2 * done <= length; done *= 2)
    for (gint y = 0; y < n - done; y++)
      join_rows (rows + (gsize) y * width, rows + (gsize) (y + done) * width,
          width);
  for (gint y = 0; y < height; y++) {
    join_rows (rows + (gsize) y * width,
        rows + (gsize) (y + length - done) * width, width);
    memcpy (to + (gsize) y * width, rows + (gsize) y * width, width);
  }
}

void
gst_mgpu_mask_feather (guint8 * mask, gint width, gint height,
    const MgpuRect * part, gint radius)
{
  g_autofree guint32 *rows =
      g_new (guint32, (gsize) part->width * part->height);
  g_autofree guint32 *sums = g_new0 (guint32, part->width);
  guint8 *first = mask + (gsize) part->y * width + part->x;
  gint bottom = part->y + part->height;

  for (gint y = 0; y < part->height; y++) {
    const guint8 *from = first + (gsize) y * width;
    guint32 *to = rows + (gsize) y * part->width, sum = 0;

    for (gint x = -radius; x < part->width; x++) {
      if (x + radius < part->width)
        sum += from[x + radius];
      if (x > radius)
        sum -= from[x - radius - 1];
      if (x >= 0)
        to[x] = sum;
    }
  }
  for (gint y = part->y - radius; y < bottom; y++) {
    gint next = y + radius - part->y, old = y - radius - 1 - part->y;
    gint n_rows = MIN (y + radius + 1, height) - MAX (y - radius, 0);
    guint8 *to = first + (gssize) (y - part->y) * width;

    for (gint x = 0; x < part->width && next < part->height; x++)
      sums[x] += rows[(gsize) next * part->width + x];
    for (gint x = 0; x < part->width && old >= 0; x++)
      sums[x] -= rows[(gsize) old * part->width + x];
    for (gint x = 0; x < part->width && y >= part->y; x++) {
      gint at = part->x + x;
      guint32 n =
          n_rows * (MIN (at + radius + 1, width) - MAX (at - radius, 0));

      to[x] = (2 * sums[x] + n) / (2 * n);
    }
  }
}


gint
gst_mgpu_mask_get_stride (const MgpuRect * part)
{
  return GST_ROUND_UP_2 (part->width);
}

gsize
gst_mgpu_mask_get_size (const MgpuRect * part)
{
  return (gsize) gst_mgpu_mask_get_stride (part) *
      GST_ROUND_UP_2 (part->height);
}

void
gst_mgpu_mask_copy (const guint8 * mask, gint width, const MgpuRect * part,
    guint8 * to)
{
  gint stride = gst_mgpu_mask_get_stride (part);

  for (gint y = 0; y < GST_ROUND_UP_2 (part->height); y++) {
    gint from = part->y + MIN (y, part->height - 1);

    memcpy (to, mask + (gsize) from * width + part->x, part->width);
    to[stride - 1] = to[part->width - 1];
    to += stride;
  }
}
