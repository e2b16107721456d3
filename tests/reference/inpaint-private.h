/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the state of a frame, and functions that work on it, for the files of the reference of
 * inpainting. The index of a pixel counts pixels row by row. */
#pragma once

#include <stdint.h>

#include "inpaint.h"

/* Describes a box of pixels: columns x0 to x1 - 1 of rows y0 to y1 - 1. */
typedef struct
{
  int x0, y0, x1, y1;
} Box;

#define FOR_EACH_PIXEL(box, x, y) \
  for (int y = (box).y0; y < (box).y1; y++) \
    for (int x = (box).x0; x < (box).x1; x++)

/* State of the inpainting of a frame. Arrays have an element for each pixel. */
typedef struct
{
  const RefPlane *in;
  int n, n_colours;             /* number of components, and number of components that patches are
                                 * compared in */
  int is_rgb;                   /* whether the second and third component are colors, not chroma */
  int width, height, radius;
  uint8_t *unknown;             /* whether the pixel is not filled yet */
  uint8_t *source;              /* whether the pixel may be the center of a source patch */
  int32_t *object;              /* number of the object that covers the pixel, starting at 1; 0
                                 * if the pixel is known */
  int32_t *origin;              /* pixel from which a filled pixel is copied; for other pixels, the
                                 * pixel itself */
  int32_t *filler;              /* target (center of a patch) whose patch filled the pixel, or -1 */
  int32_t *values;              /* samples of one component, for each pixel */
  int32_t *beside[4];           /* expected value of the neighbor of each pixel, on its four sides:
                                 * see inpaint-seam.h */
  int32_t *shade[4];            /* shade (smooth polynomial) of each pixel, for each component, or
                                 * NULL: see inpaint-shade.h */
  uint8_t *open;                /* whether the removal of seams may change the pixel */
  uint8_t *shown;               /* whether the pixel is written */
  uint8_t *colour[3], *grey;
  uint32_t *confidence;
  Box *windows;                 /* search windows of the objects, by object number */
  int n_objects;
  RefInpaintMemory *memory;     /* copied patches of earlier frames, or NULL */
  int has_origins;              /* whether patches have been found */
} Work;

/* Returns: the index of pixel (x, y) */
static inline int
at (const Work * work, int x, int y)
{
  return y * work->width + x;
}

static inline int
is_known (const Work * work, int x, int y)
{
  return x >= 0 && y >= 0 && x < work->width && y < work->height
      && !work->unknown[at (work, x, y)];
}

/* Returns: the part of the patch around (x, y) that lies in the frame */
static inline Box
patch (const Work * work, int x, int y)
{
  int r = work->radius;
  Box box = { x - r < 0 ? 0 : x - r, y - r < 0 ? 0 : y - r,
    x + r >= work->width ? work->width : x + r + 1,
    y + r >= work->height ? work->height : y + r + 1
  };

  return box;
}

/* Describes a source and its similarity to the target. The best source has the lowest cost; of
 * sources with equal costs, the one nearest to the target; of equally near ones, the one with the
 * lowest index. */
typedef struct
{
  uint32_t cost, distance;      /* squared distance between source and target, modulo 2^32 */
  int pixel;
} Match;

static const Match no_match = { UINT32_MAX, UINT32_MAX, -1 };

/* Sets @best to the source @source with the cost @cost if it is better. */
static inline void
choose (const Work * work, int target, int source, uint32_t cost, Match * best)
{
  uint32_t dx = source % work->width - target % work->width;
  uint32_t dy = source / work->width - target / work->width;
  uint32_t distance = dx * dx + dy * dy;

  if (cost < best->cost || (cost == best->cost && (distance < best->distance
              || (distance == best->distance && source < best->pixel))))
    *best = (Match) { cost, distance, source};
}

/* ---- inpaint-objects.c: objects, windows, sources ----------------------------- */

/* Marks the pixels of the mask, and those around them, as unknown. */
void ref_inpaint_dilate (const Work * work, const RefInpaint * params);

/* Finds the centers of all source patches, which are patches that lie completely in the frame and
 * have no unknown or forbidden pixels. */
void ref_inpaint_find_sources (Work * work, const RefInpaint * params);

/* Assigns numbers to the objects and finds their search windows. The array @todo has memory for
 * all pixels. Returns: the number of sources of the first object */
int ref_inpaint_find_objects (Work * work, const RefInpaint * params, int32_t * todo);

/* ---- inpaint-exemplar.c: one patch after the other ----------------------------- */

/* Returns: the pixel with the highest priority on the front (the border of the hole); -1 if no
 * pixel is unknown */
int ref_inpaint_find_target (const Work * work);

/* Returns: the center of the source patch that is most similar to the patch around @target */
int ref_inpaint_find_best (const Work * work, int target);

/* Copies the unknown pixels of the patch around @target from the patch around @source. */
void ref_inpaint_copy_patch (Work * work, int target, int source);

/* ---- inpaint-write.c: samples of the frame -------------------------------------- */

/* Returns: the sample of a plane, which may be subsampled, for pixel (@x, @y) of a frame of @width
 * x @height pixels */
int ref_inpaint_get_at_pixel (const RefPlane * plane, int x, int y, int width, int height);

/* Returns: the number of bits of a sample */
int ref_inpaint_get_depth (const RefPlane * plane);

/* Writes those pixels of @mask whose origins (the pixels from which they are copied) are known to
 * @out. Returns 0 if there is not enough memory. */
int ref_inpaint_write_copies (Work * work, const uint8_t * mask, const RefPlane * out, const RefInpaint * params);

/* Writes means of neighbors to the unknown pixels of a component, for a frame without sources.
 * Returns 0 if there is not enough memory. */
int ref_inpaint_diffuse (Work * work, const RefPlane * out, int component);

/* Writes a harmonic function to the unknown pixels of all components. Returns 0 if there is not
 * enough memory. */
int ref_inpaint_write_harmonic (Work * work, const RefPlane * out,
    const RefInpaint * params);

/* Writes values that are interpolated along straight lines to the unknown pixels of all components.
 * Returns 0 if there is not enough memory. */
int ref_inpaint_write_lines (Work * work, const RefPlane * out, const RefInpaint * params);

/* ---- inpaint-lines.c: straight lines ------------------------------------------- */

/* Returns 1 if the mask covers a whole row and a whole column of the frame */
int ref_inpaint_has_cross (const Work * work);

/* Computes the unknown pixels of all @n components in the array @values, which has a plane of
 * @width x @height elements for each component. Elements of known pixels contain the samples.
 * @mask: the unknown pixels; @depth: number of bits of a sample */
void ref_inpaint_lines (int32_t * values, int n, int is_rgb, int depth, const uint8_t * mask, int width, int height);

/* ---- inpaint-follow.c: one frame after the other -------------------------------- */

/* Stores the origins (the pixels from which pixels are copied) of a frame that was filled
 * independently of earlier frames. */
void ref_inpaint_remember (const Work * work, RefInpaintMemory * memory, int is_valid);

/* Fills a frame from the stored origins (the pixels from which pixels are copied), without changing
 * them. Returns 0 if there are none. */
int ref_inpaint_repeat (Work * work, const RefPlane * out, const RefInpaint * params, RefInpaintMemory * memory,
    RefInpaintWay * way);

/* Fills a frame from the stored origins (the pixels from which pixels are copied), or from better
 * origins near them. The array @todo has memory for all pixels. Returns 0 if the stored origins no
 * longer match. */
int ref_inpaint_replay (Work * work, const RefPlane * out, const RefInpaint * params, RefInpaintMemory * memory,
    int32_t * todo, RefInpaintWay * way);
