/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the list of shapes to draw on a frame, and finds the tiles that each shape covers. */
#include "overlay-private.h"

#include <math.h>
#include <string.h>

#include <gst/vision/colour/colour.h>

#define DIRECTION (1 << DIRECTION_BITS)
#define INVERSE (8 << INVERSE_BITS)

/* Opacity of the dark box behind opaque text (255 = opaque). */
#define BEHIND_TEXT 208

/* Largest radius of the circles of keypoints, in pixels. Larger circles are drawn with this radius,
 * because the kernel computes squares of distances, in units of 1/16 pixel, in 31 bits. */
#define MAX_RADIUS 2047

/* Largest absolute value of a coordinate of a keypoint, in pixels. Keypoints farther away are
 * not drawn. */
#define FAR 60000

/* Largest distance, in pixels, of an edge of a box from the frame. Edges farther away are moved
 * to this distance, where their lines are still invisible. */
#define OUTSIDE 64

/* Limit of the number of entries, where an entry is one shape in one tile. Once it is reached,
 * no more shapes are added. Many more entries would not fit into the 32-bit numbers of the
 * kernel, and would take seconds to draw. */
#define MAX_ENTRIES (1 << 22)

/* Limit of the total size, in bytes, of the images of texts; it is nearly the size of two 8K
 * frames. Once it is reached, no more texts are added. */
#define MAX_TEXTS (1 << 26)

/* Largest length, in pixels, of a line that is drawn as one shape. Longer lines of trails are
 * divided into several shapes. The kernel computes squares of distances from the start of a
 * line, in units of 1/16 pixel, in 31 bits. */
#define MAX_LINE 1000

/* Largest number of texts whose positions are stored; labels of later regions do not overlap
 * these texts. The limit saves time in frames with thousands of regions. */
#define MAX_PLACES 256

/* Colors of objects, 0xrrggbb. The index is the id of the object modulo the number of colors.
 * All colors are bright, and the colors of adjacent ids differ clearly. */
static const guint32 id_colours[MGPU_OVERLAY_N_ID_COLOURS] = {
  0xff4136, 0x2ecc40, 0x339af0, 0xffffff, 0xd65cff, 0x1de9d8, 0x8c7bff,
  0xf062c0, 0xa8ff60, 0xc8a27a, 0xb4c4ff, 0xfff3b0
};

/* ---- Tiles of the frame -------------------------------------------------- */

/* Adds the shape with the index @i to the tile at (@column, @row), below the shapes that the
 * tile already has. */
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

/* Finds the tiles that contain pixels of the rectangle from (x0, y0) to (x1, y1), exclusive.
 * Writes four numbers to @tiles: the first column of these tiles, their first row, the column
 * after the last, and the row after the last. Returns: FALSE if there is no such tile */
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

/* Adds a shape to all tiles that contain pixels of a rectangle around the shape. The rectangle
 * extends from (@x0, @y0) to (@x1, @y1), exclusive, in pixels. */
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

/* Computes distances from the coordinate @a to the range from @first to @last: sets *@nearest to
 * the distance of the nearest point, and *@farthest to the distance of the farthest point. */
static void
get_distances (gint64 a, gint64 first, gint64 last, gint64 * nearest,
    gint64 * farthest)
{
  *nearest = MAX (MAX (first - a, a - last), 0);
  *farthest = MAX (ABS (first - a), ABS (last - a));
}

/* Returns: TRUE if the ring or the direction line of a keypoint may cover a pixel of the tile at
 * (@column, @row); FALSE if it certainly does not */
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

  /* Tests whether the direction line of the keypoint reaches the tile, because the tile lies inside
   * the ring around the keypoint. */
  along = dx * shape->keypoint.direction_x
      + dy * shape->keypoint.direction_y
      - (gint64) shape->keypoint.half_length * DIRECTION;
  across = dx * shape->keypoint.direction_y
      - dy * shape->keypoint.direction_x;
  reach = UNIT + half_width + half_height;
  return ABS (along) < (shape->keypoint.half_length + reach) * DIRECTION
      && ABS (across) < (shape->keypoint.half_width + reach) * DIRECTION;
}

/* Adds the shape of a keypoint to the tiles that it covers. Does nothing if it lies outside the
 * frame. */
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

/* Returns: TRUE if a line of a trail may cover a pixel of the tile at (@column, @row); FALSE if
 * it certainly does not. @reach is half of the width of the line including its soft edge, in
 * units of 1/16 pixel. */
static gboolean
line_touches (const Shape * shape, gint column, gint row, gint64 reach)
{
  const gint half_width = (TILE_WIDTH - 1) * UNIT / 2;
  const gint half_height = (TILE_HEIGHT - 1) * UNIT / 2;
  gint64 dx = (gint64) column * TILE_WIDTH * UNIT + half_width
      - shape->keypoint.x;
  gint64 dy = (gint64) row * TILE_HEIGHT * UNIT + half_height
      - shape->keypoint.y;

  return ABS (dx * shape->keypoint.direction_y
      - dy * shape->keypoint.direction_x)
      < (reach + half_width + half_height) * DIRECTION;
}

/* Adds a line of a trail, from the x and y of the shape to (@to_x, @to_y), all in units of 1/16
 * pixel. Does nothing if the line lies outside the frame. The line is drawn as the direction
 * line of a keypoint whose circle is a filled disc as wide as the line. */
static void
add_line_shape (MgpuOverlay * self, Shape * shape, gint to_x, gint to_y)
{
  gint x = shape->keypoint.x, y = shape->keypoint.y;
  gint reach = shape->keypoint.outer + UNIT;
  gint left = (MIN (x, to_x) - reach) / UNIT - 1;
  gint right = (MAX (x, to_x) + reach) / UNIT + 2;
  gboolean seen = FALSE;
  gint tiles[4];

  shape->first_row = (MIN (y, to_y) - reach) / UNIT - 1;
  shape->last_row = (MAX (y, to_y) + reach) / UNIT + 1;
  if (!find_tiles (self, left, shape->first_row, right, shape->last_row + 1,
          tiles) || self->entries->len >= MAX_ENTRIES)
    return;
  for (gint row = tiles[1]; row < tiles[3]; row++)
    for (gint column = tiles[0]; column < tiles[2]; column++)
      if (line_touches (shape, column, row, reach)) {
        add_entry (self, column, row, self->shapes->len);
        seen = TRUE;
      }
  if (seen)
    g_array_append_vals (self->shapes, shape, 1);
}

/* ---- Adding shapes ------------------------------------------------------- */

static void
set_colour (MgpuOverlay * self, Colour i, guint32 argb)
{
  guint alpha = argb >> 24;

  mgpu_colour_from_argb (&self->object.in, argb, self->colours[i]);
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
  g_array_set_size (self->places, 0);

  self->line_width = floor (CLAMP (style->line_width, MIN_LINE_WIDTH,
          MAX_LINE_WIDTH) * UNIT + 0.5);
  set_colour (self, COLOUR_KEYPOINT, style->keypoint_colour);
  set_colour (self, COLOUR_REGION, style->region_colour);
  set_colour (self, COLOUR_TEXT, style->text_colour);
  set_colour (self, COLOUR_BEHIND_TEXT,
      (text_alpha * BEHIND_TEXT + 127) / 255 << 24);
  for (guint i = 0; i < MGPU_OVERLAY_N_ID_COLOURS; i++)
    set_colour (self, COLOUR_ID + i, (style->region_colour & 0xff000000)
        | id_colours[i]);
}

/* Adds a box of one color. Its edges are in units of 1/16 pixel. */
static void
add_box (MgpuOverlay * self, Colour colour, gint x0, gint y0, gint x1, gint y1)
{
  Shape shape = {.kind = KIND_BOX,.colour = colour,.box = {x0, y0, x1, y1} };

  if (x0 >= x1 || y0 >= y1 || self->colours[colour][3] == 0)
    return;
  /* Converts the edges of the box from units of 1/16 pixel to whole pixels. The right shift
   * rounds down, also for negative coordinates. */
  add_rectangular (self, &shape, x0 >> 4, y0 >> 4, (x1 + UNIT - 1) >> 4,
      (y1 + UNIT - 1) >> 4);
}

/* Adds the text @image on a box that is wider than the text by @padding pixels on each side.
 * (@x, @y) is the upper left corner of the box, in pixels. */
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

/* Stores the position and size of a text, @place, so that later labels do not overlap this text.
 * Does nothing if MAX_PLACES texts are stored already. */
static void
take_place (MgpuOverlay * self, const GstVideoRectangle * place)
{
  if (self->places->len < MAX_PLACES)
    g_array_append_vals (self->places, place, 1);
}

static gboolean
is_free (const MgpuOverlay * self, const GstVideoRectangle * place)
{
  for (guint i = 0; i < self->places->len; i++) {
    const GstVideoRectangle *taken = &g_array_index (self->places,
        GstVideoRectangle, i);

    if (place->x < taken->x + taken->w && taken->x < place->x + place->w
        && place->y < taken->y + taken->h && taken->y < place->y + place->h)
      return FALSE;
  }
  return TRUE;
}

void
mgpu_overlay_add_text (MgpuOverlay * self, const MgpuTextImage * text)
{
  gint margin = self->text_size / 2, padding = self->text_size / 3;
  const GstVideoRectangle place = { margin, margin, text->width + 2 * padding,
    text->height
  };

  take_place (self, &place);
  add_text (self, text, margin, margin, padding);
}

/* Adds the label of a region with the corners (@x0, @y0) and (@x1, @y1), in pixels. Tries these
 * positions: above the region, inside it, below it, above its right end, and to the right of it.
 * Uses the first position that is inside the frame and does not overlap other labels. If there is
 * none, puts the label above the region or inside it. */
static void
add_label (MgpuOverlay * self, const MgpuTextImage * image, gint x0, gint y0,
    gint x1, gint y1)
{
  gint padding = self->text_size / 4;
  gint width = image->width + 2 * padding, height = image->height;
  gint max_x = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint max_y = GST_VIDEO_INFO_HEIGHT (&self->object.in);
  const struct
  {
    gboolean fits;
    gint x, y;
  } choices[] = {
    {y0 >= height, x0, y0 - height},
    {TRUE, x0, MAX (y0, 0) + self->line_width / UNIT},
    {y1 + height <= max_y, x0, y1},
    {y0 >= height, x1 - width, y0 - height},
    {x1 + width <= max_x, x1, y0}
  };
  GstVideoRectangle place = { 0, 0, width, height }, first;
  gboolean has_first = FALSE;

  if (image->width == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++) {
    if (!choices[i].fits)
      continue;
    place.x = MAX (MIN (choices[i].x, max_x - width), 0);
    place.y = MAX (MIN (choices[i].y, max_y - height), 0);
    if (!has_first)
      first = place;
    has_first = TRUE;
    if (is_free (self, &place))
      break;
    place = first;
  }
  take_place (self, &place);
  add_text (self, image, place.x, place.y, padding);
}

static Colour
get_id_colour (gint64 id)
{
  return id < 0 ? COLOUR_REGION : COLOUR_ID + id % MGPU_OVERLAY_N_ID_COLOURS;
}

void
mgpu_overlay_add_region (MgpuOverlay * self, gint64 id, gint64 x, gint64 y,
    gint64 width, gint64 height, const MgpuTextImage * label)
{
  Colour colour = get_id_colour (id);
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
    add_label (self, label, x0 / UNIT, y0 / UNIT, x1 / UNIT, y1 / UNIT);
  add_box (self, colour, x0, y0, x1, top);
  add_box (self, colour, x0, bottom, x1, y1);
  add_box (self, colour, x0, top, left, bottom);
  add_box (self, colour, right, top, x1, bottom);
}

/* Adds the line of a trail between the points @from and @to. Their distance is at most MAX_LINE
 * pixels. */
static void
add_line (MgpuOverlay * self, Colour colour, const MgpuOverlayPoint * from,
    const MgpuOverlayPoint * to)
{
  gint half_line = self->line_width / 2;
  /* Subtracts half a pixel to convert points of trails to coordinates of keypoints: integer
   * coordinates are corners of pixels in trails, but centers of pixels in keypoints. */
  gint x = floor (from->x * UNIT + 0.5) - UNIT / 2;
  gint y = floor (from->y * UNIT + 0.5) - UNIT / 2;
  gint to_x = floor (to->x * UNIT + 0.5) - UNIT / 2;
  gint to_y = floor (to->y * UNIT + 0.5) - UNIT / 2;
  gdouble dx = to_x - x, dy = to_y - y, length = sqrt (dx * dx + dy * dy);
  Shape shape = {
    .kind = KIND_KEYPOINT,
    .colour = colour,
    .keypoint = {
      .x = x,
      .y = y,
      .outer = half_line,
      .outer_inverse = INVERSE / half_line,
      .direction_x = length > 0 ? floor (dx / length * DIRECTION + 0.5) : 0,
      .direction_y = length > 0 ? floor (dy / length * DIRECTION + 0.5) : 0,
      .half_length = (gint) (length / 2),
      .half_width = length > 0 ? half_line : -UNIT / 2
    }
  };

  add_line_shape (self, &shape, to_x, to_y);
}

static gboolean
is_far (const MgpuOverlayPoint * point)
{
  return !(fabs (point->x) <= FAR && fabs (point->y) <= FAR);
}

void
mgpu_overlay_add_trail (MgpuOverlay * self, gint64 id,
    const MgpuOverlayPoint * points, guint n)
{
  Colour colour = get_id_colour (id);

  if (self->colours[colour][3] == 0)
    return;
  for (guint i = 0; i + 1 < n; i++) {
    MgpuOverlayPoint from = points[i], step, to;
    guint parts;

    if (is_far (&points[i]) || is_far (&points[i + 1]))
      continue;
    step.x = points[i + 1].x - from.x;
    step.y = points[i + 1].y - from.y;
    parts = 1 + sqrt (step.x * step.x + step.y * step.y) / MAX_LINE;
    for (guint j = 1; j <= parts; j++, from = to) {
      to.x = points[i].x + step.x * j / parts;
      to.y = points[i].y + step.y * j / parts;
      add_line (self, colour, &from, &to);
    }
  }
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

    /* Skips keypoints that are far away, and keypoints with NaN, because comparisons with NaN are
     * always false. */
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
        /* Hides the direction line of a keypoint without a direction: a line with the half width
         * -UNIT / 2 covers no pixel. */
        .half_width = directed ? half_line : -UNIT / 2
      }
    };
    add_keypoint_shape (self, &shape);
  }
}
