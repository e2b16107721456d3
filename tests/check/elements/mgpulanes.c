/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that chains of elements are spread over several OpenCL contexts of one device, and
 * that elements that exchange frames share one. */
#include "../suite.h"
#include "common.h"

#define N_CHAINS 8
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

/* Makes a pipeline of N_CHAINS chains that exchange no frames. The elements of chain i are
 * bI and hI; what they give is added to @sums[i], unless @sums is NULL. */
static GstElement *
make_chains (GChecksum ** sums)
{
  GString *line = g_string_new (NULL);
  GstElement *pipeline;

  for (guint i = 0; i < N_CHAINS; i++)
    g_string_append_printf (line, SOURCE "mgpubilateral radius=%u name=b%u ! "
        "mgpuhisteq name=h%u ! mgpudownload ! fakesink signal-handoffs=true "
        "name=s%u ", i + 1, i, i, i);
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

/* Runs @pipeline to its end and checks that it has @n contexts, each with as many chains. */
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

/* Chains that exchange no frames get different contexts, evenly, again in a second run, and
 * give the bytes that they give in one context. */
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

/* A value that is no number from 1 to 64 is ignored. */
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

/* Runs a pipeline and checks that the elements a, b, c and d share a context. */
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

/* Branches behind a tee, and both inputs of an element, exchange frames. */
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

/* All elements take a context that the application gives to the pipeline: the application
 * may use their frames in it. */
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

/* Takes a frame out of one chain, whose context is not that of the other chain, and gives it
 * to the other chain. */
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

/* Contexts go with the elements that use them. */
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
  tcase_add_test (tc, test_freed);
}
