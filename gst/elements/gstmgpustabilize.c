/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpustabilize
 * @title: mgpustabilize
 * @short_description: steadies shaken videos, on an OpenCL device
 *
 * Finds how the camera moved from frame to frame, smooths its path, and moves, turns and
 * scales each frame to its place on the smooth path. Frames get a #GstMgpuMotionMeta.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=/usr/share/doc/opencv-doc/examples/data/vtest.avi ! decodebin ! videoconvert ! identity eos-after=31 ! mgpustabilize ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpufilter.h>
#include <gst/frame/gstmgpuparams.h>
#include <gst/vision/stabilize/warp.h>

#include <string.h>

#include "elements.h"
#include "gstmgpuconvertmeta.h"
#include "gstmgpuscene.h"
#include "messages.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_stabilize_debug);
#define GST_CAT_DEFAULT gst_mgpu_stabilize_debug

typedef enum
{
  MODE_SMOOTH,
  MODE_TRIPOD,
  MODE_MEASURE
} Mode;

typedef enum
{
  EDGES_CROP,
  EDGES_CUT,
  EDGES_BLACK,
  EDGES_REPEAT,
  EDGES_MIRROR
} Edges;

/* Holds the parameters. */
typedef struct
{
  gint mode, model;
  guint smoothing, look_ahead;
  gint edges;
  gdouble zoom;
  gint interpolation;
  guint analysis_size, max_features;
  gchar *ignore_type;
  gboolean post_messages;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuEnumValue modes[] = {
  {MODE_SMOOTH, "The camera moves smoothly", "smooth"},
  {MODE_TRIPOD, "The camera stands still", "tripod"},
  {MODE_MEASURE, "Frames stay as they are and get a meta", "measure"},
  {0}
};

static const MgpuEnumValue models[] = {
  {GST_MGPU_FIT_MODEL_TRANSLATION, "Frames move", "translation"},
  {GST_MGPU_FIT_MODEL_RIGID, "Frames move and turn", "rigid"},
  {GST_MGPU_FIT_MODEL_SIMILARITY, "Frames move, turn and zoom", "similarity"},
  {GST_MGPU_FIT_MODEL_AFFINE, "Parallel lines stay parallel", "affine"},
  {GST_MGPU_FIT_MODEL_HOMOGRAPHY, "Straight lines stay straight", "homography"},
  {0}
};

static const MgpuEnumValue edge_values[] = {
  {EDGES_CROP, "Never seen: frames are enlarged, and move as far as that hides",
      "crop"},
  {EDGES_CUT, "Never seen: frames become smaller and are not enlarged", "cut"},
  {EDGES_BLACK, "Black", "black"},
  {EDGES_REPEAT, "The nearest pixel of the frame", "repeat"},
  {EDGES_MIRROR, "The frame, mirrored", "mirror"},
  {0}
};

static const MgpuEnumValue interpolations[] = {
  {0, "4 pixels make one", "bilinear"},
  {1, "16 pixels make one", "cubic"},
  {0}
};

static const MgpuEnum mode_enum = { "GstMgpuStabilizeMode", modes };
static const MgpuEnum model_enum = { "GstMgpuStabilizeModel", models };
static const MgpuEnum edges_enum = { "GstMgpuStabilizeEdges", edge_values };

static const MgpuEnum interpolation_enum =
    { "GstMgpuStabilizeInterpolation", interpolations };

static const MgpuParam params[] = {
  {"mode", MGPU_PARAM_ENUM, MEMBER (mode), 0, 0, MODE_SMOOTH, &mode_enum,
      "What becomes of the path of the camera"},
  {"model", MGPU_PARAM_ENUM, MEMBER (model), 0, 0,
        GST_MGPU_FIT_MODEL_SIMILARITY, &model_enum,
      "How frames move, and are moved"},
  {"smoothing", MGPU_PARAM_UINT, MEMBER (smoothing), 0,
        MGPU_PATH_MAX_SMOOTHING, 15, NULL,
      "How many frames before and behind a frame smooth its place"},
  {"look-ahead", MGPU_PARAM_UINT, MEMBER (look_ahead), 0,
        MGPU_PATH_MAX_SMOOTHING, 15, NULL,
        "mode=smooth: how many of the frames behind it have come before a frame "
        "leaves; it leaves that much later", TRUE},
  {"edges", MGPU_PARAM_ENUM, MEMBER (edges), 0, 0, EDGES_CROP, &edges_enum,
      "What is seen beyond the edges of frames"},
  {"zoom", MGPU_PARAM_DOUBLE, MEMBER (zoom), 1, 4, 1.1, NULL,
        "How much frames are enlarged, to hide what is beyond their edges; "
        "edges=cut: how much smaller they become, rounded to even sizes"},
  {"interpolation", MGPU_PARAM_ENUM, MEMBER (interpolation), 0, 0, 0,
        &interpolation_enum, "How pixels between those of a frame are made"},
  {"analysis-size", MGPU_PARAM_UINT, MEMBER (analysis_size), 64, 8192, 640,
        NULL, "Longest side in pixels of the picture in which motions are "
        "measured: frames are halved until they fit", TRUE},
  {"max-features", MGPU_PARAM_UINT, MEMBER (max_features), 16, 5000, 300, NULL,
      "How many points of each frame are matched with those of the frame before"},
  {"ignore-type", MGPU_PARAM_STRING, MEMBER (ignore_type), 0, 0, 0, NULL,
        "Types of the regions of interest whose points do not count, with commas "
        "between them (* = any, NULL = none)"},
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (post_messages), 0, 1, FALSE,
      NULL, "Whether messages tell where a scene begins"},
  {NULL}
};

#define GST_TYPE_MGPU_STABILIZE (gst_mgpu_stabilize_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuStabilize, gst_mgpu_stabilize, GST,
    MGPU_STABILIZE, GstMgpuFilter);

/* Holds a frame that waits for those behind it. */
typedef struct
{
  GstBuffer *buffer;
  Params *params;               /* those of the time when it came */
  gboolean is_resting, is_discont;
  GQueue events;                /* events that came behind it */
} Held;

struct _GstMgpuStabilize
{
  GstMgpuFilter parent;

  GQueue held;                  /* of Held, oldest first */
  gboolean is_discont;          /* whether frames are missing before the next one */
  GstMgpuPointFinder finder;
  GstMgpuContext *context;      /* context of the points of the scene; not owned */
  GstMgpuScene scene;
  MgpuObject *warp;

  /* What becomes of the frame that leaves */
  gboolean is_warped;
  MgpuWarpParams work;
  GstMgpuMetaTransform transform;
  gboolean is_flat;             /* whether transform tells the whole motion */
};

#define gst_mgpu_stabilize_parent_class parent_class
G_DEFINE_TYPE_WITH_CODE (GstMgpuStabilize, gst_mgpu_stabilize,
    GST_TYPE_MGPU_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_stabilize_debug, "mgpustabilize", 0,
        "Stabilization on OpenCL"));

/* Returns: the parameters of the current frame */
static const Params *
get_params (GstMgpuStabilize * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

static MgpuPathSize
get_half_size (const GstVideoInfo * info)
{
  return (MgpuPathSize) {
  (info->width - 1) / 2.0, (info->height - 1) / 2.0};
}

/* ---- Held frames ---------------------------------------------------------------- */

/* Returns: how many frames wait */
static guint
count_held (const Params * params)
{
  return params->mode == MODE_SMOOTH ? MIN (params->look_ahead,
      params->smoothing) : 0;
}

static void
update_latency (GstMgpuStabilize * self)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  Params *now = gst_mgpu_filter_copy_params (filter);

  gst_mgpu_output_set_held (&filter->output, count_held (now));
  gst_mgpu_filter_free_params (filter, now);
}

static void
held_free (GstMgpuStabilize * self, Held * held)
{
  GstEvent *event;

  gst_clear_buffer (&held->buffer);
  gst_mgpu_filter_free_params (GST_MGPU_FILTER (self), held->params);
  while ((event = g_queue_pop_head (&held->events)) != NULL)
    gst_event_unref (event);
  g_free (held);
}

/* Drops all frames and what is known of them. */
static void
drop (GstMgpuStabilize * self)
{
  Held *held;

  while ((held = g_queue_pop_head (&self->held)) != NULL)
    held_free (self, held);
  gst_mgpu_scene_reset (&self->scene);
  self->is_discont = FALSE;
}

/* ---- Frames that come ------------------------------------------------------------ */

/* Sets *buffer, a frame that came, to one that can be kept. */
static gboolean
keep (GstMgpuStabilize * self, GstBuffer ** buffer, GError ** error)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstBuffer *in = gst_buffer_ref (*buffer);

  *buffer = gst_mgpu_input_keep (&GST_MGPU_FILTER (self)->input, *buffer,
      error);
  self->is_warped = FALSE;
  if (*buffer != NULL && *buffer != in)
    GST_BASE_TRANSFORM_GET_CLASS (self)->copy_metadata (trans, in, *buffer);
  gst_buffer_unref (in);
  return *buffer != NULL;
}

/* Finds how the camera moved to a frame. */
static gboolean
measure (GstMgpuStabilize * self, Held * held, GError ** error)
{
  const Params *params = held->params;
  const GstMgpuSceneModel model = { params->model,
    get_half_size (&GST_MGPU_FILTER (self)->input.info),
    params->mode == MODE_TRIPOD
  };
  GstMgpuPoints *points = NULL;

  if (!held->is_resting) {
    points = gst_mgpu_point_finder_find (&self->finder, held->buffer,
        params->max_features, params->ignore_type, error);
    if (points == NULL)
      return FALSE;
  }
  return gst_mgpu_scene_add (&self->scene, points, &model, error);
}

/* Puts the frame that came, (transfer full), behind those that wait. */
static GstFlowReturn
take (GstMgpuStabilize * self, GstBuffer * buffer)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  Held *held = g_new0 (Held, 1);
  GError *error = NULL;

  held->params = g_new0 (Params, 1);
  gst_mgpu_params_copy (params, sizeof (Params), filter->frame.params,
      held->params);
  held->is_resting = filter->frame.is_resting;
  held->is_discont = self->is_discont;
  held->buffer = buffer;
  self->is_discont = FALSE;
  if ((count_held (held->params) > 0 && !keep (self, &held->buffer, &error))
      || !measure (self, held, &error)) {
    held_free (self, held);
    return gst_mgpu_device_user_fail (&filter->user, error);
  }
  g_queue_push_tail (&self->held, held);
  return GST_FLOW_OK;
}

/* ---- Frames that leave ----------------------------------------------------------- */

/* Computes the matrix that moves places of the new frame to places of the old one, both
 * counted from the middle, for a frame that should move by correction. */
static void
find_warp (GstMgpuStabilize * self, const Params * params,
    const gdouble correction[9], gdouble warp[9])
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  MgpuPathSize size = get_half_size (&filter->input.info);
  MgpuPathSize seen = get_half_size (&filter->output.info);
  gdouble zoom = params->edges == EDGES_CUT ? 1 : params->zoom, share = 1;
  gdouble moved[9];

  seen.x /= zoom;
  seen.y /= zoom;
  mgpu_path_invert (correction, warp);
  if (params->edges == EDGES_CROP || params->edges == EDGES_CUT)
    share = mgpu_path_limit (warp, &size, &seen, warp);
  if (params->mode == MODE_TRIPOD) {
    mgpu_path_invert (warp, moved);
    gst_mgpu_scene_note_limit (&self->scene, share < 1, moved);
  }
  for (guint i = 0; i < 9; i++)
    if (i % 3 < 2)
      warp[i] /= zoom;
}

/* Decides what becomes of the frame that leaves. */
static void
plan (GstMgpuStabilize * self, const Held * held)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const Params *params = held->params;
  const GstVideoInfo *in = &filter->input.info, *out = &filter->output.info;
  MgpuPathSize from = get_half_size (in), to = get_half_size (out);
  gdouble m[9];

  mgpu_path_set_identity (m);
  if (!held->is_resting && params->mode == MODE_SMOOTH)
    gst_mgpu_scene_smooth (&self->scene, params->smoothing,
        params->look_ahead, m);
  else if (!held->is_resting && params->mode == MODE_TRIPOD)
    gst_mgpu_scene_hold (&self->scene, params->smoothing, m);
  self->is_warped = (!held->is_resting && params->mode != MODE_MEASURE)
      || in->width != out->width || in->height != out->height;
  if (self->is_warped && !held->is_resting)
    find_warp (self, params, m, m);
  mgpu_path_move_origin (m, -to.x, -to.y, -from.x, -from.y, self->work.matrix);
  self->work.edges = params->edges == EDGES_BLACK ? MGPU_WARP_BLACK
      : params->edges == EDGES_MIRROR ? MGPU_WARP_MIRROR : MGPU_WARP_REPEAT;
  self->work.is_cubic = params->interpolation;
  mgpu_path_invert (self->work.matrix, m);
  self->is_flat = m[6] == 0 && m[7] == 0;
  /* Counts places from the corner, and not from the middle of the first pixel. */
  mgpu_path_move_origin (m, -0.5, -0.5, -0.5, -0.5, m);
  self->transform = (GstMgpuMetaTransform) {
  in, out, { {m[0], m[1], m[2]}, {m[3], m[4], m[5]}}, 0, 0, out->width,
        out->height};
}

/* Tells that a scene begins with the frame that leaves. */
static void
post_cut (GstMgpuStabilize * self, GstBuffer * buffer)
{
  GstStructure *s = gst_mgpu_message_new_structure ("mgpu-cut",
      GST_BASE_TRANSFORM (self), GST_BUFFER_PTS (buffer),
      GST_BUFFER_DURATION (buffer));

  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), s));
}

/* Sends a frame and the events behind it. */
static GstFlowReturn
leave (GstMgpuStabilize * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  Held *held = g_queue_pop_head (&self->held);
  gpointer last = filter->frame.params;
  gboolean is_resting = filter->frame.is_resting;
  GstBuffer *out = NULL;
  GstEvent *event;
  GstFlowReturn ret;

  plan (self, held);
  if (held->params->post_messages
      && gst_mgpu_scene_get_next (&self->scene)->is_new_scene)
    post_cut (self, held->buffer);
  filter->frame.params = held->params;
  filter->frame.is_resting = held->is_resting && !self->is_warped;
  filter->output.discont |= held->is_discont;
  trans->queued_buf = g_steal_pointer (&held->buffer);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (trans, &out);
  /* The frame that failed */
  gst_clear_buffer (&out);
  filter->frame.params = last;
  filter->frame.is_resting = is_resting;
  gst_mgpu_scene_leave (&self->scene);
  while ((event = g_queue_pop_head (&held->events)) != NULL)
    GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  held_free (self, held);
  return ret;
}

/* Sends all frames that wait. */
static void
drain (GstMgpuStabilize * self)
{
  while (!g_queue_is_empty (&self->held))
    if (leave (self) != GST_FLOW_OK)
      break;
}

static GstFlowReturn
gst_mgpu_stabilize_generate_output (GstBaseTransform * trans, GstBuffer ** out)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  GstFlowReturn ret;
  guint n;

  /* The parent class reports why frames cannot be worked on. */
  if (trans->queued_buf == NULL || filter->frame.flow != GST_FLOW_OK
      || self->warp == NULL)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (trans,
        out);
  *out = NULL;
  n = count_held (get_params (self));
  ret = take (self, g_steal_pointer (&trans->queued_buf));
  while (ret == GST_FLOW_OK && self->held.length > n)
    ret = leave (self);
  return ret;
}

/* Keeps a gap before a frame that came apart from those of frames that leave. */
static GstFlowReturn
gst_mgpu_stabilize_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * in)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);
  GstMgpuOutput *output = &GST_MGPU_FILTER (trans)->output;
  gboolean before = output->discont;
  GstFlowReturn ret;

  output->discont = FALSE;
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->submit_input_buffer (trans,
      is_discont, in);
  self->is_discont |= output->discont;
  output->discont = before;
  return ret;
}

static GstFlowReturn
gst_mgpu_stabilize_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);
  GstFlowReturn ret =
      GST_BASE_TRANSFORM_CLASS (parent_class)->prepare_output_buffer (trans, in,
      out);
  const GstMgpuSceneFrame *frame = gst_mgpu_scene_get_next (&self->scene);
  MgpuPathSize half = get_half_size (&GST_MGPU_FILTER (self)->input.info);
  gdouble motion[9], correction[9];
  GstMgpuMotionMeta *old;

  if (ret != GST_FLOW_OK || GST_MGPU_FILTER (self)->frame.is_resting)
    return ret;
  if (!gst_buffer_is_writable (*out))
    *out = gst_buffer_copy (*out);
  while ((old = gst_buffer_get_mgpu_motion_meta (*out)) != NULL)
    gst_buffer_remove_meta (*out, (GstMeta *) old);
  half.x += 0.5;
  half.y += 0.5;
  mgpu_path_move_origin (frame->motion, -half.x, -half.y, -half.x, -half.y,
      motion);
  mgpu_path_set_identity (correction);
  if (self->is_warped) {
    mgpu_path_invert (self->work.matrix, correction);
    mgpu_path_move_origin (correction, -0.5, -0.5, -0.5, -0.5, correction);
  }
  gst_buffer_add_mgpu_motion_meta (*out, motion, correction, frame->state,
      frame->n_inliers);
  return GST_FLOW_OK;
}

/* Moves what is attached to a frame. What is at a place in the frame cannot follow a
 * homography. */
static gboolean
gst_mgpu_stabilize_transform_meta (GstBaseTransform * trans, GstBuffer * out,
    GstMeta * meta, GstBuffer * in)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);
  GType api = meta->info->api;

  if (!self->is_warped)
    return TRUE;
  if (self->is_flat)
    return gst_mgpu_convert_meta (&self->transform, out, meta, in);
  return !gst_meta_api_type_has_tag (api,
      g_quark_from_string (GST_META_TAG_VIDEO_SIZE_STR))
      && !gst_meta_api_type_has_tag (api,
      g_quark_from_string (GST_META_TAG_VIDEO_ORIENTATION_STR));
}

static gboolean
gst_mgpu_stabilize_passes (GstMgpuFilter * filter)
{
  return !GST_MGPU_STABILIZE (filter)->is_warped;
}

static void
gst_mgpu_stabilize_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (filter);
  const MgpuWork work = { &self->work, in, NULL, out };

  mgpu_warp.enqueue (self->warp, job, &work);
}

/* ---- Caps ------------------------------------------------------------------------- */

/* Returns: the size of frames that are zoom times smaller */
static gint
cut (gint size, gdouble zoom)
{
  return MIN (size, MAX (2, (gint) (size / zoom) / 2 * 2));
}

/* Sets a size of a structure to that of smaller frames, or to any size where it is not known
 * or direction is that of caps behind the element. */
static void
cut_field (GstStructure * s, const gchar * field, GstPadDirection direction,
    gdouble zoom)
{
  gint size;

  if (direction == GST_PAD_SINK && gst_structure_get_int (s, field, &size))
    gst_structure_set (s, field, G_TYPE_INT, cut (size, zoom), NULL);
  else
    gst_structure_set (s, field, GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
}

static GstCaps *
gst_mgpu_stabilize_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  Params *now = gst_mgpu_filter_copy_params (GST_MGPU_FILTER (trans));
  GstCaps *others = gst_mgpu_caps_in_any_memory (caps);

  for (guint i = 0; now->edges == EDGES_CUT && now->mode != MODE_MEASURE
      && i < gst_caps_get_size (others); i++) {
    GstStructure *s = gst_caps_get_structure (others, i);

    cut_field (s, "width", direction, now->zoom);
    cut_field (s, "height", direction, now->zoom);
  }
  gst_mgpu_filter_free_params (GST_MGPU_FILTER (trans), now);
  return gst_mgpu_caps_intersect (filter, others);
}

static gboolean
gst_mgpu_stabilize_set_caps (GstBaseTransform * trans, GstCaps * in,
    GstCaps * out)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);
  const GstVideoInfo *info = &GST_MGPU_FILTER (trans)->input.info;
  GstVideoInfo next;

  drain (self);
  if (gst_video_info_from_caps (&next, in)
      && (next.width != info->width || next.height != info->height))
    gst_mgpu_scene_cut (&self->scene);
  update_latency (self);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans, in, out);
}

static gboolean
gst_mgpu_stabilize_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (filter);

  if (context != self->context)
    gst_mgpu_scene_cut (&self->scene);
  self->context = context;
  self->warp = mgpu_object_new (&mgpu_warp, context, info, NULL,
      &filter->output.info, NULL, error);
  return self->warp != NULL && gst_mgpu_point_finder_prepare (&self->finder,
      &filter->input, get_params (self)->analysis_size, error);
}

static void
gst_mgpu_stabilize_unprepare (GstMgpuFilter * filter)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (filter);

  gst_mgpu_point_finder_clear (&self->finder);
  g_clear_pointer (&self->warp, mgpu_object_free);
}

/* ---- Events and states ------------------------------------------------------------ */

/* Returns: whether an event waits until the frames before it have left, which it does not
 * hurry */
static gboolean
may_wait (GstEventType type)
{
  return type == GST_EVENT_TAG || type == GST_EVENT_TOC
      || type == GST_EVENT_PROTECTION || type == GST_EVENT_SINK_MESSAGE
      || type == GST_EVENT_CUSTOM_DOWNSTREAM
      || type == GST_EVENT_CUSTOM_DOWNSTREAM_STICKY
      || type == GST_EVENT_CUSTOM_BOTH;
}

static gboolean
gst_mgpu_stabilize_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);
  GstEventType type = GST_EVENT_TYPE (event);
  Held *last = g_queue_peek_tail (&self->held);

  if (last != NULL && may_wait (type)) {
    g_queue_push_tail (&last->events, event);
    return TRUE;
  }
  if (GST_EVENT_IS_SERIALIZED (event) && type != GST_EVENT_FLUSH_STOP)
    drain (self);
  if (type == GST_EVENT_FLUSH_STOP)
    drop (self);
  else if (type == GST_EVENT_SEGMENT)
    gst_mgpu_scene_cut (&self->scene);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

static gboolean
gst_mgpu_stabilize_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_DRAIN)
    drain (GST_MGPU_STABILIZE (trans));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans, direction,
      query);
}

static gboolean
gst_mgpu_stabilize_stop (GstBaseTransform * trans)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);

  drop (self);
  self->context = NULL;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
}

static void
gst_mgpu_stabilize_changed (GstMgpuFilter * filter, guint i)
{
  Params *now = gst_mgpu_filter_copy_params (filter);
  gsize at = params[i].offset;

  if (at == MEMBER (mode) || at == MEMBER (smoothing)
      || at == MEMBER (look_ahead))
    update_latency (GST_MGPU_STABILIZE (filter));
  /* The size of frames that leave may change. */
  if (at == MEMBER (mode) || at == MEMBER (edges) || (at == MEMBER (zoom)
          && now->edges == EDGES_CUT))
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (filter));
  gst_mgpu_filter_free_params (filter, now);
}

static void
gst_mgpu_stabilize_finalize (GObject * object)
{
  gst_mgpu_scene_clear (&GST_MGPU_STABILIZE (object)->scene);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_stabilize_init (GstMgpuStabilize * self)
{
  g_queue_init (&self->held);
  gst_mgpu_scene_init (&self->scene);
}

static void
gst_mgpu_stabilize_class_init (GstMgpuStabilizeClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_stabilize_finalize;
  trans_class->stop = gst_mgpu_stabilize_stop;
  trans_class->query = gst_mgpu_stabilize_query;
  trans_class->sink_event = gst_mgpu_stabilize_sink_event;
  trans_class->transform_caps = gst_mgpu_stabilize_transform_caps;
  trans_class->set_caps = gst_mgpu_stabilize_set_caps;
  trans_class->submit_input_buffer = gst_mgpu_stabilize_submit_input_buffer;
  trans_class->generate_output = gst_mgpu_stabilize_generate_output;
  trans_class->prepare_output_buffer =
      gst_mgpu_stabilize_prepare_output_buffer;
  trans_class->transform_meta = gst_mgpu_stabilize_transform_meta;
  filter_class->prepare = gst_mgpu_stabilize_prepare;
  filter_class->unprepare = gst_mgpu_stabilize_unprepare;
  filter_class->passes = gst_mgpu_stabilize_passes;
  filter_class->enqueue = gst_mgpu_stabilize_enqueue;
  filter_class->changed = gst_mgpu_stabilize_changed;
  gst_mgpu_filter_class_set_params (filter_class, params, sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL stabilizer", "Filter/Effect/Video",
      "Steadies shaken videos, on an OpenCL device", "The gst-mgpu authors");
}
