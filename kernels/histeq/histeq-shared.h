/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of histeq share. */
#ifndef HISTEQ_SHARED_H
#define HISTEQ_SHARED_H

/* Values of COUNT, which selects the memory in which a work-item counts samples:
 * COUNT_OWN: TABLES private histograms, alternately. Consecutive additions then go to
 *   different histograms and do not wait for each other where neighboring samples are equal.
 * COUNT_LOCAL: one histogram in local memory for each work-group.
 * COUNT_GLOBAL: a histogram in global memory, shared by all work-groups. */
#define COUNT_OWN 0
#define COUNT_LOCAL 1
#define COUNT_GLOBAL 2

/* Maximum number of compared pixels along an axis when a frame is compared with the last frame */
#define LIGHT_PLACES 256

/* Number of counters for the pairs of values of a component. There are LIGHT_ROWS rows, one for
 * each mean of the two values in 8 bits. A row has a counter for each difference from
 * -LIGHT_REACH to LIGHT_REACH. One additional counter counts all larger differences. */
#define LIGHT_ROWS 256
#define LIGHT_REACH 64
#define LIGHT_WIDTH (2 * LIGHT_REACH + 1)
#define LIGHT_PAIRS (LIGHT_ROWS * LIGHT_WIDTH + 1)

/* Indices into the numbers that describe the change of light of a color component: see
 * histeq/light.h. */
#define LIGHT_OFFSET 0
#define LIGHT_SLOPE 1
#define LIGHT_IS_OTHER 2
#define LIGHT_SPREAD 3
#define LIGHT_SIZE 4

#endif
