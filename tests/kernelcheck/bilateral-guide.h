/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

/* Checks all methods of the bilateral filter with range weights from another frame (the guide). */
void kc_check_bilateral_guide (KcRun * run);
