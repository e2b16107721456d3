/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "geometry.h"

#include <kernels/geometry/geometry-shared.h>

G_BEGIN_DECLS

/* Indices of the slots of an object: scratch buffers in device memory, through which host
 * and kernels exchange data */
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

/* Holds the data of all fits for the kernels. The array @words has a description of each
 * fit, FIT words that kernels/geometry/shared.h explains. The array @floats has four rows
 * for each fit: x and y of the first points of all pairs, then x and y of the second
 * points. Points are normalized: the box around the first points, and that around the
 * second, has its centre at 0, and half of its longer side is from 0.5 to 1. */
typedef struct
{
  GArray *words, *floats;
} MgpuGeometryWork;

/* Computes a fit on the host, with the same bits as the kernels: writes RESULT words for
 * each of GROUPS groups of draws (random samples of pairs) to @results. @fit points to
 * the description of the fit, FIT words. */
void mgpu_geometry_fit_on_host (const MgpuGeometryParams * params, const gint32 * fit, const gfloat * floats,
    gint32 * results);

/* Refines @numbers, the best model of a fit: the 10 floats at the start of a result (see
 * kernels/geometry/shared.h). First estimates the standard deviation of the residuals; the
 * residual of a pair is the distance between its second point and its first point moved by the
 * model. Then uses all pairs whose residual is below 7 standard deviations, limited to the range
 * from the threshold to 4 times the threshold. */
void mgpu_geometry_refine (const MgpuGeometryParams * params, const gint32 * fit, const gfloat * floats,
    gfloat * numbers);

G_END_DECLS
