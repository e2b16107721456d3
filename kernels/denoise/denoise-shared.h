/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of denoise share. */
#ifndef DENOISE_SHARED_H
#define DENOISE_SHARED_H

/* Width in samples of the margin that each plane has on all sides */
#define MARGIN 2

/* Width and height in samples of the blocks by which the noise is measured */
#define BLOCK 8

/* A block is left out of the measurement of noise if at least this number of its samples are at
 * the ends of the range of values, where noise is cut off */
#define MIN_CLIPPED (BLOCK * BLOCK / 4)

/* Number of bins of the histogram that counts blocks: one for each possible sum of the absolute
 * differences between two blocks of 8-bit samples */
#define BINS (BLOCK * BLOCK * 255 + 1)

/* Limits of the measured noise, in units of 1/16 of an 8-bit grey level */
#define MIN_NOISE 4
#define MAX_NOISE 512

/* Indices of words in the buffer that holds the noise. MEASURED is the measured noise in units
 * of 1/16 of an 8-bit grey level, or 0 before the first measurement; NOISE is the noise that
 * the filters use. From RANGES on follow 16 floats, for averages over 1 to 16 frames: 1 / T,
 * where T is the largest difference between neighbours that are averaged. */
#define MEASURED 0
#define NOISE 1
#define RANGES 2
#define N_WORDS (RANGES + 16)

#endif
