/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

G_BEGIN_DECLS

/* Times ours against the steps of bilateral-ladder.cl, after comparing them. */
void kc_bench_bilateral_ladder (KcRun * run);

G_END_DECLS
