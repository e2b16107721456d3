/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests color mapping in mgpuconvert: tone mapping, and lookup tables (LUTs) in files. */
#include "convert.h"

#include "../../reference/grade.h"
#include "../file.h"

/* Lookup tables with 2 entries: the negative, and a cube that exchanges red and blue */
#define NEGATIVE "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n"
#define EXCHANGE "LUT_3D_SIZE 2\n0 0 0\n0 0 1\n0 1 0\n0 1 1\n" \
    "1 0 0\n1 0 1\n1 1 0\n1 1 1\n"

static const gfloat negative[] = { 1, 1, 1, 0, 0, 0 };

static const gfloat exchange[] = {
  0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1
};

static const RefGrade negative_grade = {
  .size = 2,.max = {1, 1, 1},.values = negative
};

static const RefGrade exchange_grade = {
  .size = 2,.is_cube = 1,.max = {1, 1, 1},.values = exchange
};

static const RefGrade pq_grade = {
  .tone = REF_TONE_PQ,.peak = 1000,.changes_primaries = 1
};

static void
setup (void)
{
  file_begin ("look.cube");
}

/* Fails unless @to equals the result of the references for @from: conversion to RGB, color mapping,
 * and conversion to the output format. */
static void
check_graded (const GstVideoInfo * in, GstBuffer * from,
    const GstVideoInfo * out, GstBuffer * to, const RefConvert * params,
    const RefGrade * grade)
{
  RefConvert decode = *params, encode = {.method = params->method };
  g_autoptr (GstBuffer) rgb_buffer = NULL, expected = NULL;
  TestFrame source, rgb, result;
  GstVideoInfo rgb_info;

  gst_video_info_set_format (&rgb_info, GST_VIDEO_INFO_HAS_ALPHA (in)
      ? GST_VIDEO_FORMAT_RGBA : GST_VIDEO_FORMAT_GBR_12LE, out->width,
      out->height);
  rgb_buffer = frame_new (&rgb_info, LAYOUT_DEFAULT, 1);
  expected = frame_new (out, LAYOUT_DEFAULT, 1);
  open_frame (&source, in, from, GST_MAP_READ);
  open_frame (&rgb, &rgb_info, rgb_buffer, GST_MAP_READWRITE);
  open_frame (&result, out, expected, GST_MAP_WRITE);
  decode.source = (RefRectangle) {
  0, 0, in->width, in->height};
  if (decode.destination.width == 0)
    decode.destination = (RefRectangle) {
    0, 0, out->width, out->height};
  encode.source = encode.destination = decode.destination;
  ref_convert (&source.frame, &rgb.frame, &decode);
  fail_unless (ref_grade (rgb.frame.plane, rgb.frame.plane, grade));
  if (!GST_VIDEO_INFO_HAS_ALPHA (out))
    rgb.frame.n_components = 3;
  ref_convert (&rgb.frame, &result.frame, &encode);
  close_frame (&result);
  close_frame (&rgb);
  close_frame (&source);
  fail_unless_same_frame (out, to, expected);
}

/* Pushes a frame of caps @in through @launch, with output caps @out, and compares it with the
 * reference. */
static void
check_caps (const gchar * launch, const gchar * in, const gchar * out,
    const RefConvert * params, const RefGrade * grade, Layout layout)
{
  g_autoptr (GstHarness) h = harness_open (launch);
  GstVideoInfo from_info = info_from_string (in), to_info;
  g_autoptr (GstBuffer) from = frame_new (&from_info, layout, 3), to = NULL;

  GST_INFO ("%s to %s", in, out);
  gst_harness_set_sink_caps_str (h, out);
  gst_harness_set_src_caps_str (h, in);
  to = harness_push_pull (h, gst_buffer_ref (from));
  to_info = harness_out_info (h);
  check_graded (&from_info, from, &to_info, to, params, grade);
}

GST_START_TEST (test_tone_formats)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  static const gchar *const inputs[] = {
    "P010_10LE", "I420_10LE", "Y444", "v210", "P016_LE", "RGBA", "AYUV", "NV12",
    "A420"
  };
  static const gchar *const outputs[] = {
    "NV12,colorimetry=bt709", "RGBA,colorimetry=sRGB",
    "I420_10LE,colorimetry=bt709", "v210,colorimetry=bt709"
  };
  static const gchar *const transfers[] = { "bt2100-pq", "bt2100-hlg" };

  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++) {
    const gchar *output = outputs[i % G_N_ELEMENTS (outputs)];
    RefGrade grade = pq_grade;
    gboolean is_rgb = g_str_equal (inputs[i], "RGBA");

    grade.tone = i & 2 ? REF_TONE_HLG : REF_TONE_PQ;
    grade.is_srgb = strstr (output, "sRGB") != NULL;
    for (guint k = 0; k < 2; k++) {
      g_autofree gchar *in = g_strdup_printf ("video/x-raw,format=%s,width=%u,"
          "height=%u,framerate=25/1,colorimetry=%s", inputs[i], k ? 1 : 19,
          k ? 1 : 7, is_rgb ? i & 2 ? "1:1:15:7" : "1:1:14:7"
          : transfers[i / 2 % 2]);
      g_autofree gchar *out = g_strdup_printf ("video/x-raw,format=%s",
          output);

      check_caps ("mgpuconvert", in, out, &same, &grade,
          k ? LAYOUT_DEFAULT : LAYOUT_PADDED);
    }
  }
}

GST_END_TEST;

#define PQ "video/x-raw,format=P010_10LE,width=40,height=20,framerate=25/1," \
    "colorimetry=bt2100-pq"

/* Checks that frames are scaled before their colors are mapped, and that borders are black. */
GST_START_TEST (test_tone_borders)
{
  static const RefConvert boxed = {
    .method = REF_CONVERT_BILINEAR,.destination = {0, 10, 40, 20}
  };
  static const RefConvert turned = {.method = REF_CONVERT_BILINEAR,.flip_x = 1
  };

  check_caps ("mgpuconvert", PQ PAR,
      "video/x-raw,format=I420,width=40,height=40,colorimetry=bt709" PAR,
      &boxed, &pq_grade, LAYOUT_DEFAULT);
  check_caps ("mgpuconvert video-direction=horiz", PQ,
      "video/x-raw,format=RGB,colorimetry=1:1:5:1", &turned, &pq_grade,
      LAYOUT_DEFAULT);
  replace_file (path, NEGATIVE, -1);
  {
    g_autofree gchar *launch = g_strdup_printf ("mgpuconvert lut-location=%s",
        path);

    check_caps (launch, "video/x-raw,format=RGB,width=40,height=20,"
        "framerate=25/1" PAR, "video/x-raw,format=RGB,width=40,height=40" PAR,
        &boxed, &negative_grade, LAYOUT_DEFAULT);
  }
}

GST_END_TEST;

#define DISPLAY ",mastering-display-info=(string)" \
    "\"35400:14600:8500:39850:6550:2300:15635:16450:40000000:50\""

/* Tests that the peak luminance in the caps is read from the content light level, otherwise from
 * the mastering display. */
GST_START_TEST (test_peak)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  static const struct
  {
    const gchar *in;
    gdouble peak;
  } cases[] = {
    {PQ ",content-light-level=(string)2500:400" DISPLAY, 2500},
    {PQ ",content-light-level=(string)0:0" DISPLAY, 4000},
    {PQ DISPLAY, 4000},
    {PQ ",content-light-level=(string)100:50", 100}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RefGrade grade = pq_grade;

    grade.peak = cases[i].peak;
    check_caps ("mgpuconvert", cases[i].in,
        "video/x-raw,format=NV12,colorimetry=bt709", &same, &grade,
        LAYOUT_DEFAULT);
  }
}

GST_END_TEST;

/* Tests that frames stay unchanged, or only change their format, if the output has the same
 * transfer function or tone mapping is off. Only then do the caps keep the luminances of the
 * display. */
GST_START_TEST (test_no_tone)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  static const struct
  {
    const gchar *launch, *out;
    gboolean keeps;
  } cases[] = {
    {"mgpuconvert", "video/x-raw", TRUE},
    {"mgpuconvert", "video/x-raw,format=I420_10LE", TRUE},
    {"mgpuconvert", "video/x-raw,format=RGB", TRUE},
    {"mgpuconvert", "video/x-raw,format=NV12,colorimetry=bt2100-hlg", FALSE},
    {"mgpuconvert tone-map=none", "video/x-raw,format=RGB,colorimetry=sRGB",
        FALSE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstHarness) h = harness_open (cases[i].launch);
    GstVideoInfo in = info_from_string (PQ), out;
    g_autoptr (GstBuffer) from = frame_new (&in, LAYOUT_DEFAULT, 3), to = NULL;
    g_autoptr (GstCaps) caps = NULL;

    gst_harness_set_sink_caps_str (h, cases[i].out);
    gst_harness_set_src_caps_str (h, PQ DISPLAY);
    to = harness_push_pull (h, gst_buffer_ref (from));
    out = harness_out_info (h);
    check_frame (&in, from, &out, to, &same);
    caps = gst_pad_get_current_caps (h->sinkpad);
    fail_unless_equals_int (gst_structure_has_field (gst_caps_get_structure
            (caps, 0), "mastering-display-info"), cases[i].keeps);
  }
}

GST_END_TEST;

/* --- Lookup tables --- */

GST_START_TEST (test_lut_formats)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  g_autofree gchar *launch = g_strdup_printf ("mgpuconvert lut-location=%s",
      path);

  for (guint i = 0; i < N_ALL_FORMATS; i++) {
    g_autofree gchar *in = g_strdup_printf ("video/x-raw,format=%s,width=19,"
        "height=7,framerate=25/1", gst_video_format_to_string (all_formats[i]));
    gboolean is_cube = i & 1;

    replace_file (path, is_cube ? EXCHANGE : NEGATIVE, -1);
    check_caps (launch, in, "video/x-raw", &same, is_cube ? &exchange_grade
        : &negative_grade, i & 2 ? LAYOUT_PADDED : LAYOUT_DEFAULT);
  }
}

GST_END_TEST;

/* Tests that the lookup table is applied after tone mapping. */
GST_START_TEST (test_both)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  g_autofree gchar *launch = g_strdup_printf ("mgpuconvert lut-location=%s",
      path);
  RefGrade grade = exchange_grade;

  grade.tone = REF_TONE_PQ;
  grade.peak = 1000;
  grade.changes_primaries = 1;
  replace_file (path, EXCHANGE, -1);
  check_caps (launch, PQ, "video/x-raw,format=NV12,colorimetry=bt709", &same,
      &grade, LAYOUT_DEFAULT);
}

GST_END_TEST;

/* Pushes an RGB frame, and checks that its colors are mapped by @grade, or unchanged if @grade is
 * NULL. */
static void
check_live (GstHarness * h, const RefGrade * grade)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  GstVideoInfo info = harness_out_info (h);
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 5);
  g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));

  if (grade != NULL)
    check_graded (&info, from, &info, to, &same, grade);
  else
    fail_unless_same_frame (&info, from, to);
}

GST_START_TEST (test_live)
{
  g_autofree gchar *other = g_build_filename (folder, "other.cube", NULL);
  g_autoptr (GstHarness) h = harness_open ("mgpuconvert name=f");
  GstBus *bus = harness_bus (h);

  replace_file (path, NEGATIVE, -1);
  replace_file (other, EXCHANGE, -1);
  gst_harness_set_caps_str (h, "video/x-raw,format=RGB,width=9,height=5,"
      "framerate=25/1", "video/x-raw,format=RGB,width=9,height=5,"
      "framerate=25/1");
  check_live (h, NULL);
  g_object_set (h->element, "lut-location", path, NULL);
  check_live (h, &negative_grade);
  g_object_set (h->element, "lut-location", other, NULL);
  check_live (h, &exchange_grade);
  /* Writes an invalid file: the previous table stays in use. */
  replace_file (path, "LUT_1D_SIZE 2\n0 0 0\n", -1);
  g_object_set (h->element, "lut-location", path, NULL);
  check_live (h, &exchange_grade);
  check_warning (bus, "look.cube:2: ", "1 of 2 entries");
  check_live (h, &exchange_grade);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  /* Sets the property to the same path: the file is read again. */
  replace_file (path, NEGATIVE, -1);
  g_object_set (h->element, "lut-location", path, NULL);
  check_live (h, &negative_grade);
  g_object_set (h->element, "lut-location", NULL, NULL);
  check_live (h, NULL);
}

GST_END_TEST;

/* Appends a log message of the element to the text @text, as one line. */
static void
collect (GstDebugCategory * category, GstDebugLevel level, const gchar * file,
    const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer text)
{
  if (g_str_equal (gst_debug_category_get_name (category), "mgpuconvert"))
    g_string_append_printf (text, "%s\n", gst_debug_message_get (message));
}

/* Tests that the log reports which lookup table is in use, and where the peak luminance was
 * found. */
GST_START_TEST (test_log)
{
  static const RefConvert same = {.method = REF_CONVERT_BILINEAR };
  g_autofree gchar *launch = g_strdup_printf ("mgpuconvert lut-location=%s",
      path);
  static const gchar *const expected[] = {
    "look.cube: cube of 2 entries an axis, domain from (0, 0, 0) to (1, 1, 1)\n",
    "mapping PQ to standard dynamic range; peak luminance: 1000 nits (source: "
        "assumed, because the caps contain no peak luminance)\n",
    "4000 nits (source: mastering display)\n"
  };
  g_autoptr (GString) text = g_string_new (NULL);
  RefGrade grade = exchange_grade;

  grade.tone = REF_TONE_PQ;
  grade.changes_primaries = 1;
  replace_file (path, EXCHANGE, -1);
  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name ("mgpuconvert", GST_LEVEL_INFO);
  gst_debug_add_log_function (collect, text, NULL);
  for (guint i = 0; i < 2; i++) {
    grade.peak = i == 0 ? 1000 : 4000;
    check_caps (launch, i == 0 ? PQ : PQ DISPLAY,
        "video/x-raw,format=NV12,colorimetry=bt709", &same, &grade,
        LAYOUT_DEFAULT);
  }
  gst_debug_remove_log_function (collect);
  gst_debug_unset_threshold_for_name ("mgpuconvert");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    fail_unless (strstr (text->str, expected[i]) != NULL, "%s", text->str);
}

GST_END_TEST;

GST_START_TEST (test_errors)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgpuconvert",
      "f");

  gst_object_ref_sink (element);
  g_object_set (element, "lut-location", path, NULL);
  check_no_start (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
      "look.cube cannot be read", "lut-location");
  replace_file (path, "# a look\nLUT_3D_SIZE 1\n", -1);
  check_no_start (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
      "look.cube:2: LUT_3D_SIZE is 1", "from 2 to 129");
  replace_file (path, NEGATIVE, -1);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (element, GST_STATE_NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpuconvertgrade)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_tone_formats);
  tcase_add_test (tc, test_tone_borders);
  tcase_add_test (tc, test_peak);
  tcase_add_test (tc, test_no_tone);
  tcase_add_test (tc, test_lut_formats);
  tcase_add_test (tc, test_both);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_log);
  tcase_add_test (tc, test_errors);
}
