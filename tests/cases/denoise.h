/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/denoise/denoise.h>

#include "../reference/denoise.h"
#include "cases.h"

/* Does what the reference of cases_denoise does, after the frames that past knows. @flow: flow to the
 * last of them, or NULL */
void cases_denoise_reduce (const MgpuDenoiseParams * p, const GstVideoInfo * info, const RefPlane * in,
    const RefPlane * out, const RefFlow * flow, RefDenoisePast * past);
