/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Simulates a fixed camera for tests of mgpumotion: a textured wall in front of which a box may
 * move, at 25 frames per second. */
#pragma once

#include "common.h"

#include "../harness.h"

#define WIDTH 160
#define HEIGHT 120
/* Width and height of the box, its upper edge, and its motion to the right in pixels per frame */
#define BOX 24
#define BOX_Y 60
#define SPEED 2
/* Number of frames without motion at the beginning of scenes, and number of frames from the
 * beginning until motion is reported */
#define STILL 55
#define N_BEGIN 70

#define FRAME_TIME (40 * GST_MSECOND)

/* Returns: the left edge of the box in frame @i */
static inline gint
scene_box_x (gint i)
{
  return (i - 50) * SPEED % (WIDTH - BOX);
}

/* Returns: the gray level of the wall, which consists of blocks with some texture */
static inline guint8
scene_wall (gint x, gint y)
{
  guint hash = (guint) x * 2654435761u ^ (guint) y * 2246822519u;

  hash ^= hash >> 13;
  return 80 + 50 * ((x / 16 + y / 16) % 2) + hash * 668265263u % 8;
}

static inline GstHarness *
scene_open_format (const gchar * launch, GstVideoFormat format)
{
  GstHarness *h = harness_open (launch);

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, caps_new (format, WIDTH, HEIGHT, FALSE));
  return h;
}

/* Returns: (transfer full): a stream of GRAY8 frames to an element */
static inline GstHarness *
scene_open (const gchar * launch)
{
  return scene_open_format (launch, GST_VIDEO_FORMAT_GRAY8);
}

/* Returns: (transfer full): a frame without content, with the timestamps of frame @i */
static inline GstBuffer *
scene_buffer_new (gsize size, gint i)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  GST_BUFFER_PTS (buffer) = i * FRAME_TIME;
  GST_BUFFER_DURATION (buffer) = FRAME_TIME;
  return buffer;
}

/* Returns: (transfer full): frame @i, with the box at its position in frame @box; without a box if
 * @box is negative. @bytes: number of bytes per pixel, all of which are the gray level, except for
 * alpha, which is 0 */
static inline GstBuffer *
scene_frame (gint i, gint box, guint bytes)
{
  GstBuffer *buffer = scene_buffer_new (WIDTH * HEIGHT * bytes, i);
  gint left = box < 0 ? WIDTH : scene_box_x (box);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++) {
      gboolean is_box = x >= left && x < left + BOX && y >= BOX_Y
          && y < BOX_Y + BOX;
      guint8 *pixel = map.data + (gsize) (y * WIDTH + x) * bytes;

      memset (pixel, is_box ? 220 + 10 * ((x - left) / 4 % 2)
          : scene_wall (x, y), MIN (bytes, 3));
      if (bytes == 4)
        pixel[3] = 0;
    }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* Pushes frame @i, with the box at its position in frame @box. Returns: (transfer full): the output
 * frame */
static inline GstBuffer *
scene_push (GstHarness * h, gint i, gint box)
{
  return harness_push_pull (h, scene_frame (i, box, 1));
}

/* Pushes the first N_BEGIN frames, the last of which have a moving box. */
static inline void
scene_begin_motion (GstHarness * h, guint bytes)
{
  for (gint i = 0; i < N_BEGIN; i++)
    gst_buffer_unref (harness_push_pull (h, scene_frame (i, i >= STILL ? i : -1,
                bytes)));
}

/* Returns: whether a rectangle is approximately that of the box in frame @i */
static inline gboolean
scene_is_at_box (const GstMgpuMovingRegion * region, gint i)
{
  gint x = scene_box_x (i);

  return ABS (region->x - x) <= 5 && ABS (region->y - BOX_Y) <= 4
      && ABS (region->x + region->width - x - BOX) <= 5
      && ABS (region->y + region->height - BOX_Y - BOX) <= 4;
}

/* Fails unless the mask covers the box of frame @i, and nothing far from it. */
static inline void
scene_check_mask (GstMgpuMovingMeta * meta, gint i)
{
  gint left = scene_box_x (i), n_inside = 0;
  g_autoptr (GBytes) bytes = NULL;
  guint width, height;
  const guint8 *mask;

  bytes = gst_mgpu_moving_meta_get_mask (meta, &width, &height);
  fail_unless (bytes != NULL);
  fail_unless_equals_int (width, WIDTH);
  fail_unless_equals_int (height, HEIGHT);
  mask = g_bytes_get_data (bytes, NULL);
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++) {
      gboolean inside = x >= left && x < left + BOX && y >= BOX_Y
          && y < BOX_Y + BOX;
      gboolean near = x >= left - 8 && x < left + BOX + 8 && y >= BOX_Y - 8
          && y < BOX_Y + BOX + 8;

      n_inside += inside && mask[y * WIDTH + x] == 255;
      fail_if (!near && mask[y * WIDTH + x] != 0, "frame %d: %d at %d,%d", i,
          mask[y * WIDTH + x], x, y);
    }
  fail_unless (n_inside > BOX * BOX * 8 / 10, "frame %d: %d pixels", i,
      n_inside);
}

/* Takes the messages of the element from @bus. Returns: (transfer full): for each message the event
 * and the number of the frame, separated by spaces */
static inline gchar *
scene_take_messages (GstBus * bus)
{
  GString *text = g_string_new (NULL);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *s = gst_message_get_structure (message);
    guint64 time;

    if (g_str_has_prefix (gst_structure_get_name (s), "mgpu-")) {
      fail_unless (gst_structure_get_uint64 (s, "timestamp", &time));
      g_string_append_printf (text, "%s%s %d", text->len > 0 ? " " : "",
          gst_structure_get_string (s, "event"), (gint) (time / FRAME_TIME));
    }
    gst_message_unref (message);
  }
  return g_string_free (text, FALSE);
}
