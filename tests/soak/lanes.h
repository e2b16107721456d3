/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Records which OpenCL contexts the chains of a pipeline choose. */
#pragma once

#include <gst/gst.h>

/* Lets chains choose among 4 contexts of a device, unless GST_MGPU_CONTEXTS is set. */
void lanes_begin (void);

/* Records the contexts of the @n elements of a pipeline that plays. */
void lanes_note (GstElement ** elements, guint n);

/* Waits until the recorded contexts are freed, and forgets them. Returns: how many are left after
 * five seconds */
guint lanes_wait (void);

/* Returns: the maximum number of contexts that a pipeline had at the same time */
guint lanes_count (void);
