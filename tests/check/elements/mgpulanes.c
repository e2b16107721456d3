/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that chains of elements are distributed over several OpenCL contexts of one device, and
 * that elements that exchange frames share a context. */
#include "../../relink.h"
#include "../suite.h"
#include "common.h"

#include <string.h>

#define N_CHAINS 16
#define N_CONTEXTS 4

/* The width is a multiple of 4, so that rows have no padding bytes, which are undefined. */
#define CAPS HOST_CAPS ("GRAY8", 64, 33)
#define SOURCE "videotestsrc pattern=ball num-buffers=5 ! " CAPS " ! "

static void
set_max_contexts (const gchar * n)
{
  g_setenv ("GST_MGPU_CONTEXTS", n, TRUE);
}

static void
setup (void)
{
  set_max_contexts (G_STRINGIFY (N_CONTEXTS));
}

static void
add_bytes (GstElement * sink, GstBuffer * buffer, GstPad * pad,
    gpointer checksum)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  g_checksum_update (checksum, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
}

/* Makes a pipeline of N_CHAINS chains that exchange no frames. The elements of chain i are named bI
 * and hI; their output is added to @sums[i], unless @sums is NULL. */
static GstElement *
make_chains (GChecksum ** sums)
{
  GString *line = g_string_new (NULL);
  GstElement *pipeline;

  for (guint i = 0; i < N_CHAINS; i++)
    g_string_append_printf (line, SOURCE "mgpubilateral radius=2 "
        "sigma-color=%u name=b%u ! mgpuhisteq name=h%u ! mgpudownload ! "
        "fakesink signal-handoffs=true name=s%u ", 10 + 5 * i, i, i, i);
  pipeline = gst_parse_launch (line->str, NULL);
  fail_unless (pipeline != NULL);
  g_string_free (line, TRUE);
  for (guint i = 0; sums != NULL && i < N_CHAINS; i++) {
    gchar *name = g_strdup_printf ("s%u", i);
    GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);

    g_signal_connect (sink, "handoff", G_CALLBACK (add_bytes), sums[i]);
    gst_object_unref (sink);
    g_free (name);
  }
  return pipeline;
}

static GstMgpuContext *
context_of_chain (GstElement * pipeline, guint i)
{
  gchar *b = g_strdup_printf ("b%u", i), *h = g_strdup_printf ("h%u", i);
  GstMgpuContext *context = context_of (pipeline, b);

  fail_unless (context != NULL);
  fail_unless (context_of (pipeline, h) == context,
      "the elements of chain %u have two contexts", i);
  g_free (b);
  g_free (h);
  return context;
}

/* Runs @pipeline to its end, and checks that it has @n contexts, each with the same number of
 * chains. */
static void
check_spread (GstElement * pipeline, guint n)
{
  g_autoptr (GHashTable) chains = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer count;

  fail_unless_no_error (run_to_end (pipeline));
  for (guint i = 0; i < N_CHAINS; i++) {
    GstMgpuContext *context = context_of_chain (pipeline, i);

    count = g_hash_table_lookup (chains, context);
    g_hash_table_insert (chains, context,
        GUINT_TO_POINTER (GPOINTER_TO_UINT (count) + 1));
  }
  fail_unless_equals_int (g_hash_table_size (chains), n);
  g_hash_table_iter_init (&iter, chains);
  while (g_hash_table_iter_next (&iter, NULL, &count))
    fail_unless_equals_int (GPOINTER_TO_UINT (count), N_CHAINS / n);
}

/* Tests that chains that exchange no frames are distributed evenly over several contexts, also in a
 * second run, and give the same bytes as in one context. */
GST_START_TEST (test_spread)
{
  GChecksum *sums[2][N_CHAINS];

  for (guint run = 0; run < 2; run++) {
    GstElement *pipeline;
    guint n = run == 0 ? N_CONTEXTS : 1;

    set_max_contexts (run == 0 ? G_STRINGIFY (N_CONTEXTS) : "1");
    for (guint i = 0; i < N_CHAINS; i++)
      sums[run][i] = g_checksum_new (G_CHECKSUM_SHA256);
    pipeline = make_chains (sums[run]);
    check_spread (pipeline, n);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    check_spread (pipeline, n);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (pipeline);
  }
  for (guint i = 0; i < N_CHAINS; i++) {
    fail_unless_equals_string (g_checksum_get_string (sums[0][i]),
        g_checksum_get_string (sums[1][i]));
    g_checksum_free (sums[0][i]);
    g_checksum_free (sums[1][i]);
  }
}

GST_END_TEST;

/* Tests that a value of the environment variable that is not a number from 1 to 64 is ignored. */
GST_START_TEST (test_bad_number)
{
  const gchar *values[] = { "", "0", "65", "-1", "four" };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    GstMgpuContext *context;

    set_max_contexts (values[i]);
    context = gst_mgpu_context_new (NULL, NULL);
    fail_unless_equals_int (gst_mgpu_context_get_traits (context)->max_contexts,
        g_str_has_prefix (gst_mgpu_context_get_platform_name (context),
            "NVIDIA") ? 4 : 1);
    gst_object_unref (context);
  }
}

GST_END_TEST;

/* Runs a pipeline and checks that its elements named a, b, c and d share a context. */
static void
check_one (const gchar * line)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch (line, NULL);
  GstMgpuContext *context;

  fail_unless_no_error (run_to_end (pipeline));
  context = context_of (pipeline, "a");
  fail_unless (context != NULL);
  fail_unless (context_of (pipeline, "b") == context);
  fail_unless (context_of (pipeline, "c") == context);
  fail_unless (context_of (pipeline, "d") == context);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Tests that branches after a tee, and both inputs of an element, share a context. */
GST_START_TEST (test_branches)
{
  check_one (SOURCE "mgpuupload name=a ! mgpublur name=b ! tee name=t "
      "t. ! queue ! mgpuhisteq name=c ! fakesink "
      "t. ! queue ! mgpusharpen name=d ! fakesink");
  check_one (SOURCE
      "mgpublur name=a ! mgpubilateral name=b ! mgpuhisteq name=c ! "
      "fakesink " SOURCE "mgpublur name=d ! b.guide");
}

GST_END_TEST;

/* Tests that all elements use a context that the application gives to the pipeline, because the
 * application may use their frames in this context. */
GST_START_TEST (test_application)
{
  g_autoptr (GstElement) pipeline = make_chains (NULL);
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
  GstContext *carrier = gst_context_new_mgpu_context (context);

  gst_element_set_context (pipeline, carrier);
  gst_context_unref (carrier);
  check_spread (pipeline, 1);
  fail_unless (context_of_chain (pipeline, 0) == context);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests a frame that is taken out of one chain and pushed into another chain, which has another
 * context. */
GST_START_TEST (test_meet)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch (SOURCE
      "mgpublur name=a ! video/x-raw(memory:OpenCLMemory) ! appsink name=out "
      "appsrc name=in format=time caps=video/x-raw(memory:OpenCLMemory),format=GRAY8,"
      "width=64,height=33,framerate=30/1 ! mgpuhisteq name=b ! fakesink async=false",
      NULL);
  g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  g_autoptr (GstElement) in = gst_bin_get_by_name (GST_BIN (pipeline), "in");
  GstSample *sample;
  GstFlowReturn ret;
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_if (context_of (pipeline, "a") == context_of (pipeline, "b"));
  g_signal_emit_by_name (out, "pull-sample", &sample);
  fail_unless (sample != NULL);
  g_signal_emit_by_name (in, "push-buffer", gst_sample_get_buffer (sample),
      &ret);
  fail_unless_equals_int (ret, GST_FLOW_OK);
  gst_sample_unref (sample);
  do {
    g_signal_emit_by_name (out, "pull-sample", &sample);
    if (sample != NULL)
      gst_sample_unref (sample);
  } while (sample != NULL);
  g_signal_emit_by_name (in, "end-of-stream", &ret);
  message = gst_bus_timed_pop_filtered (bus, 240 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  fail_unless (context_of (pipeline, "a") == context_of (pipeline, "b"));
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* --- Streams that are linked to other streams in PLAYING --- */

/* The last frame that a sink has received */
typedef struct
{
  GMutex lock;
  GCond changed;
  gchar *sum;                   /* checksum of the frame's bytes; NULL before the first frame */
} Seen;

static void
see (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  Seen *seen = data;
  GstMapInfo map;
  gchar *sum;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  g_mutex_lock (&seen->lock);
  g_free (seen->sum);
  seen->sum = sum;
  g_cond_signal (&seen->changed);
  g_mutex_unlock (&seen->lock);
}

/* Connects @seen to the frames of the fakesink named @name. */
static void
seen_init (Seen * seen, GstElement * pipeline, const gchar * name)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), name);

  g_mutex_init (&seen->lock);
  g_cond_init (&seen->changed);
  seen->sum = NULL;
  g_object_set (sink, "signal-handoffs", TRUE, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (see), seen);
}

static void
seen_clear (Seen * seen)
{
  g_free (seen->sum);
  g_mutex_clear (&seen->lock);
  g_cond_clear (&seen->changed);
}

/* Waits for a frame with the checksum @sum. */
static void
wait_for (Seen * seen, const gchar * sum)
{
  gint64 until = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  g_mutex_lock (&seen->lock);
  while (g_strcmp0 (seen->sum, sum) != 0)
    fail_unless (g_cond_wait_until (&seen->changed, &seen->lock, until),
        "no frame has the bytes that are expected");
  g_mutex_unlock (&seen->lock);
}

/* Runs the pipeline @line in one context. Returns: (transfer full): the checksum of the last
 * frame of its sink s0 */
static gchar *
sum_in_one_context (const gchar * line)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch (line, NULL);
  gchar *sum;
  Seen seen;

  set_max_contexts ("1");
  seen_init (&seen, pipeline, "s0");
  fail_unless_no_error (run_to_end (pipeline));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  set_max_contexts (G_STRINGIFY (N_CONTEXTS));
  sum = g_steal_pointer (&seen.sum);
  fail_unless (sum != NULL);
  seen_clear (&seen);
  return sum;
}

static GstElement *
play (const gchar * line)
{
  GstElement *pipeline = gst_parse_launch (line, NULL);

  fail_unless (pipeline != NULL);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          240 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
  return pipeline;
}

static void
swap_ends (GstElement * pipeline)
{
  g_autoptr (GstElement) a = gst_bin_get_by_name (GST_BIN (pipeline), "q0");
  g_autoptr (GstElement) b = gst_bin_get_by_name (GST_BIN (pipeline), "q1");

  fail_unless (relink_swap (a, b, 60 * GST_SECOND));
}

#define STILL(pattern) "videotestsrc pattern=" pattern " ! " CAPS " ! "
#define STILLS(pattern) "videotestsrc num-buffers=2 pattern=" pattern " ! " \
    CAPS " ! "

/* Tests relinking: the second halves of two chains are exchanged, and exchanged back. Their
 * elements then use the context of the frames that they receive. */
GST_START_TEST (test_relink)
{
  g_autofree gchar *first = sum_in_one_context (STILLS ("smpte75")
      "mgpublur ! mgpuhisteq ! mgpudownload ! fakesink name=s0");
  g_autofree gchar *second = sum_in_one_context (STILLS ("circular")
      "mgpublur ! mgpuhisteq ! mgpudownload ! fakesink name=s0");
  const gchar *sums[2] = { first, second };
  g_autoptr (GstElement) pipeline =
      play (STILL ("smpte75") "mgpublur name=a0 ! "
      "queue name=q0 ! mgpuhisteq name=b0 ! mgpudownload ! fakesink name=s0 "
      STILL ("circular") "mgpublur name=a1 ! queue name=q1 ! "
      "mgpuhisteq name=b1 ! mgpudownload ! fakesink name=s1");
  GstMgpuContext *contexts[2] =
      { context_of (pipeline, "a0"), context_of (pipeline, "a1") };
  Seen seen[2];

  fail_if (contexts[0] == contexts[1]);
  seen_init (&seen[0], pipeline, "s0");
  seen_init (&seen[1], pipeline, "s1");
  for (guint i = 0; i < 5; i++) {
    wait_for (&seen[0], sums[i % 2]);
    wait_for (&seen[1], sums[1 - i % 2]);
    fail_unless (context_of (pipeline, "b0") == contexts[i % 2]);
    fail_unless (context_of (pipeline, "b1") == contexts[1 - i % 2]);
    if (i < 4)
      swap_ends (pipeline);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  seen_clear (&seen[0]);
  seen_clear (&seen[1]);
}

GST_END_TEST;

/* Names of the contexts that a log message has to contain, and the number of such messages */
static gchar *names[2];
static gint n_told;

static void
count_told (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer element)
{
  const gchar *text;

  if (level != GST_LEVEL_INFO || object != element)
    return;
  text = gst_debug_message_get (message);
  if (strstr (text, "copied through the host") != NULL
      && strstr (text, names[0]) != NULL && strstr (text, names[1]) != NULL)
    g_atomic_int_inc (&n_told);
}

/* Links the tee t, in PLAYING, to a pad that it requests from @filter. */
static void
link_second_input (GstElement * pipeline, GstElement * filter,
    const gchar * name)
{
  g_autoptr (GstElement) tee = gst_bin_get_by_name (GST_BIN (pipeline), "t");
  GstElement *queue = gst_element_factory_make ("queue", NULL);

  gst_bin_add (GST_BIN (pipeline), queue);
  fail_unless (gst_element_link_pads (queue, "src", filter, name));
  fail_unless (gst_element_sync_state_with_parent (queue));
  fail_unless (gst_element_link (tee, queue));
}

/* Pushes frames of another context to the pad @name of @filter, which keeps its context, and checks
 * that the results equal those with one context. @n_messages: how often a log message reports
 * this */
static void
check_second_input (const gchar * filter, const gchar * name, gint n_messages)
{
  g_autofree gchar *alone = g_strdup_printf (STILLS ("smpte75") "%s name=b ! "
      "mgpudownload ! fakesink name=s0 " STILLS ("circular") "mgpublur ! "
      "b.%s", filter, name);
  g_autofree gchar *line = g_strdup_printf (STILL ("smpte75") "%s name=b ! "
      "mgpudownload ! fakesink name=s0 sync=true " STILL ("circular")
      "mgpublur name=d ! tee name=t ! queue ! fakesink sync=true", filter);
  g_autofree gchar *sum = sum_in_one_context (alone);
  g_autoptr (GstElement) pipeline = play (line);
  g_autoptr (GstElement) b = gst_bin_get_by_name (GST_BIN (pipeline), "b");
  GstMgpuContext *own = context_of (pipeline, "b");
  GstMgpuContext *other = context_of (pipeline, "d");
  Seen seen;

  fail_if (own == other);
  names[0] = gst_object_get_name (GST_OBJECT (own));
  names[1] = gst_object_get_name (GST_OBJECT (other));
  g_atomic_int_set (&n_told, 0);
  gst_debug_set_threshold_for_name ("mgpu*", GST_LEVEL_INFO);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_told, b, NULL);
  seen_init (&seen, pipeline, "s0");
  link_second_input (pipeline, b, name);
  wait_for (&seen, sum);
  fail_unless (context_of (pipeline, "b") == own);
  fail_unless (context_of (pipeline, "d") == other);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_debug_remove_log_function (count_told);
  gst_debug_add_log_function (gst_debug_log_default, NULL, NULL);
  gst_debug_set_threshold_for_name ("mgpu*", GST_LEVEL_NONE);
  fail_unless_equals_int (g_atomic_int_get (&n_told), n_messages);
  seen_clear (&seen);
  g_free (names[0]);
  g_free (names[1]);
}

/* Tests a second input whose frames are in another context; masks are read by the host, whatever
 * their context is. */
GST_START_TEST (test_second_input)
{
  check_second_input ("mgpubilateral sigma-color=5", "guide", 1);
  check_second_input ("mgpublur sigma=4", "mask_sink", 0);
}

GST_END_TEST;

/* Counts the objects of this library that the leaks tracer lists. */
static guint
count_objects (void)
{
  GList *tracers = gst_tracing_get_active_tracers ();
  guint n = 0;

  fail_unless (tracers != NULL, "GST_TRACERS=leaks is not set");
  for (GList * l = tracers; l != NULL; l = l->next) {
    GstStructure *found = NULL;
    const GValue *list;

    g_signal_emit_by_name (l->data, "get-live-objects", &found);
    list = gst_structure_get_value (found, "live-objects-list");
    for (guint i = 0; i < gst_value_list_get_size (list); i++) {
      const GstStructure *s =
          gst_value_get_structure (gst_value_list_get_value (list, i));
      const GValue *object = gst_structure_get_value (s, "object");

      n += g_str_has_prefix (G_VALUE_TYPE_NAME (object), "GstMgpu")
          || g_type_is_a (G_VALUE_TYPE (object), GST_TYPE_BUFFER);
    }
    gst_structure_free (found);
  }
  g_list_free_full (tracers, gst_object_unref);
  return n;
}

/* Tests that contexts, and everything that belongs to them, are freed with the elements that use
 * them. */
GST_START_TEST (test_freed)
{
  GstElement *pipeline = make_chains (NULL);
  GWeakRef refs[N_CHAINS];

  check_spread (pipeline, N_CONTEXTS);
  for (guint i = 0; i < N_CHAINS; i++)
    g_weak_ref_init (&refs[i], context_of_chain (pipeline, i));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  for (guint i = 0; i < N_CHAINS; i++) {
    fail_unless (g_weak_ref_get (&refs[i]) == NULL);
    g_weak_ref_clear (&refs[i]);
  }
  fail_unless_equals_int (count_objects (), 0);
}

GST_END_TEST;

CHECK_TESTS (mgpulanes)
{
  tcase_add_checked_fixture (tc, setup, NULL);
  tcase_add_test (tc, test_spread);
  tcase_add_test (tc, test_bad_number);
  tcase_add_test (tc, test_branches);
  tcase_add_test (tc, test_application);
  tcase_add_test (tc, test_meet);
  tcase_add_test (tc, test_relink);
  tcase_add_test (tc, test_second_input);
  tcase_add_test (tc, test_freed);
}
