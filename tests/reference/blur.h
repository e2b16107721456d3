/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Replaces each block of width x height samples, from the first sample on, by the rounded
 * mean of those that are in the plane. */
void ref_blur_pixelate (const RefPlane * in, const RefPlane * out, int width, int height);

/* Moves all samples to value. opacity: how far, 0 to 256 */
void ref_blur_fill (const RefPlane * in, const RefPlane * out, int value, int opacity);
