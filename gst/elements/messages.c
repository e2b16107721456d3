/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the element messages and errors that several elements post. */
#include "messages.h"

#include <gst/frame/gstmgpudevicebase.h>

GstStructure *
gst_mgpu_message_new_structure (const gchar * name, GstBaseTransform * trans,
    GstClockTime time, GstClockTime duration)
{
  const GstSegment *segment = &trans->segment;
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;
  GstClockTime running_time = GST_CLOCK_TIME_NONE;

  if (segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (time)) {
    stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, time);
    running_time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, time);
  }
  return gst_structure_new (name,
      "timestamp", GST_TYPE_CLOCK_TIME, time,
      "stream-time", GST_TYPE_CLOCK_TIME, stream_time,
      "running-time", GST_TYPE_CLOCK_TIME, running_time,
      "duration", GST_TYPE_CLOCK_TIME, duration, NULL);
}

void
gst_mgpu_message_set_text (GstStructure * s, const gchar * field,
    const gchar * text)
{
  g_autofree gchar *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  gst_structure_set (s, field, G_TYPE_STRING, valid, NULL);
}

void
gst_mgpu_message_fail (GstElement * element, GError * error)
{
  gst_element_message_full (element, GST_MESSAGE_ERROR, error->domain,
      error->code, gst_mgpu_error_make_text (element, error), NULL, __FILE__,
      GST_FUNCTION, __LINE__);
  g_error_free (error);
}
