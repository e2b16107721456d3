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

/* Value of the parameter light_shift_x of kernels for components whose own samples determine their
 * noise */
#define OWN -1

/* Unit of the differences from averages of earlier frames: 1 / UNIT of the noise */
#define UNIT 32

/* Width and height of the cells in which averages of earlier frames are chosen, in samples. These
 * averages are used as they are, without moving them along the flow, where the mean difference from
 * the frame is at most STILL / 256 of the noise: noise alone gives about 204. */
#define CELL 4
#define STILL 232

/* Number of classes of brightness in which the noise is measured */
#define CLASSES 16

/* Cost of the slope of a line of variances over brightness: a line that is 0 at one end costs 1 /
 * STEEPNESS of the cost of a line that is wrong by the whole variance everywhere */
#define STEEPNESS 4

/* Number of bins of the histogram of each class: one for each sum of the absolute differences
 * between two blocks of 8-bit samples. The last bin also counts all larger sums, which are above
 * what MAX_VARIANCE gives. */
#define BINS 2304

/* Limits of the variance of the measured noise. The unit of standard deviations is 1/16 of an
 * 8-bit gray level. */
#define MIN_VARIANCE 16
#define MAX_VARIANCE (512 * 512)

/* Indices of words in the buffer that holds the noise.
 * LOW, HIGH, LEAST: the measured variances at the ends of the range of values, and the smallest one,
 * which is 0 before the first measurement.
 * OFFSET, SLOPE, MINIMUM: floats: the variance that the filters use is OFFSET + SLOPE S, but at least
 * MINIMUM, in samples whose average over time is S.
 * RANGES: the first of 16 floats, for averages over 1 to 16 frames. Neighbors are not averaged if
 * their difference, in standard deviations of the noise, is 1 / RANGES or more. */
#define LOW 0
#define HIGH 1
#define LEAST 2
#define OFFSET 3
#define SLOPE 4
#define MINIMUM 5
#define RANGES 6
#define N_WORDS (RANGES + 16)

#endif
