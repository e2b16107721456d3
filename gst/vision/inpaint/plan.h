/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A box of pixels, without column x1 and row y1. Kernels read it as an int4. */
typedef struct
{
  gint x0, y0, x1, y1;
} MgpuBox;

/* Objects that have nothing to do with each other are filled side by side, each in a
 * lane of its own. With more lanes than this, all objects share one. */
#define MGPU_INPAINT_MAX_LANES 16

/* Holds what follows from a mask alone: see docs/algorithms/inpaint.md. */
typedef struct
{
  gint width, height;
  guint n_unknown;
  gint *object;                 /* for each pixel: its object, from 1; 0: known */
  guint8 *sources;              /* for each pixel: 1 where a source patch may have its center */
  GArray *windows;              /* MgpuBox for each object: where its sources are */
  MgpuBox lanes[MGPU_INPAINT_MAX_LANES];        /* around their objects: they do not meet */
  guint n_lanes;
  MgpuBox hole;                 /* around all objects */
  MgpuBox view;                 /* around all windows, holes and what borders them */
  gboolean has_sources;
  /* Without sources object holds the distance of each pixel from the nearest known one, and order the pixels by
   * distance: pass n, from 1, fills those from passes[n - 1] on to that before passes[n]. Empty with sources. */
  GArray *order, *passes;
} MgpuInpaintPlan;

/* unknown: width x height bytes, 0 or 1. forbidden: the same, may be NULL. side_by_side: whether there
 * may be several lanes. */
MgpuInpaintPlan * mgpu_inpaint_plan_new (const guint8 * unknown, const guint8 * forbidden, gint width, gint height,
    gint patch_size, gdouble search_factor, gboolean side_by_side);

void mgpu_inpaint_plan_free (MgpuInpaintPlan * plan);

/* Makes those bytes of to 1 that have one of from >= 128 in the square of this radius around them, and the others 0;
 * stride: of from. */
void mgpu_inpaint_dilate (const guint8 * from, gsize stride, gint width, gint height, gint radius, guint8 * to);

G_END_DECLS
