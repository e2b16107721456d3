/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that mgpukernel reloads its kernel file when the file changes. */
#include "kernel.h"

#include <sys/stat.h>

#include "../../resident.h"

/* Size of frames in tests with many streams */
#define WIDE 16
#define HIGH 8

/* Value of black in GRAY8 frames of videotestsrc */
#define BLACK 16

/* Limits: number of programs that a context keeps, and growth of the memory: per program that is
 * kept, and for memory that the compiler has freed but malloc() keeps for threads.
 * docs/notes/kernel.md has the measurements. */
#define MAX_PROGRAMS 64
#define PROGRAM_KIB (2 << 10)
#ifdef __SANITIZE_ADDRESS__
/* AddressSanitizer keeps 256 MiB more of freed memory. */
#define THREADS_KIB (356 << 10)
#else
#define THREADS_KIB (100 << 10)
#endif

/* ---- Reload ----------------------------------------------------------------------- */

/* Pushes frames whose bytes are @in until the result has the value @out. */
static void
wait_for (Stream * self, guint8 in, guint8 out)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (push_value (self, in) != out) {
    fail_unless (g_get_monotonic_time () < end, "the file is not read again");
    g_usleep (5000);
  }
}

/* Pushes frames until a warning arrives, and checks that the results of all frames until then have
 * the value @out. Returns: (transfer full): the warning */
static GError *
wait_for_warning (Stream * self, guint8 in, guint8 out)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  g_autoptr (GstMessage) message = NULL;
  GError *error;

  while ((message = gst_bus_pop_filtered (self->bus, GST_MESSAGE_WARNING))
      == NULL) {
    fail_unless_equals_int (push_value (self, in), out);
    fail_unless (g_get_monotonic_time () < end, "no warning arrives");
    g_usleep (5000);
  }
  gst_message_parse_warning (message, &error, NULL);
  return error;
}

static void
open_file (Stream * self, const gchar * path, const gchar * text)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgpukernel", "f");

  write_file (path, text);
  g_object_set (element, "location", path, NULL);
  stream_play (self, element, "GRAY8", WIDTH, HEIGHT, NULL);
}

/* Tests a file that becomes invalid, is deleted, and is restored: the old program stays in use,
 * with a warning for each failure. */
GST_START_TEST (test_reload)
{
  g_autofree gchar *path = make_path ("f.cl"), *log = NULL;
  GError *error;
  Stream s;

  open_file (&s, path, INVERT);
  fail_unless_equals_int (push_value (&s, 10), 245);
  write_file (path, ADD);
  wait_for (&s, 10, 11);
  write_file (path, "\n\nPIXEL (a) { return nosuch; }");
  error = wait_for_warning (&s, 10, 11);
  fail_unless (strstr (error->message, "f.cl:3") != NULL
      && strstr (error->message, "nosuch") != NULL, "%s", error->message);
  g_error_free (error);
  log = get_log (&s);
  fail_unless (strstr (log, "f.cl:3") != NULL, "%s", log);
  g_unlink (path);
  error = wait_for_warning (&s, 10, 11);
  fail_unless (strstr (error->message, "gone") != NULL, "%s", error->message);
  g_error_free (error);
  write_file (path, INVERT);
  wait_for (&s, 10, 245);
  g_free (g_steal_pointer (&log));
  log = get_log (&s);
  fail_unless (strstr (log, "f.cl:3") == NULL, "%s", log);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that the file becomes empty, a pipe without a writer, a folder, or too long: a warning is
 * posted for each, and the old program stays in use. */
GST_START_TEST (test_odd_files)
{
  static const gchar *const words[] = { "no kernel", "not a regular file",
    "not a regular file", "longer than", "not UTF-8 text"
  };
  g_autofree gchar *path = make_path ("f.cl");
  g_autofree gchar *text = g_strnfill (3 << 20, ' ');
  Stream s;

  open_file (&s, path, INVERT);
  fail_unless_equals_int (push_value (&s, 10), 245);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autoptr (GError) error = NULL;

    g_unlink (path);
    g_rmdir (path);
    if (i == 1)
      fail_unless (mkfifo (path, 0600) == 0);
    else if (i == 2)
      fail_unless (g_mkdir (path, 0700) == 0);
    else
      fail_unless (g_file_set_contents (path, i == 3 ? text : "\0", i > 3 ? 1
              : i == 3 ? (gssize) strlen (text) : 0, NULL));
    error = wait_for_warning (&s, 10, 245);
    fail_unless (strstr (error->message, words[i]) != NULL
        && strstr (error->message, "the old program stays in use") != NULL,
        "%s", error->message);
  }
  g_unlink (path);
  write_file (path, ADD);
  wait_for (&s, 10, 11);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that with reload=false the file is read only once. */
GST_START_TEST (test_no_reload)
{
  g_autofree gchar *path = make_path ("f.cl");
  Stream s;

  open_file (&s, path, INVERT);
  g_object_set (s.h->element, "reload", FALSE, NULL);
  write_file (path, ADD);
  for (guint i = 0; i < 4; i++) {
    fail_unless_equals_int (push_value (&s, 10), 245);
    g_usleep (G_USEC_PER_SEC / 6);
  }
  g_object_set (s.h->element, "reload", TRUE, NULL);
  wait_for (&s, 10, 11);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that a change of an included file is noticed. */
GST_START_TEST (test_include)
{
  g_autofree gchar *path = make_path ("f.cl"), *part = make_path ("part.h");
  Stream s;

  write_file (part, "#define N 5\n");
  open_file (&s, path, "#include \"part.h\"\n"
      "PIXEL (f) { return LOAD (x, y) + N; }");
  fail_unless_equals_int (push_value (&s, 10), 15);
  write_file (part, "#define N 16\n");
  wait_for (&s, 10, 26);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that buffers of the kernel text that are kept between frames keep their contents at a
 * reload. A parameter that was removed from the text is forgotten, with a warning. */
GST_START_TEST (test_reload_keeps)
{
  g_autofree gchar *path = make_path ("f.cl"), *text = NULL;
  g_autoptr (GstStructure) params = NULL;
  GError *error;
  Stream s;

  open_file (&s, path, "//! param a int 0 0 9\n//! param b int 0 0 9\n" KEEP);
  set_params (&s, "p,a=1,b=2");
  fail_unless_equals_int (push_value (&s, 10), 10);
  fail_unless_equals_int (push_value (&s, 10), 20);
  write_file (path, "//! param b int 0 0 9\n"
      "//! buffer sum int 1 keep\nWORK (total) { if (get_global_id (0) == 0 && "
      "get_global_id (1) == 0) OUT_STORE (0, 0, 0, sum[0] > 10 ? 7 + b : 5); }");
  wait_for (&s, 0, 9);
  error = wait_for_warning (&s, 0, 9);
  fail_unless (strstr (error->message, "\"a\"") != NULL
      && strstr (error->message, "\"b\"") == NULL, "%s", error->message);
  g_error_free (error);
  g_object_get (s.h->element, "params", &params, NULL);
  fail_if (gst_structure_has_field (params, "a"));
  fail_unless (gst_structure_has_field (params, "b"));
  stream_close (&s);
}

GST_END_TEST;

/* Tests switching to another file while frames arrive, and back to the first file. */
GST_START_TEST (test_location_changes)
{
  g_autofree gchar *first = make_path ("f.cl"), *second = make_path ("g.cl");
  g_autofree gchar *none = make_path ("none.cl");
  Stream s;

  write_file (second, ADD);
  open_file (&s, first, INVERT);
  fail_unless_equals_int (push_value (&s, 10), 245);
  g_object_set (s.h->element, "location", second, NULL);
  fail_unless_equals_int (push_value (&s, 10), 11);
  g_object_set (s.h->element, "location", none, NULL);
  fail_unless_equals_int (push_value (&s, 10), 11);
  check_warning (s.bus, "none.cl", "old program");
  g_object_set (s.h->element, "location", first, NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  stream_close (&s);
}

GST_END_TEST;

/* Writes kernel text number @i of a series; the texts differ in the number that they add. */
static void
write_number (const gchar * path, guint i)
{
  g_autofree gchar *text =
      g_strdup_printf ("PIXEL (f) { return LOAD (x, y) + %u; }\n", i % 200 + 1);

  write_file (path, text);
}

/* Writes kernel text number @i, with a comment that no earlier run of the test had, so that PoCL's
 * compiler has to run. At its first run in a context, the compiler loads a library of some 100
 * MiB. */
static void
write_new (const gchar * path, guint i)
{
  g_autofree gchar *text =
      g_strdup_printf ("PIXEL (f) { return LOAD (x, y) + %u; } // %"
      G_GINT64_FORMAT "\n", i % 200 + 1, g_get_real_time ());

  write_file (path, text);
}

/* Returns the number in the environment variable @variable, or @fallback if it is not set. Such
 * variables make the tests below longer: MGPU_TEST_RELOADS=1000 MGPU_TEST_STREAMS=16. */
static guint
get_number (const gchar * variable, guint fallback)
{
  const gchar *value = g_getenv (variable);

  return value != NULL ? (guint) atoi (value) : fallback;
}

/* Numbers of objects and programs that were created since objects_begin() and are not yet freed */
typedef struct
{
  GList *tracers;
  gint n, n_programs;
} Objects;

/* Adds @sign times the number of objects in a list of the leaks tracer. */
static void
objects_add (Objects * self, const GstStructure * found, const gchar * name,
    gint sign)
{
  const GValue *list = gst_structure_get_value (found, name);

  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    const GstStructure *s =
        gst_value_get_structure (gst_value_list_get_value (list, i));

    self->n += sign;
    self->n_programs += g_str_equal (gst_structure_get_string (s, "type-name"),
        "GstMgpuProgram") ? sign : 0;
  }
}

static void
objects_update (Objects * self)
{
  for (GList * l = self->tracers; l != NULL; l = l->next) {
    GstStructure *found = NULL;

    g_signal_emit_by_name (l->data, "activity-get-checkpoint", &found);
    objects_add (self, found, "objects-created-list", 1);
    objects_add (self, found, "objects-removed-list", -1);
    gst_structure_free (found);
  }
}

static void
objects_begin (Objects * self)
{
  *self = (Objects) {
  gst_tracing_get_active_tracers ()};
  fail_unless (self->tracers != NULL, "GST_TRACERS=leaks is not set");
  for (GList * l = self->tracers; l != NULL; l = l->next)
    g_signal_emit_by_name (l->data, "activity-start-tracking");
}

static void
objects_end (Objects * self)
{
  for (GList * l = self->tracers; l != NULL; l = l->next)
    g_signal_emit_by_name (l->data, "activity-stop-tracking");
  g_list_free_full (self->tracers, gst_object_unref);
}

/* Checks that memory grows with the number of programs that the context keeps, and not with the
 * number of reloads. */
static void
check_memory (glong before, guint n)
{
  glong grown = resident_kib () - before;

  GST_INFO ("memory grew by %ld KiB from %ld in %u reloads", grown, before, n);
  fail_unless (grown < THREADS_KIB + PROGRAM_KIB * (glong) MIN (n,
          MAX_PROGRAMS), "memory grew by %ld KiB in %u reloads", grown, n);
}

/* Takes messages about builds off the bus, and fails if there are other messages. */
static void
empty_bus (GstBus * bus)
{
  GstMessage *message;

  while ((message = gst_bus_pop (bus)) != NULL) {
    fail_if (GST_MESSAGE_TYPE (message) & (GST_MESSAGE_ERROR
            | GST_MESSAGE_WARNING | GST_MESSAGE_QOS), "%s",
        GST_MESSAGE_TYPE_NAME (message));
    gst_message_unref (message);
  }
}

/* Tests many changes of the file: each version is used, and nothing of earlier versions stays
 * allocated, except the programs that the context keeps. */
GST_START_TEST (test_many_reloads)
{
  g_autofree gchar *path = make_path ("f.cl");
  guint n = get_number ("MGPU_TEST_RELOADS", 20);
  gint n_others = 0;
  glong memory = 0;
  Objects objects;
  Stream s;

  /* Opens a first stream, because some memory is allocated only once per process. */
  open_file (&s, path, INVERT);
  push_value (&s, 10);
  stream_close (&s);
  objects_begin (&objects);
  open_file (&s, path, INVERT);
  for (guint i = 0; i < n; i++) {
    if (i == 2)
      write_new (path, i);
    else
      write_number (path, i);
    wait_for (&s, 10, 10 + i % 200 + 1);
    empty_bus (s.bus);
    objects_update (&objects);
    if (i == 2) {
      memory = resident_kib ();
      n_others = objects.n - objects.n_programs;
    }
  }
  GST_INFO
      ("after 3 reloads there are %d objects, after %u %d, and %d programs",
      n_others, n, objects.n - objects.n_programs, objects.n_programs);
  fail_unless (objects.n_programs <= MAX_PROGRAMS);
  fail_unless (objects.n - objects.n_programs <= n_others + 8);
  check_memory (memory, n);
  stream_close (&s);
  objects_update (&objects);
  fail_unless_equals_int (objects.n, 0);
  objects_end (&objects);
}

GST_END_TEST;

/* ---- Streams ---------------------------------------------------------------------- */

/* Describes a sink of a pipeline, and counts the frames that it has received. */
typedef struct
{
  gint64 before;                /* time at which the last frame arrived */
  gint64 longest;               /* longest time between two frames, in us */
  guint64 n;                    /* number of frames */
  gint value;                   /* value of the samples of the last frame; atomic */
} Sink;

/* Checks that frames arrive in order and that each frame was processed by one version only; a
 * handler of the signal "handoff". */
static void
see_frame (GstElement * sink, GstBuffer * frame, GstPad * pad, Sink * self)
{
  gint64 now = g_get_monotonic_time ();
  GstMapInfo map;

  fail_unless (GST_BUFFER_OFFSET (frame) == self->n, "frame %" G_GUINT64_FORMAT
      " arrives instead of %" G_GUINT64_FORMAT, GST_BUFFER_OFFSET (frame),
      self->n);
  fail_if (self->n > 0 && GST_BUFFER_IS_DISCONT (frame));
  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ));
  for (gsize i = 1; i < WIDE * HIGH; i++)
    fail_unless_equals_int (map.data[i], map.data[0]);
  if (self->n++ > 0)
    self->longest = MAX (self->longest, now - self->before);
  self->before = now;
  g_atomic_int_set (&self->value, map.data[0]);
  gst_buffer_unmap (frame, &map);
}

/* Waits until all sinks receive frames of the value @value. */
static void
wait_for_sinks (Sink * sinks, guint n, gint value, GstBus * bus)
{
  gint64 end = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;

  for (guint i = 0; i < n; i++)
    while (g_atomic_int_get (&sinks[i].value) != value) {
      empty_bus (bus);
      fail_unless (g_get_monotonic_time () < end, "stream %u has %d, not %d", i,
          g_atomic_int_get (&sinks[i].value), value);
      g_usleep (5000);
    }
}

/* Makes a pipeline of several streams that all use the same kernel file. */
static GstElement *
make_streams (const gchar * path, Sink * sinks, guint n)
{
  GstElement *pipeline = gst_pipeline_new (NULL);

  for (guint i = 0; i < n; i++) {
    g_autofree gchar *line = g_strdup_printf ("videotestsrc is-live=true "
        "pattern=solid-color foreground-color=0xff000000 ! video/x-raw,"
        "format=GRAY8,width=" G_STRINGIFY (WIDE) ",height=" G_STRINGIFY (HIGH)
        ",framerate=20/1 ! mgpukernel location=%s ! video/x-raw ! fakesink "
        "name=sink signal-handoffs=true", path);
    GstElement *stream = gst_parse_bin_from_description (line, FALSE, NULL);
    g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (stream),
        "sink");

    g_signal_connect (sink, "handoff", G_CALLBACK (see_frame), &sinks[i]);
    gst_bin_add (GST_BIN (pipeline), stream);
  }
  return pipeline;
}

/* Plays @n streams while their kernel file changes. */
static void
play_streams (const gchar * path, guint n, guint n_reloads, Objects * objects)
{
  g_autofree Sink *sinks = g_new0 (Sink, n);
  GstElement *pipeline = make_streams (path, sinks, n);
  GstBus *bus = gst_element_get_bus (pipeline);
  gint64 longest = 0, start = g_get_monotonic_time ();
  guint64 n_frames = 0;
  glong memory = 0;

  write_number (path, 199);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_for_sinks (sinks, n, BLACK + 200, bus);
  for (guint i = 0; i < n_reloads; i++) {
    if (i == 2)
      write_new (path, i);
    else
      write_number (path, i);
    wait_for_sinks (sinks, n, BLACK + i % 200 + 1, bus);
    objects_update (objects);
    if (i == 2)
      memory = resident_kib ();
  }
  if (n_reloads > 3)
    check_memory (memory, n_reloads);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  for (guint i = 0; i < n; i++) {
    longest = MAX (longest, sinks[i].longest);
    n_frames += sinks[i].n;
  }
  GST_INFO ("%u streams, %u reloads, %" G_GUINT64_FORMAT " frames in %"
      G_GINT64_FORMAT " ms, at most %" G_GINT64_FORMAT " ms from one to the "
      "next", n, n_reloads, n_frames, (g_get_monotonic_time () - start) / 1000,
      longest / 1000);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  gst_task_cleanup_all ();
}

/* Tests that streams with the same kernel file lose no frame, mix no versions in a frame, and leak
 * no object. */
GST_START_TEST (test_many_streams)
{
  g_autofree gchar *path = make_path ("f.cl");
  Objects objects = { NULL };

  /* Plays a first pipeline, because some memory is allocated only once per process. */
  play_streams (path, 1, 0, &objects);
  objects_begin (&objects);
  play_streams (path, get_number ("MGPU_TEST_STREAMS", 4),
      get_number ("MGPU_TEST_RELOADS", 20), &objects);
  objects_update (&objects);
  fail_unless_equals_int (objects.n, 0);
  objects_end (&objects);
}

GST_END_TEST;

/* ---- Stops ------------------------------------------------------------------------ */

/* Tests that the element is stopped, and that caps change, while a file is being built. */
GST_START_TEST (test_stop_while_building)
{
  for (guint i = 0; i < 6; i++) {
    g_autofree gchar *path = make_path ("f.cl");
    Stream s;

    open_file (&s, path, INVERT);
    fail_unless_equals_int (push_value (&s, 10), 245);
    g_usleep (G_USEC_PER_SEC / 3);
    write_number (path, i + 20);
    push_value (&s, 10);
    if (i % 2 == 1) {
      gst_harness_set_src_caps_str (s.h,
          "video/x-raw,format=GRAY8,width=5,height=3,framerate=25/1");
      s.info = info_from_string ("video/x-raw,format=GRAY8,width=5,height=3");
      wait_for (&s, 10, 31 + i);
    }
    stream_close (&s);
  }
}

GST_END_TEST;

/* Tests that two elements with the same kernel file both reload it when it changes. */
GST_START_TEST (test_two_elements)
{
  g_autofree gchar *path = make_path ("f.cl");
  g_autofree gchar *line = NULL;
  g_autoptr (GstHarness) h = NULL;
  GstBuffer *frame;
  guint8 value;

  write_file (path, ADD);
  line = g_strdup_printf ("mgpukernel location=%s ! mgpukernel location=%s "
      "params=\"p,amount=3\"", path, path);
  h = gst_harness_new_parse (line);
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=GRAY8,width=4,height=1,framerate=25/1");
  for (gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;;) {
    frame = gst_buffer_new_allocate (NULL, 4, NULL);
    gst_buffer_memset (frame, 0, 10, 4);
    fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
    frame = harness_pull (h);
    value = first_byte (frame);
    gst_buffer_unref (frame);
    if (value == 246)
      break;
    if (value == 14)
      write_file (path, "//! param amount int 1 0 100\n"
          "PIXEL (f) { return MAX - amount - LOAD (x, y); }");
    fail_unless (g_get_monotonic_time () < end);
    g_usleep (10000);
    if (value == 14)
      break;
  }
  /* Computes 255 - amount - sample in each element. The samples of input frames are 10. The first
   * element has the amount 1, and outputs 255 - 1 - 10 = 244. The second element has the amount
   * 3, and outputs 255 - 3 - 244 = 8. */
  for (gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; value != 8;) {
    frame = gst_buffer_new_allocate (NULL, 4, NULL);
    gst_buffer_memset (frame, 0, 10, 4);
    fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
    frame = harness_pull (h);
    value = first_byte (frame);
    gst_buffer_unref (frame);
    fail_unless (g_get_monotonic_time () < end);
    g_usleep (10000);
  }
}

GST_END_TEST;

/* ---- Two contexts ----------------------------------------------------------------- */

/* Blocks the thread that builds programs for a context. */
typedef struct
{
  GMutex lock;
  GCond changed;
  gboolean is_armed, is_held;
} Hold;

static gboolean
hold_build (GstMgpuContext * context, const gchar * program, guint built,
    guint total, Hold * hold)
{
  g_mutex_lock (&hold->lock);
  hold->is_held = hold->is_armed;
  while (hold->is_armed)
    g_cond_wait (&hold->changed, &hold->lock);
  g_mutex_unlock (&hold->lock);
  return FALSE;
}

static void
set_armed (Hold * hold, gboolean is_armed)
{
  g_mutex_lock (&hold->lock);
  hold->is_armed = is_armed;
  g_cond_broadcast (&hold->changed);
  g_mutex_unlock (&hold->lock);
}

static gboolean
is_held (Hold * hold)
{
  gboolean held;

  g_mutex_lock (&hold->lock);
  held = hold->is_held;
  g_mutex_unlock (&hold->lock);
  return held;
}

/* Opens a stream of GRAY8 frames through an mgpukernel with the file @path, in @context. */
static void
open_in_context (Stream * self, GstMgpuContext * context, const gchar * path)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpukernel", NULL);
  g_autoptr (GstContext) carrier = gst_context_new_mgpu_context (context);

  write_file (path, INVERT);
  gst_element_set_context (element, carrier);
  g_object_set (element, "location", path, NULL);
  stream_play (self, element, "GRAY8", WIDTH, HEIGHT, NULL);
  fail_unless_equals_int (push_value (self, 10), 245);
}

/* Writes a kernel file whose program is in no cache; the kernel sets all samples to @value. */
static void
write_constant (const gchar * path, guint8 value)
{
  g_autofree gchar *text = g_strdup_printf ("/* %" G_GINT64_FORMAT " */\n"
      "PIXEL (f) { return (int4) (%u); }\n", g_get_real_time (), value);

  write_file (path, text);
}

/* Pushes frames for at most a minute, until the output has the value @value. */
static void
wait_for_value (Stream * self, guint8 value)
{
  for (guint i = 0; i < 1200 && push_value (self, 10) != value; i++)
    g_usleep (50000);
  fail_unless_equals_int (push_value (self, 10), value);
}

/* Tests that a slow build in one context does not delay a build in another context. */
GST_START_TEST (test_two_contexts)
{
  g_autoptr (GstMgpuContext) slow = gst_mgpu_context_new (NULL, NULL);
  g_autoptr (GstMgpuContext) other = gst_mgpu_context_new (NULL, NULL);
  g_autofree gchar *slow_path = make_path ("slow.cl");
  g_autofree gchar *other_path = make_path ("other.cl");
  Hold hold = { 0 };
  Stream a, b;

  g_mutex_init (&hold.lock);
  g_cond_init (&hold.changed);
  /* Connects its handler before the element does, because the element's handler stops the
   * emission. */
  g_signal_connect (slow, "building", G_CALLBACK (hold_build), &hold);
  open_in_context (&a, slow, slow_path);
  open_in_context (&b, other, other_path);
  set_armed (&hold, TRUE);
  write_constant (slow_path, 20);
  for (guint i = 0; i < 1200 && !is_held (&hold); i++) {
    push_value (&a, 10);
    g_usleep (50000);
  }
  fail_unless (is_held (&hold));
  write_constant (other_path, 30);
  wait_for_value (&b, 30);
  fail_unless_equals_int (push_value (&a, 10), 245);
  set_armed (&hold, FALSE);
  wait_for_value (&a, 20);
  stream_close (&a);
  stream_close (&b);
  g_signal_handlers_disconnect_by_data (slow, &hold);
  g_mutex_clear (&hold.lock);
  g_cond_clear (&hold.changed);
}

GST_END_TEST;

CHECK_TESTS (mgpukernelreload)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_test (tc, test_reload);
  tcase_add_test (tc, test_odd_files);
  tcase_add_test (tc, test_no_reload);
  tcase_add_test (tc, test_include);
  tcase_add_test (tc, test_reload_keeps);
  tcase_add_test (tc, test_location_changes);
  tcase_add_test (tc, test_many_reloads);
  tcase_add_test (tc, test_many_streams);
  tcase_add_test (tc, test_stop_while_building);
  tcase_add_test (tc, test_two_elements);
  tcase_add_test (tc, test_two_contexts);
}
