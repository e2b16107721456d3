/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Plays random pipelines of all elements, with random events while they play: other caps, seeks,
 * properties, states, lost frames, views that turn, a device that runs short of memory. Nothing may
 * fail, hang or leak, and no frame may be dropped without a QoS message. Half of the pipelines play
 * on a device that appears to have dedicated memory.
 *
 *   soak [--seconds N] [--seed N] [--verbose] [--lanes]
 *
 * With --lanes a pipeline has several chains, which choose their contexts themselves, and frames of
 * one chain are suddenly pushed to elements of another chain.
 *
 * The seed determines what happens, but not when, because threads run in any order. */
#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>

#include <execinfo.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "../relink.h"
#include "../resident.h"
#include "draw.h"
#include "lanes.h"
#include "views.h"

/* Limit for any step: building the kernels of a chain takes longest, with an address sanitizer, on
 * a busy machine. Chains build their kernels one after the other. */
#define PATIENCE (120 * GST_SECOND)

/* Number of pipelines after which memory is measured for the first time: by then contexts own as
 * many programs as they may */
#define N_WARM 40

/* Maximum growth of resident memory after that, in MiB: 64, but 32 KiB for each pipeline in a run
 * of more than 2048 pipelines. Drivers keep kernels that they loaded, and PoCL keeps memory for
 * each program that it builds. */
#define MAX_GROWTH_MIB MAX (64, (glong) n_episodes / 32)

#define MAX_CHAINS 5
#define MAX_CHAIN_FILTERS 4
#define MAX_FILTERS (MAX_CHAINS * MAX_CHAIN_FILTERS)
#define MAX_IN_FLIGHT 16
#define MAX_HOGS 8

/* Numbers of frames that arrived at an element, that it pushed, and that it reported as dropped */
typedef struct
{
  gint arrived, left, told;
} Frames;

typedef struct
{
  GstElement *pipeline;
  guint n_chains;
  GstElement *caps[MAX_CHAINS];
  GstElement *filters[MAX_FILTERS];
  Frames frames[MAX_FILTERS];
  guint n_filters;
  gboolean is_live;
  gboolean is_synced;           /* whether the sinks wait for the clock */
  guint n_breaks;               /* number of events at which frames in flight are lost */
  gchar *calibration;           /* file of mgpuremap */
  gchar *launch;
} Episode;

/* The episode that plays */
static const Episode *playing;

/* Names of all elements, and the device as it is and as if it had dedicated memory */
static GPtrArray *filters;
static GstMgpuContext *contexts[2];
static gint n_seconds = 60;
static gboolean has_lanes;
static guint n_episodes;
static GstMemory *hogs[MAX_HOGS];

static const GOptionEntry entries[] = {
  {"seconds", 0, 0, G_OPTION_ARG_INT, &n_seconds,
      "How long (default: 60)", "N"},
  {"lanes", 0, 0, G_OPTION_ARG_NONE, &has_lanes,
      "Pipelines of several chains, in up to GST_MGPU_CONTEXTS contexts "
        "(default: 4)", NULL},
  {NULL}
};

G_GNUC_NORETURN
G_GNUC_PRINTF (2, 3)
     static void give_up (const Episode * episode, const gchar * format, ...)
{
  gchar *what;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  printf ("FAILED: %s\n  seed %" G_GINT64_FORMAT
      ", episode %u, after %u acts\n", what, draw_get_seed (), n_episodes,
      draw_count_told ());
  if (episode != NULL) {
    printf ("  %s\n", episode->launch);
    GST_DEBUG_BIN_TO_DOT_FILE (GST_BIN (episode->pipeline),
        GST_DEBUG_GRAPH_SHOW_ALL, "soak");
  }
  exit (1);
}

/* Prints where a thread crashed, as far as a signal handler can. */
static void
tell_crash (int signal)
{
  const gchar *launch = playing != NULL ? playing->launch : "";
  void *frames[64];
  gssize ignored G_GNUC_UNUSED;

  ignored = write (STDERR_FILENO, "FAILED: crashes\n  ", 18);
  ignored = write (STDERR_FILENO, launch, strlen (launch));
  ignored = write (STDERR_FILENO, "\n", 1);
  backtrace_symbols_fd (frames, backtrace (frames, G_N_ELEMENTS (frames)),
      STDERR_FILENO);
  raise (signal);
}

/* Leaves crashes to a sanitizer, whose reports say more. */
static void
watch_crashes (void)
{
  struct sigaction action = {.sa_handler = tell_crash,.sa_flags = SA_RESETHAND
  };
  struct sigaction before;

  if (sigaction (SIGSEGV, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
    sigaction (SIGSEGV, &action, NULL);
}

static void
change_property (GstElement * element)
{
  guint n;
  GParamSpec **specs = g_object_class_list_properties
      (G_OBJECT_GET_CLASS (element), &n);
  GParamSpec *spec = specs[draw_below (n)];
  GValue value = G_VALUE_INIT;
  gchar *text;

  g_free (specs);
  /* Values that are left out. Masks in the alpha channel are an error if frames have none, and so
   * are models without a file, and views of an unknown camera, of one without rectification, or too
   * far away to show a pixel of the frame. A gate drops frames, which would count as lost. */
  if ((!(spec->flags & GST_PARAM_CONTROLLABLE)
          && g_strcmp0 (spec->name, "profile") != 0
          && g_strcmp0 (spec->name, "max-in-flight") != 0)
      || g_strcmp0 (spec->name, "mask-source") == 0
      || g_strcmp0 (spec->name, "detector") == 0
      || g_strcmp0 (spec->name, "gate") == 0
      || g_strcmp0 (spec->name, "input") == 0
      || g_strcmp0 (spec->name, "rectify") == 0
      || g_strcmp0 (spec->name, "zoom") == 0 || !draw_value (spec, &value))
    return;
  if (g_param_value_validate (spec, &value))
    draw_tell ("    (clamped)");
  text = gst_value_serialize (&value);
  draw_tell ("  %s.%s = %s", GST_ELEMENT_NAME (element), spec->name, text);
  g_free (text);
  g_object_set_property (G_OBJECT (element), spec->name, &value);
  g_value_unset (&value);
}

/* --- Frames --- */

static GstPadProbeReturn
count_frame (GstPad * pad, GstPadProbeInfo * info, gpointer counter)
{
  g_atomic_int_inc ((gint *) counter);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
drop_frame (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  return GST_PAD_PROBE_DROP;
}

static void
count_frames (GstElement * element, const gchar * name, gint * counter)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, name);

  if (pad == NULL)
    return;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, counter,
      NULL);
}

static GstBusSyncReply
count_qos (GstBus * bus, GstMessage * message, gpointer data)
{
  Episode *episode = data;

  for (guint i = 0; i < episode->n_filters; i++)
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_QOS
        && GST_MESSAGE_SRC (message) == GST_OBJECT (episode->filters[i]))
      g_atomic_int_inc (&episode->frames[i].told);
  return GST_BUS_PASS;
}

/* Ends frames before the sink. A paused sink blocks the queue before it, also for allocation
 * queries. A branch of a pyramid would then block the other branch, which may need a frame to
 * pause; a tee does the same. */
static void
leave_sink_alone (Episode * episode, guint pyramid)
{
  g_autofree gchar *name = g_strdup_printf ("side%u", pyramid);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (episode->pipeline), name);

  if (sink != NULL) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, drop_frame, NULL, NULL);
    gst_object_unref (sink);
  }
}

static void
watch_frames (Episode * episode)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (episode->pipeline);

  for (guint i = 0; i < episode->n_filters; i++) {
    GstPad *src = gst_element_get_static_pad (episode->filters[i], "src");

    /* mgpupyramid has other pads. */
    if (src == NULL)
      continue;
    gst_object_unref (src);
    count_frames (episode->filters[i], "sink", &episode->frames[i].arrived);
    count_frames (episode->filters[i], "src", &episode->frames[i].left);
  }
  gst_bus_set_sync_handler (bus, count_qos, episode, NULL);
}

/* Nothing plays any more. */
static void
check_frames (const Episode * episode)
{
  for (guint i = 0; i < episode->n_filters; i++) {
    const Frames *f = &episode->frames[i];
    gint lost = f->arrived - f->left - f->told;

    if (lost > (gint) ((1 + episode->n_breaks) * (MAX_IN_FLIGHT + 1)))
      give_up (episode, "%s lost %d of %d frames, and told of %d",
          GST_ELEMENT_NAME (episode->filters[i]), lost, f->arrived, f->told);
  }
}

/* Returns whether an element outputs frames in host memory, whatever memory its input has: all do
 * except mgpuupload, and elements that pass frames without a device. */
static gboolean
gives_host_memory (const gchar * name)
{
  g_autoptr (GstElement) element = gst_element_factory_make (name, NULL);
  gboolean result = strcmp (name, "mgpuupload") != 0
      && g_object_class_find_property (G_OBJECT_GET_CLASS (element), "device");

  return result;
}

/* --- An episode: one pipeline --- */

/* Appends filter @i, a randomly drawn element. Returns: (transfer none): its name */
static const gchar *
append_filter (Episode * episode, GString * launch, guint i)
{
  const gchar *filter = draw_below (5) == 0 ? "mgpuremap"
      : g_ptr_array_index (filters, draw_below (filters->len));

  if (g_str_equal (filter, "mgpuremap"))
    view_append (launch, i, &episode->calibration);
  else
    g_string_append_printf (launch, " ! %s name=f%u", filter, i);
  if (g_str_equal (filter, "mgpukernel"))
    g_string_append (launch,
        " source=\"PIXEL (f) { return MAX - LOAD (x, y); }\"");
  if (g_str_has_prefix (filter, "mgpupyramid"))
    g_string_append_printf (launch, " levels=3 f%u.src_2 ! queue ! fakesink "
        "name=side%u async=false f%u.src_%d ! queue", i, i, i, draw_below (2));
  else if (draw_below (4) == 0)
    g_string_append (launch, " ! queue max-size-buffers=3");
  return filter;
}

/* Appends chain @c. With --lanes, one of its queues can be linked to the rest of another chain. The
 * sinks of all chains wait for the clock, or none does: the timestamps of a chain that does not
 * wait are soon minutes ahead, and a sink that waits would stand still after an exchange. */
static void
append_chain (Episode * episode, GString * launch, guint c)
{
  gint n = 1 + draw_below (has_lanes ? 2 : MAX_CHAIN_FILTERS);
  gint swapped = has_lanes ? draw_below (n) : n;
  const gchar *filter = NULL;

  /* Does not use the pattern "ball", which writes beyond tiny frames. */
  g_string_append_printf (launch, "videotestsrc pattern=%s",
      draw_below (2) ? "snow" : "smpte");
  if (episode->is_live)
    g_string_append (launch, " is-live=true");
  g_string_append_printf (launch, " ! capsfilter name=caps%u "
      "caps-change-mode=delayed", c);
  if (draw_below (3) == 0)
    g_string_append (launch, " ! identity drop-probability=0.2");
  for (gint i = 0; i < n; i++) {
    if (i == swapped)
      g_string_append_printf (launch, " ! queue name=swap%u "
          "max-size-buffers=3", c);
    filter = append_filter (episode, launch, episode->n_filters++);
  }
  if (draw_below (2) && gives_host_memory (filter))
    g_string_append (launch, " ! video/x-raw");
  g_string_append_printf (launch, " ! fakesink qos=true sync=%s ",
      episode->is_synced ? "true" : "false");
}

/* Gives the pipeline a context that the test created. */
static void
give_context (Episode * episode, GstMgpuContext * context)
{
  GstContext *carrier = gst_context_new_mgpu_context (context);

  gst_element_set_context (episode->pipeline, carrier);
  gst_context_unref (carrier);
}

/* Finds the elements of the pipeline, and draws the first caps of its chains. */
static void
find_elements (Episode * episode)
{
  for (guint i = 0; i < episode->n_filters; i++) {
    g_autofree gchar *name = g_strdup_printf ("f%u", i);

    episode->filters[i] = gst_bin_get_by_name (GST_BIN (episode->pipeline),
        name);
    leave_sink_alone (episode, i);
  }
  for (guint c = 0; c < episode->n_chains; c++) {
    g_autofree gchar *name = g_strdup_printf ("caps%u", c);
    g_autoptr (GstCaps) caps = draw_caps ();

    episode->caps[c] = gst_bin_get_by_name (GST_BIN (episode->pipeline), name);
    g_object_set (episode->caps[c], "caps", caps, NULL);
  }
}

static void
open_episode (Episode * episode)
{
  GString *launch = g_string_new (NULL);
  gint own_memory = has_lanes ? 0 : draw_below (2);
  GError *error = NULL;

  episode->is_live = draw_below (4) == 0;
  episode->is_synced = draw_below (3) == 0;
  episode->n_chains = has_lanes ? 2 + draw_below (MAX_CHAINS - 1) : 1;
  for (guint c = 0; c < episode->n_chains; c++)
    append_chain (episode, launch, c);
  episode->launch = g_string_free (launch, FALSE);
  playing = episode;
  draw_tell ("%s%s", episode->launch, own_memory ? "(own memory)" : "");

  episode->pipeline = gst_parse_launch (episode->launch, &error);
  if (error != NULL) {
    printf ("FAILED: %s: %s\n", episode->launch, error->message);
    exit (1);
  }
  if (!has_lanes)
    give_context (episode, contexts[own_memory]);
  find_elements (episode);
  watch_frames (episode);
}

static void
change_state (Episode * episode, GstState state)
{
  draw_tell ("  %s", gst_element_state_get_name (state));
  episode->n_breaks++;
  if (gst_element_set_state (episode->pipeline, state)
      == GST_STATE_CHANGE_FAILURE)
    give_up (episode, "no way to %s", gst_element_state_get_name (state));
}

static void
settle (Episode * episode)
{
  GstState state, pending;

  if (gst_element_get_state (episode->pipeline, &state, &pending,
          episode->n_chains * PATIENCE) == GST_STATE_CHANGE_ASYNC)
    give_up (episode, "hangs between %s and %s",
        gst_element_state_get_name (state),
        gst_element_state_get_name (pending));
}

static void
seek (Episode * episode)
{
  GstClockTime to = draw_below (100) * 10 * GST_MSECOND;

  draw_tell ("  seek to %" GST_TIME_FORMAT, GST_TIME_ARGS (to));
  episode->n_breaks++;
  settle (episode);
  if (!gst_element_seek_simple (episode->pipeline, GST_FORMAT_TIME,
          GST_SEEK_FLAG_FLUSH, to))
    give_up (episode, "cannot seek");
}

/* Ends the test because of an error message. */
static void
fail (const Episode * episode, GstMessage * message)
{
  GError *error = NULL;
  gchar *debug = NULL;

  gst_message_parse_error (message, &error, &debug);
  give_up (episode, "%s\n  %s", error->message, debug);
}

/* Waits for messages for @ms milliseconds. */
static void
listen (Episode * episode, guint ms)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (episode->pipeline);
  gint64 until = g_get_monotonic_time () + ms * G_TIME_SPAN_MILLISECOND;
  GstMessage *message;

  do {
    message = gst_bus_timed_pop_filtered (bus,
        MAX (until - g_get_monotonic_time (), 0) * GST_USECOND,
        GST_MESSAGE_ERROR);
    if (message != NULL)
      fail (episode, message);
  } while (g_get_monotonic_time () < until);
}

/* Changes the state to READY or NULL, and back. GStreamer's sources and queues report a data flow
 * error if an event meets an element whose source pad is inactive already, and whose sink pad is
 * not yet; videoflip behaves likewise. */
static void
restart (Episode * episode)
{
  GstBus *bus = gst_element_get_bus (episode->pipeline);
  GstMessage *message;

  listen (episode, 0);
  change_state (episode, draw_below (2) ? GST_STATE_READY : GST_STATE_NULL);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    for (guint i = 0; i < episode->n_filters; i++)
      if (GST_MESSAGE_SRC (message) == GST_OBJECT (episode->filters[i]))
        fail (episode, message);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  change_state (episode, GST_STATE_PLAYING);
}

/* Exchanges the elements after the queues of two chains. */
static void
swap_chains (Episode * episode)
{
  guint a = draw_below (episode->n_chains), b = draw_below (episode->n_chains);
  g_autofree gchar *name_a = g_strdup_printf ("swap%u", a);
  g_autofree gchar *name_b = g_strdup_printf ("swap%u", b);
  g_autoptr (GstElement) from =
      gst_bin_get_by_name (GST_BIN (episode->pipeline), name_a);
  g_autoptr (GstElement) to =
      gst_bin_get_by_name (GST_BIN (episode->pipeline), name_b);

  if (a == b)
    return;
  draw_tell ("  swaps the ends of chains %u and %u", a, b);
  episode->n_breaks++;
  settle (episode);
  if (!relink_swap (from, to, episode->n_chains * PATIENCE))
    give_up (episode, "chain %u or %u stands still", a, b);
}

/* Allocates device memory, or frees it. */
static void
press (void)
{
  guint i = draw_below (MAX_HOGS);
  GError *error = NULL;

  if (hogs[i] != NULL) {
    draw_tell ("  gives memory back");
    g_clear_pointer (&hogs[i], gst_memory_unref);
  } else {
    GstMgpuQueue *queue = gst_mgpu_queue_new (contexts[i % 2], &error);

    if (queue != NULL)
      hogs[i] =
          gst_mgpu_memory_new (queue, 1 + draw_below (32 << 20), NULL, &error);
    draw_tell ("  takes memory: %s", error != NULL ? error->message : "ok");
    g_clear_error (&error);
    gst_clear_object (&queue);
  }
}

/* Turns the view of each mgpuremap. */
static void
turn_views (Episode * episode)
{
  for (guint i = 0; i < episode->n_filters; i++)
    if (is_view (episode->filters[i]))
      view_turn (episode->filters[i], episode->pipeline);
}

static void
act (Episode * episode)
{
  guint i = draw_below (episode->n_filters);
  GstElement *filter = episode->filters[i];
  guint c;
  GstCaps *caps;
  gchar *text;

  switch (draw_below (has_lanes ? 14 : 12)) {
    case 0:
      seek (episode);
      break;
    case 1:
      /* Skips live sources: a live source of GStreamer 1.22 that plays again at once may do nothing
       * forever, and so may fakesink without the first wait, both also with videoflip between
       * them. */
      if (episode->is_live)
        break;
      settle (episode);
      change_state (episode, GST_STATE_PAUSED);
      settle (episode);
      change_state (episode, GST_STATE_PLAYING);
      break;
    case 2:
      restart (episode);
      break;
    case 3:
    case 4:
      caps = draw_caps ();
      text = gst_caps_to_string (caps);
      draw_tell ("  %s", text);
      g_free (text);
      c = draw_below (episode->n_chains);
      g_object_set (episode->caps[c], "caps", caps, NULL);
      gst_caps_unref (caps);
      break;
    case 5:
      press ();
      break;
    case 12:
    case 13:
      swap_chains (episode);
      break;
    default:
      change_property (filter);
  }
}

static void
close_episode (Episode * episode)
{
  if (has_lanes)
    lanes_note (episode->filters, episode->n_filters);
  change_state (episode, GST_STATE_NULL);
  check_frames (episode);
  for (guint i = 0; i < episode->n_filters; i++)
    gst_object_unref (episode->filters[i]);
  for (guint c = 0; c < episode->n_chains; c++)
    gst_object_unref (episode->caps[c]);
  gst_object_unref (episode->pipeline);
  playing = NULL;
  if (lanes_wait () > 0)
    give_up (NULL, "a context outlives the pipeline %s", episode->launch);
  if (episode->calibration != NULL)
    g_unlink (episode->calibration);
  g_free (episode->calibration);
  g_free (episode->launch);
}

static void
play_episode (gint64 until)
{
  Episode episode = { NULL };
  guint n = 5 + draw_below (20);

  open_episode (&episode);
  change_state (&episode, GST_STATE_PLAYING);
  for (guint i = 0; i < n && g_get_monotonic_time () < until; i++) {
    listen (&episode, draw_below (4) ? draw_below (30) : draw_below (300));
    if (has_lanes)
      lanes_note (episode.filters, episode.n_filters);
    turn_views (&episode);
    act (&episode);
  }
  settle (&episode);
  listen (&episode, 0);
  view_forget ();
  close_episode (&episode);
  n_episodes++;
}

/* --- A thread that detects hangs --- */

static gpointer
watch (gpointer data)
{
  const gchar *where = data;
  guint before = G_MAXUINT;

  for (;;) {
    guint now = draw_count_told ();

    if (now == before) {
      printf ("FAILED: nothing happens any more (%s)\n  seed %" G_GINT64_FORMAT
          ", episode %u, after %u acts\n", where, draw_get_seed (), n_episodes,
          now);
      fflush (stdout);
      abort ();
    }
    before = now;
    g_usleep ((has_lanes ? MAX_CHAINS + 1 : 2) * PATIENCE / GST_USECOND);
  }
  return NULL;
}

/* --- Memory --- */

/* Makes freed memory return to the system. Compilers allocate in the thread that builds a program,
 * and glibc would keep what they freed in an arena of this thread. PoCL 3.1 to 6.0 allocate 2 MiB
 * for the binary of each program, and write to less than a tenth of it. If this block was freed
 * memory, the pages that frames had used would stay resident; therefore blocks of 1 MiB or more are
 * mapped. Must be called before other threads allocate. */
static void
return_freed_memory (void)
{
  mallopt (M_ARENA_MAX, 1);
  mallopt (M_MMAP_THRESHOLD, 1 << 20);
}

/* Builds a program that is in no cache. PoCL then loads its compiler, which stays loaded, so this
 * has to happen before memory is measured. */
static void
load_compiler (void)
{
  g_autofree gchar *source = g_strdup_printf ("__kernel void f (__global "
      "uint * a) { *a = %uu; }", g_random_int ());
  const gchar *text = source;
  cl_program program =
      clCreateProgramWithSource (gst_mgpu_context_get_cl_context (contexts[0]),
      1, &text, NULL, NULL);

  if (clBuildProgram (program, 0, NULL, NULL, NULL, NULL) != CL_SUCCESS)
    give_up (NULL, "no program can be built");
  clReleaseProgram (program);
}

static void
free_hogs (void)
{
  for (guint i = 0; i < MAX_HOGS; i++)
    g_clear_pointer (&hogs[i], gst_memory_unref);
}

/* Frees the memory that press() took, and returns free memory to the system. Returns: the resident
 * memory in MiB */
static glong
measure_memory (void)
{
  free_hogs ();
  malloc_trim (0);
  return resident_kib () / 1024;
}

/* Checks that nothing of the pipelines is left: only the test has references to a context, to which
 * each memory, queue and pool would hold one. The driver's threads may take a moment. With
 * GST_TRACERS=leaks GStreamer then lists objects that are left. */
static void
check_nothing_left (void)
{
  free_hogs ();
  for (guint c = 0; c < G_N_ELEMENTS (contexts); c++) {
    guint left = draw_wait_for_context (contexts[c]);

    if (left > 0 && g_getenv ("GST_TRACERS"))
      gst_deinit ();
    if (left > 0)
      give_up (NULL, "%u references to a context are left", left);
  }
}

int
main (int argc, char **argv)
{
  gint64 until;
  glong early = 0, late;

  return_freed_memory ();
  if (!draw_begin (&argc, &argv, entries, -1))
    return 1;
  watch_crashes ();
  if (has_lanes)
    lanes_begin ();
  filters = draw_list_elements ();
  if (filters->len == 0 || !draw_open_contexts (contexts))
    return 1;
  load_compiler ();

  g_thread_unref (g_thread_new ("watch", watch, "longer than anything takes"));
  until = g_get_monotonic_time () + n_seconds * G_TIME_SPAN_SECOND;
  while (g_get_monotonic_time () < until) {
    play_episode (until);
    if (n_episodes == N_WARM)
      early = measure_memory ();
  }
  check_nothing_left ();
  /* Some elements use no context, so a single pipeline may have one or none. */
  if (has_lanes && n_episodes >= 10 && lanes_count () < 2
      && g_strcmp0 (g_getenv ("GST_MGPU_CONTEXTS"), "1") != 0)
    give_up (NULL, "no pipeline had two contexts");
  late = measure_memory ();
#ifndef __SANITIZE_ADDRESS__
  /* Skips the check with a sanitizer, which keeps freed memory for a while. */
  if (early > 0 && late > early + MAX_GROWTH_MIB)
    give_up (NULL, "%ld MiB after %u pipelines, %ld at the end", early, N_WARM,
        late);
#endif
  printf ("ok: %u pipelines, %u acts; ", n_episodes, draw_count_told ());
  if (early > 0)
    printf ("%ld MiB after %u pipelines, ", early, N_WARM);
  printf ("%ld MiB at the end\n", late);
  if (has_lanes)
    printf ("up to %u contexts in a pipeline\n", lanes_count ());
  view_print ();
  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    gst_object_unref (contexts[i]);
  draw_end ();
  g_ptr_array_unref (filters);
  gst_deinit ();
  return 0;
}
