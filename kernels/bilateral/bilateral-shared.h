/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants shared by the kernels of the bilateral filter and the code on the host. */
#ifndef BILATERAL_SHARED_H
#define BILATERAL_SHARED_H

/* Number of pixels of a column that a work-item of the kernel bilateral_tile filters; the macro
 * LANES has this value for this kernel */
#define TILE_LANES 4

/* The array for an axis of the grid is padded to a multiple of this number of samples: see
 * bilateral/grid.cl */
#define AXIS_STEP 16

/* Number of adjacent pixels that a work-item of bilateral_grid_read computes at once */
#define PIXELS_OF(lanes) ((lanes) == 4 ? 1 : 16)

#endif
