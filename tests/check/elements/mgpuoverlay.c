/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../notrun.h"
#include "reference.h"

#include <math.h>
#include <glib/gstdio.h>
#include <pango/pangocairo.h>

#include "../../reference/overlay.h"

/* Draws nothing but keypoints and the lines around regions. */
#define PLAIN "mgpuoverlay name=f draw=keypoints+regions"

#define GREEN 0xff00ff00
#define AMBER 0xffffc000

static const GstMgpuKeypoint usual[] = {
  {20, 15, 12, 30, 0, 0, 0}, {-3, 5.5, 20, 100, 0, 0, 0},
  {40.25f, 30.5f, 2, -1, 0, 0, 0}, {0, 0, 1, 359, 0, 0, 0},
  {50, 20, 300, 200, 0, 0, 0}
};

/* A frame with keypoints, n of them. */
static void
add_keypoints (GstBuffer * buffer, const GstMgpuKeypoint * keypoints, guint n)
{
  gsize size = n * sizeof (GstMgpuKeypoint);
  GstMgpuKeypointHeader header = { n, 0, {0, 0} };
  GstBuffer *table = gst_buffer_new_allocate (NULL, sizeof (header) + size,
      NULL);

  gst_buffer_fill (table, 0, &header, sizeof (header));
  gst_buffer_fill (table, sizeof (header), keypoints, size);
  gst_buffer_add_mgpu_keypoint_meta (buffer, table,
      GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);
}

/* A region without a class has no label. */
static void
add_region (GstBuffer * buffer, gint x, gint y, guint width, guint height)
{
  gst_buffer_add_video_region_of_interest_meta_id (buffer, 0, x, y, width,
      height);
}

typedef struct
{
  guint32 keypoint_color, region_color;
  gdouble line_width;
} Style;

static const Style defaults = { GREEN, AMBER, 1.5 };

static RefOverlay
ref_overlay (GstVideoFrame * frame, const Style * style,
    RefOverlayColour colours[2])
{
  const GstVideoInfo *info = &frame->info;
  guint last = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3) - 1;
  RefOverlay result = {
    .n_planes = last + 1,.chroma_width = 1 << info->finfo->w_sub[last],
    .chroma_height = 1 << info->finfo->h_sub[last]
  };
  RefColour colour = {
    .rgb = GST_VIDEO_INFO_IS_RGB (info),.gray = GST_VIDEO_INFO_IS_GRAY (info),
    .full_range = info->colorimetry.range != GST_VIDEO_COLOR_RANGE_16_235,
    .max = (1 << GST_VIDEO_INFO_COMP_DEPTH (info, 0)) - 1,
    .kr = 0.299,.kb = 0.114
  };

  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &colour.kr,
      &colour.kb);
  for (guint i = 0; i <= last; i++)
    result.plane[i] = ref_plane (frame, i);
  ref_overlay_colour (style->keypoint_color, &colour, &colours[0]);
  ref_overlay_colour (style->region_color, &colour, &colours[1]);
  return result;
}

/* Draws what buffer carries on it, regions without label. */
static void
reference (GstBuffer * buffer, const GstVideoInfo * info, const Style * style,
    gboolean keypoints, gboolean regions)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (buffer);
  GSList *list = NULL;
  gpointer state = NULL;
  RefOverlayColour colours[2];
  GstVideoFrame mapped;
  GstMgpuKeypoint k;
  RefOverlay frame;
  GstMeta *each;

  fail_unless (gst_video_frame_map (&mapped, info, buffer, GST_MAP_READWRITE));
  frame = ref_overlay (&mapped, style, colours);
  /* The first lies on top. */
  for (guint i = meta != NULL && keypoints
      ? gst_mgpu_keypoint_meta_get_n_keypoints (meta) : 0; i-- > 0;) {
    fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, i, &k));
    ref_overlay_keypoint (&frame, &colours[0], style->line_width, k.x, k.y,
        k.size, k.angle);
  }
  while (regions && (each = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    list = g_slist_prepend (list, each);
  for (GSList * l = list; l != NULL; l = l->next) {
    GstVideoRegionOfInterestMeta *roi = l->data;

    ref_overlay_region (&frame, &colours[1], style->line_width,
        (gint32) roi->x, (gint32) roi->y, roi->w, roi->h);
  }
  g_slist_free (list);
  gst_video_frame_unmap (&mapped);
}

/* Pushes from, which it takes, and compares what comes out. */
static void
check_drawn (GstHarness * h, const GstVideoInfo * info, GstBuffer * from,
    const Style * style, gboolean keypoints, gboolean regions)
{
  GstBuffer *expected = gst_buffer_copy_deep (from), *before, *to;
  guint n;

  before = gst_buffer_copy_deep (from);
  reference (expected, info, style, keypoints, regions);
  to = harness_push_pull (h, gst_buffer_ref (from));
  n = count_differences (info, to, expected);
  fail_unless (n == 0, "%u samples of %s differ", n,
      GST_VIDEO_INFO_NAME (info));
  /* Somebody else had the frame, too. */
  fail_unless_same_frame (info, from, before);
  gst_buffer_unref (from);
  gst_buffer_unref (before);
  gst_buffer_unref (expected);
  gst_buffer_unref (to);
}

static void
check_format (GstVideoFormat format, gint width, gint height, Layout layout,
    gboolean device)
{
  GstHarness *h = gst_harness_new_parse (PLAIN);
  GstCaps *caps = caps_new (format, width, height, FALSE);
  GstVideoInfo info;
  GstBuffer *from;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_caps (h, caps, caps_new (format, width, height, device));
  from = frame_new (&info, layout, width);
  add_keypoints (from, usual, G_N_ELEMENTS (usual));
  add_region (from, 5, 7, 30, 20);
  add_region (from, -4, -4, 12, 30);
  check_drawn (h, &info, from, &defaults, TRUE, TRUE);
  gst_harness_teardown (h);
}

GST_START_TEST (test_formats)
{
  GstVideoFormat format = all_formats[__i__];

  check_format (format, 67, 45, LAYOUT_PADDED, FALSE);
  check_format (format, 64, 48, LAYOUT_DEFAULT, TRUE);
  check_format (format, 1, 1, LAYOUT_DEFAULT, FALSE);
}

GST_END_TEST;

/* A frame in memory of the device, somebody else has it as well. */
GST_START_TEST (test_device_frame)
{
  GstHarness *h = harness_new (PLAIN, DEVICE_CAPS ("NV12", 64, 48),
      DEVICE_CAPS ("NV12", 64, 48));
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 64, 48));
  GstMgpuContext *context = harness_context (h);

  for (guint i = 0; i < 3; i++) {
    GstBuffer *from = device_frame_new (context, &info, i);

    add_keypoints (from, usual, G_N_ELEMENTS (usual));
    check_drawn (h, &info, from, &defaults, TRUE, TRUE);
  }
  gst_object_unref (context);
  gst_harness_teardown (h);
}

GST_END_TEST;

static void
check_passes (GstHarness * h, GstBuffer * from)
{
  GstBuffer *to;

  fail_unless_equals_int (gst_harness_push (h, from), GST_FLOW_OK);
  to = gst_harness_pull (h);
  fail_unless (to == from);
  gst_buffer_unref (to);
}

/* Without anything that would be seen, the same buffer comes out. */
GST_START_TEST (test_passes)
{
  static const GstMgpuKeypoint far[] = {
    {-30, 5, 10, 0, 0, 0, 0}, {NAN, 5, 10, 0, 0, 0, 0}
  };
  const gchar *caps = HOST_CAPS ("RGB", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuoverlay name=f", caps, caps);
  GstElement *filter = harness_filter (h);
  GstBuffer *from;

  check_passes (h, frame_new (&info, LAYOUT_DEFAULT, 1));

  g_object_set (filter, "draw", 3, NULL);
  from = frame_new (&info, LAYOUT_DEFAULT, 2);
  add_keypoints (from, far, G_N_ELEMENTS (far));
  add_region (from, 64, 0, 10, 10);
  add_region (from, 10, 10, 0, 10);
  check_passes (h, from);

  from = frame_new (&info, LAYOUT_DEFAULT, 3);
  add_keypoints (from, usual, G_N_ELEMENTS (usual));
  g_object_set (filter, "draw", 0, NULL);
  check_passes (h, from);

  /* Colours that nobody sees. */
  from = frame_new (&info, LAYOUT_DEFAULT, 4);
  add_keypoints (from, usual, G_N_ELEMENTS (usual));
  add_region (from, 1, 1, 10, 10);
  g_object_set (filter, "draw", 7, "keypoint-color", 0x00ffffff,
      "region-color", 0x00ffffff, "text-color", 0x00ffffff, NULL);
  check_passes (h, from);
  fail_unless_equals_uint64 (get_stat (filter, "frames"), 4);
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A change while frames flow is seen in the next one. */
GST_START_TEST (test_live)
{
  static const struct
  {
    guint draw;
    Style style;
  } steps[] = {
    {3, {GREEN, AMBER, 1.5}}, {1, {GREEN, AMBER, 1.5}}, {2, {GREEN, AMBER, 4}},
    {3, {0x80ff0000, 0x40123456, 2.25}}, {0, {GREEN, AMBER, 1}},
    {3, {0xffffffff, 0xff000000, 16}}, {3, {GREEN, AMBER, 1}}
  };
  const gchar *caps = HOST_CAPS ("I420", 61, 47);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new (PLAIN, caps, caps);
  GstElement *filter = harness_filter (h);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, i);

    add_keypoints (from, usual, 1 + i % G_N_ELEMENTS (usual));
    add_region (from, i, i, 30, 25);
    g_object_set (filter, "draw", steps[i].draw,
        "keypoint-color", steps[i].style.keypoint_color,
        "region-color", steps[i].style.region_color,
        "line-width", steps[i].style.line_width, NULL);
    check_drawn (h, &info, from, &steps[i].style, (steps[i].draw & 1) != 0,
        (steps[i].draw & 2) != 0);
  }
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Numbers that no frame has room for. */
GST_START_TEST (test_out_of_range)
{
  static const gint sizes[][2] = { {40, 30}, {1, 1}, {3, 70} };
  static const GstMgpuKeypoint bad[] = {
    {NAN, NAN, NAN, NAN, NAN, G_MININT, G_MAXINT}, {5, 5, INFINITY, 30, 0, 0, 0},
    {INFINITY, 5, 5, 5, 0, 0, 0}, {5, -INFINITY, 5, 5, 0, 0, 0},
    {5, 5, -5, 5, 0, 0, 0}, {1e38f, -1e38f, 1e38f, 1e38f, 0, 0, 0},
    {-2030, 9, 4094, 0, 0, 0, 0}, {9, 2040, 8000, 90, 0, 0, 0},
    {8, 8, 0, INFINITY, 0, 0, 0}, {4, 3, 1e-40f, -1e-40f, 0, 0, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstHarness *h = gst_harness_new_parse (PLAIN);
    GstCaps *caps = caps_new (GST_VIDEO_FORMAT_NV12, sizes[i][0], sizes[i][1],
        FALSE);
    GstVideoInfo info;
    GstBuffer *from;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_caps (h, gst_caps_ref (caps), caps);
    from = frame_new (&info, LAYOUT_DEFAULT, i);
    add_keypoints (from, bad, G_N_ELEMENTS (bad));
    add_region (from, G_MININT, 3, G_MAXUINT, 9);
    add_region (from, -7, -G_MAXINT, 20, G_MAXINT);
    add_region (from, G_MAXINT, G_MAXINT, G_MAXUINT, G_MAXUINT);
    add_region (from, 0, 0, G_MAXUINT, G_MAXUINT);
    add_region (from, 2, 2, 1, 1);
    add_region (from, 3, 3, 0, 0);
    check_drawn (h, &info, from, &defaults, TRUE, TRUE);
    gst_harness_teardown (h);
  }
}

GST_END_TEST;

GST_START_TEST (test_many_keypoints)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  const guint n = 10000;
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new (PLAIN " keypoint-color=0x30ffffff", caps, caps);
  GstMgpuKeypoint *keypoints = g_new0 (GstMgpuKeypoint, n);
  const Style style = { 0x30ffffff, AMBER, 1.5 };
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);

  for (guint i = 0; i < n; i++) {
    keypoints[i].x = i * 37 % 640 / 10.f;
    keypoints[i].y = i * 61 % 480 / 10.f;
    keypoints[i].size = i % 23;
    keypoints[i].angle = i % 360;
  }
  add_keypoints (from, keypoints, n);
  check_drawn (h, &info, from, &style, TRUE, TRUE);
  g_free (keypoints);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Whether text can be drawn here. Says so if not. */
static gboolean
can_write (void)
{
  PangoContext *context =
      pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoLayout *layout = pango_layout_new (context);
  gboolean has_font;

  pango_layout_set_text (layout, "0", -1);
  has_font = pango_layout_get_unknown_glyphs_count (layout) == 0;
  g_object_unref (layout);
  g_object_unref (context);
  if (!has_font)
    not_run ("fontconfig finds no font");
  return has_font;
}

/* The frame that launch makes of one without metas, or with them. */
static GstBuffer *
draw_text (const gchar * launch, gboolean with_metas, const gchar * name,
    gdouble confidence)
{
  const gchar *caps = HOST_CAPS ("I420", 320, 200);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new (launch, caps, caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);

  if (with_metas) {
    GstVideoRegionOfInterestMeta *roi =
        gst_buffer_add_video_region_of_interest_meta (from, name, 50, 80, 60,
        70);

    add_keypoints (from, usual, 3);
    if (confidence != 0)
      gst_video_region_of_interest_meta_add_param (roi,
          gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE,
              confidence, NULL));
  }
  from = harness_push_pull (h, from);
  gst_harness_teardown (h);
  return from;
}

static guint
compare_and_free (GstBuffer * a, GstBuffer * b)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("I420", 320, 200));
  guint n = count_differences (&info, a, b);

  gst_buffer_unref (a);
  gst_buffer_unref (b);
  return n;
}

/* Placeholders become numbers, and other text stays. */
GST_START_TEST (test_text)
{
  const gchar *with = "mgpuoverlay draw=text text=\"{keypoints} and {regions}, "
      "{other} {keypoints}\"";

  if (!can_write ())
    return;
  fail_unless_equals_int (compare_and_free (draw_text (with, TRUE, "cat", 0),
          draw_text ("mgpuoverlay draw=text text=\"3 and 1, {other} 3\"", TRUE,
              "cat", 0)), 0);
  fail_unless_equals_int (compare_and_free (draw_text (with, FALSE, NULL, 0),
          draw_text ("mgpuoverlay draw=text text=\"0 and 0, {other} 0\"", FALSE,
              NULL, 0)), 0);
  fail_unless (compare_and_free (draw_text (with, TRUE, "cat", 0),
          draw_text (with, FALSE, "cat", 0)) > 10);
  /* The first frame has no time yet. */
  fail_unless_equals_int (compare_and_free (draw_text ("mgpuoverlay draw=text",
              TRUE, "cat", 0), draw_text ("mgpuoverlay draw=text "
              "text=\"3 keypoints   1 region\"", TRUE, "cat", 0)), 0);
  fail_unless (compare_and_free (draw_text ("mgpuoverlay draw=text text=\"\"",
              TRUE, "cat", 0), draw_text ("mgpuoverlay draw=text", TRUE, "cat",
              0)) > 300);
  fail_unless_equals_int (compare_and_free (draw_text ("mgpuoverlay draw=text "
              "text=\"\"", TRUE, "cat", 0), draw_text ("mgpuoverlay", FALSE,
              NULL, 0)), 0);
}

GST_END_TEST;

static GstBuffer *
draw_property (const gchar * text, gint width, gint height)
{
  GstHarness *h = gst_harness_new ("mgpuoverlay");
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_GRAY8, width, height, FALSE);
  GstVideoInfo info;
  GstBuffer *out;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_caps (h, gst_caps_ref (caps), caps);
  g_object_set (h->element, "text", text, NULL);
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  gst_harness_teardown (h);
  return out;
}

/* Text that is too long, no text at all or no UTF-8, also in tiny frames. */
GST_START_TEST (test_odd_text)
{
  static const gint sizes[][2] = { {1, 1}, {90, 40}, {3, 64} };
  gchar *longer = g_strnfill (100000, 'W'), *cut = g_strndup (longer, 1024);
  gchar *lines = g_strnfill (3000, '\n'), *few = g_strndup (lines, 1024);
  const gchar *same[][2] = {
    {longer, cut}, {lines, few}, {"a\xff\xfe z", "a\xef\xbf\xbd\xef\xbf\xbd z"},
    {"{ms", "{ms"}, {"<b>&", "<b>&"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (same); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++) {
      GstCaps *caps = caps_new (GST_VIDEO_FORMAT_GRAY8, sizes[j][0],
          sizes[j][1], FALSE);
      GstBuffer *a = draw_property (same[i][0], sizes[j][0], sizes[j][1]);
      GstBuffer *b = draw_property (same[i][1], sizes[j][0], sizes[j][1]);
      GstVideoInfo info;

      fail_unless (gst_video_info_from_caps (&info, caps));
      fail_unless_same_frame (&info, a, b);
      gst_caps_unref (caps);
      gst_buffer_unref (a);
      gst_buffer_unref (b);
    }
  }
  g_free (longer);
  g_free (lines);
  g_free (cut);
  g_free (few);
}

GST_END_TEST;

GST_START_TEST (test_bad_values)
{
  GstElement *element = gst_element_factory_make ("mgpuoverlay", NULL);
  const gdouble values[] = { NAN, 0.5, 17, -INFINITY, INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    set_badly (element, "line-width", values[i]);
  gst_object_unref (element);
}

GST_END_TEST;

/* A label is the class and, where there is one, the confidence. */
GST_START_TEST (test_label)
{
  const gchar *launch = "mgpuoverlay draw=regions";

  if (!can_write ())
    return;
  fail_unless_equals_int (compare_and_free (draw_text (launch, TRUE, "person",
              0.8749), draw_text (launch, TRUE, "person 0.87", 0)), 0);
  fail_unless_equals_int (compare_and_free (draw_text (launch, TRUE, "person",
              NAN), draw_text (launch, TRUE, "person", 0)), 0);
  fail_unless (compare_and_free (draw_text (launch, TRUE, "person", 0),
          draw_text (launch, TRUE, "", 0)) > 100);
}

GST_END_TEST;

/* The text of each frame is another one, and frames of many labels come; metas
 * stay what they were. */
GST_START_TEST (test_many_texts)
{
  const gchar *caps = HOST_CAPS ("BGRx", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuoverlay name=f", caps, caps);
  GstElement *filter = harness_filter (h);

  for (guint i = 0; i < 30; i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, i), *to;
    gchar *text = g_strdup_printf ("{ms} %u", i);

    for (guint j = 0; j < 40; j++) {
      GstVideoRegionOfInterestMeta *roi =
          gst_buffer_add_video_region_of_interest_meta (from, "a", j * 4, j * 3,
          20, 20);

      gst_video_region_of_interest_meta_add_param (roi,
          gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE,
              (i * 17 + j) / 100., NULL));
    }
    add_keypoints (from, usual, 3);
    g_object_set (filter, "text", i % 3 ? text : NULL, NULL);
    to = harness_push_pull (h, gst_buffer_ref (from));
    fail_unless (count_differences (&info, from, to) > 1000);
    fail_unless_equals_int (gst_buffer_get_n_meta (to,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 40);
    fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints
        (gst_buffer_get_mgpu_keypoint_meta (to)), 3);
    gst_buffer_unref (from);
    gst_buffer_unref (to);
    g_free (text);
  }
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A frame with n labels of many lines on the left, and last a region on the right,
 * labelled or not. */
static GstBuffer *
draw_labels (guint n, const gchar * last)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 2048, 1024);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuoverlay draw=regions", caps, caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  GString *label = g_string_new (NULL);

  for (guint i = 0; i < 1000; i++)
    g_string_append_c (label, i % 31 == 30 ? '\n' : 'W');
  for (guint i = 0; i < n; i++)
    gst_buffer_add_video_region_of_interest_meta (from, label->str, 0, 0, 9, 9);
  gst_buffer_add_video_region_of_interest_meta (from, last, 1800, 500, 40, 40);
  from = harness_push_pull (h, from);
  g_string_free (label, TRUE);
  gst_harness_teardown (h);
  return from;
}

/* More letters than fit into what is handed to the device are left out. */
GST_START_TEST (test_too_many_letters)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 2048, 1024));
  GstBuffer *few, *few_without, *many, *many_without;

  if (!can_write ())
    return;
  few = draw_labels (2, "cat");
  few_without = draw_labels (2, "");
  many = draw_labels (500, "cat");
  many_without = draw_labels (500, "");
  fail_unless (count_differences (&info, few, few_without) > 100);
  fail_unless_same_frame (&info, many, many_without);
  gst_buffer_unref (few);
  gst_buffer_unref (few_without);
  gst_buffer_unref (many);
  gst_buffer_unref (many_without);
}

GST_END_TEST;

GST_START_TEST (test_caps_change)
{
  static const gint sizes[][2] = { {64, 48}, {20, 90}, {1, 1}, {130, 17} };
  GstHarness *h = gst_harness_new_parse (PLAIN);

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstCaps *caps = caps_new (i % 2 ? GST_VIDEO_FORMAT_BGRx
        : GST_VIDEO_FORMAT_I420, sizes[i][0], sizes[i][1], FALSE);
    GstVideoInfo info;
    GstBuffer *from;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    from = frame_new (&info, LAYOUT_DEFAULT, i);
    add_keypoints (from, usual, G_N_ELEMENTS (usual));
    check_drawn (h, &info, from, &defaults, TRUE, TRUE);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

/* The host does not copy a frame between mgpusift, which finds keypoints, and
 * mgpuoverlay, which draws them; the other branch of a tee has the frame undrawn. */
GST_START_TEST (test_chain)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=3 "
      "pattern=snow ! " HOST_CAPS ("NV12", 97, 66) " ! mgpusift ! tee name=t  "
      "t. ! queue ! mgpuoverlay name=f draw=keypoints ! fakesink name=a  "
      "t. ! queue ! fakesink name=b", NULL);
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 97, 66));
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  GstBuffer *frames[2];

  fail_unless_no_error (run_to_end (pipeline));
  for (guint i = 0; i < 2; i++) {
    GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), i ? "b" : "a");
    GstSample *sample;

    g_object_get (sink, "last-sample", &sample, NULL);
    frames[i] = gst_buffer_copy_deep (gst_sample_get_buffer (sample));
    gst_sample_unref (sample);
    gst_object_unref (sink);
  }
  fail_unless (count_differences (&info, frames[0], frames[1]) > 100);
  reference (frames[1], &info, &defaults, TRUE, TRUE);
  fail_unless_same_frame (&info, frames[0], frames[1]);
  fail_unless_equals_uint64 (get_stat (filter, "frames"), 3);
  if (device_is_unified ())
    fail_unless_equals_uint64 (get_stat (filter, "uploads"), 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_buffer_unref (frames[0]);
  gst_buffer_unref (frames[1]);
  gst_object_unref (filter);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* On a system without fonts all but text is drawn. The last test: where tests
 * share a process, the others need fonts. */
GST_START_TEST (test_no_font)
{
  const gchar *caps = HOST_CAPS ("I420", 320, 200);
  GstVideoInfo info = info_from_string (caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1), *want, *out;
  GstBus *bus = gst_bus_new ();
  GstElement *filter;
  GstMessage *message;
  GstHarness *h;
  gchar *config;
  GError *error;
  gint fd;

  fd = g_file_open_tmp ("mgpuoverlay-XXXXXX.conf", &config, NULL);
  fail_unless (fd >= 0);
  g_close (fd, NULL);
  fail_unless (g_file_set_contents (config, "<fontconfig></fontconfig>", -1,
          NULL));
  g_setenv ("FONTCONFIG_FILE", config, TRUE);
  h = harness_new ("mgpuoverlay name=f text=x", caps, caps);
  filter = harness_filter (h);
  gst_element_set_bus (filter, bus);
  out = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (out == from);
  gst_buffer_unref (out);

  gst_buffer_add_video_region_of_interest_meta (from, "cat", 50, 80, 60, 70);
  add_keypoints (from, usual, 3);
  want = gst_buffer_copy_deep (from);
  reference (want, &info, &defaults, TRUE, TRUE);
  out = harness_push_pull (h, from);
  fail_unless_same_frame (&info, want, out);
  gst_buffer_unref (want);
  gst_buffer_unref (out);

  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_NOT_FOUND));
  fail_unless (g_str_has_prefix (error->message, "f: ")
      && strstr (error->message, "fonts-dejavu-core") != NULL, "%s",
      error->message);
  g_error_free (error);
  gst_message_unref (message);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  g_unlink (config);
  g_free (config);
  gst_element_set_bus (filter, NULL);
  gst_object_unref (bus);
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
mgpuoverlay_suite (void)
{
  Suite *s = suite_create ("mgpuoverlay");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_device_frame);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_out_of_range);
  tcase_add_test (tc, test_many_keypoints);
  tcase_add_test (tc, test_text);
  tcase_add_test (tc, test_odd_text);
  tcase_add_test (tc, test_bad_values);
  tcase_add_test (tc, test_label);
  tcase_add_test (tc, test_many_texts);
  tcase_add_test (tc, test_too_many_letters);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_chain);
  tcase_add_test (tc, test_no_font);
  return s;
}

GST_CHECK_MAIN (mgpuoverlay);
