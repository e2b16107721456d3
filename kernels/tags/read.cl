/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Moves the sides of each quad to the edges, and reads its tag: compares the values of its cells with
 * the codes of all families. */

/* Number of work-items that process a quad or a tag, a power of two */
#ifndef WIDE
#define WIDE 1
#endif
#undef GROUP
#define GROUP WIDE

#include "tags/edges.h"

#define MAX_CELLS (TAGS_MAX_WIDTH * TAGS_MAX_WIDTH)

/* The planes fitted to the values of both rings of cells along the border */
typedef struct
{
  float planes[2][3];           /* of the black and of the white cells: the plane's slopes along
                                 * x and y, per half cell, and its value at the center of the tag */
  int errors;                   /* number of wrong cells */
} Rings;

/* Data that the work-items of a quad share. Values of cells are in units of 2^-12, row by row. */
typedef struct
{
  Homography h;
  Rings rings;
  TagsRead read;
  float shortest;               /* length of the shortest side */
  int ox, oy;
  float values[MAX_CELLS], sharp[MAX_CELLS];
  long parts[2 * 4 * PARTS];    /* partial sums of both rings */
  int codes[2 * 4];             /* low and high bits of the code in each orientation */
  int key;
} Cells;

/* Returns the value of cell (x, y) of a grid. @n: width of the border square, in cells; @is_fine:
 * whether the value is the mean of 3 x 3 samples, otherwise a single sample */
static float
sample_cell (Frame frame, SHARED const Homography * near, int ox, int oy, int n, int x,
    int y, bool is_fine)
{
  float step = reciprocal (convert_float_rte (n));
  int sum = 0, reach = is_fine ? 1 : 0;
  Homography h = *near;

  for (int j = -reach; j <= reach; j++)
    for (int i = -reach; i <= reach; i++) {
      float u = (convert_float_rte (x) + 0.5f + 0.22f * i) * step - 0.5f;
      float v = (convert_float_rte (y) + 0.5f + 0.22f * j) * step - 0.5f;
      float2 p = project (&h, u, v);

      sum += sample_at (frame, place_sample (p.x, ox), place_sample (p.y, oy));
    }
  return convert_float_rte (is_fine ? sum / 9 : sum);
}

/* Returns the grid index of cell i of a ring of 8 n cells, which are the cells of the border and
 * the cells around it. *x, *y: set to twice its position relative to the center, in cells */
static int
find_ring_cell (int i, int n, int offset, int width, int *x, int *y)
{
  int is_outside = i >= 4 * n, along = i % n, side = i / n & 3;
  int first = is_outside ? -1 : 0, last = is_outside ? n : n - 1;
  int u = side == 0 || side == 2 ? along : side == 1 ? last : first;
  int v = side == 1 || side == 3 ? along : side == 2 ? last : first;

  *x = 2 * u + 1 - n;
  *y = 2 * v + 1 - n;
  return (v + offset) * width + u + offset;
}

/* Adds up every PARTS-th value of a ring of cells, starting with value @part: the values, the
 * values times x, the values times y, and x times x. */
static void
sum_ring (SHARED const float *values, int first, int n, int offset, int width,
    int part, SHARED long *sums)
{
  long sum = 0, sum_x = 0, sum_y = 0;
  int squares = 0;

  for (int i = first + part; i < first + 4 * n; i += PARTS) {
    int x, y, at = find_ring_cell (i, n, offset, width, &x, &y);
    int v = convert_int_rte (values[at]);

    sum += v;
    sum_x += v * x;
    sum_y += v * y;
    squares += x * x;
  }
  sums[part] = sum;
  sums[PARTS + part] = sum_x;
  sums[2 * PARTS + part] = sum_y;
  sums[3 * PARTS + part] = squares;
}

/* Finds the plane through the values of a ring of 4 n cells. The positions are symmetric, so the
 * sums of their products are 0, and those of x x and y y are equal. */
static void
fit_plane (SHARED const long *parts, int n, SHARED float *plane)
{
  long sums[4] = { 0, 0, 0, 0 };
  float r;

  for (int i = 0; i < 4 * PARTS; i++)
    sums[i / PARTS] += parts[i];
  r = reciprocal (convert_float_rte (sums[3]));
  plane[0] = convert_float_rte (sums[1]) * r;
  plane[1] = convert_float_rte (sums[2]) * r;
  plane[2] = convert_float_rte (sums[0]) * reciprocal (convert_float_rte (4 * n));
}

/* Returns the value of the threshold at (x, y), in half cells from the center. */
static float
threshold_at (SHARED const Rings * rings, int x, int y)
{
  float u = convert_float_rte (x), v = convert_float_rte (y);
  float black = rings->planes[0][0] * u + rings->planes[0][1] * v
      + rings->planes[0][2];
  float white = rings->planes[1][0] * u + rings->planes[1][1] * v
      + rings->planes[1][2];

  return 0.5f * (white + black);
}

/* Returns whether cell @i of the two rings of cells, the border and the margin around it, is on the
 * wrong side of the threshold. @is_white: whether the border is white and the margin black */
static bool
is_wrong (SHARED const float *values, int i, int n, int offset, int width,
    bool is_white, SHARED const Rings * rings)
{
  int x, y, at = find_ring_cell (i, n, offset, width, &x, &y);
  bool is_bright = values[at] > threshold_at (rings, x, y);

  return is_bright != (is_white == (i < 4 * n));
}

/* Returns the value of a cell less its threshold, sharpened by 1/4 of the Laplacian. */
static float
sharpen_cell (SHARED const float *values, int width, int x, int y)
{
  float c = values[y * width + x];
  float left = x > 0 ? values[y * width + x - 1] : c;
  float right = x < width - 1 ? values[y * width + x + 1] : c;
  float up = y > 0 ? values[(y - 1) * width + x] : c;
  float down = y < width - 1 ? values[(y + 1) * width + x] : c;

  return c + 0.25f * (4.0f * c - (left + right + (up + down)));
}

/* Returns bit @i of the code that is read if the tag is rotated clockwise by @turn * 90 degrees. */
static int
find_bit (SHARED const float *sharp, const global TagsFamily * family,
    const global int *cells, int offset, int width, int turn, int i,
    bool is_inverted)
{
  int x = cells[family->first_cell + 2 * i];
  int y = cells[family->first_cell + 2 * i + 1];

  for (int k = 0; k < turn; k++) {
    int t = x;

    x = family->border - 1 - y;
    y = t;
  }
  return (sharp[(y + offset) * width + x + offset] > 0.0f) != is_inverted;
}

/* Computes the mean distances of the black and of the white bits from the threshold, in units of
 * 1/256 of half of the contrast. Returns the smaller one. */
static int
find_margin (SHARED const float *sharp, const global TagsFamily * family,
    const global int *cells, int offset, int width, float contrast)
{
  float sums[2] = { 0.0f, 0.0f };
  int n[2] = { 1, 1 };

  cells += family->first_cell;
  for (int i = 0; i < family->n_bits; i++) {
    float v = sharp[(cells[2 * i + 1] + offset) * width + cells[2 * i] + offset];
    int k = v > 0.0f;

    sums[k] = sums[k] + absolute (v);
    n[k]++;
  }
  return to_int (512.0f * min (sums[0] * reciprocal (convert_float_rte (n[0])),
          sums[1] * reciprocal (convert_float_rte (n[1])))
      * reciprocal (max (contrast, 1.0f)));
}

/* A key that combines the number of wrong bits, the orientation and the id; the smallest key is the
 * best */
#define NO_KEY 0x7fffffff

/* Compares every GROUP-th code of a family with the codes in all orientations. Returns: the best
 * key */
static int
find_best (SHARED const int *codes_read, const global TagsFamily * family,
    const global TagsCode * codes, bool exists)
{
  int best = NO_KEY, n = exists ? family->n_codes : 0;
  TagsCode read[4];

  for (int turn = 0; turn < 4; turn++)
    read[turn] = (TagsCode) (uint) codes_read[2 * turn]
        | (TagsCode) (uint) codes_read[2 * turn + 1] << 32;
  codes += family->first_code;
  for (int i = LOCAL_ID; i < n; i += GROUP)
    for (int turn = 0; turn < 4; turn++) {
      int wrong = popcount (read[turn] ^ codes[i]);

      best = min (best, wrong << 20 | turn << 18 | i);
    }
  return best;
}

/* Keeps the best of the tags that the work-items found, if it counts and is better than the tag
 * that was read before. */
static void
keep_best (SHARED Cells * cells, const global TagsFamily * family, int number,
    const global int *places, int offset, int width, bool is_inverted,
    float contrast, bool ok)
{
  int key = cells->key, wrong = key >> 20;

  ok = ok && wrong <= TAGS_MAX_HAMMING && cells->rings.errors
      <= family->most_errors[min (wrong, TAGS_MAX_HAMMING)];
  if (!ok || (cells->read.family >= 0 && wrong >= cells->read.hamming))
    return;
  cells->read.family = number;
  cells->read.id = key & 0x3ffff;
  cells->read.turn = key >> 18 & 3;
  cells->read.hamming = wrong;
  cells->read.ring_errors = cells->rings.errors;
  cells->read.is_inverted = is_inverted;
  cells->read.margin = find_margin (cells->sharp, family, places, offset, width,
      contrast);
  cells->read.contrast = to_int (contrast * 0.00390625f);
}

/* Reads the tag of a family in a quad, and keeps it if it is better than the tag that was read
 * before. */
static __attribute__ ((always_inline)) void
read_family (Frame frame, bool is_white, int polarity,
    const global TagsFamily * families, int number,
    const global int *places, const global TagsCode * codes,
    bool exists, SHARED Cells * cells)
{
  const global TagsFamily *family = families + number;
  int n = family->border, width = max (family->width, n + 2);
  int offset = (width - n) / 2;
  bool is_inverted = is_white != (family->is_white != 0);
  bool is_tried = exists
      && polarity & (is_inverted ? TAGS_IS_INVERTED : TAGS_IS_NORMAL);
  float contrast;
  bool ok;

  LEAVE_UNLESS (is_tried);
  for (int i = LOCAL_ID; i < width * width; i += GROUP)
    cells->values[i] = is_tried ? sample_cell (frame, &cells->h, cells->ox,
        cells->oy, n, i % width - offset, i / width - offset,
        cells->shortest > 4.0f * n) : 0.0f;
  SYNC
  for (int i = LOCAL_ID; i < 8; i += GROUP)
    cells->codes[i] = 0;
  if (LOCAL_ID == 0) {
    cells->rings.errors = 0;
    cells->key = NO_KEY;
  }
  for (int i = LOCAL_ID; i < 2 * PARTS; i += GROUP)
    sum_ring (cells->values, (i / PARTS == 1) == is_white ? 0 : 4 * n, n, offset,
        width, i % PARTS, cells->parts + i / PARTS * 4 * PARTS);
  SYNC
  for (int i = LOCAL_ID; i < 2; i += GROUP)
    fit_plane (cells->parts + i * 4 * PARTS, n, cells->rings.planes[i]);
  SYNC
  for (int i = LOCAL_ID; i < 8 * n; i += GROUP)
    if (is_wrong (cells->values, i, n, offset, width, is_white, &cells->rings))
      ADD_SHARED (&cells->rings.errors, 1);
  SYNC
  contrast = cells->rings.planes[1][2] - cells->rings.planes[0][2];
  ok = is_tried && contrast >= 4.0f * 4096.0f
      && 5 * cells->rings.errors <= 8 * n;
  LEAVE_UNLESS (ok);
  for (int i = LOCAL_ID; i < width * width; i += GROUP)
    cells->values[i] = cells->values[i] - threshold_at (&cells->rings,
        2 * (i % width - offset) + 1 - n, 2 * (i / width - offset) + 1 - n);
  SYNC
  for (int i = LOCAL_ID; i < width * width; i += GROUP)
    cells->sharp[i] = sharpen_cell (cells->values, width, i % width, i / width);
  SYNC
  for (int i = LOCAL_ID; i < 4 * family->n_bits; i += GROUP) {
    int place = family->n_bits - 1 - i / 4;

    if (find_bit (cells->sharp, family, places, offset, width, i % 4, i / 4,
            is_inverted))
      OR_SHARED (&cells->codes[2 * (i % 4) + place / 32], 1 << place % 32);
  }
  SYNC
  MIN_SHARED (&cells->key, find_best (cells->codes, family, codes, ok));
  SYNC
  if (LOCAL_ID == 0)
    keep_best (cells, family, number, places, offset, width, is_inverted,
        contrast, ok);
  SYNC
}

/* Reads a quad whose sides have been moved to the edges. */
static __attribute__ ((always_inline)) void
read_quad (Frame frame, const global TagsFamily * families, int n_families,
    const global int *places, const global TagsCode * codes,
    int polarity, float least, bool is_white, bool exists,
    global TagsRead * to, SHARED Cells * cells)
{
  if (LOCAL_ID == 0 && exists) {
    float2 q[4];
    int ox, oy;

    cells->read = *to;
    load_corners (to->corners, q, &ox, &oy);
    cells->ox = ox;
    cells->oy = oy;
    cells->h = find_homography (q);
    cells->shortest = min (min (length_of (q[0], q[1]), length_of (q[1], q[2])),
        min (length_of (q[2], q[3]), length_of (q[3], q[0])));
  }
  SYNC
  exists = exists && cells->read.family != TAGS_KNOWN
      && cells->shortest >= least;
  LEAVE_UNLESS (exists);
  for (int i = 0; i < n_families; i++)
    read_family (frame, is_white, polarity, families, i, places, codes, exists,
        cells);
  if (LOCAL_ID == 0 && exists && cells->read.family >= 0) {
    TagsRead read = cells->read;

    for (int i = 0; i < 8; i++)
      read.corners[i] = cells->read.corners[(i + 2 * read.turn) & 7];
    *to = read;
  }
  SYNC
}

kernel void
tags_read (const global uchar * restrict pixels, int offset, int stride,
    int width, int height, const global TagsMap * restrict pictures, int refine,
    const global TagsFamily * restrict families, int n_families,
    const global int *restrict places, const global TagsCode * restrict codes,
    int polarity, float least, const global int *restrict state,
    const global int *restrict list, const global TagsQuad * restrict quads,
    global TagsRead * restrict reads)
{
  const Frame frame = { pixels + offset, stride, width, height };
  int n = state[TAGS_N_QUADS];
  SHARED Edges edges;
  SHARED Cells cells;

#if GROUP == 1
  FOR_EACH (i, n) {
    move_quad (frame, pictures, refine > 0, list, quads, i, true, reads + i,
        &edges);
    read_quad (frame, families, n_families, places, codes, polarity, least,
        quads[list[i]].is_white, true, reads + i, &cells);
  }
#else
  int i = GROUP_ID;
  bool exists = i < n;

  LEAVE_UNLESS (exists);
  move_quad (frame, pictures, refine > 0, list, quads, i, exists, reads + i,
      &edges);
  read_quad (frame, families, n_families, places, codes, polarity, least,
      exists ? quads[list[i]].is_white != 0 : false, exists, reads + i,
      &cells);
#endif
}
