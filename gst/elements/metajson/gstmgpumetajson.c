/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpumetajson
 * @title: mgpumetajson
 * @short_description: writes the objects of each frame as lines of JSON
 *
 * Writes a line of JSON for each frame in which a detector found objects. Lines are written to a
 * file, a FIFO or the standard output, pushed as buffers from the request pad "json", and posted
 * as element messages. They contain regions of interest, object detections of GstAnalytics, and
 * the ids of mgputrack. The element works on the host and does not read pixels; frames may be in
 * any memory.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! mgpuhog ! mgpumetajson add-empty=true location=- ! fakesink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/base/gstbasetransform.h>
#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpucrop.h>
#include <gst/frame/gstmgpuparams.h>
#include <gst/mgpu/mgpu.h>

#include <string.h>

#include <gst/elements/elements.h>
#include "gstmgpujsonline.h"
#include "gstmgpulines.h"
#include <gst/elements/messages.h>

#define JSON_CAPS "application/x-json"

/* Maximum depth of nested arrays and objects in "tags". The limit is needed because JSON-GLib
 * before 1.10 recurses for each level, until the stack overflows. */
#define MAX_DEPTH 100

typedef struct
{
  gchar *location, *source, *tags;
  gboolean append, add_empty, post_messages, enabled;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuParam params[] = {
  {"enabled", MGPU_PARAM_BOOLEAN, MEMBER (enabled), 0, 0, TRUE, NULL,
      GST_MGPU_ENABLED_TEXT},
  {"location", MGPU_PARAM_STRING, MEMBER (location), 0, 0, 0, NULL,
      "File or FIFO to which JSON lines are written, or - for the standard "
        "output (unset = lines are not written)", TRUE},
  {"append", MGPU_PARAM_BOOLEAN, MEMBER (append), 0, 0, FALSE, NULL,
      "Whether to append lines to the file \"location\"; otherwise the old "
        "content of the file is deleted", TRUE},
  {"source", MGPU_PARAM_STRING, MEMBER (source), 0, 0, 0, NULL,
      "Name of the camera or file that is added to each JSON line as "
        "\"source\" (unset = no name is added)"},
  {"tags", MGPU_PARAM_STRING, MEMBER (tags), 0, 0, 0, NULL,
        "JSON object that is added to each JSON line as \"tags\" (unset = "
        "nothing is added)",
      TRUE},
  {"add-empty", MGPU_PARAM_BOOLEAN, MEMBER (add_empty), 0, 0, FALSE, NULL,
      "Whether to also write a line for frames without objects or numbers"},
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (post_messages), 0, 0, FALSE,
        NULL,
      "Whether to also post JSON lines as element messages \"mgpu-metadata\""},
  {NULL}
};

enum
{
  PROP_0,
  PROP_STATS,
  PROP_DROPPED,
  PROP_PARAMS                   /* id of the first property of the array @params; the
                                 * other ids follow */
};

#define GST_TYPE_MGPU_META_JSON (gst_mgpu_meta_json_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuMetaJson, gst_mgpu_meta_json, GST, MGPU_META_JSON,
    GstBaseTransform);

struct _GstMgpuMetaJson
{
  GstBaseTransform parent;

  GstMgpuStats *stats;

  /* Members that only the streaming thread uses while the element runs */
  Params frame_params;          /* copy of the member @params for the current frame */
  GstMgpuLines *lines;          /* writer of lines to the file of the property "location"; NULL if
                                 * the property is not set */
  JsonNode *tags;               /* JSON object of the property "tags", or NULL */
  gint width, height;           /* size of frames, in pixels */
  gboolean is_new_stream;       /* whether a new stream has begun at the sink pad, but not yet at
                                 * the pad "json" */

  /* Members that the element's object lock (GST_OBJECT_LOCK) guards */
  Params params;
  GstPad *json;                 /* request pad that pushes lines of JSON, or NULL */
  guint64 n_dropped;            /* number of lines that could not be written to a FIFO since the
                                 * start of the element */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

static GstStaticPadTemplate json_template = GST_STATIC_PAD_TEMPLATE ("json",
    GST_PAD_SRC, GST_PAD_REQUEST, GST_STATIC_CAPS (JSON_CAPS));

#define gst_mgpu_meta_json_parent_class parent_class
G_DEFINE_TYPE (GstMgpuMetaJson, gst_mgpu_meta_json, GST_TYPE_BASE_TRANSFORM);

/* --- The pad that sends lines of JSON --- */

/* Returns: (transfer full) (nullable): the pad "json", which pushes lines of JSON, if it
 * was requested */
static GstPad *
get_json_pad (GstMgpuMetaJson * self)
{
  GstPad *pad;

  GST_OBJECT_LOCK (self);
  pad = self->json != NULL ? gst_object_ref (self->json) : NULL;
  GST_OBJECT_UNLOCK (self);
  return pad;
}

/* Returns: (transfer full) (nullable): the pad "json", if it was requested and is linked */
static GstPad *
get_linked_pad (GstMgpuMetaJson * self)
{
  GstPad *pad = get_json_pad (self);

  if (pad != NULL && !gst_pad_is_linked (pad))
    gst_clear_object (&pad);
  return pad;
}

/* Forgets @pad, which was removed from the element or could not be added to it. Another pad can
 * then get the name "json". */
static void
forget_pad (GstMgpuMetaJson * self, GstPad * pad)
{
  GST_OBJECT_LOCK (self);
  if (self->json == pad)
    self->json = NULL;
  GST_OBJECT_UNLOCK (self);
}

static GstPad *
gst_mgpu_meta_json_request_new_pad (GstElement * element,
    GstPadTemplate * template, const gchar * name, const GstCaps * caps)
{
  GstMgpuMetaJson *self = GST_MGPU_META_JSON (element);
  GstPad *pad = gst_pad_new_from_template (template, "json");
  gboolean is_first;

  GST_MGPU_DEBUG_OBJECT (self, "made %" GST_PTR_FORMAT, pad);
  gst_pad_use_fixed_caps (pad);
  GST_OBJECT_LOCK (self);
  is_first = self->json == NULL;
  if (is_first)
    self->json = pad;
  GST_OBJECT_UNLOCK (self);
  if (!is_first) {
    gst_object_unref (pad);
    return NULL;
  }
  gst_pad_set_active (pad, TRUE);
  if (gst_element_add_pad (element, pad))
    return pad;
  /* The application itself has already added a pad with this name. */
  forget_pad (self, pad);
  return NULL;
}

/* Forgets @pad, which was removed from the element by release_pad() or by the application. */
static void
gst_mgpu_meta_json_pad_removed (GstElement * element, GstPad * pad)
{
  forget_pad (GST_MGPU_META_JSON (element), pad);
}

static void
gst_mgpu_meta_json_release_pad (GstElement * element, GstPad * pad)
{
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
}

/* Begins the stream of @pad, unless it has begun. After the end of a stream, the next one has to
 * begin again. */
static void
begin_stream (GstMgpuMetaJson * self, GstPad * pad)
{
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_STREAM_START, 0);
  gchar *id;
  guint group;

  if (event != NULL && !self->is_new_stream) {
    gst_event_unref (event);
    return;
  }
  gst_clear_event (&event);
  self->is_new_stream = FALSE;
  id = gst_pad_create_stream_id (pad, GST_ELEMENT (self), "json");
  event = gst_event_new_stream_start (id);
  g_free (id);
  gst_event_set_stream_flags (event, GST_STREAM_FLAG_SPARSE);
  {
    GstEvent *first = gst_pad_get_sticky_event
        (GST_BASE_TRANSFORM_SINK_PAD (self), GST_EVENT_STREAM_START, 0);

    if (first != NULL && gst_event_parse_group_id (first, &group))
      gst_event_set_group_id (event, group);
    gst_clear_event (&first);
  }
  GST_MGPU_DEBUG_OBJECT (self, "beginning a stream on %" GST_PTR_FORMAT, pad);
  gst_pad_push_event (pad, event);
  gst_pad_push_event (pad,
      gst_event_new_caps (gst_static_pad_template_get_caps (&json_template)));
}

/* Pushes the events that have to precede the first line of JSON from @pad, unless this was done
 * already. */
static void
start_pad (GstMgpuMetaJson * self, GstPad * pad)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);

  begin_stream (self, pad);
  /* The format is undefined before the first segment of the video stream. */
  if (event == NULL && segment->format != GST_FORMAT_UNDEFINED)
    gst_pad_push_event (pad, gst_event_new_segment (segment));
  gst_clear_event (&event);
}

/* Pushes @event, an event of the video stream, from the pad "json". While the pad is not linked,
 * it stores sticky events for its next peer. */
static void
forward_event (GstMgpuMetaJson * self, GstEvent * event)
{
  GstPad *pad = get_json_pad (self);

  GST_MGPU_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT, event);
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      /* Does not begin the stream of the pad "json" with this event, because the sink pad has not
       * stored it yet; the next event begins the stream. */
      self->is_new_stream = TRUE;
      break;
    case GST_EVENT_SEGMENT:
      if (pad != NULL) {
        begin_stream (self, pad);
        gst_pad_push_event (pad, gst_event_ref (event));
      }
      break;
    case GST_EVENT_EOS:
    case GST_EVENT_GAP:
      if (pad != NULL) {
        start_pad (self, pad);
        gst_pad_push_event (pad, gst_event_ref (event));
      }
      break;
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_FLUSH_STOP:
      if (pad != NULL)
        gst_pad_push_event (pad, gst_event_ref (event));
      break;
    default:
      break;
  }
  gst_clear_object (&pad);
}

/* Pushes a gap event for @frame from @pad, because @frame gets no line of JSON, and the receiver
 * must not wait for one. For a frame without timestamp, the gap is at the current position of the
 * stream. */
static void
push_gap (GstMgpuMetaJson * self, GstPad * pad, GstBuffer * frame)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime time = GST_BUFFER_PTS (frame);

  start_pad (self, pad);
  if (!GST_CLOCK_TIME_IS_VALID (time) && segment->format == GST_FORMAT_TIME)
    time = segment->position;
  if (!GST_CLOCK_TIME_IS_VALID (time))
    time = 0;
  GST_MGPU_LOG_OBJECT (self,
      "pushing a gap event instead of a line, for frame %" GST_TIME_FORMAT
      " on %" GST_PTR_FORMAT, GST_TIME_ARGS (time), pad);
  gst_pad_push_event (pad, gst_event_new_gap (time,
          GST_BUFFER_DURATION (frame)));
}

/* Pushes @line (transfer full) (nullable), a text of @size bytes, from the pad "json". If @line
 * is NULL, pushes a gap event. @frame is the video frame that the line describes. Returns:
 * GST_FLOW_OK unless the receiver failed */
static GstFlowReturn
push_line (GstMgpuMetaJson * self, GstPad * pad, GstBuffer * frame,
    gchar * line, gsize size)
{
  GstFlowReturn ret;
  GstBuffer *buffer;

  if (line == NULL) {
    push_gap (self, pad, frame);
    return GST_FLOW_OK;
  }
  start_pad (self, pad);
  buffer = gst_buffer_new_wrapped (line, size);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_PTS (frame);
  GST_BUFFER_DURATION (buffer) = GST_BUFFER_DURATION (frame);
  ret = gst_pad_push (pad, buffer);
  GST_MGPU_LOG_OBJECT (self,
      "pushed a line of %" G_GSIZE_FORMAT " bytes on %" GST_PTR_FORMAT ": %s",
      size, pad, gst_flow_get_name (ret));
  /* Continues the video if the receiver of the lines was unlinked, flushed or stopped. */
  return ret < GST_FLOW_EOS ? ret : GST_FLOW_OK;
}

/* --- Work on frames --- */

static void
post_line (GstMgpuMetaJson * self, GstBuffer * frame, const gchar * line)
{
  GstStructure *s = gst_mgpu_message_new_structure ("mgpu-metadata",
      GST_BASE_TRANSFORM (self), GST_BUFFER_PTS (frame),
      GST_BUFFER_DURATION (frame));

  gst_structure_set (s, "json", G_TYPE_STRING, line, NULL);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), s));
}

static gboolean
write_line (GstMgpuMetaJson * self, const gchar * line, gsize size)
{
  gboolean is_dropped;
  GError *error = NULL;

  if (!gst_mgpu_lines_write (self->lines, line, size, &is_dropped, &error)) {
    gst_mgpu_message_fail (GST_ELEMENT (self), error);
    return FALSE;
  }
  GST_MGPU_LOG_OBJECT (self, "%s a line of %" G_GSIZE_FORMAT " bytes",
      is_dropped ? "the FIFO is not read fast enough: dropped" : "wrote", size);
  GST_OBJECT_LOCK (self);
  self->n_dropped += is_dropped;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gchar *
make_line (GstMgpuMetaJson * self, GstBuffer * buffer,
    const GPtrArray * objects, gsize * size)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstMgpuJsonFrame frame = { self->frame_params.source, self->tags,
    GST_BUFFER_PTS (buffer), GST_CLOCK_TIME_NONE, self->width, self->height
  };

  if (segment->format == GST_FORMAT_TIME
      && GST_CLOCK_TIME_IS_VALID (frame.timestamp))
    frame.running_time = gst_segment_to_running_time (segment,
        GST_FORMAT_TIME, frame.timestamp);
  return gst_mgpu_json_line_make (buffer, objects, &frame, size);
}

/* Tells the receiver of the pad "json" that the frame gets no line. */
static void
skip_frame (GstMgpuMetaJson * self, GstBuffer * buffer)
{
  GstPad *pad = get_linked_pad (self);

  if (pad != NULL)
    push_gap (self, pad, buffer);
  gst_clear_object (&pad);
}

/* Writes the line of JSON of a frame to the file, the pad "json" and the bus, as far as they are
 * used. If the frame gets no line, the pad pushes a gap event. */
static GstFlowReturn
tell_of_frame (GstMgpuMetaJson * self, GstBuffer * buffer)
{
  GPtrArray *objects = gst_mgpu_buffer_get_detections (buffer);
  GstPad *pad = get_linked_pad (self);
  GstFlowReturn ret = GST_FLOW_OK;
  gchar *line = NULL;
  gsize size = 0;

  GST_MGPU_LOG_OBJECT (self, "frame %" GST_TIME_FORMAT " has %u regions",
      GST_TIME_ARGS (GST_BUFFER_PTS (buffer)), objects->len);
  if (objects->len > 0 || gst_buffer_get_mgpu_numbers_meta (buffer) != NULL
      || self->frame_params.add_empty)
    line = make_line (self, buffer, objects, &size);
  g_ptr_array_unref (objects);
  if (line != NULL && self->lines != NULL && !write_line (self, line, size))
    ret = GST_FLOW_ERROR;
  if (line != NULL && self->frame_params.post_messages)
    post_line (self, buffer, line);
  if (pad != NULL && ret == GST_FLOW_OK)
    ret = push_line (self, pad, buffer, g_steal_pointer (&line), size);
  gst_clear_object (&pad);
  g_free (line);
  return ret;
}

static GstFlowReturn
gst_mgpu_meta_json_transform_ip (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstMgpuMetaJson *self = GST_MGPU_META_JSON (trans);
  GstFlowReturn ret;

  GST_OBJECT_LOCK (self);
  gst_mgpu_params_copy (params, sizeof (Params), &self->params,
      &self->frame_params);
  GST_OBJECT_UNLOCK (self);
  if (!self->frame_params.enabled) {
    GST_MGPU_LOG_OBJECT (self, "passing the frame unchanged, because "
        "\"enabled\" is off");
    skip_frame (self, buffer);
    return GST_FLOW_OK;
  }
  ret = tell_of_frame (self, buffer);
  gst_mgpu_stats_add (self->stats, GST_MGPU_COUNTER_FRAMES, 1);
  return ret;
}

static gboolean
gst_mgpu_meta_json_set_caps (GstBaseTransform * trans, GstCaps * in,
    GstCaps * out)
{
  GstMgpuMetaJson *self = GST_MGPU_META_JSON (trans);

  GST_MGPU_INFO_OBJECT (self, "caps: %" GST_PTR_FORMAT, in);
  return gst_mgpu_caps_get_size (in, &self->width, &self->height);
}

static gboolean
gst_mgpu_meta_json_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  /* Pushes the event first from the pad "json" and then from the source pad, in the same order as
   * lines and frames. The element downstream of the source pad may block this thread until the
   * receiver of the lines also has data. */
  forward_event (GST_MGPU_META_JSON (trans), event);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* --- Starting and stopping --- */

/* Returns: a pointer to the last character of the string or comment that begins at @text; @text
 * itself if none begins there. JSON-GLib also accepts strings in single quotes, without escapes,
 * and C comments. It takes a slash, an asterisk and a slash as a complete comment, so the end of a
 * comment is searched for from its first asterisk on */
static const gchar *
skip_quoted (const gchar * text)
{
  const gchar *end = text;

  if (*text == '"')
    for (end++; *end != '"' && *end != '\0'; end++)
      end += *end == '\\' && end[1] != '\0';
  else if (*text == '\'')
    end = strchr (text + 1, '\'');
  else if (g_str_has_prefix (text, "/*") && (end = strstr (text + 1, "*/")))
    end++;
  return end == NULL || *end == '\0' ? text + strlen (text) - 1 : end;
}

/* Returns: whether arrays and objects are nested more than MAX_DEPTH deep in @text */
static gboolean
is_deep (const gchar * text)
{
  gint depth = 0;

  for (; *text != '\0' && depth <= MAX_DEPTH; text++) {
    text = skip_quoted (text);
    if (*text == '[' || *text == '{')
      depth++;
    else if (*text == ']' || *text == '}')
      depth--;
  }
  return depth > MAX_DEPTH;
}

/* Returns: whether all strings in @root are UTF-8. They may not be: JSON-GLib reads a C escape such
 * as \200 as the byte with this octal number */
static gboolean
is_utf8 (JsonNode * root)
{
  g_autofree gchar *text = json_to_string (root, FALSE);

  return g_utf8_validate (text, -1, NULL);
}

/* Parses @text, the value of the property "tags". Returns: FALSE with the error set if @text is
 * not a JSON object or is nested too deeply */
static gboolean
parse_tags (GstMgpuMetaJson * self, const gchar * text, GError ** error)
{
  JsonNode *root = NULL;
  GError *cause = NULL;
  JsonParser *parser;

  if (is_deep (text)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"tags\" is nested too deeply: nest arrays and objects at most %d "
        "deep", MAX_DEPTH);
    return FALSE;
  }
  parser = json_parser_new ();
  if (g_utf8_validate (text, -1, NULL)
      && json_parser_load_from_data (parser, text, -1, &cause))
    root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root) && is_utf8 (root)) {
    self->tags = json_parser_steal_root (parser);
    json_node_seal (self->tags);
  } else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"tags\" is not a JSON object%s%s: set the property to a JSON object, "
        "for example {\"place\":\"door\"}", cause != NULL ? ", " : "",
        cause != NULL ? cause->message : "");
  g_clear_error (&cause);
  g_object_unref (parser);
  return self->tags != NULL;
}

static gboolean
gst_mgpu_meta_json_stop (GstBaseTransform * trans)
{
  GstMgpuMetaJson *self = GST_MGPU_META_JSON (trans);

  g_clear_pointer (&self->lines, gst_mgpu_lines_close);
  g_clear_pointer (&self->tags, json_node_unref);
  return TRUE;
}

static gboolean
gst_mgpu_meta_json_start (GstBaseTransform * trans)
{
  GstMgpuMetaJson *self = GST_MGPU_META_JSON (trans);
  const Params *p = &self->frame_params;
  GError *error = NULL;
  gboolean ok;

  gst_mgpu_stats_reset (self->stats);
  GST_OBJECT_LOCK (self);
  self->n_dropped = 0;
  gst_mgpu_params_copy (params, sizeof (Params), &self->params,
      &self->frame_params);
  GST_OBJECT_UNLOCK (self);
  ok = p->tags == NULL || parse_tags (self, p->tags, &error);
  if (ok && p->location != NULL) {
    GST_MGPU_INFO_OBJECT (self, "writing lines to \"%s\"; appending: %d",
        p->location, p->append);
    self->lines = gst_mgpu_lines_open (p->location, p->append, &error);
    ok = self->lines != NULL;
  }
  if (!ok) {
    gst_mgpu_message_fail (GST_ELEMENT (self), error);
    gst_mgpu_meta_json_stop (trans);
  }
  return ok;
}

/* --- Functions of the class GObject --- */

static void
gst_mgpu_meta_json_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * spec)
{
  GstMgpuMetaJson *self = GST_MGPU_META_JSON (object);

  GST_OBJECT_LOCK (self);
  gst_mgpu_params_set (params, id - PROP_PARAMS, &self->params, value);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_meta_json_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * spec)
{
  GstMgpuMetaJson *self = GST_MGPU_META_JSON (object);

  if (id == PROP_STATS) {
    g_value_take_boxed (value, gst_mgpu_stats_to_structure (self->stats));
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_DROPPED)
    g_value_set_uint64 (value, self->n_dropped);
  else
    gst_mgpu_params_get (params, id - PROP_PARAMS, &self->params, value);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_meta_json_finalize (GObject * object)
{
  GstMgpuMetaJson *self = GST_MGPU_META_JSON (object);

  gst_mgpu_stats_unref (self->stats);
  gst_mgpu_params_clear (params, &self->params);
  gst_mgpu_params_clear (params, &self->frame_params);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_meta_json_init (GstMgpuMetaJson * self)
{
  gst_mgpu_params_init (G_OBJECT_GET_CLASS (self), params, &self->params);
  self->stats = gst_mgpu_stats_new ();
  /* Passes frames through unchanged, because metas are only read, so no frame has to be copied. */
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self), TRUE);
}

static void
gst_mgpu_meta_json_class_init (GstMgpuMetaJsonClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_mgpu_meta_json_set_property;
  object_class->get_property = gst_mgpu_meta_json_get_property;
  object_class->finalize = gst_mgpu_meta_json_finalize;
  element_class->request_new_pad = gst_mgpu_meta_json_request_new_pad;
  element_class->release_pad = gst_mgpu_meta_json_release_pad;
  element_class->pad_removed = gst_mgpu_meta_json_pad_removed;
  trans_class->start = gst_mgpu_meta_json_start;
  trans_class->stop = gst_mgpu_meta_json_stop;
  trans_class->set_caps = gst_mgpu_meta_json_set_caps;
  trans_class->sink_event = gst_mgpu_meta_json_sink_event;
  trans_class->propose_allocation = gst_mgpu_crop_withhold;
  trans_class->before_transform = gst_mgpu_params_sync;
  trans_class->transform_ip = gst_mgpu_meta_json_transform_ip;

  gst_mgpu_params_install_stats (object_class, PROP_STATS);
  /**
   * GstMgpuMetaJson:dropped:
   *
   * Number of lines that were dropped since the start, because the FIFO had no reader or was
   * full.
   *
   * Since: 1.0
   */
  g_object_class_install_property (object_class, PROP_DROPPED,
      g_param_spec_uint64 ("dropped", "Dropped",
          "Number of JSON lines that were dropped since the start, because the "
          "FIFO had no reader or was full", 0, G_MAXUINT64, 0,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_mgpu_params_install (object_class, params, PROP_PARAMS);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class, &json_template);
  gst_element_class_set_static_metadata (element_class, "Metadata as JSON",
      "Filter/Analyzer/Video",
      "Writes the objects of each frame as a line of JSON",
      "The gst-mgpu authors");
}
