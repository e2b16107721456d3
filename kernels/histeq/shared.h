/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of histeq share. */
#ifndef HISTEQ_SHARED_H
#define HISTEQ_SHARED_H

/* Values of COUNT: where a work-item counts. COUNT_OWN: in TABLES histograms of
 * its own, in turns, so that counting equal neighbours does not wait.
 * COUNT_LOCAL: in one in local memory, for its work-group. COUNT_GLOBAL: in one
 * in global memory, shared by work-groups. */
#define COUNT_OWN 0
#define COUNT_LOCAL 1
#define COUNT_GLOBAL 2

#endif
