/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests devices and GstMgpuContext: device selection, traits, wrapped contexts and context
 * queries. */
#include "../../opencl.h"
#include "../notrun.h"
#include "../suite.h"

#include <CL/cl_ext.h>
#include <string.h>

static GstMgpuContext *
open_device (const gchar * device)
{
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (device, &error);

  fail_unless (context != NULL, "%s", error ? error->message : "no error");
  fail_unless (error == NULL);
  return context;
}

static void
expect_no_device (const gchar * device, const gchar * part)
{
  g_autoptr (GError) error = NULL;

  fail_unless (gst_mgpu_context_new (device, &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_NO_DEVICE));
  fail_unless (strstr (error->message, part) != NULL, "%s", error->message);
}

/* Fails unless the error about the unknown device @device proposes a device string that exists. */
static void
expect_offer (const gchar * device)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = NULL;

  fail_unless (gst_mgpu_context_new (device, &error) == NULL);
  fail_unless (strstr (error->message, " to one of \"") != NULL, "%s",
      error->message);
  parts = g_strsplit (strstr (error->message, " to one of \""), "\"", 3);
  gst_object_unref (open_device (parts[1]));
}

GST_START_TEST (test_names_and_traits)
{
  g_autoptr (GstMgpuContext) context = open_device (NULL);
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);

  fail_unless (gst_mgpu_context_get_platform_name (context)[0] != '\0');
  fail_unless (gst_mgpu_context_get_device_name (context)[0] != '\0');
  fail_unless (g_str_has_prefix (gst_mgpu_context_get_version (context),
          "OpenCL "));
  fail_unless (traits->compute_units >= 1);
  fail_unless (traits->max_work_group_size >= 1);
  fail_unless (traits->max_allocation_size >= 128 * 1024 * 1024 / 4);
  fail_unless (traits->host_pointer_alignment >= 16);
  gst_mgpu_context_override_class (context, GST_MGPU_DEVICE_CLASS_MOBILE);
  fail_unless_equals_int (traits->device_class, GST_MGPU_DEVICE_CLASS_MOBILE);
}

GST_END_TEST;

GST_START_TEST (test_device_strings)
{
  gchar **devices = gst_mgpu_list_devices ();
  guint n = g_strv_length (devices);
  gchar *index, *upper, *part;
  GstMgpuContext *context;

  fail_unless (n >= 1);
  for (guint i = 0; i < n; i++) {
    context = open_device (devices[i]);
    /* The device string of the second of two identical cards contains the card's index. */
    fail_unless (i > 0 || strstr (devices[i],
            gst_mgpu_context_get_device_name (context)) != NULL);
    fail_unless (gst_mgpu_context_matches (context, devices[i]));
    fail_unless (gst_mgpu_context_matches (context, NULL));
    fail_unless (gst_mgpu_context_matches (context, ""));
    fail_unless (gst_mgpu_context_matches (context, "::"));
    fail_if (gst_mgpu_context_matches (context, "no such platform"));
    fail_if (gst_mgpu_context_matches (context, "::no such device"));
    gst_object_unref (context);

    index = g_strdup_printf ("::%u", i);
    context = open_device (index);
    fail_unless (gst_mgpu_context_matches (context, index));
    gst_object_unref (context);
    g_free (index);
  }

  /* A device string matches a part of the platform's name, in upper or lower case. */
  upper = g_ascii_strup (devices[0], -1);
  part = g_strndup (upper, 5);
  context = open_device (part);
  gst_object_unref (context);
  g_free (part);
  g_free (upper);

  index = g_strdup_printf ("::%u", n);
  expect_no_device (index, index);
  expect_offer (index);
  g_free (index);
  expect_no_device ("no such platform", "GST_MGPU_DEVICE");
  expect_offer (":no such type");
  expect_no_device ("::no such device", "\"device\"");
  g_strfreev (devices);
}

GST_END_TEST;

GST_START_TEST (test_environment)
{
  GstMgpuContext *context;

  g_setenv ("GST_MGPU_DEVICE", "no such platform", TRUE);
  expect_no_device (NULL, "no such platform");
  expect_no_device ("", "no such platform");
  /* The property "device" takes precedence over the environment variable. */
  context = open_device ("::0");
  gst_object_unref (context);
  g_unsetenv ("GST_MGPU_DEVICE");
}

GST_END_TEST;

static gboolean
device_list_is_empty (void)
{
  gchar **devices = gst_mgpu_list_devices ();
  gboolean empty = devices[0] == NULL;

  g_strfreev (devices);
  return empty;
}

/* Tests a system without an OpenCL driver. The OpenCL loader reads its environment variables only
 * once, so this test requires its own process, which every test of this program has. */
GST_START_TEST (test_no_driver)
{
  g_setenv ("OCL_ICD_VENDORS", "/nonexistent/", TRUE);
  g_unsetenv ("OCL_ICD_FILENAMES");
  g_unsetenv ("OPENCL_VENDOR_PATH");
  expect_no_device (NULL, "install a driver");
  expect_no_device ("::0", "pocl-opencl-icd");
  fail_unless (device_list_is_empty ());
}

GST_END_TEST;

/* Tests that PoCL reports no device if it cannot write its cache. */
GST_START_TEST (test_driver_without_device)
{
  g_setenv ("POCL_CACHE_DIR", "/proc/nothing", TRUE);
  g_unsetenv ("RUSTICL_ENABLE");
  if (device_list_is_empty ()) {
    expect_no_device (NULL, "Portable Computing Language");
    expect_no_device (NULL, "are installed, but none of them offers a usable device");
  } else {
    GST_WARNING ("there is a device other than PoCL's");
  }
}

GST_END_TEST;

GST_START_TEST (test_wrapped)
{
  GstMgpuContext *own = open_device (NULL), *context;
  cl_device_id device = gst_mgpu_context_get_cl_device (own);
  cl_uint before = 0, during = 0, after = 0;
  cl_context cl;
  cl_int ret;

  cl = clCreateContext (NULL, 1, &device, NULL, NULL, &ret);
  fail_unless_equals_int (ret, CL_SUCCESS);
  clGetContextInfo (cl, CL_CONTEXT_REFERENCE_COUNT, sizeof (before), &before,
      NULL);
  context = gst_mgpu_context_new_wrapped (cl, device, NULL);
  fail_unless (context != NULL);
  fail_unless (gst_mgpu_context_get_cl_context (context) == cl);
  fail_unless (gst_mgpu_context_get_cl_device (context) == device);
  fail_unless_equals_string (gst_mgpu_context_get_device_name (context),
      gst_mgpu_context_get_device_name (own));
  clGetContextInfo (cl, CL_CONTEXT_REFERENCE_COUNT, sizeof (during), &during,
      NULL);
  fail_unless (during > before);
  gst_object_unref (context);
  clGetContextInfo (cl, CL_CONTEXT_REFERENCE_COUNT, sizeof (after), &after,
      NULL);
  fail_unless_equals_int (after, before);
  clReleaseContext (cl);
  gst_object_unref (own);
}

GST_END_TEST;

/* Tests that a sub-device is not accepted as a device of a context that was created for the whole
 * device. */
GST_START_TEST (test_wrapped_wrong_device)
{
  const cl_device_partition_property one_each[] =
      { CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (":cpu:", NULL);
  GError *error = NULL;
  cl_device_id part;
  cl_int ret;

  if (context == NULL) {
    not_run ("no driver for the processor, which has parts");
    return;
  }
  ret = clCreateSubDevices (gst_mgpu_context_get_cl_device (context), one_each,
      1, &part, NULL);
  if (ret == CL_INVALID_VALUE) {
    /* Requests all sub-devices, because it is an error if there are more of them than requested. */
    guint n = gst_mgpu_context_get_traits (context)->compute_units;
    cl_device_id *parts = g_new (cl_device_id, n);

    ret = clCreateSubDevices (gst_mgpu_context_get_cl_device (context),
        one_each, n, parts, NULL);
    part = parts[0];
    for (guint i = 1; i < n && ret == CL_SUCCESS; i++)
      clReleaseDevice (parts[i]);
    g_free (parts);
  }
  fail_unless_equals_int (ret, CL_SUCCESS);
  fail_unless (gst_mgpu_context_new_wrapped (gst_mgpu_context_get_cl_context
          (context), part, &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  fail_unless (strstr (error->message, "pass a device") != NULL);
  g_error_free (error);
  clReleaseDevice (part);
}

GST_END_TEST;

GST_START_TEST (test_carrier)
{
  GstMgpuContext *context = open_device (NULL), *back;
  GstContext *carrier = gst_context_new_mgpu_context (context);
  GstContext *other = gst_context_new ("other", TRUE);
  const GstStructure *structure = gst_context_get_structure (carrier);

  fail_unless (gst_context_has_context_type (carrier, "gst.mgpu.context"));
  fail_unless (gst_context_is_persistent (carrier));
  fail_unless_equals_string (gst_structure_get_string (structure, "device"),
      gst_mgpu_context_get_device_name (context));
  fail_unless_equals_string (gst_structure_get_string (structure, "platform"),
      gst_mgpu_context_get_platform_name (context));
  fail_unless_equals_string (gst_structure_get_string (structure, "version"),
      gst_mgpu_context_get_version (context));
  back = gst_context_get_mgpu_context (carrier);
  fail_unless (back == context);
  gst_object_unref (back);
  fail_unless (gst_context_get_mgpu_context (other) == NULL);

  gst_context_unref (other);
  gst_context_unref (carrier);
  ASSERT_OBJECT_REFCOUNT (context, "context", 1);
  gst_object_unref (context);
}

GST_END_TEST;

GST_START_TEST (test_handle_query)
{
  g_autoptr (GstMgpuContext) context = open_device (NULL), back = NULL;
  g_autoptr (GstElement) element = gst_element_factory_make ("identity", NULL);
  g_autoptr (GstQuery) query = gst_query_new_context (GST_MGPU_CONTEXT_TYPE);
  g_autoptr (GstQuery) other = gst_query_new_context ("other");
  GstContext *carrier = NULL;

  fail_if (gst_mgpu_handle_context_query (element, query, NULL));
  fail_if (gst_mgpu_handle_context_query (element, other, context));
  fail_unless (gst_mgpu_handle_context_query (element, query, context));
  gst_query_parse_context (query, &carrier);
  back = gst_context_get_mgpu_context (carrier);
  fail_unless (back == context);
}

GST_END_TEST;

GST_START_TEST (test_handle_set_context)
{
  g_autoptr (GstMgpuContext) context = open_device (NULL), held = NULL;
  GstContext *carrier = gst_context_new_mgpu_context (context);
  GstContext *other = gst_context_new ("other", TRUE);
  GstElement *element = gst_element_factory_make ("identity", NULL);

  fail_if (gst_mgpu_handle_set_context (element, NULL, NULL, &held));
  fail_if (gst_mgpu_handle_set_context (element, other, NULL, &held));
  fail_if (gst_mgpu_handle_set_context (element, carrier, "no such", &held));
  fail_unless (held == NULL);
  fail_unless (gst_mgpu_handle_set_context (element, carrier, "::", &held));
  fail_unless (held == context);
  /* Sets the context again, so that the old reference is released. */
  fail_unless (gst_mgpu_handle_set_context (element, carrier, NULL, &held));
  gst_context_unref (carrier);
  gst_context_unref (other);
  gst_object_unref (element);
  ASSERT_OBJECT_REFCOUNT (context, "context", 2);
}

GST_END_TEST;

/* Tests an element that does not call set_context() of its parent class. */
GST_START_TEST (test_refused_context)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make ("identity", "forgetful");
  GstMgpuContext *held = NULL;
  g_autoptr (GError) error = NULL;

  fail_if (gst_mgpu_ensure_element_context (element, NULL, &held, &error));
  fail_unless (g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED));
  fail_unless (strstr (error->message, "forgetful did not store") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "gst_mgpu_handle_set_context") != NULL,
      "%s", error->message);
  fail_unless (held == NULL);
}

GST_END_TEST;

GST_START_TEST (test_error_names)
{
  g_autoptr (GError) error = NULL;

  fail_unless_equals_string (gst_mgpu_cl_error_name (CL_OUT_OF_RESOURCES),
      "CL_OUT_OF_RESOURCES");
  fail_unless_equals_string (gst_mgpu_cl_error_name (-1001),
      "CL_PLATFORM_NOT_FOUND_KHR");
  fail_unless_equals_string (gst_mgpu_cl_error_name (-9999),
      "unknown OpenCL error");
  fail_unless (gst_mgpu_cl_check (CL_SUCCESS, "clFoo", NULL, &error));
  fail_unless (error == NULL);
  fail_if (gst_mgpu_cl_check (CL_INVALID_VALUE, "clFoo", NULL, NULL));
  fail_if (gst_mgpu_cl_check (CL_MEM_OBJECT_ALLOCATION_FAILURE, "clFoo", NULL,
          &error));
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_OUT_OF_MEMORY));
  fail_unless (strstr (error->message, "clFoo") != NULL);
  fail_unless (strstr (error->message,
          "CL_MEM_OBJECT_ALLOCATION_FAILURE") != NULL);
}

GST_END_TEST;

/* Device property whose query fails, and the error of the query; 0: no query fails */
static cl_device_info untold;
static cl_int untold_error;
/* The properties of the device @asked_device that were queried */
static cl_device_id asked_device;
static cl_device_info asked[64];
static guint n_asked;

__attribute__ ((visibility ("default")))
cl_int CL_API_CALL
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t size,
    void *value, size_t * size_ret)
{
  if (untold != 0 && what == untold)
    return untold_error;
  if (device == asked_device && n_asked < G_N_ELEMENTS (asked))
    asked[n_asked++] = what;
  return REAL (clGetDeviceInfo) (device, what, size, value, size_ret);
}

static void
expect_untold (const gchar * device)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *property = g_strdup_printf ("property 0x%x", untold);

  fail_unless (gst_mgpu_context_new (device, &error) == NULL, "%s", property);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED));
  fail_unless (strstr (error->message, property) != NULL, "%s", error->message);
  fail_unless (strstr (error->message,
          "clGetDeviceInfo failed with CL_OUT_OF_RESOURCES") != NULL, "%s",
      error->message);
}

/* Tests each property that the library queries, with a device that does not support the query.
 * Without the property that lists the memory kinds, the device imports none. */
GST_START_TEST (test_untold_properties)
{
  gchar **devices = gst_mgpu_list_devices ();
  g_autoptr (GstMgpuContext) context = open_device (devices[0]);
  cl_device_id device = gst_mgpu_context_get_cl_device (context);
  cl_context cl = gst_mgpu_context_get_cl_context (context);
  GError *error = NULL;
  guint n;

  asked_device = device;
  gst_object_unref (open_device (devices[0]));
  n = n_asked;
  fail_unless (n >= 15 && n < G_N_ELEMENTS (asked), "%u", n);
  untold_error = CL_OUT_OF_RESOURCES;
  for (guint i = 0; i < n; i++) {
    if (asked[i] == CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR)
      continue;
    untold = asked[i];
    expect_untold (devices[0]);
    fail_unless (gst_mgpu_context_new_wrapped (cl, device, &error) == NULL);
    fail_unless (strstr (error->message, "clGetDeviceInfo failed") != NULL);
    g_clear_error (&error);
  }
  untold = 0;
  gst_object_unref (open_device (devices[0]));
  g_strfreev (devices);
}

GST_END_TEST;

/* Tests drivers for OpenCL 1.2, which have no shared virtual memory, and drivers for OpenCL 2,
 * which may not support queries of properties that were deprecated by then. */
GST_START_TEST (test_unknown_properties)
{
  const cl_device_info unknown[] =
      { CL_DEVICE_SVM_CAPABILITIES, CL_DEVICE_HOST_UNIFIED_MEMORY };
  GstMgpuContext *context;

  untold_error = CL_INVALID_VALUE;
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++) {
    untold = unknown[i];
    context = open_device (NULL);
    gst_object_unref (context);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpucontext)
{
  tcase_add_test (tc, test_names_and_traits);
  tcase_add_test (tc, test_device_strings);
  tcase_add_test (tc, test_environment);
  tcase_add_test (tc, test_no_driver);
  tcase_add_test (tc, test_driver_without_device);
  tcase_add_test (tc, test_wrapped);
  tcase_add_test (tc, test_wrapped_wrong_device);
  tcase_add_test (tc, test_carrier);
  tcase_add_test (tc, test_handle_query);
  tcase_add_test (tc, test_handle_set_context);
  tcase_add_test (tc, test_refused_context);
  tcase_add_test (tc, test_error_names);
  tcase_add_test (tc, test_untold_properties);
  tcase_add_test (tc, test_unknown_properties);
}
