/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares what the files of the reference of tag detection share. */
#pragma once

#include "bits.h"
#include "components.h"
#include "limits.h"
#include "reciprocal.h"
#include "tags.h"
#include "threshold.h"

typedef struct
{
  float x, y;
} Point;

/* Line of the points p with nx p.x + ny p.y = c */
typedef struct
{
  float nx, ny, c;
} Line;

/* A point of a boundary, in units of 1/32 pixel */
typedef struct
{
  int x, y;
} Crossing;

/* Sums over the points near a side: t is the position along it in units of 1/64 pixel, d the
 * distance from it in units of 1/1024 pixel */
typedef struct
{
  int64_t n, t, d, tt, td, dd;
} Sums;

/* The line d = d0 + slope (t - t0) that is fitted to points near a side, and the sum of the squares
 * of their distances */
typedef struct
{
  int n, t0, d0;
  float slope, error;
} Fit;

/* A candidate component and its quad, whose corners are in units of 2^-16 pixel of the frame */
typedef struct
{
  int map, scale, root, is_white;
  int corners[8];
} Quad;

static inline float
inverse (float x)
{
  return x < 0 ? -ref_reciprocal (-x) : ref_reciprocal (x);
}

static inline float
larger (float a, float b)
{
  return a > b ? a : b;
}

static inline float
smaller (float a, float b)
{
  return a < b ? a : b;
}

static inline int
round_int (float x)
{
  return rintf (ref_clamp_float (x, -1073741824.0f, 1073741824.0f));
}

static inline float
length_of (Point a, Point b)
{
  float x = b.x - a.x, y = b.y - a.y;

  return ref_root (x * x + y * y);
}

/* Returns the position of a sample in units of 1/1024 pixel, relative to the center of the first
 * sample. */
static inline int
place (float x, int origin)
{
  return round_int (ref_clamp_float (x, -40000, 40000) * 1024) + origin * 1024
      - 512;
}

static inline int
store (float x, int origin)
{
  return round_int (x * 65536) + origin * 65536;
}

/* Returns a bilinear sample of an image, in units of 2^-12. */
int ref_tags_sample (const RefGray * grey, int x, int y);

int ref_tags_is_quad (const Point q[4], float least);

int ref_tags_cross (Line a, Line b, Point * p);

Fit ref_tags_fit (const Sums * sums);

/* Returns the line of a fit, in x and y. @start: the point with t = d = 0; @u: the unit vector
 * along t. The unit vector along d is @sign times (-u.y, u.x) */
Line ref_tags_place (Fit fit, Point start, Point u, float sign);

/* Sets @h to the homography from the square with the corners (-1/2, -1/2) and (1/2, 1/2) to a
 * quad. */
void ref_tags_homography (const Point q[4], float h[8]);

Point ref_tags_project (const float h[8], float u, float v);

/* Loads the corners of a quad, relative to the whole pixel (*@ox, *@oy). */
void ref_tags_load (const int corners[8], Point q[4], int *ox, int *oy);

/* Finds the edge that a profile of 2 @steps + 5 samples crosses, in units of 1/4 pixel. */
float ref_tags_edge (const int *v, int steps, int sign, int64_t * weight);

/* Fits a quad to the points of a boundary around @area pixels. Returns: whether it fits */
int ref_tags_quad (const Crossing * points, int n, int area, Quad * quad);

int ref_tags_has_border (const RefGray * grey, const Quad * quad, int n);

/* Reads the tag in a quad into @tag. Returns: whether the quad contains a tag */
int ref_tags_read (const RefGray * grey, const RefTagsParams * params,
    const RefTagsFamily * families, int n_families, const Quad * quad,
    RefTag * tag);

/* Measures the edges between the cells of a tag, to refine its homography. */
void ref_tags_refine (const RefGray * grey, const RefTagsFamily * family,
    RefTag * tag);
