/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes frames with tags. */
#pragma once

#include "common.h"

#include <gst/vision/tags/dictionary.h>

#include <math.h>
#include <string.h>

#define WIDTH 320
#define HEIGHT 240
#define GRAY_CAPS "video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1"

/* Focal length of the tests' pinhole cameras, in pixels */
#define FOCAL 300.0

/* A tag in a frame, described by its corners, beginning with its upper left one */
typedef struct
{
  const gchar *family;
  guint id;
  gdouble corners[8];
} DrawnTag;

/* Returns: whether cell (@x, @y), counted from the border's upper left cell, is white in the tag
 * @code of @family */
static inline gboolean
cell_is_white (const MgpuTagDictionary * family, guint64 code, gint x, gint y)
{
  gint last = family->border - 1;

  for (guint i = 0; i < family->n_bits; i++)
    if (family->x[i] == x && family->y[i] == y)
      return code >> (family->n_bits - 1 - i) & 1;
  /* Gives cells of the border, and all cells of a wide border without bits, the border's color; the
   * cells around it have the other color. */
  if (x >= 0 && x <= last && y >= 0 && y <= last)
    return family->is_white;
  return !family->is_white;
}

/* Sets @h to the homography that maps positions in the frame to the unit square. */
static inline void
find_inverse (const gdouble * c, gdouble h[9])
{
  gdouble ax = c[2] - c[4], ay = c[3] - c[5], bx = c[6] - c[4], by = c[7] - c[5];
  gdouble sx = c[0] - c[2] + c[4] - c[6], sy = c[1] - c[3] + c[5] - c[7];
  gdouble d = ax * by - bx * ay;
  gdouble g = (sx * by - bx * sy) / d, k = (ax * sy - sx * ay) / d;
  const gdouble m[9] = { c[2] - c[0] + g * c[2], c[6] - c[0] + k * c[6], c[0],
    c[3] - c[1] + g * c[3], c[7] - c[1] + k * c[7], c[1], g, k, 1
  };

  /* Uses the adjugate matrix, which is the inverse up to a factor. */
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 3; j++) {
      guint r = (j + 1) % 3, s = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;

      h[3 * i + j] = m[3 * r + p] * m[3 * s + q] - m[3 * r + q] * m[3 * s + p];
    }
}

/* Draws @tag into the gray frame @grey, with a margin of one cell; each pixel is the mean of 16
 * samples. */
static inline void
draw_tag (guint8 * grey, gint width, gint height, const DrawnTag * tag)
{
  g_autoptr (MgpuTagDictionary) family = mgpu_tag_dictionary_find (tag->family);
  gint margin = (family->width - family->border) / 2 + 1;
  guint64 code = family->codes[tag->id];
  gdouble h[9];

  find_inverse (tag->corners, h);
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gint sum = 0;

      for (guint s = 0; s < 16; s++) {
        gdouble px = x + (s % 4 + 0.5) / 4, py = y + (s / 4 + 0.5) / 4;
        gdouble w = h[6] * px + h[7] * py + h[8];
        gint cx = floor ((h[0] * px + h[1] * py + h[2]) / w * family->border);
        gint cy = floor ((h[3] * px + h[4] * py + h[5]) / w * family->border);

        if (MIN (cx, cy) < -margin
            || MAX (cx, cy) >= (gint) family->border + margin)
          sum += grey[y * width + x];
        else
          sum += cell_is_white (family, code, cx, cy) ? 230 : 25;
      }
      grey[y * width + x] = (sum + 8) / 16;
    }
}

/* Returns: (transfer full): frame @i of a stream of 25 frames per second, with @n tags */
static inline GstBuffer *
tags_frame (guint i, const DrawnTag * tags, guint n)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, 150, map.size);
  for (guint k = 0; k < n; k++)
    draw_tag (map.data, WIDTH, HEIGHT, &tags[k]);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

/* Sets the corners of @tag to the image of a tag of @size meters at @position that is rotated about
 * y by @sine and @cosine. The camera's axis goes through the center of the frame. */
static inline void
place_tag (DrawnTag * tag, const gdouble position[3], gdouble size,
    gdouble sine, gdouble cosine)
{
  for (guint i = 0; i < 4; i++) {
    gdouble x = (i == 1 || i == 2 ? 0.5 : -0.5) * size;
    gdouble y = (i >= 2 ? 0.5 : -0.5) * size;
    gdouble z = position[2] - sine * x;

    tag->corners[2 * i] = WIDTH / 2 + FOCAL * (position[0] + cosine * x) / z;
    tag->corners[2 * i + 1] = HEIGHT / 2 + FOCAL * (position[1] + y) / z;
  }
}
