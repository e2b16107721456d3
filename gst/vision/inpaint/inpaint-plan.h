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

/* Returns: the smallest box that contains two boxes */
static inline MgpuBox
mgpu_box_union (MgpuBox a, MgpuBox b)
{
  MgpuBox box = { MIN (a.x0, b.x0), MIN (a.y0, b.y0), MAX (a.x1, b.x1),
    MAX (a.y1, b.y1)
  };

  return box;
}

/* Returns: the box @a, enlarged by @dx columns and @dy rows on each side, and clipped to a frame
 * of @width x @height pixels */
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

/* Largest number of lanes. A lane is a group of objects that is far enough from all other
 * objects to be filled at the same time as they are. If there would be more lanes, all objects
 * share one lane instead. */
#define MGPU_INPAINT_MAX_LANES 16

/* Describes a level of the pyramid that is used to fill holes from coarse to fine. Level 0 has
 * the size of the box around all search windows. Each further level has half the width and
 * height of the previous level. */
typedef struct
{
  gint width, height;
  gint at;                      /* index of the first pixel of the level in arrays of the pixels
                                 * of all levels */
  gint depth;                   /* largest distance of an unknown pixel from the nearest known
                                 * pixel, in pixels of this level */
  gint first_target, n_targets; /* index of the first target patch of the level in the array
                                 * @lists, and number of its target patches */
  gint first_unknown, n_unknown;
} MgpuInpaintScale;

/* Pyramid that is used to fill holes from coarse to fine: see
 * docs/algorithms/inpaint-patchmatch.md. */
typedef struct
{
  MgpuInpaintScale scales[12];
  guint n_scales;               /* number of pyramid levels; 0 if there is no source patch */
  MgpuBox box;                  /* part of the frame that pyramid level 0 covers, at full size */
  GByteArray *flags;            /* flags of each pixel, level after level: see FLAG_SOURCE in
                                 * kernels/inpaint/inpaint-shared.h */
  /* Array of gint. For each pyramid level, it contains the indices, within the level, of the
   * centers of the target patches, and then of the unknown pixels. At the end, it contains the
   * indices of the centers of the source patches of the last (coarsest) level. */
  GArray *lists;
  GArray *ends;                 /* array of gint for the unknown pixels of the last level, which
                                 * are sorted by their distance from the nearest known pixel;
                                 * element d is the number of pixels whose distance is at most d */
  gint first_source, n_sources; /* index of the first source patch of the last (coarsest) level
                                 * in the array @lists, and number of source patches of this
                                 * level */
} MgpuInpaintLevels;

/* An object is wide if the distance of its innermost pixel from the nearest known pixel is at
 * least this, in pixels */
#define MGPU_INPAINT_WIDE 8

/* Largest number of domains of a frame. Frames with more domains are filled without shades. */
#define MAX_SHADES 8

/* Describes a domain, which is a rectangle around wide holes. A shade (a polynomial in x and y)
 * is fitted to the known pixels of the domain. The grid of cells begins at the top left corner
 * of the box. */
typedef struct
{
  MgpuBox box;
  gint width, height;           /* size of a cell, in pixels */
  gint x_step, y_step;          /* distance between the samples of a cell, in pixels */
  gint x_count, y_count;        /* number of samples in a row and in a column of a cell */
  gint n_cells;                 /* number of cells that the fit uses */
  gint at;                      /* index of the first word of the domain in @shade_words */
} MgpuInpaintShade;

/* Data that inpainting computes from a mask of unknown pixels alone, without a frame: see
 * docs/algorithms/inpaint.md. */
typedef struct
{
  gint width, height;
  guint n_unknown;
  MgpuInpaintMethod method;     /* method that fills the holes; never MGPU_INPAINT_AUTO */
  GArray *boxes;                /* array of MgpuBox: the box around each object, by object
                                 * number; empty if @method is MGPU_INPAINT_HARMONIC and no hole
                                 * is wide */
  gint *object;                 /* for each pixel: number of its object, starting at 1; 0 for
                                 * known pixels */
  guint8 *sources;              /* for each pixel: 1 if it is the center of a source patch,
                                 * otherwise 0 */
  GArray *windows;              /* array of MgpuBox: for each object, the search window that
                                 * contains its source patches */
  MgpuBox lanes[MGPU_INPAINT_MAX_LANES];        /* boxes around the lanes (groups of objects that
                                                 * are filled independently); the boxes do not
                                                 * overlap */
  guint n_lanes;
  MgpuBox hole;                 /* box around all unknown pixels */
  MgpuBox view;                 /* box around all search windows and objects, with a border */
  gboolean has_sources;
  /* With the method MGPU_INPAINT_DIRECTIONAL, @order contains the indices of the unknown pixels.
   * Otherwise these are only used if there is no source patch, or else empty: @order contains the indices of the
   * unknown pixels, sorted by their distance from the nearest known pixel. @passes contains
   * indices into @order: kernel launch n, starting at 1, fills the pixels at the distance n,
   * which are @order[@passes[n - 1]] to @order[@passes[n] - 1]. In this case, the array @object
   * contains the distance of each pixel. */
  GArray *order, *passes;
  MgpuInpaintLevels levels;     /* pyramid for the method
                                 * MGPU_INPAINT_PATCHMATCH */
  GArray *shades;               /* array of MgpuInpaintShade: one for each domain */
  GArray *shade_words;          /* array of gint: the plans of all domains; for their layout see
                                 * kernels/inpaint/inpaint-shared.h */
  gint patch_size;              /* width and height of a patch, in pixels */
} MgpuInpaintPlan;

/* Computes the fill plan (objects, search windows, source patches) from two masks of @width x
 * @height bytes, which are 0 or 1.
 * @unknown: 1 for pixels to fill
 * @forbidden: (nullable): 1 for pixels that must not be copied
 * @follows: TRUE if patches are reused in later frames. They are then found one after the
 *   other, even if the method MGPU_INPAINT_PATCHMATCH would find all at once. */
MgpuInpaintPlan * mgpu_inpaint_plan_new (const guint8 * unknown, const guint8 * forbidden, gint width, gint height,
    const MgpuInpaintParams * params, gboolean follows);

void mgpu_inpaint_plan_free (MgpuInpaintPlan * plan);

/* Computes the pyramid that is used to fill holes from coarse to fine. @plan, the fill plan of
 * the mask, must already contain the search windows. Sets @n_scales to 0 if the frame has no
 * source patch. */
void mgpu_inpaint_levels_init (MgpuInpaintLevels * self, const MgpuInpaintPlan * plan, const guint8 * unknown,
    const guint8 * forbidden);

/* Plans the shades of wide holes.
 * @plan: must already contain the objects and their boxes; written
 * @forbidden: (nullable): 1 for pixels that must not be copied
 * @distances: distance of each pixel from the nearest known pixel, in the box around the hole
 * @factor: the domain of an object is the box around it, enlarged on each side by @factor times
 *   its size. The factor is limited; a negative number stands for its maximum. */
void mgpu_inpaint_shades_init (MgpuInpaintPlan * plan, const guint8 * unknown, const guint8 * forbidden,
    const gint * distances, gdouble factor);

void mgpu_inpaint_levels_clear (MgpuInpaintLevels * self);

G_END_DECLS
