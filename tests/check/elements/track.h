/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes frames with regions for mgputrack, and reads the tracks of its output. */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>

#include "../harness.h"

#define CAPS "video/x-raw,format=GRAY8,width=640,height=480,framerate=25/1"
#define FRAME (GST_SECOND / 25)

/* --- Frames --- */

static inline GstHarness *
track_new (const gchar * first_property, ...)
{
  GstElement *element = gst_element_factory_make ("mgputrack", "f");
  GstHarness *h;
  va_list args;

  fail_unless (element != NULL);
  va_start (args, first_property);
  if (first_property != NULL)
    g_object_set_valist (G_OBJECT (element), first_property, args);
  va_end (args);
  h = gst_harness_new_with_element (element, "sink", "src");
  gst_object_unref (element);
  gst_element_set_bus (h->element, NULL);
  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

static inline GstBuffer *
frame_new (guint i)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = i * FRAME;
  GST_BUFFER_DURATION (buffer) = FRAME;
  return buffer;
}

/* Attaches a region of 40x80 pixels; without the parameter "detection" if @confidence is
 * negative. */
static inline GstVideoRegionOfInterestMeta *
add_region (GstBuffer * buffer, const gchar * type, gint x, gint y,
    gdouble confidence)
{
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_add_video_region_of_interest_meta (buffer, type, x, y, 40, 80);

  if (!(confidence < 0))
    gst_video_region_of_interest_meta_add_param (roi,
        gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE,
            confidence, NULL));
  return roi;
}

static inline GPtrArray *
push (GstHarness * h, GstBuffer * buffer)
{
  GPtrArray *list;

  buffer = gst_harness_push_and_pull (h, buffer);
  fail_unless (buffer != NULL);
  list = gst_mgpu_buffer_get_detections (buffer);
  gst_buffer_unref (buffer);
  return list;
}

/* Pushes frame @i with one person at (@x, @y), or without a person if @x is negative. Returns: the
 * id of the only region of the output frame; -1: no id, -2: no region */
static inline gint64
push_person (GstHarness * h, guint i, gint x, gint y)
{
  GstBuffer *buffer = frame_new (i);
  g_autoptr (GPtrArray) list = NULL;
  gint64 id = -2;

  if (x >= 0)
    add_region (buffer, "person", x, y, 0.9);
  list = push (h, buffer);
  fail_unless (list->len <= 1);
  if (list->len == 1)
    id = ((GstMgpuDetection *) list->pdata[0])->tracking_id;
  return id;
}

/* --- Messages --- */

/* Returns: (transfer full): all events on the bus, such as "appeared 1, crossed 1 door in 1:0" */
static inline gchar *
pop_events (GstBus * bus)
{
  GString *text = g_string_new (NULL);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *s = gst_message_get_structure (message);
    const gchar *name = gst_structure_get_string (s, "name");
    const gchar *direction = gst_structure_get_string (s, "direction");
    guint64 id, in = 0, out = 0;
    gint x, y, width, height;
    GstClockTime time;

    fail_unless (gst_structure_has_name (s, "mgpu-track"));
    fail_unless (gst_structure_get (s, "id", G_TYPE_UINT64, &id, "x",
            G_TYPE_INT, &x, "y", G_TYPE_INT, &y, "width", G_TYPE_INT, &width,
            "height", G_TYPE_INT, &height, "timestamp", GST_TYPE_CLOCK_TIME,
            &time, "running-time", GST_TYPE_CLOCK_TIME, &time, NULL));
    fail_unless_equals_string (gst_structure_get_string (s, "type"), "person");
    g_string_append_printf (text, "%s%s %d", text->len > 0 ? ", " : "",
        gst_structure_get_string (s, "event"), (gint) id);
    if (name != NULL) {
      fail_unless (gst_structure_get (s, "in", G_TYPE_UINT64, &in, "out",
              G_TYPE_UINT64, &out, NULL));
      g_string_append_printf (text, " %s%s%s %d:%d", name,
          direction != NULL ? " " : "", direction != NULL ? direction : "",
          (gint) in, (gint) out);
    }
    gst_message_unref (message);
  }
  return g_string_free (text, FALSE);
}

static inline void
check_events (GstBus * bus, const gchar * expected)
{
  g_autofree gchar *events = pop_events (bus);

  fail_unless_equals_string (events, expected);
}

static inline guint64
get_count (GstHarness * h, const gchar * field)
{
  g_autoptr (GstStructure) counts = NULL;
  guint64 n = 0;

  g_object_get (h->element, "counts", &counts, NULL);
  fail_unless (gst_structure_get_uint64 (counts, field, &n));
  return n;
}
