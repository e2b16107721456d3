/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* What an element leaves to be done just before it pushes a frame. It belongs to the frame: copies
 * do not get it, and it is freed with the frame, or when the frame returns to its pool without
 * having been pushed. */

/* Leaves @pending (transfer full), to be freed with @free, with the writable frame @buffer. */
void     gst_mgpu_pending_set  (GstBuffer * buffer, gpointer pending, GDestroyNotify free);

/* Takes what was left with *@buffer. Sets *@free to the function that frees it, and makes *@buffer
 * writable. Returns: (transfer full): what was left; NULL if nothing was left */
gpointer gst_mgpu_pending_take (GstBuffer ** buffer, GDestroyNotify * free);

G_END_DECLS
