/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that elements share OpenCL contexts, programs and pools. */

#include "../builds.h"
#include "common.h"

#define CAPS HOST_CAPS ("NV12", 65, 33)
#define CHAIN "videotestsrc num-buffers=5 ! " CAPS " ! mgpuupload name=a ! " \
    "mgpubilateral name=b ! queue ! mgpuhisteq name=c ! mgpudownload name=d ! " \
    "fakesink"

/* --- Contexts --- */

static GstMgpuContext *
new_context (void)
{
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (NULL, &error);

  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  return context;
}

static void
share (GstElement * element, GstMgpuContext * context)
{
  g_autoptr (GstContext) carrier = gst_context_new_mgpu_context (context);

  gst_element_set_context (element, carrier);
}

static void
check_shared (GstElement * pipeline, GstMgpuContext * context)
{
  const gchar *names[] = { "a", "b", "c", "d" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    fail_unless (context_of (pipeline, names[i]) == context);
}

/* Tests that a pipeline without a given context creates one context, and announces it once. */
GST_START_TEST (test_one_context)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch (CHAIN, NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMgpuContext *made = NULL;
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          20 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_HAVE_CONTEXT))) {
    g_autoptr (GstContext) carrier = NULL;
    const GstStructure *fields;

    gst_message_parse_have_context (message, &carrier);
    fail_unless (made == NULL);
    made = gst_context_get_mgpu_context (carrier);
    fail_unless (made != NULL);
    fields = gst_context_get_structure (carrier);
    fail_unless_equals_string (gst_structure_get_string (fields, "device"),
        gst_mgpu_context_get_device_name (made));
    fail_unless_equals_string (gst_structure_get_string (fields, "platform"),
        gst_mgpu_context_get_platform_name (made));
    gst_message_unref (message);
  }
  fail_unless (made != NULL);
  check_shared (pipeline, made);
  gst_object_unref (made);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests a context of the application that is set beforehand, also in a second run. */
GST_START_TEST (test_application_context)
{
  GstElement *pipeline = gst_parse_launch (CHAIN, NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMgpuContext) context = new_context ();

  share (pipeline, context);
  for (guint i = 0; i < 3; i++) {
    fail_unless_no_error (run_to_end (pipeline));
    check_shared (pipeline, context);
    fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_HAVE_CONTEXT));
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  fail_unless (comes_to_refs (context, 1));
}

GST_END_TEST;

static GstBusSyncReply
answer_need_context (GstBus * bus, GstMessage * message, gpointer context)
{
  const gchar *type;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_NEED_CONTEXT
      && gst_message_parse_context_type (message, &type)
      && g_strcmp0 (type, GST_MGPU_CONTEXT_TYPE) == 0)
    share (GST_ELEMENT (GST_MESSAGE_SRC (message)), context);
  return GST_BUS_PASS;
}

/* Tests a context of the application that is set when an element requests one. */
GST_START_TEST (test_need_context)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch (CHAIN, NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMgpuContext) context = new_context ();

  gst_bus_set_sync_handler (bus, answer_need_context, context, NULL);
  fail_unless_no_error (run_to_end (pipeline));
  check_shared (pipeline, context);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests two pipelines at the same time in one context. */
GST_START_TEST (test_two_pipelines)
{
  GstElement *pipelines[2];
  g_autoptr (GstMgpuContext) context = new_context ();

  for (guint i = 0; i < 2; i++) {
    pipelines[i] = gst_parse_launch (CHAIN, NULL);
    share (pipelines[i], context);
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
  }
  for (guint i = 0; i < 2; i++) {
    fail_unless_no_error (run_to_end (pipelines[i]));
    check_shared (pipelines[i], context);
  }
  for (guint i = 0; i < 2; i++) {
    gst_element_set_state (pipelines[i], GST_STATE_NULL);
    gst_object_unref (pipelines[i]);
  }
  fail_unless (comes_to_refs (context, 1));
}

GST_END_TEST;

/* --- Elements that start at the same time --- */

static GMutex asked_lock;
static GCond asked_changed;
static guint n_asked;

/* Returns only once two elements have requested a context, because an application may start another
 * element while it responds to a request. */
static GstBusSyncReply
wait_for_two (GstBus * bus, GstMessage * message, gpointer data)
{
  gint64 deadline = g_get_monotonic_time () + 5 * G_TIME_SPAN_SECOND;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_NEED_CONTEXT) {
    g_mutex_lock (&asked_lock);
    n_asked++;
    g_cond_broadcast (&asked_changed);
    while (n_asked < 2
        && g_cond_wait_until (&asked_changed, &asked_lock, deadline));
    g_mutex_unlock (&asked_lock);
  }
  return GST_BUS_PASS;
}

static gpointer
start_element (gpointer element)
{
  gst_element_set_state (element, GST_STATE_PAUSED);
  return NULL;
}

/* Returns: (transfer full): a pipeline with an element of the type @name */
static GstElement *
asking_pipeline (const gchar * name)
{
  GstElement *pipeline = gst_pipeline_new (NULL);
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bus_set_sync_handler (bus, wait_for_two, NULL, NULL);
  gst_object_unref (bus);
  gst_bin_add (GST_BIN (pipeline), gst_element_factory_make ("mgpusharpen",
          name));
  return pipeline;
}

static void
start_at_once (GstElement * a, GstElement * b)
{
  GstElement *elements[] = { gst_bin_get_by_name (GST_BIN (a), "a"),
    gst_bin_get_by_name (GST_BIN (b), "b")
  };
  GThread *threads[2];

  n_asked = 0;
  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("start", start_element, elements[i]);
  for (guint i = 0; i < 2; i++) {
    g_thread_join (threads[i]);
    gst_object_unref (elements[i]);
  }
  fail_unless_equals_int (n_asked, 2);
}

static void
end_pipeline (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* Tests that two elements of a pipeline that request a context at the same time get the same
 * context, if the device has only one. */
GST_START_TEST (test_start_at_once)
{
  GstElement *pipeline = asking_pipeline ("a");

  g_setenv ("GST_MGPU_CONTEXTS", "1", TRUE);
  gst_bin_add (GST_BIN (pipeline), gst_element_factory_make ("mgpusharpen",
          "b"));
  start_at_once (pipeline, pipeline);
  fail_unless (context_of (pipeline, "a") != NULL);
  fail_unless (context_of (pipeline, "a") == context_of (pipeline, "b"));
  end_pipeline (pipeline);
}

GST_END_TEST;

/* Tests that a pipeline that waits for something does not prevent another pipeline from
 * starting. */
GST_START_TEST (test_start_pipelines_at_once)
{
  GstElement *a = asking_pipeline ("a"), *b = asking_pipeline ("b");

  start_at_once (a, b);
  fail_unless (context_of (a, "a") != context_of (b, "b"));
  end_pipeline (a);
  end_pipeline (b);
}

GST_END_TEST;

/* --- Elements that stop --- */

/* Pad that gets an ALLOCATION query while its element stops, and whether that query succeeded */
static GstPad *asked;
static gboolean answered;

/* Replaces the OpenCL function clReleaseKernel(), and calls it: elements release kernels when they
 * stop. */
__attribute__((visibility ("default")))
    cl_int
clReleaseKernel (cl_kernel kernel)
{
  GstPad *pad = g_steal_pointer (&asked);

  if (pad != NULL) {
    g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);
    g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);

    answered = gst_pad_query (pad, query);
  }
  return REAL (clReleaseKernel) (kernel);
}

/* Tests that no pool leaks if an ALLOCATION query arrives while the element stops: GStreamer's base
 * class would never free the query and the pool in it. */
GST_START_TEST (test_no_pool_while_stopping)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc num-buffers=2 ! " CAPS
      " ! mgpusharpen name=f ! fakesink", NULL);
  g_autoptr (GstElement) f = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (f, "sink");

  fail_unless_no_error (run_to_end (pipeline));
  answered = TRUE;
  asked = pad;
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fail_unless (asked == NULL);
  fail_if (answered);
}

GST_END_TEST;

/* --- Programs --- */

static gint
count_builds (const gchar * launch)
{
  GstElement *pipeline = gst_parse_launch (launch, NULL);
  gint before = g_atomic_int_get (&n_builds);

  fail_unless_no_error (run_to_end (pipeline));
  end_pipeline (pipeline);
  return g_atomic_int_get (&n_builds) - before;
}

/* Tests that three elements of the same type build their kernels only once. */
GST_START_TEST (test_programs_are_shared)
{
  gint one = count_builds ("videotestsrc num-buffers=1 ! " CAPS
      " ! mgpusharpen ! fakesink");

  fail_unless (one > 0);
  fail_unless_equals_int (count_builds ("videotestsrc num-buffers=1 ! " CAPS
          " ! mgpusharpen ! mgpusharpen ! mgpusharpen ! fakesink"), one);
}

GST_END_TEST;

/* Tests that an element with "device" set does not use a context of another device. */
GST_START_TEST (test_bound_device)
{
  g_autoptr (GstElement) filter =
      gst_element_factory_make ("mgpubilateral", "b");
  g_autoptr (GstMgpuContext) context = new_context ();
  g_autofree gchar *name = g_strdup_printf ("::%s",
      gst_mgpu_context_get_device_name (context));

  g_object_set (filter, "device", name, NULL);
  share (filter, context);
  fail_unless_equals_int (gst_element_set_state (filter, GST_STATE_PAUSED),
      GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (filter, GST_STATE_NULL);
  g_object_set (filter, "device", "::no such device", NULL);
  fail_unless_equals_int (gst_element_set_state (filter, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (filter, GST_STATE_NULL);
  gst_object_unref (filter);

  /* Sets the context first, then the device. */
  filter = gst_element_factory_make ("mgpubilateral", "b");
  share (filter, context);
  g_object_set (filter, "device", "::no such device", NULL);
  fail_unless_equals_int (gst_element_set_state (filter, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (filter, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests that a context that is set while frames arrive is used from the next start on. */
GST_START_TEST (test_set_while_playing)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstHarness) h = harness_new (IDENTITY, CAPS, CAPS);
  g_autoptr (GstMgpuContext) first = harness_context (h);
  g_autoptr (GstMgpuContext) second = new_context ();
  GstMgpuContext *now;
  GstBuffer *out;

  share (h->element, second);
  now = harness_context (h);
  fail_unless (now == first);
  gst_object_unref (now);
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  fail_unless (frame_memory (out)->context == first);
  gst_buffer_unref (out);

  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_object_unref (first);
  first = harness_context (h);
  fail_unless (first == second);
}

GST_END_TEST;

/* Pushes frames of another context: the element switches to this context, and copies nothing. */
static void
check_adopt (const gchar * launch, const gchar * out_caps)
{
  const gchar *in_caps = DEVICE_CAPS ("NV12", 65, 33);
  GstVideoInfo info = info_from_string (in_caps);
  GstHarness *h = harness_new (launch, in_caps, out_caps);
  g_autoptr (GstMgpuContext) own = harness_context (h);
  g_autoptr (GstMgpuContext) other = new_context ();
  GstMgpuContext *contexts[] = { own, other, other, own };

  fail_unless (own != other);
  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++) {
    g_autoptr (GstBuffer) from = device_frame_new (contexts[i], &info, i);
    g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));
    g_autoptr (GstMgpuContext) now = harness_context (h);

    fail_unless (frame_memory (to)->context == contexts[i]);
    fail_unless (now == contexts[i]);
    fail_unless_same_frame (&info, from, to);
  }
  fail_unless_equals_uint64 (harness_stat (h, "frames"), 4);
  if (device_is_unified ())
    fail_unless_equals_uint64 (harness_stat (h, "uploads"), 0);
  gst_harness_teardown (h);
  fail_unless (comes_to_refs (other, 1));
}

GST_START_TEST (test_adopt)
{
  check_adopt (IDENTITY, DEVICE_CAPS ("NV12", 65, 33));
  check_adopt (IDENTITY, CAPS);
  check_adopt ("mgpuupload name=f", DEVICE_CAPS ("NV12", 65, 33));
  check_adopt ("mgpudownload name=f", CAPS);
}

GST_END_TEST;

static gint n_warnings;

static void
count_warnings (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (level == GST_LEVEL_WARNING
      && g_strcmp0 (gst_debug_category_get_name (category), "mgpubilateral") == 0)
    g_atomic_int_inc (&n_warnings);
}

/* Tests that an element with "device" set keeps its context, copies frames, and logs this only
 * once. */
GST_START_TEST (test_foreign_copied)
{
  const gchar *in_caps = DEVICE_CAPS ("NV12", 65, 33);
  GstVideoInfo info = info_from_string (in_caps);
  g_autoptr (GstMgpuContext) other = new_context ();
  g_autofree gchar *launch =
      g_strdup_printf ("mgpubilateral name=f sigma-color=0.01 "
      "planes=all device=\"::%s\"", gst_mgpu_context_get_device_name (other));
  g_autoptr (GstHarness) h = harness_new (launch, in_caps, in_caps);
  g_autoptr (GstMgpuContext) own = harness_context (h);

  gst_debug_set_threshold_for_name ("mgpubilateral", GST_LEVEL_WARNING);
  gst_debug_add_log_function (count_warnings, NULL, NULL);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) from = device_frame_new (other, &info, i);
    g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));

    fail_unless (frame_memory (to)->context == own);
    fail_unless_same_frame (&info, from, to);
  }
  gst_debug_remove_log_function (count_warnings);
  fail_unless_equals_int (n_warnings, 1);
  fail_unless_equals_uint64 (harness_stat (h, "uploads"), 3);
}

GST_END_TEST;

/* --- Pools --- */

/* Checks that frames in device memory are offered upstream, for caps with either memory. */
static void
check_offer (const gchar * name, gboolean device)
{
  g_autoptr (GstHarness) h = gst_harness_new (name);
  g_autoptr (GstCaps) caps = caps_new (GST_VIDEO_FORMAT_I420, 47, 31, device);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  g_autoptr (GstBufferPool) pool = NULL;
  GstStructure *config;
  GstBuffer *buffer, *out;
  GstVideoInfo info;
  guint size, min, max;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE,
          NULL));
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  fail_unless (GST_IS_MGPU_BUFFER_POOL (pool));
  fail_unless (size >= GST_VIDEO_INFO_SIZE (&info));
  fail_unless_equals_int (min, 0);
  fail_unless_equals_int (max, 0);

  /* Requests padding around the frame, as decoders do. */
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, size, 0, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  {
    GstVideoAlignment align;

    gst_video_alignment_reset (&align);
    align.padding_right = 33;
    align.padding_bottom = 5;
    align.stride_align[0] = 63;
    gst_buffer_pool_config_set_video_alignment (config, &align);
  }
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  fail_unless (gst_buffer_get_video_meta (buffer)->stride[0] > 64);
  fill_frame (&info, buffer, 7);
  out = harness_push_pull (h, gst_buffer_ref (buffer));
  if (g_strcmp0 (name, "mgpuhisteq") != 0)
    fail_unless_same_frame (&info, buffer, out);
  if (device_is_unified ())
    fail_unless_equals_uint64 (get_stat (h->element, "uploads"), 0);

  gst_buffer_unref (buffer);
  gst_buffer_unref (out);
  gst_buffer_pool_set_active (pool, FALSE);
}

GST_START_TEST (test_offered_pool)
{
  for (guint device = 0; device < 2; device++) {
    check_offer ("mgpuupload", device);
    check_offer ("mgpudownload", device);
    check_offer ("mgpuhisteq", device);
  }
}

GST_END_TEST;

/* Tests that metas that downstream accepts are offered upstream, except for the crop meta, which
 * refers to pixels of the frame that downstream gets. */
GST_START_TEST (test_offered_metas)
{
  g_autoptr (GstHarness) h = gst_harness_new ("mgpubilateral");
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_I420, 47, 31, FALSE);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, FALSE);

  gst_harness_add_propose_allocation_meta (h,
      GST_REFERENCE_TIMESTAMP_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
      NULL);
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps (h, caps);
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query,
          GST_REFERENCE_TIMESTAMP_META_API_TYPE, NULL));
  fail_if (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE,
          NULL));
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 0);
}

GST_END_TEST;

typedef struct
{
  GstBufferPool *pool;
  gboolean video_meta;
} Offer;

static GstPadProbeReturn
answer_allocation (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  Offer *offer = data;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  if (offer->pool != NULL)
    gst_query_add_allocation_pool (query, offer->pool, 0, 0, 0);
  if (offer->video_meta)
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

/* Pushes a frame through @launch, while downstream offers the pool of @offer. Returns: the output
 * frame */
static GstBuffer *
run_with_offer (const gchar * launch, GstMgpuContext * context,
    const gchar * out_caps, Offer * offer)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstHarness) h = gst_harness_new_parse (launch);
  GstBuffer *from, *to;

  gst_element_set_state (h->element, GST_STATE_NULL);
  share (h->element, context);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      answer_allocation, offer, NULL);
  gst_harness_set_caps_str (h, CAPS, out_caps);
  from = frame_new (&info, LAYOUT_SHIFTED, 3);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_same_frame (&info, from, to);
  fail_unless (frame_memory (to)->context == context);
  gst_buffer_unref (from);
  return to;
}

static GstBufferPool *
new_pool (GstMgpuContext * context)
{
  g_autoptr (GstMgpuQueue) queue = gst_mgpu_queue_new (context, NULL);
  GstBufferPool *pool = gst_mgpu_buffer_pool_new (queue, NULL);

  return pool;
}

/* Tests that downstream's pool is used if its frames are in the same context. */
GST_START_TEST (test_downstream_pool)
{
  const gchar *outs[] = { CAPS, DEVICE_CAPS ("NV12", 65, 33) };
  g_autoptr (GstMgpuContext) context = new_context ();
  g_autoptr (GstMgpuContext) other = new_context ();

  for (guint i = 0; i < G_N_ELEMENTS (outs); i++) {
    g_autoptr (GstBufferPool) same = new_pool (context);
    g_autoptr (GstBufferPool) foreign = new_pool (other);
    g_autoptr (GstBufferPool) system = gst_video_buffer_pool_new ();
    g_autoptr (GstBuffer) out = NULL;

    out = run_with_offer (IDENTITY, context, outs[i], &(Offer) {
        same, TRUE}
    );
    fail_unless (out->pool == same);
    gst_buffer_unref (out);
    out = run_with_offer (IDENTITY, context, outs[i], &(Offer) {
        foreign, TRUE}
    );
    fail_unless (out->pool != foreign);
    gst_buffer_unref (out);
    out = run_with_offer (IDENTITY, context, outs[i], &(Offer) {
        system, TRUE}
    );
    fail_unless (out->pool != system);
  }
  fail_unless (comes_to_refs (context, 1));
}

GST_END_TEST;

/* Tests that a downstream element without support for video metas gets frames with default
 * strides. */
GST_START_TEST (test_default_strides)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstMgpuContext) context = new_context ();
  g_autoptr (GstBuffer) out = run_with_offer (IDENTITY, context, CAPS, &(Offer) {
      NULL, FALSE}
  );
  GstVideoMeta *meta = gst_buffer_get_video_meta (out);

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&info); i++) {
    fail_unless_equals_int (meta->stride[i],
        GST_VIDEO_INFO_PLANE_STRIDE (&info, i));
    fail_unless_equals_uint64 (meta->offset[i],
        GST_VIDEO_INFO_PLANE_OFFSET (&info, i));
  }
  fail_unless_equals_uint64 (gst_buffer_get_size (out),
      GST_VIDEO_INFO_SIZE (&info));
}

GST_END_TEST;

CHECK_TESTS (mgpusharing)
{
  tcase_add_test (tc, test_one_context);
  tcase_add_test (tc, test_application_context);
  tcase_add_test (tc, test_need_context);
  tcase_add_test (tc, test_two_pipelines);
  tcase_add_test (tc, test_start_at_once);
  tcase_add_test (tc, test_start_pipelines_at_once);
  tcase_add_test (tc, test_no_pool_while_stopping);
  tcase_add_test (tc, test_programs_are_shared);
  tcase_add_test (tc, test_bound_device);
  tcase_add_test (tc, test_set_while_playing);
  tcase_add_test (tc, test_adopt);
  tcase_add_test (tc, test_foreign_copied);
  tcase_add_test (tc, test_offered_pool);
  tcase_add_test (tc, test_offered_metas);
  tcase_add_test (tc, test_downstream_pool);
  tcase_add_test (tc, test_default_strides);
}
