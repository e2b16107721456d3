/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the numbers of a camera from each kind of calibration file, by their names there. */
#include "calibration-private.h"

#include <string.h>

/* Largest number of columns and rows of a frame */
#define MAX_SIDE 65536

/* ---- OpenCV -------------------------------------------------------------------- */

/* Names of the distortion coefficients in files of OpenCV */
static const gchar *const coefficients[] = {
  "distortion_coefficients", "distCoeffs", "Distortion_Coefficients",
  "dist_coeffs", "D", NULL
};

/* Names of lens models in the value "model" */
static const struct
{
  const gchar *name;
  MgpuLens lens;
} models[] = {
  {"perspective", MGPU_LENS_BROWN},
  {"pinhole", MGPU_LENS_BROWN},
  {"plumb_bob", MGPU_LENS_BROWN},
  {"rational_polynomial", MGPU_LENS_BROWN},
  {"fisheye", MGPU_LENS_FISHEYE},
  {"equidistant", MGPU_LENS_FISHEYE},
  {"omni", MGPU_LENS_OMNI}
};

/* Returns: the lens whose name is the value @tree; -1 with the error set */
static gint
find_model (const MgpuDpmFile * file, const MgpuTree * tree)
{
  g_autofree gchar *name = g_strstrip (g_strdup (tree->text->str));

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    if (strcmp (models[i].name, name) == 0)
      return models[i].lens;
  mgpu_dpm_file_fail (file, "%s is \"%.40s\", which is not supported",
      tree->name, name);
  return -1;
}

/* Finds the value whose key is @name followed by @suffix; if there is none, the value with the key
 * @name. */
static const MgpuTree *
find_named (const MgpuTree * where, const gchar * name, const gchar * suffix)
{
  g_autofree gchar *whole = g_strconcat (name, suffix, NULL);
  const MgpuTree *tree = mgpu_tree_find (where, whole);

  return tree != NULL ? tree : mgpu_tree_find (where, name);
}

static gboolean
read_opencv_lens (const MgpuDpmFile * file, const MgpuTree * where,
    const gchar * suffix, MgpuCamera * camera)
{
  const MgpuTree *model = find_named (where, "model", suffix);
  const MgpuTree *xi = find_named (where, "xi", suffix);
  gint is_fisheye = 0, lens = MGPU_LENS_BROWN;

  if (!mgpu_calibration_read_int (file, where, "fisheye_model", 0, 1,
          &is_fisheye))
    return FALSE;
  if (model != NULL && (lens = find_model (file, model)) < 0)
    return FALSE;
  camera->lens = is_fisheye ? MGPU_LENS_FISHEYE : lens;
  if (xi == NULL)
    return camera->lens != MGPU_LENS_OMNI
        || mgpu_dpm_file_fail (file, "xi is missing");
  camera->lens = MGPU_LENS_OMNI;
  return mgpu_calibration_read_numbers (file, xi, 1, 1, &camera->xi) > 0;
}

static gboolean
read_opencv_size (const MgpuDpmFile * file, const MgpuTree * where,
    MgpuCamera * camera)
{
  static const gchar *const pairs[] = {
    "image_size", "imageSize", "calibration_size", NULL
  };
  gdouble sides[2];

  if (!mgpu_calibration_read_int (file, where, "image_Width", 1, MAX_SIDE,
          &camera->width)
      || !mgpu_calibration_read_int (file, where, "image_Height", 1, MAX_SIDE,
          &camera->height)
      || !mgpu_calibration_read_int (file, where, "image_width", 1, MAX_SIDE,
          &camera->width)
      || !mgpu_calibration_read_int (file, where, "image_height", 1, MAX_SIDE,
          &camera->height))
    return FALSE;
  for (guint i = 0; pairs[i] != NULL; i++) {
    const MgpuTree *tree = mgpu_tree_find (where, pairs[i]);

    if (tree != NULL)
      return mgpu_calibration_read_numbers (file, tree, 2, 2, sides) > 0
          && mgpu_dpm_file_get_int (file, pairs[i], sides[0], 1, MAX_SIDE,
          &camera->width)
          && mgpu_dpm_file_get_int (file, pairs[i], sides[1], 1, MAX_SIDE,
          &camera->height);
  }
  return TRUE;
}

gboolean
mgpu_calibration_read_opencv (const MgpuDpmFile * file, const MgpuTree * where,
    const gchar * matrix, const gchar * suffix, MgpuCalibration * calibration)
{
  MgpuCamera *camera = &calibration->camera;
  const MgpuTree *tree = NULL, *turn = NULL, *projection = NULL;
  guint n;

  if (!read_opencv_lens (file, where, suffix, camera)
      || !read_opencv_size (file, where, camera)
      || !mgpu_calibration_read_matrix (file, find_named (where, matrix,
              suffix), camera))
    return FALSE;
  for (guint i = 0; tree == NULL && coefficients[i] != NULL; i++) {
    g_autofree gchar *name = g_strconcat (coefficients[i], suffix, NULL);

    tree = mgpu_tree_find (where, name);
  }
  if (tree == NULL)
    return mgpu_dpm_file_fail (file, "%s has no distortion_coefficients, "
        "distCoeffs or D%s", calibration->name, suffix);
  n = mgpu_calibration_read_numbers (file, tree, 1, MGPU_CAMERA_COEFFICIENTS,
      camera->k);
  if (n == 0
      || !mgpu_calibration_check_count (file, tree->name, camera->lens, n))
    return FALSE;
  /* Ignores a matrix R without a number in its name, because it is the rotation between two
   * cameras. */
  if (*suffix != '\0') {
    turn = find_named (where, "R", suffix);
    projection = find_named (where, "P", suffix);
  }
  return mgpu_calibration_read_turn (file, turn, projection, calibration);
}

/* ---- ROS ------------------------------------------------------------------------ */

/* Crops the camera to the region of interest, and reduces it by the binning. */
static gboolean
apply_binning (const MgpuDpmFile * file, const MgpuTree * where,
    MgpuCalibration * calibration)
{
  MgpuCamera *camera = &calibration->camera;
  const MgpuTree *roi = mgpu_tree_find (where, "roi");
  gint at[2] = { 0, 0 }, size[2] = { 0, 0 }, bins[2] = { 1, 1 };
  gint *sides[2] = { &camera->width, &camera->height };

  if (!mgpu_calibration_read_int (file, where, "binning_x", 0, 64, &bins[0])
      || !mgpu_calibration_read_int (file, where, "binning_y", 0, 64, &bins[1])
      || (roi != NULL
          && (!mgpu_calibration_read_int (file, roi, "x_offset", 0, MAX_SIDE,
                  &at[0])
              || !mgpu_calibration_read_int (file, roi, "y_offset", 0,
                  MAX_SIDE, &at[1])
              || !mgpu_calibration_read_int (file, roi, "width", 0, MAX_SIDE,
                  &size[0])
              || !mgpu_calibration_read_int (file, roi, "height", 0, MAX_SIDE,
                  &size[1]))))
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    gint bin = MAX (bins[i], 1), side = size[i] > 0 ? size[i] : *sides[i];
    gdouble *centres[2] =
        { &camera->centre[i], &calibration->projection[2 + i] };

    if (*sides[i] > 0 && (at[i] + side > *sides[i] || side < bin))
      return mgpu_dpm_file_fail (file, "roi and binning do not fit a frame of "
          "%dx%d", *sides[0], *sides[1]);
    for (guint k = 0; k < 2; k++)
      *centres[k] = (*centres[k] - at[i] + 0.5) / bin - 0.5;
    camera->focal[i] /= bin;
    calibration->projection[i] /= bin;
    *sides[i] = side / bin;
  }
  return TRUE;
}

/* Finds a value by its name in calibration files of ROS, or else by its name in messages
 * camera_info, which is @letter in ROS 1, and @letter in lower case in ROS 2. */
static const MgpuTree *
find_ros (const MgpuTree * where, const gchar * name, gchar letter)
{
  const gchar of_1[2] = { letter, '\0' };
  const gchar of_2[2] = { g_ascii_tolower (letter), '\0' };
  const MgpuTree *tree = mgpu_tree_find (where, name);

  if (tree == NULL)
    tree = mgpu_tree_find (where, of_1);
  return tree != NULL ? tree : mgpu_tree_find (where, of_2);
}

gboolean
mgpu_calibration_read_ros (const MgpuDpmFile * file, const MgpuTree * where,
    MgpuCalibration * calibration)
{
  MgpuCamera *camera = &calibration->camera;
  const MgpuTree *matrix = find_ros (where, "camera_matrix", 'K');
  const MgpuTree *k = find_ros (where, "distortion_coefficients", 'D');
  gint lens = find_model (file, mgpu_tree_find (where, "distortion_model"));
  guint n;

  if (lens < 0)
    return FALSE;
  if (matrix == NULL || k == NULL)
    return mgpu_dpm_file_fail (file, "%s is missing", matrix == NULL
        ? "camera_matrix" : "distortion_coefficients");
  camera->lens = lens;
  if (!mgpu_calibration_read_int (file, where, "width", 1, MAX_SIDE,
          &camera->width)
      || !mgpu_calibration_read_int (file, where, "height", 1, MAX_SIDE,
          &camera->height)
      || !read_opencv_size (file, where, camera)
      || !mgpu_calibration_read_matrix (file, matrix, camera))
    return FALSE;
  n = mgpu_calibration_read_numbers (file, k, 1, MGPU_CAMERA_COEFFICIENTS,
      camera->k);
  return n > 0 && mgpu_calibration_check_count (file, k->name, camera->lens, n)
      && mgpu_calibration_read_turn (file, find_ros (where,
          "rectification_matrix", 'R'), find_ros (where, "projection_matrix",
          'P'), calibration) && apply_binning (file, where, calibration);
}

/* ---- Kalibr --------------------------------------------------------------------- */

/* Camera models and distortion models of Kalibr that fit each other */
static const struct
{
  const gchar *model, *distortion;
  MgpuLens lens;
  guint first;                  /* number of intrinsics before the focal lengths */
  guint n;                      /* number of coefficients of the distortion */
} kalibr[] = {
  {"pinhole", "radtan", MGPU_LENS_BROWN, 0, 4},
  {"pinhole", "equidistant", MGPU_LENS_FISHEYE, 0, 4},
  {"pinhole", "equi", MGPU_LENS_FISHEYE, 0, 4},
  {"pinhole", "fov", MGPU_LENS_FOV, 0, 1},
  {"pinhole", "none", MGPU_LENS_BROWN, 0, 0},
  {"omni", "radtan", MGPU_LENS_OMNI, 1, 4},
  {"omni", "none", MGPU_LENS_OMNI, 1, 0},
  {"ds", "none", MGPU_LENS_DOUBLE_SPHERE, 2, 0},
  {"eucm", "none", MGPU_LENS_DOUBLE_SPHERE, 2, 0}
};

/* Returns: the text of the value with the key @name; NULL with the error set */
static const gchar *
get_text (const MgpuDpmFile * file, const MgpuTree * where, const gchar * name)
{
  const MgpuTree *tree = mgpu_tree_find (where, name);

  if (tree == NULL)
    mgpu_dpm_file_fail (file, "%s: %s is missing", where->name, name);
  return tree != NULL ? tree->text->str : NULL;
}

/* Sets the parameters that precede the focal lengths in the intrinsics. */
static gboolean
set_sphere (const MgpuDpmFile * file, const gchar * model,
    const gdouble * numbers, MgpuCamera * camera)
{
  if (strcmp (model, "omni") == 0)
    camera->xi = numbers[0];
  if (strcmp (model, "ds") == 0) {
    camera->xi = numbers[0];
    camera->alpha = numbers[1];
  } else if (strcmp (model, "eucm") == 0) {
    camera->alpha = numbers[0];
    camera->beta = numbers[1];
  }
  return (camera->alpha >= 0 && camera->alpha <= 1 && camera->beta > 0)
      || mgpu_dpm_file_fail (file, "intrinsics: alpha is %g and beta is %g, "
      "but alpha has to be from 0 to 1, and beta above 0", camera->alpha,
      camera->beta);
}

gboolean
mgpu_calibration_read_kalibr (const MgpuDpmFile * file, const MgpuTree * where,
    MgpuCalibration * calibration)
{
  MgpuCamera *camera = &calibration->camera;
  const gchar *model = get_text (file, where, "camera_model");
  const gchar *distortion = model == NULL ? NULL
      : get_text (file, where, "distortion_model");
  const MgpuTree *k = mgpu_tree_find (where, "distortion_coeffs");
  const MgpuTree *intrinsics = mgpu_tree_find (where, "intrinsics");
  const MgpuTree *size = mgpu_tree_find (where, "resolution");
  gdouble numbers[6], sides[2];
  guint i = 0, first;

  if (distortion == NULL)
    return FALSE;
  while (i < G_N_ELEMENTS (kalibr) && (strcmp (kalibr[i].model, model) != 0
          || strcmp (kalibr[i].distortion, distortion) != 0))
    i++;
  if (i == G_N_ELEMENTS (kalibr))
    return mgpu_dpm_file_fail (file, "%s: camera_model \"%.40s\" with "
        "distortion_model \"%.40s\" is not supported", where->name, model,
        distortion);
  first = kalibr[i].first;
  camera->lens = kalibr[i].lens;
  if (intrinsics == NULL || (k == NULL && kalibr[i].n > 0))
    return mgpu_dpm_file_fail (file, "%s: %s is missing", where->name,
        intrinsics == NULL ? "intrinsics" : "distortion_coeffs");
  if (mgpu_calibration_read_numbers (file, intrinsics, first + 4, first + 4,
          numbers) == 0 || !set_sphere (file, model, numbers, camera)
      || (kalibr[i].n > 0 && mgpu_calibration_read_numbers (file, k,
              kalibr[i].n, kalibr[i].n, camera->k) == 0))
    return FALSE;
  memcpy (camera->focal, numbers + first, sizeof (camera->focal));
  memcpy (camera->centre, numbers + first + 2, sizeof (camera->centre));
  if (camera->lens == MGPU_LENS_FOV && !(camera->k[0] > 0
          && camera->k[0] < 3.14))
    return mgpu_dpm_file_fail (file, "distortion_coeffs: the angle is %g, but "
        "it has to be above 0 and below 3.14", camera->k[0]);
  return size == NULL
      || (mgpu_calibration_read_numbers (file, size, 2, 2, sides) > 0
      && mgpu_dpm_file_get_int (file, "resolution", sides[0], 1, MAX_SIDE,
          &camera->width)
      && mgpu_dpm_file_get_int (file, "resolution", sides[1], 1, MAX_SIDE,
          &camera->height));
}
