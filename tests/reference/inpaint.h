/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* How holes are filled; auto: by what suits the mask. */
typedef enum
{
  REF_INPAINT_EXEMPLAR,
  REF_INPAINT_HARMONIC,
  REF_INPAINT_PATCHMATCH,
  REF_INPAINT_AUTO
} RefInpaintMethod;

/* mask, forbidden: width x height bytes without gaps, of which those from 128 on
 * count; forbidden may be NULL. search_factor: -1 is the whole frame. */
typedef struct
{
  int patch_size;               /* odd */
  double search_factor;
  int mask_dilate;
  const uint8_t *mask;
  const uint8_t *forbidden;
  int seam;                     /* whether seams are taken out */
  int blend;                    /* whether patches that overlap are blended, before that */
  RefInpaintMethod method;
  const uint8_t *shown;         /* of the unknown pixels, those that are still unknown, as mask; NULL: all of them.
                                 * The others count as known where seams are taken out, and are not written. */
  int keep;                     /* frame after frame: whether places that were found once are kept in any case */
} RefInpaint;

/* Counts of a frame: patches that were copied, unknown pixels, source centers of
 * the first object; whether there was no source at all. */
typedef struct
{
  int steps;
  int unknown;
  int sources;
  int diffused;
} RefInpaintStats;

/* Frame after frame of a video. Arrays have room for width x height numbers. */
typedef struct
{
  int32_t *origin;              /* where each pixel is from */
  int32_t *filler;              /* the target whose patch filled it, or -1 */
  int32_t *targets;             /* in the order in which they were filled */
  uint32_t *fits;               /* what they cost then */
  int n_targets;                /* 0 where all patches were found at once */
  int is_valid;                 /* 0: the next frame has nothing to do with the ones before */
  uint64_t limit;               /* of the costs */
} RefInpaintMemory;

/* How a frame was filled: by itself, from where the one before was, partly from
 * places nearby. */
typedef enum
{
  REF_INPAINT_ANEW,
  REF_INPAINT_REPLAYED,
  REF_INPAINT_FOLLOWED
} RefInpaintWay;

/* Like ref_inpaint(), but a frame is filled from the places that filled the frame before,
 * or from places near them, if these fit. */
int ref_inpaint_temporal (const RefPlane * in, const RefPlane * out, int n, int is_rgb, const RefInpaint * params,
    RefInpaintMemory * memory, RefInpaintWay * way);

/* Fills what is unknown: writes those samples of out, which is a copy of in,
 * that belong to unknown pixels. n components: of YUV or RGB, the fourth is
 * copied along; or one. Writes nothing where no pixel is known. stats may be NULL.
 * Returns 0 when there is no memory left. */
int ref_inpaint (const RefPlane * in, const RefPlane * out, int n, int is_rgb, const RefInpaint * params,
    RefInpaintStats * stats);
