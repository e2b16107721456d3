/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of optical flow: the variational refinement of a flow field. */
#include "flow-private.h"

/* ---- Refinement ----------------------------------------------------------------- */

/* Number of relaxation sweeps of a refinement step */
#define SWEEPS 5

/* Planes of a refinement step, each with a float for each pixel */
enum
{
  MEAN_IMAGE, DIFFERENCE, IX, IY, SMOOTH, RIGHT, DOWN, A12, C1, C2, R1, R2,
  N_PLANES
};

typedef struct
{
  int width, height;
  float *planes[N_PLANES];
} Step;

/* Returns the central difference along x: half the difference between the neighbors to the right
 * and to the left. */
static float
slope_x (const float *plane, const Step * s, int x, int y)
{
  return 0.5f * (at_edge (plane, s->width, s->height, x + 1, y)
      - at_edge (plane, s->width, s->height, x - 1, y));
}

static float
slope_y (const float *plane, const Step * s, int x, int y)
{
  return 0.5f * (at_edge (plane, s->width, s->height, x, y + 1)
      - at_edge (plane, s->width, s->height, x, y - 1));
}

/* Computes the weight of smoothness of each pixel, and the weights of the links between neighboring
 * pixels. */
static void
make_links (Step * s, const Level * from, const Field * f)
{
  float **p = s->planes;

  for (int y = 0; y < s->height; y++)
    for (int x = 0; x < s->width; x++) {
      float ux = slope_x (f->u, s, x, y), uy = slope_y (f->u, s, x, y);
      float vx = slope_x (f->v, s, x, y), vy = slope_y (f->v, s, x, y);

      p[SMOOTH][y * s->width + x] = 14 * ref_reciprocal_root (fmaf (vy, vy,
              fmaf (vx, vx, fmaf (uy, uy, ux * ux))) + 0x1p-10f);
    }
  for (int y = 0; y < s->height; y++)
    for (int x = 0; x < s->width; x++)
      for (int k = 0; k < 2; k++) {
        int x1 = x + (k == 0), y1 = y + (k == 1);
        float e = get (from, x1, y1) - get (from, x, y);
        float mean = 0.5f * (at_edge (p[SMOOTH], s->width, s->height, x, y)
            + at_edge (p[SMOOTH], s->width, s->height, x1, y1));

        p[k == 0 ? RIGHT : DOWN][y * s->width + x] =
            x1 < s->width && y1 < s->height
            ? mean * ref_reciprocal (fmaf (e * (1.0f / 576), e, 1)) : 0;
      }
}

/* Computes the mean and the difference of the two images, one of which is moved by the flow.
 * Motions that are almost 0 are set to 0 first, so that no subnormal numbers arise where motion
 * fades out. */
static void
move_image (Step * s, const Level * from, const Level * to, const Field * f)
{
  float **p = s->planes;

  for (int y = 0; y < s->height; y++)
    for (int x = 0; x < s->width; x++) {
      size_t at = (size_t) y * s->width + x;
      float moved;

      f->u[at] = fabsf (f->u[at]) < 0x1p-20f ? 0 : f->u[at];
      f->v[at] = fabsf (f->v[at]) < 0x1p-20f ? 0 : f->v[at];
      moved = sample (to, x + f->u[at], y + f->v[at]);

      p[MEAN_IMAGE][at] = 0.5f * (moved + get (from, x, y));
      p[DIFFERENCE][at] = moved - get (from, x, y);
    }
  for (int y = 0; y < s->height; y++)
    for (int x = 0; x < s->width; x++) {
      size_t at = (size_t) y * s->width + x;

      p[IX][at] = slope_x (p[MEAN_IMAGE], s, x, y);
      p[IY][at] = slope_y (p[MEAN_IMAGE], s, x, y);
    }
}

/* Computes the two linear equations of a pixel. */
static void
make_equations (Step * s, const Field * f, int lighting_changes, int x, int y)
{
  float **p = s->planes;
  size_t at = (size_t) y * s->width + x;
  float ix = p[IX][at], iy = p[IY][at], z = p[DIFFERENCE][at];
  float xx = slope_x (p[IX], s, x, y), xy = slope_y (p[IX], s, x, y);
  float yy = slope_y (p[IY], s, x, y);
  float xz = slope_x (p[DIFFERENCE], s, x, y);
  float yz = slope_y (p[DIFFERENCE], s, x, y);
  float n0 = ref_reciprocal (fmaf (iy, iy, ix * ix) + 0.01f);
  float n1 = ref_reciprocal (fmaf (xy, xy, xx * xx) + 0.01f);
  float n2 = ref_reciprocal (fmaf (xy, xy, yy * yy) + 0.01f);
  float w = lighting_changes ? 0
      : 2.5f * n0 * ref_reciprocal_root (fmaf (z * z, n0, 0x1p-20f));
  float g =
      5 * ref_reciprocal_root (fmaf (yz * yz, n2, xz * xz * n1) + 0x1p-20f);
  float xx1 = xx * n1, xy1 = xy * n1, xy2 = xy * n2, yy2 = yy * n2;
  float a11 = fmaf (g, fmaf (xy2, xy, xx1 * xx), fmaf (w * ix, ix, 0.01f));
  float a12 = fmaf (g, fmaf (xy2, yy, xx1 * xy), w * ix * iy);
  float a22 = fmaf (g, fmaf (yy2, yy, xy1 * xy), fmaf (w * iy, iy, 0.01f));
  float b1 = -fmaf (g, fmaf (xy2, yz, xx1 * xz), w * ix * z);
  float b2 = -fmaf (g, fmaf (yy2, yz, xy1 * xz), w * iy * z);
  float left = x > 0 ? p[RIGHT][at - 1] : 0;
  float up = y > 0 ? p[DOWN][at - s->width] : 0;
  float links = ((p[RIGHT][at] + left) + p[DOWN][at]) + up;

  p[A12][at] = a12;
  p[C1][at] = fmaf (a12, f->v[at], fmaf (a11, f->u[at], b1));
  p[C2][at] = fmaf (a22, f->v[at], fmaf (a12, f->u[at], b2));
  p[R1][at] = 1.9f * ref_reciprocal (a11 + links);
  p[R2][at] = 1.9f * ref_reciprocal (a22 + links);
}

/* Returns @start plus the sum of the neighbors' values, each multiplied by the weight of its
 * link. */
static float
add_neighbours (const Step * s, const float *plane, int x, int y, float start)
{
  size_t at = (size_t) y * s->width + x;
  float sum = start;

  if (x + 1 < s->width)
    sum = fmaf (s->planes[RIGHT][at], plane[at + 1], sum);
  if (x > 0)
    sum = fmaf (s->planes[RIGHT][at - 1], plane[at - 1], sum);
  if (y + 1 < s->height)
    sum = fmaf (s->planes[DOWN][at], plane[at + s->width], sum);
  if (y > 0)
    sum = fmaf (s->planes[DOWN][at - s->width], plane[at - s->width], sum);
  return sum;
}

/* Runs a step of successive over-relaxation (SOR) for the pixels of one color of a chessboard. */
static void
relax (const Step * s, const Field * f, int colour)
{
  float *const *p = s->planes;

  for (int y = 0; y < s->height; y++)
    for (int x = (y + colour) & 1; x < s->width; x += 2) {
      size_t at = (size_t) y * s->width + x;
      float u = f->u[at], v = f->v[at];
      float sum = add_neighbours (s, f->u, x, y, p[C1][at]);

      u = fmaf (p[R1][at], fmaf (-p[A12][at], v, sum), -0.9f * u);
      sum = add_neighbours (s, f->v, x, y, p[C2][at]);
      v = fmaf (p[R2][at], fmaf (-p[A12][at], u, sum), -0.9f * v);
      f->u[at] = u;
      f->v[at] = v;
    }
}

int
ref_flow_refine (Flow * self, int level, int n_steps)
{
  const Level *from = &self->from[level];
  Step s = {.width = from->width,.height = from->height };
  size_t n = (size_t) s.width * s.height;
  float *planes = malloc (N_PLANES * n * sizeof (float));

  if (planes == NULL)
    return 0;
  for (int i = 0; i < N_PLANES; i++)
    s.planes[i] = planes + i * n;
  for (int step = 0; step < n_steps; step++) {
    move_image (&s, from, &self->to[level], &self->field);
    make_links (&s, from, &self->field);
    for (int y = 0; y < s.height; y++)
      for (int x = 0; x < s.width; x++)
        make_equations (&s, &self->field, self->lighting_changes, x, y);
    for (int i = 0; i < 2 * SWEEPS; i++)
      relax (&s, &self->field, i & 1);
  }
  free (planes);
  return 1;
}
