/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes a field of flow from patches, and the numbers that are kept from a field. The algorithm
 * is described in docs/algorithms/flow.md. */
#define HAS_LANES 1
#include "flow/flow.h"

/* Lanes of a row of @width pixels from pixel @x on */
#define N_LANES(x, width) min (LANES, width - (x))

/* Writes vectors to arrays of uint and of uchar, of which @n lanes have a place. */
static inline __attribute__ ((always_inline)) void
put_words (global uint * p, uintn v, int n)
{
#if LANES == 1
  *p = v;
#else
  uint lanes[LANES];

  if (n == LANES) {
    vstoren (v, 0, p);
    return;
  }
  vstoren (v, 0, lanes);
  for (int i = 0; i < n; i++)
    p[i] = lanes[i];
#endif
}

static inline __attribute__ ((always_inline)) void
put_bytes (global uchar * p, uintn v, int n)
{
#if LANES == 1
  *p = v;
#else
  uint lanes[LANES];

  if (n == LANES) {
    ((global Bytes *) p)->v = convert_ucharn (v);
    return;
  }
  vstoren (v, 0, lanes);
  for (int i = 0; i < n; i++)
    p[i] = lanes[i];
#endif
}

/* Returns the bytes that put_bytes() has written. */
static inline __attribute__ ((always_inline)) uintn
get_bytes (global const uchar * p, int n)
{
#if LANES == 1
  return *p;
#else
  uint lanes[LANES];

  if (n == LANES)
    return convert_uintn (((global const Bytes *) p)->v);
  for (int i = 0; i < LANES; i++)
    lanes[i] = i < n ? p[i] : 0;
  return vloadn (0, lanes);
#endif
}

/* Gives each lane a member of its patch: four pixels side by side have the same one. */
#if LANES == 1
#define SPREAD(f, member) (f)[0].member
#elif LANES == 4
#define SPREAD(f, member) (float4) ((f)[0].member)
#elif LANES == 8
#define SPREAD(f, member) (float8) ((float4) ((f)[0].member), (float4) ((f)[1].member))
#else
#define SPREAD(f, member) (float16) ((float4) ((f)[0].member), (float4) ((f)[1].member), \
    (float4) ((f)[2].member), (float4) ((f)[3].member))
#endif
#define N_PATCHES ((LANES + 3) / 4)

/* Work-item (i, y) makes the motion of LANES pixels, from (i * LANES, y) on, the weighted mean of
 * those of the four patches over each pixel, and the same of their mean differences. */
kernel void
flow_field (global const ushort * from, global const ushort * to, LEVEL,
    int n_columns, global const float4 * found, global float *field,
    global float *mean, PLANES)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  int at = plane_at (plane_stride, x, y);
  floatn column = convert_floatn (x + INDEX), pixel;
  floatn sum = 0, u = 0, v = 0, m = 0, r;

  if (x >= width || y >= height)
    return;
  pixel = get_pixel (from, LEVEL_ARGS, x, y);
  for (int k = 0; k < 4; k++) {
    global const float4 *row = found + ((y >> 2) + k / 2) * n_columns;
    float4 f[N_PATCHES];
    floatn fu, fv, fm, d, w;

    for (int i = 0; i < N_PATCHES; i++)
      f[i] = row[min ((x >> 2) + k % 2 + i, n_columns - 1)];
    fu = SPREAD (f, x);
    fv = SPREAD (f, y);
    fm = SPREAD (f, z);
    d = sample_level (to, LEVEL_ARGS, column + fu, (float) y + fv) - pixel - fm;
    w = fma (0.25f * d, d, SPREAD (f, w) * 0.015625f);
    w = reciprocal (max (w, (floatn) (1.0f)));
    sum += w;
    u = fma (w, fu, u);
    v = fma (w, fv, v);
    m = fma (w, fm, m);
  }
  r = reciprocal (sum);
  vstoren (u * r, 0, field + U * plane_size + at);
  vstoren (v * r, 0, field + V * plane_size + at);
  vstoren (m * r, 0, mean + at);
}

/* Returns elements of a row of a plane from column @x on; beyond the ends the nearest one. */
static inline __attribute__ ((always_inline)) floatn
get_near (global const float *row, int width, int x)
{
#if LANES == 1
  return row[clamp (x, 0, width - 1)];
#else
  intn column = clamp (x + INDEX, (intn) (0), (intn) (width - 1));

  if (x >= 0 && x + LANES <= width)
    return vloadn (0, row + x);
#define NEAR(s) row[column.s]
  return (floatn) (LIST (NEAR));
#undef NEAR
#endif
}

/* Writes vectors to a row, lanes of @even and @odd interleaved. */
static inline __attribute__ ((always_inline)) void
put_interleaved (global float *p, floatn even, floatn odd)
{
#if LANES == 1
  p[0] = even;
  p[1] = odd;
#else
  MATH_JOIN (float, LANES) low, high;

  low.even = even.lo;
  low.odd = odd.lo;
  high.even = even.hi;
  high.odd = odd.hi;
  vstoren (low, 0, p);
  vstoren (high, 0, p + LANES);
#endif
}

/* Enlarges a part of the plane @in, of width x height pixels, to twice its size: computes 2 * LANES
 * pixels of row @y of @out, from column 2 * @x on, and multiplies their values by @factor. */
static inline __attribute__ ((always_inline)) void
enlarge_pixels (global const float *in, int plane_stride, int width,
    int height, int x, int y, float factor, global float *out)
{
  floatn even = 0, odd = 0;

  for (int i = 0; i < 2; i++) {
    /* the nearer row, then the farther one */
    int row = clamp ((y >> 1) + i * (2 * (y & 1) - 1), 0, height - 1);
    global const float *p = in + plane_at (plane_stride, 0, row);
    floatn here = 0.75f * get_near (p, width, x);
    floatn left = fma ((floatn) (0.25f), get_near (p, width, x - 1), here);
    floatn right = fma ((floatn) (0.25f), get_near (p, width, x + 1), here);

    even = i == 0 ? 0.75f * factor * left
        : fma ((floatn) (0.25f * factor), left, even);
    odd = i == 0 ? 0.75f * factor * right
        : fma ((floatn) (0.25f * factor), right, odd);
  }
  put_interleaved (out + plane_at (plane_stride, 2 * x, y), even, odd);
}

/* Enlarges a field of width x height pixels to twice its size, with out_height rows. Work-item (i, y)
 * computes 2 * LANES pixels of row y, from column 2 * i * LANES on. */
kernel void
flow_enlarge (global const float *field, global const float *mean, PLANES,
    int width, int height, int out_height, global float *out_field,
    global float *out_mean)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);

  if (x >= width || y >= out_height)
    return;
  for (int i = 0; i < N_FIELD_PLANES; i++)
    enlarge_pixels (field + i * plane_size, plane_stride, width, height, x, y,
        2, out_field + i * plane_size);
  enlarge_pixels (mean, plane_stride, width, height, x, y, 1, out_mean);
}

/* ---- What is kept ------------------------------------------------------------------ */

/* Returns the bits of two numbers that are rounded to short, the first one in the lower half. */
static uintn
round_pair (floatn a, floatn b)
{
  return (round_to_uint (a) & 0xffffu) | round_to_uint (b) << 16;
}

/* Work-item (i, y) writes the flow of LANES pixels of the level, from (i * LANES, y) on, in units
 * of 1/32 pixel of the frame, to @flow and, for the search in the next frame, to @kept. Writes to
 * @residual the difference between both frames there, without the mean of the patches, and to
 * @confidence 255 where the pixel moves to a position inside the other frame, else 0. The frame has
 * 2^shift times the size of the level. */
kernel void
flow_keep (global const ushort * from, global const ushort * to, LEVEL,
    int shift, global const float *field, global const float *mean, PLANES,
    global uint * flow, global uint * kept, global float *residual,
    global uchar * confidence)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  int at = plane_at (plane_stride, x, y), n = N_LANES (x, width);
  float unit = 32 << shift;
  floatn most = 1023 * as_float ((127 - shift) << 23);
  floatn u, v, px, py;
  uintn rounded;
  intn is_inside;

  if (x >= width || y >= height)
    return;
  u = clamp (vloadn (0, field + U * plane_size + at), -most, most);
  v = clamp (vloadn (0, field + V * plane_size + at), -most, most);
  rounded = round_pair (u * unit, v * unit);
  put_words (flow + y * width + x, rounded, n);
  put_words (kept + y * width + x, rounded, n);
  px = convert_floatn (x + INDEX) + u;
  py = (float) y + v;
  vstoren (absolute (sample_level (to, LEVEL_ARGS, px, py)
      - get_pixel (from, LEVEL_ARGS, x, y) - vloadn (0, mean + at)), 0,
      residual + at);
  is_inside = MASK (px >= -0.5f) & MASK (py >= -0.5f)
      & MASK (px <= width - 0.5f) & MASK (py <= height - 0.5f);
  put_bytes (confidence + y * width + x, as_uintn (is_inside & 255), n);
}

/* Work-item (i, y) writes the confidence of LANES pixels, from (i * LANES, y) on. It is 0 where it
 * is 0 now; elsewhere it is 255 now. */
kernel void
flow_trust (global const float *residual, PLANES, int width, int height,
    global uchar * confidence)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  int n = N_LANES (x, width);
  floatn sum = 0;
  uintn is_inside;

  if (x >= width || y >= height)
    return;
  for (int j = -2; j <= 2; j++) {
    global const float *p = residual + plane_at (plane_stride, 0,
        clamp (y + j, 0, height - 1));
    floatn row = 0;

    for (int i = -2; i <= 2; i++)
      row += get_near (p, width, x + i);
    sum += row;
  }
  sum = min (0.4f * sum, (floatn) (255.0f));
  is_inside = get_bytes (confidence + y * width + x, n);
  put_bytes (confidence + y * width + x,
      is_inside & (255 - round_to_uint (sum)), n);
}

/* Returns both numbers of words that round_pair() has made. */
static floatn
get_x (uintn words)
{
  return convert_floatn (as_intn (words << 16) >> 16);
}

static floatn
get_y (uintn words)
{
  return convert_floatn (as_intn (words) >> 16);
}

/* Returns the word at an index for each lane. */
static inline __attribute__ ((always_inline)) uintn
gather_words (global const uint * flow, intn at)
{
#if LANES == 1
  return flow[at];
#else
#define WORD(s) flow[at.s]
  return (uintn) (LIST (WORD));
#undef WORD
#endif
}

/* Returns the bilinear sample between four numbers, a and b side by side and c and d below. */
static floatn
mix_four (floatn a, floatn b, floatn c, floatn d, floatn fx, floatn fy)
{
  a = fma (fx, b - a, a);
  c = fma (fx, d - c, c);
  return fma (fy, c - a, a);
}

/* Work-item (i, y) lowers the confidence of LANES pixels, from (i * LANES, y) on, where @back, the
 * flow from the second frame to the first, contradicts @flow. A sample is 2^shift pixels wide. */
kernel void
flow_compare (global const uint * flow, global const uint * back,
    int width, int height, int shift, global uchar * confidence)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  int n = N_LANES (x, width);
  float unit = as_float ((122 - shift) << 23);
  uintn here, a, b, c, d;
  floatn px, py, dx, dy, square, distance;
  intn x0, y0, x1, y1, right = width - 1, bottom = height - 1;

  if (x >= width || y >= height)
    return;
  here = gather_words (flow, y * width + min (x + INDEX, right));
  px = clamp (fma (get_x (here), (floatn) (unit), convert_floatn (x + INDEX)),
      (floatn) (0.0f), convert_floatn (right));
  py = clamp (fma (get_y (here), (floatn) (unit), (floatn) ((float) y)),
      (floatn) (0.0f), convert_floatn (bottom));
  x0 = convert_intn (px);
  y0 = convert_intn (py);
  x1 = min (x0 + 1, right);
  y1 = min (y0 + 1, bottom);
  a = gather_words (back, y0 * width + x0);
  b = gather_words (back, y0 * width + x1);
  c = gather_words (back, y1 * width + x0);
  d = gather_words (back, y1 * width + x1);
  px -= convert_floatn (x0);
  py -= convert_floatn (y0);
  dx = get_x (here) + mix_four (get_x (a), get_x (b), get_x (c), get_x (d), px,
      py);
  dy = get_y (here) + mix_four (get_y (a), get_y (b), get_y (c), get_y (d), px,
      py);
  square = fma (dy, dy, dx * dx) + 0x1p-20f;
  distance = min (2.0f * square * reciprocal_root (square),
      (floatn) (255.0f));
  put_bytes (confidence + y * width + x,
      min (get_bytes (confidence + y * width + x, n),
          255 - round_to_uint (distance)), n);
}
