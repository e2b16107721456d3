/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of the pyramid agree on. */
#ifndef PYRAMID_SHARED_H
#define PYRAMID_SHARED_H

/* Levels that pyramid_tile makes at once */
#define DEPTH 4

#endif
