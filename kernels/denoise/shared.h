/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of denoise share. */
#ifndef DENOISE_SHARED_H
#define DENOISE_SHARED_H

/* Samples that planes have more than the component on each side */
#define MARGIN 2

/* Width and height of the blocks whose differences tell the noise */
#define BLOCK 8

/* Number of values of a sum of the absolute differences of a block */
#define BINS (BLOCK * BLOCK * 255 + 1)

/* Limits of the measured noise, in sixteenths of an 8-bit step */
#define MIN_NOISE 4
#define MAX_NOISE 512

/* Words of the memory that tells kernels about the noise. MEASURED is N_0, or 0
 * until it was measured; NOISE is N; RANGES are 16 floats, 1 / T for means of 1
 * to 16 frames. */
#define MEASURED 0
#define NOISE 1
#define RANGES 2
#define N_WORDS (RANGES + 16)

#endif
