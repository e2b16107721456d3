/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes the properties of mgpuremap. */
#include "gstmgpuremapparams.h"

#include <gst/vision/warp/remap.h>

#define MEMBER(name) G_STRUCT_OFFSET (GstMgpuRemapParams, name)

static const MgpuEnumValue inputs[] = {
  {GST_MGPU_REMAP_INPUT_AUTO,
        "Projection in the GstMgpuCameraMeta of frames, unless location, "
        "corners or matrix is set",
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
  {GST_MGPU_REMAP_PROJECTION_SAME,
      "Projection of the input frames, which pass unchanged with a "
        "GstMgpuCameraMeta", "same"},
  {0}
};

static const MgpuEnumValue fits[] = {
  {GST_MGPU_REMAP_FIT_SCALE, "The calibration is scaled to the frame size; the "
        "aspect ratio may differ by 0.5 %", "scale"},
  {GST_MGPU_REMAP_FIT_CROP,
        "The frame is taken as the center of a frame with the size of the "
        "calibration",
      "crop"},
  {GST_MGPU_REMAP_FIT_REFUSE, "The stream ends with an error", "refuse"},
  {0}
};

static const MgpuEnumValue edge_values[] = {
  {GST_MGPU_REMAP_EDGES_BLACK, "Black", "black"},
  {GST_MGPU_REMAP_EDGES_COLOR, "The color that is set by the property color",
      "color"},
  {GST_MGPU_REMAP_EDGES_REPEAT, "The nearest pixel of the frame", "repeat"},
  {GST_MGPU_REMAP_EDGES_MIRROR, "The frame, mirrored", "mirror"},
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

const MgpuParam gst_mgpu_remap_params[] = {
  {"location", MGPU_PARAM_STRING, MEMBER (camera.location), 0, 0, 0, NULL,
      "Calibration file of OpenCV, ROS or Kalibr, or a map (a PFM file, or two "
        "files separated by a colon); setting the property reads the file again"},
  {"camera", MGPU_PARAM_STRING, MEMBER (camera.camera), 0, 0, 0, NULL,
      "Name or number of the camera in a calibration file with several "
        "cameras, such as cam1, M2 or left (unset = the first camera)"},
  {"input", MGPU_PARAM_ENUM, MEMBER (camera.input), 0, 0,
        GST_MGPU_REMAP_INPUT_AUTO, &input_enum,
      "Projection of input frames if \"location\" is unset"},
  {"input-fov", MGPU_PARAM_DOUBLE, MEMBER (camera.input_fov), 1, 360, 180, NULL,
      "Field of view of input frames, in degrees: across the shorter side for "
        "fisheye, across the width for perspective (below 180)"},
  {"projection", MGPU_PARAM_ENUM, MEMBER (view.projection), 0, 0,
        MGPU_PROJECTION_PERSPECTIVE, &projection_enum,
      "Projection of output frames"},
  {"alpha", MGPU_PARAM_DOUBLE, MEMBER (view.alpha), -1, 1, 0, NULL,
      "Which part of the input frame is shown: 0 = the largest view without "
        "areas beyond the edges of the frame, 1 = all pixels of the frame, "
        "values between 0 and 1 = a view between these two; below 0 = a view "
        "with the focal length and center of the input"},
  {"fov", MGPU_PARAM_DOUBLE, MEMBER (view.fov), 0, 360, 0, NULL,
      "Field of view of output frames across their width, in degrees (0 = "
        "determined by \"alpha\"); at most 170 for perspective and cylinder"},
  {"zoom", MGPU_PARAM_DOUBLE, MEMBER (view.zoom), 0.01, 100, 1, NULL,
      "Factor by which the focal length of output frames is multiplied"},
  {"pan", MGPU_PARAM_DOUBLE, MEMBER (view.pan), -360, 360, 0, NULL,
      "Angle, in degrees, by which the view is turned to the right"},
  {"tilt", MGPU_PARAM_DOUBLE, MEMBER (view.tilt), -360, 360, 0, NULL,
      "Angle, in degrees, by which the view is turned upwards"},
  {"roll", MGPU_PARAM_DOUBLE, MEMBER (view.roll), -360, 360, 0, NULL,
      "Angle, in degrees, by which the view is rotated clockwise"},
  {"rectify", MGPU_PARAM_BOOLEAN, MEMBER (view.rectify), 0, 1, FALSE, NULL,
      "Whether to rotate the view by the rectification matrix in the "
        "calibration file, and to use the projection matrix in the file unless "
        "\"fov\" is set"},
  {"corners", MGPU_PARAM_STRING, MEMBER (corners), 0, 0, 0, NULL,
      "Positions x,y of the four corners of output frames, clockwise from the "
        "upper left one, in the frame that the other properties have "
        "corrected: in "
        "pixels, or, with decimal points, in fractions of the frame"},
  {"matrix", MGPU_PARAM_STRING, MEMBER (matrix), 0, 0, 0, NULL,
      "Homography from positions in the frame that the other properties have "
        "corrected to positions in output frames: 9 numbers, row by row, in "
        "pixels from the upper left corner"},
  {"fit", MGPU_PARAM_ENUM, MEMBER (camera.fit), 0, 0, GST_MGPU_REMAP_FIT_SCALE,
        &fit_enum,
      "How frames are handled if their size differs from the size in the "
        "calibration file"},
  {"edges", MGPU_PARAM_ENUM, MEMBER (edges), 0, 0, GST_MGPU_REMAP_EDGES_BLACK,
        &edges_enum,
      "Content of the area beyond the edges of input frames"},
  {"color", MGPU_PARAM_UINT, MEMBER (colour), 0, G_MAXUINT, 0xff000000, NULL,
      "Color of pixels that the camera cannot see (except with edges=black) "
        "and, with edges=color, of the area beyond the edges of input frames; "
        "opacity first (big-endian ARGB)"},
  {"interpolation", MGPU_PARAM_ENUM, MEMBER (interpolation), 0, 0,
        MGPU_INTERPOLATION_BILINEAR, &interpolation_enum,
      "Method that interpolates between the pixels of input frames"},
  {"samples", MGPU_PARAM_ENUM, MEMBER (samples), 0, 0, 1, &samples_enum,
      "Number of positions along each axis that are averaged for an output "
        "pixel; above 1 for views that shrink the content"},
  {NULL}
};

gboolean
gst_mgpu_remap_params_same_file (const GstMgpuRemapParams * a,
    const GstMgpuRemapParams * b)
{
  return a->camera.n_set == b->camera.n_set
      && g_strcmp0 (a->camera.location, b->camera.location) == 0
      && g_strcmp0 (a->camera.camera, b->camera.camera) == 0;
}

gboolean
gst_mgpu_remap_params_same_map (const GstMgpuRemapParams * a,
    const GstMgpuRemapParams * b)
{
  return gst_mgpu_remap_params_same_file (a, b)
      && a->camera.input == b->camera.input
      && a->camera.input_fov == b->camera.input_fov
      && a->camera.fit == b->camera.fit
      && g_strcmp0 (a->corners, b->corners) == 0
      && g_strcmp0 (a->matrix, b->matrix) == 0
      && memcmp (&a->view, &b->view, sizeof (a->view)) == 0;
}
