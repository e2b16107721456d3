/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests part models that mgpuhog refuses, and frames that are too small for a model. */
#include "reference.h"
#include "hog.h"
#include "hogmodel.h"

#include "../../opencl.h"

#include <gst/models/dpm-load.h>
#include <gst/vision/dpm/dpm.h>

/* Number of bytes that the device reports as its largest allocation; 0: the true value */
static cl_ulong room;

/* Replaces the OpenCL function clGetDeviceInfo(), and calls it. */
__attribute__((visibility ("default")))
    cl_int
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t size,
    void *value, size_t *result_size)
{
  cl_int ret = REAL (clGetDeviceInfo) (device, what, size, value, result_size);

  if (ret == CL_SUCCESS && room > 0 && value != NULL
      && what == CL_DEVICE_MAX_MEM_ALLOC_SIZE)
    *(cl_ulong *) value = room;
  return ret;
}

/* Checks that the element does not start, and that its error message contains all @words. */
static void
expect_error (const gchar * models, gint code, const gchar * word1,
    const gchar * word2)
{
  g_autoptr (GstElement) filter = gst_element_factory_make ("mgpuhog", "f");

  gst_util_set_object_arg (G_OBJECT (filter), "detector", "model");
  g_object_set (filter, "model", models, NULL);
  check_no_start (filter, GST_RESOURCE_ERROR, code, word1, word2);
}

GST_START_TEST (test_errors)
{
  g_autofree gchar *missing = g_strdup_printf ("%s:/nowhere/car.xml", path);
  g_autoptr (GString) many = g_string_new (path);

  for (guint i = 0; i < 32; i++)
    g_string_append_printf (many, ":%s", path);
  expect_error (NULL, GST_RESOURCE_ERROR_SETTINGS, "there are 0",
      "set \"model\" to one file");
  expect_error ("::", GST_RESOURCE_ERROR_SETTINGS, "there are 0",
      "set \"model\" to one file");
  expect_error (many->str, GST_RESOURCE_ERROR_SETTINGS, "there are 33",
      "set \"model\" to one file");
  expect_error (missing, GST_RESOURCE_ERROR_READ, "/nowhere/car.xml",
      "part models");
  break_model ("<SBin>8", "<SBin>7");
  expect_error (path, GST_RESOURCE_ERROR_READ, "two words.xml: SBin is 7",
      "part models");
}

GST_END_TEST;

static gint
get_detector (GstElement * element)
{
  gint detector;

  g_object_get (element, "detector", &detector, NULL);
  return detector;
}

/* Tests that the detector becomes "model" if model files are set and "detector" is not, and that
 * the files are checked in any case. */
GST_START_TEST (test_model_alone)
{
  enum
  { NONE, PEOPLE, MODEL };
  g_autoptr (GstHarness) h = harness_open_on (NULL, "mgpuhog name=f");
  GstBuffer *out;
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 50, 60));

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

  for (gint detector = MODEL; detector >= NONE; detector--) {
    fail_unless_equals_int (gst_element_set_state (h->element, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    if (detector < MODEL)
      g_object_set (h->element, "detector", detector, NULL);
    g_object_set (h->element, "model", "/none.xml", NULL);
    fail_unless_equals_int (get_detector (h->element), detector);
    check_no_start (h->element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "/none.xml", "set \"model\"");
    g_object_set (h->element, "model", NULL, NULL);
    fail_unless_equals_int (gst_element_set_state (h->element,
            GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  }
}

GST_END_TEST;

/* Tests a frame whose features can be counted in an int, while the scores of so many models
 * cannot. */
GST_START_TEST (test_too_many_cells)
{
  g_autoptr (GstHarness) h = harness_open_on (NULL, "mgpuhog name=f");
  GstBus *bus = harness_bus (h);
  g_autoptr (GString) many = g_string_new (path);

  for (guint i = 1; i < 32; i++)
    g_string_append_printf (many, ":%s", path);
  gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
  g_object_set (h->element, "model", many->str, NULL);
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 9000, 9000));
  check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "the pyramids of all models may have 537 million cells",
      "scale frames down");
}

GST_END_TEST;

/* Tests a model file with smaller cells than are supported. */
GST_START_TEST (test_no_such_features)
{
  g_autoptr (GError) error = NULL;
  MgpuDpmModel *model = mgpu_dpm_model_load (path, &error);
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
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
  mgpu_dpm_model_free (model);
}

GST_END_TEST;

/* Tests that models with cells of different sizes are refused, because they have no common
 * pyramid. */
GST_START_TEST (test_cell_sizes)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 50, 60);
  g_autofree gchar *other =
      g_build_filename (folder, "other.xml", NULL), *both = NULL, *text = NULL;
  g_autoptr (GstHarness) h = harness_open_on (NULL, "mgpuhog name=f");
  GstBus *bus = harness_bus (h);

  text = change_model (make_model (), "<SBin>8", "<SBin>4");
  fail_unless (g_file_set_contents (other, text, -1, NULL));
  both = g_strdup_printf ("%s:%s", path, other);
  gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
  g_object_set (h->element, "model", both, NULL);
  gst_harness_set_caps_str (h, caps, caps);
  check_error (bus, "\"other\" has cells of 4", "");
  g_remove (other);
}

GST_END_TEST;

static gchar *
make_filter (gint rows, gint columns, gdouble weight)
{
  GString *text = g_string_new (NULL);

  add_filter (text, rows, 32 * columns, weight);
  return g_string_free (text, FALSE);
}

/* Tests the memory for filters of different sizes: each filter of a group requires as much memory
 * as the group's largest height times its largest width. */
GST_START_TEST (test_uneven_filters)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 50, 60);
  g_autofree gchar *text = make_model ();
  const gint sizes[][4] = { {1, 2, 1, MGPU_DPM_MAX_SIDE},
  {2, 1, MGPU_DPM_MAX_SIDE, 1}
  };
  const gsize bytes = MGPU_DPM_MAX_SIDE * MGPU_DPM_MAX_SIDE * 32 * 16 * 4;
  GstBus *bus;
  g_autoptr (GstHarness) h = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gdouble weight = i == 0 ? 0.02 : 0.03;
    g_autofree gchar *from = make_filter (sizes[i][0], sizes[i][1], weight);
    g_autofree gchar *to = make_filter (sizes[i][2], sizes[i][3], weight);

    text = change_model (text, from, to);
  }
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  room = bytes;
  h = harness_open_on (NULL, "mgpuhog name=f");
  gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
  g_object_set (h->element, "model", path, NULL);
  bus = harness_bus (h);
  gst_harness_set_caps_str (h, caps, caps);
  room = 0;
  check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "the filters of the models take", "use fewer models");
}

GST_END_TEST;

/* Tests that frames that are too small for the model pass with a warning. */
GST_START_TEST (test_small)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 9, 9);
  g_autoptr (GstHarness) h =
      model_harness_new (TRUE, HOST_CAPS ("GRAY8", 90, 60));
  GstVideoInfo info = info_from_string (caps);
  GstBus *bus = harness_bus (h);
  g_autoptr (GstMessage) message = NULL;
  GstBuffer *out;

  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps_str (h, caps);
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
  fail_unless_equals_int (count_rois (out), 0);
  gst_buffer_unref (out);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpuhogmodelerrors)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_errors);
  tcase_add_test (tc, test_model_alone);
  tcase_add_test (tc, test_too_many_cells);
  tcase_add_test (tc, test_no_such_features);
  tcase_add_test (tc, test_cell_sizes);
  tcase_add_test (tc, test_small);
  tcase_add_test (tc, test_uneven_filters);
}
