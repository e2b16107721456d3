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
 * Ways to make inpainting faster, which change no byte.
 */
typedef enum
{
  MGPU_INPAINT_EARLY = 1 << 0,
  MGPU_INPAINT_SEEDED = 1 << 1,
  MGPU_INPAINT_SIDE_BY_SIDE = 1 << 2,
  MGPU_INPAINT_AHEAD = 1 << 3,
  MGPU_INPAINT_ALL_SHORTCUTS = (1 << 4) - 1
} MgpuInpaintShortcuts;

/* patch_size: odd. search_factor: how far beyond the box around an object patches are
 * looked for, in parts of the size of the box; negative: in the whole frame. */
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

/* Hears which part of a frame is done, from 0 to 1, while it is worked on. Returns:
 * FALSE when the frame is not needed any more, so that the work stops */
typedef gboolean (*MgpuInpaintProgress) (gdouble done, gpointer data);

typedef struct _MgpuInpaint MgpuInpaint;

/* Its objects are MgpuInpaint, for frames of the format and size of in. */
extern const MgpuAlgorithm mgpu_inpaint;

/* Sets the mask of the frames to come. unknown: width x height bytes, 1 for pixels that are to be filled, otherwise 0.
 * forbidden: the same for pixels that are not to be copied; may be NULL. Takes time, even when the mask is the same. */
MgpuInpaintResult mgpu_inpaint_set_mask (MgpuInpaint * self, const guint8 * unknown, const guint8 * forbidden,
    const MgpuInpaintParams * params);

/* Sets whether a frame is filled from the places of the frame before, or nearby, as long as that fits; FALSE at first.
 * budget: microseconds that a frame may take then; 0: no limit. Pixels for which there is no time are filled with
 * means, and with patches in the next frames. */
void mgpu_inpaint_set_temporal (MgpuInpaint * self, gboolean temporal, GTimeSpan budget);

/* Sets whether a pixel becomes the mean of all patches over it; FALSE at first: it stays as the first patch filled it. */
void mgpu_inpaint_set_blend (MgpuInpaint * self, gboolean blend);

/* Sets whether seams are taken out, between patches, and between patches and known pixels; FALSE at first. */
void mgpu_inpaint_set_seam (MgpuInpaint * self, gboolean seam);

/* Forgets the frames that came before. */
void mgpu_inpaint_forget (MgpuInpaint * self);

/* Returns: how the last frame was filled */
MgpuInpaintWay mgpu_inpaint_get_way (const MgpuInpaint * self);

/* Fills the hole of in, and writes the frame to out, another memory. Waits for most of the work. progress may be NULL.
 * Returns: FALSE when progress stopped the work; errors stay in job */
gboolean mgpu_inpaint_enqueue (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    MgpuInpaintProgress progress, gpointer data);

G_END_DECLS
