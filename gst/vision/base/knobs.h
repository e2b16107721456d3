/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Names a number that changes the speed of kernels, never their result. Kernels see it
 * as -DNAME=value. */
typedef struct
{
  const gchar *name;
  gint value[3];                /* for the device classes cpu, discrete and mobile */
  const gchar *choices;         /* the values that make sense: "1 4 16"; NULL: these three */
  const gchar *text;            /* says what it sets, in which unit */
} MgpuKnob;

/* Sets values to what suits the device of context. knobs: a list that ends with a NULL
 * name. */
void mgpu_knobs_choose (const MgpuKnob * knobs, GstMgpuContext * context, gint * values);

/* Returns: how many knobs there are before the NULL name */
guint mgpu_knobs_count (const MgpuKnob * knobs);

/* Appends " -DNAME=value" of each knob. */
void mgpu_knobs_define (const MgpuKnob * knobs, const gint * values, GString * options);

G_END_DECLS
