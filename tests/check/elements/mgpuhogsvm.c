/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuhog with SVMs from files of OpenCV's HOGDescriptor. */
#include "../file.h"
#include "reference.h"
#include "hog.h"

#include <gst/models/svm-load.h>
#include <string.h>

#include "../dpmmodel.h"
#include "../../reference/people.h"

static void
setup (void)
{
  file_begin ("some one.yml");
}

/* Returns: weight number @n of the built-in people detector, in OpenCV's order */
static gfloat
get_weight (gint n)
{
  gint i = n % 36, y = n / 36 % 15, x = n / 36 / 15;

  return mgpu_people_default.weights[n == 7 * 15 * 36 ? n : (y * 36 + i) * 7
      + x];
}

/* Returns: the file that OpenCV writes for its people detector, as XML or YAML. The file has 4
 * numbers per row. */
static gchar *
make_svm (gboolean is_xml)
{
  static const gchar *const fields[][2] = {
    {"winSize", "64 128"}, {"blockSize", "16 16"}, {"blockStride", "8 8"},
    {"cellSize", "8 8"}, {"nbins", "9"}, {"derivAperture", "1"},
    {"winSigma", "4."}, {"histogramNormType", "0"},
    {"L2HysThreshold", "2.0000000000000001e-01"}, {"gammaCorrection", "1"},
    {"nlevels", "64"}, {"signedGradient", "0"}
  };
  GString *text = g_string_new (is_xml ? "<?xml version=\"1.0\"?>\n"
      "<opencv_storage>\n<a type_id=\"opencv-object-detector-hog\">\n"
      : "%YAML:1.0\n---\na: !!opencv-object-detector-hog\n");
  gint n = MGPU_PEOPLE_N_WEIGHTS (7, 15);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    gchar **two = g_strsplit (fields[i][1], " ", 2);

    if (is_xml)
      g_string_append_printf (text, "  <%s>\n    %s</%s>\n", fields[i][0],
          fields[i][1], fields[i][0]);
    else if (two[1] != NULL)
      g_string_append_printf (text, "   %s: [ %s, %s ]\n", fields[i][0],
          two[0], two[1]);
    else
      g_string_append_printf (text, "   %s: %s\n", fields[i][0], two[0]);
    g_strfreev (two);
  }
  g_string_append (text, is_xml ? "  <SVMDetector>\n    " : "   SVMDetector: [ ");
  for (gint i = 0; i < n; i++) {
    gchar number[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append (text, g_ascii_formatd (number, sizeof (number), "%.8e",
            get_weight (i)));
    if (i < n - 1)
      g_string_append (text, is_xml ? i % 4 == 3 ? "\n    " : " "
          : i % 4 == 3 ? ",\n       " : ", ");
  }
  g_string_append (text, is_xml ? "</SVMDetector></a>\n</opencv_storage>\n"
      : " ]\n");
  return g_string_free (text, FALSE);
}


static gdouble
get_number (GstVideoRegionOfInterestMeta * roi, const gchar * field)
{
  gdouble number;

  fail_unless (gst_structure_get_double
      (gst_video_region_of_interest_meta_get_param (roi, "detection"), field,
          &number));
  return number;
}

/* Searches a frame with an mgpuhog that has these properties. */
static GstBuffer *
search (const gchar * properties, gint width, gint height)
{
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_BGRx, width, height, FALSE);
  g_autofree gchar *text = g_strdup_printf ("mgpuhog name=f %s", properties);
  g_autoptr (GstHarness) h = gst_harness_new_parse (text);
  GstVideoInfo info;
  GstBuffer *out;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_caps (h, caps, gst_caps_ref (caps));
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 5));
  return out;
}

static gchar *
with_model (const gchar * paths, const gchar * properties)
{
  return g_strdup_printf ("model=\"%s\" %s", paths, properties);
}

/* Fails unless the detections in @a and @b have the same positions and scores, and the class of
 * those in @b is the name of the model file. */
static void
fail_unless_same (GstBuffer * a, GstBuffer * b)
{
  gpointer states[2] = { NULL, };
  GstMeta *meta;

  fail_unless (count_rois (a) > 5);
  fail_unless_equals_int (count_rois (a), count_rois (b));
  while ((meta = gst_buffer_iterate_meta_filtered (a, &states[0],
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *p = (GstVideoRegionOfInterestMeta *) meta;
    GstVideoRegionOfInterestMeta *q = (GstVideoRegionOfInterestMeta *)
        gst_buffer_iterate_meta_filtered (b, &states[1],
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);

    fail_unless (p->x == q->x && p->y == q->y && p->w == q->w && p->h == q->h);
    fail_unless (get_number (p, "score") == get_number (q, "score"));
    /* 0 is the default threshold of SVMs. */
    fail_unless (fabs (get_number (q, "confidence")
            - 1 / (1 + exp (-get_number (q, "score")))) < 1e-9);
    fail_unless_equals_string (g_quark_to_string (q->roi_type), "some-one");
  }
}

/* Tests that OpenCV's people detector from a file finds the same people as detector=people. The
 * file may contain the object's box within the search window; otherwise the box is the whole
 * window. */
GST_START_TEST (test_people)
{
  for (guint i = 0; i < 3; i++) {
    g_autofree gchar *text = make_svm (i == 0);
    g_autofree gchar *properties =
        with_model (path, i == 1 ? EVERYTHING " box=window" : EVERYTHING);
    g_autoptr (GstBuffer) own = NULL, other = NULL;

    if (i == 2)
      text = change_model (text, "   nbins", "   objectSize: [ 38.4, 102.4 ]\n"
          "   nbins");
    replace_file (path, text, -1);
    own = search (i == 2 ? EVERYTHING : EVERYTHING " box=window", 80, 150);
    other = search (properties, 80, 150);
    fail_unless_same (own, other);
  }
}

GST_END_TEST;

/* Tests SVMs for samples without square roots, for a smaller search window and for fewer pyramid
 * levels. */
GST_START_TEST (test_window)
{
  GString *text = g_string_new ("%YAML:1.0\n---\nx: !!opencv-object-detector-hog\n"
      "   winSize: [ 24, 32 ]\n   blockSize: [ 16, 16 ]\n"
      "   blockStride: [ 8, 8 ]\n   cellSize: [ 8, 8 ]\n   nbins: 9\n"
      "   derivAperture: 1\n   winSigma: 4.\n   histogramNormType: 0\n"
      "   L2HysThreshold: 0.2\n   gammaCorrection: 0\n   nlevels: 3\n"
      "   SVMDetector: [ 0.25");
  gfloat weights[MGPU_PEOPLE_N_WEIGHTS (2, 3)];
  const RefPeopleWindow window = { 2, 3, FALSE, 3, weights };
  g_autoptr (GstCaps) caps = caps_new (GST_VIDEO_FORMAT_BGRx, 50, 44, FALSE);
  g_autofree gchar *properties = with_model (path, EVERYTHING " box=window");
  g_autoptr (GstBuffer) from = NULL, out = NULL;
  GstVideoFrame frame;
  GstVideoInfo info;
  RefPlane rgb[3];
  RefPeople people;
  guint n = 0;

  /* The first weight in the file, 0.25, belongs to the first feature in both orders of features. */
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    weights[i] = i == 0 ? 0.25 : 0.5;
  for (guint i = 1; i < G_N_ELEMENTS (weights); i++)
    g_string_append (text, ",\n      0.5");
  g_string_append (text, " ]\n");
  replace_file (path, text->str, -1);
  g_string_free (text, TRUE);

  fail_unless (gst_video_info_from_caps (&info, caps));
  from = frame_new (&info, LAYOUT_DEFAULT, 5);
  fail_unless (gst_video_frame_map (&frame, &info, from, GST_MAP_READ));
  for (guint i = 0; i < 3; i++)
    rgb[i] = ref_plane (&frame, i);
  fail_unless (ref_people (rgb, &window, &people));
  fail_unless_equals_int (people.n_levels, 3);
  out = search (properties, 50, 44);
  for (gint i = 0; i < people.n_levels; i++) {
    const RefPeopleLevel *l = people.levels + i;

    for (gint w = 0; w < l->columns * l->rows; w++) {
      gpointer state = NULL;
      gboolean found = FALSE;
      GstMeta *meta;

      while ((meta = gst_buffer_iterate_meta_filtered (out, &state,
                  GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
        GstVideoRegionOfInterestMeta *r = (GstVideoRegionOfInterestMeta *) meta;

        found |= get_number (r, "score") == l->scores[w]
            && r->x == (guint) rint (w % l->columns * 8 * l->scale)
            && r->h <= (guint) rint (32 * l->scale);
      }
      fail_unless (found);
      n++;
    }
  }
  fail_unless (n > 10);
  fail_unless_equals_int (count_rois (out), n);
  ref_people_clear (&people);
  gst_video_frame_unmap (&frame);
}

GST_END_TEST;

/* Tests an SVM together with a part model: each detection has the number of its model file. */
GST_START_TEST (test_both)
{
  gchar *other = g_build_filename (folder, "parts.xml", NULL), *both;
  g_autofree gchar *model = make_model (), *text = make_svm (TRUE);
  gchar *properties;
  guint n[2] = { 0, };
  gpointer state = NULL;
  GstBuffer *out;
  GstMeta *meta;

  replace_file (path, text, -1);
  fail_unless (g_file_set_contents (other, model, -1, NULL));
  for (guint i = 0; i < 2; i++) {
    both = g_strdup_printf ("%s:%s", i == 0 ? path : other,
        i == 0 ? other : path);
    properties = with_model (both, EVERYTHING);
    out = search (properties, 70, 130);
    while ((meta = gst_buffer_iterate_meta_filtered (out, &state,
                GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
      GstVideoRegionOfInterestMeta *r = (GstVideoRegionOfInterestMeta *) meta;
      gint label, svm = g_str_equal (g_quark_to_string (r->roi_type),
          "some-one");

      fail_unless (gst_structure_get_int
          (gst_video_region_of_interest_meta_get_param (r, "detection"),
              "label-id", &label));
      fail_unless_equals_int (label, svm ? i : 1 - i);
      n[svm]++;
    }
    gst_buffer_unref (out);
    g_free (properties);
    g_free (both);
  }
  fail_unless (n[0] > 10 && n[1] > 0);
  g_remove (other);
  g_free (other);
}

GST_END_TEST;

static void
expect_error (const gchar * text, gssize length, const gchar * words)
{
  g_autoptr (GError) error = NULL;
  MgpuSvm *svm;

  replace_file (path, text, length);
  svm = mgpu_svm_load (path, &error);
  fail_unless (svm == NULL);
  fail_unless (error != NULL, "no error with %s", words);
  fail_unless (strstr (error->message, "some one.yml: ") != NULL
      && strstr (error->message, words) != NULL, "%s", error->message);
}

/* Tests that the error message names each invalid field. */
GST_START_TEST (test_errors)
{
  static const gchar *const changes[][3] = {
    {"winSize: [ 64, 128 ]", "winSize: [ 60, 128 ]", "winSize is 60"},
    {"winSize: [ 64, 128 ]", "winSize: [ 8, 128 ]", "winSize is 8"},
    {"winSize: [ 64, 128 ]", "winSize: [ 64, 1e5 ]", "winSize is 100000"},
    {"winSize: [ 64, 128 ]", "winSize: [ 64 ]", "winSize has fewer"},
    {"winSize: [ 64, 128 ]", "winSize: [ 64, .Nan ]", "winSize: \".Nan\""},
    {"winSize: [ 64, 128 ]", "winSize: [ 64, nan ]", "winSize: number 2"},
    {"winSize: [ 64, 128 ]", "winSize: [ 72, 128 ]", "SVMDetector has fewer"},
    {"winSize: [ 64, 128 ]", "winSize: [ 64, 64 ]", "SVMDetector has more"},
    {"   winSize", "   size", "winSize is missing"},
    {"blockSize: [ 16, 16 ]", "blockSize: [ 16, 24 ]", "blockSize is 24"},
    {"blockStride: [ 8", "blockStride: [ 16", "blockStride is 16"},
    {"cellSize: [ 8", "cellSize: [ 4", "cellSize is 4"},
    {"nbins: 9", "nbins: 18", "nbins is 18"},
    {"derivAperture: 1", "derivAperture: x", "derivAperture: \"x\""},
    {"winSigma: 4.", "winSigma: 2.", "winSigma is 2"},
    {"histogramNormType: 0", "histogramNormType: 1", "histogramNormType is 1"},
    {"2.0000000000000001e-01", "0.3", "L2HysThreshold is 0.3"},
    {"signedGradient: 0", "signedGradient: 1", "signedGradient is 1"},
    {"gammaCorrection: 1", "gammaCorrection: 2", "gammaCorrection is 2"},
    {"nlevels: 64", "nlevels: 0", "nlevels is 0"},
    {"nlevels: 64", "levels: 64", "nlevels is missing"},
    {"nbins: 9", "nbins: 9\n   objectSize: [ 70, 5 ]", "objectSize is 70"},
    {"nbins: 9", "nbins: 9\n   objectSize: [ 7, 0 ]", "objectSize is 0"},
    {"SVMDetector: [ ", "SVMDetector: [ nan, ", "SVMDetector has more"},
    {"e-02,", "e+20,", "SVMDetector: number"},
    {"e-02,", ".,", "SVMDetector: \""},
    {"SVMDetector", "Detector", "SVMDetector is missing"},
    {" ]\n", " ]\n", NULL}
  };
  g_autofree gchar *yaml = make_svm (FALSE), *xml = make_svm (TRUE);
  gchar *nan = g_strndup (yaml, strstr (yaml, "SVMDetector: [ ") + 15 - yaml);
  gchar *rest = strchr (strstr (yaml, "SVMDetector: [ "), ',');
  gchar *text = g_strconcat (nan, "nan", rest, NULL);

  expect_error (text, -1, "SVMDetector: number 1");
  g_free (text);
  g_free (nan);
  for (guint i = 0; changes[i][2] != NULL; i++) {
    text = change_model (make_svm (FALSE), changes[i][0], changes[i][1]);
    expect_error (text, -1, changes[i][2]);
    g_free (text);
  }
  /* Files that end early */
  expect_error (yaml, strlen (yaml) - 20, "SVMDetector: the list has no end");
  expect_error (yaml, strstr (yaml, "nbins") - yaml, "nbins is missing");
  expect_error (yaml, strstr (yaml, "blockSize") - yaml - 9, "winSize");
  expect_error (xml, strlen (xml) - 20, "not a HOGDescriptor in XML");
  expect_error (xml, strstr (xml, "nbins") - xml,
      "not a HOGDescriptor in XML");
}

GST_END_TEST;

/* Tests that a truncated file is never accepted as an SVM, and causes no crash. */
GST_START_TEST (test_cuts)
{
  for (guint i = 0; i < 2; i++) {
    g_autofree gchar *text = make_svm (i == 0);
    gsize n = strlen (text);

    for (gsize k = 1; k < n - 40; k += k < 600 ? 7 : 1001) {
      g_autoptr (GError) error = NULL;

      replace_file (path, text, k);
      fail_unless (mgpu_svm_load (path, &error) == NULL);
    }
  }
}

GST_END_TEST;

/* Tests that a list of many lines is parsed in linear time. Parsing in quadratic time would exceed
 * the test's time limit. */
GST_START_TEST (test_many_lines)
{
  g_autofree gchar *spaces = g_strnfill (30 << 20, ' '), *lines =
      g_strnfill (400000, '\n');
  g_autofree gchar *long_list =
      g_strconcat ("SVMDetector: [ ", spaces, lines, NULL);
  g_autofree gchar *text =
      change_model (make_svm (FALSE), "SVMDetector: [ ", long_list);
  GError *error = NULL;
  MgpuSvm *svm;

  replace_file (path, text, -1);
  svm = mgpu_svm_load (path, &error);
  fail_unless (svm != NULL, "%s", error ? error->message : "");
  mgpu_svm_free (svm);
}

GST_END_TEST;

/* Tests that the element does not start with a broken SVM, and that its error message names the
 * invalid field. */
GST_START_TEST (test_element)
{
  g_autofree gchar *text =
      change_model (make_svm (FALSE), "nbins: 9", "nbins: 8");
  g_autoptr (GstElement) filter = gst_element_factory_make ("mgpuhog", "f");

  replace_file (path, text, -1);
  g_object_set (filter, "model", path, NULL);
  check_no_start (filter, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
      "nbins is 8, but only 9", "set \"model\"");
}

GST_END_TEST;

CHECK_TESTS (mgpuhogsvm)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_people);
  tcase_add_test (tc, test_window);
  tcase_add_test (tc, test_both);
  tcase_add_test (tc, test_errors);
  tcase_add_test (tc, test_cuts);
  tcase_add_test (tc, test_many_lines);
  tcase_add_test (tc, test_element);
}
