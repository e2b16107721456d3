/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests frames that are passed from a camera to a display of Linux's driver vivid in its dma-bufs:
 * they have the same bytes as in system memory. The device is PoCL: without a copy, and through the
 * functions of layer.h, which import real dma-bufs in this test. run.sh runs this program in a
 * virtual machine. */
#define _GNU_SOURCE
#include "../check/elements/dmabuf.h"

#include <gst/allocators/gstdmabuf.h>

#define N_FRAMES 30
#define LAUNCH "v4l2src device=/dev/video0 num-buffers=%d name=src" \
    " ! video/x-raw(memory:DMABuf),drm-format=NV12%s ! mgpuupload name=up" \
    " ! mgpusharpen name=f ! mgpudownload name=down ! video/x-raw(memory:DMABuf)" \
    " ! v4l2sink device=/dev/video1 io-mode=dmabuf-import sync=false name=sink"

/* Number of starts of a pipeline whose open files are counted, unless MGPU_TEST_STARTS sets another
 * number */
#define N_STARTS 1000

static const struct
{
  const gchar *name;
  Device device;
  const gchar *interop;         /* value of GST_MGPU_INTEROP; NULL: not set */
  gint imports, exports;        /* frames of N_FRAMES */
} routes[] = {
  {"in place", {LAYER_ROUTE_MAP, TRUE}, NULL, 0, N_FRAMES},
  {"in place, GST_MGPU_INTEROP=", {LAYER_ROUTE_MAP, TRUE}, "", 0, N_FRAMES},
  {"cl_khr_external_memory", {LAYER_ROUTE_KHR, TRUE}, NULL, N_FRAMES, N_FRAMES},
  {"cl_khr_external_memory, own memory", {LAYER_ROUTE_KHR, FALSE}, NULL,
      N_FRAMES, N_FRAMES},
  {"cl_khr_external_memory, GST_MGPU_INTEROP=", {LAYER_ROUTE_KHR, TRUE}, "", 0,
      0},
  {"cl_arm_import_memory", {LAYER_ROUTE_ARM, TRUE}, NULL, N_FRAMES, N_FRAMES},
  {"cl_arm_import_memory, own memory", {LAYER_ROUTE_ARM, FALSE}, NULL,
      N_FRAMES, N_FRAMES},
  {"cl_arm_import_memory, GST_MGPU_INTEROP=", {LAYER_ROUTE_ARM, FALSE}, "", 0,
      0},
};

static void
set_route (guint i)
{
  if (routes[i].interop != NULL)
    g_setenv ("GST_MGPU_INTEROP", routes[i].interop, TRUE);
  else
    g_unsetenv ("GST_MGPU_INTEROP");
  layer_set_device (routes[i].device.route, routes[i].device.unified);
  layer_set_nodes (LAYER_NODES_REAL);
}

static GstElement *
pipeline_new (gint n_frames, const gchar * caps)
{
  g_autofree gchar *launch = g_strdup_printf (LAUNCH, n_frames, caps);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  fail_unless (error == NULL, "%s", error != NULL ? error->message : "");
  return pipeline;
}

/* Runs @pipeline until it ends, however long kernels take in a machine without KVM. */
static void
run (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    fail_unless_no_error (message);
}

static guint64
element_stat (GstElement * pipeline, const gchar * name, const gchar * field)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (pipeline), name);
  guint64 value = get_stat (element, field);

  return value;
}

/* Keeps a copy of the frame, which lies in a dma-buf. */
static GstPadProbeReturn
keep (GstPad * pad, GstPadProbeInfo * info, gpointer frames)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  fail_unless_equals_int (gst_buffer_n_memory (buffer), 1);
  fail_unless (gst_is_dmabuf_memory (gst_buffer_peek_memory (buffer, 0)));
  g_ptr_array_add (frames, gst_buffer_copy_deep (buffer));
  return GST_PAD_PROBE_OK;
}

/* Returns: (transfer full): the frames that pass a pad of an element */
static GPtrArray *
keep_frames (GstElement * pipeline, const gchar * name, const gchar * pad_name)
{
  GPtrArray *frames =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, pad_name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, keep, frames, NULL);
  return frames;
}

static GstCaps *
sink_caps (GstElement * pipeline)
{
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "sink");
  GstCaps *caps = gst_pad_get_current_caps (pad);

  caps = gst_caps_make_writable (caps);
  gst_caps_set_features_simple (caps, NULL);
  return caps;
}

/* Compares @to, the frames at the sink, with @from filtered in system memory. */
static void
compare_frames (GstCaps * caps, GPtrArray * from, GPtrArray * to)
{
  g_autoptr (GstHarness) h = NULL;
  GstVideoInfo info;
  guint n_moved = 0;

  layer_set_device (LAYER_ROUTE_MAP, TRUE);
  fail_unless (gst_video_info_from_caps (&info, caps));
  h = gst_harness_new_parse ("mgpusharpen ! mgpudownload");
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  for (guint i = 0; i < from->len; i++) {
    g_autoptr (GstBuffer) expected = gst_harness_push_and_pull (h,
        gst_buffer_ref (from->pdata[i]));

    fail_unless_same_frame (&info, expected, to->pdata[i]);
    n_moved += i > 0
        && count_differences (&info, from->pdata[i - 1], from->pdata[i]) > 0;
  }
  /* Checks that frames differ, because otherwise a frame that arrives twice would not be
   * detected. */
  fail_unless_equals_int (n_moved, from->len - 1);
}

GST_START_TEST (test_frames)
{
  GstElement *pipeline;
  g_autoptr (GPtrArray) from = NULL, to = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autofree gchar *text = NULL;

  set_route (__i__);
  pipeline = pipeline_new (N_FRAMES, "");
  from = keep_frames (pipeline, "src", "src");
  to = keep_frames (pipeline, "sink", "sink");
  run (pipeline);
  caps = sink_caps (pipeline);
  text = gst_caps_to_string (caps);
  g_print ("%s: %u frames of %s\n  mgpuupload imports=%" G_GUINT64_FORMAT
      " uploads=%" G_GUINT64_FORMAT ", mgpudownload exports=%" G_GUINT64_FORMAT
      " downloads=%" G_GUINT64_FORMAT ", imports by the layer: %u\n",
      routes[__i__].name, to->len, text, element_stat (pipeline, "up",
          "imports"), element_stat (pipeline, "up", "uploads"),
      element_stat (pipeline, "down", "exports"), element_stat (pipeline,
          "down", "downloads"), layer_count_made ());
  fail_unless_equals_int (from->len, N_FRAMES);
  fail_unless_equals_int (to->len, N_FRAMES);
  fail_unless_equals_uint64 (element_stat (pipeline, "up", "imports"),
      routes[__i__].imports);
  fail_unless_equals_uint64 (element_stat (pipeline, "up", "uploads"),
      routes[__i__].exports > 0 ? 0 : N_FRAMES);
  fail_unless_equals_uint64 (element_stat (pipeline, "down", "exports"),
      routes[__i__].exports);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  check_end ();
  compare_frames (caps, from, to);
  g_print ("  the same bytes as in system memory\n");
}

GST_END_TEST;

/* Tests that repeated starts leak no file descriptors. Each start of the pipeline opens both
 * devices, allocates new dma-bufs and, unless they are mapped, imports them. */
GST_START_TEST (test_starts)
{
  static const guint of[] = { 2, 0, 5 };
  const gchar *variable = g_getenv ("MGPU_TEST_STARTS");
  guint n = variable != NULL ? atoi (variable) : N_STARTS;
  GstElement *pipeline;
  guint before = 0;

  set_route (of[__i__]);
  pipeline = pipeline_new (1, ",width=320,height=180");
  gst_element_set_context (pipeline, common_context ());
  for (guint i = 0; i < n; i++) {
    run (pipeline);
    fail_unless_equals_uint64 (element_stat (pipeline, "down", "exports"), 1);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    if (i + 1 == MIN (n, 10))
      before = count_files ();
    if ((i + 1) % 100 == 0 || i + 1 == n)
      g_print ("%s: %u starts, %u open files after 10 and %u now\n",
          routes[of[__i__]].name, i + 1, before, count_files ());
  }
  fail_unless_equals_int (count_files (), before);
  gst_object_unref (pipeline);
  check_end ();
}

GST_END_TEST;

CHECK_TESTS (vivid)
{
  tcase_set_timeout (tc, 0);
  tcase_add_loop_test (tc, test_frames, 0, G_N_ELEMENTS (routes));
  tcase_add_loop_test (tc, test_starts, 0, 3);
}
