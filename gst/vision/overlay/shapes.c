/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the list of shapes of a frame, and finds the tiles that they cover. */
#include "private.h"

#include <math.h>
#include <string.h>

#include <gst/vision/colour/colour.h>

#define DIRECTION (1 << DIRECTION_BITS)
#define INVERSE (8 << INVERSE_BITS)

/* Opacity of the box behind opaque text, where 255 means opaque. */
#define BEHIND_TEXT 208

/* Largest radius of keypoints, in pixels; larger keypoints are drawn with it. The kernel
 * needs squares of distances, in units of 1/16 pixel, to fit into 31 bits. */
#define MAX_RADIUS 2047

/* Largest coordinate of keypoints that are drawn, in pixels, positive or negative. */
#define FAR 60000

/* Largest distance of the edges of a box from the frame, in pixels. Edges that lie farther
 * outside are moved to this distance, where their lines are still not seen. */
#define OUTSIDE 64

/* Number of entries of a plan after which shapes are left out. Many more would not fit into
 * the 32 bit numbers of the kernel, and would take seconds to draw. */
#define MAX_ENTRIES (1 << 22)

/* Bytes of the images of text, nearly two frames of 8K, after which text is left out. */
#define MAX_TEXTS (1 << 26)

/* ---- Tiles --------------------------------------------------------------- */

/* Puts shape i below all other shapes of the tile at column and row. */
static void
add_entry (MgpuOverlay * self, gint column, gint row, gint32 i)
{
  gint32 *place = &self->tile_of[(gsize) row * self->columns + column];
  Entry entry = { i, -1 };
  Tile *tile;

  if (*place < 0) {
    const Tile fresh = { column * TILE_WIDTH, row * TILE_HEIGHT, -1 };

    *place = self->tiles->len;
    g_array_append_val (self->tiles, fresh);
  }
  tile = &g_array_index (self->tiles, Tile, *place);
  entry.next = tile->first;
  tile->first = self->entries->len;
  g_array_append_val (self->entries, entry);
}

/* Finds the tiles of the pixels from (x0, y0) up to but without (x1, y1): sets tiles to
 * their first column, first row, end of columns and end of rows.
 * Returns: FALSE when there is no such tile */
static gboolean
find_tiles (MgpuOverlay * self, gint x0, gint y0, gint x1, gint y1,
    gint * tiles)
{
  x0 = MAX (x0, 0);
  y0 = MAX (y0, 0);
  x1 = MIN (x1, self->columns * TILE_WIDTH);
  y1 = MIN (y1, self->rows * TILE_HEIGHT);
  tiles[0] = x0 / TILE_WIDTH;
  tiles[1] = y0 / TILE_HEIGHT;
  tiles[2] = (x1 + TILE_WIDTH - 1) / TILE_WIDTH;
  tiles[3] = (y1 + TILE_HEIGHT - 1) / TILE_HEIGHT;
  return x0 < x1 && y0 < y1;
}

/* Adds a shape to all tiles of the pixels from (x0, y0) up to but without (x1, y1), the only
 * pixels that the shape covers. */
static void
add_rectangular (MgpuOverlay * self, Shape * shape, gint x0, gint y0, gint x1,
    gint y1)
{
  gint tiles[4];

  if (!find_tiles (self, x0, y0, x1, y1, tiles)
      || self->entries->len >= MAX_ENTRIES)
    return;
  shape->first_row = y0;
  shape->last_row = y1 - 1;
  for (gint row = tiles[1]; row < tiles[3]; row++)
    for (gint column = tiles[0]; column < tiles[2]; column++)
      add_entry (self, column, row, self->shapes->len);
  g_array_append_vals (self->shapes, shape, 1);
}

/* Sets nearest and farthest to the distances of a from the nearest and the farthest point
 * of the range first to last. */
static void
get_distances (gint64 a, gint64 first, gint64 last, gint64 * nearest,
    gint64 * farthest)
{
  *nearest = MAX (MAX (first - a, a - last), 0);
  *farthest = MAX (ABS (first - a), ABS (last - a));
}

/* Tells whether the ring or the line of a keypoint may cover any pixel of a tile. Where it
 * returns FALSE, the shape surely covers none. */
static gboolean
touches (const Shape * shape, gint column, gint row)
{
  gint64 cx = shape->keypoint.x, cy = shape->keypoint.y;
  gint64 outer = shape->keypoint.outer;
  gint64 inner = shape->keypoint.inner;
  gint64 left = (gint64) column * TILE_WIDTH * UNIT;
  gint64 top = (gint64) row * TILE_HEIGHT * UNIT;
  const gint half_width = (TILE_WIDTH - 1) * UNIT / 2;
  const gint half_height = (TILE_HEIGHT - 1) * UNIT / 2;
  gint64 near_x, far_x, near_y, far_y, along, across, reach;
  gint64 dx = left + half_width - cx, dy = top + half_height - cy;

  get_distances (cx, left, left + 2 * half_width, &near_x, &far_x);
  get_distances (cy, top, top + 2 * half_height, &near_y, &far_y);
  if (near_x * near_x + near_y * near_y >= outer * outer + UNIT * outer)
    return FALSE;
  if (far_x * far_x + far_y * far_y > inner * inner - UNIT * inner)
    return TRUE;

  /* The tile lies inside of the ring: tests whether the line reaches it. */
  along = dx * shape->keypoint.direction_x
      + dy * shape->keypoint.direction_y
      - (gint64) shape->keypoint.half_length * DIRECTION;
  across = dx * shape->keypoint.direction_y
      - dy * shape->keypoint.direction_x;
  reach = UNIT + half_width + half_height;
  return ABS (along) < (shape->keypoint.half_length + reach) * DIRECTION
      && ABS (across) < (shape->keypoint.half_width + reach) * DIRECTION;
}

/* Adds the shape of a keypoint, unless it lies outside the frame. */
static void
add_keypoint_shape (MgpuOverlay * self, Shape * shape)
{
  gint x = shape->keypoint.x, y = shape->keypoint.y;
  gint reach = shape->keypoint.outer + UNIT;
  gint tiles[4];
  gboolean seen = FALSE;

  shape->first_row = (y - reach) / UNIT - 1;
  shape->last_row = (y + reach) / UNIT + 1;
  if (!find_tiles (self, (x - reach) / UNIT - 1, shape->first_row,
          (x + reach) / UNIT + 2, shape->last_row + 1, tiles)
      || self->entries->len >= MAX_ENTRIES)
    return;
  for (gint row = tiles[1]; row < tiles[3]; row++) {
    for (gint column = tiles[0]; column < tiles[2]; column++) {
      if (touches (shape, column, row)) {
        add_entry (self, column, row, self->shapes->len);
        seen = TRUE;
      }
    }
  }
  if (seen)
    g_array_append_vals (self->shapes, shape, 1);
}

/* ---- Shapes -------------------------------------------------------------- */

static void
set_colour (MgpuOverlay * self, Colour i, guint32 argb)
{
  MgpuColourMatrix matrix;
  GstVideoInfo rgb;
  guint alpha = argb >> 24;

  gst_video_info_set_format (&rgb, GST_VIDEO_FORMAT_RGB, 1, 1);
  mgpu_colour_matrix (&rgb, &self->object.in, &matrix);
  for (guint j = 0; j < 3; j++) {
    gint64 sum = matrix.offset[j];

    for (guint k = 0; k < 3; k++)
      sum += (gint64) matrix.factor[j][k] * (argb >> (16 - 8 * k) & 255);
    self->colours[i][j] = CLAMP (sum >> matrix.bits, 0, matrix.max);
  }
  self->colours[i][3] = alpha + (alpha >> 7);
}

void
mgpu_overlay_begin (MgpuOverlay * self, const MgpuOverlayStyle * style)
{
  guint text_alpha = style->text_colour >> 24;

  for (guint i = 0; i < self->tiles->len; i++) {
    const Tile *tile = &g_array_index (self->tiles, Tile, i);

    self->tile_of[(gsize) (tile->y / TILE_HEIGHT) * self->columns
        + tile->x / TILE_WIDTH] = -1;
  }
  g_array_set_size (self->shapes, 0);
  g_array_set_size (self->tiles, 0);
  g_array_set_size (self->entries, 0);
  g_byte_array_set_size (self->texts, 0);

  self->line_width = floor (CLAMP (style->line_width, MIN_LINE_WIDTH,
          MAX_LINE_WIDTH) * UNIT + 0.5);
  set_colour (self, COLOUR_KEYPOINT, style->keypoint_colour);
  set_colour (self, COLOUR_REGION, style->region_colour);
  set_colour (self, COLOUR_TEXT, style->text_colour);
  set_colour (self, COLOUR_BEHIND_TEXT,
      (text_alpha * BEHIND_TEXT + 127) / 255 << 24);
}

/* Adds a box, whose edges are in units of 1/16 pixel. */
static void
add_box (MgpuOverlay * self, Colour colour, gint x0, gint y0, gint x1, gint y1)
{
  Shape shape = {.kind = KIND_BOX,.colour = colour,.box = {x0, y0, x1, y1} };

  if (x0 >= x1 || y0 >= y1 || self->colours[colour][3] == 0)
    return;
  /* Shifts round down, also where coordinates are negative. */
  add_rectangular (self, &shape, x0 >> 4, y0 >> 4, (x1 + UNIT - 1) >> 4,
      (y1 + UNIT - 1) >> 4);
}

/* Adds text and the box behind it, which is wider by padding pixels on both sides. The
 * upper left corner of the box is at (x, y). */
static void
add_text (MgpuOverlay * self, const MgpuTextImage * image, gint x, gint y,
    gint padding)
{
  gint left = (x + padding) & ~(TILE_WIDTH - 1);
  gint right = x + padding + image->width;
  gint stride = (right - left + TILE_WIDTH - 1) & ~(TILE_WIDTH - 1);
  guint offset = self->texts->len;
  Shape shape = {.kind = KIND_TEXT,.colour = COLOUR_TEXT,
    .text = {left, y, y + image->height, offset, stride}
  };

  if (image->width == 0 || self->colours[COLOUR_TEXT][3] == 0
      || self->entries->len >= MAX_ENTRIES || offset >= MAX_TEXTS)
    return;
  g_byte_array_set_size (self->texts, offset + stride * image->height);
  memset (self->texts->data + offset, 0, stride * image->height);
  for (gint row = 0; row < image->height; row++)
    memcpy (self->texts->data + offset + row * stride + x + padding - left,
        image->coverage + row * image->width, image->width);

  add_rectangular (self, &shape, x + padding, y, right, y + image->height);
  add_box (self, COLOUR_BEHIND_TEXT, x * UNIT, y * UNIT,
      (right + padding) * UNIT, (y + image->height) * UNIT);
}

void
mgpu_overlay_add_text (MgpuOverlay * self, const MgpuTextImage * text)
{
  add_text (self, text, self->text_size / 2, self->text_size / 2,
      self->text_size / 3);
}

/* Adds the label of a region whose upper left corner is at (x, y): above the region where
 * the frame has room, else inside of the region. */
static void
add_label (MgpuOverlay * self, const MgpuTextImage * image, gint x, gint y)
{
  gint padding = self->text_size / 4;

  if (y >= image->height)
    y -= image->height;
  else
    y = MAX (y, 0) + self->line_width / UNIT;
  x = MIN (x, GST_VIDEO_INFO_WIDTH (&self->object.in) - image->width
      - 2 * padding);
  y = MIN (y, GST_VIDEO_INFO_HEIGHT (&self->object.in) - image->height);
  add_text (self, image, MAX (x, 0), MAX (y, 0), padding);
}

void
mgpu_overlay_add_region (MgpuOverlay * self, gint64 x, gint64 y, gint64 width,
    gint64 height, const MgpuTextImage * label)
{
  gint max_x = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint max_y = GST_VIDEO_INFO_HEIGHT (&self->object.in);
  gint x0 = CLAMP (x, -OUTSIDE, max_x + OUTSIDE) * UNIT;
  gint y0 = CLAMP (y, -OUTSIDE, max_y + OUTSIDE) * UNIT;
  gint x1 = CLAMP (x + width, -OUTSIDE, max_x + OUTSIDE) * UNIT;
  gint y1 = CLAMP (y + height, -OUTSIDE, max_y + OUTSIDE) * UNIT;
  gint line = self->line_width;
  gint top = MIN (y0 + line, y1), bottom = MAX (y1 - line, top);
  gint left = MIN (x0 + line, x1), right = MAX (x1 - line, left);

  if (x0 >= x1 || y0 >= y1)
    return;
  if (label != NULL && x < max_x && y < max_y && x1 > 0 && y1 > 0)
    add_label (self, label, x0 / UNIT, y0 / UNIT);
  add_box (self, COLOUR_REGION, x0, y0, x1, top);
  add_box (self, COLOUR_REGION, x0, bottom, x1, y1);
  add_box (self, COLOUR_REGION, x0, top, left, bottom);
  add_box (self, COLOUR_REGION, right, top, x1, bottom);
}

void
mgpu_overlay_add_keypoints (MgpuOverlay * self,
    const GstMgpuKeypoint * keypoints, guint n)
{
  gint half_line = self->line_width / 2;

  if (self->colours[COLOUR_KEYPOINT][3] == 0)
    return;
  for (guint i = 0; i < n; i++) {
    gdouble x = keypoints[i].x, y = keypoints[i].y;
    gdouble radius = keypoints[i].size / 2.0, angle = keypoints[i].angle;
    gboolean directed = angle >= 0 && angle <= 360;
    Shape shape;
    gint r;

    /* Skips keypoints with NaN as well: no comparison with NaN is true. */
    if (!(fabs (x) <= FAR && fabs (y) <= FAR && radius >= 0))
      continue;
    r = floor (CLAMP (radius, 1, MAX_RADIUS) * UNIT + 0.5);
    angle = directed ? angle * G_PI / 180 : 0;
    shape = (Shape) {
      .kind = KIND_KEYPOINT,
      .colour = COLOUR_KEYPOINT,
      .keypoint = {
        .x = floor (x * UNIT + 0.5),
        .y = floor (y * UNIT + 0.5),
        .outer = r + half_line,
        .inner = MAX (r - half_line, 0),
        .outer_inverse = INVERSE / (r + half_line),
        .inner_inverse = r > half_line ? INVERSE / (r - half_line) : 0,
        .direction_x = floor (cos (angle) * DIRECTION + 0.5),
        .direction_y = floor (sin (angle) * DIRECTION + 0.5),
        .half_length = r / 2,
        /* A line of the width -UNIT / 2 covers nothing. */
        .half_width = directed ? half_line : -UNIT / 2
      }
    };
    add_keypoint_shape (self, &shape);
  }
}
