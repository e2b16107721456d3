/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Replaces each block of @width x @height samples by the mean of its samples that lie in the plane.
 * The first block begins at the first sample. The mean is rounded to the nearest integer if @rounds
 * is set, otherwise down. */
void ref_blur_pixelate (const RefPlane * in, const RefPlane * out, int width, int height, int rounds);

/* Blends all samples with @value, whose weight is @opacity / 256. */
void ref_blur_fill (const RefPlane * in, const RefPlane * out, int value, int opacity);
