/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Methods that fill holes. REF_INPAINT_AUTO chooses a method by the shape of the mask. */
typedef enum
{
  REF_INPAINT_EXEMPLAR,
  REF_INPAINT_HARMONIC,
  REF_INPAINT_PATCHMATCH,
  REF_INPAINT_AUTO,
  REF_INPAINT_DIRECTIONAL
} RefInpaintMethod;

/* Parameters. @mask and @forbidden are width x height bytes without gaps; values of 128 and more
 * count as set. @forbidden may be NULL. A search_factor of -1 searches the whole frame. */
typedef struct
{
  int patch_size;               /* odd */
  double search_factor;
  int mask_dilate;
  const uint8_t *mask;
  const uint8_t *forbidden;
  int seam;                     /* whether seams are removed */
  int blend;                    /* whether overlapping patches are blended before seams are
                                 * removed */
  RefInpaintMethod method;
  const uint8_t *shown;         /* mask of the unknown pixels that are still to be filled, or NULL
                                 * for all of them. The other pixels count as known when seams are
                                 * removed, and are not written. */
  int keep;                     /* for videos: whether the origins (source pixels) of the first
                                 * frame are always used for later frames */
} RefInpaint;

/* Statistics of a frame: numbers of copied patches, unknown pixels, and sources of the first
 * object; and whether there was no source at all */
typedef struct
{
  int steps;
  int unknown;
  int sources;
  int diffused;
} RefInpaintStats;

/* Data kept from earlier frames of a video. Arrays have memory for @width x @height numbers. */
typedef struct
{
  int32_t *origin;              /* pixel from which each pixel is copied */
  int32_t *filler;              /* target (center of a patch) whose patch filled the pixel, or -1 */
  int32_t *targets;             /* targets (centers of patches) in the order in which they were
                                 * filled */
  uint32_t *fits;               /* costs of the targets when the hole was filled */
  int n_targets;                /* number of targets; 0 if all patches were found at once */
  int is_valid;                 /* 0 if the next frame does not depend on the earlier frames */
  uint64_t limit;               /* maximum sum of costs with which the origins (source pixels) are
                                 * used again */
} RefInpaintMemory;

/* How a frame was filled: without earlier frames, from the origins (source pixels) of the last
 * frame, or partly from origins near these */
typedef enum
{
  REF_INPAINT_ANEW,
  REF_INPAINT_REPLAYED,
  REF_INPAINT_FOLLOWED
} RefInpaintWay;

/* Does the same as ref_inpaint(), but fills a frame from the origins (source pixels) of the last
 * frame, or from origins near these, if they match. */
int ref_inpaint_temporal (const RefPlane * in, const RefPlane * out, int n, int is_rgb, const RefInpaint * params,
    RefInpaintMemory * memory, RefInpaintWay * way);

/* Fills the unknown pixels: writes those samples of @out, a copy of @in, that belong to unknown
 * pixels. There are @n components: 3 of YUV or RGB, and possibly a fourth one that is copied with
 * them; or 1. Writes nothing if no pixel is known. @stats may be NULL. Returns 0 if there is not
 * enough memory. */
int ref_inpaint (const RefPlane * in, const RefPlane * out, int n, int is_rgb, const RefInpaint * params,
    RefInpaintStats * stats);
