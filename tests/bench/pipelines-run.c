/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures a pipeline between a source that fills frames as fast as they are accepted and a sink
 * that reads a byte of every memory page. */
#include "pipelines.h"

#include <gst/app/app.h>
#include <gst/base/gstpushsrc.h>

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Number of different pictures, so that no frame is in a cache by chance */
#define PICTURES 8
/* Number of frames before the measurement starts, in which kernels are built and pools are
 * filled */
#define WARM 20

static GstMgpuContext *context;

/* --- The source --- */

typedef struct
{
  GstPushSrc parent;

  GstVideoInfo info;
  BenchFeed feed;
  guint n_frames;
  guint at;
  guint8 *pictures[PICTURES];
  GstBuffer *ready[PICTURES];   /* of BENCH_FEED_DEVICE */
  gint64 *left;                 /* times, in microseconds, at which frames were pushed */
} BenchSource;

typedef GstPushSrcClass BenchSourceClass;

static GType bench_source_get_type (void);

G_DEFINE_TYPE (BenchSource, bench_source, GST_TYPE_PUSH_SRC);

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

static void
bench_source_finalize (GObject * object)
{
  BenchSource *self = (BenchSource *) object;

  for (guint i = 0; i < PICTURES; i++) {
    g_free (self->pictures[i]);
    gst_clear_buffer (&self->ready[i]);
  }
  g_free (self->left);
  G_OBJECT_CLASS (bench_source_parent_class)->finalize (object);
}

guint8 *
bench_draw (const GstVideoInfo * info, guint picture)
{
  gsize size = GST_VIDEO_INFO_SIZE (info);
  gsize width = GST_VIDEO_INFO_WIDTH (info);
  guint32 noise = picture + 1;
  guint8 *data = g_malloc (size);

  for (gsize i = 0; i < size; i++) {
    noise = noise * 1664525 + 1013904223;
    data[i] = (i % width + i / width + 16 * picture) / 8 % 224 + (noise >> 27);
  }
  return data;
}

/* Returns a frame in memory of malloc(), as a decoder may allocate it. */
static GstBuffer *
new_plain (gsize size)
{
  gpointer data;

  if (posix_memalign (&data, 32, size) != 0)
    g_error ("no memory");
  return gst_buffer_new_wrapped_full (0, data, size, 0, size, data, free);
}

static GstBuffer *
new_on_device (BenchSource * self, GstMgpuQueue * queue, guint picture)
{
  gsize size = GST_VIDEO_INFO_SIZE (&self->info);
  GError *error = NULL;
  GstMemory *memory = gst_mgpu_memory_new (queue, size, NULL, &error);
  GstBuffer *buffer = gst_buffer_new ();
  GstMapInfo map;

  if (memory == NULL)
    g_error ("%s", error->message);
  gst_buffer_append_memory (buffer, memory);
  gst_buffer_fill (buffer, 0, self->pictures[picture], size);
  gst_buffer_add_video_meta (buffer, 0, GST_VIDEO_INFO_FORMAT (&self->info),
      GST_VIDEO_INFO_WIDTH (&self->info), GST_VIDEO_INFO_HEIGHT (&self->info));
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ | GST_MAP_MGPU))
    g_error ("a frame does not get to the device");
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static gboolean
bench_source_set_caps (GstBaseSrc * src, GstCaps * caps)
{
  BenchSource *self = (BenchSource *) src;
  GError *error = NULL;
  g_autoptr (GstMgpuQueue) queue = gst_mgpu_queue_new (context, &error);

  if (queue == NULL)
    g_error ("%s", error->message);
  if (!gst_video_info_from_caps (&self->info, caps))
    return FALSE;
  gst_base_src_set_blocksize (src, GST_VIDEO_INFO_SIZE (&self->info));
  for (guint i = 0; i < PICTURES; i++) {
    self->pictures[i] = bench_draw (&self->info, i);
    if (self->feed == BENCH_FEED_DEVICE)
      self->ready[i] = new_on_device (self, queue, i);
  }
  return TRUE;
}

static GstFlowReturn
bench_source_create (GstPushSrc * src, GstBuffer ** buffer)
{
  BenchSource *self = (BenchSource *) src;
  guint picture = self->at % PICTURES;
  gsize size = GST_VIDEO_INFO_SIZE (&self->info);
  GstBufferPool *pool;
  GstFlowReturn ret = GST_FLOW_OK;

  if (self->at == self->n_frames)
    return GST_FLOW_EOS;
  if (self->feed == BENCH_FEED_DEVICE) {
    *buffer = gst_buffer_copy (self->ready[picture]);
  } else {
    pool = self->feed != BENCH_FEED_MALLOC
        ? gst_base_src_get_buffer_pool (GST_BASE_SRC (src)) : NULL;
    if (pool != NULL) {
      ret = gst_buffer_pool_acquire_buffer (pool, buffer, NULL);
      gst_object_unref (pool);
    } else {
      *buffer = new_plain (size);
    }
    /* Writes only one byte after the warm-up, because pools have fewer frames than the warm-up, so
     * that all buffers contain a picture. */
    if (self->feed == BENCH_FEED_READY && self->at >= WARM)
      size = 1;
    if (ret == GST_FLOW_OK)
      gst_buffer_fill (*buffer, 0, self->pictures[picture], size);
  }
  if (ret != GST_FLOW_OK)
    return ret;
  GST_BUFFER_PTS (*buffer) = self->at * GST_MSECOND;
  self->left[self->at++] = g_get_monotonic_time ();
  return GST_FLOW_OK;
}

static void
bench_source_class_init (BenchSourceClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = bench_source_finalize;
  GST_BASE_SRC_CLASS (klass)->set_caps = bench_source_set_caps;
  klass->create = bench_source_create;
  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass),
      &src_template);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "Frames as fast as they are taken", "Source/Video",
      "Gives frames to a benchmark", "The gst-mgpu authors");
}

static void
bench_source_init (BenchSource * self)
{
}

/* --- A stream: source, variant, sink --- */

typedef struct
{
  GstElement *pipeline;
  GstElement *second;           /* pipeline after the function "apply" of a BenchWay, or NULL */
  GstElement *entry;            /* its appsrc */
  BenchSource *source;
  const BenchWay *way;
  GstVideoInfo info;
  guint n_seen;
  gint64 ended;
  GArray *latency;
  GThread *bringer;             /* thread that pushes frames into this project's elements */
  gdouble entered;              /* processor time of this thread when it pushed a frame,
                                 * milliseconds */
  GArray *elements;             /* processor time that this thread spent on each frame in the
                                 * elements, milliseconds */
  GQueue in_flight;             /* buffers on the device for which nobody has waited */
} Stream;

static GMutex lock;
static GCond all_warm;
static guint n_warm, n_streams;
static gint64 began;
static gboolean in_step;
static struct rusage usage;

void
bench_run_in_step (void)
{
  in_step = TRUE;
}

static void
meet_processes (void)
{
  char line[16];

  printf ("ready\n");
  fflush (stdout);
  if (fgets (line, sizeof (line), stdin) == NULL)
    g_error ("alone");
}

/* Waits for all streams, so that they start to measure at the same time. */
static void
meet (void)
{
  g_mutex_lock (&lock);
  if (++n_warm == n_streams) {
    if (in_step)
      meet_processes ();
    began = g_get_monotonic_time ();
    getrusage (RUSAGE_SELF, &usage);
    g_cond_broadcast (&all_warm);
  }
  while (n_warm < n_streams)
    g_cond_wait (&all_warm, &lock);
  g_mutex_unlock (&lock);
}

/* Reads one byte of every memory page, which downloads the frame to the host. */
static void
look (GstBuffer * buffer)
{
  volatile guint8 sum = 0;
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    g_error ("a frame cannot be read");
  for (gsize i = 0; i < map.size; i += 4096)
    sum += map.data[i];
  (void) sum;
  gst_buffer_unmap (buffer, &map);
}

/* Waits for all frames in flight except the newest @n, as a sink does that shows frames on the
 * device. */
static void
wait_for_all_but (Stream * stream, guint n)
{
  while (stream->in_flight.length > n) {
    g_autoptr (GstBuffer) oldest = g_queue_pop_head (&stream->in_flight);
    GError *error = NULL;

    if (!gst_mgpu_memory_wait ((GstMgpuMemory *)
            gst_buffer_peek_memory (oldest, 0), &error))
      g_error ("%s", error->message);
  }
}

static GstFlowReturn
frame_seen (GstAppSink * sink, gpointer data)
{
  Stream *stream = data;
  g_autoptr (GstSample) sample = gst_app_sink_pull_sample (sink);
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  guint i = GST_BUFFER_PTS (buffer) / GST_MSECOND;
  gdouble ms;

  if (stream->way->feed == BENCH_FEED_DEVICE) {
    g_queue_push_tail (&stream->in_flight, gst_buffer_ref (buffer));
    wait_for_all_but (stream, 3);
  } else {
    look (buffer);
  }
  stream->ended = g_get_monotonic_time ();
  ms = (stream->ended - stream->source->left[i]) / 1000.0;
  if (stream->n_seen >= WARM)
    g_array_append_val (stream->latency, ms);
  if (++stream->n_seen == WARM)
    meet ();
  return GST_FLOW_OK;
}

/* Takes a frame out of one pipeline, calls a library, and pushes the result into another pipeline,
 * as applications do. */
static GstFlowReturn
frame_applied (GstAppSink * sink, gpointer data)
{
  Stream *stream = data;
  g_autoptr (GstSample) sample = gst_app_sink_pull_sample (sink);
  GstBuffer *in = gst_sample_get_buffer (sample);
  gsize size = GST_VIDEO_INFO_SIZE (&stream->info);
  GstBuffer *out = new_plain (size);
  GstMapInfo from, to;

  gst_buffer_map (in, &from, GST_MAP_READ);
  gst_buffer_map (out, &to, GST_MAP_WRITE);
  stream->way->apply (from.data, to.data, GST_VIDEO_INFO_WIDTH (&stream->info),
      GST_VIDEO_INFO_HEIGHT (&stream->info),
      GST_VIDEO_INFO_PLANE_STRIDE (&stream->info, 0));
  gst_buffer_unmap (in, &from);
  gst_buffer_unmap (out, &to);
  GST_BUFFER_PTS (out) = GST_BUFFER_PTS (in);
  return gst_app_src_push_buffer (GST_APP_SRC (stream->entry), out);
}

static void
applied_all (GstAppSink * sink, gpointer data)
{
  gst_app_src_end_of_stream (GST_APP_SRC (((Stream *) data)->entry));
}

/* Returns this thread's processor time in milliseconds. Wall-clock time would also include the time
 * in which the thread waits for kernels that share its processor core. */
static gdouble
thread_ms (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static GstPadProbeReturn
frame_enters (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Stream *stream = data;

  stream->bringer = g_thread_self ();
  stream->entered = thread_ms ();
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
frame_leaves (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Stream *stream = data;
  guint i = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info)) / GST_MSECOND;
  gdouble ms = thread_ms () - stream->entered;

  /* A frame that is still on the device is pushed by another thread of the element. */
  if (i >= WARM && stream->bringer == g_thread_self ())
    g_array_append_val (stream->elements, ms);
  return GST_PAD_PROBE_OK;
}

/* Calls @probe for each frame at the pad of the element named @name. */
static void
add_probe (Stream * stream, const gchar * name, const gchar * pad_name,
    GstPadProbeCallback probe)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (stream->pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, pad_name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe, stream, NULL);
}

/* Returns: (transfer full): a pipeline, or a bin in the pipeline @whole if that is not NULL */
static GstElement *
new_pipeline (const gchar * launch, GstElement * whole)
{
  GError *error = NULL;
  GstElement *pipeline = whole == NULL ? gst_parse_launch (launch, &error)
      : gst_parse_bin_from_description (launch, FALSE, &error);
  g_autoptr (GstContext) carrier = NULL;

  if (error != NULL)
    g_error ("%s: %s", launch, error->message);
  if (whole != NULL) {
    gst_bin_add (GST_BIN (whole), gst_object_ref_sink (pipeline));
    return pipeline;
  }
  carrier = gst_context_new_mgpu_context (context);
  gst_element_set_context (pipeline, carrier);
  return pipeline;
}

static void
set_callbacks (GstElement * pipeline, GstFlowReturn (*sample) (GstAppSink *,
        gpointer), void (*eos) (GstAppSink *, gpointer), Stream * stream)
{
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstAppSinkCallbacks callbacks = {.eos = eos,.new_sample = sample };

  gst_app_sink_set_callbacks (GST_APP_SINK (sink), &callbacks, stream, NULL);
}

static void
open_stream (Stream * stream, const BenchWay * way, GstElement * whole,
    const gchar * caps, guint frames)
{
  g_autoptr (GstCaps) parsed = gst_caps_from_string (caps);
  GstElement *filter;
  gchar *launch;

  stream->way = way;
  stream->latency = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_queue_init (&stream->in_flight);
  if (parsed == NULL || !gst_video_info_from_caps (&stream->info, parsed))
    g_error ("no video: %s", caps);
  if (way->feed == BENCH_FEED_DEVICE)
    gst_caps_set_features_simple (parsed,
        gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_OPENCL, NULL));

  launch = g_strdup_printf ("bench-source name=source ! capsfilter name=caps ! "
      "%s%s capsfilter name=out caps=%s ! appsink name=sink sync=false max-buffers=4",
      way->launch != NULL ? way->launch : "", way->launch != NULL ? " !" : "",
      way->feed == BENCH_FEED_DEVICE
      ? "video/x-raw(" GST_CAPS_FEATURE_MEMORY_OPENCL ")" : "video/x-raw");
  stream->pipeline = new_pipeline (launch, whole);
  g_free (launch);
  stream->source = (BenchSource *)
      gst_bin_get_by_name (GST_BIN (stream->pipeline), "source");
  stream->source->feed = way->feed;
  stream->source->n_frames = frames + WARM;
  stream->source->left = g_new0 (gint64, frames + WARM);
  stream->elements = g_array_new (FALSE, FALSE, sizeof (gdouble));
  add_probe (stream, "caps", "src", frame_enters);
  add_probe (stream, "out", "sink", frame_leaves);
  filter = gst_bin_get_by_name (GST_BIN (stream->pipeline), "caps");
  g_object_set (filter, "caps", parsed, NULL);
  gst_object_unref (filter);

  if (way->apply != NULL) {
    stream->second = new_pipeline ("appsrc name=entry format=time block=true "
        "max-buffers=4 ! appsink name=sink sync=false max-buffers=4", NULL);
    stream->entry = gst_bin_get_by_name (GST_BIN (stream->second), "entry");
    g_object_set (stream->entry, "caps", parsed, NULL);
    set_callbacks (stream->second, frame_seen, NULL, stream);
    set_callbacks (stream->pipeline, frame_applied, applied_all, stream);
  } else {
    set_callbacks (stream->pipeline, frame_seen, NULL, stream);
  }
}

static void
close_pipeline (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
close_stream (Stream * stream)
{
  wait_for_all_but (stream, 0);
  gst_object_unref (stream->source);
  close_pipeline (stream->pipeline);
  gst_clear_object (&stream->entry);
  if (stream->second != NULL)
    close_pipeline (stream->second);
  g_array_unref (stream->latency);
  g_array_unref (stream->elements);
}

static gboolean
wait_for_end (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_timed_pop_filtered (bus, 300 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (message == NULL)
    g_error ("a pipeline does not end");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s\n", GST_OBJECT_NAME (GST_MESSAGE_SRC (message)),
        error->message);
  }
  return error == NULL;
}

/* --- Results --- */

static guint64
stat_of (GstElement * element, const gchar * name)
{
  GstStructure *stats = NULL;
  guint64 value = 0;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats")) {
    g_object_get (element, "stats", &stats, NULL);
    if (stats != NULL)
      gst_structure_get_uint64 (stats, name, &value);
    g_clear_pointer (&stats, gst_structure_free);
  }
  return value;
}

/* Adds the counters of all elements of the pipeline, which also count frames of the warm-up. */
static void
add_stats (GstElement * pipeline, BenchResult * result, guint frames)
{
  g_autoptr (GstIterator) elements =
      gst_bin_iterate_elements (GST_BIN (pipeline));
  GValue item = G_VALUE_INIT;

  while (gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&item);

    result->uploads += (gdouble) stat_of (element, "uploads") / frames;
    result->downloads += (gdouble) stat_of (element, "downloads") / frames;
    result->bytes += (gdouble) (stat_of (element, "upload-bytes")
        + stat_of (element, "download-bytes")) / frames;
    result->device_ms += stat_of (element, "device-time") / 1e6 / frames;
    g_value_unset (&item);
  }
}

static gdouble
resident_mib (void)
{
  gchar *text, *at;
  gdouble mib = 0;

  if (g_file_get_contents ("/proc/self/status", &text, NULL, NULL)) {
    if ((at = strstr (text, "VmRSS:")) != NULL)
      mib = strtol (at + 6, NULL, 10) / 1024.0;
    g_free (text);
  }
  return mib;
}

static gdouble
seconds (const struct timeval *time)
{
  return time->tv_sec + time->tv_usec / 1e6;
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble d = *(const gdouble *) a - *(const gdouble *) b;

  return d < 0 ? -1 : d > 0;
}

gdouble
bench_percentile (GArray * sorted, gdouble percent)
{
  guint i = sorted->len * percent / 100;

  return sorted->len == 0 ? NAN
      : g_array_index (sorted, gdouble, MIN (sorted->len - 1, i));
}

static gboolean
run_ffmpeg (const BenchWay * way, const gchar * caps, guint frames,
    BenchResult * result)
{
  g_autoptr (GstCaps) parsed = gst_caps_from_string (caps);
  GstVideoInfo info;

  return gst_video_info_from_caps (&info, parsed)
      && bench_ffmpeg_run (way, &info, frames, result);
}

/* Adds the frame rate of one more stream. */
static void
add_rate (BenchResult * result, gdouble fps)
{
  result->slowest = result->slowest > 0 ? MIN (result->slowest, fps) : fps;
  result->fastest = MAX (result->fastest, fps);
}

/* Starts all streams, and waits until all have ended. If a stream fails, prints why. Returns: FALSE
 * if a stream fails */
static gboolean
play (Stream * all, guint streams, GstElement * whole)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < streams && whole == NULL; i++) {
    if (all[i].second != NULL)
      gst_element_set_state (all[i].second, GST_STATE_PLAYING);
    gst_element_set_state (all[i].pipeline, GST_STATE_PLAYING);
  }
  if (whole != NULL) {
    gst_element_set_state (whole, GST_STATE_PLAYING);
    return wait_for_end (whole);
  }
  for (guint i = 0; i < streams; i++)
    ok &= wait_for_end (all[i].second != NULL ? all[i].second
        : all[i].pipeline);
  return ok;
}

/* Sets the members of @result that all streams of this process share. */
static void
add_process (BenchResult * result, guint total)
{
  struct rusage now;

  getrusage (RUSAGE_SELF, &now);
  result->cpu_ms = (seconds (&now.ru_utime) - seconds (&usage.ru_utime)
      + seconds (&now.ru_stime) - seconds (&usage.ru_stime)) * 1000 / total;
  result->resident_mib = resident_mib ();
  result->device_mib = bench_device_memory_end ();
}

/* Limits devices that are opened from now on to @contexts contexts; NULL: removes the limit.
 * Returns: (transfer full) (nullable): the previous limit */
static gchar *
set_contexts (const gchar * contexts)
{
  gchar *before = g_strdup (g_getenv ("GST_MGPU_CONTEXTS"));

  if (contexts != NULL)
    g_setenv ("GST_MGPU_CONTEXTS", contexts, TRUE);
  else
    g_unsetenv ("GST_MGPU_CONTEXTS");
  return before;
}

gboolean
bench_run (const BenchWay * way, const gchar * caps, guint frames,
    BenchResult * result)
{
  Stream *all;
  guint streams = way->streams, total = frames * streams;
  GstElement *whole = NULL;
  gchar *contexts = NULL;
  gboolean ok;
  GArray *elements;

  memset (result, 0, sizeof (*result));
  if (way->ffmpeg != NULL)
    return run_ffmpeg (way, caps, frames, result);
  if (way->together)
    whole = gst_object_ref_sink (gst_pipeline_new (NULL));
  if (way->contexts != NULL)
    contexts = set_contexts (way->contexts);
  /* Returns freed memory to the system, so that memory of earlier runs does not count for this
   * run. */
  malloc_trim (0);
  n_warm = 0;
  n_streams = streams;
  all = g_new0 (Stream, streams);
  bench_device_memory_begin (context);
  result->latency = g_array_new (FALSE, FALSE, sizeof (gdouble));
  elements = g_array_new (FALSE, FALSE, sizeof (gdouble));
  for (guint i = 0; i < streams; i++)
    open_stream (&all[i], way, whole, caps, frames);
  ok = play (all, streams, whole);
  add_process (result, total);
  for (guint i = 0; i < streams; i++) {
    add_rate (result, frames * 1e6 / (all[i].ended - began));
    g_array_append_vals (result->latency, all[i].latency->data,
        all[i].latency->len);
    g_array_append_vals (elements, all[i].elements->data, all[i].elements->len);
  }

  g_array_sort (result->latency, compare_doubles);
  g_array_sort (elements, compare_doubles);
  result->elements_ms = bench_percentile (elements, 50);
  g_array_unref (elements);
  result->fps = result->slowest * streams;
  if (whole != NULL)
    gst_element_set_state (whole, GST_STATE_NULL);
  for (guint i = 0; i < streams; i++) {
    add_stats (all[i].pipeline, result, (frames + WARM) * streams);
    close_stream (&all[i]);
  }
  g_clear_pointer (&whole, gst_object_unref);
  g_free (all);
  if (way->contexts != NULL)
    g_free (set_contexts (contexts));
  g_free (contexts);
  if (!ok)
    g_clear_pointer (&result->latency, g_array_unref);
  return ok;
}

/* Returns whether each word of the launch line that could be the name of an element is one. */
gboolean
bench_can_run (const BenchWay * way)
{
  gchar **elements;
  gboolean can = way->launch != NULL || way->apply != NULL;

  if (way->ffmpeg != NULL)
    return bench_ffmpeg_can_run ();
  if (way->launch == NULL)
    return can;
  elements = g_strsplit (way->launch, "!", -1);
  for (guint i = 0; elements[i] != NULL && can; i++) {
    gchar **words = g_strsplit (g_strstrip (elements[i]), " ", 2);
    GstElementFactory *factory = gst_element_factory_find (words[0]);

    can = factory != NULL;
    gst_clear_object (&factory);
    g_strfreev (words);
  }
  g_strfreev (elements);
  return can;
}

void
bench_run_init (GstMgpuContext * device)
{
  context = device;
  gst_element_register (NULL, "bench-source", GST_RANK_NONE,
      bench_source_get_type ());
}
