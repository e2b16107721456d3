/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws keypoints, boxes and text on a frame, in place. The algorithm is described in
 * docs/algorithms/overlay.md.
 *
 * The frame is divided into tiles, each with a list of the shapes that touch it. A work-item
 * loads LANES columns of two rows of a tile, and the chroma samples of these pixels. It draws
 * the shapes of the tile on them, from the bottom shape to the top shape, and stores them. */

#include "overlay/part.h"

#define PARTS (TILE_WIDTH / LANES)
#define ITEMS (PARTS * TILE_HEIGHT / 2)

#define loose_texts MATH_JOIN (loose_uchar, LANES)

#if LANES == 16
#define LANE_NUMBERS (intn) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#else
#define LANE_NUMBERS (intn) (0, 1, 2, 3)
#endif

/* Returns the part of each pixel that a disc covers, from 0 (nothing) to 255 (all). @square is
 * the squared distance of the pixel from the center of the disc; @inverse is 1 / @radius. */
static intn
disc (intn square, int radius, int inverse)
{
  intn inside = clamp (radius * radius - square, (intn) (-UNIT * radius),
      (intn) (UNIT * radius));

  return min ((inside * inverse + (128 << INVERSE_BITS)) >> INVERSE_BITS,
      (intn) (255));
}

/* Returns the parts of pixels x to x + LANES - 1 of row y that a shape covers, from 0 (nothing)
 * to 255 (all). */
static intn
cover (global const int *shape, global const uchar * texts, int x, int y)
{
  global const int *data = shape + SHAPE_DATA;
  intn column = (LANE_NUMBERS + x) * UNIT;
  int row = y * UNIT;

  if (shape[SHAPE_KIND] == KIND_KEYPOINT) {
    intn dx = column - data[0];
    int dy = row - data[1];
    intn square = dx * dx + dy * dy;
    intn ring = disc (square, data[2], data[4]);
    intn along = dx * data[6] + dy * data[7] - (data[8] << DIRECTION_BITS);
    intn across = dx * data[7] - dy * data[6];
    intn bar = min ((data[8] + UNIT / 2) * (1 << DIRECTION_BITS)
        - max (along, -along),
        (data[9] + UNIT / 2) * (1 << DIRECTION_BITS) - max (across, -across));

    if (data[3] > 0)
      ring -= disc (square, data[3], data[5]);
    bar = min (max (bar, (intn) (0)) >> (DIRECTION_BITS - 4), (intn) (255));
    return max (ring, bar);
  }
  if (shape[SHAPE_KIND] == KIND_BOX) {
    intn width = min (column + UNIT, (intn) (data[2]))
        - max (column, (intn) (data[0]));
    int height = min (row + UNIT, data[3]) - max (row, data[1]);

    return min (clamp (width, (intn) (0), (intn) (UNIT))
        * clamp (height, 0, UNIT), (intn) (255));
  }
  /* Compares only rows. Columns need no comparison: the bitmap of a text begins and ends at the
   * edges of tiles, so that no vector of a tile extends past a row of the bitmap. */
  if (y < data[1] || y >= data[2])
    return 0;
  return convert_intn (LOAD_LOOSE (loose_texts, texts + data[3]
          + (y - data[1]) * data[4] + x - data[0]));
}

/* Blends the value @v with the color @c. The opacity @a is from 0 to 65536. */
#define BLEND(v, c, a) \
    (((v) * (65536u - (a)) + (uint) (c) * (a) + 32768u) >> 16)

/* Draws on a sample with the value @v. If no shape covers the sample, the whole word stays
 * unchanged, including its unused low bits. */
#if SHIFT == 0
#define DRAW(type, v, c, a) (v) = BLEND (v, c, a)
#else
#define DRAW(type, v, c, a) \
    (v) = select (BLEND ((v) >> (type) (SHIFT), c, a) << (type) (SHIFT), v, \
        (a) == 0)
#endif

/* Computes the opacity, from 0 to 65536, for drawing a shape on a pixel. The shape covers k /
 * 255 of the pixel, and its color has the given opacity, from 0 to 256. */
#define OPACITY(k, opacity) (((k) + ((k) >> 7)) * (opacity))

/* Computes the mean coverage of the pixels that share a chroma sample. @sum is the sum of the
 * coverages of these 2^MEAN_BITS pixels; the result is rounded. */
#define MEAN_BITS (CHROMA_WIDTH + CHROMA_HEIGHT - 2)
#define MEAN(sum) (((sum) + ((1 << MEAN_BITS) >> 1)) >> MEAN_BITS)

#if CHROMA_WIDTH == 2
#define ACROSS(k) ((k).even + (k).odd)
#else
#define ACROSS(k) (k)
#endif

/* Searches a tile's list of shapes, starting at the given entry. Returns the first entry whose
 * shape covers row y or y + 1, or -1 if there is none. */
static int
find_entry (global const int *plan, int entry, int y)
{
  global const int *entries = plan + plan[PLAN_ENTRIES];

  while (entry >= 0) {
    global const int *shape =
        plan + PLAN_SHAPES + SHAPE_SIZE * entries[2 * entry];

    if (y + 1 >= shape[SHAPE_FIRST_ROW] && y <= shape[SHAPE_LAST_ROW])
      break;
    entry = entries[2 * entry + 1];
  }
  return entry;
}

static void
draw_shape (global const int *plan, global const int *shape, int x, int y,
    Part * part)
{
  global const int *colour = plan + PLAN_COLOUR (shape[SHAPE_COLOUR]);
  global const uchar *texts =
      (global const uchar *) (plan + plan[PLAN_TEXTS]);
  intn k[2];

#pragma unroll
  for (int i = 0; i < 2; i++) {
    uintn a;

    k[i] = cover (shape, texts, x, y + i);
    a = as_uintn (OPACITY (k[i], colour[3]));
    DRAW (uintn, part->luma[i], colour[0], a);
  }
  if (plan[PLAN_COMPONENTS] == 1)
    return;
#pragma unroll
  for (int i = 0; i < CHROMA_ROWS; i++) {
    intc mean = MEAN (CHROMA_HEIGHT == 2 ? ACROSS (k[0]) + ACROSS (k[1])
        : ACROSS (k[i]));
    uintc a = as_uintc (OPACITY (mean, colour[3]));

    DRAW (uintc, part->chroma[0][i], colour[1], a);
    DRAW (uintc, part->chroma[1][i], colour[2], a);
  }
}

kernel void
overlay_draw (global uchar * frame, global const int *plan, int n_tiles)
{
  int item = get_global_id (0);
  global const int *tile = plan + plan[PLAN_TILES] + 3 * (item / ITEMS);
  global const int *entries = plan + plan[PLAN_ENTRIES];
  int x, y, n, rows, entry;
  bool packed;
  Part part;

  if (item / ITEMS >= n_tiles)
    return;
  x = tile[0] + item % PARTS * LANES;
  y = tile[1] + item / PARTS % (TILE_HEIGHT / 2) * 2;
  n = plan[PLAN_WIDTH] - x;
  rows = min (plan[PLAN_HEIGHT] - y, 2);
  entry = find_entry (plan, tile[2], y);
  if (n <= 0 || rows <= 0 || entry < 0)
    return;

  packed = PACKED && n >= LANES && plan[PLAN_PIXELS] >= 0;
#if PACKED
  if (packed)
    load_packed (frame, plan, x, y, rows, &part);
#endif
  if (!packed)
    load_part (frame, plan, x, y, rows, n, &part);

  for (; entry >= 0; entry = find_entry (plan, entries[2 * entry + 1], y))
    draw_shape (plan, plan + PLAN_SHAPES + SHAPE_SIZE * entries[2 * entry], x,
        y, &part);

#if PACKED
  if (packed)
    store_packed (frame, plan, x, y, rows, &part);
#endif
  if (!packed)
    store_part (frame, plan, x, y, rows, n, &part);
}
