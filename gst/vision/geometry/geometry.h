/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Largest number of pairs of a fit, and the largest coordinate, in pixels */
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
 * @pairs: 4 floats for each pair, x and y of the place that is moved and x and
 *   y of the place that it is moved to, in pixels; best first
 * @n: number of pairs, at most MGPU_GEOMETRY_MAX_PAIRS
 * @inliers: gets a byte for each pair, 1 where it agrees with the model; or
 *   %NULL
 * @is_found: whether a model was found
 * @matrix: rows of the model: a homography in pixels, whose last number is 1
 *   unless the place (0, 0) goes to infinity
 * @n_inliers: number of pairs that agree
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

/* Fits models to pairs of points. Objects are made without images. */
extern const MgpuAlgorithm mgpu_geometry;

/* Returns: the number of pairs that determine a model of this kind; with fewer, nothing
 * is found */
guint mgpu_geometry_get_sample_size (GstMgpuFitModel model);

/* Checks that @params and the n pairs are in range. FALSE: the error is set. */
gboolean mgpu_geometry_check (const MgpuGeometryParams * params, const gfloat * pairs, guint n, GError ** error);

/* Tells whether the host fits n pairs sooner than a device. */
gboolean mgpu_geometry_suits_host (const MgpuGeometryParams * params, guint n);

/* Fits a model to the pairs of each of n_fits fits, on the device of @queue, in
 * one launch for each kernel, and waits for the results. The host computes the
 * same bits when @self is NULL. The coordinates are not checked. FALSE: the
 * error is set. */
gboolean mgpu_geometry_fit (MgpuObject * self, GstMgpuQueue * queue, const MgpuGeometryParams * params,
    MgpuGeometryFit * fits, guint n_fits, GError ** error);

/* Frees the memories of an object, which hold references to its context. */
void mgpu_geometry_drop_memories (MgpuObject * self);

G_END_DECLS
