/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/histeq/histeq.h>

#include "../reference/histeq.h"
#include "cases.h"

/* Computes the reference of cases_histeq with the histograms of earlier frames in @past. @past:
 * NULL for a single frame */
void cases_histeq_equalize (const MgpuHisteqParams * p, const GstVideoInfo * info, const RefPlane * in,
    const RefPlane * out, RefHisteqPast * past);
