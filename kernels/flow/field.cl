/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes a dense flow field from the motions of patches, enlarges fields from level to level,
 * and converts the last field to the result: flow in integers, and a confidence for each pixel.
 * The algorithm is described in docs/algorithms/flow.md. */
#define HAS_LANES 1
#include "flow/flow.h"

/* Number of lanes (elements of a vector), starting at column @x, that lie in a row of @width
 * pixels */
#define N_LANES(x, width) min (LANES, width - (x))

/* Writes the first @n lanes of a vector to the array at @p; put_bytes() does the same for an array
 * of bytes. */
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

/* Loads @n bytes from the array at @p into the first lanes of a vector. */
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

/* Returns a vector with a member of the patches in the array @f. Four adjacent lanes, which are
 * pixels of the same patch, get the same value. */
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

/* Computes a dense field: the motion of a pixel is the weighted mean of the motions of the four
 * patches that cover it. Writes to @mean the mean, with the same weights, of the mean gray level
 * differences of these patches. Work-item (i, y) processes LANES pixels of row y, starting at
 * column i * LANES. */
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

/* Returns LANES elements of a row of a plane, starting at column @x. Beyond the ends of the row,
 * its first or last element is repeated. */
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

/* Writes the lanes of @even and @odd to a row alternately. */
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

/* Doubles the width and height of the plane @in, which has width x height pixels, by bilinear
 * interpolation: computes 2 * LANES pixels of row @y of @out, starting at column 2 * @x, and
 * multiplies their values by @factor. */
static inline __attribute__ ((always_inline)) void
enlarge_pixels (global const float *in, int plane_stride, int width,
    int height, int x, int y, float factor, global float *out)
{
  floatn even = 0, odd = 0;

  for (int i = 0; i < 2; i++) {
    /* Uses the nearer of two rows of @in first, and the farther row in the second round. */
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

/* Doubles the width and height of a field of width x height pixels; the result has out_height rows.
 * Work-item (i, y) computes 2 * LANES pixels of row y, starting at column 2 * i * LANES. */
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

/* ---- Output ------------------------------------------------------------------------ */

/* Rounds two numbers to 16-bit integers, and packs them into a word: @a into the lower half, @b
 * into the upper half. */
static uintn
round_pair (floatn a, floatn b)
{
  return (round_to_uint (a) & 0xffffu) | round_to_uint (b) << 16;
}

/* Writes the flow of the pixels of a level, in units of 1/32 pixel of the frame, to @flow and, for
 * the search in the next frame, to @kept. Writes to @residual the absolute difference between a
 * pixel and the sample of the other frame to which it moves, after @mean was subtracted from the
 * difference. Writes to @confidence 255 if the pixel moves to a position inside the other frame,
 * otherwise 0. The frame has 2^shift times the width and height of the level. Work-item (i, y)
 * processes LANES pixels of row y, starting at column i * LANES. */
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

/* Lowers the confidence of the pixels where it is 255: subtracts 0.4 times the sum of the
 * residuals of the 5 x 5 pixels around each, at most 255. Where the confidence is 0, it stays 0.
 * Work-item (i, y) processes LANES pixels of row y, starting at column i * LANES. */
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

/* Returns the first number of each word that round_pair() packed; get_y() returns the second
 * number. */
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

/* Returns, for each lane, the word of @flow at the index in this lane of @at. */
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

/* Interpolates bilinearly between four neighbors, @a and @b in the upper row, @c and @d in the
 * lower row, at the fractions @fx and @fy. */
static floatn
mix_four (floatn a, floatn b, floatn c, floatn d, floatn fx, floatn fy)
{
  a = fma (fx, b - a, a);
  c = fma (fx, d - c, c);
  return fma (fy, c - a, a);
}

/* Lowers the confidence of pixels where @back, the flow from the second frame to the first,
 * contradicts @flow (forward-backward check). A flow sample is 2^shift pixels wide and high.
 * Work-item (i, y) processes LANES samples of row y, starting at column i * LANES. */
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
