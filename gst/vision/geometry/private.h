/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "geometry.h"

#include <kernels/geometry/shared.h>

G_BEGIN_DECLS

/* Indices of the slots of an object, the device memories that host and kernels
 * leave for each other. */
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

/* Holds the data of all fits for the kernels. The array words has FIT words for
 * each fit, as kernels/geometry/shared.h describes them. The array floats has
 * four rows for each fit: x and y of the first points of all pairs, then x and
 * y of the second points. Points are normalized: the box around the first
 * points, and that around the second, has its middle at 0, and half of its
 * longer side is from 0.5 to 1. */
typedef struct
{
  GArray *words, *floats;
} MgpuGeometryWork;

/* Computes a fit on the host, with the same bits as the kernels: writes RESULT words for
 * each of GROUPS groups of draws to results. The parameter fit points to the FIT words of
 * the fit. */
void mgpu_geometry_fit_on_host (const MgpuGeometryParams * params, const gint32 * fit, const gfloat * floats,
    gint32 * results);

G_END_DECLS
