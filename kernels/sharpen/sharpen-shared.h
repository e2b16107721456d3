/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of sharpen share. */
#ifndef SHARPEN_SHARED_H
#define SHARPEN_SHARED_H

/* Number of fraction bits of the amount of sharpening. Its unit is 2^-AMOUNT_BITS. */
#define AMOUNT_BITS 10

/* Largest radius of the small Gaussian, in samples */
#define MAX_RADIUS 9

#endif
