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
 * another projection, in a view that turns.
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
#include <gst/frame/gstmgpushapes.h>
#include <gst/models/map-load.h>
#include <gst/video/navigation.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/warp/remap.h>

#include <string.h>

#include <gst/elements/elements.h>
#include "gstmgpuremapcamera.h"
#include "gstmgpuremapmotion.h"

typedef enum
{
  EDGES_BLACK,
  EDGES_COLOR,
  EDGES_REPEAT,
  EDGES_MIRROR
} Edges;

/* Holds the values of the element's properties. @camera and @view determine the map. */
typedef struct
{
  GstMgpuRemapCamera camera;
  struct
  {
    gint projection;
    gdouble alpha, fov, zoom, pan, tilt, roll;
    gboolean rectify;
  } view;
  gchar *corners;
  gint edges, interpolation, samples;
  guint colour;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

/* Largest limit of a lens model about which the element warns, in radians: beyond it there is
 * nearly nothing left to see. */
#define MAX_LIMIT 3.1

static const MgpuEnumValue inputs[] = {
  {GST_MGPU_REMAP_INPUT_AUTO, "Unknown, unless location or corners is set",
      "auto"},
  {GST_MGPU_REMAP_INPUT_PERSPECTIVE, "Perspective, without distortion",
      "perspective"},
  {GST_MGPU_REMAP_INPUT_FISHEYE, "Fisheye (equidistant)", "fisheye"},
  {GST_MGPU_REMAP_INPUT_EQUIRECT, "Equirectangular: a whole sphere, of 360 by "
        "180 degrees", "equirect"},
  {0}
};

static const MgpuEnumValue projections[] = {
  {MGPU_PROJECTION_PERSPECTIVE, "Perspective: straight lines stay straight",
      "perspective"},
  {MGPU_PROJECTION_FISHEYE, "Fisheye (equidistant)", "fisheye"},
  {MGPU_PROJECTION_EQUIRECT, "Equirectangular: longitudes and latitudes",
      "equirect"},
  {MGPU_PROJECTION_CYLINDER, "Cylinder: verticals stay straight", "cylinder"},
  {MGPU_PROJECTION_STEREOGRAPHIC, "Stereographic: circles stay circles",
      "stereographic"},
  {0}
};

static const MgpuEnumValue fits[] = {
  {GST_MGPU_REMAP_FIT_SCALE, "The calibration is scaled; the aspect ratio may "
        "differ by 0.5 %", "scale"},
  {GST_MGPU_REMAP_FIT_CROP,
        "The frame is the center of a frame of the calibration",
      "crop"},
  {GST_MGPU_REMAP_FIT_REFUSE, "They are an error", "refuse"},
  {0}
};

static const MgpuEnumValue edge_values[] = {
  {EDGES_BLACK, "Black", "black"},
  {EDGES_COLOR, "The color of the property color", "color"},
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

static const MgpuEnumValue sample_values[] = {
  {1, "One position", "1"},
  {2, "Mean of 2x2 positions", "2"},
  {4, "Mean of 4x4 positions", "4"},
  {0}
};

static const MgpuEnum input_enum = { "GstMgpuRemapInput", inputs };

static const MgpuEnum projection_enum = {
  "GstMgpuRemapProjection", projections
};
static const MgpuEnum fit_enum = { "GstMgpuRemapFit", fits };
static const MgpuEnum edges_enum = { "GstMgpuRemapEdges", edge_values };
static const MgpuEnum samples_enum = { "GstMgpuRemapSamples", sample_values };

static const MgpuEnum interpolation_enum =
    { "GstMgpuRemapInterpolation", interpolations };

static const MgpuParam params[] = {
  {"location", MGPU_PARAM_STRING, MEMBER (camera.location), 0, 0, 0, NULL,
      "Calibration file of OpenCV, ROS or Kalibr, or a map: a PFM file, or two "
        "files with a colon between them; read again when set"},
  {"camera", MGPU_PARAM_STRING, MEMBER (camera.camera), 0, 0, 0, NULL,
      "Name or number of the camera in a file with several, such as cam1, M2 "
        "or left (unset = the first)"},
  {"input", MGPU_PARAM_ENUM, MEMBER (camera.input), 0, 0,
        GST_MGPU_REMAP_INPUT_AUTO, &input_enum,
      "Projection of input frames if location is unset"},
  {"input-fov", MGPU_PARAM_DOUBLE, MEMBER (camera.input_fov), 1, 360, 180, NULL,
      "Field of view of input in degrees: across the shorter side for "
        "fisheye, across the width for perspective (below 180)"},
  {"projection", MGPU_PARAM_ENUM, MEMBER (view.projection), 0, 0,
        MGPU_PROJECTION_PERSPECTIVE, &projection_enum,
      "Projection of output frames"},
  {"alpha", MGPU_PARAM_DOUBLE, MEMBER (view.alpha), -1, 1, 0, NULL,
      "Part of the input frame that is shown: 0 = the largest view without "
        "pixels beyond its edges, 1 = all of its pixels, between = both, "
        "weighted; below 0 = the focal length and center of the input"},
  {"fov", MGPU_PARAM_DOUBLE, MEMBER (view.fov), 0, 360, 0, NULL,
      "Field of view of output frames across their width, in degrees (0 = "
        "chosen by alpha); at most 170 for perspective and cylinder"},
  {"zoom", MGPU_PARAM_DOUBLE, MEMBER (view.zoom), 0.01, 100, 1, NULL,
      "Factor on the focal length of output frames"},
  {"pan", MGPU_PARAM_DOUBLE, MEMBER (view.pan), -360, 360, 0, NULL,
      "Angle in degrees by which the view turns right"},
  {"tilt", MGPU_PARAM_DOUBLE, MEMBER (view.tilt), -360, 360, 0, NULL,
      "Angle in degrees by which the view turns up"},
  {"roll", MGPU_PARAM_DOUBLE, MEMBER (view.roll), -360, 360, 0, NULL,
      "Angle in degrees by which the view turns clockwise"},
  {"rectify", MGPU_PARAM_BOOLEAN, MEMBER (view.rectify), 0, 1, FALSE, NULL,
      "Whether the view is turned by the rectification matrix of the file, "
        "and has its projection matrix unless fov is set"},
  {"corners", MGPU_PARAM_STRING, MEMBER (corners), 0, 0, 0, NULL,
      "Positions x,y of the four corners of output frames, clockwise from the "
        "upper left one, in the frame as the other properties correct it: in "
        "pixels, or, with decimal points, in fractions of the frame"},
  {"fit", MGPU_PARAM_ENUM, MEMBER (camera.fit), 0, 0, GST_MGPU_REMAP_FIT_SCALE,
        &fit_enum,
      "How frames are treated whose size differs from that of the calibration"},
  {"edges", MGPU_PARAM_ENUM, MEMBER (edges), 0, 0, EDGES_BLACK, &edges_enum,
      "Content of the area beyond the edges of input frames"},
  {"color", MGPU_PARAM_UINT, MEMBER (colour), 0, G_MAXUINT, 0xff000000, NULL,
      "Color of the area beyond the edges with edges=color, and of pixels "
        "that the camera cannot see unless edges=black; opacity first "
        "(big-endian ARGB)"},
  {"interpolation", MGPU_PARAM_ENUM, MEMBER (interpolation), 0, 0,
        MGPU_INTERPOLATION_BILINEAR, &interpolation_enum,
      "How values between the pixels of a frame are interpolated"},
  {"samples", MGPU_PARAM_ENUM, MEMBER (samples), 0, 0, 1, &samples_enum,
      "Number of positions along each axis whose mean a pixel is, for views "
        "that shrink the content"},
  {NULL}
};

#define GST_TYPE_MGPU_REMAP (gst_mgpu_remap_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuRemap, gst_mgpu_remap, GST, MGPU_REMAP,
    GstMgpuFilter);

/* All members but @map, @width and @height belong to the streaming thread. */
struct _GstMgpuRemap
{
  GstMgpuFilter parent;

  MgpuObject *remap;
  Params *loaded;               /* parameters that name the file of @calibration and
                                 * @load_error; NULL: no file was read */
  MgpuCalibration *calibration; /* content of a calibration file, or NULL */
  MgpuPlaces *places;           /* content of a map, or NULL */
  GError *load_error;           /* why the file could not be read, or NULL */
  gboolean warned_beyond;       /* whether the warning about the limit of the calibration was
                                 * posted for this file */
  MgpuLensIndex *index;         /* inverse of @map; NULL until a meta needs it */
  guint serial;                 /* number of maps that were made */
  Params *made;                 /* parameters of @map, or of the last attempt to make one */
  gchar *warned;                /* text of the last warning since @map was made, or NULL */

  /* The streaming thread writes these under the object lock, and other threads read them under it. */
  MgpuLensMap *map;             /* NULL: there is none for frames of this size */
  gint width, height;           /* size of the input frames of @map */
};

#define gst_mgpu_remap_parent_class parent_class
G_DEFINE_TYPE (GstMgpuRemap, gst_mgpu_remap, GST_TYPE_MGPU_FILTER);

/* ---- The map ---------------------------------------------------------------------- */

static gboolean
is_same_file (const Params * a, const Params * b)
{
  return a->camera.n_set == b->camera.n_set
      && g_strcmp0 (a->camera.location, b->camera.location) == 0
      && g_strcmp0 (a->camera.camera, b->camera.camera) == 0;
}

static gboolean
is_same_map (const Params * a, const Params * b)
{
  return is_same_file (a, b) && a->camera.input == b->camera.input
      && a->camera.input_fov == b->camera.input_fov
      && a->camera.fit == b->camera.fit
      && g_strcmp0 (a->corners, b->corners) == 0
      && memcmp (&a->view, &b->view, sizeof (a->view)) == 0;
}

static void
forget_file (GstMgpuRemap * self)
{
  if (self->loaded != NULL)
    gst_mgpu_filter_free_params (GST_MGPU_FILTER (self), self->loaded);
  self->loaded = NULL;
  g_clear_pointer (&self->calibration, mgpu_calibration_free);
  g_clear_pointer (&self->places, mgpu_places_free);
  g_clear_error (&self->load_error);
}

/* Reads the file that @camera names. Returns: FALSE with @error set if it cannot be read */
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
    GST_MGPU_WARNING_OBJECT (self, "%s has no frame size: assumes the size of "
        "the frames", camera->location);
  GST_MGPU_DEBUG_OBJECT (self, "read camera \"%s\", calibrated for %dx%d, "
      "from %s", self->calibration->name, self->calibration->camera.width,
      self->calibration->camera.height, camera->location);
  return TRUE;
}

/* Reads the file that the parameters of the frame name, unless it has been read. Returns:
 * FALSE with @error set if it cannot be read */
static gboolean
load (GstMgpuRemap * self, const Params * params, GError ** error)
{
  GError *cause = NULL;

  if (self->loaded == NULL || !is_same_file (self->loaded, params)) {
    forget_file (self);
    self->loaded = gst_mgpu_filter_copy_frame_params (GST_MGPU_FILTER (self));
    self->warned_beyond = FALSE;
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

/* Sets the rotation of the view, which begins with that of the file. */
static gboolean
set_turn (GstMgpuRemap * self, const Params * params, MgpuViewChoice * choice,
    GError ** error)
{
  const MgpuCalibration *calibration = self->calibration;
  gdouble turn[9];

  mgpu_view_set_turn (choice->straight, 0, 0, 0);
  mgpu_view_set_turn (turn, params->view.pan, params->view.tilt,
      params->view.roll);
  memcpy (choice->turn, turn, sizeof (turn));
  if (!params->view.rectify)
    return TRUE;
  if (calibration == NULL || !calibration->has_turn) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "%s has no rectification of this camera: set \"rectify\" to false, or "
        "\"location\" to the calibration of a stereo camera",
        params->camera.location != NULL ? params->camera.location
        : "an ideal camera");
    return FALSE;
  }
  memcpy (choice->straight, calibration->turn, sizeof (choice->straight));
  for (guint i = 0; i < 9; i++)
    choice->turn[i] = turn[i / 3 * 3] * calibration->turn[i % 3]
        + turn[i / 3 * 3 + 1] * calibration->turn[3 + i % 3]
        + turn[i / 3 * 3 + 2] * calibration->turn[6 + i % 3];
  return TRUE;
}

/* Gives a perspective view the matrix of the rectified camera, if the file has one and "fov" is
 * not set. The camera of the file fits the frames. */
static void
use_projection (GstMgpuRemap * self, const Params * params, MgpuView * view)
{
  const GstVideoInfo *in = &GST_MGPU_FILTER (self)->input.info;
  const MgpuCalibration *calibration = self->calibration;
  const gint sides[2] = { view->width, view->height };
  MgpuCamera flat = { 0 };

  if (!params->view.rectify || !calibration->has_projection
      || params->view.fov > 0
      || view->projection != MGPU_PROJECTION_PERSPECTIVE)
    return;
  memcpy (flat.focal, calibration->projection, sizeof (flat.focal));
  memcpy (flat.centre, calibration->projection + 2, sizeof (flat.centre));
  flat.width = calibration->camera.width;
  flat.height = calibration->camera.height;
  gst_mgpu_remap_fit_camera (&params->camera, in->width, in->height, &flat,
      NULL);
  mgpu_camera_scale (&flat, view->width / (gdouble) in->width,
      view->height / (gdouble) in->height, view->width, view->height);
  for (guint i = 0; i < 2; i++) {
    gdouble middle = (sides[i] - 1) / 2.0;

    view->focal[i] = flat.focal[i] * params->view.zoom;
    view->centre[i] = middle + (flat.centre[i] - middle) * params->view.zoom;
  }
}

/* Makes the property "corners" the corners of output frames, if it is set. */
static gboolean
use_corners (GstMgpuRemap * self, const Params * params, MgpuView * view,
    GError ** error)
{
  const GstVideoInfo *in = &GST_MGPU_FILTER (self)->input.info;
  const GstVideoInfo *out = &GST_MGPU_FILTER (self)->output.info;
  GArray *numbers;
  gboolean ok;

  if (params->corners == NULL)
    return TRUE;
  numbers = gst_mgpu_shapes_read_numbers (params->corners, in->width,
      in->height);
  ok = numbers != NULL && numbers->len == 8 && mgpu_view_set_corners (view,
      &g_array_index (numbers, gdouble, 0), out->width, out->height);
  if (!ok)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"%s\" are not the corners of a convex quadrilateral: set \"corners\" "
        "to x,y of four points, clockwise from the upper left one, for example "
        "0.4,0.6,0.6,0.6,1,1,0,1", params->corners);
  g_clear_pointer (&numbers, g_array_unref);
  return ok;
}

/* Finds the camera of input frames. With "corners" alone it is any perspective one. */
static gboolean
find_camera (GstMgpuRemap * self, const Params * params,
    MgpuViewChoice * choice, MgpuCamera * camera, GError ** error)
{
  const GstVideoInfo *in = &GST_MGPU_FILTER (self)->input.info;
  GstMgpuRemapCamera said = params->camera;

  if (self->calibration == NULL && said.input == GST_MGPU_REMAP_INPUT_AUTO
      && params->corners != NULL) {
    said.input = GST_MGPU_REMAP_INPUT_PERSPECTIVE;
    said.input_fov = 90;
    choice->alpha = -1;
  }
  return gst_mgpu_remap_find_camera (&said, self->calibration, in->width,
      in->height, camera, error);
}

/* Warns once for each file if its camera model does not cover the view. */
static void
warn_beyond (GstMgpuRemap * self, const MgpuLensModel * model,
    const MgpuLensMap * map)
{
  if (self->calibration == NULL || !model->has_fold || map->beyond == 0
      || model->limit > MAX_LIMIT || self->warned_beyond)
    return;
  self->warned_beyond = TRUE;
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("%s: %.1f %% of the view has no picture, because the lens model of the "
          "calibration ends %.1f degrees from the optical axis: show less (a "
          "lower \"alpha\" or \"fov\", a higher \"zoom\"), or calibrate with "
          "fewer coefficients", GST_OBJECT_NAME (self), 100 * map->beyond,
          model->limit * 180 / G_PI), (NULL));
}

/* Replaces the map by @map, (transfer full) (nullable). */
static void
set_map (GstMgpuRemap * self, MgpuLensMap * map)
{
  const GstVideoInfo *in = &GST_MGPU_FILTER (self)->input.info;
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

/* Returns: (transfer full): the map of the view of a camera; NULL with @error set if there is none */
static MgpuLensMap *
map_view (GstMgpuRemap * self, const Params * params, GError ** error)
{
  const GstVideoInfo *size = params->corners != NULL
      ? &GST_MGPU_FILTER (self)->input.info
      : &GST_MGPU_FILTER (self)->output.info;
  MgpuViewChoice choice = { params->view.projection, params->view.alpha,
    params->view.fov, params->view.zoom
  };
  MgpuLensModel model;
  MgpuLensMap *map;
  MgpuCamera camera;
  MgpuView view;

  if (!find_camera (self, params, &choice, &camera, error)
      || !set_turn (self, params, &choice, error))
    return NULL;
  mgpu_lens_model_init (&model, &camera);
  mgpu_view_choose (&view, &model, &choice, size->width, size->height);
  use_projection (self, params, &view);
  if (!use_corners (self, params, &view, error))
    return NULL;
  GST_MGPU_DEBUG_OBJECT (self, "focal length %.1f x %.1f, center (%.1f, %.1f)",
      view.focal[0], view.focal[1], view.centre[0], view.centre[1]);
  map = mgpu_lens_map_new (&model, &view);
  warn_beyond (self, &model, map);
  return map;
}

/* Returns: (transfer full): the map of the file; NULL with @error set if it does not fit the frames */
static MgpuLensMap *
map_places (GstMgpuRemap * self, GError ** error)
{
  const GstVideoInfo *in = &GST_MGPU_FILTER (self)->input.info;
  const GstVideoInfo *out = &GST_MGPU_FILTER (self)->output.info;
  const MgpuPlaces *places = self->places;

  if (places->width == out->width && places->height == out->height)
    return mgpu_lens_map_new_from_places (places->places, places->width,
        places->height, in->width, in->height);
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "output frames of %dx%d do not fit the map of %dx%d: put a capsfilter with "
      "width=%d,height=%d behind this element", out->width, out->height,
      places->width, places->height, places->width, places->height);
  return NULL;
}

/* Makes the map for the parameters @params. Returns: FALSE with @error set if that is not
 * possible; the last map stays then */
static gboolean
make_map (GstMgpuRemap * self, const Params * params, GError ** error)
{
  MgpuLensMap *map;

  if (!load (self, params, error))
    return FALSE;
  map = self->places != NULL ? map_places (self, error)
      : map_view (self, params, error);
  if (map == NULL)
    return FALSE;
  if (map->seen == 0) {
    mgpu_lens_map_free (map);
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "no pixel of the input frame is in the view: correct \"pan\", "
        "\"tilt\", \"fov\", \"input-fov\", \"corners\" or the map");
    return FALSE;
  }
  set_map (self, map);
  self->serial++;
  GST_MGPU_DEBUG_OBJECT (self, "map %u has %dx%d nodes, %u exact cells and %s; "
      "%.0f %% of the view show picture", self->serial, map->columns, map->rows,
      map->n_exact, map->margins > 0 ? "margins" : "no margins",
      100 * map->seen);
  return TRUE;
}

static void
forget_map (GstMgpuRemap * self)
{
  if (self->made != NULL)
    gst_mgpu_filter_free_params (GST_MGPU_FILTER (self), self->made);
  self->made = NULL;
  set_map (self, NULL);
  g_clear_pointer (&self->warned, g_free);
}

/* Posts @cause, (transfer full), as a warning, unless the last warning said the same. */
static void
warn (GstMgpuRemap * self, GError * cause)
{
  gchar *text = gst_mgpu_error_make_text (GST_ELEMENT (self), cause);

  if (g_strcmp0 (text, self->warned) != 0)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", text),
        ("The view stays as it was."));
  g_free (self->warned);
  self->warned = text;
  g_error_free (cause);
}

/* Makes the map if parameters have changed. A failure ends the stream if there is no earlier map
 * for frames of this size. Returns: FALSE: each frame is made anew */
static gboolean
gst_mgpu_remap_passes (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (filter);
  const Params *params = filter->frame.params;
  GError *cause = NULL;

  if (self->made != NULL && is_same_map (self->made, params))
    return FALSE;
  if (make_map (self, params, &cause)) {
    g_clear_pointer (&self->warned, g_free);
  } else if (self->map == NULL) {
    g_propagate_error (error, cause);
    return FALSE;
  } else {
    warn (self, cause);
  }
  if (self->made != NULL)
    gst_mgpu_filter_free_params (filter, self->made);
  self->made = gst_mgpu_filter_copy_frame_params (filter);
  return FALSE;
}

/* Sets @colour to the color of the property, as the components of a pixel. */
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
  const Params *params = work->params;
  gint colour[GST_VIDEO_MAX_COMPONENTS];
  const MgpuRemapParams now = { self->map, self->serial, edges[params->edges],
    params->interpolation, params->samples,
    params->edges == EDGES_BLACK ? NULL : colour
  };
  const MgpuWork remapped = { &now, work->in, NULL, work->out };

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

  if (self->index == NULL)
    self->index = mgpu_lens_index_new (self->map, info->width, info->height);
  motion.index = self->index;
  return gst_mgpu_convert_meta_by_map (GST_ELEMENT (trans), &map, info, out,
      meta);
}

/* Moves the position of a navigation event from the output frame to the input frame. */
static GstEvent *
move_event (GstMgpuRemap * self, GstEvent * event)
{
  gdouble x, y, place[2] = { 0, 0 };
  gboolean has_map;
  gint width, height;

  if (!gst_navigation_event_get_coordinates (event, &x, &y))
    return event;
  GST_OBJECT_LOCK (self);
  has_map = self->map != NULL;
  width = self->width;
  height = self->height;
  if (has_map)
    mgpu_lens_map_find (self->map, x - 0.5, y - 0.5, place);
  GST_OBJECT_UNLOCK (self);
  if (has_map) {
    const gdouble shift[9] = { 1, 0, place[0] + 0.5 - x, 0, 1,
      place[1] + 0.5 - y, 0, 0, 1
    };

    event = gst_mgpu_navigation_move (GST_ELEMENT (self), event, shift, width,
        height);
  }
  return event;
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

  for (guint i = 0; i < gst_caps_get_size (others); i++) {
    GstStructure *s = gst_caps_get_structure (others, i);

    gst_structure_set (s, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT, "height",
        GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
    gst_structure_remove_field (s, "pixel-aspect-ratio");
  }
  return gst_mgpu_caps_intersect (filter, others);
}

/* Takes the size of the input frame if the caps allow it, but half the width as the height of
 * an equirectangular frame. Colors stay what they are, and pixels are square where the size
 * changes. */
static GstCaps *
gst_mgpu_remap_fixate_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * others)
{
  Params *now = gst_mgpu_filter_copy_params (GST_MGPU_FILTER (trans));
  GstStructure *s;
  GstVideoInfo info;
  gint width = 0, height = 0;

  others = gst_caps_make_writable (gst_caps_truncate (others));
  s = gst_caps_get_structure (others, 0);
  if (direction == GST_PAD_SINK && gst_video_info_from_caps (&info, caps)) {
    gst_structure_fixate_field_nearest_int (s, "width", info.width);
    gst_structure_get_int (s, "width", &width);
    gst_structure_fixate_field_nearest_int (s, "height",
        now->view.projection == MGPU_PROJECTION_EQUIRECT
        ? (width + 1) / 2 : info.height);
    gst_structure_get_int (s, "height", &height);
    gst_structure_fixate_field (s, "format");
    gst_mgpu_caps_name_colorimetry (s, &info);
    gst_mgpu_caps_name_chroma_site (s, &info);
    if (width != info.width || height != info.height)
      info.par_n = info.par_d = 1;
    if (gst_structure_has_field (s, "pixel-aspect-ratio"))
      gst_structure_fixate_field_nearest_fraction (s, "pixel-aspect-ratio",
          info.par_n, info.par_d);
    else if (info.par_n != info.par_d)
      gst_structure_set (s, "pixel-aspect-ratio", GST_TYPE_FRACTION,
          info.par_n, info.par_d, NULL);
  }
  gst_mgpu_filter_free_params (GST_MGPU_FILTER (trans), now);
  return gst_mgpu_caps_fixate (others);
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
  self->remap = mgpu_object_new (&mgpu_remap, context, info, NULL,
      &filter->output.info, NULL, error);
  return self->remap != NULL;
}

static void
gst_mgpu_remap_unprepare (GstMgpuFilter * filter)
{
  GstMgpuRemap *self = GST_MGPU_REMAP (filter);

  g_clear_pointer (&self->remap, mgpu_object_free);
  forget_map (self);
}

static gboolean
gst_mgpu_remap_stop (GstBaseTransform * trans)
{
  gboolean ret = GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);

  forget_map (GST_MGPU_REMAP (trans));
  forget_file (GST_MGPU_REMAP (trans));
  return ret;
}

static void
gst_mgpu_remap_changed (GstMgpuFilter * filter, guint i)
{
  if (params[i].offset == MEMBER (camera.location)) {
    GST_OBJECT_LOCK (filter);
    ((Params *) filter->params)->camera.n_set++;
    GST_OBJECT_UNLOCK (filter);
  } else if (params[i].offset == MEMBER (view.projection))
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (filter));
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

  trans_class->stop = gst_mgpu_remap_stop;
  trans_class->transform_caps = gst_mgpu_remap_transform_caps;
  trans_class->fixate_caps = gst_mgpu_remap_fixate_caps;
  trans_class->src_event = gst_mgpu_remap_src_event;
  trans_class->transform_meta = gst_mgpu_remap_transform_meta;
  filter_class->prepare = gst_mgpu_remap_prepare;
  filter_class->unprepare = gst_mgpu_remap_unprepare;
  filter_class->passes = gst_mgpu_remap_passes;
  filter_class->enqueue = gst_mgpu_remap_enqueue;
  filter_class->changed = gst_mgpu_remap_changed;
  filter_class->is_needed = TRUE;
  gst_mgpu_filter_class_set_params (filter_class, params, sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL lens correction and reprojection", "Filter/Effect/Video",
      "Corrects lens distortion and shows frames in another projection, on an "
      "OpenCL device", "The gst-mgpu authors");
}
