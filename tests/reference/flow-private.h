/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares what the files of the reference of optical flow share. */
#pragma once

#include "flow.h"
#include "limits.h"
#include "reciprocal.h"

#include <stdlib.h>
#include <string.h>

/* Width and height of a patch, and the distance between overlapping patches, in pixels */
#define PATCH 8
#define STRIDE 4

#define MAX_LEVELS 16

/* Parameters that differ between the presets */
typedef struct
{
  int shift;                    /* level of the field */
  int finest;                   /* finest pyramid level in which patches are searched */
  int n_candidates;             /* number of patches of the coarser level whose motions are tried */
  int n_evaluations;            /* maximum number of cost evaluations of a descent */
  int is_twice;                 /* whether a second pass tries the motions of neighboring patches */
  int n_steps[2];               /* numbers of refinement steps at level "finest", and at the level
                                 * of the field if it is another level */
} Preset;

/* An image whose values are in units of 1/16 of an 8-bit step */
typedef struct
{
  int width, height;
  uint16_t *data;
} Level;

/* Result of the search for a patch: its motion in pixels of the level, the mean of the differences,
 * and the sum of the squared differences from this mean */
typedef struct
{
  float u, v, mean, cost;
} Found;

/* A flow field: planes of @width x @height floats */
typedef struct
{
  int width, height;
  float *u, *v;                 /* motion in pixels of the level */
  float *mean;                  /* mean differences of the patches that cover a pixel */
} Field;

typedef struct
{
  const Preset *preset;
  int lighting_changes;
  int n_levels;
  Level from[MAX_LEVELS], to[MAX_LEVELS];
  Found *found, *above;         /* results for the patches of this level, and of the coarser
                                 * level */
  Found *first;                 /* results of the first of two passes */
  Field field;
} Flow;

static inline int
get_word (const Level * level, int x, int y)
{
  x = ref_clamp (x, 0, level->width - 1);
  y = ref_clamp (y, 0, level->height - 1);
  return level->data[(size_t) y * level->width + x];
}

static inline float
get (const Level * level, int x, int y)
{
  return get_word (level, x, y) * 0.0625f;
}

/* Clamps a position at which an image is sampled to the image and its surroundings, and splits it
 * into a whole pixel and a fraction. */
static inline int
split (float place, int size, float *fraction)
{
  float limited = ref_clamp_float (place, -14, size + 6), whole = floorf (limited);

  *fraction = limited - whole;
  return (int) whole;
}

/* Returns the bilinear sample at (@px, @py), between four pixels. */
static inline float
sample (const Level * level, float px, float py)
{
  float fx, fy;
  int x = split (px, level->width, &fx), y = split (py, level->height, &fy);
  float a = get (level, x, y), b = get (level, x, y + 1);

  a = fmaf (fx, get (level, x + 1, y) - a, a);
  b = fmaf (fx, get (level, x + 1, y + 1) - b, b);
  return fmaf (fy, b - a, a);
}

/* Returns element (@x, @y) of a plane; beyond the edges the nearest element. */
static inline float
at_edge (const float *plane, int width, int height, int x, int y)
{
  return plane[(size_t) ref_clamp (y, 0, height - 1) * width
      + ref_clamp (x, 0, width - 1)];
}

static inline int
count_patches (int size)
{
  return (size + STRIDE - 1) / STRIDE + 1;
}

/* Makes @n pyramid levels of a frame; the caller frees their data, also if memory ran out after
 * some levels. */
int ref_flow_make_levels (const RefPlane * plane, int n, Level * levels);

/* Searches all patches of a level, coarse to fine. Each of these functions returns 0 if there is
 * not enough memory. */
int ref_flow_search (Flow * self, int level, const RefFlow * before);

/* Runs the refinement steps at a level. */
int ref_flow_refine (Flow * self, int level, int n_steps);
