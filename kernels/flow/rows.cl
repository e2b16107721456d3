/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes a step of the variational refinement of a flow field in one pass over its rows, with
 * vectors. The algorithm is described in docs/algorithms/flow.md. */
#define HAS_LANES 1
#include "flow/equations.h"

/* Maximum number of columns of the part of a field that a work-item computes; a multiple of 32 */
#ifndef COLUMNS
#define COLUMNS 512
#endif

/* Names the kinds of plain rows, whose columns are stored in order. The last N_PLAIN rows of each
 * kind are kept. */
enum
{
  ROW_MEAN, ROW_IX, ROW_IY, ROW_Z, ROW_SMOOTHNESS, ROW_U, ROW_V, ROW_DOWN
};

/* Names two kinds of split rows, whose even and odd columns are stored separately, so that a vector
 * has pixels of only one color of the chessboard. The other kinds are the planes of the equations,
 * starting at RIGHT (see flow-shared.h). The last N_SPLIT rows of each kind are kept. */
#define SPLIT_U N_STEP_PLANES
#define SPLIT_V (N_STEP_PLANES + 1)

/* Index of the first odd column in a split row */
#define ODDS (SPLIT_ROW (COLUMNS) / 2 + ROW_PAD / 2)

typedef local float *Row;

/* The part of the field that a work-item computes: columns left to left + n - 1. The other image is
 * warped in rows first to last - 1. */
typedef struct
{
  int left, n, first, last;
  local float *rows, *split, *right;
} Part;

/* Returns row @y of the plain rows of a kind. */
static inline __attribute__ ((always_inline)) Row
get_row (const Part * p, int kind, int y)
{
  return p->rows + (kind * N_PLAIN + (y & (N_PLAIN - 1))) * PLAIN_ROW (COLUMNS) + ROW_PAD;
}

/* Returns row @y like get_row() or, if the other image is not warped in row @y, the nearest row in
 * which it is. */
static inline __attribute__ ((always_inline)) Row
get_near (const Part * p, int kind, int y)
{
  return get_row (p, kind, clamp (y, p->first, p->last - 1));
}

static inline __attribute__ ((always_inline)) Row
get_split (const Part * p, int plane, int y)
{
  return p->split + ((plane - RIGHT) * N_SPLIT + y % N_SPLIT) * SPLIT_ROW (COLUMNS);
}

/* Concatenates the even elements (EVEN) or the odd elements (ODD) of the vectors a and b. */
#if LANES == 1
#define EVEN(a, b) (a)
#define ODD(a, b) (b)
#else
#define EVEN(a, b) ((floatn) ((a).even, (b).even))
#define ODD(a, b) ((floatn) ((a).odd, (b).odd))
#endif

#define LOAD(p) vloadn (0, p)
#define STORE(v, p) vstoren (v, 0, p)

/* Repeats the first and the last pixel of a row beyond its ends. */
static inline __attribute__ ((always_inline)) void
repeat_ends (const Part * p, Row row)
{
  row[-1] = row[0];
  row[p->n] = row[p->n - 1];
}

/* Writes two vectors of pixels to a split row, starting at the even column @c. */
static inline __attribute__ ((always_inline)) void
put_split (Row row, int c, floatn a, floatn b)
{
  STORE (EVEN (a, b), row + c / 2);
  STORE (ODD (a, b), row + ODDS + c / 2);
}

/* Warps the other image in row @y by the field. Stores the motions of this row, the mean and the
 * difference of both images, and the derivative of the mean along the row. */
static inline __attribute__ ((always_inline)) void
move_row (const Part * p, int y, global const ushort * from,
    global const ushort * to, LEVEL, global const float *field, PLANES)
{
  Row mean = get_row (p, ROW_MEAN, y), z = get_row (p, ROW_Z, y);
  Row u = get_row (p, ROW_U, y), v = get_row (p, ROW_V, y);
  Row ix = get_row (p, ROW_IX, y);
  Row split_u = get_split (p, SPLIT_U, y), split_v = get_split (p, SPLIT_V, y);
  global const float *pu = field + U * plane_size + plane_at (plane_stride,
      p->left, y);
  global const float *pv = pu + (V - U) * plane_size;

  for (int c = 0; c < p->n; c += LANES) {
    intn column = c + INDEX;
    floatn a = LOAD (pu + c), b = LOAD (pv + c), moved, pixel;

    a = CHOOSE (a, (floatn) (0.0f),
        MASK (absolute (a) < LEAST) | MASK (column >= p->n));
    b = CHOOSE (b, (floatn) (0.0f),
        MASK (absolute (b) < LEAST) | MASK (column >= p->n));
    STORE (a, u + c);
    STORE (b, v + c);
    moved = sample_level (to, LEVEL_ARGS, convert_floatn (p->left + column) + a,
        (float) y + b);
    pixel = get_pixel (from, LEVEL_ARGS, p->left + c, y);
    STORE (0.5f * (moved + pixel), mean + c);
    STORE (moved - pixel, z + c);
  }
  for (int c = 0; c < p->n; c += 2 * LANES) {
    put_split (split_u, c, LOAD (u + c), LOAD (u + c + LANES));
    put_split (split_v, c, LOAD (v + c), LOAD (v + c + LANES));
  }
  repeat_ends (p, mean);
  repeat_ends (p, z);
  repeat_ends (p, u);
  repeat_ends (p, v);
  for (int c = 0; c < p->n; c += LANES)
    STORE (0.5f * (LOAD (mean + c + 1) - LOAD (mean + c - 1)), ix + c);
  repeat_ends (p, ix);
}

/* Computes the vertical derivative of the mean image and the smoothness weights in row @y, from the
 * rows above and below. */
static inline __attribute__ ((always_inline)) void
weigh_row (const Part * p, int y)
{
  Row iy = get_row (p, ROW_IY, y), s = get_row (p, ROW_SMOOTHNESS, y);
  Row mean_up = get_near (p, ROW_MEAN, y - 1);
  Row mean_down = get_near (p, ROW_MEAN, y + 1);
  Row u = get_row (p, ROW_U, y), v = get_row (p, ROW_V, y);
  Row u_up = get_near (p, ROW_U, y - 1), u_down = get_near (p, ROW_U, y + 1);
  Row v_up = get_near (p, ROW_V, y - 1), v_down = get_near (p, ROW_V, y + 1);

  for (int c = 0; c < p->n; c += LANES) {
    STORE (0.5f * (LOAD (mean_down + c) - LOAD (mean_up + c)), iy + c);
    STORE (weigh_slopes (0.5f * (LOAD (u + c + 1) - LOAD (u + c - 1)),
            0.5f * (LOAD (u_down + c) - LOAD (u_up + c)),
            0.5f * (LOAD (v + c + 1) - LOAD (v + c - 1)),
            0.5f * (LOAD (v_down + c) - LOAD (v_up + c))), s + c);
  }
}

/* Computes the links (smoothness weights) of the pixels of row @y to their right and lower
 * neighbors. */
static inline __attribute__ ((always_inline)) void
link_row (const Part * p, int y, global const ushort * from, LEVEL)
{
  Row s = get_row (p, ROW_SMOOTHNESS, y);
  Row s_down = get_near (p, ROW_SMOOTHNESS, y + 1);
  Row down = get_row (p, ROW_DOWN, y);
  float is_above = y < height - 1 ? 1 : 0;

  for (int c = 0; c < p->n; c += LANES) {
    intn column = p->left + c + INDEX;
    floatn here = get_pixel (from, LEVEL_ARGS, p->left + c, y);
    floatn side = get_pixel (from, LEVEL_ARGS, p->left + c + 1, y);
    floatn below = get_pixel (from, LEVEL_ARGS, p->left + c, y + 1);
    floatn link = link_pixels (LOAD (s + c), LOAD (s + c + 1), side - here);

    STORE (CHOOSE ((floatn) (0.0f), link, MASK (column < width - 1)),
        p->right + c);
    STORE (link_pixels (LOAD (s + c), LOAD (s_down + c), below - here) * is_above,
        down + c);
  }
}

/* Coefficients of the linear equations of pixels, which the sweeps relax */
typedef struct
{
  floatn a12, c1, c2, r1, r2;
} System;

/* Returns the equations of LANES pixels of row @y, starting at column @c. */
static inline __attribute__ ((always_inline)) System
get_system (const Part * p, int y, int c, int lighting_changes)
{
  Row ix = get_row (p, ROW_IX, y) + c, iy = get_row (p, ROW_IY, y) + c;
  Row ix_up = get_near (p, ROW_IX, y - 1) + c;
  Row ix_down = get_near (p, ROW_IX, y + 1) + c;
  Row iy_up = get_near (p, ROW_IY, y - 1) + c;
  Row iy_down = get_near (p, ROW_IY, y + 1) + c;
  Row z = get_row (p, ROW_Z, y) + c;
  Row z_up = get_near (p, ROW_Z, y - 1) + c;
  Row z_down = get_near (p, ROW_Z, y + 1) + c;
  Row right = p->right + c;
  Derivatives d;
  Equations e;
  System s;
  floatn links, u = LOAD (get_row (p, ROW_U, y) + c);
  floatn v = LOAD (get_row (p, ROW_V, y) + c);

  d.ix = LOAD (ix);
  d.iy = LOAD (iy);
  d.xx = 0.5f * (LOAD (ix + 1) - LOAD (ix - 1));
  d.xy = 0.5f * (LOAD (ix_down) - LOAD (ix_up));
  d.yy = 0.5f * (LOAD (iy_down) - LOAD (iy_up));
  d.z = LOAD (z);
  d.xz = 0.5f * (LOAD (z + 1) - LOAD (z - 1));
  d.yz = 0.5f * (LOAD (z_down) - LOAD (z_up));
  e = get_equations (d, lighting_changes);
  links = ((LOAD (right) + LOAD (right - 1))
      + LOAD (get_row (p, ROW_DOWN, y) + c))
      + LOAD (get_row (p, ROW_DOWN, y - 1) + c);
  s.a12 = e.a12;
  s.c1 = fma (e.a12, v, fma (e.a11, u, e.b1));
  s.c2 = fma (e.a22, v, fma (e.a12, u, e.b2));
  s.r1 = 1.9f * reciprocal (e.a11 + links);
  s.r2 = 1.9f * reciprocal (e.a22 + links);
  return s;
}

static inline __attribute__ ((always_inline)) void
put_system (const Part * p, int y, int lighting_changes)
{
  Row down = get_row (p, ROW_DOWN, y);

  for (int c = 0; c < p->n; c += 2 * LANES) {
    System a = get_system (p, y, c, lighting_changes);
    System b = get_system (p, y, c + LANES, lighting_changes);

    put_split (get_split (p, A12, y), c, a.a12, b.a12);
    put_split (get_split (p, C1, y), c, a.c1, b.c1);
    put_split (get_split (p, C2, y), c, a.c2, b.c2);
    put_split (get_split (p, R1, y), c, a.r1, b.r1);
    put_split (get_split (p, R2, y), c, a.r2, b.r2);
    put_split (get_split (p, RIGHT, y), c, LOAD (p->right + c),
        LOAD (p->right + c + LANES));
    put_split (get_split (p, DOWN, y), c, LOAD (down + c),
        LOAD (down + c + LANES));
  }
}

/* Relaxes the pixels of row @y in the even or in the odd columns (successive over-relaxation). */
static inline __attribute__ ((always_inline)) void
relax_row (const Part * p, int y, int height, bool is_odd)
{
  int here = is_odd ? ODDS : 0, there = is_odd ? 0 : ODDS;
  /* The right neighbor of the even column 2 i is the odd column 2 i + 1, its left neighbor the
   * odd column 2 i - 1. The right neighbor of the odd column 2 i + 1 is the even column 2 i +
   * 2, its left neighbor the even column 2 i. */
  int behind = is_odd ? 1 : 0, before = is_odd ? 0 : -1;
  int up_row = max (y - 1, 0), down_row = min (y + 1, height - 1);
  Row u = get_split (p, SPLIT_U, y), v = get_split (p, SPLIT_V, y);
  Row u_up = get_split (p, SPLIT_U, up_row) + here;
  Row v_up = get_split (p, SPLIT_V, up_row) + here;
  Row u_down = get_split (p, SPLIT_U, down_row) + here;
  Row v_down = get_split (p, SPLIT_V, down_row) + here;
  Row a12 = get_split (p, A12, y) + here;
  Row c1 = get_split (p, C1, y) + here, c2 = get_split (p, C2, y) + here;
  Row r1 = get_split (p, R1, y) + here, r2 = get_split (p, R2, y) + here;
  Row links = get_split (p, RIGHT, y), down_of = get_split (p, DOWN, y) + here;
  Row up_of = get_split (p, DOWN, up_row) + here;
  float is_below = y > 0 ? 1 : 0;

  for (int i = 0; 2 * i < p->n; i += LANES) {
    floatn u0 = LOAD (u + here + i), v0 = LOAD (v + here + i);
    floatn a = LOAD (a12 + i);
    floatn right = LOAD (links + here + i);
    floatn left = LOAD (links + there + before + i);
    floatn down = LOAD (down_of + i), up = LOAD (up_of + i) * is_below;
    floatn s = fma (right, LOAD (u + there + behind + i), LOAD (c1 + i)), t;

    s = fma (left, LOAD (u + there + before + i), s);
    s = fma (down, LOAD (u_down + i), s);
    s = fma (up, LOAD (u_up + i), s);
    s = fma (LOAD (r1 + i), fma (-a, v0, s), -0.9f * u0);
    t = fma (right, LOAD (v + there + behind + i), LOAD (c2 + i));
    t = fma (left, LOAD (v + there + before + i), t);
    t = fma (down, LOAD (v_down + i), t);
    t = fma (up, LOAD (v_up + i), t);
    t = fma (LOAD (r2 + i), fma (-a, s, t), -0.9f * v0);
    STORE (s, u + here + i);
    STORE (t, v + here + i);
  }
}

/* Writes row @y of a part to the field: @n columns, starting at column @from. */
static inline __attribute__ ((always_inline)) void
write_row (const Part * p, int y, int from, int n, global float *out, PLANES)
{
  for (int i = 0; i < N_FIELD_PLANES; i++) {
    Row row = get_split (p, SPLIT_U + i, y) + from / 2;
    global float *q = out + i * plane_size + plane_at (plane_stride,
        p->left + from, y);

    for (int c = 0; c < n; c++)
      q[c] = row[c / 2 + (c & 1) * ODDS];
  }
}

/* Makes a step of the refinement. Work-item (i, j) computes @columns columns, starting at column
 * i * columns, of @rows rows, starting at row j * rows. It processes the rows from top to bottom.
 * Half-sweep k follows k rows behind the row whose equations are set up, so that half-sweep k - 1
 * has already relaxed the row below. */
kernel void __attribute__ ((reqd_work_group_size (1, 1, 1)))
flow_step (global const ushort * from, global const ushort * to, LEVEL,
    int lighting_changes, int columns, int rows, global const float *in,
    global float *out, PLANES)
{
  local float plain[N_PLAIN_KINDS * N_PLAIN * PLAIN_ROW (COLUMNS)];
  local float split[N_SPLIT_KINDS * N_SPLIT * SPLIT_ROW (COLUMNS)];
  local float right[PLAIN_ROW (COLUMNS)];
  int x0 = get_group_id (0) * columns, y0 = get_group_id (1) * rows;
  int x1 = min (x0 + columns, width), y1 = min (y0 + rows, height);
  Part p;

  p.left = max (x0 - STEP_SIDE, 0);
  p.n = min (x1 + STEP_SIDE, width) - p.left;
  p.first = max (y0 - STEP_MARGIN, 0);
  p.last = min (y1 + STEP_MARGIN, height);
  p.rows = plain;
  p.split = split;
  p.right = right + ROW_PAD;
  for (int i = 0; i < N_PLAIN_KINDS * N_PLAIN * PLAIN_ROW (COLUMNS); i++)
    plain[i] = 0;
  for (int i = 0; i < N_SPLIT_KINDS * N_SPLIT * SPLIT_ROW (COLUMNS); i++)
    split[i] = 0;
  for (int i = 0; i < PLAIN_ROW (COLUMNS); i++)
    right[i] = 0;

  for (int y = p.first; y < y1 + STEP_MARGIN; y++) {
    if (y < p.last)
      move_row (&p, y, from, to, LEVEL_ARGS, in, PLANES_ARGS);
    if (y > p.first && y <= p.last)
      weigh_row (&p, y - 1);
    if (y > p.first + 1 && y - 2 < min (y1 + N_HALVES - 1, height)) {
      link_row (&p, y - 2, from, LEVEL_ARGS);
      put_system (&p, y - 2, lighting_changes);
    }
    for (int k = 0; k < N_HALVES; k++) {
      int row = y - 2 - k, reach = N_HALVES - 1 - k;

      if (row >= max (y0 - reach, 0) && row < min (y1 + reach, height))
        relax_row (&p, row, height, ((row + k + p.left) & 1) != 0);
    }
    if (y - STEP_MARGIN >= y0)
      write_row (&p, y - STEP_MARGIN, x0 - p.left, x1 - x0, out, PLANES_ARGS);
  }
}
