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

/* Filling masks of videos with what passes behind them, against its reference. */
void kc_inpaint_layers_check (KcRun * run);

/* Paints frame @frame of a scene in which people pass each other. There are 44 frames; the last 3 show
 * another scene. */
void kc_inpaint_paint_passing (KcPicture * picture, gint frame, KcRandom * random);

/* Prints how good pictures look that have something removed, and OpenCV's with run->peers. */
void kc_inpaint_quality_print (KcRun * run);
