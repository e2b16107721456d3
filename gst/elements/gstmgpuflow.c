/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuflow
 * @title: mgpuflow
 * @short_description: measures optical flow, on an OpenCL device
 *
 * Frames pass unchanged and get a #GstMgpuFlowMeta: for each pixel, where it was in the previous
 * frame. The first frame gets no meta, nor does a frame after a flush or a gap. With "tracks",
 * frames also get a #GstMgpuKeypointMeta with points that are followed from frame to frame.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=20 pattern=ball ! mgpuflow ! fakesink
 * ]|
 *
 * Since: 1.1
 */
#include <gst/frame/gstmgpufilterparams.h>

#include <gst/frame/gstmgpushapes.h>
#include <gst/vision/flowfield/flowfield.h>

#include "elements.h"
#include "gstmgpuluma.h"
#include "gstmgputracktables.h"

#include <string.h>

/* Values of the property "draw" */
typedef enum
{
  DRAW_NONE,
  DRAW_COLOURS
} Draw;

typedef struct
{
  MgpuFlowParams flow;
  guint tracks;                 /* maximum number of tracks */
  guint track_cell;
  gchar *rectangle;             /* rectangle in which flow is measured; NULL: the whole frame */
  Draw draw;
  gdouble draw_range;           /* length of the motion that is drawn in the full color, in
                                 * pixels */
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuEnumValue preset_values[] = {
  {MGPU_FLOW_ULTRAFAST, "One motion vector for each block of 4x4 pixels, found "
        "by a coarse search",
      "ultrafast"},
  {MGPU_FLOW_FAST, "One motion vector for each block of 4x4 pixels", "fast"},
  {MGPU_FLOW_MEDIUM, "One motion vector for each block of 2x2 pixels",
      "medium"},
  {MGPU_FLOW_FINE, "One motion vector for each pixel", "fine"},
  {0, NULL, NULL}
};

static const MgpuEnumValue direction_values[] = {
  {MGPU_FLOW_TO_PREVIOUS, "For each pixel of the frame, the flow to its "
        "position in the previous frame", "to-previous"},
  {MGPU_FLOW_FROM_PREVIOUS, "For each pixel of the previous frame, the flow to "
        "its position in this frame", "from-previous"},
  {MGPU_FLOW_BOTH, "Flow in both directions; the confidence is low where the "
        "two contradict each other",
      "both"},
  {0, NULL, NULL}
};

static const MgpuEnumValue lighting_values[] = {
  {MGPU_FLOW_STEADY, "Brightness does not change", "steady"},
  {MGPU_FLOW_CHANGES, "Brightness may change; only edges are compared",
      "changes"},
  {0, NULL, NULL}
};

static const MgpuEnumValue draw_values[] = {
  {DRAW_NONE, "Frames pass unchanged", "none"},
  {DRAW_COLOURS,
      "Each pixel shows the direction of its motion as hue, and the length of "
        "its motion as saturation", "colors"},
  {0, NULL, NULL}
};

static const MgpuEnum preset_type = { "GstMgpuFlowPresets", preset_values };
static const MgpuEnum direction_type =
    { "GstMgpuFlowDirection", direction_values };
static const MgpuEnum lighting_type =
    { "GstMgpuFlowLighting", lighting_values };
static const MgpuEnum draw_type = { "GstMgpuFlowDraw", draw_values };

static const MgpuParam params[] = {
  {"preset", MGPU_PARAM_ENUM, MEMBER (flow.preset), 0, 0, MGPU_FLOW_MEDIUM,
      &preset_type, "Speed and precision of the flow"},
  {"direction", MGPU_PARAM_ENUM, MEMBER (flow.direction), 0, 0,
      MGPU_FLOW_TO_PREVIOUS, &direction_type, "Which flow is measured"},
  {"lighting", MGPU_PARAM_ENUM, MEMBER (flow.lighting), 0, 0, MGPU_FLOW_STEADY,
      &lighting_type, "How the search treats brightness: as constant, or as "
        "changing between frames"},
  {"temporal", MGPU_PARAM_BOOLEAN, MEMBER (flow.temporal), 0, 1, TRUE, NULL,
      "Whether to also try the flow of the previous frame in the search"},
  {"dense", MGPU_PARAM_BOOLEAN, MEMBER (flow.dense), 0, 1, TRUE, NULL,
      "Whether to measure the dense flow, that is, the flow of all pixels"},
  {"tracks", MGPU_PARAM_UINT, MEMBER (tracks), 0, MGPU_TRACKS_MAX, 0, NULL,
      "Maximum number of points that are followed from frame to frame (0 = "
        "none)"},
  {"track-cell", MGPU_PARAM_UINT, MEMBER (track_cell), 8, 256, 32, NULL,
      "Width and height, in pixels, of the grid cells in which points are "
        "chosen: a new point is started in each cell that has none"},
  {"rectangle", MGPU_PARAM_STRING, MEMBER (rectangle), 0, 0, 0, NULL,
      "Part of the frame in which flow is measured: x,y,width,height in "
        "pixels, or, with decimal points, in fractions of the frame. This part "
        "is extended by 64 pixels on each side, and then to multiples of 64 "
        "(unset = the whole frame)"},
  {"draw", MGPU_PARAM_ENUM, MEMBER (draw), 0, 0, DRAW_NONE, &draw_type,
      "What to draw instead of the frame"},
  {"draw-range", MGPU_PARAM_DOUBLE, MEMBER (draw_range), 1, 1024, 16, NULL,
      "With \"draw\": length of a motion vector, in pixels, that is drawn in "
        "the full color; longer ones are darker"},
  {NULL}
};

/* Number of pixels by which the property "rectangle" is grown on each side; the edges of the result
 * are multiples of this number */
#define BOX_MARGIN 64

#define GST_TYPE_MGPU_FLOW (gst_mgpu_flow_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuFlow, gst_mgpu_flow, GST, MGPU_FLOW,
    GstMgpuFilter);

struct _GstMgpuFlow
{
  GstMgpuFilter parent;

  GstMgpuLuma luma;
  MgpuRect box;                 /* part of the frames in which @flow measures the flow; its width is
                                 * 0 if flow is measured in no part */
  gchar *rectangle;             /* value of the property "rectangle" from which @box was computed */
  MgpuFlow *flow;               /* object that measures the flow; NULL if frames are too small, or
                                 * if @box is empty */
  gpointer place;               /* object that copies the flow fields of @box into the flow fields
                                 * of the whole frame; NULL until @box is smaller than a frame */
  gpointer wheel;               /* object that draws fields; NULL until "draw" is set */
  MgpuTracks *tracks;           /* object that follows points; NULL until "tracks" is set */
  GstBufferPool *flow_pool, *confidence_pool;
  gint pooled;                  /* preset for which the pools of flow fields were made */
  GstMgpuTrackTables tables;
  guint32 first_id;             /* maximum id of a track that was given before @tracks was made */
  guint64 max_id;               /* maximum id of a track */
  gboolean is_small;            /* whether frames are too small for flow */
  gboolean warned_small, warned_outside, warned_idle;
  guint64 offset;               /* time of the current frame */
  guint64 previous_offset;      /* time of the last frame that was passed to @flow */

  /* Flow fields of the current frame, which enqueue() sets and attach() takes over; NULL if they
   * are not measured */
  GstBuffer *fields[MGPU_FLOW_N_FIELDS], *confidences[MGPU_FLOW_N_FIELDS];
};

#define gst_mgpu_flow_parent_class parent_class
G_DEFINE_TYPE (GstMgpuFlow, gst_mgpu_flow, GST_TYPE_MGPU_FILTER);

static const Params *
get_params (GstMgpuFlow * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

static void
clear_results (GstMgpuFlow * self)
{
  gst_mgpu_track_tables_drop (&self->tables);
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    gst_clear_buffer (&self->fields[i]);
    gst_clear_buffer (&self->confidences[i]);
  }
}

static void
clear_pools (GstMgpuFlow * self)
{
  gst_mgpu_clear_pool (&self->flow_pool);
  gst_mgpu_clear_pool (&self->confidence_pool);
}

static void
gst_mgpu_flow_unprepare (GstMgpuFilter * filter)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);

  clear_results (self);
  clear_pools (self);
  gst_mgpu_track_tables_clear (&self->tables);
  self->first_id = MIN (self->max_id, G_MAXUINT32);
  g_clear_pointer (&self->tracks, mgpu_object_free);
  gst_mgpu_luma_clear (&self->luma);
  g_clear_pointer (&self->flow, mgpu_object_free);
  g_clear_pointer (&self->place, mgpu_object_free);
  g_clear_pointer (&self->wheel, mgpu_object_free);
  g_clear_pointer (&self->rectangle, g_free);
}

/* Makes an object that has no parameters, unless it exists. */
static gboolean
ensure_object (GstMgpuFlow * self, const MgpuAlgorithm * algorithm,
    const GstVideoInfo * info, gpointer * object, GError ** error)
{
  if (*object == NULL)
    *object = mgpu_object_new (algorithm, GST_MGPU_FILTER (self)->base.context,
        info, NULL, NULL, NULL, error);
  return *object != NULL;
}

/* Builds the kernels that follow points, unless they exist. */
static gboolean
prepare_tracks (GstMgpuFlow * self, GError ** error)
{
  if (self->tracks == NULL)
    self->tracks = mgpu_object_new (&mgpu_tracks,
        GST_MGPU_FILTER (self)->base.context, &self->luma.info, NULL, NULL,
        NULL, error);
  return self->tracks != NULL;
}

/* Returns: whether only a part of frames is measured */
static gboolean
has_box (GstMgpuFlow * self)
{
  const GstVideoInfo *info = &self->luma.info;

  return self->box.width < info->width || self->box.height < info->height;
}

/* Sets @box to the part of frames that the property "rectangle" stands for; its width is 0 if the
 * rectangle and the frame do not overlap. */
static gboolean
find_box (GstMgpuFlow * self, const gchar * text, MgpuRect * box,
    GError ** error)
{
  gint width = self->luma.info.width, height = self->luma.info.height;
  gint right, bottom;

  *box = (MgpuRect) {
  0, 0, width, height};
  if (text == NULL)
    return TRUE;
  if (strchr (text, ';') != NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"%s\" is more than one rectangle: set \"rectangle\" to one, or use an "
        "mgpuflow for each", text);
    return FALSE;
  }
  if (!gst_mgpu_shapes_read_rectangle (text, width, height, box, error))
    return FALSE;
  if (box->width == 0 || box->height == 0) {
    box->width = box->height = 0;
    return TRUE;
  }
  right = MIN (GST_ROUND_UP_64 (box->x + box->width + BOX_MARGIN), width);
  bottom = MIN (GST_ROUND_UP_64 (box->y + box->height + BOX_MARGIN), height);
  box->x = MAX (GST_ROUND_DOWN_64 (box->x - BOX_MARGIN), 0);
  box->y = MAX (GST_ROUND_DOWN_64 (box->y - BOX_MARGIN), 0);
  box->width = right - box->x;
  box->height = bottom - box->y;
  return TRUE;
}

static void
warn_outside (GstMgpuFlow * self)
{
  if (!self->warned_outside)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
        ("%s: \"rectangle\" (%s) is outside of frames of %dx%d pixels, which "
            "get no flow", GST_OBJECT_NAME (self), self->rectangle,
            self->luma.info.width, self->luma.info.height), (NULL));
  self->warned_outside = TRUE;
}

/* Makes the object that measures the flow of the part of the frames that "rectangle" describes, if
 * this part has changed. */
static gboolean
update_box (GstMgpuFlow * self, GError ** error)
{
  const Params *p = get_params (self);
  MgpuRect box, last = self->box;
  MgpuImage part;

  if (!find_box (self, p->rectangle, &box, error))
    return FALSE;
  g_free (self->rectangle);
  self->rectangle = g_strdup (p->rectangle);
  if (self->flow != NULL && memcmp (&box, &last, sizeof (box)) == 0)
    return TRUE;
  self->box = box;
  g_clear_pointer (&self->flow, mgpu_object_free);
  if (box.width == 0) {
    warn_outside (self);
    return TRUE;
  }
  part = (MgpuImage) {
  NULL, self->luma.info};
  if (has_box (self))
    part = mgpu_image_crop (&part, &box);
  self->flow = mgpu_object_new (&mgpu_flow,
      GST_MGPU_FILTER (self)->base.context, &part.info, NULL, NULL, NULL,
      error);
  GST_MGPU_DEBUG_OBJECT (self, "forgetting earlier frames, and measuring %dx%d "
      "pixels at (%d, %d) in frames of %dx%d pixels; preset of the dense flow: "
      "%s", box.width,
      box.height, box.x, box.y, self->luma.info.width, self->luma.info.height,
      p->flow.dense ? preset_values[p->flow.preset].nick : "none");
  return self->flow != NULL && (!p->flow.dense
      || mgpu_flow_check_size (self->flow, p->flow.preset, error));
}

static gboolean
gst_mgpu_flow_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);
  const Params *p = get_params (self);

  self->is_small = MIN (info->width, info->height) < MGPU_FLOW_LEAST;
  if (self->is_small) {
    if (!self->warned_small)
      GST_ELEMENT_WARNING (self, STREAM, FORMAT,
          ("%s: no flow is measured in frames of %dx%d pixels, because the "
              "minimum is %dx%d: scale the frames up before this element",
              GST_OBJECT_NAME (self), info->width, info->height,
              MGPU_FLOW_LEAST, MGPU_FLOW_LEAST), (NULL));
    self->warned_small = TRUE;
    return TRUE;
  }
  return gst_mgpu_luma_prepare (&self->luma, &filter->input, error)
      && update_box (self, error)
      && (p->tracks == 0 || prepare_tracks (self, error));
}

/* Returns: whether flow is measured or points are followed */
static gboolean
is_needed (GstMgpuFlow * self)
{
  return get_params (self)->flow.dense || get_params (self)->tracks > 0;
}

/* Posts one warning if properties have no effect. */
static void
warn_idle (GstMgpuFlow * self)
{
  const Params *p = get_params (self);
  const gchar *what = !is_needed (self)
      ? "\"dense\" is off and \"tracks\" is 0, so frames pass unchanged"
      : p->draw != DRAW_NONE && !p->flow.dense
      ? "\"draw\" has no effect while \"dense\" is off" : NULL;

  if (what == NULL || self->warned_idle)
    return;
  GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
      ("%s: %s: set dense=true%s", GST_OBJECT_NAME (self), what,
          p->tracks > 0 ? "" : ", or tracks above 0"), (NULL));
  self->warned_idle = TRUE;
}

/* Returns: TRUE unless the frame is replaced by a drawing of its flow */
static gboolean
gst_mgpu_flow_passes (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);
  const Params *p = get_params (self);

  self->offset = GST_BUFFER_OFFSET (in);
  warn_idle (self);
  if (!self->is_small && g_strcmp0 (p->rectangle, self->rectangle) != 0
      && !update_box (self, error))
    return TRUE;
  return p->draw == DRAW_NONE || !p->flow.dense || self->flow == NULL;
}

static gboolean
gst_mgpu_flow_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);

  return self->flow != NULL && is_needed (self);
}

/* Returns: the size of the flow fields of frames */
static MgpuFlowSize
get_field_size (GstMgpuFlow * self)
{
  MgpuFlowSize size = mgpu_flow_get_size (self->flow,
      get_params (self)->flow.preset);
  gint most = (1 << size.shift) - 1;

  size.width = (self->luma.info.width + most) >> size.shift;
  size.height = (self->luma.info.height + most) >> size.shift;
  return size;
}

/* Gets buffers for the flow fields of the current frame. */
static gboolean
acquire_fields (GstMgpuFlow * self, MgpuFlowField * fields, GError ** error)
{
  const MgpuFlowParams *p = &get_params (self)->flow;
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;
  MgpuFlowSize size = get_field_size (self);
  gsize n = (gsize) size.width * size.height;

  if (self->pooled != p->preset)
    clear_pools (self);
  self->pooled = p->preset;
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    if (p->direction != MGPU_FLOW_BOTH && p->direction != (gint) i)
      continue;
    self->fields[i] = gst_mgpu_device_base_acquire_table (base,
        &self->flow_pool, n * 2 * sizeof (gint16), error);
    if (self->fields[i] == NULL)
      return FALSE;
    self->confidences[i] = gst_mgpu_device_base_acquire_table (base,
        &self->confidence_pool, n, error);
    if (self->confidences[i] == NULL)
      return FALSE;
    fields[i].flow = gst_mgpu_peek_table (self->fields[i]);
    fields[i].confidence = gst_mgpu_peek_table (self->confidences[i]);
  }
  return TRUE;
}

/* Enqueues the kernels that follow points, also for a frame without a previous frame. */
static void
enqueue_tracks (GstMgpuFlow * self, GstMgpuJob * job)
{
  const Params *p = get_params (self);
  const MgpuTracksParams params = {
    p->tracks, p->track_cell, self->first_id, self->box.x, self->box.y
  };
  MgpuTracksTables tables;
  GError *error = NULL;

  if (!prepare_tracks (self, &error)
      || !gst_mgpu_track_tables_acquire (&self->tables,
          &GST_MGPU_FILTER (self)->base, p->tracks, &tables, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  mgpu_tracks_enqueue (self->tracks, job, &params, self->flow, &tables);
  self->max_id += p->tracks;
}

/* Enqueues the measurement of the flow in @luma, a part of a frame. Writes @fields, the fields of
 * the whole frame. */
static void
enqueue_flow (GstMgpuFlow * self, GstMgpuJob * job, const MgpuImage * luma,
    const MgpuFlowField fields[MGPU_FLOW_N_FIELDS])
{
  const Params *p = get_params (self);
  MgpuFlowSize size = get_field_size (self);
  MgpuFlowSize part_size = mgpu_flow_get_size (self->flow, p->flow.preset);
  const MgpuRect at = { self->box.x >> size.shift, self->box.y >> size.shift,
    part_size.width, part_size.height
  };
  MgpuFlowField parts[MGPU_FLOW_N_FIELDS] = { {NULL,} };
  MgpuImage part;
  GError *error = NULL;

  if (!has_box (self)) {
    mgpu_flow_enqueue (self->flow, job, &p->flow, luma, fields);
    return;
  }
  if (!ensure_object (self, &mgpu_flow_place, NULL, &self->place, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  part = mgpu_image_crop (luma, &self->box);
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++)
    if (fields[i].flow != NULL && !mgpu_flow_place_get (self->place, job, i,
            &part_size, &parts[i]))
      return;
  mgpu_flow_enqueue (self->flow, job, &p->flow, &part, parts);
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++)
    if (fields[i].flow != NULL)
      mgpu_flow_place_enqueue (self->place, job, &parts[i], &at, &fields[i],
          &size);
}

/* Enqueues the drawing of a field into the output frame: of the flow to the previous frame if it
 * was measured, otherwise of the flow from the previous frame. */
static void
enqueue_drawing (GstMgpuFlow * self, GstMgpuJob * job, const MgpuWork * work,
    const MgpuFlowField fields[MGPU_FLOW_N_FIELDS])
{
  guint i = get_params (self)->flow.direction == MGPU_FLOW_FROM_PREVIOUS;
  MgpuFlowSize size = get_field_size (self);
  GError *error = NULL;

  if (ensure_object (self, &mgpu_flow_wheel, &work->out->info, &self->wheel,
          &error))
    mgpu_flow_wheel_enqueue (self->wheel, job, fields[i].flow, &size, i == 0,
        get_params (self)->draw_range, work->in, work->out);
  else
    gst_mgpu_job_fail (job, error);
}

static void
gst_mgpu_flow_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);
  const Params *p = get_params (self);
  MgpuFlowField fields[MGPU_FLOW_N_FIELDS] = { {NULL,} };
  GError *error = NULL;
  MgpuImage luma;

  clear_results (self);
  if (p->flow.dense && mgpu_flow_has_previous (self->flow)
      && !acquire_fields (self, fields, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  enqueue_flow (self, job, gst_mgpu_luma_enqueue (&self->luma, job, work->in,
          &luma), fields);
  if (p->tracks > 0)
    enqueue_tracks (self, job);
  else if (self->tracks != NULL)
    mgpu_tracks.forget (self->tracks);
  if (work->out != NULL)
    enqueue_drawing (self, job, work, fields);
}

static void
attach_fields (GstMgpuFlow * self, GstBuffer * buffer)
{
  MgpuFlowSize size = get_field_size (self);
  GstMgpuFlowMeta *meta = NULL;

  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    if (self->fields[i] == NULL)
      continue;
    if (meta == NULL)
      meta = gst_buffer_add_mgpu_flow_meta (buffer, size.width, size.height,
          size.shift, self->previous_offset);
    gst_mgpu_flow_meta_set_field (meta, (GstMgpuFlowField) i,
        g_steal_pointer (&self->fields[i]),
        g_steal_pointer (&self->confidences[i]));
  }
  if (meta != NULL)
    GST_MGPU_LOG_OBJECT (self, "attached the flow between this frame and the "
        "frame with offset %"
        G_GUINT64_FORMAT ": %dx%d samples of %dx%d pixels",
        self->previous_offset, size.width, size.height, 1 << size.shift,
        1 << size.shift);
  else
    GST_MGPU_DEBUG_OBJECT (self, "attaching no flow, because this is the first "
        "frame, or frames are missing before it");
}

static void
attach_tracks (GstMgpuFlow * self, GstBuffer * buffer)
{
  gst_mgpu_track_tables_attach (&self->tables, buffer);
  GST_MGPU_LOG_OBJECT (self, "attached at most %u tracks, with cells of %u "
      "pixels", get_params (self)->tracks, get_params (self)->track_cell);
}

static gboolean
gst_mgpu_flow_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (filter);

  if (get_params (self)->flow.dense)
    attach_fields (self, buffer);
  if (get_params (self)->tracks > 0)
    attach_tracks (self, buffer);
  self->previous_offset = self->offset;
  return TRUE;
}

static void
forget (GstMgpuFlow * self, const gchar * reason)
{
  if (self->flow == NULL || !mgpu_flow_has_previous (self->flow))
    return;
  GST_MGPU_DEBUG_OBJECT (self, "the next frame will have no flow (reason: %s)",
      reason);
  mgpu_flow.forget (self->flow);
}

static gboolean
gst_mgpu_flow_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP
      || GST_EVENT_TYPE (event) == GST_EVENT_GAP)
    forget (GST_MGPU_FLOW (trans), GST_EVENT_TYPE_NAME (event));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* Forgets the previous frame if frames are missing after it, or are not processed because
 * "enabled" is off. */
static void
gst_mgpu_flow_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, buffer);
  if (GST_BUFFER_IS_DISCONT (buffer))
    forget (GST_MGPU_FLOW (trans), "it is marked DISCONT");
  if (GST_MGPU_FILTER (trans)->frame.is_resting)
    forget (GST_MGPU_FLOW (trans), "the element is not enabled");
  if (!is_needed (GST_MGPU_FLOW (trans)))
    forget (GST_MGPU_FLOW (trans), "\"dense\" is off and \"tracks\" is 0");
}

static gboolean
gst_mgpu_flow_start (GstBaseTransform * trans)
{
  GstMgpuFlow *self = GST_MGPU_FLOW (trans);

  self->warned_small = self->warned_outside = self->warned_idle = FALSE;
  self->first_id = self->max_id = 0;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans);
}

static void
gst_mgpu_flow_init (GstMgpuFlow * self)
{
}

static void
gst_mgpu_flow_class_init (GstMgpuFlowClass * klass)
{
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  transform_class->start = gst_mgpu_flow_start;
  transform_class->sink_event = gst_mgpu_flow_sink_event;
  transform_class->before_transform = gst_mgpu_flow_before_transform;
  filter_class->prepare = gst_mgpu_flow_prepare;
  filter_class->unprepare = gst_mgpu_flow_unprepare;
  filter_class->passes = gst_mgpu_flow_passes;
  filter_class->looks = gst_mgpu_flow_looks;
  filter_class->enqueue = gst_mgpu_flow_enqueue;
  filter_class->attach = gst_mgpu_flow_attach;

  gst_mgpu_filter_class_set_params (filter_class, params, sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL optical flow", "Filter/Analyzer/Video",
      "Measures optical flow: attaches to each frame the positions of its "
      "pixels in the previous frame", "The gst-mgpu authors");
}
