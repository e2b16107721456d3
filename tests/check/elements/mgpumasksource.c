/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the property mask-source of filters. The output has to be the blend of the frame and the
 * filter's result for the whole frame, with the mask of the selected source only. */
#include "../folder.h"
#include "regions.h"
#include "segments.h"

#include <string.h>

#define WIDTH 60
#define HEIGHT 40

/* A filter that computes only the changed parts, a filter that needs the whole frame, and a filter
 * with a guide */
static const gchar *const filters[] = {
  "mgpublur sigma=3", "mgpuhisteq method=clahe", "mgpubilateral radius=2"
};

#define GUIDED 2

/* Holds two filters, of which one has a mask pad if the test requests it; both get the same guide
 * if they accept one. */
typedef struct
{
  Pair pair;
  GstHarness *guides[2], *masks;
  GstVideoInfo mask_info;
  GstBus *bus;
  Mask mask;
} Test;

static void
test_init (Test * t, guint filter, GstVideoFormat format)
{
  memset (t, 0, sizeof (*t));
  pair_init (&t->pair, filters[filter], format, WIDTH, HEIGHT);
  t->bus = harness_bus (t->pair.part);
  t->mask.base = g_malloc0 (WIDTH * HEIGHT);
  t->mask.mix = 1;
  for (guint i = 0; i < 2 && filter == GUIDED; i++) {
    g_autoptr (GstElement) f =
        harness_filter (i == 0 ? t->pair.whole : t->pair.part);
    GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", WIDTH, HEIGHT));
    GstBuffer *guide = frame_new (&info, LAYOUT_DEFAULT, 7);

    t->guides[i] = gst_harness_new_with_element (f, "guide", NULL);
    gst_harness_set_src_caps_str (t->guides[i], HOST_CAPS ("GRAY8", WIDTH,
            HEIGHT));
    GST_BUFFER_PTS (guide) = 0;
    GST_BUFFER_DURATION (guide) = 3600 * GST_SECOND;
    fail_unless_equals_int (gst_harness_push (t->guides[i], guide),
        GST_FLOW_OK);
  }
}

/* Requests the mask pad, for gray masks of full or limited range. */
static void
test_add_pad (Test * t, gboolean is_limited)
{
  g_autofree gchar *caps = g_strdup_printf (HOST_CAPS ("GRAY8", WIDTH, HEIGHT)
      ",colorimetry=%s", is_limited ? "2:3:5:1" : "1:3:5:1");

  t->mask_info = info_from_string (caps);
  t->masks = gst_harness_new_with_element (t->pair.filter, "mask_sink", NULL);
  gst_harness_set_src_caps_str (t->masks, caps);
}

static void
test_clear (Test * t)
{
  for (guint i = 0; i < 2; i++)
    if (t->guides[i] != NULL)
      gst_harness_teardown (t->guides[i]);
  if (t->masks != NULL)
    gst_harness_teardown (t->masks);
  pair_clear (&t->pair);
  g_free (t->mask.base);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Test, test_clear)
     static void set_source (Test * t, const gchar * source)
{
  gst_util_set_object_arg (G_OBJECT (t->pair.filter), "mask-source", source);
}

/* Returns: (transfer full): frame @i, at @i seconds */
static GstBuffer *
make_frame (Test * t, guint i)
{
  GstBuffer *frame = frame_new (&t->pair.info, LAYOUT_PADDED, i);

  GST_BUFFER_PTS (frame) = i * GST_SECOND;
  return frame;
}

/* Sets the expected mask to the transparency of the frame. */
static void
mark_transparent (Test * t, GstBuffer * frame)
{
  GstVideoFrame map;

  fail_unless (gst_video_frame_map (&map, &t->pair.info, frame, GST_MAP_READ));
  for (gint i = 0; i < WIDTH * HEIGHT; i++)
    t->mask.base[i] = 255 - comp_data (&map, 3)[i / WIDTH
        * GST_VIDEO_FRAME_COMP_STRIDE (&map, 3) + i % WIDTH
        * GST_VIDEO_FRAME_COMP_PSTRIDE (&map, 3)];
  gst_video_frame_unmap (&map);
}

/* Pushes mask @i with noise, at @i seconds, and sets the expected mask to its gray values. */
static void
push_mask (Test * t, guint i, gboolean is_limited)
{
  GstBuffer *greys = frame_new (&t->mask_info, LAYOUT_PADDED, i + 90);
  GstVideoFrame map;

  fail_unless (gst_video_frame_map (&map, &t->mask_info, greys, GST_MAP_READ));
  for (gint j = 0; j < WIDTH * HEIGHT; j++) {
    gint v = comp_data (&map, 0)[j / WIDTH
        * GST_VIDEO_FRAME_PLANE_STRIDE (&map, 0) + j % WIDTH];

    t->mask.base[j] = is_limited ? CLAMP (((v - 16) * 510 + 219) / 438, 0, 255)
        : v;
  }
  gst_video_frame_unmap (&map);
  GST_BUFFER_PTS (greys) = i * GST_SECOND;
  GST_BUFFER_DURATION (greys) = GST_SECOND;
  fail_unless_equals_int (gst_harness_push (t->masks, greys), GST_FLOW_OK);
}

static void
clear_mask (Test * t)
{
  memset (t->mask.base, 0, WIDTH * HEIGHT);
}

/* Tests that a pixel changes in proportion to its transparency. The alpha channel does not change,
 * and rectangles and regions of interest are ignored. The mask is dilated, feathered and inverted
 * as with other sources. */
GST_START_TEST (test_alpha)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB, GST_VIDEO_FORMAT_BGRA,
    GST_VIDEO_FORMAT_ABGR
  };
  g_auto (Test) t = { {NULL} };

  test_init (&t, __i__ / 4, formats[__i__ % 4]);
  g_object_set (t.pair.filter, "rectangle", "1,2,30,20", "roi-type", "a", NULL);
  set_source (&t, "alpha");
  for (guint i = 0; i < 4; i++) {
    GstBuffer *frame = make_frame (&t, i);

    add_region (frame, "a", 30, 10, 20, 20);
    t.mask.dilate = i % 2;
    t.mask.feather = i / 2 * 2;
    t.mask.invert = i == 3;
    mark_transparent (&t, frame);
    check_frame (&t.pair, frame, &t.mask);
  }
}

GST_END_TEST;

/* Tests that a frame without a transparent pixel passes unchanged. */
GST_START_TEST (test_opaque)
{
  g_autoptr (GstBuffer) frame = NULL, out = NULL;
  GstVideoFrame map;
  g_auto (Test) t = { {NULL}
  };

  test_init (&t, 0, GST_VIDEO_FORMAT_RGBA);
  set_source (&t, "alpha");
  frame = make_frame (&t, 1);
  fail_unless (gst_video_frame_map (&map, &t.pair.info, frame, GST_MAP_WRITE));
  for (gint i = 0; i < WIDTH * HEIGHT; i++)
    comp_data (&map, 3)[i / WIDTH * GST_VIDEO_FRAME_COMP_STRIDE (&map, 3)
        + i % WIDTH * 4] = 255;
  gst_video_frame_unmap (&map);
  out = harness_push_pull (t.pair.part, gst_buffer_ref (frame));
  fail_unless (gst_buffer_peek_memory (out, 0)
      == gst_buffer_peek_memory (frame, 0));
}

GST_END_TEST;

/* Tests the stream at the mask pad as the only source of masks, with full and limited range. */
GST_START_TEST (test_pad)
{
  gboolean is_limited = __i__ % 2;
  g_auto (Test) t = { {NULL}
  };

  test_init (&t, __i__ / 2, GST_VIDEO_FORMAT_I420);
  test_add_pad (&t, is_limited);
  g_object_set (t.pair.filter, "rectangle", "1,2,30,20", NULL);
  set_source (&t, "pad");
  for (guint i = 0; i < 4; i++) {
    t.mask.feather = i % 2 * 2;
    push_mask (&t, i, is_limited);
    check_frame (&t.pair, make_frame (&t, i), &t.mask);
  }
}

GST_END_TEST;

/* Tests changes of mask-source from frame to frame while the data of all sources is present: only
 * the selected source makes the mask, and the stream of masks is not blocked. */
GST_START_TEST (test_changes)
{
  static const gchar *const sources[] = {
    "auto", "roi", "property", "alpha", "pad", "property", "alpha", "roi",
    "pad", "auto", "alpha", "auto"
  };
  g_auto (Test) t = { {NULL} };

  test_init (&t, __i__, GST_VIDEO_FORMAT_BGRA);
  test_add_pad (&t, FALSE);
  g_object_set (t.pair.filter, "rectangle", "1,2,30,20", "polygon",
      "40,5,55,5,55,20", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    const gchar *source = sources[i];
    gboolean is_auto = g_str_equal (source, "auto");
    GstBuffer *frame = make_frame (&t, i);

    set_source (&t, source);
    add_region (frame, "a", 20 + i, 15, 20, 20);
    push_mask (&t, i, FALSE);
    if (!is_auto && !g_str_equal (source, "pad"))
      clear_mask (&t);
    if (g_str_equal (source, "alpha"))
      mark_transparent (&t, frame);
    /* With mask-source=roi any region counts; with mask-source=auto only regions of the types in
     * roi-type. */
    if (g_str_equal (source, "roi"))
      mark (&t.pair.info, t.mask.base, 20 + i, 15, 20, 20);
    if (is_auto || g_str_equal (source, "property")) {
      mark (&t.pair.info, t.mask.base, 1, 2, 30, 20);
      for (gint y = 5; y < 20; y++)
        mark (&t.pair.info, t.mask.base, 40 + y - 5, y, 55 - 40 - (y - 5), 1);
    }
    check_frame (&t.pair, frame, &t.mask);
  }
}

GST_END_TEST;

/* Tests that frames pass unchanged if the selected source marks nothing, while whole frames change
 * if there is no mask. */
GST_START_TEST (test_nothing)
{
  static const gchar *const sources[] = { "property", "roi" };
  GstBuffer *frame, *out;
  g_auto (Test) t = { {NULL} };

  test_init (&t, 0, GST_VIDEO_FORMAT_I420);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    set_source (&t, sources[i]);
    frame = make_frame (&t, i);
    out = harness_push_pull (t.pair.part, gst_buffer_ref (frame));
    fail_unless (gst_buffer_peek_memory (out, 0)
        == gst_buffer_peek_memory (frame, 0));
    gst_buffer_unref (out);
    gst_buffer_unref (frame);
  }
  set_source (&t, "auto");
  memset (t.mask.base, 255, WIDTH * HEIGHT);
  check_frame (&t.pair, make_frame (&t, 5), &t.mask);
}

GST_END_TEST;

/* Tests that transparent pixels stay marked for mask-hold more frames, but not after a flush. */
GST_START_TEST (test_hold)
{
  guint8 held[WIDTH * HEIGHT] = { 0 };
  g_auto (Test) t = { {NULL}
  };

  test_init (&t, 0, GST_VIDEO_FORMAT_RGBA);
  set_source (&t, "alpha");
  g_object_set (t.pair.filter, "mask-hold", 2, NULL);
  for (guint i = 0; i < 7; i++) {
    GstBuffer *frame = make_frame (&t, i);
    GstVideoFrame map;

    /* Fills a moving square with noise, and makes one pixel transparent in every fourth frame. */
    fail_unless (gst_video_frame_map (&map, &t.pair.info, frame,
            GST_MAP_WRITE));
    for (gint j = 0; j < WIDTH * HEIGHT; j++) {
      guint8 *alpha = comp_data (&map, 3) + j / WIDTH
          * GST_VIDEO_FRAME_COMP_STRIDE (&map, 3) + j % WIDTH * 4;

      if (j % WIDTH / 10 != (gint) i || j / WIDTH > 20)
        *alpha = i % 4 == 0 && j == 2000 ? 0 : 255;
    }
    gst_video_frame_unmap (&map);
    if (i == 5) {
      flush (t.pair.part);
      memset (held, 0, sizeof (held));
    }
    mark_transparent (&t, frame);
    for (gint j = 0; j < WIDTH * HEIGHT; j++) {
      if (t.mask.base[j] >= 128) {
        held[j] = 2;
      } else if (held[j] > 0) {
        held[j]--;
        t.mask.base[j] = 255;
      }
    }
    check_frame (&t.pair, frame, &t.mask);
  }
}

GST_END_TEST;

/* Tests that a mask file is read again when the property mask-location is set, also to the same
 * name. */
GST_START_TEST (test_file_again)
{
  g_autofree gchar *path = g_build_filename (folder, "mask.png", NULL);
  g_auto (Test) t = { {NULL}
  };

  test_init (&t, 0, GST_VIDEO_FORMAT_I420);
  for (guint i = 0; i < 3; i++) {
    clear_mask (&t);
    mark (&t.pair.info, t.mask.base, 10 * i, 5, 20, 20);
    write_png (path, WIDTH, HEIGHT, t.mask.base);
    g_object_set (t.pair.filter, "mask-location", path, NULL);
    check_frame (&t.pair, make_frame (&t, i), &t.mask);
  }
}

GST_END_TEST;

/* Tests that the stream ends with an error that names the remedy if something that mask-source
 * requires is missing. After mask-source has changed the stream can continue. */
GST_START_TEST (test_errors)
{
  static const struct
  {
    const gchar *source, *word1, *word2;
  } cases[] = {
    {"alpha", "NV12", "format=RGBA"},
    {"pad", "no pad \"mask_sink\"", "GRAY8"},
#ifndef HAVE_SEGMENTS
    {"segmentation", "GStreamer 1.26", "mask-source=pad"}
#endif
  };
  g_auto (Test) t = { {NULL} };

  test_init (&t, 0, GST_VIDEO_FORMAT_NV12);
  mark (&t.pair.info, t.mask.base, 1, 2, 30, 20);
  g_object_set (t.pair.filter, "rectangle", "1,2,30,20", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    set_source (&t, cases[i].source);
    fail_unless_equals_int (gst_harness_push (t.pair.part, make_frame (&t, i)),
        GST_FLOW_ERROR);
    check_error (t.bus, cases[i].word1, cases[i].word2);
    set_source (&t, "property");
    check_frame (&t.pair, make_frame (&t, 10 + i), &t.mask);
  }
}

GST_END_TEST;

/* Tests that masks whose size differs from that of the frames end the stream. */
GST_START_TEST (test_pad_size)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 30, 20));
  GstBuffer *mask = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_auto (Test) t = { {NULL}
  };

  test_init (&t, __i__, GST_VIDEO_FORMAT_I420);
  t.masks = gst_harness_new_with_element (t.pair.filter, "mask_sink", NULL);
  gst_harness_set_src_caps_str (t.masks, HOST_CAPS ("GRAY8", 30, 20));
  set_source (&t, "pad");
  GST_BUFFER_PTS (mask) = 0;
  GST_BUFFER_DURATION (mask) = 60 * GST_SECOND;
  fail_unless_equals_int (gst_harness_push (t.masks, mask), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_push (t.pair.part, make_frame (&t, 0)),
      GST_FLOW_ERROR);
  check_error (t.bus, "mask_sink", "videoscale");
}

GST_END_TEST;

#ifdef HAVE_SEGMENTS
/* Tests that pixels that segmentation masks mark change: the pixels of all objects, or of objects
 * of the types in roi-type. */
GST_START_TEST (test_segments)
{
  static const Segments segments[] = {
    {GST_VIDEO_FORMAT_GRAY8, {0, 12, 7, 0, 0, 0}, 10, 5, 16, 18},
    {GST_VIDEO_FORMAT_GRAY16_LE, {0, 0, 900, 7, 12, 0}, 30, 8, 40, 20}
  };
  static const gchar *const types[] = { NULL, "leaf", "berry,thing", "thing" };
  g_auto (Test) t = { {NULL} };

  test_init (&t, __i__, GST_VIDEO_FORMAT_I420);
  set_source (&t, "segmentation");
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    GstBuffer *frame = make_frame (&t, i);

    clear_mask (&t);
    for (guint j = 0; j < G_N_ELEMENTS (segments); j++) {
      add_segments (frame, &segments[j]);
      segments_mark (&segments[j], types[i], t.mask.base, WIDTH, HEIGHT);
    }
    t.mask.dilate = i % 2;
    g_object_set (t.pair.filter, "roi-type", types[i], NULL);
    check_frame (&t.pair, frame, &t.mask);
  }
  clear_mask (&t);
  check_frame (&t.pair, make_frame (&t, 9), &t.mask);
}

GST_END_TEST;
#endif

CHECK_TESTS (mgpumasksource)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_loop_test (tc, test_alpha, 0, 4 * G_N_ELEMENTS (filters));
  tcase_add_test (tc, test_opaque);
  tcase_add_loop_test (tc, test_pad, 0, 2 * G_N_ELEMENTS (filters));
  tcase_add_loop_test (tc, test_changes, 0, G_N_ELEMENTS (filters));
  tcase_add_test (tc, test_nothing);
  tcase_add_test (tc, test_hold);
  tcase_add_test (tc, test_file_again);
  tcase_add_test (tc, test_errors);
  tcase_add_loop_test (tc, test_pad_size, 0, G_N_ELEMENTS (filters));
#ifdef HAVE_SEGMENTS
  tcase_add_loop_test (tc, test_segments, 0, G_N_ELEMENTS (filters));
#endif
}
