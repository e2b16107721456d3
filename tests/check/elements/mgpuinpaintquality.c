/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* mgpuinpaint: what makes it look better. */
#include "inpaint.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "../../reference/inpaint-background.h"
#include "../../reference/inpaint-scenes.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_GRAY16_LE
};

static gchar *
caps_string (GstVideoFormat format, gint width, gint height)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);
  gchar *text = gst_caps_to_string (caps);

  gst_caps_unref (caps);
  return text;
}

static void
set_quality (GstHarness * h, guint quality)
{
  gst_harness_set (h, "mgpuinpaint", "smooth-seams", (quality & SEAM) != 0,
      "blend", (quality & BLEND) != 0, NULL);
}

/* Off, on, each by itself, and off again while playing. */
GST_START_TEST (test_options)
{
  static const guint quality[] = { 0, SEAM, SEAM | BLEND, BLEND, 0 };
  gchar *caps = caps_string (formats[__i__], 45, 34);
  GstVideoInfo info = info_from_string (caps);
  Removal r = { 5, 0, 1, 30, 11, 99, 12, NULL, NULL, 0 };
  GstHarness *h = harness_new ("mgpuinpaint patch-size=5 name=f "
      "rectangle=30,11,99,12", caps, caps);

  for (guint i = 0; i < G_N_ELEMENTS (quality); i++) {
    r.quality = quality[i];
    /* The first frame has what they are by themselves. */
    if (i > 0)
      set_quality (h, quality[i]);
    push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, i + 1), &r);
  }
  gst_harness_teardown (h);
  g_free (caps);
}

GST_END_TEST;

/* ---- What is behind ---------------------------------------------------------------- */

#define WIDTH 47
#define HEIGHT 35

/* Pushes a frame with a person at x, or none when it is negative; what comes out
 * has to be what the reference makes. behind: NULL: without memory. */
static void
check_frame (GstHarness * h, const GstVideoInfo * info, GstBuffer * in, gint x,
    RefInpaintBackground * behind)
{
  guint8 *mask = rectangle_mask (WIDTH, HEIGHT, x, 10, x < 0 ? 0 : 8, 12);
  guint8 *unknown = g_malloc (WIDTH * HEIGHT);
  guint8 *not_copied = g_malloc (WIDTH * HEIGHT);
  GstBuffer *between = gst_buffer_copy_deep (in), *out;
  Removal r = { 5, 0, 1, 0, 0, 0, 0, mask, NULL, FALSE };
  GstVideoFrame from, to;

  if (behind != NULL) {
    RefPlane a[4], b[4];

    fail_unless (gst_video_frame_map (&from, info, in, GST_MAP_READ));
    fail_unless (gst_video_frame_map (&to, info, between, GST_MAP_WRITE));
    ref_planes (&from, a);
    ref_planes (&to, b);
    ref_inpaint_background (behind, a, b, mask, NULL, unknown, not_copied);
    gst_video_frame_unmap (&to);
    gst_video_frame_unmap (&from);
    r.mask = unknown;
    r.forbidden = not_copied;
  }
  if (x >= 0)
    gst_buffer_add_video_region_of_interest_meta (in, "person", x, 10, 8, 12);
  out = harness_push_pull (h, in);
  fail_unless_as_reference (info, between, out, inpaint_reference, &r);
  gst_buffer_unref (between);
  gst_buffer_unref (out);
  g_free (mask);
  g_free (unknown);
  g_free (not_copied);
}

/* Somebody walks; what he hid is known after a while. Off, on, a cut, a flush. */
GST_START_TEST (test_background)
{
  gchar *caps = caps_string (formats[__i__], WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuinpaint patch-size=5 name=f "
      "mask-source=roi background=true", caps, caps);
  gint n = GST_VIDEO_INFO_N_COMPONENTS (&info);
  RefInpaintBackground *behind = ref_inpaint_background_new (n,
      GST_VIDEO_INFO_IS_RGB (&info), WIDTH, HEIGHT);

#define FRAME(seed) frame_new (&info, LAYOUT_DEFAULT, seed)
  fail_unless (behind != NULL);
  for (gint i = 0; i < 9; i++)
    check_frame (h, &info, FRAME (1), 4 * i, behind);
  check_frame (h, &info, FRAME (1), -1, behind);
  check_frame (h, &info, FRAME (1), 9, behind);
  /* A cut, after which nothing is known. */
  check_frame (h, &info, FRAME (2), 9, behind);
  check_frame (h, &info, FRAME (2), 12, behind);

  gst_harness_set (h, "mgpuinpaint", "background", FALSE, NULL);
  check_frame (h, &info, FRAME (2), 12, NULL);
  ref_inpaint_background_forget (behind);
  gst_harness_set (h, "mgpuinpaint", "background", TRUE, NULL);
  for (gint i = 0; i < 6; i++)
    check_frame (h, &info, FRAME (2), -1, behind);
  check_frame (h, &info, FRAME (2), 12, behind);

  flush (h);
  ref_inpaint_background_forget (behind);
  check_frame (h, &info, FRAME (2), 12, behind);
  ref_inpaint_background_free (behind);
  gst_harness_teardown (h);
  g_free (caps);
}

GST_END_TEST;

/* In a scene that stays the same the background that an object hid comes back, to the
 * byte. */
GST_START_TEST (test_behind_is_true)
{
  gchar *caps = caps_string (GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuinpaint name=f mask-source=roi "
      "background=true mode=temporal", caps, caps);
  GstBuffer *clean = frame_new (&info, LAYOUT_DEFAULT, 1), *in, *out;
  GstVideoFrame frame;

  for (guint i = 0; i < 6; i++)
    gst_buffer_unref (harness_push_pull (h, gst_buffer_copy_deep (clean)));
  in = gst_buffer_copy_deep (clean);
  fail_unless (gst_video_frame_map (&frame, &info, in, GST_MAP_WRITE));
  for (gint y = 10; y < 22; y++)
    memset (comp_data (&frame, 0) + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)
        + 20, 255, 8);
  gst_video_frame_unmap (&frame);
  gst_buffer_add_video_region_of_interest_meta (in, "person", 20, 10, 8, 12);
  out = harness_push_pull (h, in);
  fail_unless_same_frame (&info, out, clean);
  gst_buffer_unref (out);
  gst_buffer_unref (clean);
  gst_harness_teardown (h);
  g_free (caps);
}

GST_END_TEST;

/* A region that one frame had is removed from the next two as well. */
GST_START_TEST (test_hold)
{
  gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuinpaint patch-size=5 name=f "
      "mask-source=roi mask-hold=2", caps, caps);
  Removal r = { 5, 0, 1, 20, 10, 8, 12, NULL, NULL, FALSE };
  Removal nothing = { 5, 0, 1, 0, 0, 0, 0, NULL, NULL, FALSE };
  GstBuffer *in = FRAME (1);

  gst_buffer_add_video_region_of_interest_meta (in, "person", 20, 10, 8, 12);
  push_and_compare (h, &info, in, &r);
  push_and_compare (h, &info, FRAME (2), &r);
  push_and_compare (h, &info, FRAME (3), &r);
  push_and_compare (h, &info, FRAME (4), &nothing);

  /* While playing. */
  in = FRAME (5);
  gst_buffer_add_video_region_of_interest_meta (in, "person", 20, 10, 8, 12);
  push_and_compare (h, &info, in, &r);
  gst_harness_set (h, "mgpuinpaint", "mask-hold", 0, NULL);
  push_and_compare (h, &info, FRAME (6), &nothing);
  gst_harness_teardown (h);
  g_free (caps);
}

GST_END_TEST;

/* ---- How it looks ---------------------------------------------------------------- */

#define SCENE_SIZE (REF_SCENE_WIDTH * REF_SCENE_HEIGHT)

/* Returns: (transfer full): the name of a new file with a mask of a scene */
static gchar *
write_scene_mask (const guint8 * mask)
{
  gchar *path;
  gint fd = g_file_open_tmp ("mgpuinpaint-XXXXXX.png", &path, NULL);

  fail_unless (fd >= 0);
  close (fd);
  write_png (path, REF_SCENE_WIDTH, REF_SCENE_HEIGHT, mask);
  return path;
}

/* Fillings without SEAM and BLEND, with each, and with both. */
#define N_WAYS 4

/* Measures what h makes of picture in each of the ways. Only the plain way gives the
 * plain filling. */
static void
measure (GstHarness * h, const guint8 * clean, const guint8 * picture,
    const guint8 * mask, RefSceneQuality * q)
{
  GstBuffer *plain = NULL;

  for (guint i = 0; i < N_WAYS; i++) {
    GstBuffer *out;
    GstMapInfo map;

    set_quality (h, i);
    out = harness_push_pull (h, gst_buffer_new_memdup (picture, 3 * SCENE_SIZE));
    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    q[i] = ref_scene_measure (clean, map.data, mask);
    fail_unless (plain == NULL
        || gst_buffer_memcmp (plain, 0, map.data, map.size) != 0);
    gst_buffer_unmap (out, &map);
    if (plain == NULL)
      plain = out;
    else
      gst_buffer_unref (out);
  }
  gst_buffer_unref (plain);
}

/* Most that seams may be off, and the texture least and most; what they were is in
 * docs/algorithms/inpaint.md. */
GST_START_TEST (test_quality)
{
  static const gdouble limits[REF_N_SCENES][N_WAYS] = {
    {0.3, 0.3, 0.3, 0.3}, {5.5, 2.3, 4, 0.9}, {1, 1.2, 0.6, 0.9},
    {2.8, 1.6, 2.3, 1.2}
  };
  static const gchar *const ways[N_WAYS] = {
    "plain", "smooth-seams", "blend", "both"
  };
  const guint32 seed = 2026;
  guint8 *clean = g_malloc (3 * SCENE_SIZE), *picture = g_malloc (3 * SCENE_SIZE);
  guint8 *mask = g_malloc (SCENE_SIZE);
  gchar *caps = caps_string (GST_VIDEO_FORMAT_RGB, REF_SCENE_WIDTH,
      REF_SCENE_HEIGHT);

  g_print ("seed %u\n", seed);
  for (RefScene scene = 0; scene < REF_N_SCENES; scene++) {
    RefSceneQuality q[N_WAYS];
    gchar *path, *launch;
    GstHarness *h;

    ref_scene_paint (scene, seed, clean, picture, mask);
    path = write_scene_mask (mask);
    launch = g_strdup_printf ("mgpuinpaint mask-location=%s", path);
    h = harness_new (launch, caps, caps);
    measure (h, clean, picture, mask, q);
    for (guint i = 0; i < N_WAYS; i++) {
      g_print ("%-20s %-12s seam %5.2f, texture %.2f, PSNR %.1f dB\n",
          ref_scene_name (scene), ways[i], q[i].seam, q[i].texture, q[i].psnr);
      fail_unless (ABS (q[i].seam) <= limits[scene][i], "%g", q[i].seam);
      fail_unless (q[i].texture >= 0.9 && q[i].texture <= 1.2, "%g",
          q[i].texture);
      fail_unless (!(i & BLEND) || q[i].psnr > q[i & ~BLEND].psnr, "%g",
          q[i].psnr);
    }
    gst_harness_teardown (h);
    g_unlink (path);
    g_free (launch);
    g_free (path);
  }
  g_free (clean);
  g_free (picture);
  g_free (mask);
  g_free (caps);
}

GST_END_TEST;

static Suite *
mgpuinpaintquality_suite (void)
{
  Suite *s = suite_create ("mgpuinpaintquality");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_options, 0, G_N_ELEMENTS (formats));
  tcase_add_loop_test (tc, test_background, 0, G_N_ELEMENTS (formats));
  tcase_add_test (tc, test_behind_is_true);
  tcase_add_test (tc, test_hold);
  tcase_add_test (tc, test_quality);
  return s;
}

GST_CHECK_MAIN (mgpuinpaintquality);
