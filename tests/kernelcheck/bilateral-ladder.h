/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

G_BEGIN_DECLS

/* Compares the results of this project's bilateral filter with those of the steps of
 * bilateral-ladder.cl, and then the times. */
void kc_bench_bilateral_ladder (KcRun * run);

G_END_DECLS
