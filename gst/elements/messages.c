/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "messages.h"

GstStructure *
gst_mgpu_message_new_structure (const gchar * name, GstBaseTransform * trans,
    GstClockTime time, GstClockTime duration)
{
  const GstSegment *segment = &trans->segment;
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;
  GstClockTime running_time = GST_CLOCK_TIME_NONE;

  if (segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (time)) {
    stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, time);
    running_time = gst_segment_to_running_time (segment, GST_FORMAT_TIME,
        time);
  }
  return gst_structure_new (name,
      "timestamp", GST_TYPE_CLOCK_TIME, time,
      "stream-time", GST_TYPE_CLOCK_TIME, stream_time,
      "running-time", GST_TYPE_CLOCK_TIME, running_time,
      "duration", GST_TYPE_CLOCK_TIME, duration, NULL);
}
