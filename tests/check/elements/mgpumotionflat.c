/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpumotion while a camera is black or uniformly gray for some time: the background is
 * kept. */
#include "motionscene.h"

#include <stdio.h>

/* Number of the first flat (uniform) frame in scenes in which nothing moves before it */
#define FLAT 60

/* Describes a frame with noise of 2 levels. @gray: the level of all pixels; if negative, the frame
 * shows the scene, whose levels are multiplied by @gain / 100. @box: see scene_frame() */
typedef struct
{
  gint gray, box, gain;
  gboolean is_wall;             /* whether the scene has no texture */
} Picture;

static gint
get_noise (gint x, gint y, gint i)
{
  guint hash = (guint) x * 2654435761u ^ (guint) y * 2246822519u
      ^ (guint) i * 3266489917u;

  hash ^= hash >> 15;
  hash *= 668265263u;
  hash ^= hash >> 13;
  return (gint) (hash % 4 + hash / 4 % 4 + hash / 16 % 4) - 4;
}

/* Returns: (transfer full): frame @i, in GRAY8 or NV12 */
static GstBuffer *
picture_new (GstVideoFormat format, gint i, const Picture * picture)
{
  gboolean has_chroma = format == GST_VIDEO_FORMAT_NV12;
  gsize n = WIDTH * HEIGHT, size = has_chroma ? n * 3 / 2 : n;
  g_autoptr (GstBuffer) scene = scene_frame (i, picture->box, 1);
  GstBuffer *buffer = scene_buffer_new (size, i);
  GstMapInfo map, from;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  fail_unless (gst_buffer_map (scene, &from, GST_MAP_READ));
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++) {
      gint v = from.data[y * WIDTH + x];

      if (picture->is_wall && v < 200)
        v = 100;
      v = picture->gray >= 0 ? picture->gray : v * picture->gain / 100;
      map.data[y * WIDTH + x] = CLAMP (v + get_noise (x, y, i), 0, 255);
    }
  for (gsize k = n; k < size; k++)
    map.data[k] = picture->gray >= 0 ? 128 : 100 + 50 * (k / 16 % 2);
  gst_buffer_unmap (scene, &from);
  gst_buffer_unmap (buffer, &map);
  return g_steal_pointer (&buffer);
}

static GstBuffer *
push (GstHarness * h, GstVideoFormat format, gint i, const Picture * picture)
{
  return harness_push_pull (h, picture_new (format, i, picture));
}

static guint
count_regions (GstBuffer * buffer)
{
  GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (buffer);

  return gst_mgpu_moving_meta_get_n_regions (meta);
}

/* Returns: (transfer full): the messages about a scene without motion, in which @n frames have the
 * uniform level @gray */
static gchar *
run_still (const gchar * launch, GstVideoFormat format, gint gray, gint n)
{
  g_autoptr (GstHarness) h = scene_open_format (launch, format);
  GstBus *bus = harness_bus (h);

  for (gint i = 0; i < FLAT + n + 120; i++) {
    const Picture picture = { i >= FLAT && i < FLAT + n ? gray : -1, -1, 100 };
    g_autoptr (GstBuffer) out = push (h, format, i, &picture);

    fail_unless (count_regions (out) == 0, "frame %d", i);
  }
  return scene_take_messages (bus);
}

static const struct
{
  gint gray, n;
  const gchar *want;
} stills[] = {
  {4, 3, ""},
  {4, 25, ""},
  {4, 75, ""},
  {4, 150, "dark 160 restored 210"},
  {0, 75, ""},
  {16, 75, ""},
  {128, 75, ""},
  {128, 150, "covered 160 restored 210"},
  {255, 75, ""},
};

/* Tests that a camera that becomes black or uniformly gray causes no motion, also not when it shows
 * the scene again. After 4 s the flat frames are reported. */
GST_START_TEST (test_still)
{
  for (guint k = 0; k < 2; k++) {
    g_autofree gchar *messages = run_still ("mgpumotion name=f",
        k == 0 ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_NV12,
        stills[__i__].gray, stills[__i__].n);

    GST_INFO ("gray %d in %d frames: %s", stills[__i__].gray, stills[__i__].n,
        messages);
    fail_unless_equals_string (messages, stills[__i__].want);
  }
}

GST_END_TEST;

/* Tests that an object keeps its id while the camera is black for more frames than "hold", and that
 * motion starts only once. */
GST_START_TEST (test_box)
{
  static const gint ns[] = { 3, 25, 75 };

  for (guint k = 0; k < 2 * G_N_ELEMENTS (ns); k++) {
    GstVideoFormat format = k % 2 ? GST_VIDEO_FORMAT_NV12
        : GST_VIDEO_FORMAT_GRAY8;
    g_autoptr (GstHarness) h =
        scene_open_format ("mgpumotion name=f stop-delay=4", format);
    GstBus *bus = harness_bus (h);
    g_autofree gchar *messages = NULL;
    gint first = N_BEGIN + 10, n = ns[k / 2], started;

    for (gint i = 0; i < first + n + 10; i++) {
      gboolean is_flat = i >= first && i < first + n;
      /* The box stands still while the frames are flat. */
      const Picture picture = { is_flat ? 4 : -1, i < STILL ? -1
            : i < first ? i : MAX (i - n, first - 1), 100
      };
      g_autoptr (GstBuffer) out = push (h, format, i, &picture);
      GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (out);
      GstMgpuMovingRegion region;

      if (i < N_BEGIN)
        continue;
      fail_unless (count_regions (out) == (is_flat ? 0 : 1), "frame %d", i);
      if (gst_mgpu_moving_meta_get_region (meta, 0, &region))
        fail_unless_equals_uint64 (region.id, 1);
    }
    messages = scene_take_messages (bus);
    fail_unless_equals_int (sscanf (messages, "started %d", &started), 1);
    fail_unless (strchr (messages + 8, ' ') == NULL, "%s", messages);
  }
}

GST_END_TEST;

/* Tests that flat frames that last for "absorb-time" become the background, as any scene does, so
 * that the scene that follows is motion. With absorb-time=0 they never become the background. */
GST_START_TEST (test_absorbed)
{
  g_autoptr (GstHarness) h =
      scene_open ("mgpumotion name=f absorb-time=2 tamper-time=0");
  g_autofree gchar *kept = run_still ("mgpumotion name=f absorb-time=0 "
      "tamper-time=0", GST_VIDEO_FORMAT_GRAY8, 4, 120);
  GstBus *bus = harness_bus (h);
  g_autofree gchar *messages = NULL;
  gint started = -1;

  for (gint i = 0; i < FLAT + 120 + 20; i++) {
    const Picture picture = { i >= FLAT && i < FLAT + 120 ? 4 : -1, -1, 100 };

    gst_buffer_unref (push (h, GST_VIDEO_FORMAT_GRAY8, i, &picture));
  }
  messages = scene_take_messages (bus);
  fail_unless_equals_int (sscanf (messages, "started %d", &started), 1);
  fail_unless (started >= FLAT + 120, "%s", messages);
  fail_unless_equals_string (kept, "");
}

GST_END_TEST;

/* Pushes a scene in which a box moves from frame 100 on. Returns: the number of frames that have
 * one region, with the id 1 */
static guint
run_box (Picture before, Picture after)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f");
  guint n = 0;

  for (gint i = 0; i < 120; i++) {
    Picture picture = i < FLAT ? before : after;
    g_autoptr (GstBuffer) out = NULL;
    GstMgpuMovingRegion region;

    picture.box = i < 100 ? -1 : i - 40;
    out = push (h, GST_VIDEO_FORMAT_GRAY8, i, &picture);
    n += count_regions (out) == 1
        && gst_mgpu_moving_meta_get_region (gst_buffer_get_mgpu_moving_meta
        (out), 0, &region) && region.id == 1;
  }
  return n;
}

/* Tests that a wall without texture and a nearly black room are not treated as flat frames: objects
 * that move there are reported. */
GST_START_TEST (test_seen)
{
  const Picture wall = { -1, -1, 100, TRUE }, dark = { -1, -1, 12, TRUE };
  const Picture room = { -1, -1, 100 }, night = { -1, -1, 12 };

  fail_unless (run_box (wall, wall) > 8);
  fail_unless (run_box (wall, dark) > 8);
  fail_unless (run_box (room, night) > 8);
}

GST_END_TEST;

CHECK_TESTS (mgpumotionflat)
{
  tcase_add_loop_test (tc, test_still, 0, G_N_ELEMENTS (stills));
  tcase_add_test (tc, test_box);
  tcase_add_test (tc, test_absorbed);
  tcase_add_test (tc, test_seen);
}
