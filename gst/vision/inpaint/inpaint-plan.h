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

/* Returns: the box around two boxes */
static inline MgpuBox
mgpu_box_union (MgpuBox a, MgpuBox b)
{
  MgpuBox box = { MIN (a.x0, b.x0), MIN (a.y0, b.y0), MAX (a.x1, b.x1),
    MAX (a.y1, b.y1)
  };

  return box;
}

/* Returns: @a, larger by @dx columns and @dy rows on each side, in a frame of @width x @height */
static inline MgpuBox
mgpu_box_grow (MgpuBox a, gint dx, gint dy, gint width, gint height)
{
  MgpuBox box = { MAX (a.x0 - dx, 0), MAX (a.y0 - dy, 0),
    MIN (a.x1 + dx, width), MIN (a.y1 + dy, height)
  };

  return box;
}

static inline gboolean
mgpu_boxes_meet (MgpuBox a, MgpuBox b)
{
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* Largest number of lanes. A lane is a group of objects so far from all other objects
 * that it can be filled at the same time as they are. When there would be more lanes, all
 * objects share one lane instead. */
#define MGPU_INPAINT_MAX_LANES 16

/* Describes a level of the pyramid with which holes are filled from coarse to fine. Level
 * 0 has the size of the box around all search windows; each further level has half the
 * width and height of the level before. */
typedef struct
{
  gint width, height;
  gint at;                      /* index of the level's first pixel in an array of the pixels of
                                 * all levels */
  gint depth;                   /* largest distance, in pixels of this level, of an unknown pixel
                                 * from the nearest known pixel */
  gint first_target, n_targets; /* index in the array @lists of the level's first target patch,
                                 * and number of the level's target patches */
  gint first_unknown, n_unknown;
} MgpuInpaintScale;

/* Holds the pyramid with which holes are filled from coarse to fine: see
 * docs/algorithms/inpaint-patchmatch.md. */
typedef struct
{
  MgpuInpaintScale scales[12];
  guint n_scales;               /* number of pyramid levels; 0 when there is no source patch */
  MgpuBox box;                  /* part of the frame that pyramid level 0 shows, at full size */
  GByteArray *flags;            /* flags of each pixel, level after level: see FLAG_SOURCE in
                                 * kernels/inpaint/shared.h */
  /* Array of gint: for each pyramid level, the indices within the level of the centres of
   * its target patches, then of its unknown pixels; at the end, those of the centres of
   * the source patches of the last (coarsest) level */
  GArray *lists;
  GArray *ends;                 /* array of gint: the unknown pixels of the last level are sorted by
                                 * their distance from the nearest known pixel; element d has the
                                 * number of those whose distance is at most d */
  gint first_source, n_sources; /* index in the array @lists of the first source patch of the last
                                 * (coarsest) level, and number of source patches of that level */
} MgpuInpaintLevels;

/* Minimum distance, in pixels, of the innermost pixel of a wide object from the nearest known
 * pixel */
#define MGPU_INPAINT_WIDE 8

/* Largest number of domains of a frame. Frames with more domains are filled without shades. */
#define MAX_SHADES 8

/* Describes a domain: a rectangle around wide holes, to whose known pixels a shade (a polynomial in
 * x and y) is fitted. The grid of cells begins at the box's top left corner. */
typedef struct
{
  MgpuBox box;
  gint width, height;           /* size of a cell, in pixels */
  gint x_step, y_step;          /* distance between the samples of a cell, in pixels */
  gint x_count, y_count;        /* number of samples in a row and in a column of a cell */
  gint n_cells;                 /* number of cells that the fit uses */
  gint at;                      /* index of the domain's first word in @shade_words */
} MgpuInpaintShade;

/* Holds all that inpainting can compute from a mask of unknown pixels, without a frame:
 * see docs/algorithms/inpaint.md. */
typedef struct
{
  gint width, height;
  guint n_unknown;
  MgpuInpaintMethod method;     /* method by which the holes are filled: never
                                 * MGPU_INPAINT_AUTO */
  GArray *boxes;                /* MgpuBox around each object, by their numbers; empty where
                                 * @method is MGPU_INPAINT_HARMONIC and holes are not wide */
  gint *object;                 /* for each pixel: number of the object to which it belongs, from
                                 * 1; 0: known pixel */
  guint8 *sources;              /* for each pixel: 1 when it is the centre of a source patch */
  GArray *windows;              /* MgpuBox for each object: the search window, in which its source
                                 * patches are looked for */
  MgpuBox lanes[MGPU_INPAINT_MAX_LANES];        /* boxes around the lanes (groups of objects
                                                 * that are filled independently); they do
                                                 * not overlap */
  guint n_lanes;
  MgpuBox hole;                 /* box around all unknown pixels */
  MgpuBox view;                 /* box around all search windows and objects, with a border */
  gboolean has_sources;
  /* Used only when there is no source patch; otherwise empty. @order has the indices of
   * the unknown pixels, sorted by their distance from the nearest known pixel. @passes
   * has indices into @order: kernel launch n, from 1, fills the pixels at distance n,
   * @order[@passes[n - 1]] to before @order[@passes[n]]. The array @object then holds the
   * distance of each pixel. */
  GArray *order, *passes;
  MgpuInpaintLevels levels;     /* pyramid for the method
                                 * MGPU_INPAINT_PATCHMATCH */
  GArray *shades;               /* MgpuInpaintShade for each domain */
  GArray *shade_words;          /* gint: the plans of all domains, as
                                 * kernels/inpaint/inpaint-shared.h describes them */
  gint patch_size;              /* width and height of a patch, in pixels */
} MgpuInpaintPlan;

/* Computes the fill plan (objects, search windows, source patches) from two masks of @width x
 * @height bytes, 0 or 1: @unknown is 1 for pixels to be filled, @forbidden is 1 for pixels that
 * must not be copied; @forbidden may be NULL. When @follows is TRUE, patches are reused in later
 * frames: then they are found one after the other where the method MGPU_INPAINT_PATCHMATCH would
 * find all at once. */
MgpuInpaintPlan * mgpu_inpaint_plan_new (const guint8 * unknown, const guint8 * forbidden, gint width, gint height,
    const MgpuInpaintParams * params, gboolean follows);

void mgpu_inpaint_plan_free (MgpuInpaintPlan * plan);

/* Computes the pyramid with which holes are filled from coarse to fine; the search windows
 * in @plan, the fill plan of the mask, must be known already. Leaves @n_scales at 0 when
 * the frame has no source patch. */
void mgpu_inpaint_levels_init (MgpuInpaintLevels * self, const MgpuInpaintPlan * plan, const guint8 * unknown,
    const guint8 * forbidden);

/* Plans the shades of wide holes. @plan must have its objects and their boxes. @distances has, for
 * each pixel of the box around the hole, its distance from the nearest known pixel. The domain of
 * an object is the box around it, enlarged on each side by @factor times its size; @factor is
 * limited, and negative means the limit. @forbidden may be NULL. */
void mgpu_inpaint_shades_init (MgpuInpaintPlan * plan, const guint8 * unknown, const guint8 * forbidden,
    const gint * distances, gdouble factor);

void mgpu_inpaint_levels_clear (MgpuInpaintLevels * self);

G_END_DECLS
