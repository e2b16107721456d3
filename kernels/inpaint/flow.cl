/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Sets up the membrane equation that inpaint/seam.cl solves, and adds the solution to the frame.
 * The equation either removes the seams of a filled frame, or fills the hole with a smooth
 * surface. Work-item (i, j) processes every get_global_size (0)-th column of row j of the box
 * around the hole, starting at column i. */
#include "inpaint/seam.h"

/* Arguments that describe the filled frame:
 * @samples: the values of all pixels of the frame if @blended is set, otherwise only of the known
 *   pixels
 * @beside: used if @blended is set: four arrays of the size of the box, one for each side. They
 *   contain, for each pixel of the box, the value of the pixel left of, above, right of or below
 *   its origin (the pixel from which it is copied), or -1 if there is none.
 * @agreed: for each pixel of the box, 1 if the patches that cover it have the same value; not
 *   used if the membrane itself is the result
 * @shade, @shaded: if @shaded is set, @shade contains the shade of each pixel, in UNITS(), or
 *   NO_SHADE. @shaded and @blended are never both set.
 * @x0, @y0, @columns, @rows: first pixel, in the frame, and size of the box of pixels to compute
 * @steepest: limit of the difference of neighbors, in samples of DEPTH bits */
#define PICTURE_ARGUMENTS global const int *samples, \
    global const int *object, global const int *origin, \
    global const int *beside, global const uchar * agreed, int blended, \
    global const int *shade, int shaded, \
    int width, int height, int x0, int y0, int columns, int rows, int depth, \
    int steepest
#define PICTURE samples, object, origin, beside, agreed, blended, shade, shaded, \
    width, height, x0, y0, columns, rows, depth, steepest

/* Returns 1 if the membrane may change a pixel of the frame. An unknown pixel may change if
 * patches have different values at it or at one of its 8 neighbors. */
static int
is_open (PICTURE_ARGUMENTS, int x, int y)
{
  int all = 1, u, v;

  if (object[y * width + x] == 0)
    return 0;
  x -= x0;
  y -= y0;
  for (v = max (y - 1, 0); v < min (y + 2, rows); v++)
    for (u = max (x - 1, 0); u < min (x + 2, columns); u++)
      all &= agreed[v * columns + u];
  return !all;
}

static int
get_shade (PICTURE_ARGUMENTS, int i)
{
  return shaded ? shade[i] : NO_SHADE;
}

/* Returns the value, in UNITS(), of pixel i as a copy of pixel @from. If pixel i has no shade,
 * the value is the sample of pixel @from. Otherwise it is the shade of pixel i plus the texture,
 * which is the sample of pixel @from minus the shade of pixel @from. A texture of at most one
 * sample step is a rounding error and counts as 0. */
static int
carry (PICTURE_ARGUMENTS, int from, int i)
{
  int value = UNITS (samples[from], depth);
  int here = get_shade (PICTURE, i), there, texture;

  if (here == NO_SHADE)
    return value;
  there = get_shade (PICTURE, from);
  texture = there == NO_SHADE ? 0 : value - there;
  return here + (abs_diff (texture, 0) > (uint) UNITS (1, depth) ? texture : 0);
}

/* Returns the value of pixel i in UNITS(). It is the sample of the pixel. Exception: if the
 * pixel is unknown and @blended is not set, it is the value of the pixel as a copy of its
 * origin. */
static int
get_value (PICTURE_ARGUMENTS, int i)
{
  return object[i] != 0 && !blended ? carry (PICTURE, origin[i], i)
      : UNITS (samples[i], depth);
}

/* Returns the jump at the seam on the given side of pixel i. It is the value of the neighbor of
 * pixel i on this side, minus the value of this neighbor as a copy of the corresponding
 * neighbor of the origin of pixel i. Returns 0 if the neighbor of the origin is not known.
 * Also returns 0 if pixel i has a shade and the neighbor of pixel i is not known. */
static int
find_seam (PICTURE_ARGUMENTS, int i, int side)
{
  int x = origin[i] % width + SIDE_X (side);
  int y = origin[i] / width + SIDE_Y (side);
  int next = i + SIDE_Y (side) * width + SIDE_X (side), seam;

  if (blended) {
    seam = beside[(side * rows + i / width - y0) * columns + i % width - x0];
    if (seam < 0)
      return 0;
    seam = UNITS (seam, depth);
  } else if (get_shade (PICTURE, i) != NO_SHADE) {
    /* Ignores the texture if pixel i has a shade. The membrane then continues only the
     * differences between the known pixels and their shades. */
    return object[next] != 0 ? 0 : clamp (TO_DEPTH (UNITS (samples[next],
                depth) - get_shade (PICTURE, next), depth), -steepest, steepest);
  } else {
    if (x < 0 || y < 0 || x >= width || y >= height
        || object[y * width + x] != 0)
      return 0;
    seam = carry (PICTURE, y * width + x, next);
  }
  seam = TO_DEPTH (get_value (PICTURE, next) - seam, depth);
  return clamp (seam, -steepest, steepest);
}

static int
find_flow (PICTURE_ARGUMENTS, int x, int y)
{
  int sum = 0, side;

  for (side = 0; side < 4; side++) {
    int u = x + SIDE_X (side), v = y + SIDE_Y (side), seam;

    if (u < 0 || v < 0 || u >= width || v >= height)
      continue;
    seam = find_seam (PICTURE, y * width + x, side);
    sum += is_open (PICTURE, u, v) ? seam - find_seam (PICTURE,
        v * width + u, side ^ 2) : 2 * seam;
  }
  return sum >> 1;
}

/* Returns the contribution of the known neighbors of pixel (x, y) to its element of @flow, if
 * the membrane itself is the result. It is the sum of the values of these neighbors minus their
 * shades. */
static int
find_edge (PICTURE_ARGUMENTS, int x, int y)
{
  int sum = 0, side;

  for (side = 0; side < 4; side++) {
    int u = x + SIDE_X (side), v = y + SIDE_Y (side), here;

    if (u < 0 || v < 0 || u >= width || v >= height
        || object[v * width + u] != 0)
      continue;
    here = get_shade (PICTURE, v * width + u);
    sum += TO_DEPTH (UNITS (samples[v * width + u], depth)
        - (here == NO_SHADE ? 0 : here), depth);
  }
  return sum;
}

/* Initializes level 0 for a color. For each cell, writes twice the copied value, in UNITS(), to
 * the array @given, plus 1 if the pixel has a shade. If @harmonic is set, the membrane itself is
 * the result. The copied value is then replaced by the shade of the pixel, or by 0 if it has
 * none. */
kernel void
seam_begin (PICTURE_ARGUMENTS, global uchar4 * weights, global int *flow,
    global int *lift, global int *given, int at, int harmonic)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int i = (y0 + y) * width + x0 + x, cell = y * columns + x;
    int here = get_shade (PICTURE, i);
    int is_free = harmonic ? object[i] != 0
        : is_open (PICTURE, x0 + x, y0 + y);

    weights[cell] = is_free ? (uchar4) (x0 + x > 0 ? ONE : 0,
        y0 + y > 0 ? ONE : 0, x0 + x < width - 1 ? ONE : 0,
        y0 + y < height - 1 ? ONE : 0) : (uchar4) 0;
    lift[at + cell] = 0;
    if (harmonic) {
      flow[at + cell] = is_free ? find_edge (PICTURE, x0 + x, y0 + y) : 0;
      given[at + cell] = here == NO_SHADE ? 0 : 2 * here + 1;
      continue;
    }
    flow[at + cell] = is_free ? find_flow (PICTURE, x0 + x, y0 + y) : 0;
    given[at + cell] = object[i] != 0
        ? 2 * get_value (PICTURE, i) + (here != NO_SHADE) : 0;
  }
}

/* Writes the final values of the unknown pixels. Values are clamped to the nominal range from
 * @lo to @hi. If the copied value is outside this range, the range is extended to include it.
 * Values with a shade are clamped to the range from 0 to @most. */
kernel void
seam_end (global int *samples, global const int *object, int width, int x0,
    int y0, int columns, int depth, int lo, int hi, int most,
    global const int *lift, global const int *given, int at)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int i = (y0 + y) * width + x0 + x, cell = at + y * columns + x;
    int from = given[cell] >> 1, copied = from >> MORE_BITS (depth);
    int is_shaded = given[cell] & 1;
    int value = (from + (lift[cell] << max (depth - DEPTH, 0))
        + (UNITS (1, depth) >> 1)) >> MORE_BITS (depth);

    if (object[i] != 0)
      samples[i] = clamp (value, is_shaded ? 0 : min (copied, lo),
          is_shaded ? most : max (copied, hi));
  }
}
