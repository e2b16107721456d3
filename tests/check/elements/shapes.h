/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines values of the properties "rectangle" and "polygon", and the pixels that they cover. */
#pragma once

#include <glib.h>

/* Coordinates of a list of rectangles or of the corners of one polygon, in twentieths of a pixel */
typedef struct
{
  const gchar *rectangle, *polygon;
  gint n_rects;
  gint rects[2][4];
  gint n_corners;
  gint corners[12];
} Shapes;

/* Shapes in a frame of 48x37 pixels; no pixel center lies on a side of a polygon. */
static const Shapes shapes[] = {
  {"4,5,6,7;20,21,9,3", NULL, 2, {{80, 100, 120, 140}, {400, 420, 180, 60}}},
  {"0.125,0.25,0.25,0.5", "", 1, {{120, 180, 240, 380}}},
  {NULL, "10,20,22,20,22,31,10,31", 0, {{0}}, 4,
      {200, 400, 440, 400, 440, 620, 200, 620}},
  {"", "30,2,9,13,25,30", 0, {{0}}, 3, {600, 40, 180, 260, 500, 600}},
  /* Outline of a star, whose center is outside of the polygon by the even-odd rule */
  {"1,1,2,2", "24,2,33,31,7,12,41,13,14,30", 1, {{20, 20, 40, 40}}, 5,
      {480, 40, 660, 620, 140, 240, 820, 260, 280, 600}},
  {NULL, "-10,-5,20,-8,7,90", 0, {{0}}, 3, {-200, -100, 400, -160, 140, 1800}}
};

#define N_SHAPES G_N_ELEMENTS (shapes)

/* Returns: whether the point is in the polygon by the even-odd rule */
static inline gboolean
is_in_polygon (const Shapes * s, gint64 x, gint64 y)
{
  gboolean is_in = FALSE;

  for (gint i = 0; i < s->n_corners; i++) {
    gint j = (i + 1) % s->n_corners;
    gint64 x0 = s->corners[2 * i], y0 = s->corners[2 * i + 1];
    gint64 x1 = s->corners[2 * j], y1 = s->corners[2 * j + 1];
    gint64 side = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);

    if ((y0 <= y) != (y1 <= y) && (side > 0) == (y1 > y0))
      is_in = !is_in;
  }
  return is_in;
}

/* Returns: (transfer full): a mask with 255 in the covered pixels */
static inline guint8 *
draw_shapes (const Shapes * s, gint width, gint height)
{
  guint8 *mask = g_malloc0 ((gsize) width * height);

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gint u = 20 * x + 10, v = 20 * y + 10;
      gboolean is_in = is_in_polygon (s, u, v);

      for (gint i = 0; i < s->n_rects; i++) {
        const gint *r = s->rects[i];

        is_in |= u > r[0] && u < r[0] + r[2] && v > r[1] && v < r[1] + r[3];
      }
      mask[y * width + x] = is_in ? 255 : 0;
    }
  return mask;
}
