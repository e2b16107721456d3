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

/* Indices of the knobs in their list */
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

/* Indices of the kernels in their list */
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

/* Slots. There are two of each that says "two plans": the second is for the second plan of
 * MgpuBilateral. */
enum
{
  PLANES,                       /* padded planes of floats */
  SHAPE,                        /* offsets of taps, or shape of the disc; two plans */
  WEIGHTS = SHAPE + 2,          /* table of weights of the exact filter; two plans */
  COLUMN_AXIS = WEIGHTS + 2,    /* cells along a row; two plans */
  ROW_AXIS = COLUMN_AXIS + 2,   /* cells along a column; two plans */
  GRID_WEIGHTS = ROW_AXIS + 2,  /* table of weights of the grid; two plans */
  SUMS = GRID_WEIGHTS + 2,      /* sums of the cells of a band; two plans */
  BLURRED_SUMS = SUMS + 2,      /* sums, blurred along rows; two plans */
  N_SLOTS = BLURRED_SUMS + 2
};

/* Tells where the kernels of the exact filter read samples and weights. */
typedef enum
{
  BY_PLANES,                    /* samples in padded planes of floats */
  BY_TILE,                      /* samples in a tile in local memory */
  BY_TILE_TABLE                 /* samples in such a tile, and weights in a table */
} MgpuBilateralWay;

/* Keeps what the exact filter computes once for its parameters. */
typedef struct
{
  MgpuBilateralParams params;   /* see mgpu_bilateral_exact_plan() */
  MgpuBilateralWay way;
  gfloat scale, inverse;        /* factor of the values, and 1 / scale */
  gint plane_stride, plane_size;        /* for BY_PLANES: size of a plane, in floats */
  gint n_taps;                  /* for BY_PLANES: number of samples of the disc */
  gint steps;                   /* for tiles: argument of the kernel bilateral_tile */
  gint n_weights;               /* for BY_TILE_TABLE: number of weights in the table */
} MgpuBilateralExact;

/* Tells how a row or a column of the frame is divided into cells: see
 * kernels/bilateral/grid.cl. */
typedef struct
{
  gint n, cells;                /* number of samples and of cells */
  gint radius;                  /* radius of the Gaussian, in cells */
  gint taps;                    /* offset of the Gaussian in the slot, in words */
} MgpuBilateralAxis;

/* Keeps what the methods grid and constant-time compute once for their parameters. */
typedef struct
{
  MgpuBilateralParams params;   /* see mgpu_bilateral_grid_plan() */
  MgpuBilateralAxis x, y;
  gint used_levels, n_levels;   /* number of levels, without and with padding */
  gdouble step;                 /* distance of two levels, in units of guide values */
  gint n_read;                  /* rows of cells that pixels read in a band */
} MgpuBilateralGrid;

typedef struct
{
  MgpuObject object;
  gboolean is_guided;
  gint channels;                /* number of channels that share a weight: 1, or 3 for RGB */
  gint bytes;                   /* bytes of a sample */
  gint max, guide_max;          /* largest sample, and largest value of the guide */
  gsize group[2];               /* size of a work-group, except for kernels of tiles */

  /* Plans. The first of each is for luma and RGB, the second for subsampled chroma, which
   * has fewer columns. */
  MgpuBilateralExact exact[2];
  MgpuBilateralGrid grid[2];
} MgpuBilateral;

/* Tells where components of a frame lie that are filtered together, with the same
 * weights. offset is that of their plane. The members from pixel_stride on are arguments
 * of kernels: see the macro PIXEL in kernels/bilateral/pixels.h. */
typedef struct
{
  GstMgpuMemory *memory;        /* not owned */
  gint offset, stride;
  gint pixel_stride, position[3], shift;
} MgpuBilateralView;

#define MGPU_BILATERAL_PIXEL "iiiii"
#define MGPU_BILATERAL_PIXEL_OF(view) \
    (view)->pixel_stride, (view)->position[0], (view)->position[1], \
    (view)->position[2], (view)->shift

/* Describes the work on components of a frame. guide holds the values that decide on the
 * weights: sample (x, y) of the components has the one at (x << guide_x_shift,
 * y << guide_y_shift). */
typedef struct
{
  MgpuBilateralView in, out, guide;
  gint guide_x_shift, guide_y_shift;
  gint width, height;           /* size of the components, in samples */
  gint shift;                   /* log2 of their horizontal subsampling */
  gint copied;                  /* pixels of a row whose other bytes are copied, or 0 */
} MgpuBilateralPass;

/* Types and values of the arguments of a kernel that the macro GUIDE in
 * kernels/bilateral/pixels.h declares */
#define MGPU_BILATERAL_GUIDE MGPU_PLANE "ii" MGPU_BILATERAL_PIXEL
#define MGPU_BILATERAL_GUIDE_OF(job, pass) \
    MGPU_READ (job, &(pass)->guide, (pass)->guide), (pass)->guide_x_shift, \
    (pass)->guide_y_shift, MGPU_BILATERAL_PIXEL_OF (&(pass)->guide)

/* Make plan i for the components of pass and for the parameters in it, whose sigma_space
 * and radius are in samples of these components. FALSE: the error is in job. */
gboolean mgpu_bilateral_exact_plan (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);
gboolean mgpu_bilateral_grid_plan (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);

/* Enqueue the kernels that filter the components of pass with plan i. Errors stay in
 * job. */
void mgpu_bilateral_exact_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);
void mgpu_bilateral_grid_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i, const MgpuBilateralPass * pass);

G_END_DECLS
