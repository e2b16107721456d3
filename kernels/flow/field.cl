/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes a field of flow from patches, and the numbers that are kept from a field. The algorithm
 * is described in docs/algorithms/flow.md. */
#include "flow/flow.h"

/* Work-item (x, y) makes the motion of pixel (x, y) the weighted mean of those of the four
 * patches over it, and the same of their mean differences. */
kernel void
flow_field (global const ushort * from, global const ushort * to, LEVEL,
    int n_columns, global const float4 * found, global float *field,
    global float *mean, PLANES)
{
  int x = get_global_id (0), y = get_global_id (1);
  int at = plane_at (plane_stride, x, y);
  float sum = 0, u = 0, v = 0, m = 0, r;

  if (x >= width || y >= height)
    return;
  for (int k = 0; k < 4; k++) {
    float4 f = found[((y >> 2) + k / 2) * n_columns + (x >> 2) + k % 2];
    float d = sample_level (to, LEVEL_ARGS, x + f.x, y + f.y)
        - get_pixel (from, LEVEL_ARGS, x, y) - f.z;
    float w = reciprocal (max (fma (0.25f * d, d, f.w * 0.015625f), 1.0f));

    sum += w;
    u = fma (w, f.x, u);
    v = fma (w, f.y, v);
    m = fma (w, f.z, m);
  }
  r = reciprocal (sum);
  field[U * plane_size + at] = u * r;
  field[V * plane_size + at] = v * r;
  mean[at] = m * r;
}

/* Returns sample (x, y) of a plane of twice the size of @in, which is width x height; its values
 * are multiplied by @factor. */
static float
enlarge_sample (global const float *in, int plane_stride, int width,
    int height, int x, int y, float factor)
{
  int x0 = x >> 1, y0 = y >> 1;
  int x1 = x & 1 ? x0 + 1 : x0 - 1, y1 = y & 1 ? y0 + 1 : y0 - 1;
  float near = fma (0.25f, at_edge (in, plane_stride, width, height, x1, y0),
      0.75f * at_edge (in, plane_stride, width, height, x0, y0));
  float far = fma (0.25f, at_edge (in, plane_stride, width, height, x1, y1),
      0.75f * at_edge (in, plane_stride, width, height, x0, y1));

  return fma (0.25f * factor, far, 0.75f * factor * near);
}

/* Work-item (x, y) makes pixel (x, y) of a field of out_width x out_height from one of half the
 * size, width x height. */
kernel void
flow_enlarge (global const float *field, global const float *mean, PLANES,
    int width, int height, int out_width, int out_height,
    global float *out_field, global float *out_mean)
{
  int x = get_global_id (0), y = get_global_id (1);
  int at = plane_at (plane_stride, x, y);

  if (x >= out_width || y >= out_height)
    return;
  for (int i = 0; i < N_FIELD_PLANES; i++)
    out_field[i * plane_size + at] = enlarge_sample (field + i * plane_size,
        plane_stride, width, height, x, y, 2);
  out_mean[at] =
      enlarge_sample (mean, plane_stride, width, height, x, y, 1);
}

/* ---- What is kept ------------------------------------------------------------------ */

/* Work-item (x, y) writes the flow of pixel (x, y) of the level, in units of 1/32 pixel of the
 * frame, to @flow and, for the search in the next frame, to @kept. Writes to @residual the
 * difference between both frames there, without the mean of the patches, and to @confidence
 * whether the pixel moves to a position inside the other frame. The frame has 2^shift times the
 * size of the level. */
kernel void
flow_keep (global const ushort * from, global const ushort * to, LEVEL,
    int shift, global const float *field, global const float *mean, PLANES,
    global short2 * flow, global short2 * kept, global float *residual,
    global uchar * confidence)
{
  int x = get_global_id (0), y = get_global_id (1);
  int at = plane_at (plane_stride, x, y);
  float unit = 32 << shift, most = 1023 * as_float ((127 - shift) << 23);
  float u, v;
  short2 rounded;

  if (x >= width || y >= height)
    return;
  u = clamp (field[U * plane_size + at], -most, most);
  v = clamp (field[V * plane_size + at], -most, most);
  rounded =
      (short2) (convert_short_rte (u * unit), convert_short_rte (v * unit));
  flow[y * width + x] = rounded;
  kept[y * width + x] = rounded;
  residual[at] = absolute (sample_level (to, LEVEL_ARGS, x + u, y + v)
      - get_pixel (from, LEVEL_ARGS, x, y) - mean[at]);
  confidence[y * width + x] = x + u >= -0.5f && y + v >= -0.5f
      && x + u <= width - 0.5f && y + v <= height - 0.5f;
}

/* Work-item (x, y) writes the confidence of pixel (x, y), which is 0 where it is 0 now. */
kernel void
flow_trust (global const float *residual, PLANES, int width, int height,
    global uchar * confidence)
{
  int x = get_global_id (0), y = get_global_id (1);
  float sum = 0;

  if (x >= width || y >= height)
    return;
  for (int j = -2; j <= 2; j++) {
    float row = 0;

    for (int i = -2; i <= 2; i++)
      row += at_edge (residual, plane_stride, width, height, x + i, y + j);
    sum += row;
  }
  sum = min (0.4f * sum, 255.0f);
  confidence[y * width + x] = confidence[y * width + x] > 0
      ? 255 - convert_int_rte (sum) : 0;
}

/* Returns the bilinear sample of a field at (px, py). */
static float2
sample_flow (global const short2 * flow, int width, int height, float px,
    float py)
{
  float x = clamp (px, 0.0f, (float) (width - 1));
  float y = clamp (py, 0.0f, (float) (height - 1));
  int x0 = (int) x, y0 = (int) y;
  int x1 = min (x0 + 1, width - 1), y1 = min (y0 + 1, height - 1);
  float2 fx = x - x0, fy = y - y0;
  float2 a = convert_float2 (flow[y0 * width + x0]);
  float2 b = convert_float2 (flow[y0 * width + x1]);
  float2 c = convert_float2 (flow[y1 * width + x0]);
  float2 d = convert_float2 (flow[y1 * width + x1]);

  a = fma (fx, b - a, a);
  c = fma (fx, d - c, c);
  return fma (fy, c - a, a);
}

/* Work-item (x, y) lowers the confidence of pixel (x, y) where @back, the flow from the second
 * frame to the first, contradicts @flow. A sample is 2^shift pixels wide. */
kernel void
flow_compare (global const short2 * flow, global const short2 * back,
    int width, int height, int shift, global uchar * confidence)
{
  int x = get_global_id (0), y = get_global_id (1);
  float unit = as_float ((122 - shift) << 23), square, distance;
  float2 f;

  if (x >= width || y >= height)
    return;
  f = convert_float2 (flow[y * width + x]);
  f += sample_flow (back, width, height, fma (f.x, unit, (float) x),
      fma (f.y, unit, (float) y));
  square = fma (f.y, f.y, f.x * f.x) + 0x1p-20f;
  distance = min (2 * square * reciprocal_root (square), 255.0f);
  confidence[y * width + x] = min ((int) confidence[y * width + x],
      255 - convert_int_rte (distance));
}
