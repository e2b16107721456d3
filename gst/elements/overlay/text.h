/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/overlay/overlay.h>

G_BEGIN_DECLS

typedef struct _MgpuText MgpuText;

/* Returns: (transfer full): a new MgpuText. It draws letters of @size pixels, in images of
 * at most @max_width x @max_height pixels. Only one thread may use it at a time */
MgpuText * mgpu_text_new (gint size, gint max_width, gint max_height);

/* Returns: FALSE if the system has no font; all images are empty then */
gboolean mgpu_text_has_font (const MgpuText * self);

/* Returns: (transfer none): an image of the text @string; a long text is cut off. The
 * image may be empty, and is valid until mgpu_text_age() is called */
const MgpuTextImage * mgpu_text_get (MgpuText * self, const gchar * string);

/* Frees the images of texts that were not used for some frames. Call it between frames. */
void mgpu_text_age (MgpuText * self);

void mgpu_text_free (MgpuText * self);

G_END_DECLS
