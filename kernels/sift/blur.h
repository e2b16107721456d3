/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the input and output samples of a blur of the SIFT scale space. */
#ifndef SIFT_BLUR_H
#define SIFT_BLUR_H

/* Parameters of the kernels that blur:
 * BLUR_GROUP: number of work-items that blur a tile
 * BLUR_X, BLUR_Y: size of a tile in samples, if a work-group computes one level of it
 * PAD: at least the largest radius of a blur; a multiple of 16 if a single work-item blurs a
 *   tile
 * N_LEVELS: largest number of levels of a tile that LEVELS_GROUP work-items compute
 * MARGIN: largest margin of a tile (see sift/sift-shared.h)
 * RADII: 1 if no loop over a radius is unrolled. Otherwise, bit r is set if a blur has radius r,
 *   and the kernel contains unrolled loops for this radius; bit 0 is set if a blur has a radius
 *   above 15 */
#ifndef N_LEVELS
#define N_LEVELS 1
#endif
#ifndef MARGIN
#define MARGIN 0
#endif
#if N_LEVELS > 1
#define GROUP LEVELS_GROUP
#elif defined BLUR_GROUP
#define GROUP BLUR_GROUP
#endif
#ifndef BLUR_X
#define BLUR_X 224
#endif
#ifndef BLUR_Y
#define BLUR_Y 32
#endif
#if N_LEVELS > 1
#define TILE_WIDTH LEVELS_X
#define TILE_HEIGHT LEVELS_Y
#else
#define TILE_WIDTH BLUR_X
#define TILE_HEIGHT BLUR_Y
#endif
#ifndef RADII
#define RADII 1
#endif
#ifndef PAD
#define PAD 16
#endif

#include "base/reflect.h"
#include "sift/sift.h"

/* Returns true if a tile is needed for the search for points in the region of interest (see
 * sift/sift.h). */
static bool
is_needed (const global int *tile, int left, int top, int right, int bottom)
{
  return tile[2] + TILE_WIDTH > first_needed (left, tile[0], tile[4])
      && tile[2] < end_needed (right, tile[0], tile[4])
      && tile[3] + TILE_HEIGHT > first_needed (top, tile[0], tile[4])
      && tile[3] < end_needed (bottom, tile[0], tile[4]);
}

/* Describes the blur that computes a tile of a level from the level below. */
typedef struct
{
  int width, height, pitch;     /* size of the level in samples; distance between rows in floats */
  int x0, y0;                   /* first column and row of the tile */
  int radius;
  const global float *w;        /* weights, from the center outwards */
  const global float *in;       /* address of the first sample of the level below */
  global float *out;            /* address of the first sample of the level */
  bool halves;                  /* whether every second sample of every second row is also
                                 * written to level 0 of the next octave */
  int next_width, next_height, next_pitch;      /* size and pitch of level 0 of
                                                 * the next octave */
  global float *next;           /* address of the first sample of level 0 of the next octave */
} Blur;

/* Returns the blur that computes level tile[1] + above for a tile.
 * @weights: index, in the plan, of the weights of all blurs
 * @weights_pitch: number of weights of each blur, including the radius
 * @scales: index of the level that is also written to the next octave */
static Blur
find_blur (global float *scale, const global int *plan, const global int *tile,
    int above, int weights, int weights_pitch, int scales, int n_octaves)
{
  const global int *octave = plan + OCTAVE * tile[0];
  int level = tile[1] + above, size = octave[SIZE];
  int at = weights + level * weights_pitch;
  Blur b;

  b.width = octave[WIDTH];
  b.height = octave[HEIGHT];
  b.pitch = octave[PITCH];
  b.x0 = tile[2];
  b.y0 = tile[3];
  b.radius = plan[at + weights_pitch - 1];
  b.w = (const global float *) plan + at;
  /* Level 0 is computed from the samples that sift_load wrote to level 1. */
  b.in = scale + octave[OFFSET] + (size_t) size * (level == 0 ? 1 : level - 1);
  b.out = scale + octave[OFFSET] + (size_t) size * level;
  b.halves = level == scales && tile[0] + 1 < n_octaves;
  octave += b.halves ? OCTAVE : 0;
  b.next_width = octave[WIDTH];
  b.next_height = octave[HEIGHT];
  b.next_pitch = octave[PITCH];
  b.next = scale + octave[OFFSET];
  return b;
}

#endif
