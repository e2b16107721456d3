/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of histeq agree on. */
#ifndef HISTEQ_SHARED_H
#define HISTEQ_SHARED_H

/* Values of COUNT: what a work-item counts in. COUNT_OWN: TABLES histograms of its own,
 * taken in turns, so that equal neighbours do not wait for each other. COUNT_LOCAL: one
 * in local memory, for its work-group. COUNT_GLOBAL: one in global memory. */
#define COUNT_OWN 0
#define COUNT_LOCAL 1
#define COUNT_GLOBAL 2

#endif
