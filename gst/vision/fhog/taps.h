/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/fhog/fhog.h>

G_BEGIN_DECLS

#define MGPU_FHOG_MAX_TAPS 8

/* The taps of a scaled sample: @n adjacent source samples, starting at index @first, from which
 * it is computed, and their weights @shares. The weights add up to 32768. */
typedef struct
{
  gint n, first;
  gint shares[MGPU_FHOG_MAX_TAPS];
} MgpuFhogTaps;

/* Computes the taps (source samples and weights) of sample @i of a scaled row, and writes them
 * to @taps. The source row has @in samples, the scaled row has @out samples. */
void mgpu_fhog_taps_find (gint i, gint in, gint out, MgpuFhogResize resize, MgpuFhogTaps * taps);

/* Returns: the largest number of source samples from which any sample of the scaled row is
 * computed */
gint mgpu_fhog_taps_count (gint in, gint out, MgpuFhogResize resize);

G_END_DECLS
