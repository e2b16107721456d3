/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that frames of limited and of full range with the same content give the same result. */
#include "reference.h"

#include <string.h>

#include "../../reference/samples.h"

#define WIDTH 96
#define HEIGHT 64

/* Elements that change sample values. Samples differ by more than rounding where the rounding to
 * limited range crosses the threshold of mgpusharpen, or makes mgpuinpaint select another patch. So
 * do RGB samples where a table is steep, because their luma is also rounded. */
static const struct
{
  const gchar *launch;
  gdouble share;                /* maximum fraction of samples that may differ by more than 3
                                 * steps */
} filters[] = {
  {"mgpusharpen amount=1", 0},
  {"mgpusharpen amount=2 threshold=4", 0.03},
  {"mgpusharpen amount=-1 sigma=4", 0},
  {"mgpubilateral sigma-color=25 planes=all", 0},
  {"mgpubilateral method=grid sigma-color=50 planes=all", 0},
  {"mgpubilateral method=constant-time sigma-color=30 levels=32 planes=all", 0},
  {"mgpuhisteq", 0.005},
  {"mgpuhisteq channels=each strength=0.6", 0},
  {"mgpuhisteq method=clahe tiles-x=2 tiles-y=2", 0.02},
  {"mgpuhisteq method=levels low-clip=0.02 high-clip=0.03", 0},
  {"mgpuintegral box-radius=3", 0},
  {"mgpudenoise noise=3", 0},
  {"mgpublur sigma=3", 0},
  {"mgpublur method=pixelate block-size=6", 0},
  {"mgpublur method=fill color=0xc0308050", 0},
  {"mgpulocalcontrast detail=1 shadows=0.5 highlights=-0.4", 0},
  {"mgpuhisteq rectangle=20,10,40,30 mask-feather=3", 0.002},
  {"mgpuinpaint rectangle=30,20,24,18 smooth-seams=true", 0.035},
  {"mgpuconvert ! video/x-raw(ANY),width=72,height=40 ! mgpuconvert", 0},
  {"mgpuoverlay draw=regions region-color=0x60ffc000", 0},
  {"mgpuremap input=perspective input-fov=60 fov=50 pan=3", 0},
  {"mgpustabilize look-ahead=0 zoom=1.3", 0},
  {"mgpuupload ! mgpudownload", 0}
};

/* Elements that change no samples, or whose own tests check color ranges */
static const gchar *const others[] = {
  "mgpuflow", "mgpuhog", "mgpukernel", "mgpumatch", "mgpumetajson",
  "mgpumotion", "mgpupyramid", "mgpusift",
  "mgputags", "mgputrack"
};

typedef struct
{
  const gchar *format, *limited, *full;
} Format;

static const Format formats[] = {
  {"GRAY8", "2:4:5:1", "1:4:5:1"},
  {"I420", "2:4:5:1", "1:4:5:1"},
  {"YUY2", "2:3:5:1", "1:3:5:1"},
  {"P010_10LE", "2:3:5:1", "1:3:5:1"},
  {"BGRx", "2:1:7:1", "1:1:7:1"}
};

/* Returns whether filter @i is tested with format @k. Each combination of filter, format and range
 * builds all kernels, so filters are alternately tested with one of two formats: gray frames are
 * processed like the first plane of other formats, and packed formats differ only in the positions
 * of samples. An element with two launch lines is tested with both. */
static gboolean
is_tested (guint i, guint k)
{
  return k != (i % 2 == 0 ? 2 : 0);
}

/* Returns whether the test of a range that changes between frames runs for filter @i with format
 * @k. The result depends on the element, not on the format, so that not all formats are tested. */
static gboolean
is_changed (guint i, guint k)
{
  return is_tested (i, k) && (k + i / 2) % 2 == 0;
}

static gchar *
caps_string (const Format * format, gint height, gboolean is_full)
{
  return g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d,"
      "framerate=25/1,colorimetry=%s", format->format, WIDTH, height,
      is_full ? format->full : format->limited);
}

/* Returns: the content of a frame: one of 220 codes for sample (@x, @y) of component @c */
static gint
get_code (guint c, gint x, gint y)
{
  gint code = 25 + 3 * c + 120 * (x + y) / (WIDTH + HEIGHT)
      + 40 * ((x / 9 + y / 7) % 2)
      + (x * 7 + y * 13 + (gint) c * 5) % 11;

  return CLAMP (code, 0, 219);
}

static gboolean
is_chroma (const GstVideoInfo * info, guint c)
{
  return GST_VIDEO_INFO_IS_YUV (info) && c > 0;
}

/* Returns: the size of one 8-bit step of component @c, in its sample values */
static gint
get_unit (const GstVideoInfo * info, guint c)
{
  return 1 << (GST_VIDEO_INFO_COMP_DEPTH (info, c) - 8);
}

/* Returns the sample for @code. In limited range, chroma has 225 codes, from 16 to 240. */
static gint
get_value (const GstVideoInfo * info, guint c, gint code, gboolean is_full)
{
  gint n = is_chroma (info, c) ? 224 : 219, unit = get_unit (info, c);

  return is_full ? (code * (256 * unit - 1) * 2 + n) / (2 * n)
      : (16 + code) * unit;
}

/* Returns a frame with a region, whose outline mgpuoverlay draws. */
static GstBuffer *
picture_new (const GstVideoInfo * info, gboolean is_full)
{
  GstBuffer *buffer = frame_new (info, LAYOUT_DEFAULT, 1);
  GstVideoFrame frame;

  gst_buffer_add_video_region_of_interest_meta (buffer, "box", 11, 7, 50, 40);
  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint c = 0; c < MIN (3, GST_VIDEO_INFO_N_COMPONENTS (info)); c++) {
    RefPlane plane = ref_plane (&frame, c);

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++)
        ref_set (&plane, x, y, get_value (info, c, get_code (c, x, y),
                is_full));
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

static GstBuffer *
filter_picture (const gchar * launch, const Format * format, gint height,
    gboolean is_full, GstVideoInfo * info)
{
  g_autofree gchar *caps = caps_string (format, height, is_full);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  GstBuffer *out;

  *info = info_from_string (caps);
  out = harness_push_pull (h, picture_new (info, is_full));
  return out;
}

/* Fails unless @limited, a sample of a frame with limited range, lies in that range. Returns:
 * whether it differs from @full, the corresponding sample with full range, by more than 3 steps of
 * 8 bits */
static gboolean
compare (const gchar * launch, const Format * format, const GstVideoInfo * info,
    guint c, gint x, gint y, gint limited, gint full)
{
  gint unit = get_unit (info, c), least = 16 * unit;
  gint most = (is_chroma (info, c) ? 240 : 235) * unit;
  gdouble expanded = (limited - least) * (256.0 * unit - 1) / (most - least);
  gboolean is_far = ABS (expanded - full) > 3 * unit;

  fail_unless (limited >= least && limited <= most,
      "%s, %s: sample (%d, %d) of component %u is %d", launch, format->format,
      x, y, c, limited);
  if (is_far)
    GST_INFO
        ("%s, %s: sample (%d, %d) of component %u is %d in limited and %d in "
        "full range", launch, format->format, x, y, c, limited, full);
  return is_far;
}

GST_START_TEST (test_twins)
{
  const gchar *launch = filters[__i__].launch;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstVideoInfo infos[2];
    GstBuffer *outs[2];
    GstVideoFrame frames[2];
    guint n_far = 0, n = 0;

    if (!is_tested (__i__, i))
      continue;
    for (guint is_full = 0; is_full < 2; is_full++) {
      outs[is_full] = filter_picture (launch, &formats[i], HEIGHT, is_full,
          &infos[is_full]);
      fail_unless (gst_video_frame_map (&frames[is_full], &infos[is_full],
              outs[is_full], GST_MAP_READ));
    }
    for (guint c = 0; c < MIN (3, GST_VIDEO_INFO_N_COMPONENTS (infos)); c++) {
      RefPlane limited = ref_plane (&frames[0], c);
      RefPlane full = ref_plane (&frames[1], c);

      for (gint y = 0; y < limited.height; y++)
        for (gint x = 0; x < limited.width; x++, n++)
          n_far += compare (launch, &formats[i], infos, c, x, y,
              ref_get (&limited, x, y), ref_get (&full, x, y));
    }
    fail_unless (n_far <= filters[__i__].share * n,
        "%s, %s: %u samples of %u differ by more than 3", launch,
        formats[i].format, n_far, n);
    for (guint k = 0; k < 2; k++) {
      gst_video_frame_unmap (&frames[k]);
      gst_buffer_unref (outs[k]);
    }
  }
}

GST_END_TEST;

/* Tests caps that change the range while an element plays: the next frame is processed as by a new
 * element. */
GST_START_TEST (test_change)
{
  const gchar *launch = filters[__i__].launch;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *first = NULL;
    g_autoptr (GstHarness) h = NULL;

    if (!is_changed (__i__, i))
      continue;
    first = caps_string (&formats[i], HEIGHT, FALSE);
    h = harness_new (launch, first, first);
    for (guint turn = 0; turn < 3; turn++) {
      gboolean is_full = turn % 2;
      g_autofree gchar *caps = caps_string (&formats[i], HEIGHT, is_full);
      g_autoptr (GstBuffer) want = NULL, got = NULL;
      GstVideoInfo info;

      want = filter_picture (launch, &formats[i], HEIGHT, is_full, &info);
      gst_harness_set_sink_caps_str (h, caps);
      gst_harness_set_src_caps_str (h, caps);
      got = harness_push_pull (h, picture_new (&info, is_full));
      fail_unless_same_frame (&info, got, want);
    }
  }
}

GST_END_TEST;

static guint
count_keypoints (const Format * format, gboolean is_full)
{
  GstVideoInfo info;
  g_autoptr (GstBuffer) out =
      filter_picture ("mgpusift", format, HEIGHT, is_full, &info);
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (out);
  guint n;

  fail_unless (meta != NULL);
  n = gst_mgpu_keypoint_meta_get_n_keypoints (meta);
  return n;
}

GST_START_TEST (test_keypoints)
{
  guint limited = count_keypoints (&formats[__i__], FALSE);
  guint full = count_keypoints (&formats[__i__], TRUE);

  GST_INFO ("%s: %u and %u keypoints", formats[__i__].format, limited, full);
  fail_unless (full >= 50, "only %u keypoints", full);
  fail_unless (ABS ((gint) limited - (gint) full) <= 0.02 * full + 3,
      "%u keypoints in limited range, %u in full range", limited, full);
}

GST_END_TEST;

/* Tests that each search window with a person has nearly the same score in both ranges. Rounding
 * changes some scores, but by less than reading limited range as full range would (0.24 and
 * more). */
GST_START_TEST (test_windows)
{
  const gchar *launch =
      "mgpuhog threshold=-100 group-threshold=0 nms-overlap=1 "
      "max-detections=0 box=window";
  GPtrArray *lists[2];
  gdouble most = 0;

  for (guint is_full = 0; is_full < 2; is_full++) {
    GstVideoInfo info;
    g_autoptr (GstBuffer) out =
        filter_picture (launch, &formats[__i__], 144, is_full, &info);

    lists[is_full] = gst_mgpu_buffer_get_detections (out);
  }
  fail_unless (lists[0]->len >= 10);
  fail_unless_equals_int (lists[0]->len, lists[1]->len);
  /* Skips the first region, which was attached before the detector. */
  for (guint i = 1; i < lists[0]->len; i++) {
    const GstMgpuDetection *a = lists[0]->pdata[i];
    guint n = 0;

    for (guint k = 1; k < lists[1]->len; k++) {
      const GstMgpuDetection *b = lists[1]->pdata[k];

      if (a->x == b->x && a->y == b->y && a->width == b->width) {
        most = MAX (most, ABS (a->score - b->score));
        n++;
      }
    }
    fail_unless_equals_int (n, 1);
  }
  GST_INFO ("%s: scores are up to %g apart", formats[__i__].format, most);
  fail_unless (most < 0.15, "scores are up to %g apart", most);
  g_ptr_array_unref (lists[0]);
  g_ptr_array_unref (lists[1]);
}

GST_END_TEST;

/* Converts a frame of one range to another format, without colorimetry in the caps. */
static void
check_converted (const gchar * in, const gchar * out, const gchar * colorimetry,
    gboolean is_full, gboolean becomes_full)
{
  g_autofree gchar *from =
      g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d,"
      "framerate=25/1,colorimetry=%s", in, WIDTH, HEIGHT, colorimetry);
  g_autofree gchar *to = g_strdup_printf ("video/x-raw,format=%s", out);
  g_autoptr (GstHarness) h = harness_new ("mgpuconvert", from, to);
  GstVideoInfo in_info = info_from_string (from), out_info;
  g_autoptr (GstBuffer) buffer =
      harness_push_pull (h, picture_new (&in_info, is_full));
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);
  GstVideoFrame frame;

  fail_unless (gst_video_info_from_caps (&out_info, caps));
  fail_unless_equals_int (out_info.colorimetry.range ==
      GST_VIDEO_COLOR_RANGE_0_255, becomes_full);
  fail_unless (gst_video_frame_map (&frame, &out_info, buffer, GST_MAP_READ));
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      fail_unless_equals_int (comp_data (&frame, 0)[y
              * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0) + x],
          get_value (&out_info, 0, get_code (0, x, y), becomes_full));
  gst_video_frame_unmap (&frame);
}

/* Tests that gray converted from YUV keeps its range, and that YUV converted from gray has the
 * default range. */
GST_START_TEST (test_convert)
{
  check_converted ("I420", "GRAY8", "2:4:5:1", FALSE, FALSE);
  check_converted ("I420", "GRAY8", "1:4:5:1", TRUE, TRUE);
  check_converted ("GRAY8", "I420", "2:4:5:1", FALSE, FALSE);
  check_converted ("GRAY8", "I420", "1:4:5:1", TRUE, FALSE);
  check_converted ("I420", "GRAY8,colorimetry=1:4:5:1", "2:4:5:1", FALSE, TRUE);
}

GST_END_TEST;

/* Tests that the table filters or the table others names each element of the plugin. */
GST_START_TEST (test_elements)
{
  gchar **names = elements_list (NULL);

  for (guint i = 0; names[i] != NULL; i++) {
    gboolean is_known = FALSE;

    for (guint j = 0; j < G_N_ELEMENTS (others); j++)
      is_known |= g_str_equal (names[i], others[j]);
    for (guint j = 0; j < G_N_ELEMENTS (filters); j++)
      is_known |= strstr (filters[j].launch, names[i]) != NULL;
    fail_unless (is_known, "%s is not tested with twins", names[i]);
  }
  g_strfreev (names);
}

GST_END_TEST;

CHECK_TESTS (mgpurange)
{
  tcase_add_loop_test (tc, test_twins, 0, G_N_ELEMENTS (filters));
  tcase_add_loop_test (tc, test_change, 0, G_N_ELEMENTS (filters));
  tcase_add_loop_test (tc, test_windows, 0, G_N_ELEMENTS (formats));
  tcase_add_loop_test (tc, test_keypoints, 0, G_N_ELEMENTS (formats));
  tcase_add_test (tc, test_convert);
  tcase_add_test (tc, test_elements);
}
