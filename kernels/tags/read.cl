/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads tags: moves the sides of each quad to the edges in the frame, and compares the values of
 * the cells with the codes of all families. */
#include "tags/edges.h"

#define MAX_CELLS (TAGS_MAX_WIDTH * TAGS_MAX_WIDTH)

/* Cells of a quad for a family: @width from edge to edge, the border's first one at (@offset,
 * @offset). Values are in units of 2^-12. */
typedef struct
{
  float values[MAX_CELLS], sharp[MAX_CELLS];
  TagsCode codes[4];
  int keys[GROUP];
} Cells;

/* The planes through the values of both rings of cells along the border */
typedef struct
{
  float white[3], black[3];     /* slopes, by half cells from the middle, and mean */
  float contrast;
  int errors;
} Rings;

/* Returns whether the corners of two quads lie within @limit, in any order of turns. */
static bool
is_same (const global TagsQuad * a, const global TagsQuad * b, int limit)
{
  bool is_any = false;

  for (int turn = 0; turn < 4; turn++) {
    bool ok = true;

    for (int i = 0; i < 8; i++) {
      int d = a->corners[i] - b->corners[(i + 2 * turn) & 7];

      ok = ok && d <= limit && d >= -limit;
    }
    is_any = is_any || ok;
  }
  return is_any && a->is_white == b->is_white;
}

/* Returns the value of cell (x, y) of a grid. @n: cells of the border; @is_fine: the mean of 3 x 3
 * samples, else one sample */
static float
sample_cell (Frame frame, const Homography * h, int ox, int oy, int n, int x,
    int y, bool is_fine)
{
  float step = reciprocal (convert_float_rte (n));
  int sum = 0, reach = is_fine ? 1 : 0;

  for (int j = -reach; j <= reach; j++)
    for (int i = -reach; i <= reach; i++) {
      float u = (convert_float_rte (x) + 0.5f + 0.22f * i) * step - 0.5f;
      float v = (convert_float_rte (y) + 0.5f + 0.22f * j) * step - 0.5f;
      float2 p = project (h, u, v);

      sum += sample_at (frame, place_sample (p.x, ox), place_sample (p.y, oy));
    }
  return convert_float_rte (is_fine ? sum / 9 : sum);
}

/* Returns the index in the grid of cell i of 8 n cells along the border: those of the border, and
 * those around it. *x, *y: twice its position from the middle, in cells */
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

/* Returns the plane through the values of a ring. The positions are symmetric, so the sums of their
 * products are 0. */
static void
fit_plane (SHARED const float *values, int first, int n, int offset, int width,
    float *plane)
{
  long sum = 0, sum_x = 0, sum_y = 0;
  int squares = 0;

  for (int i = first; i < first + 4 * n; i++) {
    int x, y, at = find_ring_cell (i, n, offset, width, &x, &y);
    int v = convert_int_rte (values[at]);

    sum += v;
    sum_x += v * x;
    sum_y += v * y;
    squares += x * x;
  }
  plane[0] = convert_float_rte (sum_x) * reciprocal (convert_float_rte (squares));
  plane[1] = convert_float_rte (sum_y) * reciprocal (convert_float_rte (squares));
  plane[2] = convert_float_rte (sum) * reciprocal (convert_float_rte (4 * n));
}

/* Returns the value of the threshold at (x, y), in half cells from the middle. */
static float
threshold_at (const Rings * rings, int x, int y)
{
  float u = convert_float_rte (x), v = convert_float_rte (y);
  float white = rings->white[0] * u + rings->white[1] * v + rings->white[2];
  float black = rings->black[0] * u + rings->black[1] * v + rings->black[2];

  return 0.5f * (white + black);
}

/* @is_white: whether the border is white, in a black margin */
static Rings
find_rings (SHARED const float *values, int n, int offset, int width,
    bool is_white)
{
  Rings rings;

  fit_plane (values, is_white ? 0 : 4 * n, n, offset, width, rings.white);
  fit_plane (values, is_white ? 4 * n : 0, n, offset, width, rings.black);
  rings.contrast = rings.white[2] - rings.black[2];
  rings.errors = 0;
  for (int i = 0; i < 8 * n; i++) {
    int x, y, at = find_ring_cell (i, n, offset, width, &x, &y);
    bool is_bright = values[at] > threshold_at (&rings, x, y);

    rings.errors += is_bright != (is_white == (i < 4 * n));
  }
  return rings;
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

/* Returns the code that the cells have for a tag that is turned by @turn quarters, clockwise. */
static TagsCode
find_code (SHARED const float *sharp, const global TagsFamily * family,
    const global int *restrict cells, int offset, int width, int turn,
    bool is_inverted)
{
  TagsCode code = 0;

  cells += family->first_cell;
  for (int i = 0; i < family->n_bits; i++) {
    int x = cells[2 * i], y = cells[2 * i + 1];

    for (int k = 0; k < turn; k++) {
      int t = x;

      x = family->border - 1 - y;
      y = t;
    }
    code = code << 1
        | ((sharp[(y + offset) * width + x + offset] > 0.0f) != is_inverted);
  }
  return code;
}

/* Returns the least of both mean distances of bits to the threshold, in units of 1/256 of half of
 * the contrast. */
static int
find_margin (SHARED const float *sharp, const global TagsFamily * family,
    const global int *restrict cells, int offset, int width, float contrast)
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

/* Wrong bits, turn and id in one number: the least is the best */
#define NO_KEY 0x7fffffff

/* Compares the codes of all turns with those of a family. Returns: the best key */
static __attribute__ ((always_inline)) int
find_best (SHARED Cells * cells, const global TagsFamily * family,
    const global TagsCode * restrict codes, bool exists)
{
  int best = NO_KEY, n = exists ? family->n_codes : 0;

  codes += family->first_code;
  for (int i = LOCAL_ID; i < n; i += GROUP)
    for (int turn = 0; turn < 4; turn++) {
      int wrong = popcount (cells->codes[turn] ^ codes[i]);

      best = min (best, wrong << 20 | turn << 18 | i);
    }
  cells->keys[LOCAL_ID] = best;
  SYNC
  for (int i = 0; i < GROUP; i++)
    best = min (best, cells->keys[i]);
  return best;
}

/* Reads the tag of a family in a quad, and writes it to @read if it is better than what is there. */
static __attribute__ ((always_inline)) void
read_family (Frame frame, const Homography * h, int ox, int oy, float least,
    bool is_white, int polarity, const global TagsFamily * families, int number,
    const global int *restrict places, const global TagsCode * restrict codes,
    bool exists, TagsRead * read, SHARED Cells * cells)
{
  const global TagsFamily *family = families + number;
  int n = family->border, width = max (family->width, n + 2);
  int offset = (width - n) / 2, key, wrong;
  bool is_inverted = is_white != (family->is_white != 0), ok;
  bool is_fine = least > 4.0f * n;
  Rings rings;

  ok = exists && polarity & (is_inverted ? TAGS_IS_INVERTED : TAGS_IS_NORMAL);
  STOP_UNLESS (ok)
  for (int i = LOCAL_ID; i < width * width; i += GROUP)
    if (ok)
      cells->values[i] = sample_cell (frame, h, ox, oy, n, i % width - offset,
          i / width - offset, is_fine);
  SYNC
  rings = find_rings (cells->values, n, offset, width, is_white);
  ok = ok && rings.contrast >= 4.0f * 4096.0f
      && 5 * rings.errors <= 8 * n;
  SYNC
  STOP_UNLESS (ok)
  for (int i = LOCAL_ID; i < width * width; i += GROUP) {
    int x = 2 * (i % width - offset) + 1 - n, y = 2 * (i / width - offset) + 1 - n;

    cells->values[i] = cells->values[i] - threshold_at (&rings, x, y);
  }
  SYNC
  for (int i = LOCAL_ID; i < width * width; i += GROUP)
    cells->sharp[i] = sharpen_cell (cells->values, width, i % width, i / width);
  SYNC
  for (int turn = LOCAL_ID; turn < 4; turn += GROUP)
    cells->codes[turn] = find_code (cells->sharp, family, places, offset, width,
        turn, is_inverted);
  SYNC
  key = find_best (cells, family, codes, ok);
  wrong = key >> 20;
  ok = ok && wrong <= TAGS_MAX_HAMMING && rings.errors
      <= family->most_errors[min (wrong, TAGS_MAX_HAMMING)];
  if (ok && (read->family < 0 || wrong < read->hamming)) {
    read->family = number;
    read->id = key & 0x3ffff;
    read->turn = key >> 18 & 3;
    read->hamming = wrong;
    read->ring_errors = rings.errors;
    read->is_inverted = is_inverted;
    read->margin = find_margin (cells->sharp, family, places, offset, width,
        rings.contrast);
    read->contrast = to_int (rings.contrast * 0.00390625f);
  }
  SYNC
}

/* What all quads are read with */
typedef struct
{
  Frame frame;
  const global TagsMap *pictures;
  const global TagsFamily *families;
  int n_families, polarity, refine;
  const global int *places;
  const global TagsCode *codes;
  float least;
} Reader;

static __attribute__ ((always_inline)) void
read_quad (const Reader * r, const global int *restrict list,
    const global TagsQuad * restrict quads, int number, bool exists,
    global TagsRead * to, SHARED Edges * edges, SHARED Cells * cells,
    SHARED int *is_known)
{
  const global TagsQuad *quad = quads + (exists ? list[number] : 0);
  int scale = r->pictures[exists ? quad->map : 0].scale, ox, oy;
  TagsRead read;
  float2 q[4];
  Homography h;
  float shortest;
  bool is_refined = r->refine != 0, is_listed;

  read.family = -1;
  read.id = read.hamming = read.ring_errors = read.turn = 0;
  read.is_inverted = read.margin = read.contrast = 0;
  if (LOCAL_ID == 0)
    *is_known = 0;
  SYNC
  /* A quad that a finer map has is read there. */
  for (int i = LOCAL_ID; i < (exists ? number : 0); i += GROUP)
    if (quads[list[i]].map < quad->map
        && is_same (quads + list[i], quad, scale << (TAGS_CORNER_BITS + 1)))
      *is_known = 1;
  SYNC
  is_listed = exists;
  exists = exists && !*is_known;
  load_corners (quad->corners, q, &ox, &oy);
  for (int i = LOCAL_ID; i < 4 * PROFILES; i += GROUP) {
    Side side = find_side (q, i / PROFILES, scale);

    if (exists && is_refined && i % PROFILES < side.profiles)
      measure_profile (r->frame, ox, oy, side, i % PROFILES,
          quad->is_white ? -1 : 1, edges->t + i, edges->d + i);
  }
  SYNC
  for (int i = LOCAL_ID; i < 4; i += GROUP)
    if (exists && is_refined)
      fit_side (edges, i, find_side (q, i, scale));
  SYNC
  if (exists && is_refined)
    move_corners (edges, scale, q);
  h = find_homography (q);
  shortest = min (min (length_of (q[0], q[1]), length_of (q[1], q[2])),
      min (length_of (q[2], q[3]), length_of (q[3], q[0])));
  exists = exists && shortest >= r->least;
  for (int i = 0; i < r->n_families; i++)
    read_family (r->frame, &h, ox, oy, shortest, quad->is_white, r->polarity,
        r->families, i, r->places, r->codes, exists, &read, cells);
  if (LOCAL_ID == 0 && is_listed) {
    read.map = quad->map;
    read.root = quad->root;
    for (int i = 0; i < 4; i++) {
      int k = (i + read.turn) & 3;

      read.corners[2 * i] = store_corner (q[k].x, ox);
      read.corners[2 * i + 1] = store_corner (q[k].y, oy);
    }
    *to = read;
  }
  SYNC
}

kernel void
tags_read (const global uchar * restrict pixels, int offset, int stride,
    int width, int height, const global TagsMap * restrict pictures,
    const global TagsFamily * restrict families, int n_families,
    const global int *restrict places, const global TagsCode * restrict codes,
    int polarity, int refine, float least, const global int *restrict state,
    const global int *restrict list, const global TagsQuad * restrict quads,
    global TagsRead * restrict reads)
{
  const Reader reader = { {pixels + offset, stride, width, height}, pictures,
    families, n_families, polarity, refine, places, codes, least
  };
  int n = state[TAGS_N_QUADS];
  SHARED Edges edges;
  SHARED Cells cells;
  SHARED int is_known;

#if GROUP == 1
  FOR_EACH (i, n)
    read_quad (&reader, list, quads, i, true, reads + i, &edges, &cells,
      &is_known);
#else
  int i = GROUP_ID;

  read_quad (&reader, list, quads, i, i < n, reads + i, &edges, &cells,
      &is_known);
#endif
}
