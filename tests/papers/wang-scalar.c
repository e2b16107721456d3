/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the kernels in wang.cl as scalar C, as their reference. */
#include "wang.h"

#include <string.h>

typedef struct
{
  guint8 *colours;
  gint *grey, *confidence;
  gint width, height, radius;
} Fill;

static gboolean
is_in (const Fill * f, gint x, gint y)
{
  return x >= 0 && x < f->width && y >= 0 && y < f->height;
}

static gint
is_known (const Fill * f, gint x, gint y)
{
  return is_in (f, x, y) && f->colours[4 * (y * f->width + x) + 3] != 0;
}

/* Returns the priority, confidence times data term; 0: the pixel is not on the border. */
static guint32
find_priority (const Fill * f, gint x, gint y)
{
  gint best = -1, gx = 0, gy = 0, n = 0, nx, ny;
  guint32 sum = 0, data;

  if (is_known (f, x, y) || !(is_known (f, x - 1, y) || is_known (f, x + 1, y) || is_known (f, x, y - 1)
          || is_known (f, x, y + 1)))
    return 0;
  for (gint v = y - f->radius; v <= y + f->radius; v++)
    for (gint u = x - f->radius; u <= x + f->radius; u++) {
      gint i = v * f->width + u;

      if (!is_in (f, u, v))
        continue;
      sum += f->confidence[i];
      n++;
      if (is_known (f, u - 1, v) && is_known (f, u + 1, v) && is_known (f, u, v - 1) && is_known (f, u, v + 1)) {
        gint dx = f->grey[i + 1] - f->grey[i - 1], dy = f->grey[i + f->width] - f->grey[i - f->width];

        if (dx * dx + dy * dy > best) {
          best = dx * dx + dy * dy;
          gx = dx;
          gy = dy;
        }
      }
    }
  nx = is_known (f, x - 1, y) - is_known (f, x + 1, y);
  ny = is_known (f, x, y - 1) - is_known (f, x, y + 1);
  data = MAX (ABS (gx * ny - gy * nx), 1);
  return sum / n * MIN (data, 65535);
}

static gint
find_target (const Fill * f, gint * confidence)
{
  guint32 best = 0, sum = 0;
  gint target = -1, n = 0;

  for (gint i = 0; i < f->width * f->height; i++) {
    guint32 priority = f->colours[4 * i + 3] != 0 ? 0 : find_priority (f, i % f->width, i / f->width);

    if (priority > best) {
      best = priority;
      target = i;
    }
  }
  for (gint dy = -f->radius; dy <= f->radius && target >= 0; dy++)
    for (gint dx = -f->radius; dx <= f->radius; dx++) {
      gint x = target % f->width + dx, y = target / f->width + dy;

      if (is_in (f, x, y)) {
        sum += f->confidence[y * f->width + x];
        n++;
      }
    }
  *confidence = n > 0 ? (gint) (sum / n) : 0;
  return target;
}

static guint32
compare_patches (const Fill * f, gint target, gint x, gint y)
{
  guint32 sum = 0, n = 0;

  for (gint dy = -f->radius; dy <= f->radius; dy++)
    for (gint dx = -f->radius; dx <= f->radius; dx++) {
      gint qx = target % f->width + dx, qy = target / f->width + dy;
      const guint8 *s = f->colours + 4 * ((y + dy) * f->width + x + dx);
      const guint8 *t = f->colours + 4 * (qy * f->width + qx);

      if (!is_in (f, qx, qy) || s[3] != 255 || t[3] == 0)
        continue;
      for (guint k = 0; k < 3; k++)
        sum += (s[k] - t[k]) * (s[k] - t[k]);
      n++;
    }
  return n > 0 ? sum * 64 / n : 0xfffffffeu;
}

guint
wang_fill_scalar (guint8 * colours, gint width, gint height, gint patch, const WangBox * window)
{
  gsize n = (gsize) width * height;
  Fill f = { colours, g_new (gint, n), g_new (gint, n), width, height, patch / 2 };
  guint steps = 0;
  gint target, confidence;

  for (gsize i = 0; i < n; i++) {
    f.grey[i] = (77 * colours[4 * i] + 150 * colours[4 * i + 1] + 29 * colours[4 * i + 2] + 128) >> 8;
    f.confidence[i] = colours[4 * i + 3] != 0 ? 65536 : 0;
  }
  while ((target = find_target (&f, &confidence)) >= 0) {
    guint32 least = 0xffffffffu;
    gint source = -1;

    for (gint y = MAX (window->y0, f.radius); y < MIN (window->y1, height - f.radius); y++)
      for (gint x = MAX (window->x0, f.radius); x < MIN (window->x1, width - f.radius); x++) {
        guint32 cost = colours[4 * (y * width + x) + 3] == 255 ? compare_patches (&f, target, x, y) : 0xffffffffu;

        if (cost < least) {
          least = cost;
          source = y * width + x;
        }
      }
    for (gint dy = -f.radius; dy <= f.radius; dy++)
      for (gint dx = -f.radius; dx <= f.radius; dx++) {
        gint tx = target % width + dx, ty = target / width + dy, sx = source % width + dx, sy = source / width + dy;
        gint to = ty * width + tx, from = sy * width + sx;

        if (!is_in (&f, tx, ty) || !is_in (&f, sx, sy) || colours[4 * to + 3] != 0 || colours[4 * from + 3] != 255)
          continue;
        memcpy (colours + 4 * to, colours + 4 * from, 3);
        colours[4 * to + 3] = 128;
        f.grey[to] = f.grey[from];
        f.confidence[to] = confidence;
      }
    steps++;
  }
  g_free (f.grey);
  g_free (f.confidence);
  return steps;
}
