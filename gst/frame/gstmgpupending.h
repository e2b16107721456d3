/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Data that an element attaches to a frame, to complete the frame just before it is pushed. The
 * data belong to this frame: a copy of the frame does not get them. They are freed with the frame,
 * or when the frame returns to its pool without having been pushed. */

/* Attaches the data @pending (transfer full) to the writable frame @buffer. @free is the function
 * that frees the data. */
void     gst_mgpu_pending_set  (GstBuffer * buffer, gpointer pending, GDestroyNotify free);

/* Detaches the data from *@buffer, and makes *@buffer writable. Sets *@free to the function that
 * frees the data. Returns: (transfer full) (nullable): the data; NULL if *@buffer has none */
gpointer gst_mgpu_pending_take (GstBuffer ** buffer, GDestroyNotify * free);

G_END_DECLS
