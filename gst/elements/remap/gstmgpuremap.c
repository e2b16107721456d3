/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuremap
 * @title: mgpuremap
 * @short_description: corrects lenses and changes projections, on an OpenCL device
 *
 * Corrects the distortion of lenses with calibration files, and shows frames of any camera in
 * another projection, in a view that can be rotated. If a frame has a #GstVideoCropMeta, only the
 * part that this meta selects is used as the input frame.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=/usr/share/doc/opencv-doc/examples/data/left01.jpg ! jpegdec ! mgpuremap location=/usr/share/doc/opencv-doc/examples/data/left_intrinsics.yml ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.1
 */
#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpunavigation.h>
#include <gst/models/map-load.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/warp/remap.h>

#include <string.h>

#include <gst/elements/elements.h>
#include "gstmgpuremapcaps.h"
#include "gstmgpuremapcrop.h"
#include <gst/elements/gstmgpuremapmotion.h>
#include "gstmgpuremapview.h"

#define MEMBER(name) G_STRUCT_OFFSET (GstMgpuRemapParams, name)

#define GST_TYPE_MGPU_REMAP (gst_mgpu_remap_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuRemap, gst_mgpu_remap, GST, MGPU_REMAP,
    GstMgpuFilter);

/* All members but @crop, @map, @width, @height, @has_started and @has_changed belong to the streaming
 * thread. */
struct _GstMgpuRemap
{
  GstMgpuFilter parent;

  GstMgpuRemapCrop crop;
  MgpuObject *remap;            /* object of the algorithm; NULL if frames of this size are too
                                 * large */
  GstMgpuRemapParams *loaded;   /* parameters with which the file of @calibration and @load_error
                                 * was read; NULL if no file was read */
  MgpuCalibration *calibration; /* content of a calibration file, or NULL */
  MgpuPlaces *places;           /* content of a map, or NULL */
  GError *load_error;           /* error if the file could not be read, or NULL */
  guint warnings;               /* bits of the warnings that were posted for this file: see
                                 * gst_mgpu_remap_warn() */
  MgpuLensIndex *index;         /* inverse of @map; NULL until a meta needs it */
  guint serial;                 /* number of maps that were made so far */
  GstMgpuRemapParams *made;     /* parameters of the last attempt to make @map; NULL if no frame
                                 * with the current caps has been output */
  GstMgpuRemapParams *shown;    /* parameters of the last successful attempt to make @map, even with
                                 * other caps or before a stop; NULL if none succeeded */
  gboolean has_begun;           /* whether a frame has been output since the element was started */
  gboolean is_empty;            /* whether the last attempt to make a map failed because the view
                                 * would contain no pixel of the input frame */
  gchar *warned;                /* text of the last warning since @map was made; NULL if there was
                                 * none */
  gboolean has_arrived;         /* whether the current frame has a GstMgpuCameraMeta, @arrived */
  GstMgpuCamera arrived;
  gboolean has_camera;          /* whether output frames get the camera @camera; its rotation is
                                 * combined with that of the input frame's camera */
  GstMgpuCamera camera;

  /* The streaming thread writes the members below under the object lock, and other threads read
   * them under this lock. */
  MgpuLensMap *map;             /* map from output to input positions; NULL if there is none for
                                 * this frame size */
  gint width, height;           /* size of the visible part of the input frames of @map */

  gint has_started;             /* atomic: whether the element was started at least once */
  gint has_changed;             /* atomic: whether a property was set after the first start */
};

#define gst_mgpu_remap_parent_class parent_class
G_DEFINE_TYPE (GstMgpuRemap, gst_mgpu_remap, GST_TYPE_MGPU_FILTER);

/* ---- The map ---------------------------------------------------------------------- */

/* Frees the parameters *@at, and replaces them by @params (transfer full) (nullable). */
static void
replace_params (GstMgpuRemap * self, GstMgpuRemapParams ** at,
    GstMgpuRemapParams * params)
{
  if (*at != NULL)
    gst_mgpu_filter_free_params (GST_MGPU_FILTER (self), *at);
  *at = params;
}

/* Returns: (transfer full): a copy of @params */
static GstMgpuRemapParams *
copy_params (const GstMgpuRemapParams * params)
{
  GstMgpuRemapParams *copy = g_new0 (GstMgpuRemapParams, 1);

  gst_mgpu_params_copy (gst_mgpu_remap_params, sizeof (*copy), params, copy);
  return copy;
}

static void
forget_file (GstMgpuRemap * self)
{
  replace_params (self, &self->loaded, NULL);
  g_clear_pointer (&self->calibration, mgpu_calibration_free);
  g_clear_pointer (&self->places, mgpu_places_free);
  g_clear_error (&self->load_error);
}

/* Reads the file that @camera names. Returns: FALSE with @error set on failure */
static gboolean
read_file (GstMgpuRemap * self, const GstMgpuRemapCamera * camera,
    GError ** error)
{
  if (mgpu_places_is_file (camera->location)) {
    self->places = mgpu_places_load (camera->location, error);
    if (self->places != NULL)
      GST_MGPU_DEBUG_OBJECT (self, "read a map for frames of %dx%d from %s",
          self->places->width, self->places->height, camera->location);
    return self->places != NULL;
  }
  self->calibration = mgpu_calibration_load (camera->location, camera->camera,
      error);
  if (self->calibration == NULL)
    return FALSE;
  if (self->calibration->camera.width == 0)
    GST_MGPU_WARNING_OBJECT (self, "%s contains no frame size: assuming the "
        "size of the input frames", camera->location);
  GST_MGPU_DEBUG_OBJECT (self, "read camera \"%s\", calibrated for %dx%d, "
      "from %s", self->calibration->name, self->calibration->camera.width,
      self->calibration->camera.height, camera->location);
  return TRUE;
}

/* Reads the file that @params name, unless it has been read already. Returns: FALSE with @error set
 * on failure */
static gboolean
load (GstMgpuRemap * self, const GstMgpuRemapParams * params, GError ** error)
{
  GError *cause = NULL;

  if (self->loaded == NULL
      || !gst_mgpu_remap_params_same_file (self->loaded, params)) {
    GST_MGPU_DEBUG_OBJECT (self, "\"location\" is %s",
        params->camera.location !=
        NULL ? params->camera.location : "not set: using the camera of "
        "\"input\", or of the GstMgpuCameraMeta of frames");
    forget_file (self);
    self->loaded = copy_params (params);
    self->warnings = 0;
    if (params->camera.location != NULL
        && !read_file (self, &params->camera, &cause)) {
      g_set_error (&self->load_error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_READ, "%s: correct the file, \"location\" or "
          "\"camera\"", cause->message);
      g_error_free (cause);
    }
  }
  if (self->load_error != NULL && error != NULL)
    *error = g_error_copy (self->load_error);
  return self->load_error == NULL;
}

/* Replaces the map by @map (transfer full) (nullable). */
static void
set_map (GstMgpuRemap * self, MgpuLensMap * map)
{
  const GstVideoInfo *in = &self->crop.seen;
  MgpuLensMap *last;

  g_clear_pointer (&self->index, mgpu_lens_index_free);
  GST_OBJECT_LOCK (self);
  last = self->map;
  self->map = map;
  self->width = in->width;
  self->height = in->height;
  GST_OBJECT_UNLOCK (self);
  if (last != NULL)
    mgpu_lens_map_free (last);
}

static GstMgpuRemapScene
make_scene (GstMgpuRemap * self, const GstMgpuRemapParams * params)
{
  return (GstMgpuRemapScene) {
  params, self->calibration, self->has_arrived ? &self->arrived : NULL,
        &self->crop.seen, &GST_MGPU_FILTER (self)->output.info};
}

/* Makes the map of the view of a camera. Sets @has_camera to whether @camera was set to the camera
 * of the view. Returns: (transfer full): the map; NULL with @error set on failure */
static MgpuLensMap *
map_view (GstMgpuRemap * self, const GstMgpuRemapParams * params,
    gboolean * has_camera, GstMgpuCamera * camera, GError ** error)
{
  const GstMgpuRemapScene scene = make_scene (self, params);
  MgpuLensModel model;
  MgpuLensMap *map;
  MgpuView view;

  if (!gst_mgpu_remap_find_view (&scene, &model, &view, error))
    return NULL;
  GST_MGPU_DEBUG_OBJECT (self,
      "view: focal length %.1f x %.1f pixels, center at pixel (%.1f, %.1f)",
      view.focal[0], view.focal[1], view.centre[0], view.centre[1]);
  map = mgpu_lens_map_new (&model, &view);
  gst_mgpu_remap_warn (GST_ELEMENT (self), &scene, &model, map,
      &self->warnings);
  *has_camera = mgpu_view_make_public (&view, camera);
  return map;
}

/* Returns: (transfer full): the map of the file; NULL with @error set if it does not fit the frames */
static MgpuLensMap *
map_places (GstMgpuRemap * self, GError ** error)
{
  const GstVideoInfo *in = &self->crop.seen;
  const GstVideoInfo *out = &GST_MGPU_FILTER (self)->output.info;
  const MgpuPlaces *places = self->places;

  if (places->width == out->width && places->height == out->height)
    return mgpu_lens_map_new_from_places (places->places, places->width,
        places->height, in->width, in->height);
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "output frames of %dx%d do not fit the map of %dx%d: put a capsfilter with "
      "width=%d,height=%d after this element", out->width, out->height,
      places->width, places->height, places->width, places->height);
  return NULL;
}

/* Returns: whether frames pass unchanged. They cannot if caps that were negotiated for an earlier
 * projection change the size */
static gboolean
is_same (GstMgpuRemap * self, const GstMgpuRemapParams * params)
{
  const GstVideoInfo *in = &self->crop.crop.caps_info;
  const GstVideoInfo *out = &GST_MGPU_FILTER (self)->output.info;

  return params->view.projection == GST_MGPU_REMAP_PROJECTION_SAME
      && in->width == out->width && in->height == out->height;
}

/* Determines the camera of frames that pass unchanged. */
static gboolean
find_same (GstMgpuRemap * self, const GstMgpuRemapParams * params,
    GError ** error)
{
  const GstMgpuRemapScene scene = make_scene (self, params);
  const GstVideoInfo *in = scene.in, *out = scene.out;
  MgpuCamera lens;

  if (self->places != NULL) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "%s is a map, which has no camera: set \"location\" to a calibration "
        "file, or \"projection\" to perspective", params->camera.location);
    return FALSE;
  }
  if (!gst_mgpu_remap_find_lens (&scene, &lens, error))
    return FALSE;
  /* Scales the camera, because the visible part is scaled if its size differs from the size in the
   * caps. */
  if (in->width != out->width || in->height != out->height)
    mgpu_camera_scale (&lens, out->width / (gdouble) in->width,
        out->height / (gdouble) in->height, out->width, out->height);
  GST_MGPU_DEBUG_OBJECT (self, "passing frames unchanged with a "
      "GstMgpuCameraMeta: MgpuLens %d, focal length %.1f x %.1f pixels",
      lens.lens, lens.focal[0], lens.focal[1]);
  set_map (self, NULL);
  mgpu_camera_make_public (&lens, &self->camera);
  self->has_camera = TRUE;
  return TRUE;
}

/* Makes the map for the parameters @params. A view that contains no pixel of the input frame is an
 * error unless @may_be_empty is TRUE. Returns: FALSE with @error set on failure; the last map then
 * remains in use */
static gboolean
make_map (GstMgpuRemap * self, const GstMgpuRemapParams * params,
    gboolean may_be_empty, GError ** error)
{
  gboolean has_camera = FALSE;
  GstMgpuCamera camera = { 0 };
  MgpuLensMap *map;

  self->is_empty = FALSE;
  if (!load (self, params, error))
    return FALSE;
  if (is_same (self, params))
    return find_same (self, params, error);
  map = self->places != NULL ? map_places (self, error)
      : map_view (self, params, &has_camera, &camera, error);
  if (map == NULL)
    return FALSE;
  if (map->seen == 0 && !may_be_empty) {
    mgpu_lens_map_free (map);
    self->is_empty = TRUE;
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "no pixel of the input frame is in the view: correct \"pan\", "
        "\"tilt\", \"fov\", \"input-fov\", \"corners\", \"matrix\" or the map");
    return FALSE;
  }
  set_map (self, map);
  self->has_camera = has_camera;
  self->camera = camera;
  self->serial++;
  GST_MGPU_DEBUG_OBJECT (self, "made map %u with %dx%d nodes, %u exact cells "
      "and %s; %.0f %% of the view are inside the input frame", self->serial,
      map->columns, map->rows, map->n_exact,
      map->margins > 0 ? "margins" : "no margins", 100 * map->seen);
  return TRUE;
}

/* Drops the map and the parameters of the current caps. */
static void
forget_map (GstMgpuRemap * self)
{
  replace_params (self, &self->made, NULL);
  set_map (self, NULL);
  self->has_camera = FALSE;
}

/* Makes the object of the algorithm for frames of the size of the input. */
static gboolean
build (GstMgpuRemap * self, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);

  self->remap = mgpu_object_new (&mgpu_remap, filter->base.context,
      &filter->input.info, NULL, &filter->output.info, NULL, error);
  return self->remap != NULL;
}

/* Posts @cause (transfer full) as a warning, unless the last warning had the same text. */
static void
warn (GstMgpuRemap * self, GError * cause)
{
  gchar *text = gst_mgpu_error_make_text (GST_ELEMENT (self), cause);

  if (g_strcmp0 (text, self->warned) != 0)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", text),
        (self->map == NULL || self->map->seen > 0
            ? "The element still uses the previous view."
            : "Frames only show the area beyond the edges of the input."));
  g_free (self->warned);
  self->warned = text;
  g_error_free (cause);
}

/* Stores the camera of the GstMgpuCameraMeta of @in. Returns: whether this camera differs from the
 * camera of the last frame in more than its rotation */
static gboolean
take_camera (GstMgpuRemap * self, GstBuffer * in)
{
  const GstMgpuCamera last = self->arrived;
  gboolean had_arrived = self->has_arrived;

  memset (&self->arrived, 0, sizeof (self->arrived));
  self->has_arrived = gst_mgpu_remap_crop_get_camera (&self->crop,
      GST_ELEMENT (self), in, &self->arrived);
  if (had_arrived != self->has_arrived)
    GST_MGPU_DEBUG_OBJECT (self, self->has_arrived ? "frames have a "
        "GstMgpuCameraMeta" : "frames no longer have a GstMgpuCameraMeta");
  return had_arrived != self->has_arrived || memcmp (&last, &self->arrived,
      G_STRUCT_OFFSET (GstMgpuCamera, rotation)) != 0;
}

/* Makes a map for new caps or after a restart when @params failed. Tries the parameters of the last
 * view first. If there are none, or if that view is now empty, makes the map of @params, which is
 * then empty. Two conditions apply. At a start, the view of @params must be empty (not invalid): a
 * view from before the stop does not replace a missing file. Before any view was shown, a property
 * must have changed since the first start: applications and controllers set properties one by one,
 * and a later one may make the view valid. Returns: FALSE if no map could be made */
static gboolean
restore (GstMgpuRemap * self, const GstMgpuRemapParams * params)
{
  if ((!self->has_begun && !self->is_empty) || (self->shown == NULL
          && !g_atomic_int_get (&self->has_changed)))
    return FALSE;
  if ((self->shown == NULL || !make_map (self, self->shown, FALSE, NULL))
      && !make_map (self, params, TRUE, NULL))
    return FALSE;
  GST_MGPU_DEBUG_OBJECT (self, "showing the %s view", self->map != NULL
      && self->map->seen == 0 ? "empty" : "last");
  return TRUE;
}

/* Returns: whether the frame passes unchanged, once its map is known. A frame whose projection
 * stays the same is still changed if only a part of it is visible */
static gboolean
finish_choice (GstMgpuRemap * self)
{
  if (self->map == NULL)
    gst_mgpu_remap_crop_show (&self->crop, GST_ELEMENT (self),
        &GST_MGPU_FILTER (self)->output.info);
  return self->map == NULL && !self->crop.moves;
}

/* Makes the map again if parameters or the camera have changed. After a failure, the last view
 * remains in use. Ends the stream only if no frame was output with the current caps and restore()
 * fails. Returns: TRUE if the frame passes unchanged; FALSE if it is warped */
static gboolean
gst_mgpu_remap_passes (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (filter);
  const GstMgpuRemapParams *params = filter->frame.params;
  gboolean is_new = take_camera (self, in);
  GError *cause = NULL;

  if (self->made != NULL && !is_new
      && gst_mgpu_remap_params_same_map (self->made, params))
    return finish_choice (self);
  if (make_map (self, params, FALSE, &cause)) {
    g_clear_pointer (&self->warned, g_free);
    replace_params (self, &self->shown, copy_params (params));
  } else if (self->made != NULL || restore (self, params)) {
    warn (self, cause);
  } else {
    g_propagate_error (error, cause);
    return FALSE;
  }
  replace_params (self, &self->made, copy_params (params));
  self->has_begun = TRUE;
  return finish_choice (self);
}

/* Returns: FALSE for frames that pass unchanged, because they do not need the device */
static gboolean
gst_mgpu_remap_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  return FALSE;
}

/* Attaches the camera to @out, the output frame, which shows only the visible part. */
static void
attach_camera (GstMgpuRemap * self, GstBuffer ** out)
{
  GstMgpuCamera camera = self->camera;
  const gdouble *a = self->camera.rotation, *b = self->arrived.rotation;
  GstVideoCropMeta *crop;

  for (guint i = 0; self->has_arrived && i < 9; i++)
    camera.rotation[i] = a[i / 3 * 3] * b[i % 3]
        + a[i / 3 * 3 + 1] * b[3 + i % 3] + a[i / 3 * 3 + 2] * b[6 + i % 3];
  if (!gst_buffer_is_writable (*out))
    *out = gst_buffer_copy (*out);
  gst_buffer_add_mgpu_camera_meta (*out, &camera);
  crop = gst_buffer_get_video_crop_meta (*out);
  if (crop != NULL)
    gst_buffer_remove_meta (*out, (GstMeta *) crop);
}

/* Finds the visible part of the frame @in. If the size of the visible part changes, a new map is
 * made, as after new caps. Returns: FALSE with @error set if the frame is too large */
static gboolean
read_crop (GstMgpuRemap * self, GstBuffer * in, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const gint width = self->crop.seen.width, height = self->crop.seen.height;

  if (gst_mgpu_remap_crop_read (&self->crop, &filter->input, in))
    g_clear_pointer (&self->remap, mgpu_object_free);
  if (self->crop.seen.width != width || self->crop.seen.height != height)
    forget_map (self);
  return self->remap != NULL || !filter->prepared
      || (gst_mgpu_device_base_check_size (&filter->base, &filter->input.info,
          error) && build (self, error));
}

static GstFlowReturn
gst_mgpu_remap_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (trans);
  GError *error = NULL;
  GstFlowReturn ret;

  if (!read_crop (self, in, &error))
    return gst_mgpu_device_base_fail (&GST_MGPU_FILTER (self)->base, error);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->prepare_output_buffer (trans,
      in, out);
  if (ret == GST_FLOW_OK && self->has_camera)
    attach_camera (self, out);
  return ret;
}

/* Sets @colour to the value of the property "color", as the components of a pixel. */
static void
find_colour (const GstVideoInfo * info, guint32 argb,
    gint colour[GST_VIDEO_MAX_COMPONENTS])
{
  mgpu_colour_from_argb (info, argb, colour);
  colour[3] = argb >> 24;
  if (GST_VIDEO_INFO_HAS_ALPHA (info))
    colour[3] = ((1 << GST_VIDEO_INFO_COMP_DEPTH (info, 3)) - 1) * colour[3]
        / 255;
}

static void
gst_mgpu_remap_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  static const MgpuWarpEdges edges[] = { MGPU_WARP_BLACK, MGPU_WARP_BLACK,
    MGPU_WARP_REPEAT, MGPU_WARP_MIRROR
  };
  GstMgpuRemap *self = GST_MGPU_REMAP (filter);
  const GstMgpuRemapParams *params = work->params;
  gint colour[GST_VIDEO_MAX_COMPONENTS];
  const MgpuRemapParams now = { self->map, self->serial, edges[params->edges],
    params->interpolation, params->samples,
    params->edges == GST_MGPU_REMAP_EDGES_BLACK ? NULL : colour
  };
  MgpuImage seen;
  const MgpuWork remapped = { &now, &seen, NULL, work->out };

  if (self->map == NULL) {
    GST_MGPU_LOG_OBJECT (self, "copying the visible part of the frame");
    mgpu_cut_enqueue_to (&self->crop.cut, job, work->in,
        &self->crop.crop.visible, work->out);
    return;
  }
  if (!mgpu_cut_enqueue (&self->crop.cut, job, work->in,
          &self->crop.crop.visible, &seen))
    return;
  GST_MGPU_LOG_OBJECT (self, "remapping the frame by map %u, with "
      "MgpuInterpolation %d and %d samples along each axis", self->serial,
      params->interpolation, params->samples);
  find_colour (&filter->output.info, params->colour, colour);
  mgpu_remap.enqueue (self->remap, job, &remapped);
}

/* ---- Positions -------------------------------------------------------------------- */

static gboolean
gst_mgpu_remap_transform_meta (GstBaseTransform * trans, GstBuffer * out,
    GstMeta * meta, GstBuffer * in)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (trans);
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->output.info;
  GstMgpuRemapMotion motion = { self->map, NULL, info->width, info->height };
  GstMgpuConvertMap map = gst_mgpu_remap_motion_get_map (&motion);
  GstMgpuMetaMap points = gst_mgpu_remap_motion_get_points (&motion,
      &self->crop.seen, info);

  /* Without a map, transforms metas only by the crop, because the output frame is a copy of the
   * visible part. */
  if (self->map == NULL)
    return gst_mgpu_convert_meta (GST_ELEMENT (trans), &self->crop.shift, out,
        meta, in);
  if (self->index == NULL)
    self->index = mgpu_lens_index_new (self->map, info->width, info->height);
  motion.index = self->index;
  return gst_mgpu_remap_crop_move_meta (&self->crop, GST_ELEMENT (trans), &map,
      &points, out, meta, in);
}

/* Maps the position of a navigation event from the output frame to the input frame. */
static GstEvent *
move_event (GstMgpuRemap * self, GstEvent * event)
{
  gboolean has_shift;
  gdouble shift[9];
  gint width, height;

  GST_OBJECT_LOCK (self);
  has_shift = self->map != NULL
      && gst_mgpu_remap_motion_find_shift (self->map, event, shift);
  width = self->width;
  height = self->height;
  GST_OBJECT_UNLOCK (self);
  if (has_shift)
    event = gst_mgpu_navigation_move (GST_ELEMENT (self), event, shift, width,
        height);
  return gst_mgpu_remap_crop_move_event (&self->crop, GST_ELEMENT (self),
      event);
}

static gboolean
gst_mgpu_remap_src_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION)
    event = move_event (GST_MGPU_REMAP (trans), event);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans, event);
}

/* ---- Negotiation of caps ---------------------------------------------------------- */

static GstCaps *
gst_mgpu_remap_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstCaps *others = gst_mgpu_caps_in_any_memory (caps);
  const GstMgpuRemapParams *params;
  gboolean is_same;

  GST_OBJECT_LOCK (trans);
  params = GST_MGPU_FILTER (trans)->params;
  is_same = params->view.projection == GST_MGPU_REMAP_PROJECTION_SAME;
  GST_OBJECT_UNLOCK (trans);
  if (is_same)
    return gst_mgpu_caps_intersect (filter, others);
  gst_mgpu_remap_caps_free_size (others);
  return gst_mgpu_caps_intersect (filter, others);
}

/* Computes the preferred size of output frames: the size of the map in a file, otherwise the size
 * of the input frame. For an equirectangular output, sets *@height to 0, which means half the
 * width. If the file cannot be read, the last map remains in use, and so does the size of its
 * frames. */
static void
find_size (GstMgpuRemap * self, const GstVideoInfo * in, gint * width,
    gint * height)
{
  GstMgpuRemapParams *now =
      gst_mgpu_filter_copy_params (GST_MGPU_FILTER (self));
  gboolean is_read = load (self, now, NULL);

  if (!is_read && self->made != NULL) {
    *width = GST_MGPU_FILTER (self)->output.info.width;
    *height = GST_MGPU_FILTER (self)->output.info.height;
  } else if (self->places != NULL) {
    *width = self->places->width;
    *height = self->places->height;
  } else {
    *width = in->width;
    *height = now->view.projection == MGPU_PROJECTION_EQUIRECT ? 0 : in->height;
  }
  gst_mgpu_filter_free_params (GST_MGPU_FILTER (self), now);
}

/* Chooses the size that find_size() returns if the caps allow it. */
static GstCaps *
gst_mgpu_remap_fixate_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * others)
{
  GstVideoInfo info;
  gint width, height;

  others = gst_caps_make_writable (gst_caps_truncate (others));
  if (direction == GST_PAD_SINK && gst_video_info_from_caps (&info, caps)) {
    find_size (GST_MGPU_REMAP (trans), &info, &width, &height);
    GST_MGPU_DEBUG_OBJECT (trans, "preferred size of output frames: %dx%d "
        "pixels (height 0 = half of the width)", width, height);
    gst_mgpu_remap_caps_choose (others, &info, width, height);
  }
  return gst_mgpu_caps_fixate (others);
}

static gboolean
gst_mgpu_remap_set_caps (GstBaseTransform * trans, GstCaps * in_caps,
    GstCaps * out_caps)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (trans);

  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans, in_caps,
          out_caps))
    return FALSE;
  gst_mgpu_crop_set_caps (&self->crop.crop,
      &GST_MGPU_FILTER (self)->input.info);
  return TRUE;
}

static gboolean
gst_mgpu_remap_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (trans,
          decide_query, query))
    return FALSE;
  gst_mgpu_crop_propose (query);
  return TRUE;
}

static gboolean
gst_mgpu_remap_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (filter);

  if (info->par_n != info->par_d) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "frames with a pixel aspect ratio of %d/%d are not supported: put "
        "mgpuconvert or videoscale and a capsfilter with "
        "pixel-aspect-ratio=1/1 before this element", info->par_n, info->par_d);
    return FALSE;
  }
  return build (self, error);
}

static void
gst_mgpu_remap_unprepare (GstMgpuFilter * filter)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (filter);

  g_clear_pointer (&self->remap, mgpu_object_free);
  gst_mgpu_remap_crop_clear (&self->crop, GST_ELEMENT (self));
  forget_map (self);
}

static gboolean
gst_mgpu_remap_start (GstBaseTransform * trans)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (trans);

  self->has_begun = FALSE;
  g_atomic_int_set (&self->has_started, TRUE);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans);
}

static gboolean
gst_mgpu_remap_stop (GstBaseTransform * trans)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (trans);
  gboolean ret = GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);

  forget_map (self);
  forget_file (self);
  g_clear_pointer (&self->warned, g_free);
  return ret;
}

static void
gst_mgpu_remap_finalize (GObject * object)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (object);

  replace_params (self, &self->shown, NULL);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_remap_changed (GstMgpuFilter * filter, guint i)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (filter);

  if (g_atomic_int_get (&self->has_started))
    g_atomic_int_set (&self->has_changed, TRUE);
  if (gst_mgpu_remap_params[i].offset == MEMBER (camera.location)) {
    GST_OBJECT_LOCK (filter);
    ((GstMgpuRemapParams *) filter->params)->camera.n_set++;
    GST_OBJECT_UNLOCK (filter);
  }
  if (gst_mgpu_remap_params[i].offset == MEMBER (camera.location)
      || gst_mgpu_remap_params[i].offset == MEMBER (view.projection)) {
    GST_MGPU_DEBUG_OBJECT (filter, "\"%s\" may change the frame size: "
        "renegotiating caps", gst_mgpu_remap_params[i].name);
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (filter));
  }
}

static void
gst_mgpu_remap_init (GstMgpuRemap * self)
{
}

static void
gst_mgpu_remap_class_init (GstMgpuRemapClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_remap_finalize;
  trans_class->start = gst_mgpu_remap_start;
  trans_class->stop = gst_mgpu_remap_stop;
  trans_class->transform_caps = gst_mgpu_remap_transform_caps;
  trans_class->fixate_caps = gst_mgpu_remap_fixate_caps;
  trans_class->set_caps = gst_mgpu_remap_set_caps;
  trans_class->propose_allocation = gst_mgpu_remap_propose_allocation;
  trans_class->prepare_output_buffer = gst_mgpu_remap_prepare_output_buffer;
  trans_class->src_event = gst_mgpu_remap_src_event;
  trans_class->transform_meta = gst_mgpu_remap_transform_meta;
  filter_class->prepare = gst_mgpu_remap_prepare;
  filter_class->unprepare = gst_mgpu_remap_unprepare;
  filter_class->passes = gst_mgpu_remap_passes;
  filter_class->looks = gst_mgpu_remap_looks;
  filter_class->enqueue = gst_mgpu_remap_enqueue;
  filter_class->changed = gst_mgpu_remap_changed;
  filter_class->is_needed = TRUE;
  gst_mgpu_filter_class_set_params (filter_class, gst_mgpu_remap_params,
      sizeof (GstMgpuRemapParams));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL lens correction and reprojection", "Filter/Effect/Video",
      "Corrects lens distortion and shows frames in another projection, on an "
      "OpenCL device", "The gst-mgpu authors");
}
