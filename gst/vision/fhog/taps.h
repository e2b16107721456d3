/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/fhog/fhog.h>

G_BEGIN_DECLS

#define MGPU_FHOG_MAX_TAPS 8

/* Holds the n samples, from number first on, from which a new sample is made, and the
 * share of each. The shares add up to 32768. */
typedef struct
{
  gint n, first;
  gint shares[MGPU_FHOG_MAX_TAPS];
} MgpuFhogTaps;

/* Finds the samples from which sample i of a scaled row is made. The row has in samples,
 * the scaled row has out samples. */
void mgpu_fhog_taps_find (gint i, gint in, gint out, MgpuFhogResize resize, MgpuFhogTaps * taps);

/* Returns: the largest number of samples from which a sample of the scaled row is made */
gint mgpu_fhog_taps_count (gint in, gint out, MgpuFhogResize resize);

G_END_DECLS
