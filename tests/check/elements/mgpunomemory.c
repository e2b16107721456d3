/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Simulates a device that runs out of memory within a frame: an OpenCL call fails, and so do
 * all calls after it. The element posts one message with its name, the cause and a remedy, and
 * continues with the next frame. */
#include "common.h"

#include "../../opencl.h"

/* Number of calls of each kind up to the one that fails, as do all later calls; 0: no call fails;
 * -1: calls fail now. All later calls fail because a single failing map would be repeated on a copy
 * of the memory. */
static gint n_buffers, n_maps, n_reads;

static gboolean
fails (gint * n)
{
  if (g_atomic_int_get (n) > 1)
    g_atomic_int_add (n, -1);
  else if (g_atomic_int_get (n) == 1)
    g_atomic_int_set (n, -1);
  return g_atomic_int_get (n) < 0;
}

/* Replaces an OpenCL function, and calls it, as the functions below do. */
__attribute__ ((visibility ("default")))
cl_mem
clCreateBuffer (cl_context context, cl_mem_flags flags, size_t size,
    void *data, cl_int * result)
{
  if (!fails (&n_buffers))
    return REAL (clCreateBuffer) (context, flags, size, data, result);
  *result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return NULL;
}

/* Hides shared virtual memory, so that elements have to map frames. */
__attribute__ ((visibility ("default")))
cl_int
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t size,
    void *value, size_t * result_size)
{
  cl_int ret = REAL (clGetDeviceInfo) (device, what, size, value, result_size);

  if (what == CL_DEVICE_SVM_CAPABILITIES && value != NULL && ret == CL_SUCCESS)
    memset (value, 0, size);
  return ret;
}

__attribute__ ((visibility ("default")))
void *
clEnqueueMapBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n_waits,
    const cl_event * waits, cl_event * event, cl_int * result)
{
  if (!fails (&n_maps))
    return REAL (clEnqueueMapBuffer) (queue, buffer, blocking, flags, offset,
        size, n_waits, waits, event, result);
  *result = CL_MAP_FAILURE;
  return NULL;
}

__attribute__ ((visibility ("default")))
cl_int
clEnqueueReadBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, void *data, cl_uint n_waits,
    const cl_event * waits, cl_event * event)
{
  return fails (&n_reads) ? CL_OUT_OF_RESOURCES
      : REAL (clEnqueueReadBuffer) (queue, buffer, blocking, offset, size, data,
      n_waits, waits, event);
}

/* The possible error messages */
enum
{
  FRAME = 1 << 0,
  TABLE = 1 << 1,
  WRITE_FRAME = 1 << 2,
  WRITE = 1 << 3,
  READ = 1 << 4,
  READ_FRAME = 1 << 5,
  MAP = 1 << 6,
  FETCH = 1 << 7
};

static const struct
{
  guint bit;
  GQuark (*domain) (void);
  gint code;
  const gchar *cause, *cure;
} sentences[] = {
  {FRAME, gst_resource_error_quark, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      " has no memory left for a frame of ", "use smaller frames"},
  {TABLE, gst_resource_error_quark, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "clCreateBuffer failed with CL_MEM_OBJECT_ALLOCATION_FAILURE",
      "use smaller frames"},
  {MAP, gst_resource_error_quark, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "clEnqueueMapBuffer failed with CL_MAP_FAILURE", "use smaller frames"},
  {FETCH, gst_resource_error_quark, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "clEnqueueReadBuffer failed with CL_OUT_OF_RESOURCES",
      "use smaller frames"},
  {WRITE_FRAME, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED,
      " does not let the host write a frame", "close other programs"},
  {READ_FRAME, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED,
      " does not let the host read a frame", "close other programs"},
  {WRITE, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED,
      " does not let the host write its memory", "close other programs"},
  {READ, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED,
      " does not let the host read its memory", "close other programs"}
};

/* Returns: the bit of the entry of @sentences that the only error on @bus contains */
static guint
pop_sentence (GstBus * bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;
  guint bit = 0;

  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_str_has_prefix (error->message, "f: "), "%s", error->message);
  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (strstr (error->message, sentences[i].cause) != NULL
        && strstr (error->message, sentences[i].cure) != NULL
        && g_error_matches (error, sentences[i].domain (), sentences[i].code))
      bit = sentences[i].bit;
  fail_unless (bit != 0, "%s %d: %s", g_quark_to_string (error->domain),
      error->code, error->message);
  g_error_free (error);
  gst_message_unref (message);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  return bit;
}

static const struct
{
  const gchar *launch, *pad, *out_caps;
  gboolean buffers;             /* whether failing buffer allocations are tested in addition to
                                 * failing maps */
  guint told;                   /* bits of the messages that occur, on devices with and without
                                 * dedicated memory together */
  guint graphics_cards;         /* bits of the additional messages from the kernels for graphics
                                 * cards */
} cases[] = {
  {"mgpuupload name=f", "src",
      "video/x-raw(memory:OpenCLMemory)", TRUE,
      FRAME | WRITE_FRAME, 0},
  {"mgpubilateral name=f", "src",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP, 0},
  {"mgpubilateral name=f method=constant-time", "src",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP, 0},
  {"mgpusharpen name=f sigma=9", "src",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP, 0},
  {"mgpuconvert name=f", "src",
      "video/x-raw,width=31,height=33", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP, 0},
  {"mgpuintegral name=f", "src",
      "video/x-raw", TRUE,
      FRAME | WRITE_FRAME, TABLE},
  {"mgpupyramid name=f", "src_1",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | MAP, 0},
  {"mgpusift name=f", "src",
      "video/x-raw", FALSE,
      WRITE_FRAME | WRITE | MAP, 0},
  {"mgpuhog name=f", "src",
      "video/x-raw", FALSE,
      WRITE_FRAME | WRITE | READ | MAP, 0},
  {"mgpuinpaint name=f rectangle=10,10,8,8", "src",
      "video/x-raw", FALSE,
      WRITE_FRAME | WRITE | MAP, 0},
  {"mgpuinpaint name=f method=exemplar rectangle=10,10,8,8", "src",
      "video/x-raw", FALSE,
      WRITE_FRAME | WRITE | READ | MAP, 0},
  {"mgpuoverlay name=f draw=regions", "src",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP, 0}
};

/* Returns a frame in host memory that no device can use without a copy, with a region that
 * mgpuoverlay draws. */
static GstBuffer *
new_frame (const GstVideoInfo * info)
{
  GstBuffer *frame = frame_new (info, LAYOUT_SHIFTED, 1);

  gst_buffer_add_video_region_of_interest_meta_id (frame, 0, 10, 10, 30, 40);
  return frame;
}

static GstHarness *
new_harness (const gchar * launch, const gchar * pad, const gchar * out_caps,
    gboolean unified)
{
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (NULL, &error);
  GstElement *element = gst_parse_launch (launch, NULL);
  GstContext *carrier;
  GstHarness *h;

  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  ((GstMgpuTraits *) gst_mgpu_context_get_traits (context))->unified_memory =
      unified;
  carrier = gst_context_new_mgpu_context (context);
  gst_object_unref (context);
  gst_element_set_context (element, carrier);
  gst_context_unref (carrier);
  h = gst_harness_new_with_element (element, "sink", pad);
  gst_object_unref (element);
  gst_harness_set_sink_caps_str (h, out_caps);
  return h;
}

/* Pushes the first frame of a stream, in which the OpenCL calls from number @n on fail. Sets
 * *@reached to whether there is a call @n. Returns: the bit of the error's message; 0 if the output
 * frame is correct */
static guint
fail_call (GstHarness * h, GstBus * bus, const GstVideoInfo * info,
    gint * counter, gint n, gboolean * reached)
{
  GstBuffer *good, *out;
  GstFlowReturn flow;
  guint told = 0;

  gst_harness_set_src_caps (h, gst_video_info_to_caps (info));
  g_atomic_int_set (counter, n);
  flow = gst_harness_push (h, new_frame (info));
  out = flow == GST_FLOW_OK ? harness_pull (h) : NULL;
  *reached = g_atomic_int_get (counter) < 0;
  g_atomic_int_set (counter, 0);
  if (flow != GST_FLOW_OK) {
    fail_unless_equals_int (flow, GST_FLOW_ERROR);
    fail_unless (*reached);
    told = pop_sentence (bus);
    fail_unless (gst_harness_try_pull (h) == NULL);
  }

  /* Checks that the element processes frames again. */
  good = harness_push_pull (h, new_frame (info));
  if (out != NULL) {
    GstVideoInfo out_info;
    g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);

    fail_unless (gst_video_info_from_caps (&out_info, caps));
    fail_unless_same_frame (&out_info, out, good);
    gst_buffer_unref (out);
  }
  gst_buffer_unref (good);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  return told;
}

static guint
fail_calls (GstHarness * h, GstBus * bus, gint * counter)
{
  /* Frames that are large enough for a person */
  GstVideoInfo infos[] = { info_from_string (HOST_CAPS ("NV12", 66, 130)),
    info_from_string (HOST_CAPS ("NV12", 70, 130))
  };
  gboolean reached = TRUE;
  guint told = 0;
  gint n;

  /* Sets new caps, so that the element begins again. */
  for (n = 1; reached; n++)
    told |= fail_call (h, bus, &infos[n % 2], counter, n, &reached);
  GST_INFO ("%d calls", n - 2);
  return told;
}

GST_START_TEST (test_each_call)
{
  guint told = 0, more = 0;

  for (guint unified = 0; unified < 2; unified++) {
    g_autoptr (GstHarness) h = new_harness (cases[__i__].launch, cases[__i__].pad,
        cases[__i__].out_caps, unified);
    GstMgpuContext *context = harness_context (h);
    GstBus *bus = harness_bus (h);

    if (gst_mgpu_context_get_traits (context)->device_class
        == GST_MGPU_DEVICE_CLASS_DISCRETE)
      more = cases[__i__].graphics_cards;
    gst_object_unref (context);
    told |= fail_calls (h, bus, &n_maps);
    if (cases[__i__].buffers)
      told |= fail_calls (h, bus, &n_buffers);
  }
  fail_unless_equals_int_hex (told, cases[__i__].told | more);
}

GST_END_TEST;

/* Tests mgpudownload with a frame in device memory. The host maps the frame if it shares that
 * memory, and otherwise copies it to its own memory. */
GST_START_TEST (test_download)
{
  gboolean unified = __i__;
  gint *counter = unified ? &n_maps : &n_reads;
  g_autoptr (GstHarness) h = new_harness ("mgpudownload name=f", "src", "video/x-raw",
      unified);
  GstBus *bus = harness_bus (h);
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 32, 24));
  g_autoptr (GstMgpuContext) context = NULL;

  gst_harness_set_src_caps_str (h, DEVICE_CAPS ("NV12", 32, 24));
  context = harness_context (h);
  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame = device_frame_new (context, &info, 1);
    GstMapInfo map;

    /* Writes on the device, so that the host's copy is out of date. */
    fail_unless (gst_buffer_map (frame, &map, GST_MAP_WRITE | GST_MAP_MGPU));
    gst_buffer_unmap (frame, &map);
    g_atomic_int_set (counter, 1);
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (frame)),
        GST_FLOW_ERROR);
    g_atomic_int_set (counter, 0);
    fail_unless_equals_int_hex (pop_sentence (bus), unified ? READ_FRAME
        : FETCH);
    fail_unless (gst_harness_try_pull (h) == NULL);
    gst_buffer_unref (harness_push_pull (h, frame));
  }
}

GST_END_TEST;

CHECK_TESTS (mgpunomemory)
{
  tcase_add_loop_test (tc, test_each_call, 0, G_N_ELEMENTS (cases));
  tcase_add_loop_test (tc, test_download, FALSE, TRUE + 1);
}
