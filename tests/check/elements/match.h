/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads OpenCV's photographs, and checks what mgpumatch finds in them. */
#pragma once

#include "common.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>

#define DATA "/usr/share/doc/opencv-doc/examples/data/"
#define SIFT "mgpusift max-features=1500 ! mgpumatch name=f "

/* Corners of the image box.png in box_in_scene.png, checked by eye, clockwise from the upper
 * left */
static const gdouble known[8] G_GNUC_UNUSED = { 118, 161, 284, 175, 267, 298, 90, 272 };

/* Returns a photograph as a GRAY8 frame. Sets @caps, which the caller frees. */
static inline GstBuffer *
photograph_new (const gchar * name, gchar ** caps)
{
  g_autofree gchar *path = g_strconcat (DATA, name, NULL);
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new_from_file (path, NULL);
  gint width, height, stride, step;
  GstBuffer *buffer;
  GstVideoInfo info;
  GstMapInfo map;

  fail_unless (pixbuf != NULL, "%s cannot be read", path);
  width = gdk_pixbuf_get_width (pixbuf);
  height = gdk_pixbuf_get_height (pixbuf);
  stride = gdk_pixbuf_get_rowstride (pixbuf);
  step = gdk_pixbuf_get_n_channels (pixbuf);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, height);
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      const guint8 *p = gdk_pixbuf_read_pixels (pixbuf) + y * stride + x * step;

      map.data[y * info.stride[0] + x] = (p[0] + 2 * p[1] + p[2]) / 4;
    }
  gst_buffer_unmap (buffer, &map);
  *caps = g_strdup_printf ("video/x-raw,format=GRAY8,width=%d,height=%d,"
      "framerate=25/1", width, height);
  return buffer;
}

/* Returns a frame of uniform gray, of the size of @caps */
static inline GstBuffer *
blank_new (const gchar * caps)
{
  GstVideoInfo info = info_from_string (caps);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info.size, NULL);

  gst_buffer_memset (buffer, 0, 99, info.size);
  return buffer;
}

static inline GstHarness *
match_new (const gchar * launch, const gchar * caps, GstBus ** bus)
{
  GstHarness *h = gst_harness_new_parse (launch);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  *bus = harness_bus (h);
  gst_harness_set_caps_str (h, caps, "video/x-raw");
  return h;
}

/* Takes the next message "mgpu-picture" from @bus. Fails unless it has this @event and @name. If
 * @event is NULL, fails if there is a message. */
static inline void
expect_event (GstBus * bus, const gchar * event, const gchar * name)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  const GstStructure *s;
  gint width, height;
  guint inliers;

  if (event == NULL) {
    fail_unless (message == NULL);
    return;
  }
  fail_unless (message != NULL, "no message %s", event);
  s = gst_message_get_structure (message);
  fail_unless (gst_structure_has_name (s, "mgpu-picture"));
  fail_unless_equals_string (gst_structure_get_string (s, "event"), event);
  fail_unless_equals_string (gst_structure_get_string (s, "name"), name);
  fail_unless (gst_structure_get (s, "width", G_TYPE_INT, &width, "height",
          G_TYPE_INT, &height, "inliers", G_TYPE_UINT, &inliers, NULL));
  fail_unless (width > 50 && height > 50 && inliers >= 12);
  fail_unless (gst_structure_has_field (s, "running-time"));
}

/* Pushes a frame. Returns: whether a reference image was found in it */
static inline gboolean
push (GstHarness * h, GstBuffer * frame, guint i)
{
  GstBuffer *copy = gst_buffer_copy (frame), *out;
  gboolean found;

  GST_BUFFER_PTS (copy) = i * 40 * GST_MSECOND;
  out = harness_push_pull (h, copy);
  found = gst_buffer_get_mgpu_picture_meta (out) != NULL;
  fail_unless_equals_int (gst_buffer_get_n_meta (out,
          GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), found);
  gst_buffer_unref (out);
  return found;
}

/* Compares @corners with the known corners, multiplied by @zoom, the scale of the frame. */
static inline void
check_corners (const gdouble * corners, const gdouble * want, gdouble zoom,
    gdouble most)
{
  for (guint i = 0; i < 8; i += 2) {
    gdouble x = (want[i] + 0.5) * zoom - 0.5;
    gdouble y = (want[i + 1] + 0.5) * zoom - 0.5;

    fail_unless (hypot (corners[i] - x, corners[i + 1] - y) < most,
        "corner %u is at (%g, %g) and not (%g, %g)", i / 2, corners[i],
        corners[i + 1], x, y);
  }
}
