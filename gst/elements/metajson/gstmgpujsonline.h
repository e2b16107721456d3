/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Version of the keys in lines of JSON. It is increased when a key changes its meaning or is
 * removed. */
#define GST_MGPU_JSON_VERSION 1

/* Describes the frame of a line of JSON, without the objects in the frame. */
typedef struct
{
  const gchar *source;          /* name of the camera or file of the stream; NULL: unknown */
  JsonNode *tags;               /* JSON object with the user's tags for the stream, or NULL */
  GstClockTime timestamp, running_time; /* times of the frame in ns, or
                                         * GST_CLOCK_TIME_NONE */
  gint width, height;           /* size of the frame in pixels */
} GstMgpuJsonFrame;

/* Describes the objects in the frame @buffer as a line of JSON according to
 * docs/mgpumetajson.schema.json. @objects is an array of GstMgpuDetection. Returns: (transfer
 * full): the line of *@size bytes, which ends with a line feed */
gchar * gst_mgpu_json_line_make (GstBuffer * buffer, const GPtrArray * objects, const GstMgpuJsonFrame * frame,
    gsize * size);

G_END_DECLS
