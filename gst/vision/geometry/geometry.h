/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Largest number of pairs of points in a fit, and largest absolute value of a coordinate,
 * in pixels */
#define MGPU_GEOMETRY_MAX_PAIRS (1 << 20)
#define MGPU_GEOMETRY_MAX_COORDINATE 1e6

/**
 * MgpuGeometryParams:
 * @model: kind of the models
 * @threshold: distance in pixels below which a pair agrees with a model, 0.1 to
 *   100
 * @max_draws: largest number of random samples of pairs that are drawn, 256 to
 *   65536
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
 * @pairs: 4 floats for each pair of points: x and y of the first point, then x and y
 *   of the second point, in pixels; the most reliable pairs come first
 * @n: number of pairs, at most MGPU_GEOMETRY_MAX_PAIRS
 * @inliers: gets a byte for each pair: 1 if the pair agrees with the model, else 0;
 *   or %NULL
 * @is_found: whether a model was found
 * @matrix: rows of the model, a homography that moves first points to second points, in
 *   pixels; its last number is 1 unless the point (0, 0) goes to infinity
 * @n_inliers: number of pairs that agree with the model
 * @rms: root of the mean squared distance of these pairs, in pixels
 *
 * Holds a fit: the caller fills the first three members, and
 * mgpu_geometry_fit() the others.
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

/* Describes the algorithm that fits geometric models, such as a homography, to pairs of
 * points. mgpu_object_new() makes its objects without formats of images. */
extern const MgpuAlgorithm mgpu_geometry;

/* Returns: the number of pairs of points that determine a model of kind @model; with
 * fewer pairs, no model is found */
guint mgpu_geometry_get_sample_size (GstMgpuFitModel model);

/* Checks that @params, the number of pairs @n and the coordinates of the pairs of points
 * @pairs are in the allowed ranges. FALSE: the error is set. */
gboolean mgpu_geometry_check (const MgpuGeometryParams * params, const gfloat * pairs, guint n, GError ** error);

/* Tells whether the host fits a model to @n pairs of points in less time than a
 * device. */
gboolean mgpu_geometry_suits_host (const MgpuGeometryParams * params, guint n);

/* Fits a model to the pairs of points of each of the @n_fits fits in @fits on the device
 * of @queue, with all fits in the same launches of kernels, and waits for the results. If
 * @self is NULL, the host computes the fits instead, with the same bits as result. The
 * coordinates are not checked. FALSE: the error is set. */
gboolean mgpu_geometry_fit (MgpuObject * self, GstMgpuQueue * queue, const MgpuGeometryParams * params,
    MgpuGeometryFit * fits, guint n_fits, GError ** error);

/* Frees the scratch buffers of the object @self, each of which holds a reference to the
 * object's context. */
void mgpu_geometry_drop_memories (MgpuObject * self);

G_END_DECLS
