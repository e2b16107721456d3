/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of the local contrast filter: see docs/algorithms/localcontrast.md. */
#include "localcontrast.h"

#include <math.h>
#include <stdlib.h>

#include "pyramid.h"
#include "samples.h"

#define MAX_STEPS 16

typedef struct
{
  int width, height;
  int16_t *data;
} Plane;

/* Values that are the same for all pixels, named by the letters of
 * docs/algorithms/localcontrast.md */
typedef struct
{
  int bits;                     /* number of bits of a sample */
  int black, white;             /* ends of the nominal range in 1/64 of an 8-bit gray level */
  int64_t reach, inverse;       /* R and M */
  int64_t detail, shadows, highlights;
  int n_levels, n_steps;        /* K and L */
  int64_t places;               /* Q */
} Setup;

static int
bits_of (const RefPlane * plane)
{
  int bits = 0;

  while (1 << bits <= plane->max)
    bits++;
  return bits;
}

static void
setup_init (Setup * s, const RefPlane * in, const RefLocalcontrast * p)
{
  int shorter = in->width < in->height ? in->width : in->height, log = 0;
  double range;

  s->bits = bits_of (in);
  s->black = (p->black << 6) >> (s->bits - 8);
  s->white = (p->white << 6) >> (s->bits - 8);
  range = (p->white - p->black) >> (s->bits - 8);
  s->reach = (int64_t) rint (128 * p->sigma * range / 255);
  s->inverse = (int64_t) rint (536870912.0 / s->reach);
  s->detail = (int64_t) rint (256 * p->detail);
  s->shadows = (int64_t) rint (-128 * p->shadows);
  s->highlights = (int64_t) rint (128 * p->highlights);
  s->n_levels = (int) ceil (255 / p->sigma) + 1;
  s->n_levels = s->n_levels > 64 ? 64 : s->n_levels;
  s->n_levels = p->levels > 0 ? p->levels : s->n_levels;
  s->n_levels = s->n_levels < 4 ? 4 : s->n_levels;
  while (shorter >> (log + 1) > 0)
    log++;
  s->n_steps = log > 2 ? log - 1 : 1;
  s->places = (int64_t) rint (16777216.0 * (s->n_levels - 1)
      / (s->white - s->black));
}

/* Returns the gray value of level @k, in 1/64 of an 8-bit gray level. */
static int
level_value (const Setup * s, int k)
{
  return s->black + ((s->white - s->black) * k + (s->n_levels - 1) / 2)
      / (s->n_levels - 1);
}

static int
remap (const Setup * s, int c)
{
  int64_t r = s->reach, e = c < -r ? -r : c > r ? r : c;
  int64_t x = (e * s->inverse + 16384) >> 15;
  int64_t w = 16384 - ((x * x) >> 14);
  int64_t strength = c > 0 ? s->shadows : s->highlights;

  w = (w * w) >> 14;
  return (int) (((((e * w) >> 14) * s->detail) >> 8)
      + (((((e * llabs (x)) >> 15) + c - e) * strength) >> 8));
}

static int
plane_init (Plane * plane, int width, int height)
{
  plane->width = width;
  plane->height = height;
  plane->data = malloc ((size_t) width * height * sizeof (int16_t));
  return plane->data != NULL;
}

static int
get (const Plane * plane, int x, int y)
{
  return plane->data[(size_t) y * plane->width + x];
}

/* Computes @to, a plane of half the width and height of @from. */
static int
down (const Plane * from, Plane * to)
{
  static const int weight[5] = { 1, 4, 6, 4, 1 };

  if (!plane_init (to, (from->width + 1) / 2, (from->height + 1) / 2))
    return 0;
  for (int y = 0; y < to->height; y++)
    for (int x = 0; x < to->width; x++) {
      int sum = 128;

      for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
          sum += weight[i] * weight[j] * get (from,
              ref_reflect (2 * x + i - 2, from->width),
              ref_reflect (2 * y + j - 2, from->height));
      to->data[(size_t) y * to->width + x] = sum >> 8;
    }
  return 1;
}

static int
up (const Plane * coarse, int x, int y)
{
  int px[3], wx[3], py[3], wy[3], sum = 32;

  ref_pyramid_taps (x, coarse->width, px, wx);
  ref_pyramid_taps (y, coarse->height, py, wy);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      sum += wx[i] * wy[j] * get (coarse, px[i], py[j]);
  return sum >> 6;
}

static int
clamp (int64_t v, int64_t low, int64_t high)
{
  return (int) (v < low ? low : v > high ? high : v);
}

/* Computes @out, level i of the output pyramid, from @next, level i + 1 of the output pyramid,
 * which may have no data. The plane @g is level i of the frame. @h contains levels i and i + 1 of
 * all remapped frames. */
static void
collapse (const Setup * s, const Plane * g, Plane (*h)[MAX_STEPS + 1], int i,
    const Plane * next, Plane * out)
{
  for (int y = 0; y < g->height; y++)
    for (int x = 0; x < g->width; x++) {
      int64_t v = clamp (get (g, x, y), s->black, s->white) - s->black;
      int t = (int) ((v * s->places + 32768) >> 16);
      int k = t >> 8 < s->n_levels - 2 ? t >> 8 : s->n_levels - 2;
      int f = t - 256 * k < 256 ? t - 256 * k : 256;
      int a = get (&h[k][i], x, y) - up (&h[k][i + 1], x, y);
      int b = get (&h[k + 1][i], x, y) - up (&h[k + 1][i + 1], x, y);
      int d = ((256 - f) * a + f * b + 128) >> 8;

      if (next->data != NULL)
        d += up (next, x, y);
      out->data[(size_t) y * out->width + x] = clamp (d, -32768, 32767);
    }
}

static void
free_pyramid (Plane planes[MAX_STEPS + 1])
{
  for (int i = 0; i <= MAX_STEPS; i++)
    free (planes[i].data);
}

/* Computes the levels of a pyramid from level 0, which must have been computed before. */
static int
make_pyramid (Plane planes[MAX_STEPS + 1], int n_steps)
{
  for (int i = 0; i < n_steps; i++)
    if (!down (&planes[i], &planes[i + 1]))
      return 0;
  return 1;
}

static int
load (const RefPlane * in, const Setup * s, Plane * y0)
{
  if (!plane_init (y0, in->width, in->height))
    return 0;
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      y0->data[(size_t) y * y0->width + x] =
          (ref_get (in, x, y) << 6) >> (s->bits - 8);
  return 1;
}

static void
store (const RefPlane * in, const RefPlane * out, const Setup * s,
    const RefLocalcontrast * p, const Plane * change)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      int v = ref_get (in, x, y);
      int moved = v + ((get (change, x, y) * (1 << (s->bits - 8)) + 32) >> 6);

      ref_set (out, x, y, clamp (moved, v < p->black ? v : p->black,
              v > p->white ? v : p->white));
    }
}

int
ref_localcontrast (const RefPlane * in, const RefPlane * out,
    const RefLocalcontrast * params)
{
  Plane g[MAX_STEPS + 1] = { {0} }, o[MAX_STEPS + 2] = { {0} };
  Plane (*h)[MAX_STEPS + 1] = calloc (REF_LOCALCONTRAST_LEVELS, sizeof (*h));
  Setup s;
  int ok;

  setup_init (&s, in, params);
  ok = h != NULL && load (in, &s, &g[0]) && make_pyramid (g, s.n_steps);
  for (int k = 0; k < s.n_levels && ok; k++) {
    ok = plane_init (&h[k][0], in->width, in->height);
    for (size_t i = 0; i < (size_t) in->width * in->height && ok; i++)
      h[k][0].data[i] = remap (&s, g[0].data[i] - level_value (&s, k));
    ok = ok && make_pyramid (h[k], s.n_steps);
  }
  for (int i = s.n_steps - 1; i >= 0 && ok; i--) {
    ok = plane_init (&o[i], g[i].width, g[i].height);
    if (ok)
      collapse (&s, &g[i], h, i, &o[i + 1], &o[i]);
  }
  if (ok)
    store (in, out, &s, params, &o[0]);
  free_pyramid (g);
  free_pyramid (o);
  for (int k = 0; k < REF_LOCALCONTRAST_LEVELS && h != NULL; k++)
    free_pyramid (h[k]);
  free (h);
  return ok;
}
