/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of denoise share. */
#ifndef DENOISE_SHARED_H
#define DENOISE_SHARED_H

/* Width of the margin that planes have on each side, in samples */
#define MARGIN 2

/* Width and height in samples of the blocks by which the noise is measured */
#define BLOCK 8

/* Number of bins of the histogram that counts blocks: one for each possible sum
 * of the absolute differences of a block */
#define BINS (BLOCK * BLOCK * 255 + 1)

/* Limits of the measured noise, in sixteenths of an 8-bit step */
#define MIN_NOISE 4
#define MAX_NOISE 512

/* Indices of words in the memory that holds the noise. MEASURED is the measured
 * noise in sixteenths of an 8-bit step, or 0 before the first measurement;
 * NOISE is the noise that filters use. From RANGES on follow 16 floats, for
 * means of 1 to 16 frames: 1 / T, where T is the largest difference that is
 * averaged. */
#define MEASURED 0
#define NOISE 1
#define RANGES 2
#define N_WORDS (RANGES + 16)

#endif
