/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants shared by the kernels of noise reduction and the code on the host. */
#ifndef DENOISE_SHARED_H
#define DENOISE_SHARED_H

/* Width of the margin that each plane has on all sides, in samples */
#define MARGIN 2

/* Width and height of the blocks in which the noise is measured, in samples */
#define BLOCK 8

/* A block is excluded from the measurement of noise if at least this number of its samples are
 * at the ends of the range of values, where noise is clipped */
#define MIN_CLIPPED (BLOCK * BLOCK / 4)

/* Width and height of the cells in which averages of earlier frames are chosen, in samples. These
 * averages are used as they are, without moving them along the flow, where the mean difference from
 * the frame is at most STILL / 256 of the noise: noise alone gives about 204. */
#define CELL 4
#define STILL 232

/* Number of bins of the histogram of blocks: one for each possible sum of the absolute
 * differences between two blocks of 8-bit samples */
#define BINS (BLOCK * BLOCK * 255 + 1)

/* Limits of the measured noise, in units of 1/16 of an 8-bit grey level */
#define MIN_NOISE 4
#define MAX_NOISE 512

/* Indices of words in the buffer that holds the noise.
 * MEASURED: the measured noise, in units of 1/16 of an 8-bit grey level, or 0 before the first
 * measurement.
 * NOISE: the noise that the filters use.
 * RANGES: the first of 16 floats, for averages over 1 to 16 frames. Each is 1 / T; neighbours
 * whose difference is T or more are not averaged. */
#define MEASURED 0
#define NOISE 1
#define RANGES 2
#define N_WORDS (RANGES + 16)

#endif
