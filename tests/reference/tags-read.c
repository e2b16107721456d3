/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of tag detection: tests the border of a quad, moves its sides to the
 * edges, and reads its cells. */
#include "tags-private.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 256

/* Offset that stands for a profile in which no edge was found */
#define NO_EDGE INT32_MIN

/* Cells of a quad. The rings are the cells of the border, and the cells around it, with their
 * positions from the middle in half cells. */
typedef struct
{
  int n, width, offset, n_ring; /* numbers of cells along a side of the border and of the whole tag,
                                 * before the border, and of both rings */
  float values[MAX_CELLS], sharp[MAX_CELLS];
  struct
  {
    int at, x, y, is_outside;
  } ring[8 * 16];
} Cells;

void
ref_tags_homography (const Point q[4], float h[8])
{
  float ax = q[1].x - q[2].x, ay = q[1].y - q[2].y;
  float bx = q[3].x - q[2].x, by = q[3].y - q[2].y;
  float sx = q[0].x - q[1].x + q[2].x - q[3].x;
  float sy = q[0].y - q[1].y + q[2].y - q[3].y;
  float r = inverse (ax * by - bx * ay);
  float g = (sx * by - bx * sy) * r, k = (ax * sy - sx * ay) * r;
  float ex = q[1].x - q[0].x + g * q[1].x, ey = q[1].y - q[0].y + g * q[1].y;
  float fx = q[3].x - q[0].x + k * q[3].x, fy = q[3].y - q[0].y + k * q[3].y;
  float w = inverse (1 + 0.5f * g + 0.5f * k);

  h[0] = ex * w;
  h[1] = fx * w;
  h[2] = (q[0].x + 0.5f * ex + 0.5f * fx) * w;
  h[3] = ey * w;
  h[4] = fy * w;
  h[5] = (q[0].y + 0.5f * ey + 0.5f * fy) * w;
  h[6] = g * w;
  h[7] = k * w;
}

Point
ref_tags_project (const float h[8], float u, float v)
{
  float r = inverse (1 + h[6] * u + h[7] * v);

  return (Point) {
  (h[0] * u + h[1] * v + h[2]) * r, (h[3] * u + h[4] * v + h[5]) * r};
}

void
ref_tags_load (const int corners[8], Point q[4], int *ox, int *oy)
{
  int x = 0, y = 0;

  for (int i = 0; i < 8; i += 2) {
    x += corners[i] / 16;
    y += corners[i + 1] / 16;
  }
  *ox = x >> 14;
  *oy = y >> 14;
  for (int i = 0; i < 4; i++) {
    q[i].x = (corners[2 * i] - *ox * 65536) / 65536.0f;
    q[i].y = (corners[2 * i + 1] - *oy * 65536) / 65536.0f;
  }
}

float
ref_tags_edge (const int *v, int steps, int sign, int64_t * weight)
{
  int64_t sum = 0;

  *weight = 0;
  for (int i = 0; i <= 2 * steps; i++) {
    int64_t d = ((v[i + 4] - v[i]) * sign) >> 4;

    if (d <= 0)
      continue;
    sum += d * d * (i - steps);
    *weight += d * d;
  }
  return (float) sum *ref_reciprocal (*weight > 0 ? *weight : 1);
}

/* ---- Border and edges --------------------------------------------------------- */

int
ref_tags_has_border (const RefGray * grey, const Quad * quad, int n)
{
  float h[8], step = ref_reciprocal (n);
  int differences[4 * 16], sum = 0, good = 0, ox, oy;
  Point q[4];

  ref_tags_load (quad->corners, q, &ox, &oy);
  ref_tags_homography (q, h);
  for (int i = 0; i < 4 * n; i++) {
    float along = (i % n + 0.5f) * step - 0.5f;
    int values[2];

    for (int k = 0; k < 2; k++) {
      float across = k == 0 ? 0.5f - 0.5f * step : 0.5f + 0.5f * step;
      const float at[4][2] = { {along, -across}, {across, along},
      {along, across}, {-across, along}
      };
      Point p = ref_tags_project (h, at[i / n][0], at[i / n][1]);

      values[k] = ref_tags_sample (grey, place (p.x, ox), place (p.y, oy));
    }
    differences[i] = quad->is_white ? values[0] - values[1]
        : values[1] - values[0];
    sum += differences[i];
  }
  if (sum <= 0)
    return 0;
  for (int i = 0; i < 4 * n; i++)
    good += differences[i] > 0 && (int64_t) 16 *n * differences[i] >= sum;
  return 10 * good >= 28 * n;
}

/* Sums the edges of profiles. If @fit is not NULL, leaves out edges that are more than half a pixel
 * away from it. */
static Sums
sum_edges (const int *t, const int *d, int n, const Fit * fit)
{
  Sums sums = { 0 };

  for (int k = 0; k < n; k++) {
    if (d[k] == NO_EDGE)
      continue;
    if (fit != NULL) {
      float off = (float) (d[k] - fit->d0)
          - fit->slope * (float) (t[k] - fit->t0);

      if (off > 512 || off < -512)
        continue;
    }
    sums.n++;
    sums.t += t[k];
    sums.d += d[k];
    sums.tt += (int64_t) t[k] * t[k];
    sums.td += (int64_t) t[k] * d[k];
    sums.dd += (int64_t) d[k] * d[k];
  }
  return sums;
}

static Line
find_edges (const RefGray * grey, int ox, int oy, const Point q[4], int i,
    int scale, int sign)
{
  Point a = q[i], b = q[(i + 1) % 4];
  float cell = (length_of (b, q[(i + 2) % 4]) + length_of (q[(i + 3) % 4], a))
      * 0.0625f;
  float reach = ref_clamp_float (0.9f * cell, 0.75f, scale + 1.0f);
  float l = length_of (a, b), r = ref_reciprocal (larger (l, 0.001f));
  Point u = { (b.x - a.x) * r, (b.y - a.y) * r };
  int steps = reach * 4, n = ref_clamp (l, 16, 64), t[64], d[64];
  int nx = round_int (u.y * 65536), ny = round_int (-u.x * 65536);
  Sums sums;
  Fit fit, again;

  for (int k = 0; k < n; k++) {
    float at = l * (k + 1.0f) * ref_reciprocal (n + 1.0f);
    int x = place (a.x + at * u.x, ox), y = place (a.y + at * u.y, oy), v[64];
    int64_t weight;
    float edge;

    for (int s = 0; s < 2 * steps + 5; s++)
      v[s] = ref_tags_sample (grey, x + (((s - steps - 2) * nx) >> 8),
          y + (((s - steps - 2) * ny) >> 8));
    edge = ref_tags_edge (v, steps, sign, &weight);
    t[k] = round_int (at * 64);
    d[k] = weight < 16 << 16 ? NO_EDGE : round_int (edge * 256);
  }
  sums = sum_edges (t, d, n, NULL);
  fit = ref_tags_fit (&sums);
  sums = sum_edges (t, d, n, &fit);
  again = ref_tags_fit (&sums);
  if (again.n >= 6 && 5 * again.n > 2 * fit.n)
    fit = again;
  if (fit.n < 6)
    fit = (Fit) {
    0};
  return ref_tags_place (fit, a, u, -1);
}

static void
move_corners (const RefGray * grey, int ox, int oy, const Quad * quad,
    Point q[4])
{
  Line lines[4];
  Point moved[4];
  float limit = (quad->scale + 2.5f) * (quad->scale + 2.5f);

  for (int i = 0; i < 4; i++)
    lines[i] = find_edges (grey, ox, oy, q, i, quad->scale,
        quad->is_white ? -1 : 1);
  for (int i = 0; i < 4; i++) {
    float x, y;

    if (!ref_tags_cross (lines[(i + 3) % 4], lines[i], &moved[i]))
      return;
    x = moved[i].x - q[i].x;
    y = moved[i].y - q[i].y;
    if (!(x * x + y * y <= limit))
      return;
  }
  if (ref_tags_is_quad (moved, 3))
    memcpy (q, moved, sizeof (moved));
}

/* ---- Cells -------------------------------------------------------------------- */

static void
sample_cells (const RefGray * grey, int ox, int oy, const float h[8],
    int is_fine, Cells * cells)
{
  float step = ref_reciprocal (cells->n);

  for (int k = 0; k < cells->width * cells->width; k++) {
    int x = k % cells->width - cells->offset, sum = 0;
    int y = k / cells->width - cells->offset;

    for (int j = -is_fine; j <= is_fine; j++)
      for (int i = -is_fine; i <= is_fine; i++) {
        Point p = ref_tags_project (h, (x + 0.5f + 0.22f * i) * step - 0.5f,
            (y + 0.5f + 0.22f * j) * step - 0.5f);

        sum += ref_tags_sample (grey, place (p.x, ox), place (p.y, oy));
      }
    cells->values[k] = is_fine ? sum / 9 : sum;
  }
}

/* Lists the cells along the border. Cells at corners of the border count for two sides. */
static void
list_rings (Cells * cells)
{
  int n = cells->n;

  cells->n_ring = 0;
  for (int is_outside = 0; is_outside < 2; is_outside++)
    for (int side = 0; side < 4; side++)
      for (int i = 0; i < n; i++) {
        int far = is_outside ? n : n - 1, near = n - 1 - far;
        const int at[4][2] = { {i, near}, {far, i}, {i, far}, {near, i} };
        int x = at[side][0], y = at[side][1], k = cells->n_ring++;

        cells->ring[k].at = (y + cells->offset) * cells->width + x
            + cells->offset;
        cells->ring[k].x = 2 * x + 1 - n;
        cells->ring[k].y = 2 * y + 1 - n;
        cells->ring[k].is_outside = is_outside;
      }
}

static void
fit_plane (const Cells * cells, int is_outside, float plane[3])
{
  int64_t sum = 0, x = 0, y = 0;
  int squares = 0;

  for (int i = 0; i < cells->n_ring; i++) {
    int v = cells->values[cells->ring[i].at];

    if (cells->ring[i].is_outside != is_outside)
      continue;
    sum += v;
    x += (int64_t) v *cells->ring[i].x;
    y += (int64_t) v *cells->ring[i].y;
    squares += cells->ring[i].x * cells->ring[i].x;
  }
  plane[0] = (float) x *ref_reciprocal (squares);
  plane[1] = (float) y *ref_reciprocal (squares);
  plane[2] = (float) sum *ref_reciprocal (4 * cells->n);
}

static float
threshold_at (const float white[3], const float black[3], int x, int y)
{
  float a = white[0] * x + white[1] * y + white[2];
  float b = black[0] * x + black[1] * y + black[2];

  return 0.5f * (a + b);
}

static float
value_at (const Cells * cells, int x, int y, float beyond)
{
  return x < 0 || y < 0 || x >= cells->width || y >= cells->width ? beyond
      : cells->values[y * cells->width + x];
}

/* Subtracts the thresholds from the cell values, and sharpens them. Returns: the number of wrong
 * cells along the border, or -1 if the contrast is too low */
static int
compare_cells (Cells * cells, int is_white, float *contrast)
{
  float white[3], black[3];
  int errors = 0;

  list_rings (cells);
  fit_plane (cells, !is_white, white);
  fit_plane (cells, is_white, black);
  *contrast = white[2] - black[2];
  if (!(*contrast >= 4 * 4096.0f))
    return -1;
  for (int i = 0; i < cells->n_ring; i++) {
    int is_bright = cells->values[cells->ring[i].at] > threshold_at (white,
        black, cells->ring[i].x, cells->ring[i].y);

    errors += is_bright != (cells->ring[i].is_outside ? !is_white : is_white);
  }
  for (int k = 0; k < cells->width * cells->width; k++) {
    int x = k % cells->width - cells->offset;
    int y = k / cells->width - cells->offset;

    cells->values[k] = cells->values[k] - threshold_at (white, black,
        2 * x + 1 - cells->n, 2 * y + 1 - cells->n);
  }
  for (int k = 0; k < cells->width * cells->width; k++) {
    int x = k % cells->width, y = k / cells->width;
    float c = cells->values[k];

    cells->sharp[k] = c + 0.25f * (4 * c - (value_at (cells, x - 1, y, c)
            + value_at (cells, x + 1, y, c) + (value_at (cells, x, y - 1, c)
                + value_at (cells, x, y + 1, c))));
  }
  return errors;
}

static uint64_t
read_code (const Cells * cells, const RefTagsFamily * family, int turn,
    int is_inverted)
{
  uint64_t code = 0;

  for (int i = 0; i < family->n_bits; i++) {
    int x = family->x[i], y = family->y[i], last = family->border - 1;
    const int at[4][2] = { {x, y}, {last - y, x}, {last - x, last - y},
    {y, last - x}
    };
    float v = cells->sharp[(at[turn][1] + cells->offset) * cells->width
        + at[turn][0] + cells->offset];

    code = code * 2 + (is_inverted ? !(v > 0) : v > 0);
  }
  return code;
}

static int
find_margin (const Cells * cells, const RefTagsFamily * family, float contrast)
{
  float sums[2] = { 0, 0 };
  int n[2] = { 1, 1 };

  for (int i = 0; i < family->n_bits; i++) {
    float v = cells->sharp[(family->y[i] + cells->offset) * cells->width
        + family->x[i] + cells->offset];

    sums[v > 0] = sums[v > 0] + fabsf (v);
    n[v > 0]++;
  }
  return round_int (512 * smaller (sums[0] * ref_reciprocal (n[0]),
          sums[1] * ref_reciprocal (n[1])) * ref_reciprocal (larger (contrast,
              1)));
}

static int
count_bits (uint64_t v)
{
  int n = 0;

  for (; v != 0; v >>= 1)
    n += v & 1;
  return n;
}

/* Reads a tag of a family, and stores it if it is better than the tag in @tag. */
static void
read_family (const RefGray * grey, int ox, int oy, const float h[8],
    float shortest, const Quad * quad, const RefTagsFamily * family,
    int number, RefTag * tag)
{
  Cells cells = {.n = family->border };
  int is_inverted = quad->is_white != family->is_white, errors;
  int best = 99, turn = 0, id = 0;
  float contrast;

  cells.width = family->width > cells.n + 2 ? family->width : cells.n + 2;
  cells.offset = (cells.width - cells.n) / 2;
  sample_cells (grey, ox, oy, h, shortest > 4.0f * cells.n, &cells);
  errors = compare_cells (&cells, quad->is_white, &contrast);
  if (errors < 0 || 5 * errors > 8 * cells.n)
    return;
  for (int t = 0; t < 4; t++) {
    uint64_t code = read_code (&cells, family, t, is_inverted);

    for (int i = 0; i < family->n_codes; i++) {
      int wrong = count_bits (code ^ family->codes[i]);

      if (wrong < best) {
        best = wrong;
        turn = t;
        id = i;
      }
    }
  }
  if (best > 7 || errors > family->most_errors[best]
      || (tag->family >= 0 && best >= tag->hamming))
    return;
  tag->family = number;
  tag->id = id;
  tag->hamming = best;
  tag->ring_errors = errors;
  tag->turn = turn;
  tag->is_inverted = is_inverted;
  tag->margin = find_margin (&cells, family, contrast);
  tag->contrast = round_int (contrast / 256);
}

int
ref_tags_read (const RefGray * grey, const RefTagsParams * params,
    const RefTagsFamily * families, int n_families, const Quad * quad,
    RefTag * tag)
{
  Point q[4];
  float h[8], shortest;
  int ox, oy, corners[8];

  memset (tag, 0, sizeof (*tag));
  tag->family = -1;
  tag->map = quad->map;
  tag->root = quad->root;
  ref_tags_load (quad->corners, q, &ox, &oy);
  if (params->refine > 0)
    move_corners (grey, ox, oy, quad, q);
  for (int i = 0; i < 4; i++) {
    corners[2 * i] = store (q[i].x, ox);
    corners[2 * i + 1] = store (q[i].y, oy);
  }
  ref_tags_load (corners, q, &ox, &oy);
  ref_tags_homography (q, h);
  shortest = length_of (q[0], q[1]);
  for (int i = 1; i < 4; i++)
    shortest = smaller (shortest, length_of (q[i], q[(i + 1) % 4]));
  for (int i = 0; i < n_families && shortest >= params->least; i++)
    if (quad->is_white == families[i].is_white ? params->is_normal
        : params->is_inverted)
      read_family (grey, ox, oy, h, shortest, quad, &families[i], i, tag);
  for (int i = 0; i < 8; i++)
    tag->edges[i] = corners[(i + 2 * tag->turn) % 8];
  return tag->family >= 0;
}
