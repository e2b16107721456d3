/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests masks of several shapes, and soft masks, whose gray values fill pixels partly. */
#include "../folder.h"
#include "inpaint.h"
#include "segments.h"
#include "shapes.h"

#include "../../reference/blend.h"

#define WIDTH 48
#define HEIGHT 37
#define LAUNCH "mgpuinpaint " PLAIN "patch-size=5 search-factor=-1 name=f "

/* Describes a filled frame, with a mask of weights of the filling against the frame. */
typedef struct
{
  const Removal *removal;
  const guint8 *shares;
} Mixture;

static void
mixture_reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const Mixture *m = data;

  inpaint_reference (in, out, m->removal);
  for (guint i = 0; i < MIN (GST_VIDEO_FRAME_N_COMPONENTS (in), 3); i++) {
    RefPlane filled = ref_plane (out, i), frame = ref_plane (in, i);

    ref_blend (&filled, &frame, m->shares, WIDTH, HEIGHT,
        in->info.finfo->w_sub[i], in->info.finfo->h_sub[i], TRUE, 256);
  }
}

/* Pushes a frame. Fails unless the output is filled where @base, dilated, is above 0, with the
 * weights that are in @base. */
static void
check_mixture (GstHarness * h, const GstVideoInfo * info, const guint8 * base,
    gint dilate, gint feather, gboolean is_soft)
{
  guint8 shares[WIDTH * HEIGHT], mask[WIDTH * HEIGHT];
  const Removal removal = { 5, 0, -1, 0, 0, 0, 0, mask, NULL, FALSE };
  const Mixture mixture = { &removal, shares };
  g_autoptr (GstBuffer) in = frame_new (info, LAYOUT_PADDED, dilate + feather);
  g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (in));

  ref_blend_grow (base, shares, WIDTH, HEIGHT, dilate, feather);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    mask[i] = shares[i] > 0 ? 255 : 0;
  /* A mask that has only black and white blends nothing: chroma is filled wherever luma is
   * filled. */
  if (is_soft)
    fail_unless_as_reference (info, in, out, mixture_reference, &mixture);
  else
    fail_unless_as_reference (info, in, out, inpaint_reference, &removal);
}

/* Tests that rectangles and polygons cover what the property specifies, also together with a mask
 * file. */
GST_START_TEST (test_shapes)
{
  const gchar *caps = HOST_CAPS ("NV12", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (LAUNCH, caps, caps);
  g_autoptr (GstElement) f = harness_filter (h);
  guint8 *file = rectangle_mask (WIDTH, HEIGHT, 30, 30, 3, 2), *mask;
  g_autofree gchar *path = g_build_filename (folder, "mask.png", NULL);

  write_png (path, WIDTH, HEIGHT, file);
  for (guint i = 0; i < N_SHAPES; i++) {
    Removal r = { 5, 0, -1, 0, 0, 0, 0, NULL, NULL, FALSE };

    g_object_set (f, "rectangle", shapes[i].rectangle, "polygon",
        shapes[i].polygon, "mask-location", i % 2 ? path : NULL, NULL);
    r.mask = mask = draw_shapes (&shapes[i], WIDTH, HEIGHT);
    for (guint j = 0; j < WIDTH * HEIGHT && i % 2; j++)
      mask[j] |= file[j];
    push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, i), &r);
    g_free (mask);
  }
  g_free (file);
}

GST_END_TEST;

/* Tests that a soft border blends the frame with the filling: in all formats, at the borders of
 * frames, and while the property changes. */
GST_START_TEST (test_feather)
{
  static const gint values[][2] = { {0, 1}, {2, 3}, {1, 0}, {0, 4}, {0, 0} };
  g_autoptr (GstCaps) caps = caps_new (all_formats[__i__], WIDTH, HEIGHT, FALSE);
  g_autofree gchar *text = gst_caps_to_string (caps);
  GstVideoInfo info = info_from_string (text);
  g_autoptr (GstHarness) h = harness_new (LAUNCH "rectangle=-3,5,14,9;40,30,5,7", text, text);
  g_autofree guint8 *base = rectangle_mask (WIDTH, HEIGHT, -3, 5, 14, 9);

  for (gint y = 30; y < HEIGHT; y++)
    memset (base + y * WIDTH + 40, 255, 5);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    gst_harness_set (h, "mgpuinpaint", "mask-dilate", values[i][0],
        "mask-feather", values[i][1], NULL);
    check_mixture (h, &info, base, values[i][0], values[i][1],
        values[i][1] > 0);
  }
}

GST_END_TEST;

/* Tests that with mask-soft the gray values of a mask file are the weights of the filling; without
 * mask-soft, pixels with values of 128 or more are filled. */
GST_START_TEST (test_soft)
{
  const gchar *caps = HOST_CAPS ("I420", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  guint8 greys[WIDTH * HEIGHT] = { 0 }, hard[WIDTH * HEIGHT];
  g_autofree gchar *path = g_build_filename (folder, "soft.png", NULL);
  g_autoptr (GstHarness) h = harness_new (LAUNCH, caps, caps);
  const Removal r = { 5, 0, -1, 0, 0, 0, 0, hard, NULL, FALSE };

  for (gint y = 8; y < 24; y++)
    for (gint x = 11; x < 33; x++)
      greys[y * WIDTH + x] = MIN (MIN (x - 10, 33 - x), MIN (y - 7, 24 - y)) * 32;
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    hard[i] = greys[i] >= 128 ? 255 : 0;
  write_png (path, WIDTH, HEIGHT, greys);
  gst_harness_set (h, "mgpuinpaint", "mask-location", path, "mask-soft", TRUE,
      NULL);
  check_mixture (h, &info, greys, 0, 0, TRUE);
  gst_harness_set (h, "mgpuinpaint", "mask-dilate", 1, "mask-feather", 2, NULL);
  check_mixture (h, &info, greys, 1, 2, TRUE);
  gst_harness_set (h, "mgpuinpaint", "mask-soft", FALSE, "mask-dilate", 0,
      "mask-feather", 0, NULL);
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 3), &r);
}

GST_END_TEST;

/* Tests that masks outside of the frame, and empty masks, leave the frame unchanged. */
GST_START_TEST (test_nothing)
{
  const gchar *caps = HOST_CAPS ("NV12", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (LAUNCH "mask-feather=3 rectangle=500,500,4,4;-90,3,5,5 "
      "polygon=100,100,120,100,110,130", caps, caps);
  g_autoptr (GstBuffer) in = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (in));

  fail_unless_same_frame (&info, in, out);
}

GST_END_TEST;

/* Tests that the statistics count, from the start of the element on, how many pixels were filled
 * from which source. */
GST_START_TEST (test_statistics)
{
  const gchar *caps = HOST_CAPS ("GRAY8", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (LAUNCH "rectangle=5,5,10,10", caps, caps);
  g_autoptr (GstElement) f = harness_filter (h);

  /* Two frames are filled with patches, and one with a harmonic surface. Then an object stands
   * where the background was never visible. After nine frames it moves, and the background at its
   * old position becomes visible. */
  for (guint i = 0; i < 13; i++) {
    GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 1);

    if (i == 2)
      gst_util_set_object_arg (G_OBJECT (f), "method", "harmonic");
    if (i >= 3) {
      gst_util_set_object_arg (G_OBJECT (f), "method", "exemplar");
      g_object_set (f, "mask-source", 1, "background", TRUE, NULL);
      gst_buffer_add_video_region_of_interest_meta (frame, "thing",
          i < 12 ? 5 : 25, 5, 10, 12);
    }
    gst_buffer_unref (harness_push_pull (h, frame));
    fail_unless_equals_uint64 (get_stat (f, "patch-pixels"),
        100 * MIN (i + 1, 2) + (i >= 3 ? 120 * MIN (i - 2, 9) : 0));
    fail_unless_equals_uint64 (get_stat (f, "surface-pixels"),
        i >= 2 ? 100 : 0);
    fail_unless_equals_uint64 (get_stat (f, "background-pixels"),
        i == 12 ? 120 : 0);
  }
  gst_element_set_state (f, GST_STATE_READY);
  gst_element_set_state (f, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (get_stat (f, "patch-pixels"), 0);
}

GST_END_TEST;

#ifdef HAVE_SEGMENTS
static void
check_segments (const gchar * types, const Segments * segments, guint n)
{
  const gchar *caps = HOST_CAPS ("I420", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (LAUNCH "mask-source=segmentation", caps, caps);
  g_autoptr (GstElement) f = harness_filter (h);
  GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 1);
  guint8 mask[WIDTH * HEIGHT] = { 0 };
  const Removal removal = { 5, 0, -1, 0, 0, 0, 0, mask, NULL, FALSE };

  for (guint i = 0; i < n; i++) {
    add_segments (frame, segments + i);
    segments_mark (segments + i, types, mask, WIDTH, HEIGHT);
  }
  g_object_set (f, "roi-type", types, NULL);
  push_and_compare (h, &info, frame, &removal);
}

/* Tests that segmentation masks are filled: all objects or some classes, in masks of each format.
 * The masks are scaled, lie partly outside of the frame, or are so large that a gint cannot hold
 * the distance to their edges. */
GST_START_TEST (test_segments)
{
  static const Segments segments[] = {
    {GST_VIDEO_FORMAT_GRAY8, {0, 12, 7, 0, 0, 0}, 10, 5, 16, 18},
    {GST_VIDEO_FORMAT_GRAY16_LE, {0, 0, 900, 7, 12, 0}, 30, 8, 40, 20},
    {GST_VIDEO_FORMAT_GRAY16_BE, {7, 900, 0, 7, 3, 0}, -20, -9, 40, 25},
    {GST_VIDEO_FORMAT_GRAY8, {7, 12, 7, 7, 7, 7}, G_MAXINT, 0, G_MAXUINT, 3},
    {GST_VIDEO_FORMAT_GRAY8, {7, 12, 7, 7, 7, 7}, 5, 5, 0, 0}
  };

  check_segments (NULL, segments, 1);
  check_segments ("leaf", segments, 1);
  check_segments ("berry,thing", segments, 1);
  check_segments ("thing", segments, 1);
  for (guint i = 1; i < G_N_ELEMENTS (segments); i++)
    check_segments (i % 2 ? "leaf" : NULL, segments + i, 1);
  check_segments (NULL, segments, G_N_ELEMENTS (segments));
}

GST_END_TEST;

/* Tests that the box of a rotated object is filled. */
GST_START_TEST (test_rotated)
{
  const gchar *caps = HOST_CAPS ("GRAY8", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (LAUNCH "mask-source=roi", caps, caps);
  GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 1);
  guint8 mask[WIDTH * HEIGHT] = { 0 };
  const Removal removal = { 5, 0, -1, 0, 0, 0, 0, mask, NULL, FALSE };
  GstAnalyticsODMtd mtd;

  fail_unless (gst_analytics_relation_meta_add_oriented_od_mtd
      (gst_buffer_add_analytics_relation_meta (frame), 0, 14, 16, 12, 4,
          G_PI / 2, 1, &mtd));
  /* Marks the box after a quarter turn around its center (20, 18). */
  for (gint y = 12; y < 24; y++)
    memset (mask + y * WIDTH + 18, 255, 4);
  push_and_compare (h, &info, frame, &removal);
}

GST_END_TEST;

/* Tests that the type of a segmentation is the type of the object detection to which it is related,
 * in either direction of the relation. A frame without segmentations passes unchanged. A mask that
 * is too short is an error. */
GST_START_TEST (test_segments_of_objects)
{
  const gchar *caps = HOST_CAPS ("I420", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  const Segments s = { GST_VIDEO_FORMAT_GRAY8, {7, 12, 7, 0, 0, 0}, 5, 5, 16, 18 };
  Segments broken = s;
  g_autoptr (GstHarness) h = harness_new (LAUNCH "mask-source=segmentation roi-type=plant",
      caps, caps);
  guint8 mask[WIDTH * HEIGHT] = { 0 };
  const Removal removal = { 5, 0, -1, 0, 0, 0, 0, mask, NULL, FALSE };
  const Removal nothing = { 5, 0, 1, 0, 0, 0, 0, NULL, NULL, FALSE };
  GstBus *bus = harness_bus (h);
  GstBuffer *frame;

  segments_mark (&s, NULL, mask, WIDTH, HEIGHT);
  for (guint i = 0; i < 2; i++) {
    GstAnalyticsMtd segments, od;

    frame = frame_new (&info, LAYOUT_DEFAULT, i);
    segments = add_segments (frame, &s);
    fail_unless (gst_analytics_relation_meta_add_od_mtd (segments.meta,
            g_quark_from_static_string ("plant"), 5, 5, 16, 18, 0.5, &od));
    fail_unless (gst_analytics_relation_meta_set_relation (segments.meta,
            GST_ANALYTICS_REL_TYPE_CONTAIN, i == 0 ? od.id : segments.id,
            i == 0 ? segments.id : od.id));
    push_and_compare (h, &info, frame, &removal);
  }
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 3), &nothing);

  broken.missing = 1;
  frame = frame_new (&info, LAYOUT_DEFAULT, 1);
  add_segments (frame, &broken);
  fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_ERROR);
  check_error (bus, "segmentation mask", "GRAY8 or GRAY16");
}

GST_END_TEST;
#else
/* Tests that an error reports that this GStreamer version has no segmentation masks. */
GST_START_TEST (test_segments)
{
  const gchar *caps = HOST_CAPS ("I420", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (LAUNCH "mask-source=segmentation", caps, caps);
  GstBus *bus = harness_bus (h);

  fail_unless_equals_int (gst_harness_push (h, frame_new (&info, LAYOUT_DEFAULT,
              1)), GST_FLOW_ERROR);
  check_error (bus, "GStreamer 1.26", "mask-source=pad");
}

GST_END_TEST;
#endif

/* Writes a white ball on black as a PNG file, and as a JPEG file of low quality, which has specks
 * and rings around the ball. */
static void
write_balls (const gchar * png, const gchar * jpeg)
{
  g_autofree gchar *line = g_strdup_printf ("videotestsrc num-buffers=1 pattern=ball ! "
      "video/x-raw,format=GRAY8,width=64,height=48 ! tee name=t ! queue ! "
      "pngenc ! filesink location=%s t. ! queue ! jpegenc quality=20 ! "
      "filesink location=%s", png, jpeg);
  GError *error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (line, &error);
  GstMessage *message;
  GstBus *bus;

  fail_unless (error == NULL && pipeline != NULL);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Returns the bytes of a frame of noise that the element changes with the mask in a file. */
static guint8 *
find_changes (const gchar * path, guint * n)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_with_mask ("mgpuinpaint " PLAIN "patch-size=5 "
      "mask-location=%s", path, caps);
  g_autoptr (GstBuffer) in = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (in));
  guint8 *changes = g_malloc (64 * 48);
  GstMapInfo a, b;

  fail_unless (gst_buffer_map (in, &a, GST_MAP_READ));
  fail_unless (gst_buffer_map (out, &b, GST_MAP_READ));
  *n = 0;
  for (guint i = 0; i < 64 * 48; i++)
    *n += changes[i] = a.data[i] != b.data[i];
  gst_buffer_unmap (in, &a);
  gst_buffer_unmap (out, &b);
  return changes;
}

/* Tests that specks of a JPEG mask are too dark to count, and that the mask's edges differ from
 * those of a PNG mask by at most a pixel. */
GST_START_TEST (test_jpeg)
{
  g_autofree gchar *png = g_build_filename (folder, "ball.png", NULL);
  g_autofree gchar *jpeg = g_build_filename (folder, "ball.jpg", NULL);
  g_autofree guint8 *sharp = NULL, *specks = NULL;
  guint n, n_jpeg;

  write_balls (png, jpeg);
  sharp = find_changes (png, &n);
  specks = find_changes (jpeg, &n_jpeg);
  fail_unless (n > 100 && n_jpeg > n * 3 / 4, "%u, %u", n, n_jpeg);
  for (gint y = 0; y < 48; y++) {
    for (gint x = 0; x < 64; x++) {
      gboolean near = FALSE;

      for (gint v = MAX (y - 1, 0); v <= MIN (y + 1, 47); v++)
        for (gint u = MAX (x - 1, 0); u <= MIN (x + 1, 63); u++)
          near |= sharp[v * 64 + u];
      fail_unless (near || !specks[y * 64 + x], "%d, %d", x, y);
    }
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintmask)
{
  tcase_set_timeout (tc, 120);
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_test (tc, test_shapes);
  tcase_add_loop_test (tc, test_feather, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_soft);
  tcase_add_test (tc, test_nothing);
  tcase_add_test (tc, test_statistics);
  tcase_add_test (tc, test_segments);
  tcase_add_test (tc, test_jpeg);
#ifdef HAVE_SEGMENTS
  tcase_add_test (tc, test_segments_of_objects);
  tcase_add_test (tc, test_rotated);
#endif
}
