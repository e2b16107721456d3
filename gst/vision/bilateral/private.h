/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The object of the bilateral filter, on which each method has its file. */
#pragma once

#include "bilateral.h"
#include "pass.h"

G_BEGIN_DECLS

/* Radius of the exact filter, in samples, at most */
#define MGPU_BILATERAL_MAX_RADIUS 64

/* Knobs, by their place in the list */
enum
{
  LANES,
  GROUP,
  TILES,
  TILE_X,
  TILE_Y,
  BAND,
  ROWS,
  RUN
};

/* Kernels, by their place in the list */
enum
{
  EXPAND,
  FILTER,
  EXPAND_GUIDE,
  WEIGH,
  TILE,
  TILE_TABLE,
  GRID_FILL,
  GRID_READ,
  GRID_WEIGH,
  BLUR_ROWS,
  BLUR_COLUMNS
};

/* Slots. Those for two plans have one memory for each. */
enum
{
  PLANES,                       /* padded planes of floats */
  SHAPE,                        /* taps, or the shape of the disc; two plans */
  WEIGHTS = SHAPE + 2,          /* a table; two plans */
  COLUMN_AXIS = WEIGHTS + 2,    /* two plans */
  ROW_AXIS = COLUMN_AXIS + 2,   /* two plans */
  GRID_WEIGHTS = ROW_AXIS + 2,  /* two plans */
  SUMS = GRID_WEIGHTS + 2,      /* of cells; two plans */
  BLURRED_SUMS = SUMS + 2,      /* along rows; two plans */
  N_SLOTS = BLURRED_SUMS + 2
};

/* How the exact filter is computed */
typedef enum
{
  BY_PLANES,                    /* in padded planes of floats */
  BY_TILE,                      /* in local memory */
  BY_TILE_TABLE                 /* the same, with a table of weights */
} MgpuBilateralWay;

/* Keeps what the exact filter computes once for its parameters. */
typedef struct
{
  gboolean is_ready;
  gdouble sigma_color, sigma_space;
  gint radius;

  MgpuBilateralWay way;
  gfloat scale, inverse;        /* of the values, and 1 / scale */
  gint plane_stride, plane_size;        /* BY_PLANES, in floats */
  gint n_taps;                  /* BY_PLANES */
  gint steps;                   /* BY_TILE*: see bilateral_tile */
  gint n_weights;               /* BY_TILE_TABLE */
} MgpuBilateralExact;

/* Divides an axis of the frame into cells: see kernels/bilateral/grid.cl. */
typedef struct
{
  gint n, cells;                /* samples and cells */
  gint radius;                  /* of the Gaussian, in cells */
  gint taps;                    /* where it begins in the slot, in words */
} MgpuBilateralAxis;

/* Keeps what the other methods compute once for their parameters. */
typedef struct
{
  gboolean is_ready;
  MgpuBilateralMethod method;
  gdouble sigma_color, sigma_space;
  gint levels;

  MgpuBilateralAxis x, y;
  gint used_levels, n_levels;   /* n_levels: with padding */
  gdouble step;                 /* from a level to the next, in steps of the guide */
  gint n_read;                  /* rows of cells that are read at once */
} MgpuBilateralGrid;

typedef struct
{
  MgpuObject object;
  gboolean is_guided;
  gint channels;                /* that share a weight: 1, or 3 for RGB */
  gint bytes;                   /* of a sample */
  gint max, guide_max;          /* largest sample, and largest value of the guide */
  gsize group[2];               /* size of a work-group, except for tiles */

  /* Plans: the first for luma and RGB, the second for chroma with fewer columns */
  MgpuBilateralExact exact[2];
  MgpuBilateralGrid grid[2];
} MgpuBilateral;

/* Enqueue one pass. sigma_space: in samples of the pass. FALSE: the error is in job. */
gboolean mgpu_bilateral_exact_enqueue (MgpuBilateral * self, GstMgpuJob * job, const MgpuBilateralParams * params,
    gdouble sigma_space, const MgpuBilateralPass * pass);
gboolean mgpu_bilateral_grid_enqueue (MgpuBilateral * self, GstMgpuJob * job, const MgpuBilateralParams * params,
    gdouble sigma_space, const MgpuBilateralPass * pass);

G_END_DECLS
