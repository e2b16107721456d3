/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements gst_mgpu_fit_points() and gst_mgpu_keypoint_meta_fit(), with which applications
 * fit models to pairs of points. */
#include <gst/mgpu/metas/gstmgpufit-private.h>

#include <gst/methods/owned.h>
#include <gst/vision/geometry/geometry.h>

#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/mgpu/gstmgpuqueue.h>

static MgpuGeometryParams
get_params (GstMgpuFitModel model, const GstMgpuFitOptions * options)
{
  MgpuGeometryParams params = { model, 3, 2048, 0 };

  if (options != NULL) {
    params.threshold = options->threshold;
    params.max_draws = options->max_draws;
    params.seed = options->seed;
  }
  return params;
}

static gboolean
fit_on_device (GstMgpuContext * context, const MgpuGeometryParams * params,
    MgpuGeometryFit * fit, GError ** error)
{
  MgpuOwned *owned = mgpu_owned_lock (context, "gst-mgpu-fit");
  GstMgpuQueue *queue = gst_mgpu_queue_new (context, error);
  gboolean ok = queue != NULL;

  if (ok && owned->object == NULL) {
    owned->object = mgpu_object_new (&mgpu_geometry, context, NULL, NULL, NULL,
        NULL, error);
    ok = owned->object != NULL;
  }
  ok = ok && mgpu_geometry_fit (owned->object, queue, params, fit, 1, error);
  /* Frees the scratch buffers of the object. The scratch buffers hold references to the context,
   * and the context owns the object; with this reference cycle, neither would ever be freed. */
  if (owned->object != NULL)
    mgpu_geometry_drop_memories (owned->object);
  g_mutex_unlock (&owned->lock);
  gst_clear_object (&queue);
  return ok;
}

/* Fits a model to @n pairs of points. @order (nullable) has the index of each pair in the
 * caller's list of pairs; the inliers of the result are in the order of the caller's list.
 * Returns: (transfer full) (nullable): the fit; NULL with the error set on failure */
static GstMgpuFit *
fit_pairs (GstMgpuContext * context, const gfloat * pairs, guint n,
    const guint * order, const MgpuGeometryParams * params, GError ** error)
{
  MgpuGeometryFit fit = { pairs, n, g_new0 (guint8, n + 1) };
  GstMgpuFit *result = NULL;
  guint8 *inliers;

  if (!mgpu_geometry_check (params, pairs, n, error)
      || !(mgpu_geometry_suits_host (params, n)
          ? mgpu_geometry_fit (NULL, NULL, params, &fit, 1, error)
          : fit_on_device (context, params, &fit, error))) {
    g_free (fit.inliers);
    return NULL;
  }
  inliers = g_new (guint8, n + 1);
  for (guint i = 0; i < n; i++)
    inliers[order != NULL ? order[i] : i] = fit.inliers[i];
  result = g_new0 (GstMgpuFit, 1);
  g_atomic_ref_count_init (&result->n_refs);
  result->is_found = fit.is_found;
  for (guint i = 0; i < 9 && fit.is_found; i++)
    result->matrix[i] = fit.matrix[i];
  result->n_inliers = fit.n_inliers;
  result->rms = fit.rms;
  result->inliers = g_bytes_new_take (inliers, n);
  g_free (fit.inliers);
  return result;
}

/**
 * gst_mgpu_fit_points:
 * @context: the context of the device to use
 * @pairs: at most 1048576 pairs of points. Each pair has four #gfloat without padding: x and y
 *   of a point in the first image, and x and y of the matching point in the second image, in
 *   pixels from -1000000 to 1000000. Pass the most reliable pairs first, or any order when
 *   their reliability is unknown
 * @model: kind of the model that is searched
 * @options: (nullable): options of the search; %NULL for the defaults
 * @error: return location for a #GError
 *
 * Finds the geometric model with which most pairs of points agree. Many pairs may be wrong.
 * The result is the same, bit for bit, on every device and in every call.
 *
 * Waits for the device; a small number of pairs is processed on the host instead. Concurrent
 * calls for one device are serialized. With too few pairs, or when all of them are degenerate,
 * no model is found. This is not an error: see gst_mgpu_fit_is_found(). Fails with
 * %GST_MGPU_ERROR_UNSUPPORTED when a number is out of range, or when the size of @pairs is not
 * a multiple of 16 bytes.
 *
 * Returns: (transfer full): the fit
 *
 * Since: 1.0
 */
GstMgpuFit *
gst_mgpu_fit_points (GstMgpuContext * context, GBytes * pairs,
    GstMgpuFitModel model, const GstMgpuFitOptions * options, GError ** error)
{
  MgpuGeometryParams params = get_params (model, options);
  gsize size = g_bytes_get_size (pairs);

  g_return_val_if_fail (context != NULL, NULL);

  if (size % 16 != 0 || size / 16 > MGPU_GEOMETRY_MAX_PAIRS) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "%" G_GSIZE_FORMAT " bytes are not 16 for each of up to %u pairs", size,
        MGPU_GEOMETRY_MAX_PAIRS);
    return NULL;
  }
  return fit_pairs (context, g_bytes_get_data (pairs, NULL), size / 16, NULL,
      &params, error);
}

static gint
compare_matches (gconstpointer a, gconstpointer b, gpointer data)
{
  const GstMgpuKeypointMatch *matches = data;
  const GstMgpuKeypointMatch *p = &matches[*(const guint *) a];
  const GstMgpuKeypointMatch *q = &matches[*(const guint *) b];

  if (p->distance != q->distance)
    return p->distance < q->distance ? -1 : 1;
  if (p->query != q->query)
    return p->query < q->query ? -1 : 1;
  return *(const guint *) a < *(const guint *) b ? -1 : 1;
}

/* Makes pairs of points (x and y in both frames) of the @n keypoint matches @matches. Matches
 * with the nearest descriptors come first. Writes the index in @matches of each pair's match
 * to the array @order. Returns: (transfer full) (nullable): the pairs; NULL with the error set
 * on failure */
static gfloat *
make_pairs (GstMgpuKeypointMeta * meta, GstMgpuKeypointMeta * trains,
    const GstMgpuKeypointMatch * matches, guint n, guint * order,
    GError ** error)
{
  gfloat *pairs = g_new (gfloat, 4 * (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  /* g_qsort_with_data() is deprecated since GLib 2.82, which has g_sort_array() instead. */
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  g_qsort_with_data (order, n, sizeof (*order), compare_matches,
      (gpointer) matches);
  G_GNUC_END_IGNORE_DEPRECATIONS;
  for (gsize i = 0; i < n; i++) {
    const GstMgpuKeypointMatch *match = &matches[order[i]];
    GstMgpuKeypoint from, to;

    if (!gst_mgpu_keypoint_meta_get_keypoint (meta, match->query, &from)
        || !gst_mgpu_keypoint_meta_get_keypoint (trains, match->train, &to)) {
      g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
          "match %u has keypoints that do not exist or cannot be read: pass "
          "the two metas from which the matches were computed", order[i]);
      g_free (pairs);
      return NULL;
    }
    pairs[4 * i] = from.x;
    pairs[4 * i + 1] = from.y;
    pairs[4 * i + 2] = to.x;
    pairs[4 * i + 3] = to.y;
  }
  return pairs;
}

/**
 * gst_mgpu_keypoint_meta_fit:
 * @meta: keypoints: the queries
 * @trains: keypoints with which they were matched
 * @matches: the matches that gst_mgpu_keypoint_meta_match() returned for @meta and
 *   @trains,
 *   or some of these matches in any order
 * @model: kind of the model that is searched
 * @options: (nullable): options of the search; %NULL for the defaults
 * @error: return location for a #GError
 *
 * Finds the geometric model that maps most keypoints of @meta to the matching keypoints of
 * @trains. Does the same as gst_mgpu_fit_points() with the positions of the keypoints, on the
 * device of @meta. Matches with near descriptors are tried first. gst_mgpu_fit_get_inliers()
 * returns a byte for each match in @matches.
 *
 * Fails with %GST_MGPU_ERROR_UNSUPPORTED also when @matches are not of these
 * metas.
 *
 * Returns: (transfer full): the fit
 *
 * Since: 1.0
 */
GstMgpuFit *
gst_mgpu_keypoint_meta_fit (GstMgpuKeypointMeta * meta,
    GstMgpuKeypointMeta * trains, GBytes * matches, GstMgpuFitModel model,
    const GstMgpuFitOptions * options, GError ** error)
{
  MgpuGeometryParams params = get_params (model, options);
  gsize size, n;
  const GstMgpuKeypointMatch *list = g_bytes_get_data (matches, &size);
  GstMemory *memory = gst_mgpu_keypoint_meta_get_keypoint_memory (meta);
  GstMgpuFit *fit = NULL;
  gfloat *pairs;
  guint *order;

  g_return_val_if_fail (trains != NULL, NULL);

  n = size / sizeof (*list);
  if (size % sizeof (*list) != 0 || n > MGPU_GEOMETRY_MAX_PAIRS
      || !gst_is_mgpu_memory (memory)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the matches are not matches of keypoints on a device");
    return NULL;
  }
  order = g_new (guint, n + 1);
  pairs = make_pairs (meta, trains, list, n, order, error);
  if (pairs != NULL)
    fit = fit_pairs (((GstMgpuMemory *) memory)->context, pairs, n, order,
        &params, error);
  g_free (pairs);
  g_free (order);
  return fit;
}
