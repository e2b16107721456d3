/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpustabilize
 * @title: mgpustabilize
 * @short_description: stabilizes shaken videos, on an OpenCL device
 *
 * Measures the motion of the camera from frame to frame, smooths its path, and moves,
 * rotates and scales each frame to its position on the smoothed path. Frames get a
 * #GstMgpuMotionMeta.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=/usr/share/doc/opencv-doc/examples/data/vtest.avi ! decodebin ! videoconvert ! identity eos-after=31 ! mgpustabilize ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpulookahead.h>
#include <gst/frame/gstmgpunavigation.h>
#include <gst/vision/warp/remap.h>
#include <gst/vision/warp/warp.h>

#include <string.h>

#include <gst/elements/elements.h>
#include <gst/elements/gstmgpuconvertmeta.h>
#include "gstmgpuscene.h"
#include <gst/elements/messages.h>
#include <gst/elements/gstmgpuremapmotion.h>

typedef enum
{
  MODE_SMOOTH,
  MODE_TRIPOD,
  MODE_MEASURE
} Mode;

typedef enum
{
  POINTS_SIFT,
  POINTS_TRACKS
} Points;

typedef enum
{
  EDGES_CROP,
  EDGES_CUT,
  EDGES_BLACK,
  EDGES_REPEAT,
  EDGES_MIRROR
} Edges;

/* Values of the properties of the element */
typedef struct
{
  gint mode, model;
  guint smoothing, look_ahead;
  gint edges;
  gdouble zoom;
  gint interpolation;
  gint points;
  gdouble rolling_shutter;
  guint analysis_size, max_features;
  gchar *ignore_type;
  gboolean post_messages;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuEnumValue modes[] = {
  {MODE_SMOOTH, "The camera moves smoothly", "smooth"},
  {MODE_TRIPOD, "The camera stands still", "tripod"},
  {MODE_MEASURE, "Frames pass unchanged, with a GstMgpuMotionMeta attached",
      "measure"},
  {0}
};

static const MgpuEnumValue models[] = {
  {GST_MGPU_FIT_MODEL_TRANSLATION, "Frames move", "translation"},
  {GST_MGPU_FIT_MODEL_RIGID, "Translation and rotation", "rigid"},
  {GST_MGPU_FIT_MODEL_SIMILARITY, "Translation, rotation and uniform scale "
        "(similarity)", "similarity"},
  {GST_MGPU_FIT_MODEL_AFFINE, "Affine transform: parallel lines stay parallel",
      "affine"},
  {GST_MGPU_FIT_MODEL_HOMOGRAPHY, "Homography: straight lines stay straight",
      "homography"},
  {0}
};

static const MgpuEnumValue point_values[] = {
  {POINTS_SIFT,
        "Keypoints of successive frames are matched",
      "sift"},
  {POINTS_TRACKS,
      "Points are followed from frame to frame; keypoints are matched where "
        "too few points can be followed, and in mode=tripod", "tracks"},
  {0}
};

static const MgpuEnumValue edge_values[] = {
  {EDGES_CROP, "The area outside the input frame is never visible, because "
        "frames are enlarged by zoom and the correction is limited",
      "crop"},
  {EDGES_CUT, "The area outside the input frame is never visible, because "
        "frames are cropped by zoom, without being enlarged", "cut"},
  {EDGES_BLACK, "Black", "black"},
  {EDGES_REPEAT, "The nearest pixel of the frame", "repeat"},
  {EDGES_MIRROR, "The frame, mirrored", "mirror"},
  {0}
};

static const MgpuEnumValue interpolations[] = {
  {MGPU_INTERPOLATION_BILINEAR, "From 4 pixels", "bilinear"},
  {MGPU_INTERPOLATION_CUBIC, "From 16 pixels", "cubic"},
  {MGPU_INTERPOLATION_LANCZOS, "From 36 pixels", "lanczos"},
  {0}
};

static const MgpuEnum mode_enum = { "GstMgpuStabilizeMode", modes };
static const MgpuEnum model_enum = { "GstMgpuStabilizeModel", models };
static const MgpuEnum points_enum = { "GstMgpuStabilizePoints", point_values };
static const MgpuEnum edges_enum = { "GstMgpuStabilizeEdges", edge_values };

static const MgpuEnum interpolation_enum =
    { "GstMgpuStabilizeInterpolation", interpolations };

static const MgpuParam params[] = {
  {"mode", MGPU_PARAM_ENUM, MEMBER (mode), 0, 0, MODE_SMOOTH, &mode_enum,
      "How the path of the camera is corrected"},
  {"model", MGPU_PARAM_ENUM, MEMBER (model), 0, 0,
        GST_MGPU_FIT_MODEL_SIMILARITY, &model_enum,
      "Model of the camera motion that is measured and corrected"},
  {"smoothing", MGPU_PARAM_UINT, MEMBER (smoothing), 0,
        MGPU_PATH_MAX_SMOOTHING, 15, NULL,
      "Number of later frames over which the path of the camera is smoothed, "
        "in addition to up to twice as many earlier frames (at most 15 more "
        "than later ones)"},
  {"look-ahead", MGPU_PARAM_UINT, MEMBER (look_ahead), 0,
        MGPU_PATH_MAX_SMOOTHING, 15, NULL,
      "With mode=smooth: number of later frames that must arrive before a "
        "frame is pushed; their duration is added to the latency", TRUE},
  {"edges", MGPU_PARAM_ENUM, MEMBER (edges), 0, 0, EDGES_CROP, &edges_enum,
      "Content of the area outside the input frame"},
  {"zoom", MGPU_PARAM_DOUBLE, MEMBER (zoom), 1, 4, 1.1, NULL,
      "Factor by which frames are enlarged, to hide the area outside the input "
        "frame; with edges=cut: factor by which width and height are divided, "
        "before they are rounded to even numbers"},
  {"interpolation", MGPU_PARAM_ENUM, MEMBER (interpolation), 0, 0, 0,
      &interpolation_enum, "Method that interpolates between the pixels of a "
        "frame"},
  {"points", MGPU_PARAM_ENUM, MEMBER (points), 0, 0, POINTS_TRACKS,
        &points_enum,
      "Kind of points from which the motion is measured", TRUE},
  {"rolling-shutter", MGPU_PARAM_DOUBLE, MEMBER (rolling_shutter),
        GST_MGPU_ROLLING_FIND, 1, 0, NULL,
      "Readout time of the camera's rolling shutter, from the top row to the "
        "bottom row, as a fraction of the frame interval; used to straighten "
        "frames (0 = off, any negative value = estimated from 60 frames)"},
  {"analysis-size", MGPU_PARAM_UINT, MEMBER (analysis_size), 64, 8192, 640,
        NULL, "Maximum length, in pixels, of the longer side of the image in "
        "which motion is measured; larger frames are halved until they fit",
      TRUE},
  {"max-features", MGPU_PARAM_UINT, MEMBER (max_features), 16, 5000, 300, NULL,
      "Maximum number of points in each frame that are matched with points of "
        "the previous frame"},
  {"ignore-type", MGPU_PARAM_STRING, MEMBER (ignore_type), 0, 0, 0, NULL,
      "Types of the regions of interest in which points are ignored, separated "
        "by commas (* = any, NULL = none)"},
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (post_messages), 0, 1, FALSE,
      NULL, "Whether to post an element message when a scene begins"},
  {NULL}
};

#define GST_TYPE_MGPU_STABILIZE (gst_mgpu_stabilize_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuStabilize, gst_mgpu_stabilize, GST,
    MGPU_STABILIZE, GstMgpuLookAhead);

struct _GstMgpuStabilize
{
  GstMgpuLookAhead parent;

  GstMgpuPointFinder finder;
  GstMgpuContext *context;      /* OpenCL context of the memory of the keypoints in
                                 * @scene; not owned */
  GstMgpuScene scene;
  MgpuObject *warp;
  MgpuObject *remap;            /* object that warps frames whose rows move differently; NULL while
                                 * "rolling-shutter" has always been 0 */

  /* Members that describe the work on the frame that is about to be pushed */
  gboolean is_warped;
  MgpuWarpParams work;
  MgpuLensIndex *index;         /* inverse of @map; NULL if no meta needed it */
  guint serial;                 /* number of maps that were made */
  GstMgpuMetaTransform transform;
  gboolean is_flat;             /* whether the motion of the frame is affine, and @transform
                                 * describes it completely; otherwise the motion is a homography */

  /* Members that the element's object lock (GST_OBJECT_LOCK) guards */
  gboolean has_shown;           /* whether a frame has left the element since its start */
  gdouble shown[9];             /* homography that maps the last output frame to its input frame,
                                 * in pixels from the upper left corner */
  gint width, height;           /* size, in pixels, of the input frame of the last output frame */
  MgpuLensMap *map;             /* map of the last output frame, used instead of @shown; NULL if
                                 * all rows of the frame move equally. The streaming thread reads
                                 * it without the lock */
};

#define gst_mgpu_stabilize_parent_class parent_class
G_DEFINE_TYPE (GstMgpuStabilize, gst_mgpu_stabilize, GST_TYPE_MGPU_LOOK_AHEAD);

/* Returns: the values of the properties for the current frame */
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

static guint
gst_mgpu_stabilize_count (gconstpointer values)
{
  const Params *params = values;

  return params->mode == MODE_SMOOTH ? MIN (params->look_ahead,
      params->smoothing) : 0;
}

static void
gst_mgpu_stabilize_dropped (GstMgpuLookAhead * ahead)
{
  gst_mgpu_scene_reset (&GST_MGPU_STABILIZE (ahead)->scene);
  gst_mgpu_point_tracks_forget (&GST_MGPU_STABILIZE (ahead)->finder.tracks);
}

/* ---- Input frames ------------------------------------------------------------------ */

/* Makes the object that warps frames whose rows move differently, if there is none. */
static gboolean
prepare_remap (GstMgpuStabilize * self, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);

  if (self->remap == NULL)
    self->remap = mgpu_object_new (&mgpu_remap, filter->base.context,
        &filter->input.info, NULL, &filter->output.info, NULL, error);
  return self->remap != NULL;
}

/* Calls prepare_remap() when "rolling-shutter" is set while frames arrive. */
static gboolean
build_remap (GstMgpuStabilize * self, GError ** error)
{
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;

  if (self->remap != NULL)
    return TRUE;
  gst_mgpu_device_base_begin_build (base);
  if (gst_mgpu_device_base_end_build (base, prepare_remap (self, error), error))
    return TRUE;
  g_clear_pointer (&self->remap, mgpu_object_free);
  return FALSE;
}

/* Finds the motion of the camera from the previous frame to the frame @held. */
static gboolean
gst_mgpu_stabilize_came (GstMgpuLookAhead * ahead,
    const GstMgpuHeldFrame * held, GError ** error)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (ahead);
  const Params *params = held->params;
  const GstMgpuSceneModel model = { &self->finder, params->model,
    get_half_size (&GST_MGPU_FILTER (self)->input.info),
    params->mode == MODE_TRIPOD, params->rolling_shutter
  };
  GstMgpuPoints *points = NULL;

  if (params->rolling_shutter != 0 && !build_remap (self, error))
    return FALSE;

  if (!held->is_resting) {
    points = gst_mgpu_point_finder_find (&self->finder,
        &GST_MGPU_FILTER (self)->watch, held->buffer, params->max_features,
        params->ignore_type, !model.is_tripod, error);
    if (points == NULL)
      return FALSE;
  }
  return gst_mgpu_scene_add (&self->scene, points, &model, error);
}

/* ---- Output frames ----------------------------------------------------------------- */

/* Computes the matrix that maps positions in the output frame to positions in the input frame, so
 * that the content moves by @correction. Positions are relative to the center of the frame. */
static void
find_warp (GstMgpuStabilize * self, const Params * params,
    const gdouble correction[9], gdouble warp[9])
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  MgpuPathSize size = get_half_size (&filter->input.info);
  MgpuPathSize seen = get_half_size (&filter->output.info);
  const GstMgpuSceneFrame *frame = gst_mgpu_scene_get_next (&self->scene);
  gdouble zoom = params->edges == EDGES_CUT ? 1 : params->zoom, share = 1;
  gdouble moved[9], reach[2] = { 0, 0 };

  seen.x /= zoom;
  seen.y /= zoom;
  if (frame->has_rows)
    mgpu_rolling_get_reach (&frame->path, frame->path_index, reach);
  size.x = MAX (size.x - reach[0], seen.x);
  size.y = MAX (size.y - reach[1], seen.y);
  mgpu_path_invert (correction, warp);
  if (params->edges == EDGES_CROP || params->edges == EDGES_CUT)
    share = mgpu_path_limit (warp, &size, &seen, warp);
  GST_MGPU_LOG_OBJECT (self,
      "moving the frame by %.0f %% of the correction; zoom: %g", 100 * share,
      zoom);
  if (params->mode == MODE_TRIPOD) {
    mgpu_path_invert (warp, moved);
    gst_mgpu_scene_note_limit (&self->scene, share < 1, moved);
  }
  for (guint i = 0; i < 9; i++)
    if (i % 3 < 2)
      warp[i] /= zoom;
}

/* Replaces the map by @map, (transfer full) (nullable). */
static void
set_map (GstMgpuStabilize * self, MgpuLensMap * map)
{
  MgpuLensMap *last = self->map;

  g_clear_pointer (&self->index, mgpu_lens_index_free);
  GST_OBJECT_LOCK (self);
  self->map = map;
  GST_OBJECT_UNLOCK (self);
  if (last != NULL)
    mgpu_lens_map_free (last);
}

/* Makes the map of the frame that is about to be pushed, if the frame is moved and the motion of
 * its rows is known. A frame that arrived before the object for maps was made has no map. */
static void
map_rows (GstMgpuStabilize * self)
{
  const GstMgpuSceneFrame *frame = gst_mgpu_scene_get_next (&self->scene);
  MgpuLensMap *map = NULL;

  if (self->is_warped && frame->has_rows && self->remap != NULL) {
    map = gst_mgpu_rolling_map_new (&frame->path, frame->path_index,
        self->work.matrix, &GST_MGPU_FILTER (self)->output.info);
    self->serial++;
  }
  set_map (self, map);
}

/* Stores the warp of the frame that is about to be pushed, for transforming the positions in
 * navigation events. */
static void
note_shown (GstMgpuStabilize * self)
{
  const GstVideoInfo *in = &GST_MGPU_FILTER (self)->input.info;

  GST_OBJECT_LOCK (self);
  mgpu_path_move_origin (self->work.matrix, -0.5, -0.5, -0.5, -0.5,
      self->shown);
  self->width = GST_VIDEO_INFO_WIDTH (in);
  self->height = GST_VIDEO_INFO_HEIGHT (in);
  self->has_shown = TRUE;
  GST_OBJECT_UNLOCK (self);
}

/* Decides whether and how the frame @held, which is about to be pushed, is warped. Determines the
 * transform of its metas. */
static void
plan (GstMgpuStabilize * self, const GstMgpuHeldFrame * held)
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
  if (!self->is_warped)
    GST_MGPU_LOG_OBJECT (self, held->is_resting ? "passing the frame "
        "unchanged, because \"enabled\" is off" :
        "measured the motion, and passing the frame unchanged");
  mgpu_path_move_origin (m, -to.x, -to.y, -from.x, -from.y, self->work.matrix);
  self->work.edges = params->edges == EDGES_BLACK ? MGPU_WARP_BLACK
      : params->edges == EDGES_MIRROR ? MGPU_WARP_MIRROR : MGPU_WARP_REPEAT;
  self->work.interpolation = params->interpolation;
  mgpu_path_invert (self->work.matrix, m);
  self->is_flat = m[6] == 0 && m[7] == 0;
  /* Moves the origin of coordinates from the center of the first pixel to the upper left
   * corner of the frame. */
  mgpu_path_move_origin (m, -0.5, -0.5, -0.5, -0.5, m);
  self->transform = (GstMgpuMetaTransform) {
    in, out, { {
    m[0], m[1], m[2]}
    , {
    m[3], m[4], m[5]}
    }
  , 0, 0, out->width, out->height};
}

/* Posts a message that a new scene begins with the frame @buffer, which is about to be
 * pushed. */
static void
post_cut (GstMgpuStabilize * self, GstBuffer * buffer)
{
  GstStructure *s = gst_mgpu_message_new_structure ("mgpu-cut",
      GST_BASE_TRANSFORM (self), GST_BUFFER_PTS (buffer),
      GST_BUFFER_DURATION (buffer));

  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), s));
}

static void
gst_mgpu_stabilize_leaves (GstMgpuLookAhead * ahead,
    const GstMgpuHeldFrame * held)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (ahead);
  const Params *params = held->params;

  plan (self, held);
  map_rows (self);
  note_shown (self);
  if (params->post_messages
      && gst_mgpu_scene_get_next (&self->scene)->is_new_scene)
    post_cut (self, held->buffer);
  GST_MGPU_FILTER (self)->frame.is_resting &= !self->is_warped;
}

/* Records that a frame was pushed. Until the next frame is ready, metas are copied unchanged,
 * because they must only be transformed from an input frame to its output frame, and not when a
 * kept frame is copied. */
static void
gst_mgpu_stabilize_left (GstMgpuLookAhead * ahead)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (ahead);

  gst_mgpu_scene_leave (&self->scene);
  self->is_warped = FALSE;
}

static GstFlowReturn
gst_mgpu_stabilize_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);
  GstFlowReturn ret =
      GST_BASE_TRANSFORM_CLASS (parent_class)->prepare_output_buffer (trans, in,
      out);
  MgpuPathSize half = get_half_size (&GST_MGPU_FILTER (self)->input.info);
  const GstMgpuSceneFrame *frame;
  gdouble motion[9], correction[9];

  if (ret != GST_FLOW_OK || GST_MGPU_FILTER (self)->frame.is_resting)
    return ret;
  frame = gst_mgpu_scene_get_next (&self->scene);
  if (!gst_buffer_is_writable (*out))
    *out = gst_buffer_copy (*out);
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
  GST_MGPU_LOG_OBJECT (self,
      "the content moved by (%.1f, %.1f) pixels (GstMgpuMotionState %d); "
      "moving it back by (%.1f, %.1f)", motion[2], motion[5], frame->state,
      correction[2], correction[5]);
  return GST_FLOW_OK;
}

/* Transforms a meta of a frame whose rows move differently. */
static gboolean
move_meta_by_map (GstMgpuStabilize * self, GstBuffer * out, GstMeta * meta,
    GstBuffer * in)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->output.info;
  GstMgpuRemapMotion motion = { self->map, NULL, info->width, info->height };
  GstMgpuConvertMap map = gst_mgpu_remap_motion_get_map (&motion);
  GstMgpuMetaMap points = gst_mgpu_remap_motion_get_points (&motion,
      &GST_MGPU_FILTER (self)->input.info, info);

  if (self->index == NULL)
    self->index = mgpu_lens_index_new (self->map, info->width, info->height);
  motion.index = self->index;
  return gst_mgpu_convert_meta_by_map (GST_ELEMENT (self), &map, &points, out,
      meta, in);
}

/* Transforms the metas of a frame according to its motion. Drops metas with positions if this
 * motion is a homography that is not affine. */
static gboolean
gst_mgpu_stabilize_transform_meta (GstBaseTransform * trans, GstBuffer * out,
    GstMeta * meta, GstBuffer * in)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);
  GType api = meta->info->api;

  if (!self->is_warped)
    return TRUE;
  if (self->map != NULL)
    return move_meta_by_map (self, out, meta, in);
  if (self->is_flat)
    return gst_mgpu_convert_meta (GST_ELEMENT (trans), &self->transform, out,
        meta, in);
  return !gst_meta_api_type_has_tag (api,
      g_quark_from_string (GST_META_TAG_VIDEO_SIZE_STR))
      && !gst_meta_api_type_has_tag (api,
      g_quark_from_string (GST_META_TAG_VIDEO_ORIENTATION_STR));
}

static gboolean
gst_mgpu_stabilize_passes (GstMgpuFilter * filter, GstBuffer * in,
    GError ** error)
{
  return !GST_MGPU_STABILIZE (filter)->is_warped;
}

static void
gst_mgpu_stabilize_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (filter);
  const MgpuWork warped = { &self->work, work->in, NULL, work->out };
  const MgpuRemapParams params = { self->map, self->serial, self->work.edges,
    self->work.interpolation, 1, NULL
  };
  const MgpuWork remapped = { &params, work->in, NULL, work->out };

  if (self->map != NULL)
    mgpu_remap.enqueue (self->remap, job, &remapped);
  else
    mgpu_warp.enqueue (self->warp, job, &warped);
}

/* ---- Negotiation of caps ---------------------------------------------------------- */

/* Returns: @size, a width or height of frames in pixels, divided by @zoom and rounded
 * down to an even number */
static gint
cut (gint size, gdouble zoom)
{
  return MIN (size, MAX (2, (gint) (size / zoom) / 2 * 2));
}

/* Sets the field @field of caps, a width or height, to the width or height of output frames, which
 * are cropped. If the size is unknown, or if @direction means that these are the caps of the source
 * pad, allows any size. */
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
  GstVideoInfo info;
  gboolean is_known = direction == GST_PAD_SINK && gst_caps_is_fixed (caps)
      && gst_video_info_from_caps (&info, caps);

  for (guint i = 0; now->edges == EDGES_CUT && now->mode != MODE_MEASURE
      && i < gst_caps_get_size (others); i++) {
    GstStructure *s = gst_caps_get_structure (others, i);

    cut_field (s, "width", direction, now->zoom);
    cut_field (s, "height", direction, now->zoom);
    if (is_known) {
      gst_mgpu_caps_name_colorimetry (s, &info);
      gst_mgpu_caps_name_chroma_site (s, &info);
    }
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
  GError *error = NULL;
  GstVideoInfo next;

  gst_mgpu_look_ahead_drain (GST_MGPU_LOOK_AHEAD (trans));
  if (gst_video_info_from_caps (&next, in)
      && (next.width != info->width || next.height != info->height)) {
    GST_MGPU_DEBUG_OBJECT (self, "beginning a new scene, because the frame "
        "size changes");
    gst_mgpu_scene_cut (&self->scene);
  } else if (!gst_mgpu_scene_describe (&self->scene, &self->finder, &error)) {
    GST_MGPU_DEBUG_OBJECT (self, "forgetting the last frame (%s)",
        error != NULL ? error->message : "a buffer pool is flushing");
    g_clear_error (&error);
  }
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
  return self->warp != NULL && (get_params (self)->rolling_shutter == 0
      || prepare_remap (self, error))
      && gst_mgpu_point_finder_prepare (&self->finder, &filter->input,
      get_params (self)->analysis_size,
      get_params (self)->points == POINTS_TRACKS, error);
}

static void
gst_mgpu_stabilize_unprepare (GstMgpuFilter * filter)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (filter);

  gst_mgpu_point_finder_clear (&self->finder);
  g_clear_pointer (&self->warp, mgpu_object_free);
  g_clear_pointer (&self->remap, mgpu_object_free);
}

/* ---- Handling of events and states ------------------------------------------------ */

static gboolean
gst_mgpu_stabilize_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  gboolean is_segment = GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT;
  gboolean ret =
      GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);

  if (is_segment)
    gst_mgpu_scene_cut (&GST_MGPU_STABILIZE (trans)->scene);
  return ret;
}

static gboolean
gst_mgpu_stabilize_src_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION) {
    gdouble shown[9];
    gint width, height;
    gboolean has_shown;

    GST_OBJECT_LOCK (self);
    has_shown = self->has_shown;
    if (self->map == NULL)
      memcpy (shown, self->shown, sizeof (shown));
    else
      has_shown = gst_mgpu_remap_motion_find_shift (self->map, event, shown);
    width = self->width;
    height = self->height;
    GST_OBJECT_UNLOCK (self);
    if (has_shown)
      event =
          gst_mgpu_navigation_move (GST_ELEMENT (trans), event, shown, width,
          height);
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans, event);
}

static gboolean
gst_mgpu_stabilize_stop (GstBaseTransform * trans)
{
  GstMgpuStabilize *self = GST_MGPU_STABILIZE (trans);

  self->context = NULL;
  set_map (self, NULL);
  GST_OBJECT_LOCK (self);
  self->has_shown = FALSE;
  self->scene.rolling.search = (MgpuRollingSearch) {
  0};
  GST_OBJECT_UNLOCK (self);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
}

static void
gst_mgpu_stabilize_changed (GstMgpuFilter * filter, guint i)
{
  Params *now = gst_mgpu_filter_copy_params (filter);
  gsize at = params[i].offset;

  if (at == MEMBER (mode) || at == MEMBER (smoothing)
      || at == MEMBER (look_ahead))
    gst_mgpu_look_ahead_update_latency (GST_MGPU_LOOK_AHEAD (filter));
  /* Negotiates caps again, because the size of output frames may change. */
  if (at == MEMBER (mode) || at == MEMBER (edges) || (at == MEMBER (zoom)
          && now->edges == EDGES_CUT)) {
    GST_MGPU_DEBUG_OBJECT (filter, "\"%s\" may change the frame size: "
        "renegotiating caps", params[i].name);
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (filter));
  }
  gst_mgpu_filter_free_params (filter, now);
}

/* Adds the readout time that is estimated if "rolling-shutter" is below 0; 0 until then. */
static void
gst_mgpu_stabilize_describe (GstMgpuFilter * filter, GstStructure * stats)
{
  Params *now = gst_mgpu_filter_copy_params (filter);

  if (now->rolling_shutter < 0)
    gst_structure_set (stats, "rolling-shutter", G_TYPE_DOUBLE,
        gst_mgpu_rolling_get_share (&GST_MGPU_STABILIZE (filter)->scene.rolling,
            GST_ELEMENT (filter), now->rolling_shutter), NULL);
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
  gst_mgpu_scene_init (&self->scene, GST_ELEMENT (self));
}

static void
gst_mgpu_stabilize_class_init (GstMgpuStabilizeClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);
  GstMgpuLookAheadClass *ahead_class = GST_MGPU_LOOK_AHEAD_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_stabilize_finalize;
  trans_class->stop = gst_mgpu_stabilize_stop;
  trans_class->sink_event = gst_mgpu_stabilize_sink_event;
  trans_class->src_event = gst_mgpu_stabilize_src_event;
  trans_class->transform_caps = gst_mgpu_stabilize_transform_caps;
  trans_class->set_caps = gst_mgpu_stabilize_set_caps;
  trans_class->prepare_output_buffer = gst_mgpu_stabilize_prepare_output_buffer;
  trans_class->transform_meta = gst_mgpu_stabilize_transform_meta;
  ahead_class->count = gst_mgpu_stabilize_count;
  ahead_class->came = gst_mgpu_stabilize_came;
  ahead_class->leaves = gst_mgpu_stabilize_leaves;
  ahead_class->left = gst_mgpu_stabilize_left;
  ahead_class->dropped = gst_mgpu_stabilize_dropped;
  filter_class->prepare = gst_mgpu_stabilize_prepare;
  filter_class->unprepare = gst_mgpu_stabilize_unprepare;
  filter_class->passes = gst_mgpu_stabilize_passes;
  filter_class->enqueue = gst_mgpu_stabilize_enqueue;
  filter_class->describe = gst_mgpu_stabilize_describe;
  filter_class->changed = gst_mgpu_stabilize_changed;
  gst_mgpu_filter_class_set_params (filter_class, params, sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL stabilizer", "Filter/Effect/Video",
      "Stabilizes videos of a shaking camera on an OpenCL device",
      "The gst-mgpu authors");
}
