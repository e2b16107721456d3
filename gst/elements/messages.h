/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* Returns: (transfer full): a structure with the common fields of all messages about a frame of
 * @trans: "timestamp" (time), "stream-time", "running-time" and "duration", each in ns or
 * GST_CLOCK_TIME_NONE */
GstStructure * gst_mgpu_message_new_structure (const gchar * name, GstBaseTransform * trans, GstClockTime time,
    GstClockTime duration);

/* Sets the field @field of the structure @s to @text (nullable). Bytes that are not UTF-8 are
 * replaced by U+FFFD, because a GstStructure refuses them; names of files and types of regions of
 * interest may contain such bytes. */
void           gst_mgpu_message_set_text (GstStructure * s, const gchar * field, const gchar * text);

/* Posts @error (transfer full) as an error message of @element. The text begins with the
 * element's name. */
void           gst_mgpu_message_fail (GstElement * element, GError * error);

G_END_DECLS
