/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests part models that mgpuhog refuses, and frames in which it finds nothing. */
#include "reference.h"
#include "hog.h"
#include "hogmodel.h"

#include "../../opencl.h"

#include <gst/models/dpm-load.h>
#include <gst/vision/dpm/dpm.h>

/* Number of bytes that the device says it allocates at once; 0 for what it does */
static cl_ulong room;

/* Stands before the function of OpenCL. */
__attribute__ ((visibility ("default")))
cl_int
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t size,
    void *value, size_t * result_size)
{
  cl_int ret = REAL (clGetDeviceInfo) (device, what, size, value, result_size);

  if (ret == CL_SUCCESS && room > 0 && value != NULL
      && what == CL_DEVICE_MAX_MEM_ALLOC_SIZE)
    *(cl_ulong *) value = room;
  return ret;
}

/* The element does not start, and its error has all words. */
static void
expect_error (const gchar * models, const gchar * word1, const gchar * word2)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=1 ! "
      "mgpuhog name=f detector=model ! fakesink", NULL);
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  GstBus *bus = gst_element_get_bus (pipeline);

  g_object_set (filter, "model", models, NULL);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PAUSED)
      == GST_STATE_CHANGE_FAILURE);
  check_error (bus, word1, word2);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (filter);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_errors)
{
  gchar *missing = g_strdup_printf ("%s:/nowhere/car.xml", path);
  GString *many = g_string_new (path);

  for (guint i = 0; i < 32; i++)
    g_string_append_printf (many, ":%s", path);
  expect_error (NULL, "there are 0", "set \"model\" to a file");
  expect_error ("::", "there are 0", "set \"model\" to a file");
  expect_error (many->str, "there are 33", "set \"model\" to a file");
  expect_error (missing, "/nowhere/car.xml", "part models");
  break_model ("<SBin>8", "<SBin>7");
  expect_error (path, "two words.xml: SBin is 7", "part models");
  g_free (missing);
  g_string_free (many, TRUE);
}

GST_END_TEST;

static gint
get_detector (GstElement * element)
{
  gint detector;

  g_object_get (element, "detector", &detector, NULL);
  return detector;
}

/* Files choose the detector unless it is set, and have to be models in any case. */
GST_START_TEST (test_model_alone)
{
  enum
  { NONE, PEOPLE, MODEL };
  GstHarness *h = gst_harness_new ("mgpuhog");
  GstBus *bus = gst_bus_new ();
  GstBuffer *out;
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 50, 60));
  GstMessage *message;
  GError *error = NULL;

  fail_unless_equals_int (get_detector (h->element), PEOPLE);
  g_object_set (h->element, "model", path, NULL);
  fail_unless_equals_int (get_detector (h->element), MODEL);
  g_object_set (h->element, "model", "", NULL);
  fail_unless_equals_int (get_detector (h->element), PEOPLE);
  g_object_set (h->element, "model", path, "threshold", -100.0, NULL);
  gst_harness_set_caps_str (h, HOST_CAPS ("GRAY8", 50, 60),
      HOST_CAPS ("GRAY8", 50, 60));
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  fail_unless (count_rois (out) > 0);
  gst_buffer_unref (out);

  gst_element_set_bus (h->element, bus);
  for (gint detector = MODEL; detector >= NONE; detector--) {
    fail_unless_equals_int (gst_element_set_state (h->element, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    if (detector < MODEL)
      g_object_set (h->element, "detector", detector, NULL);
    g_object_set (h->element, "model", "/none.xml", NULL);
    fail_unless_equals_int (get_detector (h->element), detector);
    fail_unless_equals_int (gst_element_set_state (h->element,
            GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
    fail_unless (message != NULL);
    gst_message_parse_error (message, &error, NULL);
    fail_unless (strstr (error->message, "/none.xml") != NULL
        && strstr (error->message, "set \"model\"") != NULL, "%s",
        error->message);
    g_clear_error (&error);
    gst_message_unref (message);
    g_object_set (h->element, "model", NULL, NULL);
    fail_unless_equals_int (gst_element_set_state (h->element,
            GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  }
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* The frame's features can be counted, the scores of so many models not. */
GST_START_TEST (test_too_many_cells)
{
  GstHarness *h = gst_harness_new ("mgpuhog");
  GstBus *bus = gst_bus_new ();
  GString *many = g_string_new (path);
  GstMessage *message;
  GError *error = NULL;

  for (guint i = 1; i < 32; i++)
    g_string_append_printf (many, ":%s", path);
  gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
  g_object_set (h->element, "model", many->str, NULL);
  gst_element_set_bus (h->element, bus);
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 9000, 9000));
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_NO_SPACE_LEFT));
  fail_unless (strstr (error->message, "the pyramids of all models may have "
          "537 million cells") != NULL
      && strstr (error->message, "scale frames down") != NULL, "%s",
      error->message);
  g_error_free (error);
  gst_message_unref (message);
  g_string_free (many, TRUE);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A file may ask for smaller cells than there are. */
GST_START_TEST (test_no_such_features)
{
  GError *error = NULL;
  MgpuDpmModel *model = mgpu_dpm_model_load (path, &error);
  GstMgpuContext *context = gst_mgpu_context_new (NULL, NULL);
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 64, 64));
  const MgpuDpmModel *models[] = { model };
  MgpuFhogParams params;

  fail_unless (model != NULL && context != NULL);
  model->cell_size = 4;
  model->extra_octave = TRUE;
  params = mgpu_dpm_choose_params (models, 1);
  fail_unless (mgpu_fhog_new (context, &info, &params, &error) == NULL);
  fail_unless (strstr (error->message, "cells of 4 pixels")
      != NULL && strstr (error->message, "without an extra octave") != NULL,
      "%s", error->message);
  g_error_free (error);
  mgpu_dpm_model_free (model);
  gst_object_unref (context);
}

GST_END_TEST;

/* Models of cells of different sizes have no common pyramid. */
GST_START_TEST (test_cell_sizes)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 50, 60);
  gchar *other = g_build_filename (folder, "other.xml", NULL), *both, *text;
  GstHarness *h = gst_harness_new ("mgpuhog");
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error = NULL;

  text = change_model (make_model (), "<SBin>8", "<SBin>4");
  fail_unless (g_file_set_contents (other, text, -1, NULL));
  both = g_strdup_printf ("%s:%s", path, other);
  gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
  g_object_set (h->element, "model", both, NULL);
  gst_element_set_bus (h->element, bus);
  gst_harness_set_caps_str (h, caps, caps);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "\"other\" has cells of 4") != NULL,
      "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
  g_remove (other);
  g_free (other);
  g_free (both);
  g_free (text);
}

GST_END_TEST;

static gchar *
make_filter (gint rows, gint columns, gdouble weight)
{
  GString *text = g_string_new (NULL);

  add_filter (text, rows, 32 * columns, weight);
  return g_string_free (text, FALSE);
}

/* Each filter of a group takes the space of the highest times the widest filter of the group. */
GST_START_TEST (test_uneven_filters)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 50, 60);
  gchar *text = make_model ();
  const gint sizes[][4] = { {1, 2, 1, MGPU_DPM_MAX_SIDE},
  {2, 1, MGPU_DPM_MAX_SIDE, 1}
  };
  const gsize bytes = MGPU_DPM_MAX_SIDE * MGPU_DPM_MAX_SIDE * 32 * 16 * 4;
  GstBus *bus = gst_bus_new ();
  GstHarness *h;
  GstMessage *message;
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gdouble weight = i == 0 ? 0.02 : 0.03;
    gchar *from = make_filter (sizes[i][0], sizes[i][1], weight);
    gchar *to = make_filter (sizes[i][2], sizes[i][3], weight);

    text = change_model (text, from, to);
    g_free (from);
    g_free (to);
  }
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  room = bytes;
  h = gst_harness_new ("mgpuhog");
  gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
  g_object_set (h->element, "model", path, NULL);
  gst_element_set_bus (h->element, bus);
  gst_harness_set_caps_str (h, caps, caps);
  room = 0;
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_NO_SPACE_LEFT));
  fail_unless (strstr (error->message, "the filters of the models take") != NULL
      && strstr (error->message, "look for fewer models") != NULL, "%s",
      error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
  g_free (text);
}

GST_END_TEST;

/* Frames without place for the model pass with a warning. */
GST_START_TEST (test_small)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 9, 9);
  GstHarness *h = model_harness_new (TRUE, HOST_CAPS ("GRAY8", 90, 60));
  GstVideoInfo info = info_from_string (caps);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GstBuffer *out;

  gst_element_set_bus (h->element, bus);
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps_str (h, caps);
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
  fail_unless_equals_int (count_rois (out), 0);
  gst_buffer_unref (out);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
mgpuhogmodelerrors_suite (void)
{
  Suite *s = suite_create ("mgpuhogmodelerrors");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_errors);
  tcase_add_test (tc, test_model_alone);
  tcase_add_test (tc, test_too_many_cells);
  tcase_add_test (tc, test_no_such_features);
  tcase_add_test (tc, test_cell_sizes);
  tcase_add_test (tc, test_small);
  tcase_add_test (tc, test_uneven_filters);
  return s;
}

GST_CHECK_MAIN (mgpuhogmodelerrors);
