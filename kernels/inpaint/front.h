/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the priorities of pixels on the fill front, which is the border of the unknown part.
 * The pixel with the highest priority is the next target: the patch around it is filled next. */
#ifndef INPAINT_FRONT_H
#define INPAINT_FRONT_H

#include "inpaint/inpaint.h"
#include "base/pixels.h"

/* Confidence of a pixel that was known from the beginning: 1.0, in units of 1/65536. */
#define KNOWN 65536u

/* Stored priority of a pixel that is not on the fill front. Pixels on the front store their
 * priority plus 1. */
#define NO_PRIORITY 0u

typedef struct
{
  global word *work;
  global uchar *grey;
  global uchar *unknown;      /* for each pixel, 1 if it is still unknown */
  global uint *confidence;    /* confidence of the pixel in units of 1/65536; 0 if it is unknown */
  /* squared length of the gradient at each pixel; 0 next to unknown pixels */
  global uint *gradient;
  global uint *priority;
  global int *origin;         /* pixel from which a filled pixel was copied, or -1 */
  global int *filler;         /* target whose patch filled the pixel, or -1 */
  int plane, width, height, radius;
} Frame;

/* Returns the index of the pixel of the frame that is nearest to (x, y). */
static int
find_nearest (const Frame * f, int x, int y)
{
  return min (max (y, 0), f->height - 1) * f->width
      + min (max (x, 0), f->width - 1);
}

/* Returns 1 if (x, y) is an unknown pixel of the frame. The function and its callers have no
 * branches. This allows GPUs to start several reads without waiting for the first. */
static int
is_unknown_inside (const Frame * f, int x, int y)
{
  int inside = (x >= 0) & (y >= 0) & (x < f->width) & (y < f->height);

  return inside & f->unknown[find_nearest (f, x, y)];
}

static int
is_known (const Frame * f, int x, int y)
{
  int inside = (x >= 0) & (y >= 0) & (x < f->width) & (y < f->height);

  return inside & !f->unknown[find_nearest (f, x, y)];
}

/* Returns the gradient at a pixel of the frame, or 0 if a neighbor is unknown. */
static int2
find_gradient (const Frame * f, int x, int y)
{
  int inside = (x > 0) & (y > 0) & (x + 1 < f->width) & (y + 1 < f->height);
  int i = y * f->width + x, row = inside ? f->width : 0;
  int is_unknown = f->unknown[i - inside] | f->unknown[i + inside]
      | f->unknown[i - row] | f->unknown[i + row];
  int2 g = (int2) ((int) f->grey[i + inside] - (int) f->grey[i - inside],
      (int) f->grey[i + row] - (int) f->grey[i - row]);

  return is_unknown ? (int2) (0) : g;
}

static uint
find_length (const Frame * f, int x, int y)
{
  int2 g = find_gradient (f, x, y);

  return (uint) (g.x * g.x + g.y * g.y);
}

/* Returns the part of the square around (x, y) that lies in the frame. */
static int4
find_square (const Frame * f, int x, int y, int radius)
{
  return (int4) (max (x - radius, 0), max (y - radius, 0),
      min (x + radius + 1, f->width), min (y + radius + 1, f->height));
}

/* Returns 1 if a pixel of the frame is on the fill front, the border of the unknown part. */
static int
is_front (const Frame * f, int x, int y)
{
#if LANES == 16
  /* Returns early, because most pixels are known. */
  if (!f->unknown[y * f->width + x])
    return 0;
#endif
  return is_unknown_inside (f, x, y)
      & (is_known (f, x - 1, y) | is_known (f, x + 1, y)
      | is_known (f, x, y - 1) | is_known (f, x, y + 1));
}

/* STEEPNESS combines two numbers into one: the squared length of a gradient in the upper bits,
 * and the index of its pixel in the patch in the lower bits. The maximum of such numbers belongs
 * to the longest gradient and, if several are equally long, to the first of them. */
#define MAX_ORDER 2047u
#define STEEPNESS(length, order) ((length) << 11 | (MAX_ORDER - (order)))
#define ORDER(steepness) (MAX_ORDER - ((steepness) & MAX_ORDER))

/* Returns the data term of the priority, at least 1. It measures how strong the edge in the
 * image is that meets the fill front at (x, y). The edge is perpendicular to the gradient at the
 * pixel with the index @at. */
static uint
find_data (const Frame * f, int x, int y, int at)
{
  int nx = is_unknown_inside (f, x + 1, y) - is_unknown_inside (f, x - 1, y);
  int ny = is_unknown_inside (f, x, y + 1) - is_unknown_inside (f, x, y - 1);
  int2 g = find_gradient (f, at % f->width, at / f->width);
  uint data = abs (g.x * ny - g.y * nx)
      * (nx != 0 && ny != 0 ? 23170u : 32768u) >> 15;

  return max (data, 1u);
}

/* Returns the priority of a pixel of the fill front. The other parameters describe the patch
 * around this pixel: the sum of the confidences of its pixels, its area, and its largest
 * STEEPNESS. */
static uint
find_priority (const Frame * f, int x, int y, uint confidence, uint area,
    uint steepest)
{
  int size = 2 * f->radius + 1, order = (int) ORDER (steepest);
  int at = (y + order / size - f->radius) * f->width + x + order % size
      - f->radius;

  /* Uses pixel (x, y) itself if the patch has no gradient. The result is the same for all
   * pixels. */
  if (steepest <= MAX_ORDER)
    at = y * f->width + x;
  return confidence / area * find_data (f, x, y, at) + 1;
}

/* Adds up the confidence and finds the largest steepness (see STEEPNESS) in every step-th row of
 * the patch around (x, y), starting at row @first. */
static void
look_at_rows (const Frame * f, int x, int y, int first, int step,
    uint * confidence, uint * steepest)
{
  int4 patch = find_square (f, x, y, f->radius);
  int size = 2 * f->radius + 1, u, v;
  uint sum = 0, most = 0;

  for (v = patch.s1 + first; v < patch.s3; v += step) {
    for (u = patch.s0; u < patch.s2; u++) {
      int i = v * f->width + u;
      uint order = (uint) ((v - y + f->radius) * size + u - x + f->radius);

      sum += f->confidence[i];
      most = max (most, STEEPNESS (f->gradient[i], order));
    }
  }
  *confidence = sum;
  *steepest = most;
}

static uint
find_area (const Frame * f, int x, int y)
{
  int4 patch = find_square (f, x, y, f->radius);

  return (uint) ((patch.s2 - patch.s0) * (patch.s3 - patch.s1));
}

static void
update_priority (const Frame * f, int x, int y)
{
  uint confidence, steepest;

  f->priority[y * f->width + x] = NO_PRIORITY;
  if (!is_front (f, x, y))
    return;
  look_at_rows (f, x, y, 0, 1, &confidence, &steepest);
  f->priority[y * f->width + x] = find_priority (f, x, y, confidence,
      find_area (f, x, y), steepest);
}

#define FRAME { work, grey, unknown, confidence, gradient, priority, origin, \
    filler, plane, width, height, radius }
#define FRAME_ARGUMENTS global word * work, global uchar * grey, \
    global uchar * unknown, global uint * confidence, \
    global uint * gradient, global uint * priority, global int *origin, \
    global int *filler, int plane, int width, int height, int radius

/* ---- Segments ---------------------------------------------------------------
 *
 * A segment consists of SEGMENT adjacent pixels of a row of a lane, which is a box of the frame
 * that one work-group fills. The key of a segment is the key of its first pixel of highest
 * priority. The upper half of a key is the complement of the priority; the smallest key
 * therefore has the highest priority. */

#define NO_TARGET(key) ((uint) ((key) >> 32) == ~NO_PRIORITY)

static int
count_segments (int4 lane)
{
  return (lane.s2 - lane.s0 + SEGMENT - 1) / SEGMENT;
}

/* Updates the key of segment n of row y. A key combines the highest priority in the segment and
 * the index of the first pixel that has it. The array @segments contains the keys of the lane's
 * segments. */
static void
update_segment (const Frame * f, int4 lane, global ulong * segments, int n,
    int y)
{
  int x0 = lane.s0 + n * SEGMENT, x1 = min (x0 + SEGMENT, lane.s2), x;
  global const uint *row = f->priority + y * f->width;
  uint highest = NO_PRIORITY;
  int at = x0;

#if LANES == 16
  if (x1 - x0 == SEGMENT) {
    uint16 v = LOAD_LOOSE (loose_uint16, row + x0);
    uint8 a = max (v.lo, v.hi);
    uint4 b = max (a.lo, a.hi);

    highest = max (max (b.x, b.y), max (b.z, b.w));
    for (x = x0; row[x] != highest; x++);
    at = x;
  } else
#endif
    /* Always processes SEGMENT pixels, to allow the compiler to unroll the loop. If the segment
     * is shorter, processes its last pixel several times. */
    for (x = 0; x < SEGMENT; x++) {
      int here = min (x0 + x, x1 - 1);
      uint priority = row[here];

      at = priority > highest ? here : at;
      highest = max (priority, highest);
    }
  segments[(y - lane.s1) * count_segments (lane) + n] =
      (ulong) ~highest << 32 | (uint) (y * f->width + at);
}

#endif
