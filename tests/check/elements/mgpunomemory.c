/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A device that runs out of memory in the middle of a frame, from any of the
 * calls on for which that can be so: one message that names element, cause and cure, and work
 * goes on. */
#include "common.h"

#include <dlfcn.h>

/* The call from which on all fail, from 1 on, less those that were made; 0: none
 * does. A map alone would be tried again, on a copy of the memory. */
static gint n_buffers, n_maps;

static gboolean
fails (gint * n)
{
  if (g_atomic_int_get (n) > 1)
    g_atomic_int_add (n, -1);
  else if (g_atomic_int_get (n) == 1)
    g_atomic_int_set (n, -1);
  return g_atomic_int_get (n) < 0;
}

/* Those of OpenCL. */
__attribute__ ((visibility ("default")))
cl_mem
clCreateBuffer (cl_context context, cl_mem_flags flags, size_t size,
    void *data, cl_int * result)
{
  __typeof__ (clCreateBuffer) * real =
      (__typeof__ (real)) dlsym (RTLD_NEXT, "clCreateBuffer");

  if (!fails (&n_buffers))
    return real (context, flags, size, data, result);
  *result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return NULL;
}

/* So that frames have to be mapped, as on many devices. */
__attribute__ ((visibility ("default")))
void *
clSVMAlloc (cl_context context, cl_svm_mem_flags flags, size_t size,
    cl_uint alignment)
{
  return NULL;
}

__attribute__ ((visibility ("default")))
void *
clEnqueueMapBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n_waits,
    const cl_event * waits, cl_event * event, cl_int * result)
{
  __typeof__ (clEnqueueMapBuffer) * real =
      (__typeof__ (real)) dlsym (RTLD_NEXT, "clEnqueueMapBuffer");

  if (!fails (&n_maps))
    return real (queue, buffer, blocking, flags, offset, size, n_waits, waits,
        event, result);
  *result = CL_MAP_FAILURE;
  return NULL;
}

/* What may be told, and in which words. */
enum
{
  FRAME = 1 << 0,
  TABLE = 1 << 1,
  WRITE_FRAME = 1 << 2,
  WRITE = 1 << 3,
  READ = 1 << 4,
  READ_FRAME = 1 << 5,
  MAP = 1 << 6
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
  {WRITE_FRAME, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED,
      " does not let the host write a frame", "close other programs"},
  {READ_FRAME, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED,
      " does not let the host read a frame", "close other programs"},
  {WRITE, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED,
      " does not let the host write its memory", "close other programs"},
  {READ, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED,
      " does not let the host read its memory", "close other programs"}
};

/* Returns: which of the sentences the only error on bus says */
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
  gboolean buffers;             /* not only maps, where there are many */
  guint told;                   /* where host and device share memory or not */
} cases[] = {
  {"mgpuupload name=f", "src",
      "video/x-raw(memory:OpenCLMemory)", TRUE,
      FRAME | WRITE_FRAME},
  {"mgpubilateral name=f", "src",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP},
  {"mgpubilateral name=f method=constant-time", "src",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP},
  {"mgpusharpen name=f sigma=9", "src",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP},
  {"mgpuconvert name=f", "src",
      "video/x-raw,width=31,height=33", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP},
  {"mgpuintegral name=f", "src",
      "video/x-raw", TRUE,
      FRAME | WRITE_FRAME},
  {"mgpupyramid name=f", "src_1",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | MAP},
  {"mgpusift name=f", "src",
      "video/x-raw", FALSE,
      WRITE_FRAME | WRITE | MAP},
  {"mgpuhog name=f", "src",
      "video/x-raw", FALSE,
      WRITE_FRAME | WRITE | READ},
  {"mgpuinpaint name=f rectangle=10,10,8,8", "src",
      "video/x-raw", FALSE,
      WRITE_FRAME | WRITE | READ | MAP},
  {"mgpuoverlay name=f text=x", "src",
      "video/x-raw", TRUE,
      FRAME | TABLE | WRITE_FRAME | WRITE | MAP}
};

/* One whose frames are in the host's memory, and cannot be used there. */
static GstBuffer *
new_frame (const GstVideoInfo * info)
{
  return frame_new (info, LAYOUT_SHIFTED, 1);
}

static GstHarness *
new_harness (guint i, gboolean unified)
{
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (NULL, &error);
  GstElement *element = gst_parse_launch (cases[i].launch, NULL);
  GstContext *carrier;
  GstHarness *h;

  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  ((GstMgpuTraits *) gst_mgpu_context_get_traits (context))->unified_memory =
      unified;
  carrier = gst_context_new_mgpu_context (context);
  gst_object_unref (context);
  gst_element_set_context (element, carrier);
  gst_context_unref (carrier);
  h = gst_harness_new_with_element (element, "sink", cases[i].pad);
  gst_object_unref (element);
  gst_harness_set_sink_caps_str (h, cases[i].out_caps);
  return h;
}

/* Lets calls fail from call n of a frame on, where everything is new. Returns: the sentence
 * that says so, or 0 when it makes no difference. reached: there is such a call */
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
  out = flow == GST_FLOW_OK ? gst_harness_pull (h) : NULL;
  fail_unless (flow != GST_FLOW_OK || out != NULL);
  *reached = g_atomic_int_get (counter) < 0;
  g_atomic_int_set (counter, 0);
  if (flow != GST_FLOW_OK) {
    fail_unless_equals_int (flow, GST_FLOW_ERROR);
    fail_unless (*reached);
    told = pop_sentence (bus);
    fail_unless (gst_harness_try_pull (h) == NULL);
  }

  /* It recovers. */
  good = harness_push_pull (h, new_frame (info));
  if (out != NULL) {
    GstVideoInfo out_info;
    GstCaps *caps = gst_pad_get_current_caps (h->sinkpad);

    fail_unless (gst_video_info_from_caps (&out_info, caps));
    fail_unless_same_frame (&out_info, out, good);
    gst_buffer_unref (out);
    gst_caps_unref (caps);
  }
  gst_buffer_unref (good);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  return told;
}

static guint
fail_calls (GstHarness * h, GstBus * bus, gint * counter)
{
  /* Large enough for a person. */
  GstVideoInfo infos[] = { info_from_string (HOST_CAPS ("NV12", 66, 130)),
    info_from_string (HOST_CAPS ("NV12", 70, 130))
  };
  gboolean reached = TRUE;
  guint told = 0;
  gint n;

  /* Other caps make an element begin anew. */
  for (n = 1; reached; n++)
    told |= fail_call (h, bus, &infos[n % 2], counter, n, &reached);
  GST_INFO ("%d calls", n - 2);
  return told;
}

GST_START_TEST (test_each_call)
{
  guint told = 0;

  for (guint unified = 0; unified < 2; unified++) {
    GstHarness *h = new_harness (__i__, unified);
    GstBus *bus = gst_bus_new ();

    gst_element_set_bus (h->element, bus);
    told |= fail_calls (h, bus, &n_maps);
    if (cases[__i__].buffers)
      told |= fail_calls (h, bus, &n_buffers);
    gst_element_set_bus (h->element, NULL);
    gst_object_unref (bus);
    gst_harness_teardown (h);
  }
  fail_unless_equals_int_hex (told, cases[__i__].told);
}

GST_END_TEST;

/* What comes is in the device's memory, and in good order. */
GST_START_TEST (test_download)
{
  GstHarness *h = gst_harness_new_parse ("mgpudownload name=f");
  GstBus *bus = gst_bus_new ();
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 32, 24));
  GstMgpuContext *context;

  gst_element_set_bus (h->element, bus);
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps_str (h, DEVICE_CAPS ("NV12", 32, 24));
  context = harness_context (h);
  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame = device_frame_new (context, &info, 1);

    g_atomic_int_set (&n_maps, 1);
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (frame)),
        GST_FLOW_ERROR);
    g_atomic_int_set (&n_maps, 0);
    fail_unless_equals_int_hex (pop_sentence (bus), READ_FRAME);
    fail_unless (gst_harness_try_pull (h) == NULL);
    gst_buffer_unref (harness_push_pull (h, frame));
  }
  gst_object_unref (context);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
mgpunomemory_suite (void)
{
  Suite *s = suite_create ("mgpunomemory");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_each_call, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tc, test_download);
  return s;
}

GST_CHECK_MAIN (mgpunomemory);
