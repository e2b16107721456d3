/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of the bilateral filter share. */
#ifndef BILATERAL_SHARED_H
#define BILATERAL_SHARED_H

/* Number of pixels of a column that a work-item of the kernel bilateral_tile filters: the value
 * of the macro LANES for this kernel */
#define TILE_LANES 4

/* The array for an axis of the grid (see bilateral/grid.cl) is padded to a multiple of this
 * number of samples */
#define AXIS_STEP 16

/* Number of pixels that a work-item of bilateral_grid_read computes side by
 * side */
#define PIXELS_OF(lanes) ((lanes) == 4 ? 1 : 16)

#endif
