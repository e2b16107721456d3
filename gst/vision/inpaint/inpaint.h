/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuInpaintShortcuts:
 * @MGPU_INPAINT_EARLY: sources are given up that cannot be the best any more
 * @MGPU_INPAINT_SEEDED: a search begins with how well sources fit that go on with
 *   those of the neighbours; with @MGPU_INPAINT_EARLY only
 * @MGPU_INPAINT_SIDE_BY_SIDE: objects that have nothing to do with each other are
 *   filled at the same time
 * @MGPU_INPAINT_AHEAD: sources are looked for before it is the turn of their
 *   targets, several at the same time
 *
 * What makes it faster and changes no byte.
 */
typedef enum
{
  MGPU_INPAINT_EARLY = 1 << 0,
  MGPU_INPAINT_SEEDED = 1 << 1,
  MGPU_INPAINT_SIDE_BY_SIDE = 1 << 2,
  MGPU_INPAINT_AHEAD = 1 << 3,
  MGPU_INPAINT_ALL_SHORTCUTS = (1 << 4) - 1
} MgpuInpaintShortcuts;

/* patch_size: odd. search_factor: by what part of its size the box around an
 * object is larger where patches are looked for; -1: the whole frame. */
typedef struct
{
  gint patch_size;
  gdouble search_factor;
  MgpuInpaintShortcuts shortcuts;
} MgpuInpaintParams;

/**
 * MgpuInpaintResult:
 * @MGPU_INPAINT_NOTHING: no pixel is unknown
 * @MGPU_INPAINT_EVERYTHING: no pixel is known: the frame stays as it is
 * @MGPU_INPAINT_COPIES: the holes are filled with patches
 * @MGPU_INPAINT_DIFFUSES: there is no source patch: they are filled with means
 *
 * What happens to a frame.
 */
typedef enum
{
  MGPU_INPAINT_NOTHING,
  MGPU_INPAINT_EVERYTHING,
  MGPU_INPAINT_COPIES,
  MGPU_INPAINT_DIFFUSES
} MgpuInpaintResult;

/**
 * MgpuInpaintWay:
 * @MGPU_INPAINT_ANEW: by itself
 * @MGPU_INPAINT_REPLAYED: all patches from where they were in the frame before
 * @MGPU_INPAINT_FOLLOWED: some from another place
 * @MGPU_INPAINT_UNFINISHED: there was no time for all; the next frames go on
 *
 * How a frame was filled.
 */
typedef enum
{
  MGPU_INPAINT_ANEW,
  MGPU_INPAINT_REPLAYED,
  MGPU_INPAINT_FOLLOWED,
  MGPU_INPAINT_UNFINISHED
} MgpuInpaintWay;

/* Told while a frame is worked on how much of it is done, from 0 to 1. FALSE: stop,
 * the frame is not needed any more. */
typedef gboolean (*MgpuInpaintProgress) (gdouble done, gpointer data);

typedef struct _MgpuInpaint MgpuInpaint;

/* Its objects are MgpuInpaint, for frames of the format and size of in. */
extern const MgpuAlgorithm mgpu_inpaint;

/* What is unknown in the frames to come. unknown, forbidden: width x height bytes, 0 or 1; forbidden are
 * pixels that are not to be copied, it may be NULL. Costs time, even when the mask is the same. */
MgpuInpaintResult mgpu_inpaint_set_mask (MgpuInpaint * self, const guint8 * unknown, const guint8 * forbidden,
    const MgpuInpaintParams * params);

/* Whether a frame is filled from where the one before was or nearby, as long as that fits; FALSE at first. budget: how
 * long a frame may take then, 0: as long as it needs. What is not done in time is filled with means, and is done in the
 * next frames. */
void mgpu_inpaint_set_temporal (MgpuInpaint * self, gboolean temporal, GTimeSpan budget);

/* Whether a pixel becomes the mean of what all patches over it have; FALSE at first: what the one has that came first. */
void mgpu_inpaint_set_blend (MgpuInpaint * self, gboolean blend);

/* Whether seams between patches, and where they meet what was known, are taken out; FALSE at first. */
void mgpu_inpaint_set_seam (MgpuInpaint * self, gboolean seam);

/* The next frame has nothing to do with the ones before. */
void mgpu_inpaint_forget (MgpuInpaint * self);

/* How the last frame was filled. */
MgpuInpaintWay mgpu_inpaint_get_way (const MgpuInpaint * self);

/* in and out: frames like info, not the same memory. Returns when all is enqueued, which is only after most of it
 * is done. progress may be NULL. FALSE when progress said so; errors stay in job. */
gboolean mgpu_inpaint_enqueue (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    MgpuInpaintProgress progress, gpointer data);

G_END_DECLS
