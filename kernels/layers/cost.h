/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the cost of a candidate of a cell: how much the window around the cell differs from
 * the picture that the candidate predicts. */
#ifndef COST_H
#define COST_H

#include "layers/cells.h"

/* Number of samples of a vector: 1 or 16 */
#ifndef LANES
#define LANES 1
#endif

#define SIDE 15
#define REACH 64
#define MAX_PROPOSALS 65
#define MAX_MOTIONS 17
#define N_REFINED 6

/* Additional costs, in 1/64 gray level: for each frame of the candidate's age, and for each pixel
 * by which the refinement moved the candidate */
#define AGE_COST 10
#define STEP_COST 10

/* Number of elements of a row of samples in local memory; the last element has the weight 0. */
#define ROW 16

/* Data of a frame that the functions of this file read */
typedef struct
{
  global const uint *ring;
  Scene scene;
  int number, slots, oldest, newest_age, oldest_age;
  int width, height, stride, area;
} Frame;

static global const uint *
get_picture (const Frame * f, int number)
{
  return f->ring + (size_t) (number % f->slots) * f->area;
}

static int
has (const Frame * f, int number)
{
  return has_frame (f->scene, f->oldest, number);
}

/* Returns whether frame @number exists and shows pixel (x, y). */
static int
shows (const Frame * f, int number, int x, int y)
{
  int is_inside = has (f, number) && x >= 0 && y >= 0 && x < f->width
      && y < f->height;
  int i = get_index (f->stride, is_inside ? x : 0, is_inside ? y : 0);

  return is_inside && get_alpha (get_picture (f, is_inside ? number
          : f->number)[i]) != LAYERS_HIDDEN;
}

/* Returns 1024 / (1 + d²/36)², rounded down. */
static uint
get_weight (int d2)
{
  return 1024 * 36 * 36 / ((36 + d2) * (36 + d2));
}

#if LANES == 16
typedef uint16 lanes;
typedef struct __attribute__ ((packed)) { uint16 v; } loose_lanes;
#define MASK(x) as_uint16 (x)
#define ANY(x) any (as_int16 (x))

/* Loads 32 elements, and returns every second of them, 16 in all. */
static lanes
load_row (global const uint * p)
{
  return (lanes) (((global const loose_lanes *) p)[0].v.even,
      ((global const loose_lanes *) p)[1].v.even);
}

static uint
add_lanes (lanes x)
{
  uint8 a = x.lo + x.hi;
  uint4 b = a.lo + a.hi;

  return b.x + b.y + b.z + b.w;
}
#else
typedef uint lanes;
#define MASK(x) (-(uint) (x))
#define ANY(x) ((x) != 0)

static lanes
load_row (global const uint * p)
{
  return *p;
}

static uint
add_lanes (lanes x)
{
  return x;
}
#endif

/* A window of a frame in local memory: pixels of the frame, pixels of the plate (the remembered
 * background), and weights, which are 0 for hidden pixels */
typedef struct
{
  uint pixels[SIDE * ROW], plate[SIDE * ROW], weights[SIDE * ROW];
} Window;

/* Returns the address of row @r of the window around (x, y) in a picture. Moves the window if
 * necessary, so that all of its columns are inside of the picture's padding, where all pixels
 * count as hidden. */
static global const uint *
get_row (const Frame * f, global const uint * picture, int x, int y, int r)
{
  int u = clamp (x + 1 - SIDE, -LAYERS_PAD, f->width);
  int v = clamp (y + 1 - SIDE + 2 * r, -1, f->height);

  return picture + get_index (f->stride, u, v);
}

/* Returns the cost of a candidate in x, and its mean opacity near the center (x, y) in y. */
static inline __attribute__ ((always_inline)) uint2
get_cost (const Frame * f, local const Window * w, uint all, int x, int y,
    int age, short2 d)
{
  int du = (d.x + 4) >> 3, dv = (d.y + 4) >> 3, r;
  int is_twice = has (f, f->number - 2 * age);
  global const uint *once = get_picture (f, f->number - age);
  global const uint *twice = get_picture (f, is_twice ? f->number - 2 * age
      : f->number);
  lanes sum = 0, weights = 0, seen = 0, opacity = 0, n = 0;
  uint s, t, hits, total;

  for (r = 0; r < SIDE; r++) {
    global const uint *row = get_row (f, once, x + du, y + dv, r);
    global const uint *other = get_row (f, twice, x + 2 * du, y + 2 * dv, r);
#if LANES == 16
    lanes near = (uint16) (0, 0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u, ~0u, 0, 0, 0,
        0, 0, 0);
    {
      lanes q = load_row (row);
      lanes p = vload16 (0, w->pixels + ROW * r);
      lanes plate = vload16 (0, w->plate + ROW * r);
      lanes weight = vload16 (0, w->weights + ROW * r);
#else
    for (int c = 0; c < SIDE; c++) {
      lanes near = c >= 5 && c <= 9 ? ~0u : 0;
      lanes q = load_row (row + 2 * c);
      lanes p = w->pixels[ROW * r + c];
      lanes plate = w->plate[ROW * r + c];
      lanes weight = w->weights[ROW * r + c];
#endif
      lanes hidden = MASK ((q >> 24) == LAYERS_HIDDEN);
      lanes middle = r >= 5 && r <= 9 ? near & ~hidden : 0;
      lanes needed = hidden & MASK (weight > 0), pa = p >> 24, qa, y_there;
      lanes level, error, factor;

      opacity += middle & q >> 24;
      n += middle & 1;
      if (is_twice && ANY (needed)) {
#if LANES == 16
        lanes q2 = load_row (other);
#else
        lanes q2 = load_row (other + 2 * c);
#endif
        q = (q & ~hidden) | (q2 & hidden);
        hidden = MASK ((q >> 24) == LAYERS_HIDDEN);
      }
      qa = q >> 24;
      /* Adds plate * 128 before the shift: (plate * 128 + alpha * (q - plate)) >> 7 is the same as
       * plate + (alpha * (q - plate) >> 7), and not negative. */
      y_there = q & 255;
      level = ((plate & 255) * (LAYERS_OPAQUE - (qa & ~hidden))
          + (qa & ~hidden) * y_there) >> 7;
      q = (q & MASK (qa > 20)) | (plate & ~MASK (qa > 20));
      error = abs_diff (p & 255, level)
          + abs_diff (p >> 8 & 255, q >> 8 & 255)
          + abs_diff (p >> 16 & 255, q >> 16 & 255);
      error = min (error, (lanes) 60);
      error = (error & ~hidden) | ((4 + (24 * pa >> 7)) & hidden);
      factor = weight * (32 + max (qa & ~hidden, pa));
      sum += factor * error;
      weights += factor;
      seen += weight & ~hidden;
    }
  }
  s = add_lanes (sum);
  t = add_lanes (weights);
  hits = add_lanes (seen);
  total = add_lanes (n);
  s = s / max (t / 64, 1u) + AGE_COST * abs (age);
  s = hits == 0 || 20 * hits < 3 * all ? NEVER : min (s, NEVER - 1u);
  return (uint2) (s, add_lanes (opacity) / max (total, 1u));
}

/* Returns the cost of showing only the plate (the remembered background). */
static uint
get_plate_cost (local const Window * w)
{
  uint sum = 0, weights = 0;
  int i;

  for (i = 0; i < SIDE * ROW; i++) {
    uint p = w->pixels[i], q = w->plate[i];
    uint factor = w->weights[i] * (32 + (p >> 24));
    uint error = abs_diff (p & 255, q & 255)
        + abs_diff (p >> 8 & 255, q >> 8 & 255)
        + abs_diff (p >> 16 & 255, q >> 16 & 255);

    sum += factor * min (error, 60u);
    weights += factor;
  }
  return 128 + sum / max (weights / 64, 1u);
}

#endif
