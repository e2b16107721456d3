/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Equalizes the histogram of one component. in and out may be the same. */
void ref_histeq (const RefPlane * in, const RefPlane * out);

/* Equalizes the luma of a frame of red, green and blue with 8 bit, and keeps
 * its chroma. Returns 0 when there is no memory left. */
int ref_histeq_rgb (const RefPlane in[3], const RefPlane out[3]);
