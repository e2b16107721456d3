/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "geometry.h"

#include <kernels/geometry/geometry-shared.h>

G_BEGIN_DECLS

/* Indices of the slots of an object: scratch buffers in device memory, in which host and
 * kernels exchange data */
enum
{
  MGPU_GEOMETRY_FITS,
  MGPU_GEOMETRY_PAIRS,
  MGPU_GEOMETRY_STATES,
  MGPU_GEOMETRY_DRAW_SCORES,
  MGPU_GEOMETRY_COUNTS,
  MGPU_GEOMETRY_RESULTS,
  MGPU_GEOMETRY_N_SLOTS
};

/* The data of all fits for the kernels. The array @words has a description of each fit, FIT
 * words that are described in kernels/geometry/geometry-shared.h. The array @floats has four
 * rows for each fit: x and y of the first points of all pairs, then x and y of the second
 * points. Points are normalized: the bounding box of the first points has its center at 0, and
 * half of its longer side is from 0.5 to 1; the same is true for the second points. */
typedef struct
{
  GArray *words, *floats;
} MgpuGeometryWork;

/* Computes a fit on the host, with the same bits as the kernels. Writes RESULT words to
 * @results for each of GROUPS groups of draws (random samples of pairs). @fit points to the
 * description of the fit, FIT words. */
void mgpu_geometry_fit_on_host (const MgpuGeometryParams * params, const gint32 * fit, const gfloat * floats,
    gint32 * results);

/* Refines the best model of a fit. @numbers: the 10 floats at the start of a result (see
 * kernels/geometry/geometry-shared.h); read and written.
 * The residual of a pair is the distance between its second point and its first point moved by
 * the model. The function first estimates the standard deviation of the residuals. It then uses
 * all pairs whose residual is below 7 standard deviations; this limit is clamped to the range
 * from the threshold to 4 times the threshold. */
void mgpu_geometry_refine (const MgpuGeometryParams * params, const gint32 * fit, const gfloat * floats,
    gfloat * numbers);

G_END_DECLS
