/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Describes a knob: a number that changes the speed of kernels, never their result.
 * Kernels see it as a macro, defined with -DNAME=value. */
typedef struct
{
  const gchar *name;
  gint value[3];                /* one for each device class: cpu, discrete, mobile */
  const gchar *choices;         /* all useful values, such as "1 4 16"; NULL: those of value */
  const gchar *text;            /* description with the unit */
} MgpuKnob;

/* Fills values with the value of each knob for the device class of context. The list
 * knobs ends with a NULL name. */
void mgpu_knobs_choose (const MgpuKnob * knobs, GstMgpuContext * context, gint * values);

/* Returns: the number of knobs before the NULL name that ends their list */
guint mgpu_knobs_count (const MgpuKnob * knobs);

/* Appends " -DNAME=value" for each knob to options. */
void mgpu_knobs_define (const MgpuKnob * knobs, const gint * values, GString * options);

G_END_DECLS
