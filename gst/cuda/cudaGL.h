/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares what the headers of gstreamer-cuda use of CUDA's interface to OpenGL. */
#pragma once

#include "cuda.h"

typedef int CUGLDeviceList;
