/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Methods that fill holes; the last one chooses the method that suits the mask. */
typedef enum
{
  REF_INPAINT_EXEMPLAR,
  REF_INPAINT_HARMONIC,
  REF_INPAINT_PATCHMATCH,
  REF_INPAINT_AUTO
} RefInpaintMethod;

/* Parameters: @mask and @forbidden are width x height bytes without gaps, of which those from
 * 128 on count; @forbidden may be NULL. A search_factor of -1 searches the whole frame. */
typedef struct
{
  int patch_size;               /* odd */
  double search_factor;
  int mask_dilate;
  const uint8_t *mask;
  const uint8_t *forbidden;
  int seam;                     /* whether seams are removed */
  int blend;                    /* whether patches that overlap are blended before seams are
                                 * removed */
  RefInpaintMethod method;
  const uint8_t *shown;         /* mask of those unknown pixels that are still unknown, or NULL for
                                 * all of them. The others count as known when seams are removed,
                                 * and are not written. */
  int keep;                     /* in videos, whether origins that were found once are kept in any
                                 * case */
} RefInpaint;

/* Counts of a frame: copied patches, unknown pixels, and sources of the first object; and
 * whether there was no source at all. */
typedef struct
{
  int steps;
  int unknown;
  int sources;
  int diffused;
} RefInpaintStats;

/* Holds what is remembered of the frames of a video. Arrays have room for width x height
 * numbers. */
typedef struct
{
  int32_t *origin;              /* pixel from which each pixel is copied */
  int32_t *filler;              /* target whose patch filled the pixel, or -1 */
  int32_t *targets;             /* targets in the order in which they were filled */
  uint32_t *fits;               /* costs of the targets when the hole was filled */
  int n_targets;                /* number of targets; 0 if all patches were found at once */
  int is_valid;                 /* 0 if the next frame has nothing to do with the earlier ones */
  uint64_t limit;               /* largest sum of costs with which the origins are used again */
} RefInpaintMemory;

/* How a frame was filled: without earlier frames, from the origins of the last frame, or partly
 * from origins nearby. */
typedef enum
{
  REF_INPAINT_ANEW,
  REF_INPAINT_REPLAYED,
  REF_INPAINT_FOLLOWED
} RefInpaintWay;

/* Does the same as ref_inpaint(), but fills a frame from the origins of the last frame or from
 * ones nearby, if these fit. */
int ref_inpaint_temporal (const RefPlane * in, const RefPlane * out, int n, int is_rgb, const RefInpaint * params,
    RefInpaintMemory * memory, RefInpaintWay * way);

/* Fills the unknown pixels: writes those samples of @out, a copy of @in, that belong to unknown
 * pixels. There are n components: of YUV or RGB, with a fourth one that is copied along; or
 * one. Writes nothing if no pixel is known. The parameter @stats may be NULL. Returns 0 if
 * there is not enough memory. */
int ref_inpaint (const RefPlane * in, const RefPlane * out, int n, int is_rgb, const RefInpaint * params,
    RefInpaintStats * stats);
