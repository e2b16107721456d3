/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of the pyramid share. */
#ifndef PYRAMID_SHARED_H
#define PYRAMID_SHARED_H

/* Number of levels that the kernel pyramid_tile computes at once */
#define DEPTH 4

#endif
