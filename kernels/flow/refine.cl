/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes a step of the variational refinement of a flow field: sets up the linear
 * equations of all pixels, and relaxes them in red-black sweeps, which alternate between
 * the two colors of a chessboard. The algorithm is described in docs/algorithms/flow.md. */
#include "flow/equations.h"

/* Number of sweeps that a launch of flow_sweep makes */
#ifndef SWEEPS
#define SWEEPS 5
#endif

/* Width and height, in pixels, of the tile of a field that a work-group of flow_sweep computes */
#ifndef TILE
#define TILE 32
#endif

/* Number of work-items of a work-group */
#ifndef GROUP
#define GROUP 64
#endif

/* Width and height of the part of a field for which a work-group computes equations, with two more
 * pixels on each side */
#define LOCAL_X (SYSTEM_X + 4)
#define LOCAL_Y (SYSTEM_Y + 4)

static float
drop_least (float motion)
{
  return absolute (motion) < LEAST ? 0 : motion;
}

/* Parameters that describe an array in local memory, whose first element belongs to pixel (left,
 * top). Elements beyond the edges of the level repeat the pixels at the edges. */
#define PART local const float *part, int left, int top, int width, int height
#define PART_ARGS left, top, width, height
#define AT(x, y) part[((y) - top) * LOCAL_X + (x) - left]

/* Returns the central difference along x at an element: half of the difference of its two
 * neighbors. Outside of the level, returns the central difference at the nearest element inside. */
static inline __attribute__ ((always_inline)) float
slope_x (PART, int x, int y)
{
  x = clamp (x, 0, width - 1);
  return 0.5f * (AT (x + 1, y) - AT (x - 1, y));
}

static inline __attribute__ ((always_inline)) float
slope_y (PART, int x, int y)
{
  y = clamp (y, 0, height - 1);
  return 0.5f * (AT (x, y + 1) - AT (x, y - 1));
}

/* Returns the derivatives at pixel (x, y) of the mean @a and of the difference @z of both
 * images. */
static inline __attribute__ ((always_inline)) Derivatives
get_derivatives (local const float *a, local const float *z, int left,
    int top, int width, int height, int x, int y)
{
  Derivatives d;

  d.ix = slope_x (a, PART_ARGS, x, y);
  d.iy = slope_y (a, PART_ARGS, x, y);
  d.xx = 0.5f * (slope_x (a, PART_ARGS, x + 1, y)
      - slope_x (a, PART_ARGS, x - 1, y));
  d.xy = 0.5f * (slope_x (a, PART_ARGS, x, y + 1)
      - slope_x (a, PART_ARGS, x, y - 1));
  d.yy = 0.5f * (slope_y (a, PART_ARGS, x, y + 1)
      - slope_y (a, PART_ARGS, x, y - 1));
  d.z = z[(y - top) * LOCAL_X + x - left];
  d.xz = slope_x (z, PART_ARGS, x, y);
  d.yz = slope_y (z, PART_ARGS, x, y);
  return d;
}

/* Warps the other image by the field, and sets up the linear equations of the pixels. Each
 * work-group processes SYSTEM_X x SYSTEM_Y pixels. */
kernel void __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
flow_system (global const ushort * from, global const ushort * to, LEVEL,
    int lighting_changes, global const float *field, global float *step,
    PLANES)
{
  int left = (int) get_group_id (0) * SYSTEM_X - 2;
  int top = (int) get_group_id (1) * SYSTEM_Y - 2;
  local float a[LOCAL_X * LOCAL_Y], z[LOCAL_X * LOCAL_Y];
  local float u[LOCAL_X * LOCAL_Y], v[LOCAL_X * LOCAL_Y];
  local float smoothness[LOCAL_X * LOCAL_Y];

  for (int i = get_local_id (0); i < LOCAL_X * LOCAL_Y; i += GROUP) {
    int x = clamp (left + i % LOCAL_X, 0, width - 1);
    int y = clamp (top + i / LOCAL_X, 0, height - 1);
    int at = plane_at (plane_stride, x, y);
    float moved, pixel = get_pixel (from, LEVEL_ARGS, x, y);

    u[i] = drop_least (field[U * plane_size + at]);
    v[i] = drop_least (field[V * plane_size + at]);
    moved = sample_level (to, LEVEL_ARGS, x + u[i], y + v[i]);
    a[i] = 0.5f * (moved + pixel);
    z[i] = moved - pixel;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id (0); i < (SYSTEM_X + 2) * (SYSTEM_Y + 2); i += GROUP) {
    int x = left + 1 + i % (SYSTEM_X + 2), y = top + 1 + i / (SYSTEM_X + 2);

    if (x >= 0 && y >= 0 && x < width && y < height)
      smoothness[(y - top) * LOCAL_X + x - left] =
          weigh_slopes (slope_x (u, PART_ARGS, x, y), slope_y (u, PART_ARGS,
              x, y), slope_x (v, PART_ARGS, x, y), slope_y (v, PART_ARGS, x,
              y));
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id (0); i < SYSTEM_X * SYSTEM_Y; i += GROUP) {
    int x = left + 2 + i % SYSTEM_X, y = top + 2 + i / SYSTEM_X;
    int k = (y - top) * LOCAL_X + x - left;
    int at = plane_at (plane_stride, x, y);

    if (x < width && y < height) {
      Equations e = get_equations (get_derivatives (a, z, PART_ARGS, x, y),
          lighting_changes);
      float here = get_pixel (from, LEVEL_ARGS, x, y), s = smoothness[k];
#define LINK(is_there, dx, dy) ((is_there) ? link_pixels (s, \
    smoothness[k + (dx) + (dy) * LOCAL_X], \
    get_pixel (from, LEVEL_ARGS, x + (dx), y + (dy)) - here) : 0)
      float right = LINK (x < width - 1, 1, 0), down = LINK (y < height - 1, 0,
          1);
      float links = ((right + LINK (x > 0, -1, 0)) + down)
          + LINK (y > 0, 0, -1);

#undef LINK
      step[RIGHT * plane_size + at] = right;
      step[DOWN * plane_size + at] = down;
      step[A12 * plane_size + at] = e.a12;
      step[C1 * plane_size + at] = fma (e.a12, v[k], fma (e.a11, u[k], e.b1));
      step[C2 * plane_size + at] = fma (e.a22, v[k], fma (e.a12, u[k], e.b2));
      step[R1 * plane_size + at] = 1.9f * reciprocal (e.a11 + links);
      step[R2 * plane_size + at] = 1.9f * reciprocal (e.a22 + links);
    }
  }
}

/* Relaxes those pixels of a tile in local memory that have one of the two colors of a
 * chessboard (successive over-relaxation). On each side, the tile has a margin of 2 * SWEEPS
 * pixels. */
static inline __attribute__ ((always_inline)) void
relax_tile (local float *u, local float *v, int left, int top, int colour,
    int width, int height, global const float *step, PLANES)
{
  const int size = TILE + 4 * SWEEPS;

  for (int i = get_local_id (0); i < (size - 2) * (size / 2); i += GROUP) {
    int row = i / (size / 2) + 1;
    /* The coordinates of the first column and of the first row, including the margin, are even. */
    int column = i % (size / 2) * 2 + ((row + colour) & 1);
    int x = left + column, y = top + row, k = row * size + column;

    if (column > 0 && column < size - 1 && x >= 0 && y >= 0 && x < width
        && y < height) {
      global const float *p = step + plane_at (plane_stride, x, y);
      float link[4] = {
        p[RIGHT * plane_size], x > 0 ? p[RIGHT * plane_size - 1] : 0,
        p[DOWN * plane_size], y > 0 ? p[DOWN * plane_size - plane_stride] : 0
      };
      float a = p[A12 * plane_size];
      float s = p[C1 * plane_size], t = p[C2 * plane_size];

      s = fma (link[0], u[k + 1], s);
      s = fma (link[1], u[k - 1], s);
      s = fma (link[2], u[k + size], s);
      s = fma (link[3], u[k - size], s);
      s = fma (p[R1 * plane_size], fma (-a, v[k], s), -0.9f * u[k]);
      t = fma (link[0], v[k + 1], t);
      t = fma (link[1], v[k - 1], t);
      t = fma (link[2], v[k + size], t);
      t = fma (link[3], v[k - size], t);
      u[k] = s;
      v[k] = fma (p[R2 * plane_size], fma (-a, s, t), -0.9f * v[k]);
    }
  }
}

/* Makes SWEEPS sweeps over a field. Each work-group processes a tile of TILE x TILE pixels and a
 * margin around it. In each half-sweep, one more pixel on each side becomes wrong, beginning with
 * the outermost pixels, which lack neighbors; the margin is therefore 2 * SWEEPS pixels wide.
 * @is_first: whether @in is the field before the step */
kernel void __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
flow_sweep (global const float *step, PLANES, int width, int height,
    int is_first, global const float *in, global float *out)
{
  const int size = TILE + 4 * SWEEPS;
  int left = (int) get_group_id (0) * TILE - 2 * SWEEPS;
  int top = (int) get_group_id (1) * TILE - 2 * SWEEPS;
  local float u[(TILE + 4 * SWEEPS) * (TILE + 4 * SWEEPS)];
  local float v[(TILE + 4 * SWEEPS) * (TILE + 4 * SWEEPS)];

  for (int i = get_local_id (0); i < size * size; i += GROUP) {
    int at = plane_at (plane_stride, clamp (left + i % size, 0, width - 1),
        clamp (top + i / size, 0, height - 1));

    u[i] = in[U * plane_size + at];
    v[i] = in[V * plane_size + at];
    if (is_first) {
      u[i] = drop_least (u[i]);
      v[i] = drop_least (v[i]);
    }
  }
  for (int i = 0; i < 2 * SWEEPS; i++) {
    barrier (CLK_LOCAL_MEM_FENCE);
    relax_tile (u, v, left, top, i & 1, width, height, step, PLANES_ARGS);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id (0); i < TILE * TILE; i += GROUP) {
    int column = i % TILE + 2 * SWEEPS, row = i / TILE + 2 * SWEEPS;
    int at = plane_at (plane_stride, left + column, top + row);

    if (left + column < width && top + row < height) {
      out[U * plane_size + at] = u[row * size + column];
      out[V * plane_size + at] = v[row * size + column];
    }
  }
}
