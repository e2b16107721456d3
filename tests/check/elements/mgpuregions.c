/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests filters that change parts of frames: the output has to be the blend of the frame and the
 * filter's result for the whole frame. */
#include "../folder.h"
#include "regions.h"
#include "shapes.h"

#include <string.h>

/* Checks random regions of interest, also outside of the frame, which cover any part of the
 * frame. */
static void
check_random (Pair * pair, GRand * dice, guint turn)
{
  gint width = pair->info.width, height = pair->info.height;
  Mask mask = {
    .base = g_malloc0 ((gsize) width * height),
    .dilate = g_rand_int_range (dice, 0, 3) * g_rand_int_range (dice, 0, 4),
    .feather = turn % 2 * g_rand_int_range (dice, 0, 6),
    .invert = turn % 4 == 3,
    .mix = turn % 3 == 2 ? g_rand_double (dice) : 1
  };
  GstBuffer *frame = frame_new (&pair->info, turn % N_LAYOUTS, turn);
  guint n = turn % 5 == 4 ? 40 : turn % 3;

  for (guint i = 0; i < n; i++) {
    gint x = g_rand_int_range (dice, -20, width + 20);
    gint y = g_rand_int_range (dice, -20, height + 20);
    gint w = g_rand_int_range (dice, 0, width / (turn % 5 + 1) + 2);
    gint h = g_rand_int_range (dice, 0, height / (turn % 5 + 1) + 2);

    add_region (frame, i % 2 ? "a" : "b", x, y, w, h);
    mark (&pair->info, mask.base, x, y, w, h);
  }
  check_frame (pair, frame, &mask);
  g_free (mask.base);
}

/* Tests filters with odd sizes and with frames of one pixel: the first filter with all formats,
 * each other filter with a third of them. That is enough because mgpucases tests that filters
 * process all formats, and all filters blend with the same code. */
GST_START_TEST (test_formats)
{
  const gchar *launch = launches[__i__ / N_ALL_FORMATS];
  GstVideoFormat format = all_formats[__i__ % N_ALL_FORMATS];
  g_autoptr (GRand) dice = g_rand_new_with_seed (__i__);
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, launch, format, 131, 67);
  g_object_set (pair.filter, "roi-type", " a, b", NULL);
  for (guint i = 0; i < 5; i++)
    check_random (&pair, dice, __i__ + i);
  pair_set_caps (&pair, format, 66, 22);
  check_random (&pair, dice, __i__);
  pair_set_caps (&pair, format, 1, 1);
  check_random (&pair, dice, 1);
  check_random (&pair, dice, 2);
}

GST_END_TEST;

/* Returns: (transfer full): an empty mask */
static guint8 *
no_mask (const Pair * pair)
{
  return g_malloc0 ((gsize) pair->info.width * pair->info.height);
}

/* Tests region types in roi-type: one, several, any, others; and a rectangle in addition. */
GST_START_TEST (test_types)
{
  static const struct
  {
    const gchar *types;
    gboolean has_cat, has_dog;
  } cases[] = {
    {"cat", TRUE, FALSE}, {"dog,cat", TRUE, TRUE}, {"*", TRUE, TRUE},
    {"do", FALSE, FALSE}, {"cat ,x", TRUE, FALSE}, {",", FALSE, FALSE}
  };
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, "mgpublur", GST_VIDEO_FORMAT_I420, 200, 100);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
    GstBuffer *frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    Mask mask = {.base = no_mask (&pair),.mix = 1 };

    g_object_set (pair.filter, "roi-type", cases[i / 2].types, "rectangle",
        i % 2 ? "90,-5,40,20" : NULL, NULL);
    add_region (frame, "cat", -10, 20, 40, 30);
    add_region (frame, "dog", 150, 70, 90, 90);
    if (cases[i / 2].has_cat)
      mark (&pair.info, mask.base, -10, 20, 40, 30);
    if (cases[i / 2].has_dog)
      mark (&pair.info, mask.base, 150, 70, 90, 90);
    if (i % 2)
      mark (&pair.info, mask.base, 90, -5, 40, 20);
    check_frame (&pair, frame, &mask);
    g_free (mask.base);
  }
}

GST_END_TEST;

/* Tests that a region of interest stays for mask-hold more frames, but not after a gap, a flush and
 * new caps. */
GST_START_TEST (test_hold)
{
  guint8 *base;
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, "mgpublur sigma=3", GST_VIDEO_FORMAT_NV12, 140, 60);
  g_object_set (pair.filter, "roi-type", "a", "mask-hold", 3, NULL);
  for (guint i = 0; i < 24; i++) {
    GstBuffer *frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    Mask mask = {.base = base = no_mask (&pair),.mix = 1 };

    if (i % 6 == 0)
      add_region (frame, "a", 20, 10, 30, 20);
    if (i % 6 == 1)
      add_region (frame, "a", 25, 10, 30, 20);
    if (i == 8)
      GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
    if (i == 14)
      flush (pair.part);
    if (i == 20) {
      gst_buffer_unref (frame);
      pair_set_caps (&pair, GST_VIDEO_FORMAT_NV12, 100, 60);
      frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    }
    if (i % 6 < (i < 6 ? 4 : 2))
      mark (&pair.info, base, 20, 10, 30, 20);
    if (i % 6 > 0 && i % 6 < (i < 6 ? 5 : 2))
      mark (&pair.info, base, 25, 10, 30, 20);
    check_frame (&pair, frame, &mask);
    g_free (base);
  }
}

GST_END_TEST;

/* Tests thousands of small regions of interest that are held, each of which appears repeatedly. */
GST_START_TEST (test_hold_many)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (1);
  guint8 *held[8];
  gsize size;
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, "mgpublur sigma=3", GST_VIDEO_FORMAT_GRAY8, 140, 60);
  g_object_set (pair.filter, "roi-type", "a", "mask-hold", 2, NULL);
  size = (gsize) pair.info.width * pair.info.height;
  for (guint i = 0; i < G_N_ELEMENTS (held); i++) {
    GstBuffer *frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    gint left = g_rand_int_range (dice, 0, 100);
    Mask mask = {.base = no_mask (&pair),.mix = 1 };

    held[i] = no_mask (&pair);
    for (guint k = 0; k < 2000; k++) {
      gint x = left + g_rand_int_range (dice, 0, 30);
      gint y = g_rand_int_range (dice, -3, 60);

      add_region (frame, "a", x, y, 1 + k % 3, 1 + k % 2);
      mark (&pair.info, held[i], x, y, 1 + k % 3, 1 + k % 2);
    }
    for (guint j = i < 2 ? 0 : i - 2; j <= i; j++)
      for (gsize p = 0; p < size; p++)
        mask.base[p] |= held[j][p];
    check_frame (&pair, frame, &mask);
    g_free (mask.base);
  }
  for (guint i = 0; i < G_N_ELEMENTS (held); i++)
    g_free (held[i]);
}

GST_END_TEST;

/* Tests that a frame of an mgpu pool to which no other element holds a reference is changed without
 * a copy; other frames are copied. A frame without marked pixels passes unchanged. */
GST_START_TEST (test_memory)
{
  g_autoptr (GstMgpuContext) context = NULL;
  g_autoptr (GstBuffer) shared = NULL, before = NULL, out = NULL;
  GstBuffer *frame;
  GstMemory *memory;
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, "mgpublur", GST_VIDEO_FORMAT_I420, 80, 60);
  g_object_set (pair.filter, "rectangle", "10,10,20,20", NULL);
  out = harness_push_pull (pair.part, frame_new (&pair.info, LAYOUT_DEFAULT,
          1));
  gst_buffer_unref (out);
  context = harness_context (pair.part);

  frame = device_frame_new (context, &pair.info, 2);
  memory = gst_buffer_peek_memory (frame, 0);
  out = harness_push_pull (pair.part, frame);
  fail_unless (out == frame && gst_buffer_peek_memory (out, 0) == memory);
  gst_buffer_unref (out);

  frame = device_frame_new (context, &pair.info, 3);
  shared = gst_buffer_copy (frame);
  before = gst_buffer_copy_deep (frame);
  memory = gst_buffer_peek_memory (frame, 0);
  out = harness_push_pull (pair.part, frame);
  fail_unless (gst_buffer_peek_memory (out, 0) != memory);
  fail_unless_same_frame (&pair.info, shared, before);
  fail_unless (count_differences (&pair.info, out, before) > 0);
  gst_buffer_unref (out);
  out = harness_push_pull (pair.part, gst_buffer_ref (shared));
  fail_unless (out != shared);
  fail_unless_same_frame (&pair.info, shared, before);
  gst_buffer_unref (out);

  g_object_set (pair.filter, "rectangle", "80,10,20,20", NULL);
  out = harness_push_pull (pair.part, gst_buffer_ref (shared));
  fail_unless (out == shared);
  gst_buffer_unref (out);
  g_object_set (pair.filter, "rectangle", "10,10,20,20", "mix", 0.001, NULL);
  out = harness_push_pull (pair.part, gst_buffer_ref (shared));
  fail_unless (out == shared);
}

GST_END_TEST;

/* Tests that filters with state process all frames: a region gets the same result as when whole
 * frames are filtered. */
GST_START_TEST (test_memory_of_filters)
{
  static const gchar *const filters[] = {
    "mgpudenoise noise=20", "mgpuhisteq temporal-smoothing=0.6"
  };
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, filters[__i__], GST_VIDEO_FORMAT_I420, 70, 50);
  g_object_set (pair.filter, "roi-type", "a", NULL);
  for (guint i = 0; i < 6; i++) {
    GstBuffer *frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    Mask mask = {.base = no_mask (&pair),.mix = 1 };

    if (i % 3 == 2) {
      add_region (frame, "a", 5, 5, 30, 30);
      mark (&pair.info, mask.base, 5, 5, 30, 30);
    }
    check_frame (&pair, frame, &mask);
    g_free (mask.base);
  }
}

GST_END_TEST;

/* Tests that the gray values of a mask image are used as weights; an image of another size is
 * scaled if scale-mask is set. */
GST_START_TEST (test_picture)
{
  g_autofree gchar *path = g_build_filename (folder, "mask.png", NULL);
  Mask mask = {.mix = 0.8 };
  guint8 small[20 * 10];
  g_auto (Pair) pair = { NULL };

  for (guint i = 0; i < sizeof (small); i++)
    small[i] = i % 7 == 0 ? 255 : i % 5 * 31;
  write_png (path, 20, 10, small);
  pair_init (&pair, "mgpublur sigma=4", GST_VIDEO_FORMAT_I420, 200, 100);
  mask.base = no_mask (&pair);
  g_object_set (pair.filter, "mask-location", path, "scale-mask", TRUE, NULL);
  for (guint i = 0; i < 4; i++) {
    for (guint j = 0; j < 200 * 100; j++)
      mask.base[j] = small[j / 200 / 10 * 20 + j % 200 / 10];
    mask.feather = i % 2 * 3;
    mask.dilate = i / 2 * 2;
    g_object_set (pair.filter, "rectangle", i == 3 ? "30,40,50,20" : "", NULL);
    if (i == 3)
      mark (&pair.info, mask.base, 30, 40, 50, 20);
    check_frame (&pair, frame_new (&pair.info, LAYOUT_DEFAULT, i), &mask);
  }
  mask.dilate = mask.feather = 0;
  g_object_set (pair.filter, "mask-location", NULL, NULL);
  memset (mask.base, 0, 200 * 100);
  mark (&pair.info, mask.base, 30, 40, 50, 20);
  check_frame (&pair, frame_new (&pair.info, LAYOUT_DEFAULT, 5), &mask);
  g_free (mask.base);
}

GST_END_TEST;

/* Tests that rectangles and polygons cover what the property specifies. */
GST_START_TEST (test_shapes)
{
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, "mgpublur sigma=3", GST_VIDEO_FORMAT_NV12, 48, 37);
  for (guint i = 0; i < 2 * N_SHAPES; i++) {
    const Shapes *s = &shapes[i / 2];
    Mask mask = {.base = draw_shapes (s, 48, 37),.feather = i % 2 * 2,.mix = 1
    };

    g_object_set (pair.filter, "rectangle", s->rectangle, "polygon",
        s->polygon, NULL);
    check_frame (&pair, frame_new (&pair.info, LAYOUT_DEFAULT, i), &mask);
    g_free (mask.base);
  }
}

GST_END_TEST;

/* Tests that frames pass unchanged with empty masks, and with an inverted mask of the whole
 * frame. */
GST_START_TEST (test_nothing)
{
  g_autofree gchar *path = g_build_filename (folder, "mask.png", NULL);
  guint8 mask[40 * 30];
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, launches[__i__ / 2], GST_VIDEO_FORMAT_I420, 40, 30);
  memset (mask, __i__ % 2 ? 255 : 0, sizeof (mask));
  write_png (path, 40, 30, mask);
  g_object_set (pair.filter, "mask-location", path, "mask-invert", __i__ % 2,
      "mask-dilate", 3, "mask-feather", 2, NULL);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    g_autoptr (GstBuffer) out =
        harness_push_pull (pair.part, gst_buffer_ref (frame));

    /* mgpuintegral attaches its meta to a copy. */
    fail_unless (gst_buffer_peek_memory (out, 0)
        == gst_buffer_peek_memory (frame, 0));
  }
}

GST_END_TEST;

/* Tests that a mask image of another size is refused without scale-mask. */
GST_START_TEST (test_picture_size)
{
  g_autofree gchar *path = g_build_filename (folder, "mask.png", NULL);
  guint8 mask[20 * 10] = { 255 };
  GstBus *bus;
  g_auto (Pair) pair = { NULL };

  write_png (path, 20, 10, mask);
  pair_init (&pair, "mgpublur", GST_VIDEO_FORMAT_I420, 40, 30);
  bus = harness_bus (pair.part);
  g_object_set (pair.filter, "mask-location", path, NULL);
  fail_unless_equals_int (gst_harness_push (pair.part, frame_new (&pair.info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
  check_error (bus, "20x10", "\"scale-mask\"");
  g_object_set (pair.filter, "mask-location", NULL, NULL);
  gst_buffer_unref (harness_push_pull (pair.part, frame_new (&pair.info,
              LAYOUT_DEFAULT, 1)));
}

GST_END_TEST;

/* Tests that an invalid mask ends the stream, with an error message that names the remedy. */
GST_START_TEST (test_errors)
{
  static const struct
  {
    const gchar *property, *value, *word1, *word2;
  } cases[] = {
    {"mask-location", "/nowhere.png", "cannot be read", "mask-location"},
    {"mask-location", "/tmp", "directory", "mask-location"},
    {"rectangle", "1,2,3", "not a rectangle", "x,y,width,height"},
    {"rectangle", "1,2,0,4", "has no pixels", "width and a height above 0"},
    {"rectangle", "a", "not a rectangle", "x,y,width,height"},
    {"rectangle", "1,2,3,4;5,6,7", "\"5,6,7\" is not a rectangle",
        "x,y,width,height"},
    {"polygon", "1,2,3,4", "not a polygon", "three corners"},
    {"polygon", "1,2,3,4,5,6;1,2,3,4,5,6,7", "not a polygon", "three corners"},
    {"polygon", "1,2,3,4,5,nan", "not a polygon", "three corners"}
  };
  GstBus *bus;
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, "mgpusharpen", GST_VIDEO_FORMAT_I420, 40, 30);
  bus = harness_bus (pair.part);
  g_object_set (pair.filter, cases[__i__].property, cases[__i__].value, NULL);
  fail_unless_equals_int (gst_harness_push (pair.part, frame_new (&pair.info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
  check_error (bus, cases[__i__].word1, cases[__i__].word2);
  set_badly (pair.filter, "mix", NAN);
  set_badly (pair.filter, "mix", 1.01);
}

GST_END_TEST;

/* Tests a mask stream of full or limited range, also together with a guide. */
GST_START_TEST (test_pad)
{
  const gchar *range = __i__ % 2 ? "2:3:5:1" : "1:3:5:1";
  g_autofree gchar *mask_caps = g_strdup_printf (HOST_CAPS ("GRAY8", 60, 40)
      ",colorimetry=%s", range);
  const gchar *launch = __i__ / 2 ? "mgpubilateral radius=2" : "mgpublur";
  Mask mask = {.mix = 1,.feather = 2 };
  GstVideoInfo mask_info = info_from_string (mask_caps);
  g_autoptr (GstHarness) masks = NULL;
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, launch, GST_VIDEO_FORMAT_I420, 60, 40);
  masks = gst_harness_new_with_element (pair.filter, "mask_sink", NULL);
  gst_harness_set_src_caps_str (masks, mask_caps);
  mask.base = no_mask (&pair);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = frame_new (&pair.info, LAYOUT_DEFAULT, i);
    GstBuffer *greys = frame_new (&mask_info, LAYOUT_PADDED, i + 9);
    GstVideoFrame picture;

    fail_unless (gst_video_frame_map (&picture, &mask_info, greys,
            GST_MAP_READ));
    for (gint j = 0; j < 60 * 40; j++) {
      gint v = comp_data (&picture, 0)[j / 60
          * GST_VIDEO_FRAME_PLANE_STRIDE (&picture, 0) + j % 60];

      mask.base[j] = __i__ % 2
          ? CLAMP (((v - 16) * 510 + 219) / 438, 0, 255) : v;
    }
    gst_video_frame_unmap (&picture);
    GST_BUFFER_PTS (frame) = GST_BUFFER_PTS (greys) = i * GST_SECOND;
    GST_BUFFER_DURATION (greys) = GST_SECOND;
    fail_unless_equals_int (gst_harness_push (masks, greys), GST_FLOW_OK);
    check_frame (&pair, frame, &mask);
  }
  g_free (mask.base);
}

GST_END_TEST;

/* Tests that a mask of another size than the frames ends the stream. */
GST_START_TEST (test_pad_size)
{
  GstBus *bus;
  GstVideoInfo mask_info = info_from_string (HOST_CAPS ("GRAY8", 61, 40));
  GstBuffer *mask = frame_new (&mask_info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstHarness) masks = NULL;
  g_auto (Pair) pair = { NULL };

  pair_init (&pair, "mgpublur", GST_VIDEO_FORMAT_I420, 60, 40);
  masks = gst_harness_new_with_element (pair.filter, "mask_sink", NULL);
  gst_harness_set_src_caps_str (masks, HOST_CAPS ("GRAY8", 61, 40));
  bus = harness_bus (pair.part);
  GST_BUFFER_PTS (mask) = 0;
  GST_BUFFER_DURATION (mask) = GST_SECOND;
  fail_unless_equals_int (gst_harness_push (masks, mask), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_push (pair.part, frame_new (&pair.info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
  check_error (bus, "mask_sink", "videoscale");
}

GST_END_TEST;

CHECK_TESTS (mgpuregions)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  for (guint i = 0; i < G_N_ELEMENTS (launches); i++)
    for (guint j = 0; j < N_ALL_FORMATS; j++)
      if (i == 0 || (i + j) % 3 == 0)
        tcase_add_loop_test (tc, test_formats, i * N_ALL_FORMATS + j,
            i * N_ALL_FORMATS + j + 1);
  tcase_add_test (tc, test_types);
  tcase_add_test (tc, test_hold);
  tcase_add_test (tc, test_hold_many);
  tcase_add_test (tc, test_memory);
  tcase_add_loop_test (tc, test_memory_of_filters, 0, 2);
  tcase_add_test (tc, test_picture);
  tcase_add_loop_test (tc, test_nothing, 0, 2 * G_N_ELEMENTS (launches));
  tcase_add_test (tc, test_picture_size);
  tcase_add_loop_test (tc, test_errors, 0, 9);
  tcase_add_test (tc, test_shapes);
  tcase_add_loop_test (tc, test_pad, 0, 4);
  tcase_add_test (tc, test_pad_size);
}
