/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of sharpen agree on. */
#ifndef SHARPEN_SHARED_H
#define SHARPEN_SHARED_H

/* The unit of the amount is 2^-AMOUNT_BITS. */
#define AMOUNT_BITS 10

/* Radius of the small Gaussian, in samples, at most */
#define MAX_RADIUS 9

#endif
