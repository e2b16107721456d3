/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/overlay/overlay.h>

G_BEGIN_DECLS

typedef struct _MgpuText MgpuText;

/* Text in letters of size pixels, in images of max_width x max_height at most.
 * Used by one thread at a time. */
MgpuText * mgpu_text_new (gint size, gint max_width, gint max_height);

/* FALSE when there is no font on the system: all images are empty then. */
gboolean mgpu_text_has_font (const MgpuText * self);

/* Returns: (transfer none): string, or as much of it as makes sense, as an image,
 * which may be empty; drawn once, as long as it is asked for again and again.
 * Valid until mgpu_text_age(). */
const MgpuTextImage * mgpu_text_get (MgpuText * self, const gchar * string);

/* Called between frames: forgets what the last one did not ask for, once there
 * is much of it. */
void mgpu_text_age (MgpuText * self);

void mgpu_text_free (MgpuText * self);

G_END_DECLS
