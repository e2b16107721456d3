/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Frames with regions of interest for the tests of mgpumetajson. */
#pragma once

#include "common.h"

#define CAPS "video/x-raw,format=GRAY8,width=200,height=100,framerate=25/1"
#define HEAD "{\"version\":1,\"timestamp\":40000000,\"running_time\":40000000,"

static inline GstElement *
json_new (const gchar * first_property, ...)
{
  GstElement *element = gst_element_factory_make ("mgpumetajson", "f");
  va_list args;

  fail_unless (element != NULL);
  va_start (args, first_property);
  if (first_property != NULL)
    g_object_set_valist (G_OBJECT (element), first_property, args);
  va_end (args);
  return element;
}

/* Makes a harness of @element (transfer full) and plays it. */
static inline GstHarness *
play (GstElement * element)
{
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");

  gst_object_unref (element);
  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

static inline GstBuffer *
frame_at (guint i)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

static inline GstVideoRegionOfInterestMeta *
add_region (GstBuffer * buffer, const gchar * type, gdouble confidence)
{
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_add_video_region_of_interest_meta (buffer, type, 50, 25, 100,
      50);

  gst_video_region_of_interest_meta_add_param (roi,
      gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE, confidence,
          NULL));
  return roi;
}

/* Pushes a frame (transfer full), and checks that it passes unchanged. */
static inline void
pass (GstHarness * h, GstBuffer * buffer)
{
  g_autoptr (GstBuffer) out = NULL;

  gst_buffer_ref (buffer);
  out = gst_harness_push_and_pull (h, buffer);
  fail_unless (out == buffer);
  gst_buffer_unref (buffer);
}

static inline void
pass_region (GstHarness * h, guint i, const gchar * type)
{
  GstBuffer *buffer = frame_at (i);

  add_region (buffer, type, 0.5);
  pass (h, buffer);
}
