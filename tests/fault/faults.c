/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs a pipeline again and again, with OpenCL call 1, 2, 3 ... failing, until
 * a run has fewer calls than that. Each run has to end, either as if nothing
 * had happened or with an error message of one of our elements.
 *
 * faults LIBRARY PIPELINE          all of them
 * faults --one PIPELINE            one run, in this process */
#include <gst/gst.h>
#include <string.h>

/* Far more than any pipeline here needs. */
#define MAX_CALLS 5000
#define SECONDS 30

#define EXIT_MESSAGE 3
#define EXIT_HANGS 4

/* Prints the error. Returns 0 at the end of the stream. */
static int
run_one (const gchar * launch)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);
  GstMessage *message;
  GstBus *bus;
  gchar *debug;
  int status = 0;

  if (pipeline == NULL) {
    g_printerr ("%s\n", error->message);
    g_clear_error (&error);
    return 1;
  }
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, SECONDS * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message == NULL) {
    g_printerr ("neither an error nor the end after %d s\n", SECONDS);
    status = EXIT_HANGS;
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, &debug);
    g_printerr ("error of %s: %s (%s)\n", GST_OBJECT_NAME (message->src),
        error->message, debug != NULL ? debug : "");
    g_error_free (error);
    g_free (debug);
    status = EXIT_MESSAGE;
  }
  g_clear_pointer (&message, gst_message_unref);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  return status;
}

/* The name of the function that failed in a run that printed text, or NULL
 * when none did. */
static gchar *
injected (const gchar * text)
{
  /* "fault: call 7, clFlush, fails" */
  const gchar *line = strstr (text, "fault: call ");
  const gchar *name = line != NULL ? strchr (line, ',') : NULL;

  return name != NULL ? g_strndup (name + 2, strcspn (name + 2, ",")) : NULL;
}

/* Where a source fills frames of our pool, it is the source that fails when
 * there is no memory for one. */
static gboolean
is_of_frames (const gchar * name)
{
  return g_str_equal (name, "clCreateBuffer")
      || g_str_equal (name, "clEnqueueMapBuffer")
      || g_str_equal (name, "clEnqueueUnmapMemObject");
}

/* FALSE when the run, where the call name failed, did not end well. */
static gboolean
run_ended_well (gint wait_status, const gchar * text, const gchar * name)
{
  GError *error = NULL;
  gboolean ok;

  if (g_spawn_check_wait_status (wait_status, &error))
    return TRUE;
  ok = g_error_matches (error, G_SPAWN_EXIT_ERROR, EXIT_MESSAGE)
      && name != NULL
      && (strstr (text, "error of mgpu") != NULL || is_of_frames (name));
  if (!ok)
    g_printerr ("%s:\n%s\n", error->message, text);
  g_clear_error (&error);
  return ok;
}

/* Runs the pipeline in a process of its own where call fails, or none when it
 * is 0. FALSE when that process cannot be started. */
static gboolean
spawn_one (const gchar * self, const gchar * library, const gchar * launch,
    guint call, gchar ** text, gint * wait_status)
{
  const gchar *argv[] = { self, "--one", launch, NULL };
  gchar *number = g_strdup_printf ("%u", call);
  gchar **env = g_get_environ ();
  GError *error = NULL;
  gboolean ok;

  env = g_environ_setenv (env, "LD_PRELOAD", library, TRUE);
  env = g_environ_setenv (env, "MGPU_TEST_FAIL_CALL", number, TRUE);
  /* The sanitizer wants to be the first library; this one may be before it.
   * Whole stacks of allocations would take ten times as long. */
  env = g_environ_setenv (env, "ASAN_OPTIONS", call == 0 ?
      "verify_asan_link_order=0:detect_leaks=0" :
      "verify_asan_link_order=0:fast_unwind_on_malloc=1", TRUE);
  ok = g_spawn_sync (NULL, (gchar **) argv, env, 0, NULL, NULL, NULL, text,
      wait_status, &error);
  if (!ok)
    g_printerr ("%s\n", error->message);
  g_clear_error (&error);
  g_strfreev (env);
  g_free (number);
  return ok;
}

static int
run_all (const gchar * self, const gchar * library, const gchar * launch)
{
  guint n_bad = 0, call;

  /* The run without a fault fills the caches: PoCL leaks when it compiles. */
  for (call = 0; call < MAX_CALLS; call++) {
    gchar *text = NULL, *name;
    gint wait_status = 0;

    if (!spawn_one (self, library, launch, call, &text, &wait_status))
      return 1;
    name = injected (text);
    if (!run_ended_well (wait_status, text, name)) {
      g_printerr ("with call %u, %s, failing\n\n", call,
          name != NULL ? name : "which is none,");
      n_bad++;
    }
    g_free (text);
    if (name == NULL && call > 0)
      break;
    g_free (name);
  }
  g_print ("%u calls made to fail, %u of them badly\n", call - 1, n_bad);
  return n_bad > 0 || call == 1 || call == MAX_CALLS;
}

int
main (int argc, char **argv)
{
  int status;

  if (argc != 3)
    return 2;
  gst_init (NULL, NULL);
  if (g_str_equal (argv[1], "--one"))
    status = run_one (argv[2]);
  else
    status = run_all (argv[0], argv[1], argv[2]);
  gst_deinit ();
  return status;
}
