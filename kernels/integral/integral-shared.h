/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of integral share. */
#ifndef INTEGRAL_SHARED_H
#define INTEGRAL_SHARED_H

/* Width and height of a tile in samples */
#define TILE_X 64
#define TILE_Y 32

#endif
