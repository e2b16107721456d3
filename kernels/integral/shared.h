/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of integral agree on. */
#ifndef INTEGRAL_SHARED_H
#define INTEGRAL_SHARED_H

/* Samples of a tile */
#define TILE_X 64
#define TILE_Y 32

#endif
