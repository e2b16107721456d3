/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpukernel
 * @title: mgpukernel
 * @short_description: runs kernels from a file that the user wrote, on an OpenCL device
 *
 * The file is OpenCL C with lines "//!" that describe its parameters and results. When the file is
 * saved again, the element builds it, and processes later frames with the new kernels. Use trusted
 * files only: their code runs with the rights of the user.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=20 ! mgpukernel source="PIXEL (invert) { return MAX - LOAD (x, y); }" ! fakesink
 * ]|
 *
 * Since: 1.1
 */
#include "gstmgpukernel.h"

#include <gst/frame/gstmgpucaps.h>

#include <string.h>

#include "../elements.h"
#include "gstmgpukernelresults.h"

/* Value of the frame counter before the first frame, which has the number 0 */
#define BEFORE_FIRST G_MAXUINT64

#define MEMBER(name) G_STRUCT_OFFSET (GstMgpuKernelParams, name)
#define CONTROL(n) {"control-" #n, MGPU_PARAM_DOUBLE, MEMBER (control[n - 1]), \
      -1e9, 1e9, 0, NULL, "Value of the kernel parameter whose line contains " \
      "\"control=" #n "\" (never set = the value in \"params\")", FALSE, \
      MEMBER (has_control[n - 1])}
static const MgpuParam params[] = {
  {"location", MGPU_PARAM_STRING, MEMBER (location), 0, 0, 0, NULL,
      "File with the OpenCL C source of the kernels; the code runs with the "
        "rights of this process (unset = \"source\" is used)"},
  {"source", MGPU_PARAM_STRING, MEMBER (source), 0, 0, 0, NULL,
      "OpenCL C source of the kernels, used instead of a file (unset = the "
        "file \"location\" is read)"},
  {"kernel", MGPU_PARAM_STRING, MEMBER (kernel), 0, 0, 0, NULL,
      "Name of the kernel to run (unset = the kernels in the lines \"//! "
        "pass\", or without such lines the first kernel)"},
  {"reload", MGPU_PARAM_BOOLEAN, MEMBER (reload), 0, 1, TRUE, NULL,
      "Whether to read the file \"location\" again when it changes"},
  CONTROL (1),
  CONTROL (2),
  CONTROL (3),
  CONTROL (4),
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (post_messages), 0, 1, FALSE,
        NULL,
      "Whether to also post results as element messages: \"mgpu-numbers\", and "
        "for boxes \"mgpu-detections\""},
  {NULL}
};

/* Ids of properties: first the ids of the base class, then the ids in this enum, then the ids of
 * @params */
enum
{
  PROP_PARAMS = 90,
  PROP_LOG
};

#define gst_mgpu_kernel_parent_class parent_class
G_DEFINE_TYPE (GstMgpuKernel, gst_mgpu_kernel, GST_TYPE_MGPU_FILTER);

static const GstMgpuKernelParams *
get_params (GstMgpuKernel * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

/* ---- Properties ------------------------------------------------------------------- */

static void
gst_mgpu_kernel_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (object);

  if (id != PROP_PARAMS) {
    G_OBJECT_CLASS (parent_class)->set_property (object, id, value, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  gst_clear_structure (&self->set);
  self->set = g_value_dup_boxed (value);
  self->n_set++;
  GST_OBJECT_UNLOCK (self);
  GST_MGPU_DEBUG_OBJECT (self, "property \"params\" is %" GST_PTR_FORMAT,
      g_value_get_boxed (value));
}

static void
gst_mgpu_kernel_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (object);

  if (id != PROP_PARAMS && id != PROP_LOG) {
    G_OBJECT_CLASS (parent_class)->get_property (object, id, value, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_PARAMS)
    g_value_set_boxed (value, self->set);
  else
    g_value_set_string (value, self->log);
  GST_OBJECT_UNLOCK (self);
}

/* Records that the kernel text or the name of the kernel was set. The next frame uses the new
 * value. */
static void
gst_mgpu_kernel_changed (GstMgpuFilter * filter, guint i)
{
  /* Changes the parameters of the regions together with those of this element. */
  gsize member = GST_MGPU_FILTER_GET_CLASS (filter)->params[i].offset;

  if (member != MEMBER (location) && member != MEMBER (source)
      && member != MEMBER (kernel))
    return;
  GST_OBJECT_LOCK (filter);
  ((GstMgpuKernelParams *) filter->params)->n_set++;
  GST_OBJECT_UNLOCK (filter);
}

/* ---- The program of frames -------------------------------------------------------- */

/* Returns: (transfer full) (nullable): the kernel text whose formats are used in caps
 * negotiation */
static MgpuKernelText *
get_text (GstMgpuKernel * self)
{
  MgpuKernelText *text;

  GST_OBJECT_LOCK (self);
  text = self->text != NULL ? mgpu_kernel_text_ref (self->text) : NULL;
  GST_OBJECT_UNLOCK (self);
  return text;
}

/* Builds the kernels for frames of the format of the input. @second (nullable): format of the
 * frames of the second input */
static gboolean
build_object (GstMgpuKernel * self, const GstVideoInfo * second,
    GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  GstMgpuKernelBuild *build =
      gst_mgpu_kernel_build_new (NULL, NULL, self->kernel);
  gboolean ok;

  build->text = mgpu_kernel_text_ref (self->text);
  build->context = gst_object_ref (filter->base.context);
  build->in = filter->input.info;
  build->out = filter->output.info;
  if (second != NULL)
    build->second = *second;
  gst_mgpu_kernel_build_run (build, NULL);
  gst_mgpu_kernel_set_log (self, build->log, build->error);
  ok = build->object != NULL;
  GST_MGPU_DEBUG_OBJECT (self, "building %s took %" G_GINT64_FORMAT
      " us: %s",
      self->text->name, build->elapsed, ok
      ? "succeeded" : build->error != NULL ? build->error->message
      : "the output frames do not match the caps");
  if (ok)
    gst_mgpu_kernel_set_object (self, g_steal_pointer (&build->object),
        build->text, build->kernel);
  else if (build->error != NULL)
    g_propagate_error (error, g_steal_pointer (&build->error));
  else
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the format of the frames that %s outputs differs from the format in "
        "the caps", self->text->name);
  gst_mgpu_kernel_build_free (build);
  return ok;
}

/* Builds the kernels, unless they exist for this format of the frames of the second input, @second
 * (nullable). */
static gboolean
ensure_object (GstMgpuKernel * self, const GstVideoInfo * second,
    GError ** error)
{
  const GstVideoInfo *old = self->object != NULL
      ? &((MgpuObject *) self->object)->guide : NULL;

  if (self->object != NULL && (!self->built->second
          || (second != NULL ? gst_video_info_is_equal (old, second)
              : GST_VIDEO_INFO_FORMAT (old) == GST_VIDEO_FORMAT_UNKNOWN)))
    return TRUE;
  GST_MGPU_DEBUG_OBJECT (self, "building %s; format of the second input: %s",
      self->text->name, second != NULL ? GST_VIDEO_INFO_NAME (second) : "none");
  return build_object (self, second, error);
}

static gboolean
gst_mgpu_kernel_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (filter);

  filter->is_needed = GST_VIDEO_INFO_FORMAT (info)
      != GST_VIDEO_INFO_FORMAT (&filter->output.info);
  /* Waits for the first frame of the second input, because the format of the second input is
   * unknown before that. */
  return (self->text->second && gst_mgpu_guide_has_pad (filter->guide))
      || ensure_object (self, NULL, error);
}

static void
gst_mgpu_kernel_unprepare (GstMgpuFilter * filter)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (filter);

  gst_mgpu_kernel_stop_build (self);
  gst_mgpu_kernel_set_object (self, NULL, NULL, NULL);
}

static gboolean
gst_mgpu_kernel_start (GstBaseTransform * trans)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  GstMgpuKernelParams *now;
  GError *error;

  self->frame.frame = BEFORE_FIRST;
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans))
    return FALSE;
  now = gst_mgpu_filter_copy_params (filter);
  error = gst_mgpu_kernel_load (self, now);
  gst_mgpu_filter_free_params (filter, now);
  if (error == NULL)
    return TRUE;
  gst_mgpu_kernel_set_log (self, NULL, error);
  gst_mgpu_device_base_fail (&filter->base, error);
  GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
  return FALSE;
}

static gboolean
gst_mgpu_kernel_stop (GstBaseTransform * trans)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (trans);
  gboolean ret = GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);

  gst_mgpu_kernel_stop_build (self);
  gst_mgpu_kernel_set_text (self, NULL, NULL);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  return ret;
}

/* ---- Caps ------------------------------------------------------------------------- */

/* Sets the formats in the caps structure @s to those that the kernel text accepts. */
static void
set_formats (GstStructure * s, const GArray * formats)
{
  GValue list = G_VALUE_INIT;

  gst_value_list_init (&list, formats->len);
  for (guint i = 0; i < formats->len; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_STRING);
    g_value_set_static_string (&value, gst_video_format_to_string
        (g_array_index (formats, GstVideoFormat, i)));
    gst_value_list_append_and_take_value (&list, &value);
  }
  gst_structure_take_value (s, "format", &list);
}

/* Restricts the caps of input frames to the formats that the kernel text accepts. Returns:
 * (transfer full): the caps */
static GstCaps *
restrict_formats (GstCaps * caps, const MgpuKernelText * text)
{
  GstCaps *accepted, *both;

  if (text->formats->len == 0)
    return gst_caps_ref (caps);
  accepted = gst_caps_new_empty_simple ("video/x-raw");
  set_formats (gst_caps_get_structure (accepted, 0), text->formats);
  gst_caps_set_features_simple (accepted, gst_caps_features_new_any ());
  both = gst_caps_intersect_full (caps, accepted, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (accepted);
  return both;
}

/* Changes the format in @caps (transfer full): to the output format, or, in caps of input frames,
 * to any format. Returns: (transfer full): the caps */
static GstCaps *
change_format (GstCaps * caps, const gchar * format)
{
  caps = gst_caps_make_writable (caps);
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *s = gst_caps_get_structure (caps, i);

    gst_structure_remove_fields (s, "format", "colorimetry", "chroma-site",
        NULL);
    if (format != NULL)
      gst_structure_set (s, "format", G_TYPE_STRING, format, NULL);
  }
  return caps;
}

/* Transforms caps. If the kernel file fixes the output format, input frames of any format are
 * accepted. */
static GstCaps *
gst_mgpu_kernel_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  MgpuKernelText *text = get_text (GST_MGPU_KERNEL (trans));
  GstCaps *others, *any;

  if (text == NULL)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->transform_caps (trans,
        direction, caps, filter);
  if (direction == GST_PAD_SINK) {
    others = restrict_formats (caps, text);
    if (text->output != GST_VIDEO_FORMAT_UNKNOWN)
      others = change_format (others, gst_video_format_to_string
          (text->output));
  } else {
    GstCaps *all = gst_caps_ref (caps);

    if (text->output != GST_VIDEO_FORMAT_UNKNOWN) {
      GstCaps *made = gst_caps_from_string (GST_MGPU_CAPS_ALL);

      made = change_format (made, gst_video_format_to_string (text->output));
      gst_caps_unref (all);
      all = change_format (gst_caps_intersect (caps, made), NULL);
      gst_caps_unref (made);
    }
    others = restrict_formats (all, text);
    gst_caps_unref (all);
  }
  mgpu_kernel_text_unref (text);
  any = gst_mgpu_caps_in_any_memory (others);
  gst_caps_unref (others);
  return gst_mgpu_caps_intersect (filter, any);
}

/* Appends to a text the formats of @value, which is a string or a list of strings. The result looks
 * like "NV12, I420". */
static void
append_formats (GString * s, const GValue * value)
{
  guint n = GST_VALUE_HOLDS_LIST (value) ? gst_value_list_get_size (value) : 0;

  if (G_VALUE_HOLDS_STRING (value) && strstr (s->str, g_value_get_string
          (value)) == NULL)
    g_string_append_printf (s, "%s%s", s->len > 0 ? ", " : "",
        g_value_get_string (value));
  for (guint i = 0; i < n; i++)
    append_formats (s, gst_value_list_get_value (value, i));
}

/* Returns: (transfer full): the formats of the caps that @text does not accept, such as "NV12,
 * I420"; "" if it accepts one of them, or if no element of this plugin accepts any of them */
static gchar *
find_refused (const MgpuKernelText * text, GstCaps * caps)
{
  g_autoptr (GstCaps) all = gst_caps_from_string (GST_MGPU_CAPS_ALL);
  g_autoptr (GstCaps) possible = gst_caps_intersect (caps, all);
  g_autoptr (GstCaps) accepted = restrict_formats (possible, text);
  GString *s = g_string_new (NULL);

  for (guint i = 0; gst_caps_is_empty (accepted)
      && i < gst_caps_get_size (possible); i++)
    append_formats (s, gst_structure_get_value (gst_caps_get_structure
            (possible, i), "format"));
  return g_string_free (s, FALSE);
}

/* Posts a warning, once, if upstream offers only formats that the kernel file does not accept.
 * Upstream ends the stream with an error that does not name the reason. */
static void
tell_refused (GstMgpuKernel * self, MgpuKernelText * text, GstCaps * caps)
{
  g_autofree gchar *refused = find_refused (text, caps), *formats = NULL;
  gboolean is_told = TRUE;

  if (refused[0] == '\0')
    return;
  GST_OBJECT_LOCK (self);
  if (text == self->text) {
    is_told = self->is_told;
    self->is_told = TRUE;
  }
  GST_OBJECT_UNLOCK (self);
  if (is_told)
    return;
  formats = gst_mgpu_kernel_list_formats (text);
  GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("%s: %s accepts frames of %s, by "
          "its line \"//! formats\", and upstream has %s: put videoconvert or "
          "mgpuconvert before this element", GST_OBJECT_NAME (self),
          text->name, formats, refused), (NULL));
}

static gboolean
gst_mgpu_kernel_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (trans);
  gboolean ok = GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans,
      direction, query);
  MgpuKernelText *text = direction == GST_PAD_SINK ? get_text (self) : NULL;
  GstCaps *caps = NULL;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    gst_query_parse_caps (query, &caps);
  else if (GST_QUERY_TYPE (query) == GST_QUERY_ACCEPT_CAPS)
    gst_query_parse_accept_caps (query, &caps);
  if (text != NULL && caps != NULL && text->formats->len > 0)
    tell_refused (self, text, caps);
  g_clear_pointer (&text, mgpu_kernel_text_unref);
  return ok;
}

/* ---- Work on a frame -------------------------------------------------------------- */

/* Computes the values of the kernel parameters for the frame in @buffer. */
static void
find_values (GstMgpuKernel * self, GstBuffer * buffer)
{
  const GstMgpuKernelParams *p = get_params (self);
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  const MgpuKernelText *text = self->built;
  guint64 time = GST_BUFFER_PTS (buffer);

  gst_mgpu_kernel_update_values (self);
  memcpy (self->frame.values, self->values, sizeof (self->values));
  for (guint i = 0; i < text->params->len; i++) {
    const MgpuKernelParam *param =
        &g_array_index (text->params, MgpuKernelParam, i);

    if (param->control > 0 && p->has_control[param->control - 1])
      self->frame.values[i] = gst_mgpu_kernel_clip_value (param,
          p->control[param->control - 1]);
  }
  if (segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (time)
      && GST_CLOCK_TIME_IS_VALID (gst_segment_to_stream_time (segment,
              GST_FORMAT_TIME, time)))
    time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, time);
  self->frame.text = text;
  self->frame.time = GST_CLOCK_TIME_IS_VALID (time) ? time : 0;
  self->frame.frame++;
}

static void
forget (GstMgpuKernel * self)
{
  if (self->object == NULL)
    return;
  GST_MGPU_DEBUG_OBJECT (self, "forgetting earlier frames");
  mgpu_kernel.forget (self->object);
}

static gboolean
gst_mgpu_kernel_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    forget (self);
    self->frame.frame = BEFORE_FIRST;
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* Takes over the program that has been built in the background, before the next frame uses it. */
static void
gst_mgpu_kernel_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);

  if (filter->prepared)
    gst_mgpu_kernel_update (self);
  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, buffer);
  if (!filter->prepared)
    return;
  if (GST_BUFFER_IS_DISCONT (buffer) || filter->frame.is_resting)
    forget (self);
  /* Refuses to blend a frame with a result of another format. */
  if (filter->is_needed)
    filter->mix.regions.covers = GST_MGPU_COVERS_ALL;
}

static gboolean
gst_mgpu_kernel_needs_guide (GstMgpuFilter * filter)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (filter);

  return (self->built != NULL ? self->built : self->text)->second;
}

/* Builds the program for the formats of @in and of the frame of the second input, unless it is
 * already built for these formats, and computes the values of the kernel parameters. Returns:
 * whether frames pass unchanged */
static gboolean
gst_mgpu_kernel_passes (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (filter);

  if (!ensure_object (self, filter->frame.guide != NULL
          ? &gst_mgpu_guide_get_input (filter->guide)->info : NULL, error))
    return TRUE;
  find_values (self, in);
  return !self->writes;
}

static gboolean
gst_mgpu_kernel_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (filter);

  return self->object != NULL && (!self->writes
      || mgpu_kernel_text_count_results (self->built) > 0);
}

static void
gst_mgpu_kernel_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (filter);
  MgpuWork own = *work;

  /* Lets the frame pass unchanged if regions are set, but mark no pixel. */
  if (self->writes && work->out == NULL)
    return;
  own.params = &self->frame;
  mgpu_kernel.enqueue (self->object, job, &own);
}

static gint
gst_mgpu_kernel_reach (GstMgpuFilter * filter, gint * step)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (filter);

  return mgpu_kernel.reach (self->object, &self->frame, step);
}

static gboolean
gst_mgpu_kernel_remembers (GstMgpuFilter * filter)
{
  return mgpu_kernel.remembers (&GST_MGPU_KERNEL (filter)->frame);
}

static gboolean
gst_mgpu_kernel_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (filter);
  const MgpuKernelText *text = self->built;
  gboolean posts = get_params (self)->post_messages, ok = TRUE;
  GstMemory *memory;

  if (mgpu_kernel_text_count_results (text) == 0)
    return TRUE;
  memory = mgpu_kernel_take_results (self->object);
  if (text->results->len > 0)
    gst_mgpu_kernel_attach_results (buffer, text, memory);
  GST_MGPU_LOG_OBJECT (self, "attached %u result lists to frame %"
      GST_TIME_FORMAT, text->results->len,
      GST_TIME_ARGS (GST_BUFFER_PTS (buffer)));
  if (text->boxes->len > 0 || posts)
    ok = gst_mgpu_kernel_leave_boxes (self, buffer, memory, posts, error);
  g_clear_pointer (&memory, gst_memory_unref);
  return ok;
}

/* ---- Functions of the class GObject ----------------------------------------------- */

static void
gst_mgpu_kernel_finalize (GObject * object)
{
  GstMgpuKernel *self = GST_MGPU_KERNEL (object);

  gst_clear_structure (&self->set);
  g_free (self->log);
  g_free (self->kernel);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_kernel_init (GstMgpuKernel * self)
{
  self->log = g_strdup ("");
}

static void
install_properties (GObjectClass * klass)
{
  /**
   * GstMgpuKernel:params:
   *
   * Values of the parameters of the file: a structure that has a number as a field for each
   * parameter. The name of the structure does not matter. Parameters without a field have their
   * default.
   *
   * Since: 1.1
   */
  g_object_class_install_property (klass, PROP_PARAMS,
      g_param_spec_boxed ("params", "Params",
          "Values of the parameters that the kernel source declares, such as "
          "\"params,strength=5\" (unset = the defaults)", GST_TYPE_STRUCTURE,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_PLAYING));
  /**
   * GstMgpuKernel:log:
   *
   * Messages of the compiler about the text that was built last, or the reason why the build
   * failed. Empty if there are no messages.
   *
   * Since: 1.1
   */
  g_object_class_install_property (klass, PROP_LOG,
      g_param_spec_string ("log", "Log",
          "Messages of the compiler for the last source text that was built "
          "(empty = none)", "", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_mgpu_kernel_class_init (GstMgpuKernelClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  object_class->finalize = gst_mgpu_kernel_finalize;
  trans_class->start = gst_mgpu_kernel_start;
  trans_class->stop = gst_mgpu_kernel_stop;
  trans_class->sink_event = gst_mgpu_kernel_sink_event;
  trans_class->before_transform = gst_mgpu_kernel_before_transform;
  trans_class->query = gst_mgpu_kernel_query;
  trans_class->transform_caps = gst_mgpu_kernel_transform_caps;
  filter_class->prepare = gst_mgpu_kernel_prepare;
  filter_class->unprepare = gst_mgpu_kernel_unprepare;
  filter_class->needs_guide = gst_mgpu_kernel_needs_guide;
  filter_class->passes = gst_mgpu_kernel_passes;
  filter_class->looks = gst_mgpu_kernel_looks;
  filter_class->enqueue = gst_mgpu_kernel_enqueue;
  filter_class->reach = gst_mgpu_kernel_reach;
  filter_class->remembers = gst_mgpu_kernel_remembers;
  filter_class->attach = gst_mgpu_kernel_attach;
  filter_class->finish = gst_mgpu_kernel_finish;
  filter_class->changed = gst_mgpu_kernel_changed;
  gst_mgpu_filter_class_set_guide (filter_class, "second", GST_MGPU_CAPS_ALL);
  gst_mgpu_filter_class_set_params_and_regions (filter_class, params,
      sizeof (GstMgpuKernelParams));
  object_class->set_property = gst_mgpu_kernel_set_property;
  object_class->get_property = gst_mgpu_kernel_get_property;
  install_properties (object_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL kernels written by the user", "Filter/Effect/Video",
      "Runs OpenCL kernels from a file on frames, and reads the file again "
      "when it changes", "The gst-mgpu authors");
}
