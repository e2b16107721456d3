/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Describes a box of pixels: columns x0 to before x1, rows y0 to before y1. Kernels read
 * it as an int4. */
typedef struct
{
  gint x0, y0, x1, y1;
} MgpuBox;

/* Returns: the number of pixels of box */
static inline gsize
mgpu_box_area (const MgpuBox * box)
{
  return (gsize) (box->x1 - box->x0) * (box->y1 - box->y0);
}

/* Largest number of lanes. Objects that are too far apart to change each other are filled
 * at the same time, each in a lane of its own. When that takes more lanes, all objects
 * share one lane instead. */
#define MGPU_INPAINT_MAX_LANES 16

/* Holds all that can be computed from a mask without a frame: see
 * docs/algorithms/inpaint.md. */
typedef struct
{
  gint width, height;
  guint n_unknown;
  gint *object;                 /* for each pixel: number of its object, from 1; 0: known */
  guint8 *sources;              /* for each pixel: 1 when it is the centre of a source */
  GArray *windows;              /* MgpuBox for each object, in which its sources lie */
  MgpuBox lanes[MGPU_INPAINT_MAX_LANES];        /* boxes around objects, apart */
  guint n_lanes;
  MgpuBox hole;                 /* box around all objects */
  MgpuBox view;                 /* box around all windows and objects, with a border */
  gboolean has_sources;
  /* Indices of the unknown pixels by distance from the nearest known pixel, and the first
   * place of each distance in order: pass n, from 1, fills the pixels from passes[n - 1]
   * to before passes[n]. Empty when there are sources; without sources object holds the
   * distance of each pixel. */
  GArray *order, *passes;
} MgpuInpaintPlan;

/* Makes a plan. The parameters unknown and forbidden have width x height bytes each, 0 or
 * 1; forbidden may be NULL. The parameter side_by_side says whether there may be several
 * lanes. */
MgpuInpaintPlan * mgpu_inpaint_plan_new (const guint8 * unknown, const guint8 * forbidden, gint width, gint height,
    gint patch_size, gdouble search_factor, gboolean side_by_side);

void mgpu_inpaint_plan_free (MgpuInpaintPlan * plan);

/* Sorts the numbers from 0 to before n by their level, which is from 1 to n_levels; leaves
 * out those of level 0. Sets ends to where each level ends in the result; it has 0 for
 * level 0. Both arrays have elements of type gint.
 * Returns: (transfer full): the numbers, lowest levels first */
GArray * mgpu_inpaint_sort (const gint * level, gint n, gint n_levels, GArray * ends);

/* Dilates a mask. A byte of to becomes 1 when a byte of from is at least 128 in the
 * square of this radius around it, otherwise 0. The rows of from are stride bytes apart,
 * the rows of to have no gaps. */
void mgpu_inpaint_dilate (const guint8 * from, gsize stride, gint width, gint height, gint radius, guint8 * to);

G_END_DECLS
