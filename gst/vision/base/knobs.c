/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses the values of knobs for the class of a device. Beside gst/mgpu, only this file
 * distinguishes classes of devices. */
#include "knobs.h"

void
mgpu_knobs_choose (const MgpuKnob * knobs, GstMgpuContext * context,
    gint * values)
{
  GstMgpuDeviceClass device_class =
      gst_mgpu_context_get_traits (context)->device_class;

  for (guint i = 0; knobs[i].name != NULL; i++)
    values[i] = knobs[i].value[device_class];
}

guint
mgpu_knobs_count (const MgpuKnob * knobs)
{
  guint n = 0;

  while (knobs[n].name != NULL)
    n++;
  return n;
}

void
mgpu_knobs_define (const MgpuKnob * knobs, const gint * values,
    GString * options)
{
  for (guint i = 0; knobs[i].name != NULL; i++)
    g_string_append_printf (options, " -D%s=%d", knobs[i].name, values[i]);
}
