/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

G_BEGIN_DECLS

/* Searches real pictures for people with the part model that comes with OpenCV, and compares the
 * boxes with those of OpenCV's own detector. The benchmark compares the times. Both functions do
 * nothing if the model is not installed. */
void kc_dpm_compare (KcRun * run);
void kc_dpm_bench (KcRun * run);

G_END_DECLS
