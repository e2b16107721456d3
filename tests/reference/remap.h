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

/* Describes a camera; see docs/algorithms/remap.md for the numbers. ref_camera_prepare() sets the
 * members from @tilt on. */
typedef struct
{
  RefLens lens;
  double focal[2], centre[2], k[14], xi, alpha, beta;
  int width, height;
  double tilt[9];
  int has_tilt, has_fold;
  double limit, end, end_radius, slope;
} RefCamera;

/* Describes the new frame (view). The rows of @turn rotate rays of the camera to rays of the
 * view. */
typedef struct
{
  RefProjection projection;
  double focal[2], centre[2], turn[9];
  int width, height;
} RefView;

/* Holds a map. @nodes has @columns x @rows positions of two numbers, and @margins a number for each
 * node, or is NULL. @cells has, for each of (@columns - 3) x (@rows - 3) cells, the index of its
 * exact positions, or -1. @exact has 256 positions for each of @n_exact cells. @wrap: width of the
 * old frame in 1/1024 pixel, or 0 */
typedef struct
{
  int columns, rows, wrap, n_exact;
  int32_t *nodes, *margins, *cells, *exact;
} RefMap;

double ref_atan2 (double y, double x);
void ref_sincos (double a, double *s, double *c);

void ref_camera_prepare (RefCamera * camera);

/* Sets @place to the exact position in the old frame of pixel (@x, @y) of the view. Returns: the
 * margin to the end of the lens model; if negative, the pixel shows nothing of the old frame */
double ref_view_place (const RefCamera * camera, const RefView * view, double x, double y, double place[2]);

void ref_map_make (const RefCamera * camera, const RefView * view, RefMap * map);
void ref_map_clear (RefMap * map);

/* Sets *@u and *@v to the position in the old frame, in 1/1024 pixel, of (@x, @y) of the view, in
 * 1/8 pixel. Returns: whether that position shows the old frame */
int ref_map_find (const RefMap * map, int x, int y, int *u, int *v);

/* Sets weights[f] to the weights of Lanczos interpolation, in units of 1/2048, for a position f/256
 * after tap 2. */
void ref_lanczos (int64_t weights[256][6]);

/* Computes the plane of @out from @in. @samples: samples per pixel and axis, 1, 2 or 4. @colour:
 * value of samples that show nothing of the old frame, and of samples beyond its edges with
 * REF_EDGES_BLACK, instead of in->black */
void ref_remap (const RefWarpPlane * in, const RefPlane * out, const RefMap * map, RefEdges edges,
    RefInterpolation interpolation, int samples, int colour);
