/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

/* Inpainting frame after frame, against its reference. */
void kc_inpaint_video_check (KcRun * run);

/* Inpainting with what was seen behind the objects, against its reference. */
void kc_inpaint_background_check (KcRun * run);

/* Prints how good pictures look that have something removed, and OpenCV's with run->peers. */
void kc_inpaint_quality_print (KcRun * run);
