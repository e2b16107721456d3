/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

/* Checks the methods of the bilateral filter whose cost does not grow with sigma_space: compares
 * them with their reference, and measures the difference from the exact filter. */
void kc_check_bilateral_grid (KcRun * run);

/* Measures how the cost of the grid and constant-time methods depends on sigma_space. */
void kc_bench_bilateral_grid (KcRun * run);
