/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* source - queue - mgpuconvert - filters - tee - queue - mgpuconvert - preview
 *                                             - queue - analysers - analysis
 *
 * Each of the branches waits for the device at its end, in its own thread, and for one
 * frame at a time: what comes meanwhile is dropped, nothing piles up on the device, and
 * the main loop waits for nothing. After an error all of it is built anew. */
#include "camera.h"

#include <gst/app/app.h>
#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>
#include <string.h>

/* Milliseconds until something is tried again that has just failed */
#define PAUSE 1500

const CameraStage camera_stages[CAMERA_N_STAGES] = {
  {"Smooth", "mgpubilateral", FALSE, {
          {"sigma-color", "Sigma color", 5, 120, 1, 30},
          {"sigma-space", "Sigma space", 1, 8, 0.5, 3}}},
  {"Equalize", "mgpuhisteq", FALSE, {
          {"method", "Local (CLAHE)", 0, 1, 0, 1},
          {"clip-limit", "Clip limit", 1, 10, 0.5, 3},
          {"temporal-smoothing", "Steadiness", 0, 0.98, 0.02, 0.8}}},
  {"Sharpen", "mgpusharpen", FALSE, {
          {"amount", "Amount", 0, 4, 0.1, 1},
          {"sigma", "Sigma", 0.5, 8, 0.5, 1.5}}},
  {"Keypoints", "mgpusift", TRUE, {
          {"max-features", "At most", 20, 1000, 20, 300},
          {"contrast-threshold", "Contrast", 0.01, 0.2, 0.01, 0.04}}},
  {"People", "mgpuhog", FALSE, {
          {"threshold", "Score", -0.5, 1.5, 0.05, 0}}}
};

struct _CameraStream
{
  CameraSettings settings;
  void (*say) (gboolean is_error, const gchar * text, gpointer data);
  gpointer data;

  gint on[CAMERA_N_STAGES];     /* atomic */
  gdouble values[CAMERA_N_STAGES][CAMERA_MAX_CONTROLS];

  gchar **devices;              /* what there is, best first */
  guint n_failures;             /* of devices, so far */
  cl_device_id failed;          /* the last one */
  GstMgpuContext *context;

  GstElement *pipeline;         /* NULL: it waits for retry */
  GstElement *stages[CAMERA_N_STAGES];
  guint watch, retry;           /* sources of the main loop */

  GMutex lock;                  /* of what follows */
  cairo_surface_t *frame;
  gdouble latency;
  CameraFindings findings;
  gboolean has_findings;
};

void
camera_findings_clear (CameraFindings * self)
{
  g_clear_pointer (&self->keypoints, g_bytes_unref);
  g_clear_pointer (&self->people, g_array_unref);
}

/* ---- Frames to look at ------------------------------------------------------------ */

static void
unmap (gpointer data)
{
  gst_video_frame_unmap (data);
  g_free (data);
}

/* The picture stays where it is, in the buffer. */
static cairo_surface_t *
wrap_frame (GstSample * sample)
{
  static const cairo_user_data_key_t key;
  GstVideoFrame *frame = g_new0 (GstVideoFrame, 1);
  cairo_surface_t *surface;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample))
      || !gst_video_frame_map (frame, &info, gst_sample_get_buffer (sample),
          GST_MAP_READ)) {
    g_free (frame);
    return NULL;
  }
  surface = cairo_image_surface_create_for_data (GST_VIDEO_FRAME_PLANE_DATA
      (frame, 0), CAIRO_FORMAT_RGB24, info.width, info.height,
      GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0));
  cairo_surface_set_user_data (surface, &key, frame, unmap);
  return surface;
}

/* A buffer's time is when it was taken, or when it was to be shown. */
static gdouble
measure_latency (GstElement * sink, GstSample * sample)
{
  GstClockTime then = gst_segment_to_running_time (gst_sample_get_segment
      (sample), GST_FORMAT_TIME, GST_BUFFER_PTS (gst_sample_get_buffer
          (sample)));
  GstClockTime now = gst_element_get_current_running_time (sink);

  if (!GST_CLOCK_TIME_IS_VALID (then) || !GST_CLOCK_TIME_IS_VALID (now))
    return 0;
  return GST_CLOCK_DIFF (then, now) / (gdouble) GST_MSECOND;
}

static GstFlowReturn
on_frame (GstAppSink * sink, gpointer data)
{
  CameraStream *self = data;
  GstSample *sample = gst_app_sink_pull_sample (sink);
  cairo_surface_t *frame = sample != NULL ? wrap_frame (sample) : NULL, *before;

  if (frame != NULL) {
    g_mutex_lock (&self->lock);
    before = self->frame;
    self->frame = frame;
    self->latency = measure_latency (GST_ELEMENT (sink), sample);
    g_mutex_unlock (&self->lock);
    g_clear_pointer (&before, cairo_surface_destroy);
  }
  g_clear_pointer (&sample, gst_sample_unref);
  return GST_FLOW_OK;
}

cairo_surface_t *
camera_stream_take_frame (CameraStream * self, gdouble * latency)
{
  cairo_surface_t *frame;

  g_mutex_lock (&self->lock);
  frame = g_steal_pointer (&self->frame);
  *latency = self->latency;
  g_mutex_unlock (&self->lock);
  return frame;
}

/* ---- What was found ----------------------------------------------------------------- */

static GArray *
read_people (GstBuffer * buffer)
{
  GArray *people = g_array_new (FALSE, TRUE, sizeof (CameraPerson));
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    GstStructure *detection =
        gst_video_region_of_interest_meta_get_param (roi, "detection");
    CameraPerson person = { roi->x, roi->y, roi->w, roi->h, 0 };

    if (detection == NULL)
      continue;
    gst_structure_get_double (detection, "confidence", &person.score);
    g_array_append_val (people, person);
  }
  return people;
}

static GstFlowReturn
on_findings (GstAppSink * sink, gpointer data)
{
  CameraStream *self = data;
  GstSample *sample = gst_app_sink_pull_sample (sink);
  CameraFindings now = { NULL, NULL }, before;
  GstMgpuKeypointMeta *keypoints;
  GstBuffer *buffer;

  if (sample == NULL)
    return GST_FLOW_OK;
  buffer = gst_sample_get_buffer (sample);
  keypoints = gst_buffer_get_mgpu_keypoint_meta (buffer);
  /* The device is still at work on them: this waits. */
  if (keypoints != NULL)
    now.keypoints = gst_mgpu_keypoint_meta_get_keypoints (keypoints);
  if (g_atomic_int_get (&self->on[CAMERA_PEOPLE]))
    now.people = read_people (buffer);
  gst_sample_unref (sample);
  g_mutex_lock (&self->lock);
  before = self->findings;
  self->findings = now;
  self->has_findings = TRUE;
  g_mutex_unlock (&self->lock);
  camera_findings_clear (&before);
  return GST_FLOW_OK;
}

gboolean
camera_stream_take_findings (CameraStream * self, CameraFindings * findings)
{
  static const CameraFindings none = { NULL, NULL };
  gboolean has;

  g_mutex_lock (&self->lock);
  has = self->has_findings;
  *findings = self->findings;
  self->findings = none;
  self->has_findings = FALSE;
  g_mutex_unlock (&self->lock);
  return has;
}

/* ---- Elements that come and go -------------------------------------------------------- */

/* A part of the pipeline whose elements can be left out */
typedef struct
{
  const gchar *from, *to;
  guint first, end;             /* stages between them */
} Part;

static const Part filters = { "top", "split", 0, CAMERA_KEYPOINTS };
static const Part analysers = { "eyes", "analysis", CAMERA_KEYPOINTS,
  CAMERA_N_STAGES
};

/* Links what is switched on. What is switched off gives its memory back. */
static void
link_part (CameraStream * self, const Part * part)
{
  GstElement *chain[CAMERA_N_STAGES + 2];
  guint n = 0, previous = 0;

  chain[n++] = gst_bin_get_by_name (GST_BIN (self->pipeline), part->from);
  for (guint i = part->first; i < part->end; i++)
    chain[n++] = gst_object_ref (self->stages[i]);
  chain[n++] = gst_bin_get_by_name (GST_BIN (self->pipeline), part->to);

  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; j < n; j++)
      gst_element_unlink (chain[i], chain[j]);
  for (guint i = 1; i < n; i++) {
    gboolean is_stage = i < n - 1;

    if (is_stage && !g_atomic_int_get (&self->on[part->first + i - 1])) {
      gst_element_set_locked_state (chain[i], TRUE);
      gst_element_set_state (chain[i], GST_STATE_NULL);
      continue;
    }
    if (is_stage) {
      gst_element_set_locked_state (chain[i], FALSE);
      gst_element_sync_state_with_parent (chain[i]);
    }
    gst_element_link (chain[previous], chain[i]);
    previous = i;
  }
  for (guint i = 0; i < n; i++)
    gst_object_unref (chain[i]);
}

typedef struct
{
  CameraStream *stream;
  const Part *part;
} Change;

/* Before the next frame leaves the part's first element, in the thread that brings it:
 * nothing else is under way there. (A probe of type IDLE may be called by the main loop
 * and by that thread at once.) */
static GstPadProbeReturn
on_next_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Change *change = data;

  link_part (change->stream, change->part);
  return GST_PAD_PROBE_REMOVE;
}

void
camera_stream_switch (CameraStream * self, guint stage, gboolean on)
{
  const Part *part = stage < CAMERA_KEYPOINTS ? &filters : &analysers;
  Change *change;
  GstElement *from;
  GstPad *pad;

  g_atomic_int_set (&self->on[stage], on);
  if (self->pipeline == NULL)
    return;
  change = g_new (Change, 1);
  change->stream = self;
  change->part = part;
  from = gst_bin_get_by_name (GST_BIN (self->pipeline), part->from);
  pad = gst_element_get_static_pad (from, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER,
      on_next_frame, change, g_free);
  gst_object_unref (pad);
  gst_object_unref (from);
}

static void
set_value (CameraStream * self, guint stage, guint control)
{
  const CameraControl *what = &camera_stages[stage].controls[control];
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  /* Properties are doubles, integers and enumerations. */
  g_ascii_formatd (text, sizeof (text), "%.6g", self->values[stage][control]);
  gst_util_set_object_arg (G_OBJECT (self->stages[stage]), what->property,
      text);
}

void
camera_stream_tune (CameraStream * self, guint stage, guint control,
    gdouble value)
{
  self->values[stage][control] = value;
  if (self->pipeline != NULL)
    set_value (self, stage, control);
}

/* ---- The pipeline ----------------------------------------------------------------------- */

static void start (CameraStream * self);

static void
stop (CameraStream * self)
{
  if (self->pipeline == NULL)
    return;
  g_source_remove (self->watch);
  for (guint i = 0; i < CAMERA_N_STAGES; i++)
    gst_element_set_locked_state (self->stages[i], FALSE);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_clear_object (&self->pipeline);
}

static gboolean
on_retry (gpointer data)
{
  CameraStream *self = data;

  self->retry = 0;
  start (self);
  return G_SOURCE_REMOVE;
}

static void
start_later (CameraStream * self)
{
  self->retry = g_timeout_add (PAUSE, on_retry, self);
}

/* After a failure any device that does not fail again at once, the others first. */
static gboolean
open_device (CameraStream * self, GError ** error)
{
  guint n = g_strv_length (self->devices);

  gst_clear_object (&self->context);
  if (self->n_failures == 0) {
    self->context = gst_mgpu_context_new (self->settings.device, error);
    return self->context != NULL;
  }
  for (guint i = 0; i < n; i++) {
    self->context = gst_mgpu_context_new (self->devices[(self->n_failures - 1
                + i) % n], NULL);
    if (self->context != NULL
        && gst_mgpu_context_get_cl_device (self->context) != self->failed)
      return TRUE;
    gst_clear_object (&self->context);
  }
  self->context = gst_mgpu_context_new (NULL, error);
  return self->context != NULL;
}

/* TRUE: there is another device, on which it goes on. */
static gboolean
change_device (CameraStream * self)
{
  self->failed = gst_mgpu_context_get_cl_device (self->context);
  self->n_failures++;
  return open_device (self, NULL)
      && gst_mgpu_context_get_cl_device (self->context) != self->failed;
}

/* Of its elements the plugin names itself; of the others, the source is a file or a
 * camera. */
static gchar *
describe (CameraStream * self, GstObject * source, const GError * error)
{
  const gchar *name = self->settings.file != NULL ? self->settings.file
      : self->settings.camera;

  if (name != NULL && strcmp (GST_OBJECT_NAME (source), "source") == 0)
    return g_strdup_printf ("%s: %s", name, error->message);
  return g_strdup (error->message);
}

static gboolean
is_of_device (GstObject * source, const GError * error)
{
  GstElementFactory *factory = GST_IS_ELEMENT (source)
      ? gst_element_get_factory (GST_ELEMENT (source)) : NULL;

  return factory != NULL && g_str_has_prefix (GST_OBJECT_NAME (factory), "mgpu")
      && error->domain != GST_STREAM_ERROR;
}

static void
on_error (CameraStream * self, GstMessage * message)
{
  GstObject *source = GST_MESSAGE_SRC (message);
  GError *error = NULL;
  gchar *what, *text;

  gst_message_parse_error (message, &error, NULL);
  what = describe (self, source, error);
  stop (self);
  if (is_of_device (source, error) && change_device (self)) {
    text = g_strdup_printf ("%s\nIt goes on with %s.", what,
        gst_mgpu_context_get_device_name (self->context));
    start (self);
  } else {
    text = g_strdup_printf ("%s\nIt is tried again.", what);
    start_later (self);
  }
  self->say (TRUE, text, self->data);
  g_free (text);
  g_free (what);
  g_error_free (error);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  CameraStream *self = data;
  GError *warning = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      on_error (self, message);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &warning, NULL);
      self->say (FALSE, warning->message, self->data);
      g_error_free (warning);
      break;
    case GST_MESSAGE_EOS:
      stop (self);
      start (self);
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (self->pipeline));
      break;
    default:
      break;
  }
  return G_SOURCE_CONTINUE;
}

/* Of a file each frame waits until it is time. */
static GstElement *
parse_pipeline (CameraStream * self, GError ** error)
{
#define QUEUE "queue leaky=downstream max-size-buffers=1 "
  const gchar *source = self->settings.file != NULL
      ? "filesrc name=source ! decodebin ! video/x-raw(ANY) ! identity sync=true"
      : self->settings.camera != NULL ? "v4l2src name=source"
      : "videotestsrc name=source is-live=true horizontal-speed=2";
  const gchar *size = self->settings.file != NULL ? ""
      : ",width=640,height=480,pixel-aspect-ratio=1/1";
  gchar *launch = g_strdup_printf ("%s ! " QUEUE " ! mgpuconvert ! capsfilter "
      "name=top caps=\"video/x-raw(memory:OpenCLMemory)%s\" tee name=split ! "
      QUEUE "name=eyes split. ! " QUEUE "! mgpuconvert ! "
      "video/x-raw,format=BGRx ! appsink name=preview sync=false "
      "max-buffers=1 drop=true appsink name=analysis sync=false max-buffers=1 "
      "drop=true", source, size);
  GstElement *pipeline = gst_parse_launch_full (launch, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, error), *element;

  g_free (launch);
  if (pipeline == NULL)
    return NULL;
  element = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  if (self->settings.file != NULL)
    g_object_set (element, "location", self->settings.file, NULL);
  else if (self->settings.camera != NULL)
    g_object_set (element, "device", self->settings.camera, NULL);
  gst_object_unref (element);
  return pipeline;
}

static void
connect (CameraStream * self, const gchar * name,
    GstFlowReturn (*on_sample) (GstAppSink *, gpointer))
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (self->pipeline), name);
  GstAppSinkCallbacks callbacks = {.new_sample = on_sample };

  gst_app_sink_set_callbacks (GST_APP_SINK (sink), &callbacks, self, NULL);
  gst_object_unref (sink);
}

static gboolean
build (CameraStream * self, GError ** error)
{
  GstContext *context;

  if (self->context == NULL && !open_device (self, error))
    return FALSE;
  self->pipeline = parse_pipeline (self, error);
  if (self->pipeline == NULL)
    return FALSE;
  context = gst_context_new_mgpu_context (self->context);
  gst_element_set_context (self->pipeline, context);
  gst_context_unref (context);
  for (guint i = 0; i < CAMERA_N_STAGES; i++) {
    self->stages[i] = gst_element_factory_make (camera_stages[i].factory, NULL);
    gst_bin_add (GST_BIN (self->pipeline), self->stages[i]);
    for (guint j = 0; j < CAMERA_MAX_CONTROLS; j++)
      if (camera_stages[i].controls[j].property != NULL)
        set_value (self, i, j);
  }
  link_part (self, &filters);
  link_part (self, &analysers);
  connect (self, "preview", on_frame);
  connect (self, "analysis", on_findings);
  return TRUE;
}

static void
start (CameraStream * self)
{
  GError *error = NULL;
  GstBus *bus;

  if (!build (self, &error)) {
    self->say (TRUE, error->message, self->data);
    g_error_free (error);
    start_later (self);
    return;
  }
  bus = gst_element_get_bus (self->pipeline);
  self->watch = gst_bus_add_watch (bus, on_message, self);
  gst_object_unref (bus);
  /* A failure comes as a message, too. */
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

CameraStream *
camera_stream_new (const CameraSettings * settings,
    void (*say) (gboolean is_error, const gchar * text, gpointer data),
    gpointer data)
{
  CameraStream *self = g_new0 (CameraStream, 1);

  self->settings = *settings;
  self->say = say;
  self->data = data;
  self->devices = gst_mgpu_list_devices ();
  g_mutex_init (&self->lock);
  for (guint i = 0; i < CAMERA_N_STAGES; i++) {
    self->on[i] = camera_stages[i].on;
    for (guint j = 0; j < CAMERA_MAX_CONTROLS; j++)
      self->values[i][j] = camera_stages[i].controls[j].value;
  }
  start (self);
  return self;
}

void
camera_stream_free (CameraStream * self)
{
  if (self->retry != 0)
    g_source_remove (self->retry);
  stop (self);
  g_clear_pointer (&self->frame, cairo_surface_destroy);
  camera_findings_clear (&self->findings);
  gst_clear_object (&self->context);
  g_strfreev (self->devices);
  g_mutex_clear (&self->lock);
  g_free (self);
}

const gchar *
camera_stream_get_device_name (CameraStream * self)
{
  return self->context != NULL
      ? gst_mgpu_context_get_device_name (self->context) : "";
}
