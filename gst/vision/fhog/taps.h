/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/fhog/fhog.h>

G_BEGIN_DECLS

#define MGPU_FHOG_MAX_TAPS 8

/* The samples that a new one is made of, and how much of each: the shares add up
 * to 32768. */
typedef struct
{
  gint n, first;
  gint shares[MGPU_FHOG_MAX_TAPS];
} MgpuFhogTaps;

/* Of sample i of out, of in. */
void mgpu_fhog_taps_find (gint i, gint in, gint out, MgpuFhogResize resize, MgpuFhogTaps * taps);

/* How many a sample of out is made of at most. */
gint mgpu_fhog_taps_count (gint in, gint out, MgpuFhogResize resize);

G_END_DECLS
