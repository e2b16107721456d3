/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Pushes a stream of frames through mgpukernel. */
#pragma once

#include "common.h"

#include "../folder.h"

#include <math.h>

#define WIDTH 37
#define HEIGHT 23

#define INVERT "PIXEL (invert) { int4 c = MAX - LOAD (x, y); c.s3 = LOAD (x, y).s3; return c; }\n"
#define ADD "//! param amount int 1 0 100  What is added\n" \
    "PIXEL (add) { int4 c = LOAD (x, y); c.s0 += amount; return c; }\n"
#define COUNT "//! results int 2 counts\n//! results float 1 means\n" \
    "WORK (count) { int x = get_global_id (0), y = get_global_id (1);\n" \
    "if (x < WIDTH && y < HEIGHT) { atomic_inc (counts); if (IN_LOAD (0, x, y) > 9) atomic_inc (counts + 1); }\n" \
    "if (x == 0 && y == 0) means[0] = 0.5f; }\n"

#define KEEP "//! buffer sum int 1 keep\n" \
    "WORK (total) { int x = get_global_id (0), y = get_global_id (1);\n" \
    "if (x == 0 && y == 0) sum[0] += IN_LOAD (0, 0, 0);\n" \
    "if (x == 0 && y == 0) OUT_STORE (0, 0, 0, sum[0]); }\n"

/* Holds a harness of mgpukernel with frames of @format, and the messages of its element */
typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GstVideoInfo info;
  guint n;                      /* number of frames that were pushed so far */
} Stream;

/* Opens a stream to @element, which is set to PLAYING. @formats: the formats that downstream
 * accepts, or NULL for all */
static inline void
stream_play (Stream * self, GstElement * element, const gchar * format,
    gint width, gint height, const gchar * formats)
{
  g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=%s,width=%d,"
      "height=%d,framerate=25/1", format, width, height);
  g_autofree gchar *sink = g_strdup_printf ("video/x-raw%s%s",
      formats != NULL ? ",format=" : "", formats != NULL ? formats : "");

  *self = (Stream) {
  NULL};
  self->info = info_from_string (caps);
  self->h = gst_harness_new_with_element (element, "sink", "src");
  self->bus = harness_bus (self->h);
  gst_harness_add_propose_allocation_meta (self->h, GST_VIDEO_META_API_TYPE,
      NULL);
  gst_harness_set_sink_caps_str (self->h, sink);
  gst_harness_set_src_caps_str (self->h, caps);
}

static inline void
stream_open (Stream * self, const gchar * source, const gchar * format)
{
  GstElement *element = gst_element_factory_make ("mgpukernel", "f");

  g_object_set (element, "source", source, NULL);
  stream_play (self, element, format, WIDTH, HEIGHT, NULL);
  gst_object_unref (element);
}

static inline void
stream_close (Stream * self)
{
  fail_if (gst_bus_pop_filtered (self->bus, GST_MESSAGE_ERROR
          | GST_MESSAGE_WARNING));
  harness_end (self->h);
}

/* Returns: (transfer full): a frame whose bytes are all @value */
static inline GstBuffer *
make_frame (Stream * self, guint8 value)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL,
      GST_VIDEO_INFO_SIZE (&self->info), NULL);

  gst_buffer_memset (frame, 0, value, -1);
  GST_BUFFER_PTS (frame) = self->n++ * GST_SECOND / 25;
  GST_BUFFER_DURATION (frame) = GST_SECOND / 25;
  return frame;
}

/* Returns: (transfer full): the output frame for an input frame whose bytes are all @value */
static inline GstBuffer *
stream_push (Stream * self, guint8 value)
{
  fail_unless_equals_int (gst_harness_push (self->h, make_frame (self, value)),
      GST_FLOW_OK);
  return harness_pull (self->h);
}

/* Returns: the first byte of @frame */
static inline guint8
first_byte (GstBuffer * frame)
{
  guint8 value = 0;

  fail_unless_equals_int (gst_buffer_extract (frame, 0, &value, 1), 1);
  return value;
}

/* Pushes a frame. Returns: the first byte of the output frame */
static inline guint8
push_value (Stream * self, guint8 value)
{
  g_autoptr (GstBuffer) out = stream_push (self, value);

  return first_byte (out);
}

static inline gchar *
make_path (const gchar * name)
{
  return g_build_filename (folder, name, NULL);
}

static inline void
write_file (const gchar * path, const gchar * text)
{
  fail_unless (g_file_set_contents (path, text, -1, NULL));
}

static inline gchar *
get_log (Stream * self)
{
  gchar *log;

  g_object_get (self->h->element, "log", &log, NULL);
  return log;
}

static inline void
set_params (Stream * self, const gchar * text)
{
  g_autoptr (GstStructure) params = gst_structure_from_string (text, NULL);

  fail_unless (params != NULL);
  g_object_set (self->h->element, "params", params, NULL);
}
