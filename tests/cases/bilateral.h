/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/bilateral/bilateral.h>

#include "cases.h"

/* Computes the reference of cases_bilateral with range weights from @guide: @n_guide components as
 * large as the frame, 1 or 3. @guide: NULL for weights from the frame itself */
void cases_bilateral_filter (const MgpuBilateralParams * p, const GstVideoInfo * info, const RefPlane * in,
    const RefPlane * out, const RefPlane * guide, gint n_guide);
