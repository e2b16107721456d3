/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/histeq/histeq.h>

#include "../reference/histeq.h"
#include "cases.h"

/* Does what the reference of cases_histeq does, after the frames that past knows. past:
 * NULL for a frame by itself */
void cases_histeq_equalize (const MgpuHisteqParams * p, const GstVideoInfo * info, const RefPlane * in,
    const RefPlane * out, RefHisteqPast * past);
