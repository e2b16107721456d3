/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

G_BEGIN_DECLS

/* Looks for the model of people that comes with OpenCV in real pictures: what its own detector finds there, and how long
 * both take. Nothing where the model is not installed. */
void kc_dpm_compare (KcRun * run);
void kc_dpm_bench (KcRun * run);

G_END_DECLS
