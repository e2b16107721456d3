/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Moves the mouse pointer over the output frames of an element. */
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/navigation.h>

#include "../suite.h"

/* Moves the pointer to (x, y) of the last output frame. Sets @to_x, @to_y to the position in the
 * event that the element sends upstream. */
static inline void
point_at (GstHarness * h, gdouble x, gdouble y, gdouble * to_x, gdouble * to_y)
{
  GstEvent *event;

  fail_unless (gst_harness_push_upstream_event (h,
          gst_navigation_event_new_mouse_move (x, y,
              GST_NAVIGATION_MODIFIER_NONE)));
  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL
      && GST_EVENT_TYPE (event) != GST_EVENT_NAVIGATION)
    gst_event_unref (event);
  fail_unless (event != NULL
      && gst_navigation_event_get_coordinates (event, to_x, to_y));
  gst_event_unref (event);
}
