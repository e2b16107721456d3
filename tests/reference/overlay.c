/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of drawing shapes and text: see docs/algorithms/overlay.md. */
#include "overlay.h"

#include <math.h>

/* Describes a shape by its coverage: the part of each pixel that it covers. */
typedef struct Shape Shape;
struct Shape
{
  int (*cover) (const Shape * shape, int x, int y);     /* returns the coverage of a pixel, from 0
                                                         * to 255 */
  int64_t left, top, right, bottom;     /* box around the shape, in pixels */

  /* For a keypoint: its center (0 is the middle of pixel 0), the radii of its ring, and the half
   * length and half width of its line, in units of 1/16 pixel; the direction of the line, in
   * units of 2^-14. For a box: its edges, in units of 1/16 pixel. */
  int64_t x, y, outer, inner, dx, dy, half_length, half_width;
  int64_t x0, y0, x1, y1;
  const uint8_t *image;
};

static int64_t
limit (int64_t value, int64_t least, int64_t most)
{
  return value < least ? least : value > most ? most : value;
}

/* Returns @value / 2^@bits, rounded down even if it is negative. */
static int64_t
shift_down (int64_t value, int bits)
{
  int64_t unit = (int64_t) 1 << bits;

  return value >= 0 ? value / unit : -((-value + unit - 1) / unit);
}

/* Blends sample (@x, @y) with @value. @cover / 255 is the part of the sample that is covered. */
static void
blend (const RefPlane * plane, int x, int y, int value, int cover, int opacity)
{
  uint8_t *at = plane->data + y * plane->stride + x * plane->pixel_stride;
  uint64_t a = (uint64_t) (cover + cover / 128) * (opacity + opacity / 128);
  uint64_t word = plane->bytes == 1 ? at[0] : at[0] | at[1] << 8;

  if (a == 0)
    return;
  word = ((word >> plane->shift) * (65536 - a) + value * a + 32768) >> 16;
  word <<= plane->shift;
  at[0] = word & 255;
  if (plane->bytes == 2)
    at[1] = word >> 8;
}

/* Draws a shape on the samples of plane @i, each of which covers @w x @h pixels. The coverage of a
 * sample is the mean coverage of its pixels, including those outside of the edge of a frame of odd
 * size. */
static void
draw_plane (const RefOverlay * frame, int i, int w, int h,
    const RefOverlayColour * colour, const Shape * shape)
{
  const RefPlane *plane = &frame->plane[i];
  int left = limit (shape->left / w - 1, 0, plane->width);
  int right = limit (shape->right / w + 2, 0, plane->width);
  int top = limit (shape->top / h - 1, 0, plane->height);
  int bottom = limit (shape->bottom / h + 2, 0, plane->height);

  for (int y = top; y < bottom; y++) {
    for (int x = left; x < right; x++) {
      int sum = w * h / 2;

      for (int j = 0; j < h; j++)
        for (int k = 0; k < w; k++)
          sum += shape->cover (shape, x * w + k, y * h + j);
      blend (plane, x, y, colour->value[i], sum / (w * h), colour->opacity);
    }
  }
}

static void
draw (const RefOverlay * frame, const RefOverlayColour * colour,
    const Shape * shape)
{
  draw_plane (frame, 0, 1, 1, colour, shape);
  for (int i = 1; i < frame->n_planes; i++)
    draw_plane (frame, i, frame->chroma_width, frame->chroma_height, colour,
        shape);
}

void
ref_overlay_colour (uint32_t argb, const RefColour * to,
    RefOverlayColour * colour)
{
  const RefColour rgb = {.rgb = 1,.full_range = 1,.max = 255 };
  RefColourMatrix m;

  ref_colour_matrix (&rgb, to, &m);
  for (int i = 0; i < 3; i++) {
    int64_t sum = m.factor[i][0] * (argb >> 16 & 255)
        + m.factor[i][1] * (argb >> 8 & 255) + m.factor[i][2] * (argb & 255)
        + m.offset[i];

    colour->value[i] = limit (shift_down (sum, m.bits), 0, m.max);
  }
  colour->opacity = argb >> 24;
}

/* Returns the part of a pixel that a disc covers. The edge of the disc is a ramp with a width of
 * one pixel along the radius. It is a linear function of the squared distance. */
static int64_t
disc (int64_t square, int64_t radius)
{
  int64_t inside = limit (radius * radius - square, -16 * radius, 16 * radius);
  int64_t inverse = ((int64_t) 1 << 25) / radius;

  return limit (shift_down (inside * inverse + ((int64_t) 128 << 22), 22), 0,
      255);
}

static int
cover_keypoint (const Shape * s, int x, int y)
{
  int64_t dx = 16 * x - s->x, dy = 16 * y - s->y;
  int64_t square = dx * dx + dy * dy;
  int64_t ring = disc (square, s->outer)
      - (s->inner > 0 ? disc (square, s->inner) : 0);
  /* Computes distances in units of 2^-18 pixel. */
  int64_t along = dx * s->dx + dy * s->dy - s->half_length * 16384;
  int64_t across = dx * s->dy - dy * s->dx;
  int64_t in_length =
      (s->half_length + 8) * 16384 - (along < 0 ? -along : along);
  int64_t in_width =
      (s->half_width + 8) * 16384 - (across < 0 ? -across : across);
  int64_t line = in_length < in_width ? in_length : in_width;

  line = limit (shift_down (line, 10), 0, 255);
  return ring > line ? ring : line;
}

void
ref_overlay_keypoint (const RefOverlay * frame, const RefOverlayColour * colour,
    double line_width, float x, float y, float size, float angle)
{
  int64_t half_line = (int64_t) floor (line_width * 16 + 0.5) / 2, radius;
  int has_line = angle >= 0 && angle <= 360;
  double radians = has_line ? angle * 3.14159265358979323846 / 180 : 0;
  Shape shape = {.cover = cover_keypoint };

  if (isnan (x) || isnan (y) || isnan (size) || fabs (x) > 60000
      || fabs (y) > 60000 || size < 0)
    return;
  radius = floor ((size > 2 * 2047 ? 2047 : size < 2 ? 1 : size / 2.0) * 16
      + 0.5);
  shape.x = floor (x * 16.0 + 0.5);
  shape.y = floor (y * 16.0 + 0.5);
  shape.outer = radius + half_line;
  shape.inner = radius > half_line ? radius - half_line : 0;
  shape.dx = floor (cos (radians) * 16384 + 0.5);
  shape.dy = floor (sin (radians) * 16384 + 0.5);
  shape.half_length = radius / 2;
  shape.half_width = has_line ? half_line : -8;
  shape.left = shift_down (shape.x - shape.outer, 4) - 1;
  shape.right = shift_down (shape.x + shape.outer, 4) + 1;
  shape.top = shift_down (shape.y - shape.outer, 4) - 1;
  shape.bottom = shift_down (shape.y + shape.outer, 4) + 1;
  draw (frame, colour, &shape);
}

const uint32_t ref_overlay_id_colours[12] = {
  0xff4136, 0x2ecc40, 0x339af0, 0xffffff, 0xd65cff, 0x1de9d8, 0x8c7bff,
  0xf062c0, 0xa8ff60, 0xc8a27a, 0xb4c4ff, 0xfff3b0
};

/* Converts a coordinate in pixels to units of 1/16 pixel, relative to the middle of the first
 * pixel. */
static int64_t
place (double pixels)
{
  return (int64_t) floor (pixels * 16 + 0.5) - 8;
}

static void
draw_part (const RefOverlay * frame, const RefOverlayColour * colour,
    double line_width, double from_x, double from_y, double to_x, double to_y)
{
  int64_t half_line = (int64_t) floor (line_width * 16 + 0.5) / 2;
  int64_t x0 = place (from_x), y0 = place (from_y);
  int64_t x1 = place (to_x), y1 = place (to_y);
  double dx = x1 - x0, dy = y1 - y0, length = sqrt (dx * dx + dy * dy);
  Shape shape = {.cover = cover_keypoint,.x = x0,.y = y0,.outer = half_line };

  shape.half_width = -8;
  if (length > 0) {
    shape.dx = floor (dx / length * 16384 + 0.5);
    shape.dy = floor (dy / length * 16384 + 0.5);
    shape.half_length = length / 2;
    shape.half_width = half_line;
  }
  shape.left = shift_down ((x0 < x1 ? x0 : x1) - half_line, 4) - 2;
  shape.right = shift_down ((x0 < x1 ? x1 : x0) + half_line, 4) + 2;
  shape.top = shift_down ((y0 < y1 ? y0 : y1) - half_line, 4) - 2;
  shape.bottom = shift_down ((y0 < y1 ? y1 : y0) + half_line, 4) + 2;
  draw (frame, colour, &shape);
}

void
ref_overlay_line (const RefOverlay * frame, const RefOverlayColour * colour,
    double line_width, double x0, double y0, double x1, double y1)
{
  double dx = x1 - x0, dy = y1 - y0;
  unsigned n;

  if (!(fabs (x0) <= 60000 && fabs (y0) <= 60000 && fabs (x1) <= 60000
          && fabs (y1) <= 60000))
    return;
  n = 1 + sqrt (dx * dx + dy * dy) / 1000;
  /* Draws the first part of the line last, on top of the other parts. */
  for (unsigned i = n; i > 0; i--)
    draw_part (frame, colour, line_width, i == 1 ? x0 : x0 + dx * (i - 1) / n,
        i == 1 ? y0 : y0 + dy * (i - 1) / n, x0 + dx * i / n, y0 + dy * i / n);
}

/* Returns the coverage of pixel @i by the interval from @first to @last, in units of 1/16 pixel. */
static int64_t
overlap (int i, int64_t first, int64_t last)
{
  int64_t begin = 16 * i > first ? 16 * i : first;
  int64_t end = 16 * i + 16 < last ? 16 * i + 16 : last;

  return end > begin ? end - begin : 0;
}

static int
cover_box (const Shape * s, int x, int y)
{
  return limit (overlap (x, s->x0, s->x1) * overlap (y, s->y0, s->y1), 0, 255);
}

void
ref_overlay_box (const RefOverlay * frame, const RefOverlayColour * colour,
    int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
  const Shape shape = {
    .cover = cover_box,.x0 = x0,.y0 = y0,.x1 = x1,.y1 = y1,
    .left = shift_down (x0, 4),.top = shift_down (y0, 4),
    .right = shift_down (x1, 4),.bottom = shift_down (y1, 4)
  };

  draw (frame, colour, &shape);
}

void
ref_overlay_region (const RefOverlay * frame, const RefOverlayColour * colour,
    double line_width, int64_t x, int64_t y, int64_t width, int64_t height)
{
  int64_t line = floor (line_width * 16 + 0.5);
  int64_t x0 = 16 * x, y0 = 16 * y, x1 = 16 * (x + width), y1 =
      16 * (y + height);
  int64_t top = limit (y0 + line, y0, y1), bottom = limit (y1 - line, top, y1);
  int64_t left = limit (x0 + line, x0, x1), right = limit (x1 - line, left, x1);

  ref_overlay_box (frame, colour, right, top, x1, bottom);
  ref_overlay_box (frame, colour, x0, top, left, bottom);
  ref_overlay_box (frame, colour, x0, bottom, x1, y1);
  ref_overlay_box (frame, colour, x0, y0, x1, top);
}

static int
cover_image (const Shape * s, int x, int y)
{
  if (x < s->x0 || x >= s->x1 || y < s->y0 || y >= s->y1)
    return 0;
  return s->image[(y - s->y0) * (s->x1 - s->x0) + x - s->x0];
}

void
ref_overlay_image (const RefOverlay * frame, const RefOverlayColour * colour,
    int x, int y, int width, int height, const uint8_t * coverage)
{
  const Shape shape = {
    .cover = cover_image,.x0 = x,.y0 = y,.x1 = x + width,.y1 = y + height,
    .image = coverage,
    .left = x,.top = y,.right = x + width,.bottom = y + height
  };

  draw (frame, colour, &shape);
}
