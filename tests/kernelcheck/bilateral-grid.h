/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

/* The methods of the bilateral filter whose cost does not grow with
 * sigma_space: against their reference, and how near they come to the exact
 * one. */
void kc_check_bilateral_grid (KcRun * run);

/* How their cost goes with sigma_space. */
void kc_bench_bilateral_grid (KcRun * run);
