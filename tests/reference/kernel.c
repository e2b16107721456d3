/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Scalar versions of the kernels in examples/kernels and of the kernels of mgpukernel's tests. */
#include "kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "reciprocal.h"
#include "samples.h"

/* ---- Functions of mgpu-kernel.h -------------------------------------------------- */

static void
load (const RefKernelFrame * f, int x, int y, int v[4])
{
  int max = f->planes[0].max;

  x = ref_clamp (x, 0, f->width - 1);
  y = ref_clamp (y, 0, f->height - 1);
  v[1] = v[2] = (max + 1) / 2;
  v[3] = f->has_alpha ? ref_get (&f->planes[3], x, y) : max;
  for (int i = 0; i < f->n; i++) {
    const RefPlane *p = &f->planes[i];

    v[i] = ref_get (p, x >> ref_subsampling (f->width, p->width),
        y >> ref_subsampling (f->height, p->height));
  }
}

static void
convert (const RefKernelMatrix * m, int n, int neutral, const int v[4],
    int out[4])
{
  for (int i = 0; i < 3; i++) {
    int64_t sum = m->offset[i];

    for (int k = 0; k < 3; k++)
      sum += (int64_t) m->factor[i][k] * v[k];
    sum >>= m->bits;
    out[i] = i >= n ? neutral : sum < 0 ? 0 : sum > m->max ? m->max : (int) sum;
  }
  out[3] = v[3];
}

static void
load_rgb (const RefKernelFrame * f, int x, int y, int v[4])
{
  int c[4];

  load (f, x, y, c);
  convert (&f->to_rgb, 3, 0, c, v);
}

static void
from_rgb (const RefKernelFrame * f, const int rgb[4], int v[4])
{
  convert (&f->from_rgb, f->n, (f->planes[0].max + 1) / 2, rgb, v);
}

/* Returns the ends of the nominal range of component @i of a pixel. */
static void
get_range (const RefKernelFrame * f, int i, int *low, int *range)
{
  const RefPlane *p = &f->planes[i < f->n ? i : 0];

  *low = i == 3 ? 0 : p->lo;
  *range = i == 3 ? p->max : p->hi - p->lo;
}

static void
load_float (const RefKernelFrame * f, int x, int y, float v[4])
{
  int c[4], low, range;

  load (f, x, y, c);
  for (int i = 0; i < 4; i++) {
    get_range (f, i, &low, &range);
    v[i] = (float) (c[i] - low) / (float) range;
  }
}

static void
from_float (const RefKernelFrame * f, const float v[4], int c[4])
{
  int low, range;

  for (int i = 0; i < 4; i++) {
    float limited = v[i] < -4 ? -4 : v[i] > 4 ? 4 : v[i];

    get_range (f, i, &low, &range);
    c[i] = (int) rintf (limited * (float) range) + low;
  }
}

static float
exp2_ (float t)
{
  uint32_t line = bits_of (t + 488.5f) << 8;
  float m = float_of ((line & 0x007fffff) ^ 0x3fc00000);
  float curve = fmaf (113532.828f, m, -17827.5703f);

  curve = fmaf (curve, m, 1397654.38f);
  curve = fmaf (curve, m, -5771228.0f);
  curve = fmaf (curve, m, 16860802.0f);
  return float_of (line + bits_of (curve));
}

/* ---- Kernels that are called for each pixel ---------------------------------------- */

typedef void (*Pixel) (const RefKernelCall * call, int x, int y, int v[4]);

static void
edges (const RefKernelCall * call, int x, int y, int v[4])
{
  int a[4], b[4], c[4], d[4], sum;

  load (call->in, x + 1, y, a);
  load (call->in, x - 1, y, b);
  load (call->in, x, y + 1, c);
  load (call->in, x, y - 1, d);
  sum = abs (a[0] - b[0]) + abs (c[0] - d[0]);
  call->results[0] += sum > call->in->planes[0].max / 4;
  v[0] = sum * (int) call->param[0];
}

static void
sobel (const RefKernelCall * call, int x, int y, int v[4])
{
  static const int weights[3] = { 1, 2, 1 };
  float dx, dy;
  int sum[2] = { 0 };

  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int c[4];

      load (call->in, x + i, y + j, c);
      sum[0] += i * weights[j + 1] * c[0];
      sum[1] += j * weights[i + 1] * c[0];
    }
  dx = (float) sum[0];
  dy = (float) sum[1];
  v[0] = (int) rintf (ref_root (fmaf (dx, dx, dy * dy)));
}

static void
temporal_mean (const RefKernelCall * call, int x, int y, int v[4])
{
  int32_t *m = call->kept + 4 * ((size_t) y * call->in->width + x);

  for (int i = 0; i < 4; i++) {
    m[i] = call->number == 0 ? v[i] * 256
        : m[i] + ((v[i] * 256 - m[i]) >> (int) call->param[0]);
    v[i] = (m[i] + 128) >> 8;
  }
}

static void
difference (const RefKernelCall * call, int x, int y, int v[4])
{
  int old[4];

  load (call->previous, x, y, old);
  for (int i = 0; i < 4; i++)
    v[i] = (v[i] - old[i] + call->in->planes[0].max + 1) / 2;
}

static void
chroma_key (const RefKernelCall * call, int x, int y, int v[4])
{
  int max = call->in->planes[0].max, other_max = call->second->planes[0].max;
  int c[4], other[4], mixed[4], most, excess, range, w;

  load_rgb (call->in, x, y, c);
  load_rgb (call->second, x, y, other);
  most = c[0] > c[2] ? c[0] : c[2];
  excess = (c[1] - most) * 256 / (max + 1);
  range = (int) call->param[1] - (int) call->param[0];
  range = range > 1 ? range : 1;
  w = ref_clamp ((excess - (int) call->param[0]) * 64 / range, 0, 64);
  for (int i = 0; i < 4; i++) {
    other[i] = other_max < max ? other[i] * ((max + 1) / (other_max + 1))
        : other[i] / ((other_max + 1) / (max + 1));
    mixed[i] = (c[i] * (64 - w) + other[i] * w + 32) >> 6;
  }
  mixed[3] = c[3];
  from_rgb (call->out, mixed, v);
}

static void
vignette (const RefKernelCall * call, int x, int y, int v[4])
{
  int width = call->in->width, height = call->in->height;
  float dx = (float) (2 * x + 1 - width), dy = (float) (2 * y + 1 - height);
  float r = fmaf (dx, dx, dy * dy)
      * ref_reciprocal ((float) width * width + (float) height * height);
  float c[4], gain = fmaf (-(float) call->param[0], r, 1);

  load_float (call->in, x, y, c);
  for (int i = 0; i < 4; i++) {
    float neutral = i == 3 ? c[3] : i == 0 || call->in->is_rgb ? 0 : 0.5f;

    c[i] = neutral + (c[i] - neutral) * gain;
  }
  from_float (call->out, c, v);
}

static void
pixelate (const RefKernelCall * call, int x, int y, int v[4])
{
  int size = (int) call->param[0];

  load (call->in, x / size * size + size / 2, y / size * size + size / 2, v);
}

static void
false_colour (const RefKernelCall * call, int x, int y, int v[4])
{
  int max = call->in->planes[0].max, c[4], rgb[4], t, up, down;

  load_rgb (call->in, x, y, c);
  t = (2 * c[0] + 5 * c[1] + c[2]) / 8 * 4;
  up = ref_clamp (t, 0, max);
  down = ref_clamp (4 * max - t, 0, max);
  rgb[0] = ref_clamp (t - 2 * max, 0, max);
  rgb[1] = up < down ? up : down;
  rgb[2] = ref_clamp (2 * max - t, 0, max);
  rgb[3] = c[3];
  from_rgb (call->out, rgb, v);
}

static void
lut (const RefKernelCall * call, int x, int y, int v[4])
{
  static const int curve[17] = { 0, 6, 14, 24, 37, 53, 73, 98, 127, 156, 181,
    201, 217, 230, 240, 248, 255
  };
  uint32_t max = call->in->planes[0].max;
  int at = (int) ((uint32_t) v[0] * 65536u / (max + 1));
  int i = at >> 12, f = at & 4095;
  uint32_t value = (curve[i] * (4096 - f) + curve[i + 1] * f + 2048) >> 12;

  v[0] = (int) (value * max / 255);
}

static void
identity (const RefKernelCall * call, int x, int y, int v[4])
{
}

/* Reads the frame a third of a pixel to the left of the pixel and half a pixel above it, with
 * bilinear interpolation. */
static void
shift (const RefKernelCall * call, int x, int y, int v[4])
{
  int u = x * 256 - 85, w = y * 256 - 128;
  uint32_t f = u & 255, g = w & 255;
  int c[4][4];

  for (int i = 0; i < 4; i++)
    load (call->in, (u >> 8) + i % 2, (w >> 8) + i / 2, c[i]);
  for (int i = 0; i < 4; i++) {
    uint32_t a = c[0][i] * (256 - f) + c[1][i] * f;
    uint32_t b = c[2][i] * (256 - f) + c[3][i] * f;

    v[i] = (a * (256 - g) + b * g + 32768) >> 16;
  }
}

/* Fades: @previous is the last result of this pixel. */
static void
trail (const RefKernelCall * call, int x, int y, int v[4])
{
  int old[4];

  load (call->previous, x, y, old);
  for (int i = 0; i < 4; i++)
    v[i] = call->number > 0 ? (v[i] + 3 * old[i] + 2) >> 2 : v[i];
}

/* Uses all arithmetic functions, and the variables that describe the frame. */
static void
numbers (const RefKernelCall * call, int x, int y, int v[4])
{
  float t = (float) v[0] * (1.0f / 65536);

  v[1] = (int) rintf (exp2_ (-8 * t) * 200 + ref_root (t) * 50);
  v[2] = (int) rintf (ref_reciprocal (1 + t) * 250);
  v[0] = (int) ((call->number * 40 + (uint64_t) x) % 256);
}

/* Adds a box to the list @list if it contains a pixel of the frame. */
static void
add_box (const RefKernelCall * call, int32_t * list, int x, int y, int width,
    int height, float score)
{
  int32_t *box = list + 1 + 5 * list[0];

  if (width <= 0 || height <= 0 || x >= call->in->width
      || y >= call->in->height || x + width <= 0 || y + height <= 0)
    return;
  list[0]++;
  box[0] = x;
  box[1] = y;
  box[2] = width;
  box[3] = height;
  box[4] = (int32_t) bits_of (score);
}

/* Counts bright pixels, and adds boxes for bright and for dark pixels, of which there may be 2500
 * and 700. */
static void
spots (const RefKernelCall * call, int x, int y, int v[4])
{
  int max = call->in->planes[0].max;

  if (v[0] * 50 > max * 49) {
    call->results[0]++;
    add_box (call, call->results + 1, x - 1, y - 1, 3, 2, (float) v[0]);
  }
  if (v[0] * 64 < max) {
    int32_t *dark = call->results + 2 + 5 * 2500;

    add_box (call, dark, x, y, 1, 1, -0.5f * (float) v[0]);
    /* Most of these boxes are outside of the frame, or empty. */
    add_box (call, dark, x - call->in->width, y - 4, 8, 6, 1);
    add_box (call, dark, x + call->in->width - 3, y + 2, 4, y - 3, 2);
  }
}

/* Marks pixels whose luma is above the middle of the range. */
static void
mask (const RefKernelCall * call, int x, int y, int v[4])
{
  v[0] = v[0] > call->in->planes[0].max / 2 ? 255 : 0;
}

static const struct
{
  const char *name;
  Pixel pixel;
} pixels[] = {
  {"edges", edges},
  {"sobel", sobel},
  {"temporal-mean", temporal_mean},
  {"difference", difference},
  {"chroma-key", chroma_key},
  {"vignette", vignette},
  {"pixelate", pixelate},
  {"false-colour", false_colour},
  {"lut", lut},
  {"identity", identity},
  {"shift", shift},
  {"trail", trail},
  {"numbers", numbers},
  {"mask", mask},
  {"spots", spots}
};

/* Calls a kernel for all pixels; chroma that several pixels share is the rounded mean of their
 * results. */
static void
run_pixels (const RefKernelCall * call, Pixel pixel)
{
  const RefKernelFrame *out = call->out;
  int max = out->planes[0].max;
  int xs = ref_subsampling (out->width, out->planes[out->n - 1].width);
  int ys = ref_subsampling (out->height, out->planes[out->n - 1].height);

  /* Uses one pixel per sample for planes of one column, whose subsampling ref_subsampling() cannot
   * determine. */
  for (int top = 0; top < out->height; top += 1 << ys)
    for (int left = 0; left < out->width; left += 1 << xs) {
      int sum[3] = { 0 }, n = 0;

      for (int y = top; y < out->height && y < top + (1 << ys); y++)
        for (int x = left; x < out->width && x < left + (1 << xs); x++) {
          int v[4];

          load (call->in, x, y, v);
          pixel (call, x, y, v);
          for (int i = 0; i < 4; i++)
            v[i] = ref_clamp (v[i], 0, max);
          ref_set (&out->planes[0], x, y, v[0]);
          if (out->has_alpha)
            ref_set (&out->planes[3], x, y, v[3]);
          for (int i = 1; i < 3; i++)
            sum[i] += v[i];
          n++;
        }
      for (int i = 1; i < out->n; i++)
        ref_set (&out->planes[i], left >> xs, top >> ys, (sum[i] + n / 2) / n);
    }
}

/* ---- Other kernels ----------------------------------------------------------------- */

static void
invert (const RefKernelCall * call)
{
  for (int i = 0; i < call->out->n; i++) {
    const RefPlane *in = &call->in->planes[i];

    for (int y = 0; y < in->height; y++)
      for (int x = 0; x < in->width; x++)
        ref_set (&call->out->planes[i], x, y, in->max - ref_get (in, x, y));
  }
}

static void
histogram (const RefKernelCall * call)
{
  const RefPlane *in = &call->in->planes[0];

  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      call->results[ref_get (in, x, y) * 256 / (in->max + 1)]++;
}

static void
box_sums (const RefKernelCall * call)
{
  const RefPlane *in = &call->in->planes[0];
  int r = (int) call->param[0], n = (2 * r + 1) * (2 * r + 1);

  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      int sum = 0;

      for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
          sum += ref_get (in, ref_clamp (x + i, 0, in->width - 1),
              ref_clamp (y + j, 0, in->height - 1));
      ref_set (&call->out->planes[0], x, y, (sum + n / 2) / n);
    }
}

/* Finds the cells of 32 x 32 pixels in which enough pixels changed. */
static void
moving_cells (const RefKernelCall * call)
{
  const RefPlane *in = &call->in->planes[0], *old = &call->previous->planes[0];

  for (int top = 0; top < in->height; top += 32)
    for (int left = 0; left < in->width; left += 32) {
      int x0 = in->width, y0 = in->height, x1 = 0, y1 = 0, n = 0;

      for (int y = top; y < in->height && y < top + 32; y++)
        for (int x = left; x < in->width && x < left + 32; x++) {
          if (abs (ref_get (in, x, y) - ref_get (old, x, y)) * 255
              <= (int) call->param[0] * in->max)
            continue;
          x0 = x < x0 ? x : x0;
          y0 = y < y0 ? y : y0;
          x1 = x + 1 > x1 ? x + 1 : x1;
          y1 = y + 1 > y1 ? y + 1 : y1;
          n++;
        }
      if (n > 0 && n * 100 >= (int) call->param[1] * 1024)
        add_box (call, call->results, x0, y0, x1 - x0, y1 - y0,
            (float) n / 1024);
    }
}

int
ref_kernel (const char *name, const RefKernelCall * call)
{
  for (size_t i = 0; i < sizeof (pixels) / sizeof (pixels[0]); i++)
    if (strcmp (pixels[i].name, name) == 0) {
      run_pixels (call, pixels[i].pixel);
      return 1;
    }
  if (strcmp (name, "invert") == 0)
    invert (call);
  else if (strcmp (name, "histogram") == 0)
    histogram (call);
  else if (strcmp (name, "box-sums") == 0)
    box_sums (call);
  else if (strcmp (name, "moving-cells") == 0)
    moving_cells (call);
  else
    return 0;
  return 1;
}
