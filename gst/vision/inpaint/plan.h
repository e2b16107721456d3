/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "inpaint.h"
#include "masks.h"

G_BEGIN_DECLS

/* Returns: the number of pixels in a box */
static inline gsize
mgpu_box_area (const MgpuBox * box)
{
  return (gsize) (box->x1 - box->x0) * (box->y1 - box->y0);
}

/* Largest number of lanes. A lane is a group of objects that is far enough from
 * all others to be filled at the same time. When there would be more lanes, all
 * objects share one lane instead. */
#define MGPU_INPAINT_MAX_LANES 16

/* Describes a level of the pyramid with which holes are filled from coarse to
 * fine. Level 0 has the size of the box around all search windows, each further
 * level half the size of the level before. */
typedef struct
{
  gint width, height;
  gint at;                      /* index of the level's first pixel among the
                                 * pixels of all levels */
  gint depth;                   /* largest distance of an unknown pixel from the
                                 * nearest known pixel */
  gint first_target, n_targets; /* index in the array lists of the level's first
                                 * target patch, and number of its target
                                 * patches */
  gint first_unknown, n_unknown;
} MgpuInpaintScale;

/* Holds the pyramid: see docs/algorithms/inpaint-patchmatch.md. */
typedef struct
{
  MgpuInpaintScale scales[12];
  guint n_scales;               /* number of levels; 0 when there is no source
                                 * patch */
  MgpuBox box;                  /* part of the frame that level 0 shows */
  GByteArray *flags;            /* flags of each pixel of all levels: see
                                 * kernels/inpaint/shared.h */
  /* Array of gint: for each level, the indices of the centres of its target
   * patches, then of its unknown pixels; at the end, the indices of the centres
   * of the source patches of the last level */
  GArray *lists;
  gint first_source, n_sources; /* index in the array lists of the first source
                                 * patch of the last level, and number of its
                                 * source patches */
} MgpuInpaintLevels;

/* Holds all that can be computed from a mask without a frame: see
 * docs/algorithms/inpaint.md. */
typedef struct
{
  gint width, height;
  guint n_unknown;
  MgpuInpaintMethod method;     /* how the holes are filled: never MGPU_INPAINT_AUTO */
  gint *object;                 /* for each pixel: number of its object, from 1; 0: known
                                 * pixel */
  guint8 *sources;              /* for each pixel: 1 when it is the centre of a source patch */
  GArray *windows;              /* MgpuBox for each object, in which source patches are
                                 * looked for */
  MgpuBox lanes[MGPU_INPAINT_MAX_LANES];        /* boxes of the lanes, which do not overlap */
  guint n_lanes;
  MgpuBox hole;                 /* box around all objects */
  MgpuBox view;                 /* box around all windows and objects, with a border */
  gboolean has_sources;
  /* Indices of the unknown pixels by distance from the nearest known pixel, and, for each
   * distance in turn, its first index in the array order: launch n, from 1, fills the
   * pixels from passes[n - 1] to before passes[n]. Empty when there are source patches;
   * without them the member object holds the distance of each pixel. */
  GArray *order, *passes;
  MgpuInpaintLevels levels;     /* pyramid for the method
                                 * MGPU_INPAINT_PATCHMATCH */
} MgpuInpaintPlan;

/* Computes a plan from masks. The parameters unknown and forbidden have width x height bytes each, 0 or
 * 1; forbidden may be NULL. */
MgpuInpaintPlan * mgpu_inpaint_plan_new (const guint8 * unknown, const guint8 * forbidden, gint width, gint height,
    const MgpuInpaintParams * params);

void mgpu_inpaint_plan_free (MgpuInpaintPlan * plan);

/* Sorts the numbers from 0 to before n by their level, which is from 1 to
 * n_levels; leaves out those of level 0. Sets @ends to where each level ends in
 * the result; the element for level 0 is 0. The result and ends have elements
 * of type gint. Returns: (transfer full): the numbers, lowest levels first */
GArray * mgpu_inpaint_sort (const gint * level, gint n, gint n_levels, GArray * ends);

/* Makes the pyramid of a plan, whose windows are known. Leaves n_scales at 0 when no patch
 * is known. */
void mgpu_inpaint_levels_init (MgpuInpaintLevels * self, const MgpuInpaintPlan * plan, const guint8 * unknown,
    const guint8 * forbidden);

void mgpu_inpaint_levels_clear (MgpuInpaintLevels * self);

G_END_DECLS
