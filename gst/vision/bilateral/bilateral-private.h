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

/* Indices into the array @knobs, which lists the tuning constants of the kernels */
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

/* Indices into the array @kernels, which lists the OpenCL kernels of the bilateral
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

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for
 * later kernels. All but PLANES are pairs: the first slot is for luma or RGB, the second
 * for subsampled chroma. */
enum
{
  PLANES,                       /* padded planes of floats: the samples, alpha and the
                                 * guide image if there are any */
  SHAPE,                        /* for BY_PLANES: offset and spatial weight of each sample
                                 * of the disc; for tiles: heights of the disc's columns,
                                 * and spatial weights */
  WEIGHTS = SHAPE + 2,          /* table of weights of the exact filter */
  COLUMN_AXIS = WEIGHTS + 2,    /* table for the horizontal axis of the grid: its cells,
                                 * its samples and the weights of the Gaussian */
  ROW_AXIS = COLUMN_AXIS + 2,   /* table for the vertical axis of the grid: its cells, its
                                 * samples and the weights of the Gaussian */
  GRID_WEIGHTS = ROW_AXIS + 2,  /* table of range weights of the methods grid and
                                 * constant-time */
  SUMS = GRID_WEIGHTS + 2,      /* sums of weights and of weighted samples for each cell
                                 * of the grid, in a band of rows of cells */
  BLURRED_SUMS = SUMS + 2,      /* the sums of the scratch buffer SUMS, blurred along rows */
  N_SLOTS = BLURRED_SUMS + 2
};

/* Where the kernels of the exact filter read samples and weights */
typedef enum
{
  BY_PLANES,                    /* samples come from padded planes of floats */
  BY_TILE,                      /* samples come from a tile in local memory */
  BY_TILE_TABLE                 /* samples come from a tile in local memory,
                                 * weights from a table */
} MgpuBilateralWay;

/* Keeps the values that the host precomputes for the kernels of the exact bilateral
 * filter. */
typedef struct
{
  MgpuBilateralParams params;   /* parameters of the filter for which the members below
                                 * were computed */
  MgpuBilateralWay way;
  gfloat scale, inverse;        /* factor by which samples are multiplied, and 1 /
                                 * @scale */
  gint radius_y;                /* largest distance of a sample of the disc from the
                                 * disc's centre row */
  gint plane_stride, plane_size;        /* for BY_PLANES: floats from row to row of a
                                         * padded plane, and floats of a whole plane */
  gint n_taps;                  /* for BY_PLANES: number of samples of the disc */
  gint steps;                   /* for tiles: index, in the slot (scratch buffer) SHAPE, of
                                 * a table with a word for each squared distance from the
                                 * disc's centre: the spatial weight or, for BY_TILE_TABLE,
                                 * the offset of a row of the table of weights */
  gint n_weights;               /* for BY_TILE_TABLE: number of weights in the table */
} MgpuBilateralExact;

/* Describes how a row or a column of the frame is divided into cells of the bilateral grid: see
 * kernels/bilateral/grid.cl. */
typedef struct
{
  gint n, cells;                /* number of samples and of cells along the axis */
  gint radius;                  /* radius of the spatial Gaussian, in cells */
  gint taps;                    /* index of the Gaussian's first weight in the table of this
                                 * axis, which is in the scratch buffer COLUMN_AXIS or
                                 * ROW_AXIS */
} MgpuBilateralAxis;

/* Keeps the values that the host precomputes for the kernels of the bilateral filter's
 * methods grid and constant-time. */
typedef struct
{
  MgpuBilateralParams params;   /* parameters of the filter for which the members below were
                                 * computed */
  MgpuBilateralAxis x, y;
  gint used_levels, n_levels;   /* number of levels into which the range of guide values
                                 * is divided, without and with padding */
  gdouble step;                 /* spacing of neighbouring levels, in units of guide
                                 * values */
  gint n_read;                  /* largest number of rows of cells, in a band of the grid,
                                 * that output pixels read */
} MgpuBilateralGrid;

typedef struct
{
  MgpuObject object;
  gboolean is_guided;
  gboolean is_weighted;         /* whether colours are weighted by alpha */
  gint channels;                /* number of colour channels that are filtered with the
                                 * same weights: 1, or 3 for RGB */
  gint bytes;                   /* number of bytes of a sample */
  gint guide_max;               /* largest value that a sample of the guide image, or of
                                 * the frame if there is none, can have */
  gsize group[2];               /* number of work-items of a work-group in x and y, except
                                 * for kernels of tiles */

  /* precomputed values of the method exact, and of the methods grid and constant-time.
   * Element 0 of each array is for luma or RGB, element 1 for chroma, which may have fewer
   * columns and another range. */
  MgpuBilateralExact exact[2];
  MgpuBilateralGrid grid[2];
} MgpuBilateral;

/* Describes the position in memory of those colour components of a frame that are filtered with
 * the same weights. @offset is the offset of their plane, in bytes. The members from
 * @pixel_stride on are arguments of kernels: see the macro PIXEL in
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

/* Describes the filtering of colour components of a frame. @guide is the image whose
 * values determine the range weights: the value for sample (x, y) of the components is at
 * column x << @guide_x_shift and row y << @guide_y_shift of the guide image. */
typedef struct
{
  MgpuBilateralView in, out, guide;
  gint guide_x_shift, guide_y_shift;
  MgpuPlace place;              /* offset and size, in samples, of this part of a frame
                                 * within the colour components of the whole frame */
  MgpuPlace whole;              /* width and height, in samples, of the colour components
                                 * of the whole frame */
  gint aspect;                  /* ratio of the width of a sample to its height:
                                 * 2 for chroma of 4:2:2 */
  gint lo, hi;                  /* lowest and highest nominal value of the samples of
                                 * these colour components */
  gint copied;                  /* number of pixels of a row whose bytes beside
                                 * the filtered samples are copied, or 0 */
} MgpuBilateralPass;

/* Macros for gst_mgpu_job_set_args(): types and values of the kernel arguments that the
 * macro GUIDE in kernels/bilateral/pixels.h declares */
#define MGPU_BILATERAL_GUIDE MGPU_PLANE "ii" MGPU_BILATERAL_PIXEL
#define MGPU_BILATERAL_GUIDE_OF(job, pass) \
    MGPU_READ (job, &(pass)->guide, (pass)->guide), (pass)->guide_x_shift, \
    (pass)->guide_y_shift, MGPU_BILATERAL_PIXEL_OF (&(pass)->guide)

/* Precompute element @i of the array @exact, or of the array for the methods grid and
 * constant-time, and the tables that kernels read, for the colour components of @pass. The
 * parameters in that element must be set; their sigma_space and radius are in samples of
 * these components. FALSE: the error is in @job. */
gboolean mgpu_bilateral_exact_plan (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);
gboolean mgpu_bilateral_grid_plan (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);

/* Returns: the maximum distance, along an axis of @n samples, between an output sample and the
 * input samples on which it depends. The method of @params has to be grid or constant-time. @sigma
 * is the spatial sigma along this axis, in samples. */
gint mgpu_bilateral_grid_get_reach (const MgpuBilateralParams * params, gint n, gdouble sigma);

/* Enqueue the kernels that filter the colour components of @pass with the precomputed
 * tables for luma or RGB (@i is 0) or for chroma (@i is 1). Errors stay in @job. */
void mgpu_bilateral_exact_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);
void mgpu_bilateral_grid_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);

G_END_DECLS
