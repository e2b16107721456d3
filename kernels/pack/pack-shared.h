/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants shared by the host code and the kernels that unpack and pack samples. */
#ifndef PACK_SHARED_H
#define PACK_SHARED_H

/* Values of PACKING: layouts of samples in words */
#define SWAPPED 0               /* GRAY16_BE: 16 bits, the upper byte first */
#define RGB_16 1                /* RGB16, RGB15 and similar formats: red, green and blue in 16
                                 * bits */
#define YUYV_16 2               /* Y210, Y212: Y, U, Y and V in the upper bits of 4 words of 16 bits */
#define V210 3                  /* 6 pixels in 4 words of 32 bits, each with 3 samples */
#define Y410 4                  /* U, Y, V and 2 bits of alpha in 32 bits */
#endif
