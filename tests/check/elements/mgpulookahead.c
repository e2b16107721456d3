/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests elements that keep frames until later frames arrive, after a tee: a warning reports that
 * the other branch blocks upstream. The test advances the clock. */
#include "common.h"

#include <gst/check/gsttestclock.h>

#define FRAMES "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1"
#define SOURCE "videotestsrc num-buffers=60 ! " FRAMES " ! tee name=t "
#define STABILIZE "t. ! queue ! mgpustabilize name=f ! fakesink"
#define INPAINT "t. ! queue ! mgpuinpaint name=f background=true " \
    "look-ahead=15 ! fakesink"
#define UNLIMITED "max-size-buffers=0 max-size-bytes=0 max-size-time=0 "

static GstTestClock *test_clock;

static void
setup (void)
{
  test_clock = GST_TEST_CLOCK (gst_test_clock_new ());
  gst_system_clock_set_default (GST_CLOCK (test_clock));
}

static void
teardown (void)
{
  gst_system_clock_set_default (NULL);
  gst_object_unref (test_clock);
}

/* Advances the test clock to the next scheduled time, at most @most times, until there is a message
 * of the type @type. Returns: (transfer full) (nullable): the message */
static GstMessage *
wait_for (GstBus * bus, GstMessageType type, guint most)
{
  GstMessage *message = NULL;

  for (guint i = 0; i < most && message == NULL;) {
    GstClockID id;

    /* Avoids gst_test_clock_crank(), which would wait forever for an id that was unscheduled
     * meanwhile. */
    if (gst_test_clock_peek_next_pending_id (test_clock, &id)) {
      GstClockID done;

      gst_test_clock_set_time (test_clock, MAX (gst_clock_id_get_time (id),
              gst_clock_get_time (GST_CLOCK (test_clock))));
      done = gst_test_clock_process_next_clock_id (test_clock);
      g_clear_pointer (&done, gst_clock_id_unref);
      gst_clock_id_unref (id);
      i++;
    }
    /* Gives the threads that fill the queues some time. */
    message = gst_bus_timed_pop_filtered (bus, 20 * GST_MSECOND, type
        | GST_MESSAGE_ERROR);
  }
  return message;
}

/* Returns: (transfer full): the text of the warning @message (transfer full) */
static gchar *
get_text (GstMessage * message)
{
  gchar *text;
  g_autoptr (GError) error = NULL;

  fail_unless (message != NULL);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_WARNING);
  fail_unless_equals_string (GST_MESSAGE_SRC_NAME (message), "f");
  gst_message_parse_warning (message, &error, NULL);
  text = g_strdup (error->message);
  gst_message_unref (message);
  return text;
}

/* Starts a pipeline and waits until its sinks have preroll frames. Returns: (transfer full)
 * (nullable): the text of the warning that was posted instead */
static gchar *
preroll (const gchar * launch)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gchar *text = NULL;
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  message = wait_for (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ASYNC_DONE, 1000);
  fail_unless (message != NULL);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ASYNC_DONE) {
    gst_message_unref (message);
  } else {
    text = get_text (message);
    /* Checks that the warning is posted only once. */
    fail_unless_equals_int (gst_test_clock_peek_id_count (test_clock), 0);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fail_unless_equals_int (gst_test_clock_peek_id_count (test_clock), 0);
  return text;
}

/* Tests that the warning names the queue and its required limit, and that the pipeline starts with
 * this limit. */
GST_START_TEST (test_small_queue)
{
  static const struct
  {
    const gchar *queue, *limit, *value;
  } cases[] = {
    {"queue", "max-size-buffers", "5"}, {"queue", "max-size-bytes", "15360"},
    {"queue", "max-size-time", "200000000"}, {"queue2", "max-size-buffers", "5"},
    {"multiqueue", "max-size-buffers", "5"},
    {"multiqueue", "max-size-bytes", "15360"}
  };
  const gchar *element = __i__ % 2 == 0 ? STABILIZE : INPAINT;
  const gchar *queue = cases[__i__ / 2].queue, *limit = cases[__i__ / 2].limit;
  g_autofree gchar *launch =
      g_strdup_printf (SOURCE "t. ! %s name=small " UNLIMITED
      "%s=%s ! identity ! fakesink %s", queue, limit, cases[__i__ / 2].value,
      element);
  g_autofree gchar *text = preroll (launch), *cure =
      g_strdup_printf ("%s of small at " "least ", limit);
  const gchar *at = strstr (text, cure);
  guint64 value;

  fail_unless (at != NULL, "%s", text);
  value = g_ascii_strtoull (at + strlen (cure), NULL, 10);
  g_free (launch);
  launch = g_strdup_printf (SOURCE "t. ! %s name=small " UNLIMITED
      "%s=%" G_GUINT64_FORMAT " ! identity ! fakesink %s", queue, limit, value,
      element);
  fail_unless_equals_string (preroll (launch), NULL);
}

GST_END_TEST;

/* Tests a branch of the tee that blocks upstream without a queue. */
GST_START_TEST (test_no_queue)
{
  g_autofree gchar *text =
      preroll (SOURCE STABILIZE " t. ! identity ! fakesink");

  fail_unless (strstr (text, "t:src_1") != NULL, "%s", text);
  fail_unless (strstr (text, "put a queue there") != NULL, "%s", text);
}

GST_END_TEST;

/* Tests a queue in the other branch that is inside a bin. */
GST_START_TEST (test_bin)
{
  g_autofree gchar *text =
      preroll ("videotestsrc num-buffers=60 ! " FRAMES " ! tee name=t "
      "( queue name=inside max-size-buffers=3 ! fakesink ) t. ! inside. "
      STABILIZE);

  fail_unless (strstr (text, "max-size-buffers of inside at least") != NULL,
      "%s", text);
}

GST_END_TEST;

/* Tests four cases without a warning: a slow source, a full queue that drops frames, a late frame
 * that others followed, and the end of the stream. */
GST_START_TEST (test_no_warning)
{
  static const gchar *const branches[] = {
    "", "t. ! queue ! fakesink",
    "t. ! queue max-size-buffers=2 leaky=downstream ! fakesink"
  };
  g_autofree gchar *launch =
      g_strdup_printf ("appsrc name=s format=time caps=" FRAMES
      " ! tee name=t %s " STABILIZE, branches[__i__]);
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstVideoInfo info = info_from_string (FRAMES);
  GstFlowReturn ret;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  for (guint i = 0; i < 12; i++) {
    GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, i);

    GST_BUFFER_PTS (frame) = i * 40 * GST_MSECOND;
    GST_BUFFER_DURATION (frame) = 40 * GST_MSECOND;
    g_signal_emit_by_name (source, "push-buffer", frame, &ret);
    fail_unless_equals_int (ret, GST_FLOW_OK);
    gst_buffer_unref (frame);
    if (i % 4 == 3)
      fail_unless (wait_for (bus, GST_MESSAGE_WARNING, 3) == NULL);
  }
  g_signal_emit_by_name (source, "end-of-stream", &ret);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          GST_CLOCK_TIME_NONE), GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_test_clock_peek_id_count (test_clock), 0);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpulookahead)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_loop_test (tc, test_small_queue, 0, 12);
  tcase_add_test (tc, test_no_queue);
  tcase_add_test (tc, test_bin);
  tcase_add_loop_test (tc, test_no_warning, 0, 3);
}
