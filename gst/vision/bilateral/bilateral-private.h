/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The object of the bilateral filter, shared by the source files of its methods. */
#pragma once

#include <gst/vision/base/words.h>

#include "bilateral.h"

G_BEGIN_DECLS

/* Maximum radius of the exact filter, in samples */
#define MGPU_BILATERAL_MAX_RADIUS 64

/* Indices into the array @knobs of the tuning constants of the kernels */
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

/* Indices into the array @kernels of the OpenCL kernels of the bilateral filter */
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

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. All slots except PLANES are pairs: the first of a pair is for luma or RGB, the
 * second for subsampled chroma. */
enum
{
  PLANES,                       /* padded planes of floats: the samples; also alpha and the
                                 * guide image, if there are any */
  SHAPE,                        /* for BY_PLANES: offset and spatial weight of each sample of
                                 * the disc. For tiles: heights of the disc's columns, and
                                 * spatial weights */
  WEIGHTS = SHAPE + 2,          /* table of weights of the exact filter */
  COLUMN_AXIS = WEIGHTS + 2,    /* table for the horizontal axis of the grid: its cells, its
                                 * samples, and the weights of the Gaussian */
  ROW_AXIS = COLUMN_AXIS + 2,   /* table for the vertical axis of the grid: its cells, its
                                 * samples, and the weights of the Gaussian */
  GRID_WEIGHTS = ROW_AXIS + 2,  /* table of range weights of the methods grid and
                                 * constant-time */
  SUMS = GRID_WEIGHTS + 2,      /* sums of weights and sums of weighted samples, for each cell
                                 * in a band (some rows of cells) of the grid */
  BLURRED_SUMS = SUMS + 2,      /* the sums of the scratch buffer SUMS after the blur along rows */
  N_SLOTS = BLURRED_SUMS + 2
};

/* Source from which the kernels of the exact filter read samples and weights */
typedef enum
{
  BY_PLANES,                    /* samples are read from padded planes of floats */
  BY_TILE,                      /* samples are read from a tile in local memory */
  BY_TILE_TABLE                 /* samples are read from a tile in local memory, weights from a
                                 * table */
} MgpuBilateralWay;

/* Values that the host precomputes for the kernels of the exact bilateral filter. */
typedef struct
{
  MgpuBilateralParams params;   /* parameters of the filter for which the members below
                                 * were computed */
  MgpuBilateralWay way;
  gfloat scale, inverse;        /* @scale: factor by which samples are multiplied; @inverse: 1 /
                                 * @scale */
  gint radius_y;                /* half the height of the disc: largest distance of a sample
                                 * from the center row */
  gint plane_stride, plane_size;        /* for BY_PLANES, in floats: distance between the rows
                                         * of a padded plane, and size of a plane */
  gint n_taps;                  /* for BY_PLANES: number of samples of the disc */
  gint steps;                   /* for tiles: index of a table in the slot (scratch buffer)
                                 * SHAPE. The table has a word for each squared distance from
                                 * the disc's center: the spatial weight or, for BY_TILE_TABLE,
                                 * the offset of a row of the table of weights */
  gint n_weights;               /* for BY_TILE_TABLE: number of weights in the table */
} MgpuBilateralExact;

/* Division of a row or a column of the frame into cells of the bilateral grid: see
 * kernels/bilateral/grid.cl. */
typedef struct
{
  gint n, cells;                /* number of samples along the axis, and number of cells along
                                 * it */
  gint radius;                  /* radius of the spatial Gaussian, in cells */
  gint taps;                    /* index of the weight at the Gaussian's center. The other
                                 * weights follow it in the table of this axis, in the scratch
                                 * buffer COLUMN_AXIS or ROW_AXIS */
} MgpuBilateralAxis;

/* Values that the host precomputes for the kernels of the methods grid and constant-time of the
 * bilateral filter. */
typedef struct
{
  MgpuBilateralParams params;   /* parameters of the filter for which the members below were
                                 * computed */
  MgpuBilateralAxis x, y;
  gint used_levels, n_levels;   /* number of levels into which the range of guide values is
                                 * divided: @used_levels without padding, @n_levels with padding */
  gdouble step;                 /* distance between neighboring levels, in units of guide
                                 * values */
  gint n_read;                  /* number of rows of cells in a band of the grid that output
                                 * pixels read, at most */
} MgpuBilateralGrid;

typedef struct
{
  MgpuObject object;
  gboolean is_guided;
  gboolean is_weighted;         /* whether colors are weighted by alpha */
  gint channels;                /* number of color channels that share the same weights: 1, or
                                 * 3 for RGB */
  gint bytes;                   /* number of bytes of a sample */
  gint guide_max;               /* maximum value of a sample of the guide image or, without one,
                                 * of the frame */
  gsize group[2];               /* number of work-items of a work-group in x and y; kernels of
                                 * tiles have their own size */

  /* Precomputed values of the method exact, and of the methods grid and constant-time. Element
   * 0 of each array is for luma or RGB. Element 1 is for chroma, which may have fewer columns
   * and a different range. */
  MgpuBilateralExact exact[2];
  MgpuBilateralGrid grid[2];
} MgpuBilateral;

/* Position in memory of color components that are filtered with the same weights. @offset is
 * the offset of their plane, in bytes. @pixel_stride and the members that follow it are
 * arguments of kernels: see the macro PIXEL in kernels/bilateral/pixels.h. */
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

/* The filtering of some color components of a frame. The values of the image @guide determine
 * the range weights: for sample (x, y) of the components, the guide value is at column x <<
 * @guide_x_shift and row y << @guide_y_shift. */
typedef struct
{
  MgpuBilateralView in, out, guide;
  gint guide_x_shift, guide_y_shift;
  MgpuPlace place;              /* position and size, in samples, of the filtered part within
                                 * the color components of the whole frame */
  MgpuPlace whole;              /* size, in samples, of the color components of the whole frame
                                 * (width and height) */
  gint aspect;                  /* ratio of the width of a sample to its height:
                                 * 2 for chroma of 4:2:2 */
  gint lo, hi;                  /* limits of the nominal range of the samples of these color
                                 * components */
  gint copied;                  /* number of pixels of a row in which the bytes between the
                                 * filtered samples are copied; may be 0 */
} MgpuBilateralPass;

/* Macros for gst_mgpu_job_set_args(): types and values of the kernel arguments that are
 * declared by the macro GUIDE in kernels/bilateral/pixels.h */
#define MGPU_BILATERAL_GUIDE MGPU_PLANE "ii" MGPU_BILATERAL_PIXEL
#define MGPU_BILATERAL_GUIDE_OF(job, pass) \
    MGPU_READ (job, &(pass)->guide, (pass)->guide), (pass)->guide_x_shift, \
    (pass)->guide_y_shift, MGPU_BILATERAL_PIXEL_OF (&(pass)->guide)

/* These functions precompute the values and tables for the color components of @pass. They
 * fill element @i of the array @exact, or of the array for the methods grid and constant-time.
 * The parameters in that element must be set before; their sigma_space and radius are in
 * samples of these components.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_bilateral_exact_plan (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);
gboolean mgpu_bilateral_grid_plan (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);

/* @params: parameters with the method grid or constant-time. @n: number of samples along an
 * axis. @sigma: spatial sigma along this axis, in samples.
 * Returns: the maximum distance, along this axis, between an output sample and the input
 * samples on which it depends */
gint mgpu_bilateral_grid_get_reach (const MgpuBilateralParams * params, gint n, gdouble sigma);

/* These functions enqueue the kernels that filter the color components of @pass. They use the
 * precomputed tables for luma or RGB if @i is 0, those for chroma if it is 1. Errors stay in
 * @job. */
void mgpu_bilateral_exact_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);
void mgpu_bilateral_grid_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);

G_END_DECLS
