/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests request pads of which an element may have only one. */
#pragma once

#include "common.h"

/* Requests another pad of @pad's template when @pad is deactivated, as another thread may do while
 * @pad is being released. The pad's name is still in use then. */
static inline gboolean
request_again (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  if (!active)
    fail_unless (gst_element_request_pad (GST_ELEMENT (parent),
            GST_PAD_PAD_TEMPLATE (pad), NULL, NULL) == NULL);
  return TRUE;
}

/* Requests and releases the pad @name, while it is active. */
static inline void
check_release (GstElement * element, const gchar * name)
{
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstPad) pad = gst_element_request_pad_simple (element, name);

    fail_unless (pad != NULL && GST_PAD_IS_ACTIVE (pad));
    gst_pad_set_activatemode_function (pad, request_again);
    gst_element_release_request_pad (element, pad);
    fail_unless_equals_int (element->numpads, 2);
  }
}

/* Requests the pad @name when the application has added a pad of that name, and again after the
 * application has removed it. */
static inline void
check_name_taken (GstElement * element, const gchar * name)
{
  GstPadTemplate *template = gst_element_get_pad_template (element, name);
  GstPad *other = gst_pad_new (name, GST_PAD_TEMPLATE_DIRECTION (template));
  g_autoptr (GstPad) pad = NULL;

  fail_unless (gst_element_add_pad (element, other));
  for (guint i = 0; i < 2; i++) {
    /* Expects a critical of GStreamer, because the name is not unique. */
    ASSERT_CRITICAL (pad = gst_element_request_pad (element, template, NULL,
            NULL));
    fail_unless (pad == NULL);
  }
  fail_unless_equals_int (element->numpads, 3);
  fail_unless (gst_element_remove_pad (element, other));
  pad = gst_element_request_pad (element, template, NULL, NULL);
  fail_unless (pad != NULL);
  gst_element_release_request_pad (element, pad);
}
