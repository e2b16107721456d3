/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A step of the refinement of a field of flow: equations of each pixel, which sweeps in the
 * pattern of a chessboard relax. The algorithm is described in docs/algorithms/flow.md. */
#include "flow/equations.h"

/* Number of sweeps of a launch of flow_sweep */
#ifndef SWEEPS
#define SWEEPS 5
#endif

/* Width and height of the part of a field that a work-group computes */
#ifndef TILE
#define TILE 32
#endif

/* Number of work-items of a work-group */
#ifndef GROUP
#define GROUP 64
#endif

/* Work-item (x, y) moves pixel (x, y) of the other image to its place in the image. */
kernel void
flow_move (global const ushort * from, global const ushort * to, LEVEL,
    global float *field, global float *step, PLANES)
{
  int x = get_global_id (0), y = get_global_id (1);
  int at = plane_at (plane_stride, x, y);
  float u, v, moved, pixel;

  if (x >= width || y >= height)
    return;
  u = field[U * plane_size + at];
  v = field[V * plane_size + at];
  u = absolute (u) < LEAST ? 0 : u;
  v = absolute (v) < LEAST ? 0 : v;
  field[U * plane_size + at] = u;
  field[V * plane_size + at] = v;
  moved = sample_level (to, LEVEL_ARGS, x + u, y + v);
  pixel = get_pixel (from, LEVEL_ARGS, x, y);
  step[MEAN_IMAGE * plane_size + at] = 0.5f * (moved + pixel);
  step[DIFFERENCE * plane_size + at] = moved - pixel;
}

#define PLANE global const float *plane, int plane_stride, int width, int height
#define AT(x, y) at_edge (plane, plane_stride, width, height, x, y)

/* Half of the difference between the neighbours of an element, at the nearest element that a
 * plane has */
static float
slope_x (PLANE, int x, int y)
{
  x = clamp (x, 0, width - 1);
  return 0.5f * (AT (x + 1, y) - AT (x - 1, y));
}

static float
slope_y (PLANE, int x, int y)
{
  y = clamp (y, 0, height - 1);
  return 0.5f * (AT (x, y + 1) - AT (x, y - 1));
}

/* Returns the weight of smoothness at pixel (x, y), which is in the frame. */
static float
get_smoothness (global const float *field, PLANES, int width, int height,
    int x, int y)
{
  global const float *v = field + V * plane_size;
  float ux = slope_x (field, plane_stride, width, height, x, y);
  float uy = slope_y (field, plane_stride, width, height, x, y);
  float vx = slope_x (v, plane_stride, width, height, x, y);
  float vy = slope_y (v, plane_stride, width, height, x, y);

  return weigh_slopes (ux, uy, vx, vy);
}

/* Returns the link between pixel (x, y), whose smoothness is @s, and pixel (x1, y1), with a
 * difference of @difference; 0 if the latter is not in the frame. */
static float
get_link (global const float *field, PLANES, int width, int height, float s,
    float difference, int x1, int y1)
{
  bool is_inside = x1 >= 0 && y1 >= 0 && x1 < width && y1 < height;
  float other = get_smoothness (field, PLANES_ARGS, width, height,
      clamp (x1, 0, width - 1), clamp (y1, 0, height - 1));
  float link = link_pixels (s, other, difference);

  return is_inside ? link : 0;
}

/* Work-item (x, y) writes the equations of pixel (x, y). */
kernel void
flow_system (global const ushort * from, LEVEL, int lighting_changes,
    global const float *field, global float *step, PLANES)
{
  int x = get_global_id (0), y = get_global_id (1);
  int at = plane_at (plane_stride, x, y);
  global const float *a = step + MEAN_IMAGE * plane_size;
  global const float *d = step + DIFFERENCE * plane_size;
  global const ushort *pixel = from + offset + y * stride + x;

  if (x >= width || y >= height)
    return;

#define MEAN_SLOPE(name, x, y) name (a, plane_stride, width, height, x, y)
  const Derivatives slopes = {
    .ix = MEAN_SLOPE (slope_x, x, y),
    .iy = MEAN_SLOPE (slope_y, x, y),
    .xx = 0.5f * (MEAN_SLOPE (slope_x, x + 1, y)
        - MEAN_SLOPE (slope_x, x - 1, y)),
    .xy = 0.5f * (MEAN_SLOPE (slope_x, x, y + 1)
        - MEAN_SLOPE (slope_x, x, y - 1)),
    .yy = 0.5f * (MEAN_SLOPE (slope_y, x, y + 1)
        - MEAN_SLOPE (slope_y, x, y - 1)),
    .z = d[at],
    .xz = slope_x (d, plane_stride, width, height, x, y),
    .yz = slope_y (d, plane_stride, width, height, x, y)
  };
  Equations e = get_equations (slopes, lighting_changes);
  float u = field[U * plane_size + at], v = field[V * plane_size + at];
  float s = get_smoothness (field, PLANES_ARGS, width, height, x, y);
  float here = pixel[0] * 0.0625f;
#define LINK(x1, y1, i) get_link (field, PLANES_ARGS, width, height, s, \
    pixel[i] * 0.0625f - here, x1, y1)
  float right = LINK (x + 1, y, 1), left = LINK (x - 1, y, -1);
  float down = LINK (x, y + 1, stride), up = LINK (x, y - 1, -stride);
  float links = ((right + left) + down) + up;

  step[RIGHT * plane_size + at] = right;
  step[DOWN * plane_size + at] = down;
  step[A12 * plane_size + at] = e.a12;
  step[C1 * plane_size + at] = fma (e.a12, v, fma (e.a11, u, e.b1));
  step[C2 * plane_size + at] = fma (e.a22, v, fma (e.a12, u, e.b2));
  step[R1 * plane_size + at] = 1.9f * reciprocal (e.a11 + links);
  step[R2 * plane_size + at] = 1.9f * reciprocal (e.a22 + links);
}

/* Relaxes the pixels of one colour of a tile in local memory, which has @margin more pixels on
 * each side. */
static inline __attribute__ ((always_inline)) void
relax_tile (local float *u, local float *v, int left, int top, int colour,
    int width, int height, global const float *step, PLANES)
{
  const int size = TILE + 4 * SWEEPS;

  for (int i = get_local_id (0); i < (size - 2) * (size / 2); i += GROUP) {
    int row = i / (size / 2) + 1;
    /* The tile and its margins begin at even pixels. */
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

/* A work-group makes SWEEPS sweeps over a tile of TILE x TILE pixels. In each half of a sweep
 * the outermost pixels, whose neighbours are not there, become wrong, and so does one more pixel
 * on each side: the margin is 2 * SWEEPS pixels wide. */
kernel void __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
flow_sweep (global const float *step, PLANES, int width, int height,
    global const float *in, global float *out)
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
