/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/denoise/denoise.h>

#include "../reference/denoise.h"
#include "cases.h"

/* Computes the reference of cases_denoise with the earlier frames in @past. @flow: the flow to the
 * last of these, or NULL */
void cases_denoise_reduce (const MgpuDenoiseParams * p, const GstVideoInfo * info, const RefPlane * in,
    const RefPlane * out, const RefFlow * flow, RefDenoisePast * past);
