/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "stabilize.h"

typedef enum
{
  REF_LENS_BROWN,
  REF_LENS_FISHEYE,
  REF_LENS_OMNI,
  REF_LENS_DOUBLE_SPHERE,
  REF_LENS_FOV,
  REF_LENS_EQUIRECT
} RefLens;

typedef enum
{
  REF_VIEW_PERSPECTIVE,
  REF_VIEW_FISHEYE,
  REF_VIEW_EQUIRECT,
  REF_VIEW_CYLINDER,
  REF_VIEW_STEREOGRAPHIC
} RefProjection;

/* Describes a camera; see docs/algorithms/remap.md for the numbers. ref_camera_prepare() sets
 * those from tilt on. */
typedef struct
{
  RefLens lens;
  double focal[2], centre[2], k[14], xi, alpha, beta;
  int width, height;
  double tilt[9];
  int has_tilt, has_fold;
  double limit, end, end_radius, slope;
} RefCamera;

/* Describes the new frame. The rows of @turn turn rays of the camera to those of the view. */
typedef struct
{
  RefProjection projection;
  double focal[2], centre[2], turn[9];
  int width, height;
} RefView;

/* Holds the map of nodes: columns x rows of them, each of two numbers, with a margin each, or NULL;
 * for each of (columns - 3) x (rows - 3) cells the index of its exact positions or -1; 256 pairs for each of n_exact
 * cells. wrap: width of the old frame in 1/1024 pixel, or 0 */
typedef struct
{
  int columns, rows, wrap, n_exact;
  int32_t *nodes, *margins, *cells, *exact;
} RefMap;

double ref_atan2 (double y, double x);
void ref_sincos (double a, double *s, double *c);

void ref_camera_prepare (RefCamera * camera);

/* Sets @place to the exact position of pixel (x, y) of the view in the old frame. Returns: the
 * margin; below 0 there is no picture */
double ref_view_place (const RefCamera * camera, const RefView * view, double x, double y, double place[2]);

void ref_map_make (const RefCamera * camera, const RefView * view, RefMap * map);
void ref_map_clear (RefMap * map);

/* Sets u and v to the position of (x, y), in 1/8 pixel, in 1/1024 pixel. Returns: whether there is a picture */
int ref_map_find (const RefMap * map, int x, int y, int *u, int *v);

/* Sets weights[f] to the weights of Lanczos' interpolation, in units of 1/2048, for a position f/256 behind
 * tap 2. */
void ref_lanczos (int64_t weights[256][6]);

/* Computes @out, of which only the plane counts, from @in. samples: 1, 2 or 4; color: of samples without a
 * picture, and beyond the edges with REF_EDGES_BLACK, instead of in->black */
void ref_remap (const RefWarpPlane * in, const RefPlane * out, const RefMap * map, RefEdges edges,
    RefInterpolation interpolation, int samples, int colour);
