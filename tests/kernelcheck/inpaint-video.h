/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

/* Compares inpainting of successive frames with its reference. */
void kc_inpaint_video_check (KcRun * run);

/* Compares inpainting with the background that was visible behind the objects with its
 * reference. */
void kc_inpaint_background_check (KcRun * run);

/* Compares filling the masks of videos with what passes behind them with its reference. */
void kc_inpaint_layers_check (KcRun * run);

/* Paints frame @frame of a scene in which people pass each other. There are 44 frames, of which the
 * last 3 show another scene. */
void kc_inpaint_paint_passing (KcPicture * picture, gint frame, KcRandom * random);

/* Prints the quality of pictures from which something was removed, and with run->peers also that of
 * OpenCV's results. */
void kc_inpaint_quality_print (KcRun * run);
