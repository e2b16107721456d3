/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpufit
 * @title: GstMgpuFit
 * @short_description: a geometric transform between the points of two images
 */
#include "gstmgpufit-private.h"
#include <gst/mgpu/gstmgpuenum-private.h>

static const GEnumValue models[] = {
  {GST_MGPU_FIT_MODEL_TRANSLATION, "Translation", "translation"},
  {GST_MGPU_FIT_MODEL_RIGID, "Rotation and translation", "rigid"},
  {GST_MGPU_FIT_MODEL_SIMILARITY, "Rotation, uniform scale and translation",
      "similarity"},
  {GST_MGPU_FIT_MODEL_AFFINE, "Affine", "affine"},
  {GST_MGPU_FIT_MODEL_HOMOGRAPHY, "Homography", "homography"},
  {0, NULL, NULL}
};

/**
 * gst_mgpu_fit_model_get_type:
 *
 * Registers #GstMgpuFitModel on the first call.
 *
 * Returns: the type that #GST_TYPE_MGPU_FIT_MODEL stands for
 *
 * Since: 1.0
 */
GST_MGPU_DEFINE_ENUM (GstMgpuFitModel, gst_mgpu_fit_model, models);

/**
 * gst_mgpu_fit_options_new:
 *
 * Makes options with the defaults.
 *
 * Returns: (transfer full): the options; free them with gst_mgpu_fit_options_free()
 *
 * Since: 1.0
 */
GstMgpuFitOptions *
gst_mgpu_fit_options_new (void)
{
  GstMgpuFitOptions *options = g_new0 (GstMgpuFitOptions, 1);

  options->threshold = 3;
  options->max_draws = 2048;
  return options;
}

/**
 * gst_mgpu_fit_options_copy:
 * @options: options
 *
 * Copies options.
 *
 * Returns: (transfer full): the copy
 *
 * Since: 1.0
 */
GstMgpuFitOptions *
gst_mgpu_fit_options_copy (const GstMgpuFitOptions * options)
{
  return g_memdup2 (options, sizeof (*options));
}

/**
 * gst_mgpu_fit_options_free:
 * @options: (transfer full): options
 *
 * Frees options.
 *
 * Since: 1.0
 */
void
gst_mgpu_fit_options_free (GstMgpuFitOptions * options)
{
  g_free (options);
}

G_DEFINE_BOXED_TYPE (GstMgpuFitOptions, gst_mgpu_fit_options,
    gst_mgpu_fit_options_copy, gst_mgpu_fit_options_free);

/**
 * gst_mgpu_fit_ref:
 * @fit: a #GstMgpuFit
 *
 * Takes a reference. A #GstMgpuFit is immutable.
 *
 * Returns: (transfer full): @fit
 *
 * Since: 1.0
 */
GstMgpuFit *
gst_mgpu_fit_ref (GstMgpuFit * fit)
{
  g_atomic_ref_count_inc (&fit->n_refs);
  return fit;
}

/**
 * gst_mgpu_fit_unref:
 * @fit: (transfer full): a #GstMgpuFit
 *
 * Drops a reference; the last one frees the fit.
 *
 * Since: 1.0
 */
void
gst_mgpu_fit_unref (GstMgpuFit * fit)
{
  if (!g_atomic_ref_count_dec (&fit->n_refs))
    return;
  g_bytes_unref (fit->inliers);
  g_free (fit);
}

G_DEFINE_BOXED_TYPE (GstMgpuFit, gst_mgpu_fit, gst_mgpu_fit_ref,
    gst_mgpu_fit_unref);

/**
 * gst_mgpu_fit_is_found:
 * @fit: a #GstMgpuFit
 *
 * Tells whether a model was found. A model may also be found by chance: up to 7 random
 * pairs may agree with a homography. Therefore trust a model only if
 * gst_mgpu_fit_get_n_inliers() returns 12 or more.
 *
 * Returns: %FALSE when there were too few pairs, or when all random samples were
 *   degenerate, for example because all points are on a line
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_fit_is_found (GstMgpuFit * fit)
{
  return fit->is_found;
}

/**
 * gst_mgpu_fit_get_matrix:
 * @fit: a #GstMgpuFit
 *
 * Gets the model: the point (x, y) is mapped to (X / w, Y / w), where (X, Y, w) is the
 * matrix times (x, y, 1). The last number is 1, unless the point (0, 0) is mapped to
 * infinity or behind the camera. All numbers are 0 when no model was found.
 *
 * Returns: (transfer none) (array fixed-size=9): three rows of three numbers, which live
 *   as long as @fit
 *
 * Since: 1.0
 */
const gdouble *
gst_mgpu_fit_get_matrix (GstMgpuFit * fit)
{
  return fit->matrix;
}

/**
 * gst_mgpu_fit_get_n_inliers:
 * @fit: a #GstMgpuFit
 *
 * Counts the pairs that agree with the model.
 *
 * Returns: the number of pairs for which the distance between the mapped first point and
 *   the second point is less than the threshold
 *
 * Since: 1.0
 */
guint
gst_mgpu_fit_get_n_inliers (GstMgpuFit * fit)
{
  return fit->n_inliers;
}

/**
 * gst_mgpu_fit_get_inliers:
 * @fit: a #GstMgpuFit
 *
 * Tells which pairs agree with the model.
 *
 * Returns: (transfer full): one byte for each pair, in the order in which the pairs were
 *   given: 1 if the pair agrees, otherwise 0
 *
 * Since: 1.0
 */
GBytes *
gst_mgpu_fit_get_inliers (GstMgpuFit * fit)
{
  return g_bytes_ref (fit->inliers);
}

/**
 * gst_mgpu_fit_get_rms:
 * @fit: a #GstMgpuFit
 *
 * Gets the root mean square error of the inliers, the pairs that agree with the model.
 *
 * Returns: the root mean square of the distance, in pixels, between the mapped first point
 *   and the second point of an inlier; 0 without inliers
 *
 * Since: 1.0
 */
gdouble
gst_mgpu_fit_get_rms (GstMgpuFit * fit)
{
  return fit->rms;
}

/* Maps the point (x, y) by a homography. Returns: FALSE if the mapped point is at infinity or
 * behind the camera, that is, if the divisor is not positive */
static gboolean
project (const gdouble * m, gdouble x, gdouble y,
    gdouble * to_x, gdouble * to_y)
{
  gdouble w = m[6] * x + m[7] * y + m[8];

  *to_x = *to_y = 0;
  if (!(w > 1e-9))
    return FALSE;
  *to_x = (m[0] * x + m[1] * y + m[2]) / w;
  *to_y = (m[3] * x + m[4] * y + m[5]) / w;
  return TRUE;
}

/* Maps the four corners of an image of @width x @height pixels by a homography. Writes 8 numbers
 * to @corners: x and y of each mapped corner, clockwise from the upper left corner of the image.
 * Returns: FALSE if a mapped corner is at infinity or behind the camera, or if the mapped outline
 * is not convex */
static gboolean
project_corners (const gdouble * matrix, guint width,
    guint height, gdouble * corners)
{
  /* Extends the image by half a pixel on each side: in the coordinates of keypoints, whole numbers
   * are the centers of pixels, so the corners of the image are half a pixel outside the outermost
   * centers. */
  gdouble x[2] = { -0.5, width - 0.5 }, y[2] = { -0.5, height - 0.5 };
  gboolean ok = TRUE;

  for (guint i = 0; i < 4; i++)
    ok = project (matrix, x[i == 1 || i == 2], y[i >= 2],
        &corners[2 * i], &corners[2 * i + 1]) && ok;
  for (guint i = 0; i < 4; i++) {
    const gdouble *a = corners + 2 * i, *b = corners + 2 * ((i + 1) % 4);
    const gdouble *c = corners + 2 * ((i + 2) % 4);

    ok = ok
        && (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0;
  }
  return ok;
}

/**
 * gst_mgpu_fit_project:
 * @fit: a #GstMgpuFit
 * @x: horizontal position of a point in the first image, in pixels
 * @y: vertical position of the point, in pixels
 * @to_x: (out): horizontal position of the mapped point in the second image, in pixels
 * @to_y: (out): vertical position of the mapped point, in pixels
 *
 * Maps a point of the first image to the second image.
 *
 * Returns: %FALSE when no model was found, or when the mapped point is at infinity or
 *   behind the camera; @to_x and @to_y are then set to 0
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_fit_project (GstMgpuFit * fit, gdouble x, gdouble y, gdouble * to_x,
    gdouble * to_y)
{
  return project (fit->matrix, x, y, to_x, to_y);
}

/**
 * gst_mgpu_fit_project_corners:
 * @fit: a #GstMgpuFit
 * @width: width of the first image, in pixels
 * @height: height of the first image, in pixels
 *
 * Maps the corners of the first image to the second image. Coordinates are those of
 * keypoints: whole numbers are the centers of pixels, so the upper left corner of the
 * first image is (-0.5, -0.5).
 *
 * Returns: (transfer full) (nullable) (array fixed-size=8): x and y of the four corners,
 *   clockwise from the upper left corner of the image; free them with g_free(). %NULL when
 *   no model was found, or when the model is certainly wrong: a mapped corner is at
 *   infinity or behind the camera, or the mapped outline is not convex
 *
 * Since: 1.0
 */
gdouble *
gst_mgpu_fit_project_corners (GstMgpuFit * fit, guint width, guint height)
{
  gdouble *corners = g_new (gdouble, 8);

  if (!project_corners (fit->matrix, width, height, corners))
    g_clear_pointer (&corners, g_free);
  return corners;
}
