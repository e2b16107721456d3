/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws frames with known motion for checks of optical flow. */
#pragma once

#include "kernelcheck.h"

/* Draws frame @t: a square moves in front of a texture that moves in another direction, and the
 * frame gets brighter. */
void kc_flow_draw (KcPicture * picture, gint t);
