/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs pipelines again and again, with OpenCL call 1, 2, 3 ... failing, until a run has fewer calls
 * than that. Of the calls from one place in the code, with the same functions on the stack, only
 * the first and the last one fail, because loops would repeat the same failure. If calls from the
 * place have failed in an earlier pipeline of the algorithm, or on the other kind of device, the
 * code after the failure is the same, and only the objects that the pipeline holds at that time are
 * new: of those calls one in KNOWN_STEP fails, distributed over the run. Each run has to end: with
 * the frames and metas of a run without a fault, with an error message of one of this project's
 * elements, or with a frame or a meta that cannot be read. All OpenCL objects have to be released
 * after it.
 *
 *   faults ALGORITHM         runs the algorithm's pipelines in table.c, on a device that
 *                            shares memory with the host, and on one that does not;
 *                            "base" makes calls fail while the device is opened
 *   faults --table           checks that table.c has every element and every mode
 *   faults [--own-memory] [--call=N] PIPELINE
 *                            for use by hand: runs PIPELINE, with each call or call N
 *                            failing */
#include "faults.h"

#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Number of calls after which a run is given up, far more than any pipeline of the table makes */
#define MAX_CALLS 20000
/* Step between failing calls: of the chosen calls from places that have failed before, one in this
 * many fails. */
#define KNOWN_STEP 4
/* Maximum number of known places: a power of two, far more than there are places in a test */
#define MAX_PLACES 65536
/* Limit for one run, in seconds. A run may have to build kernels for a device with other limits,
 * while other programs use the processors. */
#define SECONDS 240

/* Describes how a run ended, and its frames. */
typedef struct
{
  gboolean is_ours;             /* an error was posted by one of this project's elements */
  gboolean is_unread;           /* a frame or a meta could not be read */
  gchar *error;
  guint64 sum;                  /* checksum of all frames and metas */
} Run;

/* Reports the progress to the process that waits for this one. */
typedef struct
{
  guint call;
  guint n_places;               /* that make the calls */
  guint n_failed;               /* number of calls that were made to fail */
  guint n_bad;
} Progress;

/* A call site (0: none), and the run of run_pipeline() in which it first occurred */
typedef struct
{
  gulong place;
  guint pipeline;
} Place;

/* Known call sites, shared by all processes, in an array of MAX_PLACES elements */
static Place *known;
/* Number of runs of run_pipeline() */
static guint n_pipelines;

static gboolean own_memory;
static gint only_call = -1;
static gboolean check_table;

/* Whether calls that open the device are also made to fail. These calls are the same for all
 * elements, and nearly half of the calls of a short pipeline. */
static gboolean with_opening = TRUE;

static const GOptionEntry entries[] = {
  {"own-memory", 0, 0, G_OPTION_ARG_NONE, &own_memory,
      "The device seems to have memory of its own", NULL},
  {"call", 0, 0, G_OPTION_ARG_INT, &only_call, "Only this call fails", "N"},
  {"table", 0, 0, G_OPTION_ARG_NONE, &check_table,
      "Look for elements and modes that no pipeline has", NULL},
  {NULL}
};

/* Declares a function of the leak checker, which is NULL without one. */
int __lsan_do_recoverable_leak_check (void) __attribute__((weak));

static gboolean
is_our_element (GstObject * object)
{
  GstElementFactory *factory = GST_IS_ELEMENT (object)
      ? gst_element_get_factory (GST_ELEMENT (object)) : NULL;

  return factory != NULL
      && g_str_has_prefix (GST_OBJECT_NAME (factory), "mgpu");
}

static GstPadProbeReturn
read_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Run *run = data;
  guint64 sum = 0;
  GstCaps *caps = gst_pad_get_current_caps (pad);

  if (!faults_sum_frame (caps, GST_PAD_PROBE_INFO_BUFFER (info), &sum))
    run->is_unread = TRUE;
  gst_caps_unref (caps);
  /* Computes a sum that does not depend on order, because sinks have separate threads, so that
   * frames of several sinks come in no fixed order. */
  __atomic_fetch_add (&run->sum, sum, __ATOMIC_RELAXED);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
add_region (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER
      (info));

  gst_buffer_add_video_region_of_interest_meta (buffer, "thing", 4, 4, 14, 12);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

/* Adds a region to the frames of sources, and reads the frames of sinks. */
static void
add_probes (GstElement * pipeline, Run * run)
{
  g_autoptr (GstIterator) elements =
      gst_bin_iterate_elements (GST_BIN (pipeline));
  GValue item = G_VALUE_INIT;

  while (gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&item);
    GstPad *pad = NULL;

    if (GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK)) {
      pad = gst_element_get_static_pad (element, "sink");
      gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, read_frame, run, NULL);
    } else if (GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SOURCE)) {
      pad = gst_element_get_static_pad (element, "src");
      gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, add_region, NULL,
          NULL);
    }
    gst_clear_object (&pad);
    g_value_unset (&item);
  }
}

/* Takes the error messages from the bus. */
static void
take_errors (GstBus * bus, Run * run)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    g_autoptr (GError) error = NULL;
    g_autofree gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    run->is_ours |= is_our_element (GST_MESSAGE_SRC (message));
    if (run->error == NULL)
      run->error = g_strdup_printf ("%s: %s (%s)",
          GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), error->message,
          debug != NULL ? debug : "");
    gst_message_unref (message);
  }
}

static void
set_open_context (GstElement * pipeline)
{
  GError *error = NULL;
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);
  g_autoptr (GstContext) carrier = NULL;

  if (context == NULL)
    g_error ("%s", error->message);
  carrier = gst_context_new_mgpu_context (context);
  gst_element_set_context (pipeline, carrier);
}

static GstElement *
make_pipeline (const gchar * launch, Run * run)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  if (error != NULL)
    g_error ("%s: %s", launch, error->message);
  add_probes (pipeline, run);
  if (!with_opening)
    set_open_context (pipeline);
  return pipeline;
}

/* Plays the pipeline to its end. Returns FALSE if it does not end in time. */
static gboolean
play (GstElement * pipeline, Run * run)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  gboolean ends;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, SECONDS * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  ends = message != NULL;
  if (ends && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_bus_post (bus, gst_message_ref (message));
  g_clear_pointer (&message, gst_message_unref);
  take_errors (bus, run);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ends;
}

/* Returns whether the call @name allocates or maps memory of frames. If such a call fails, a source
 * that fills frames of this project's pool posts the error. */
static gboolean
is_of_frames (const gchar * name)
{
  return g_str_equal (name, "clCreateBuffer")
      || g_str_equal (name, "clEnqueueMapBuffer")
      || g_str_equal (name, "clEnqueueUnmapMemObject");
}

/* Returns what is wrong with a run in which the call @name failed; NULL if the run ended as it
 * should. */
static const gchar *
judge (const Run * run, gboolean ends, const gchar * name, guint64 want)
{
  if (!ends)
    return "neither an error nor the end of the stream";
  if (name == NULL)
    return run->error != NULL ? "an error without a fault"
        : run->is_unread ? "unreadable frames without a fault" : NULL;
  if (run->error != NULL)
    return run->is_ours || is_of_frames (name) ? NULL
        : "no error message of the element";
  if (run->sum != want && !run->is_unread)
    return "other frames, and no error";
  return NULL;
}

/* Returns whether the number of references differs from the one after the previous run. PoCL's
 * threads release an event a little later than they wake the threads that wait for the event. */
static gboolean
has_lost_references (void)
{
  static gint n_known;
  gint64 end = g_get_monotonic_time () + G_TIME_SPAN_SECOND;
  gint n;

  while ((n = fault_count_references ()) != n_known
      && g_get_monotonic_time () < end)
    g_usleep (1000);
  if (n == n_known)
    return FALSE;
  n_known = n;
  return TRUE;
}

/* Runs the pipeline, and makes call number @call fail. Returns the name of the function that
 * failed; NULL if the run had fewer calls. */
static const gchar *
run_call (const gchar * launch, guint call, guint64 * want, Progress * progress)
{
  Run run = { FALSE };
  GstElement *pipeline = make_pipeline (launch, &run);
  const gchar *name, *wrong;
  gboolean ends;

  progress->call = call;
  /* Sets an alarm, because a state change may hang. */
  alarm (3 * SECONDS);
  fault_arm (call);
  ends = play (pipeline, &run);
  gst_object_unref (pipeline);
  name = fault_get_name ();
  fault_arm (0);
  alarm (0);
  if (call == 0)
    *want = run.sum;
  wrong = judge (&run, ends, name, *want);
  if (has_lost_references () && wrong == NULL)
    wrong = "OpenCL objects that are not released, or too often";
  if (wrong != NULL || only_call >= 0) {
    progress->n_bad += wrong != NULL;
    g_print ("call %u, %s: %s\n", call, name != NULL ? name : "none",
        wrong != NULL ? wrong : "as it should");
    if (run.error != NULL)
      g_print ("  %s\n", run.error);
  }
  g_free (run.error);
  return name;
}

/* Returns whether an earlier pipeline has had the call site. */
static gboolean
is_known (gulong place)
{
  guint i = place % MAX_PLACES;

  while (known[i].place != 0 && known[i].place != place)
    i = (i + 1) % MAX_PLACES;
  if (known[i].place == 0) {
    known[i].place = place;
    known[i].pipeline = n_pipelines;
  }
  return known[i].pipeline < n_pipelines;
}

/* Runs the pipeline without a fault and chooses the calls that will be made to fail. Returns:
 * (transfer full): an array of gboolean; element i (from 1 on) says whether call number i has to
 * fail. Calls whose number is beyond the array also have to fail. */
static GArray *
choose_calls (const gchar * launch, Progress * progress)
{
  GArray *chosen = g_array_new (FALSE, TRUE, sizeof (gboolean));
  g_autofree gulong *places = g_new0 (gulong, MAX_CALLS);
  g_autoptr (GHashTable) first = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL);
  guint64 sum = 0;
  guint n = 1, n_known = 0;

  fault_record (places, MAX_CALLS);
  run_call (launch, 0, &sum, progress);
  fault_record (NULL, 0);
  while (n < MAX_CALLS && places[n] != 0)
    n++;
  g_array_set_size (chosen, n);
  for (guint i = 1; i < n; i++)
    g_array_index (chosen, gboolean, i) =
        g_hash_table_add (first, GSIZE_TO_POINTER (places[i]));
  for (guint i = n - 1; i > 0; i--)
    if (g_hash_table_add (last, GSIZE_TO_POINTER (places[i])))
      g_array_index (chosen, gboolean, i) = TRUE;
  for (guint i = 1; i < n; i++)
    if (g_array_index (chosen, gboolean, i) && is_known (places[i]))
      g_array_index (chosen, gboolean, i) = n_known++ % KNOWN_STEP == 0;
  progress->n_places = g_hash_table_size (first);
  return chosen;
}

/* Runs the calls in a separate process. After a call that crashed, continues with the call
 * @first. */
static void
run_calls (const gchar * launch, guint first, gboolean is_careful,
    Progress * progress)
{
  guint64 want = 0;
  GArray *chosen;

  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  /* If calls that open the device have to fail, each run opens the device again. */
  if (!with_opening)
    fault_keep ();
  if (own_memory)
    g_setenv ("MGPU_TEST_OWN_MEMORY", "1", TRUE);
  /* The run without a fault also fills the caches, because PoCL leaks memory when it compiles. */
  run_call (launch, 0, &want, progress);
  /* Returns if the run without a fault failed, because there are no frames to compare with then. */
  if (progress->n_bad > 0 && first == 1)
    return;
  if (only_call >= 0) {
    run_call (launch, only_call, &want, progress);
    return;
  }
  chosen = choose_calls (launch, progress);
  for (guint call = first; call < MAX_CALLS; call++) {
    if (call < chosen->len && !g_array_index (chosen, gboolean, call))
      continue;
    if (run_call (launch, call, &want, progress) == NULL) {
      g_array_unref (chosen);
      return;
    }
    progress->n_failed++;
    if (is_careful && __lsan_do_recoverable_leak_check != NULL
        && __lsan_do_recoverable_leak_check ()) {
      g_print ("call %u: leaks\n", call);
      _exit (1);
    }
  }
  g_array_unref (chosen);
  g_print ("more than %u calls\n", MAX_CALLS);
  progress->n_bad++;
}

/* Returns the exit status of a process that runs the calls from @first on. */
static int
spawn_calls (const gchar * launch, guint first, gboolean is_careful,
    Progress * progress)
{
  int status = 0;
  pid_t pid = fork ();

  if (pid < 0)
    g_error ("cannot fork");
  if (pid == 0) {
    run_calls (launch, first, is_careful, progress);
    gst_deinit ();
    exit (0);
  }
  waitpid (pid, &status, 0);
  return status;
}

/* Loads the plugins of the pipeline, so that code has the same addresses in all processes that are
 * started later. */
static void
load_plugins (const gchar * launch)
{
  GError *error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, &error);

  if (error != NULL)
    g_error ("%s: %s", launch, error->message);
}

/* Returns the processor time, in seconds, of all child processes that have ended. */
static gdouble
get_processor_time (void)
{
  struct rusage usage;

  getrusage (RUSAGE_CHILDREN, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Returns the number of calls whose runs end incorrectly. */
static guint
run_pipeline (const gchar * launch)
{
  gint64 began = g_get_monotonic_time ();
  gdouble processor_began = get_processor_time ();
  Progress *progress = mmap (NULL, sizeof (Progress), PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  guint n_crashes = 0, n_bad;
  gint leaks = FALSE;
  int status;

  g_print ("%s%s\n", launch, own_memory ? " (own memory)" : "");
  n_pipelines++;
  load_plugins (launch);
  while ((status = spawn_calls (launch, progress->call + 1, FALSE,
              progress)) != 0) {
    leaks = WIFEXITED (status);
    if (leaks)
      break;
    g_print ("call %u: %s (%s)\n", progress->call,
        WTERMSIG (status) == SIGALRM ? "hangs" : "crashes",
        strsignal (WTERMSIG (status)));
    n_crashes++;
    /* Stops if the pipeline crashed in run 0, in which no call fails, or if only one call was to
     * fail. */
    if (progress->call == 0 || only_call >= 0)
      break;
  }
  n_bad = progress->n_bad + n_crashes + leaks;
  g_print
      ("%u of %u calls, of %u places, made to fail, %u of them badly, %.1f s, %.1f s "
      "of the processor\n", progress->n_failed, progress->call,
      progress->n_places, n_bad, (g_get_monotonic_time () - began) / 1e6,
      get_processor_time () - processor_began);
  if (leaks && only_call < 0) {
    g_print ("The process leaks. Once more, up to the first call that does:\n");
    spawn_calls (launch, 1, TRUE, progress);
  }
  munmap (progress, sizeof (*progress));
  return n_bad;
}

/* Runs the element of an algorithm that has no pipeline in the table. */
static guint
run_element (const gchar * algorithm)
{
  g_autofree gchar *launch = faults_get_default_launch (algorithm);
  guint n_bad = 0;

  for (own_memory = FALSE; own_memory <= TRUE; own_memory++)
    n_bad += run_pipeline (launch);
  return n_bad;
}

static guint
run_algorithm (const gchar * algorithm)
{
  gchar *folder = faults_make_files ();
  guint n_bad = 0, n = 0;

  with_opening = g_str_equal (algorithm, "base");
  for (guint i = 0; faults_table[i].algorithm != NULL; i++)
    if (g_str_equal (faults_table[i].algorithm, algorithm)) {
      gchar *launch = faults_get_launch (&faults_table[i], folder);

      for (own_memory = FALSE; own_memory <= TRUE; own_memory++)
        n_bad += run_pipeline (launch);
      g_free (launch);
      n++;
    }
  faults_remove_files (folder);
  if (n == 0)
    n_bad += run_element (algorithm);
  return n_bad;
}

int
main (int argc, char **argv)
{
  GOptionContext *options = g_option_context_new ("ALGORITHM|PIPELINE");
  GError *error = NULL;
  guint n_bad;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error)
      || (argc != 2 && !check_table)) {
    g_printerr ("%s\n", error != NULL ? error->message : "faults --help");
    return 2;
  }
  g_option_context_free (options);
  known = mmap (NULL, MAX_PLACES * sizeof (Place), PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  /* Sets line buffering, so that a process that crashes loses no line of its output. */
  setvbuf (stdout, NULL, _IOLBF, 0);
  gst_init (NULL, NULL);
  if (check_table)
    n_bad = faults_check_table ();
  else if (strchr (argv[1], '!') != NULL)
    n_bad = run_pipeline (argv[1]);
  else
    n_bad = run_algorithm (argv[1]);
  gst_deinit ();
  return n_bad > 0;
}
