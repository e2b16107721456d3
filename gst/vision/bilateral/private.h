/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the object of the bilateral filter, which the source files of its methods
 * share. */
#pragma once

#include <gst/vision/base/words.h>

#include "bilateral.h"

G_BEGIN_DECLS

/* Largest radius of the exact filter, in samples */
#define MGPU_BILATERAL_MAX_RADIUS 64

/* Indices into the array knobs, which lists the tuning constants of the kernels */
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

/* Indices into the array kernels, which lists the OpenCL kernels of the bilateral
 * filter */
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

/* Indices of the slots, the device memories that kernels leave for each other. All
 * but PLANES are pairs: the first slot is for luma or RGB, the second for subsampled
 * chroma. */
enum
{
  PLANES,                       /* samples and guide in padded planes of floats */
  SHAPE,                        /* offsets of the samples of the disc, or its shape */
  WEIGHTS = SHAPE + 2,          /* table of weights of the exact filter */
  COLUMN_AXIS = WEIGHTS + 2,    /* table of the grid's columns of cells */
  ROW_AXIS = COLUMN_AXIS + 2,   /* table of the grid's rows of cells */
  GRID_WEIGHTS = ROW_AXIS + 2,  /* table of weights of the grid */
  SUMS = GRID_WEIGHTS + 2,      /* sums of the grid's cells in a band of rows */
  BLURRED_SUMS = SUMS + 2,      /* the sums of the cells, blurred along rows */
  N_SLOTS = BLURRED_SUMS + 2
};

/* Tells where the kernels of the exact filter read samples and weights. */
typedef enum
{
  BY_PLANES,                    /* samples come from padded planes of floats */
  BY_TILE,                      /* samples come from a tile in local memory */
  BY_TILE_TABLE                 /* samples come from a tile in local memory,
                                 * weights from a table */
} MgpuBilateralWay;

/* Keeps what the exact filter computes once for its parameters: the plan. */
typedef struct
{
  MgpuBilateralParams params;   /* parameters for which the plan was made */
  MgpuBilateralWay way;
  gfloat scale, inverse;        /* factor by which samples are multiplied, and 1
                                 * / scale */
  gint radius_y;                /* largest distance of a sample of the disc from its middle row */
  gint plane_stride, plane_size;        /* for BY_PLANES: size of a plane, in floats */
  gint n_taps;                  /* for BY_PLANES: number of samples of the disc */
  gint steps;                   /* for tiles: where a table with an entry for
                                 * each squared distance begins in the slot
                                 * SHAPE */
  gint n_weights;               /* for BY_TILE_TABLE: number of weights in the table */
} MgpuBilateralExact;

/* Tells how a row or a column of the frame is divided into cells of the bilateral grid:
 * see kernels/bilateral/grid.cl. */
typedef struct
{
  gint n, cells;                /* number of samples and of cells along the axis */
  gint radius;                  /* radius of the spatial Gaussian, in cells */
  gint taps;                    /* index of the Gaussian's weights in the axis' slot */
} MgpuBilateralAxis;

/* Keeps what the methods grid and constant-time compute once for their parameters: the
 * plan. */
typedef struct
{
  MgpuBilateralParams params;   /* parameters for which the plan was made */
  MgpuBilateralAxis x, y;
  gint used_levels, n_levels;   /* number of levels of the range, without and with padding */
  gdouble step;                 /* distance of neighbouring levels, in units of guide values */
  gint n_read;                  /* largest number of rows of cells that pixels read in a band */
} MgpuBilateralGrid;

typedef struct
{
  MgpuObject object;
  gboolean is_guided;
  gint channels;                /* number of channels that share a weight: 1, or 3 for RGB */
  gint bytes;                   /* bytes of a sample */
  gint guide_max;               /* largest value of the guide */
  gsize group[2];               /* size of a work-group, except for kernels of tiles */

  /* Plans. The first of each is for luma and RGB, the second for chroma, which may have
   * fewer columns and another range. */
  MgpuBilateralExact exact[2];
  MgpuBilateralGrid grid[2];
} MgpuBilateral;

/* Tells where components of a frame that are filtered with the same weights lie in
 * memory. The member offset is that of their plane, in bytes. The members from
 * pixel_stride on are arguments of kernels: see the macro PIXEL in
 * kernels/bilateral/pixels.h. */
typedef struct
{
  GstMgpuMemory *memory;        /* memory of the frame, not owned */
  gint offset, stride;
  gint pixel_stride, position[3], shift;
} MgpuBilateralView;

#define MGPU_BILATERAL_PIXEL "iiiii"
#define MGPU_BILATERAL_PIXEL_OF(view) \
    (view)->pixel_stride, (view)->position[0], (view)->position[1], \
    (view)->position[2], (view)->shift

/* Describes the filtering of components of a frame. The member guide has the values that
 * decide on the weights: the value for sample (x, y) of the components is in the guide at
 * column x << guide_x_shift and row y << guide_y_shift. */
typedef struct
{
  MgpuBilateralView in, out, guide;
  gint guide_x_shift, guide_y_shift;
  MgpuPlace place;              /* place of the components of this part in those of the frame */
  MgpuPlace whole;              /* size of the components of the whole frame */
  gint aspect;                  /* ratio of the width of a sample to its height:
                                 * 2 for chroma of 4:2:2 */
  gint lo, hi;                  /* nominal range of the components */
  gint copied;                  /* number of pixels of a row whose bytes beside
                                 * the filtered samples are copied, or 0 */
} MgpuBilateralPass;

/* Macros for gst_mgpu_job_set_args(): types and values of the kernel arguments that the
 * macro GUIDE in kernels/bilateral/pixels.h declares */
#define MGPU_BILATERAL_GUIDE MGPU_PLANE "ii" MGPU_BILATERAL_PIXEL
#define MGPU_BILATERAL_GUIDE_OF(job, pass) \
    MGPU_READ (job, &(pass)->guide, (pass)->guide), (pass)->guide_x_shift, \
    (pass)->guide_y_shift, MGPU_BILATERAL_PIXEL_OF (&(pass)->guide)

/* Make plan number i, which holds the tables that the kernels of a method read,
 * for the components of @pass and the parameters in the plan, whose sigma_space
 * and radius are in samples of these components. FALSE: the error is in job. */
gboolean mgpu_bilateral_exact_plan (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);
gboolean mgpu_bilateral_grid_plan (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);

/* Returns: the largest distance, along an axis of n samples, between a sample
 * of the result and a sample that it is computed from, for the method grid or
 * constant-time that params names. The parameter sigma is the spatial sigma
 * along this axis, in samples. */
gint mgpu_bilateral_grid_get_reach (const MgpuBilateralParams * params, gint n, gdouble sigma);

/* Enqueue the kernels that filter the components of @pass with the tables of
 * plan i. Errors stay in job. */
void mgpu_bilateral_exact_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);
void mgpu_bilateral_grid_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);

G_END_DECLS
