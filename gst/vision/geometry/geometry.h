/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Maximum number of pairs of points in a fit, and maximum absolute value of a coordinate, in
 * pixels */
#define MGPU_GEOMETRY_MAX_PAIRS (1 << 20)
#define MGPU_GEOMETRY_MAX_COORDINATE 1e6

/**
 * MgpuGeometryParams:
 * @model: kind of the models
 * @threshold: distance below which a pair agrees with a model, in pixels, 0.1 to 100
 * @max_draws: maximum number of random samples of pairs that are drawn, 256 to 65536
 * @seed: seed of the sequence of random numbers
 */
typedef struct
{
  GstMgpuFitModel model;
  gdouble threshold;
  guint max_draws;
  guint32 seed;
} MgpuGeometryParams;

/**
 * MgpuGeometryFit:
 * @pairs: read; 4 floats for each pair of points: x and y of the first point, then x and y of
 *   the second point, in pixels; the most reliable pairs come first
 * @n: read; number of pairs, at most MGPU_GEOMETRY_MAX_PAIRS
 * @inliers: a byte for each pair, written: 1 if the pair agrees with the model, else 0; or
 *   %NULL
 * @is_found: written; whether a model was found
 * @matrix: written; rows of the model, a homography that moves first points to second points,
 *   in pixels; its last number is 1 unless the point (0, 0) goes to infinity
 * @n_inliers: written; number of pairs that agree with the model
 * @rms: written; root of the mean squared distance of these pairs, in pixels
 *
 * A fit. The caller sets the first three members, mgpu_geometry_fit() the others.
 */
typedef struct
{
  const gfloat *pairs;
  guint n;
  guint8 *inliers;

  gboolean is_found;
  gdouble matrix[9];
  guint n_inliers;
  gdouble rms;
} MgpuGeometryFit;

/* Describes the algorithm that fits geometric models, such as a homography, to pairs of points. Its
 * objects do not process images, so mgpu_object_new() is called without formats. */
extern const MgpuAlgorithm mgpu_geometry;

/* Returns: the number of pairs of points that determine a model of kind @model; no model is
 * found with fewer pairs */
guint mgpu_geometry_get_sample_size (GstMgpuFitModel model);

/* Checks that three things are in the allowed ranges: @params, the number of pairs @n, and the
 * coordinates of the points in @pairs.
 * Returns: FALSE with the error set */
gboolean mgpu_geometry_check (const MgpuGeometryParams * params, const gfloat * pairs, guint n, GError ** error);

/* Returns: whether fitting a model to @n pairs of points takes less time on the host than on a
 * device */
gboolean mgpu_geometry_suits_host (const MgpuGeometryParams * params, guint n);

/* Fits a model to the pairs of points of each of the @n_fits fits in @fits, and waits for the
 * results. Uses the device of @queue; all fits share the same launches of kernels. If @self is
 * NULL, the host computes the fits instead, and the results have the same bits. The coordinates
 * are not checked; mgpu_geometry_check() does so.
 * Returns: FALSE with the error set */
gboolean mgpu_geometry_fit (MgpuObject * self, GstMgpuQueue * queue, const MgpuGeometryParams * params,
    MgpuGeometryFit * fits, guint n_fits, GError ** error);

/* Frees the scratch buffers of the object @self. Each of them holds a reference to the object's
 * context. */
void mgpu_geometry_drop_memories (MgpuObject * self);

G_END_DECLS
