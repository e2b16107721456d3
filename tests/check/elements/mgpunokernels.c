/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests a driver that refuses kernels or queues: one message names the element and what failed, and
 * the element continues when the driver works again. */
#include "common.h"

#include "../../opencl.h"

#define CAPS HOST_CAPS ("NV12", 80, 136)

static gint no_kernels, no_queues;

/* Replaces the OpenCL function clCreateKernel(), and calls it, as the next function does for
 * clCreateCommandQueue(). */
__attribute__ ((visibility ("default")))
cl_kernel
clCreateKernel (cl_program program, const char *name, cl_int * result)
{
  if (!g_atomic_int_get (&no_kernels))
    return REAL (clCreateKernel) (program, name, result);
  *result = CL_OUT_OF_RESOURCES;
  return NULL;
}

__attribute__ ((visibility ("default")))
cl_command_queue
clCreateCommandQueue (cl_context context, cl_device_id device,
    cl_command_queue_properties properties, cl_int * result)
{
  if (!g_atomic_int_get (&no_queues))
    return REAL (clCreateCommandQueue) (context, device, properties, result);
  *result = CL_OUT_OF_RESOURCES;
  return NULL;
}

static GstBuffer *
new_frame (void)
{
  GstVideoInfo info = info_from_string (CAPS);

  return frame_new (&info, LAYOUT_DEFAULT, 1);
}

static GstHarness *
new_harness (const gchar * launch, GstBus ** bus)
{
  GstElement *element = gst_parse_launch_full (launch, NULL,
      GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS, NULL);
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");

  gst_object_unref (element);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  *bus = gst_bus_new ();
  gst_element_set_bus (h->element, *bus);
  return h;
}

static void
end (GstHarness * h, GstBus * bus)
{
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

static const struct
{
  const gchar *launch, *out_caps;
  /* A property whose change while frames arrive requires other kernels, or NULL */
  const gchar *property, *value;
} cases[] = {
  {"mgpubilateral name=f", "video/x-raw", "method", "grid"},
  {"mgpuhisteq name=f", "video/x-raw", NULL, NULL},
  {"mgpusharpen name=f", "video/x-raw", NULL, NULL},
  {"mgpuintegral name=f", "video/x-raw", NULL, NULL},
  {"mgpuconvert name=f", "video/x-raw,format=RGB", NULL, NULL},
  {"mgpusift name=f", "video/x-raw", "upsample", "false"},
  {"mgpuhog name=f", "video/x-raw", "attach-features", "true"},
  {"mgpuhog name=f detector=none attach-features=true", "video/x-raw",
      "detector", "people"},
  {"mgpuinpaint name=f", "video/x-raw", NULL, NULL},
  {"mgpuoverlay name=f", "video/x-raw", NULL, NULL}
};

/* Tests that caps are refused while kernels cannot be built, and are accepted later. */
GST_START_TEST (test_caps)
{
  GstBus *bus;
  GstHarness *h = new_harness (cases[__i__].launch, &bus);

  gst_harness_set_sink_caps_str (h, cases[__i__].out_caps);
  g_atomic_int_set (&no_kernels, TRUE);
  gst_harness_set_src_caps_str (h, CAPS);
  g_atomic_int_set (&no_kernels, FALSE);
  check_error (bus, "clCreateKernel", "");
  gst_buffer_unref (harness_push_pull (h, new_frame ()));
  end (h, bus);
}

GST_END_TEST;

/* Tests that a frame that requires kernels that cannot be built causes an error, and is processed
 * later. */
GST_START_TEST (test_live)
{
  GstBus *bus;
  GstHarness *h;

  if (cases[__i__].property == NULL)
    return;
  h = new_harness (cases[__i__].launch, &bus);
  gst_harness_set_sink_caps_str (h, cases[__i__].out_caps);
  gst_harness_set_src_caps_str (h, CAPS);
  gst_buffer_unref (harness_push_pull (h, new_frame ()));
  gst_util_set_object_arg (G_OBJECT (h->element), cases[__i__].property,
      cases[__i__].value);
  g_atomic_int_set (&no_kernels, TRUE);
  fail_unless_equals_int (gst_harness_push (h, new_frame ()), GST_FLOW_ERROR);
  g_atomic_int_set (&no_kernels, FALSE);
  check_error (bus, "clCreateKernel", "");
  gst_buffer_unref (harness_push_pull (h, new_frame ()));
  end (h, bus);
}

GST_END_TEST;

/* Tests a frame that is the first frame with a crop, which requires other kernels. */
GST_START_TEST (test_crop)
{
  GstBus *bus;
  GstHarness *h = new_harness ("mgpuconvert name=f", &bus);
  GstBuffer *frame = new_frame ();

  gst_harness_set_caps_str (h, CAPS, CAPS);
  gst_buffer_unref (harness_push_pull (h, gst_buffer_ref (frame)));
  frame = gst_buffer_make_writable (frame);
  gst_buffer_add_video_crop_meta (frame)->width = 40;
  gst_buffer_get_video_crop_meta (frame)->height = 68;
  g_atomic_int_set (&no_kernels, TRUE);
  fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (frame)),
      GST_FLOW_ERROR);
  g_atomic_int_set (&no_kernels, FALSE);
  check_error (bus, "clCreateKernel", "");
  gst_buffer_unref (harness_push_pull (h, frame));
  end (h, bus);
}

GST_END_TEST;

/* Tests that an element does not start without a command queue, and starts later. */
GST_START_TEST (test_start)
{
  static const gchar *const names[] = { "mgpubilateral", "mgpupyramid" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstElement) element = gst_element_factory_make (names[i], "f");
    g_autoptr (GstBus) bus = gst_bus_new ();

    gst_element_set_bus (element, bus);
    g_atomic_int_set (&no_queues, TRUE);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    g_atomic_int_set (&no_queues, FALSE);
    check_error (bus, "clCreateCommandQueue", "");
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_element_set_bus (element, NULL);
  }
}

GST_END_TEST;

/* Tests a frame of another context, for which no command queue can be created: as the first frame,
 * or after a frame of the element's own context, which elements with look-ahead still hold. The
 * stream then ends. */
GST_START_TEST (test_adopt)
{
  static const gchar *const launches[] = {
    "mgpusharpen name=f", "mgpustabilize name=f",
    "mgpustabilize name=f look-ahead=5",
    "mgpuinpaint name=f background=true look-ahead=5 rectangle=10,10,9,9"
  };
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (NULL, &error), *own;
  GstVideoInfo info = info_from_string (CAPS);
  GstBus *bus;
  GstHarness *h = new_harness (launches[__i__ / 2], &bus);
  GstBuffer *frame;

  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  gst_harness_set_sink_caps_str (h, "video/x-raw(ANY)");
  gst_harness_set_src_caps_str (h, DEVICE_CAPS ("NV12", 80, 136));
  if (__i__ % 2) {
    own = harness_context (h);
    fail_unless_equals_int (gst_harness_push (h, device_frame_new (own, &info,
                1)), GST_FLOW_OK);
    gst_object_unref (own);
  }
  frame = device_frame_new (context, &info, 1);
  g_atomic_int_set (&no_queues, TRUE);
  fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_ERROR);
  g_atomic_int_set (&no_queues, FALSE);
  check_error (bus, "clCreateCommandQueue", "");
  gst_harness_push_event (h, gst_event_new_eos ());
  end (h, bus);
  gst_object_unref (context);
}

GST_END_TEST;

CHECK_TESTS (mgpunokernels)
{
  tcase_add_loop_test (tc, test_caps, 0, G_N_ELEMENTS (cases));
  tcase_add_loop_test (tc, test_live, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tc, test_crop);
  tcase_add_test (tc, test_start);
  tcase_add_loop_test (tc, test_adopt, 0, 8);
}
