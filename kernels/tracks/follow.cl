/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows points from a frame to the next frame, and back to the first one. The
 * algorithm is described in docs/algorithms/tracks.md. */

/* Number of work-items that process a window of 16x16 pixels together: 1, or 16, one for each
 * column */
#ifndef FOLLOW_ITEMS
#define FOLLOW_ITEMS 1
#endif

/* Number of windows that a work-group processes */
#ifndef WINDOWS
#define WINDOWS 4
#endif

#define LANES 1
#include "base/math.h"
#include "tracks/tracks-shared.h"

#define WINDOW 16
#define MAX_STEPS 8

#if FOLLOW_ITEMS == 1
typedef float16 columns;
#define LOAD(p) convert_float16 (vload16 (0, p))
#define SUMS
#define SUMS_ARGS
#define ADD_COLUMNS(a, b, c, d) (float4) (add_lanes (a), add_lanes (b), \
    add_lanes (c), add_lanes (d))

static float
add_lanes (float16 c)
{
  float8 s = c.lo + c.hi;
  float4 t = s.lo + s.hi;

  return (t.s0 + t.s2) + (t.s1 + t.s3);
}
#else
typedef float columns;
#define LOAD(p) convert_float (*(p))
#define SUMS , local float4 *sums
#define SUMS_ARGS , sums
#define ADD_COLUMNS(a, b, c, d) add_columns ((float4) (a, b, c, d), sums)

/* Returns the sums of four values over the columns of a window. All work-items of the work-group
 * call this function. */
static inline __attribute__((always_inline)) float4
add_columns (float4 column, local float4 * sums)
{
  local float4 *c = sums + get_local_id (0) / WINDOW * WINDOW;
  float4 s0, s1, s2, s3;

  barrier (CLK_LOCAL_MEM_FENCE);
  c[get_local_id (0) % WINDOW] = column;
  barrier (CLK_LOCAL_MEM_FENCE);
  s0 = (c[0] + c[8]) + (c[4] + c[12]);
  s1 = (c[1] + c[9]) + (c[5] + c[13]);
  s2 = (c[2] + c[10]) + (c[6] + c[14]);
  s3 = (c[3] + c[11]) + (c[7] + c[15]);
  return (s0 + s2) + (s1 + s3);
}
#endif

/* Parameters that describe the layout of level i: width, height, stride and offset */
#define LAYOUT(i) int width ## i, int height ## i, int stride ## i, int offset ## i
#define LAYOUT_ARGS(i) (int4) (width ## i, height ## i, stride ## i, offset ## i)

/* The columns of a window that a work-item processes, resampled at a position between pixels, with
 * their gradients; and values for the whole window */
typedef struct
{
  columns pixels[WINDOW], gx[WINDOW], gy[WINDOW];
  float mean_gx, mean_gy;
  float i11, i12, i22;          /* inverse of the matrix of a Gauss-Newton step */
} Window;

/* Three adjacent columns */
typedef struct
{
  columns left, middle, right;
} Row;

/* Loads adjacent pixels of a row, in 8-bit gray levels. */
static columns
load_columns (global const ushort * p)
{
  return LOAD (p) * 0.0625f;
}

/* Returns the weights of a quadratic B-spline for three adjacent pixels; @t is the distance, in
 * pixels, of the sample from the middle pixel. */
static float4
get_weights (float t)
{
  float a = 0.5f - t, b = 0.5f + t;

  return (float4) (0.5f * a * a, fma (-t, t, 0.75f), 0.5f * b * b, 0);
}

/* Returns the sums of three adjacent pixels, or of three rows, weighted with @w. */
static columns
weigh (columns a, columns b, columns c, float4 w)
{
  return fma ((columns) (w.z), c, fma ((columns) (w.y), b, w.x * a));
}

/* Returns samples that are interpolated along a row, from the pixels at @p and the two pixels to
 * the right. */
static columns
weigh_row (global const ushort * p, float4 w)
{
  return weigh (load_columns (p), load_columns (p + 1), load_columns (p + 2),
      w);
}

/* Returns samples that are interpolated along a row, for three adjacent columns. */
static Row
load_row (global const ushort * p, float4 w)
{
  columns a = load_columns (p), b = load_columns (p + 1);
  columns c = load_columns (p + 2), d = load_columns (p + 3);
  columns e = load_columns (p + 4);
  Row row = { weigh (a, b, c, w), weigh (b, c, d, w), weigh (c, d, e, w) };

  return row;
}

/* Returns samples that are interpolated between the rows @a, @b and @c. */
static Row
mix_rows (Row a, Row b, Row c, float4 w)
{
  Row row = { weigh (a.left, b.left, c.left, w),
    weigh (a.middle, b.middle, c.middle, w),
    weigh (a.right, b.right, c.right, w)
  };

  return row;
}

/* Resamples the window whose first pixel is at (px, py), and computes its gradients and the inverse
 * of their Gauss-Newton matrix. */
static inline __attribute__((always_inline))
     void cut_window (global const ushort * level, int4 layout, float px,
    float py, int column, Window * w SUMS)
{
  float left = floor (px + 0.5f), top = floor (py + 0.5f);
  float4 across = get_weights (px - left), down = get_weights (py - top);
  global const ushort *p = level + layout.w + ((int) top - 2) * layout.z
      + (int) left - 2 + column;
  columns sx = 0, sy = 0, xx = 0, xy = 0, yy = 0;
  Row a = load_row (p, across), b = load_row (p + layout.z, across);
  Row c = load_row (p + 2 * layout.z, across);
  Row above = mix_rows (a, b, c, down), here, below;
  float4 s, t;
  float h11, h12, h22, r;

  p += 3 * layout.z;
  a = b;
  b = c;
  c = load_row (p, across);
  here = mix_rows (a, b, c, down);
  for (int j = 0; j < WINDOW; j++) {
    columns gx, gy;

    p += layout.z;
    a = b;
    b = c;
    c = load_row (p, across);
    below = mix_rows (a, b, c, down);
    gx = ((above.right - above.left) + 2 * (here.right - here.left)
        + (below.right - below.left)) * 0.125f;
    gy = ((below.left - above.left) + 2 * (below.middle - above.middle)
        + (below.right - above.right)) * 0.125f;
    w->pixels[j] = here.middle;
    w->gx[j] = gx;
    w->gy[j] = gy;
    sx += gx;
    sy += gy;
    xx = fma (gx, gx, xx);
    xy = fma (gx, gy, xy);
    yy = fma (gy, gy, yy);
    above = here;
    here = below;
  }
  s = ADD_COLUMNS (sx, sy, xx, xy);
  t = ADD_COLUMNS (yy, yy, yy, yy);
  w->mean_gx = s.x * 0x1p-8f;
  w->mean_gy = s.y * 0x1p-8f;
  h11 = fma (-w->mean_gx, s.x, s.z) + 64;
  h12 = fma (-w->mean_gx, s.y, s.w);
  h22 = fma (-w->mean_gy, s.y, t.x) + 64;
  r = reciprocal (fma (-h12, h12, h11 * h22));
  w->i11 = h22 * r;
  w->i12 = -h12 * r;
  w->i22 = h11 * r;
}

/* Returns the Gauss-Newton step of the motion of a window whose first pixel has moved to (px,
 * py). */
static inline __attribute__((always_inline)) float2
get_step (global const ushort * level, int4 layout, float px, float py,
    int column, const Window * w SUMS)
{
  float x = clamp (px, -14.0f, layout.x - 2.0f), left = floor (x + 0.5f);
  float y = clamp (py, -14.0f, layout.y - 2.0f), top = floor (y + 0.5f);
  float4 across = get_weights (x - left), down = get_weights (y - top);
  global const ushort *p = level + layout.w + ((int) top - 1) * layout.z
      + (int) left - 1 + column;
  columns upper = weigh_row (p, across);
  columns here = weigh_row (p + layout.z, across);
  columns s = 0, dx = 0, dy = 0;
  float4 sums_of;
  float bx, by;

  for (int j = 0; j < WINDOW; j++) {
    columns lower = weigh_row (p + 2 * layout.z, across);
    columns d = weigh (upper, here, lower, down) - w->pixels[j];

    p += layout.z;
    upper = here;
    here = lower;
    s += d;
    dx = fma (d, w->gx[j], dx);
    dy = fma (d, w->gy[j], dy);
  }
  sums_of = ADD_COLUMNS (s, dx, dy, dy);
  bx = fma (-sums_of.x, w->mean_gx, sums_of.y);
  by = fma (-sums_of.x, w->mean_gy, sums_of.z);
  return (float2) (fma (w->i12, by, w->i11 * bx),
      fma (w->i22, by, w->i12 * bx));
}

/* Returns the motion of the window around @place between two frames; the search begins with
 * @motion. */
static inline __attribute__((always_inline)) float2
follow (global const ushort * from, global const ushort * to,
    const int4 * layouts, float2 place, float2 motion, int column SUMS)
{
  Window window;

  motion *= 0.125f;
  for (int l = TRACKS_N_LEVELS - 1; l >= 0; l--) {
    int4 layout = layouts[l];
    float scale = as_float ((127 - l) << 23);
    float px = fma (place.x + 0.5f, scale, -8.0f);
    float py = fma (place.y + 0.5f, scale, -8.0f);
    bool goes_on = true;

    motion = l < TRACKS_N_LEVELS - 1 ? 2 * motion : motion;
    cut_window (from, layout, px, py, column, &window SUMS_ARGS);
    for (int k = 0; k < MAX_STEPS; k++) {
      float2 step, next;

#if FOLLOW_ITEMS == 1
      if (!goes_on)
        break;
#endif
      step = get_step (to, layout, px + motion.x, py + motion.y, column,
          &window SUMS_ARGS);
      next.x = clamp (motion.x - step.x, (float) -layout.x, (float) layout.x);
      next.y = clamp (motion.y - step.y, (float) -layout.y, (float) layout.y);
      motion = goes_on ? next : motion;
      goes_on = goes_on && fma (step.y, step.y, step.x * step.x) >= 1e-4f;
    }
  }
  return motion;
}

/* Follows track i of @tracks, with FOLLOW_ITEMS work-items, from the levels @from of the
 * previous frame to the levels @to of this frame, and back. Sets is_alive[i] to whether the
 * track returns to where it began. */
kernel void
tracks_follow (global const ushort * from, global const ushort * to,
    LAYOUT (0), LAYOUT (1), LAYOUT (2), LAYOUT (3),
    global uint8 * tracks, global int *is_alive)
{
  const int4 layouts[TRACKS_N_LEVELS] = {
    LAYOUT_ARGS (0), LAYOUT_ARGS (1), LAYOUT_ARGS (2), LAYOUT_ARGS (3)
  };
  int n = tracks[0].s0;
  int id = get_global_id (0) / FOLLOW_ITEMS;
  int column = FOLLOW_ITEMS == 1 ? 0 : get_local_id (0) % WINDOW;
  uint8 track = id < n ? tracks[1 + id] : (uint8) (0);
  float2 start = as_float2 (track.s01), motion = as_float2 (track.s45);
  float2 end, back, error;
  float2 most = (float2) (width0 - 1, height0 - 1);
  bool is_inside;
#if FOLLOW_ITEMS > 1
  local float4 sums[WINDOWS * WINDOW];
#else
  if (id >= n)
    return;
#endif

  motion = follow (from, to, layouts, start, motion, column SUMS_ARGS);
  end = start + motion;
  is_inside = end.x >= 0 && end.y >= 0 && end.x <= most.x && end.y <= most.y;
  back = follow (to, from, layouts, clamp (end, (float2) (0), most), -motion,
      column SUMS_ARGS);
  error = (end + back) - start;
#if FOLLOW_ITEMS > 1
  /* Writes the track only after all work-items of the window have read it. */
  barrier (CLK_GLOBAL_MEM_FENCE);
#endif
  if (id < n && column == 0) {
    is_alive[id] = is_inside
        && fma (error.y, error.y, error.x * error.x) <= 0.25f;
    track.s01 = as_uint2 (end);
    track.s23 = as_uint2 (start);
    track.s45 = as_uint2 (motion);
    tracks[1 + id] = track;
  }
}
