/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuInpaintShortcuts:
 * @MGPU_INPAINT_EARLY: the comparison with a source stops when this source cannot be the
 *   best any more
 * @MGPU_INPAINT_SEEDED: a search first compares the sources that continue the sources of
 *   the target's neighbours; with @MGPU_INPAINT_EARLY only
 * @MGPU_INPAINT_SIDE_BY_SIDE: objects that are too far apart to change each other are
 *   filled at the same time
 * @MGPU_INPAINT_AHEAD: the sources of several targets are looked for at the same time,
 *   before it is the turn of these targets
 *
 * Ways to make inpainting faster, which change no byte of the result.
 */
typedef enum
{
  MGPU_INPAINT_EARLY = 1 << 0,
  MGPU_INPAINT_SEEDED = 1 << 1,
  MGPU_INPAINT_SIDE_BY_SIDE = 1 << 2,
  MGPU_INPAINT_AHEAD = 1 << 3,
  MGPU_INPAINT_ALL_SHORTCUTS = (1 << 4) - 1
} MgpuInpaintShortcuts;

/* Holds the parameters. patch_size is the width and height of a patch in pixels, and odd.
 * search_factor is how far beyond the box around an object source patches are looked for,
 * as a multiple of the size of this box; negative: in the whole frame. */
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
 * @MGPU_INPAINT_DIFFUSES: there is no source patch: the holes are filled with means of
 *   neighbouring pixels
 *
 * Tells how the holes of a frame are filled.
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
 * @MGPU_INPAINT_ANEW: without patches of earlier frames
 * @MGPU_INPAINT_REPLAYED: all patches come from the same places as in the frame before
 * @MGPU_INPAINT_FOLLOWED: some patches come from other places than in the frame before
 * @MGPU_INPAINT_UNFINISHED: there was no time to fill all pixels; the next frames go on
 *
 * Tells how a frame was filled in a video.
 */
typedef enum
{
  MGPU_INPAINT_ANEW,
  MGPU_INPAINT_REPLAYED,
  MGPU_INPAINT_FOLLOWED,
  MGPU_INPAINT_UNFINISHED
} MgpuInpaintWay;

/* Callback during the work on a frame. The parameter done is the part of the hole that is
 * filled, from 0 to 1. Returns: FALSE when the frame is not needed any more, so that the
 * work stops */
typedef gboolean (*MgpuInpaintProgress) (gdouble done, gpointer data);

typedef struct _MgpuInpaint MgpuInpaint;

/* Algorithm that fills holes. mgpu_object_new() makes a MgpuInpaint of it, for frames of
 * the format and size of its parameter in. */
extern const MgpuAlgorithm mgpu_inpaint;

/* Sets the mask for the next frames. The parameter unknown has width x height bytes: 1
 * for pixels to be filled, otherwise 0. The parameter forbidden has the same number of
 * bytes: 1 for pixels that must not be copied, otherwise 0; it may be NULL. Makes a new
 * plan each time, even when the mask is the same. Returns: how frames are filled then */
MgpuInpaintResult mgpu_inpaint_set_mask (MgpuInpaint * self, const guint8 * unknown, const guint8 * forbidden,
    const MgpuInpaintParams * params);

/* Sets whether a frame is filled from the same places as the frame before, or from places
 * nearby, as long as these patches fit; FALSE at first. The parameter budget is the time
 * for a frame in microseconds then; 0: no limit. Pixels for which there is no time are
 * filled with means of known pixels, and with patches in the next frames. */
void mgpu_inpaint_set_temporal (MgpuInpaint * self, gboolean temporal, GTimeSpan budget);

/* Sets whether an unknown pixel becomes the mean of all patches that cover it; FALSE at
 * first: it keeps the value of the first patch that covers it. */
void mgpu_inpaint_set_blend (MgpuInpaint * self, gboolean blend);

/* Sets whether seams between patches, and between patches and known pixels, are taken
 * out; FALSE at first. */
void mgpu_inpaint_set_seam (MgpuInpaint * self, gboolean seam);

/* Forgets the frames that came before. */
void mgpu_inpaint_forget (MgpuInpaint * self);

/* Returns: how the last frame was filled */
MgpuInpaintWay mgpu_inpaint_get_way (const MgpuInpaint * self);

/* Fills the hole in the frame in, and writes the frame to out, which has another memory.
 * Waits for most of the work on the device. The parameter progress may be NULL. Returns:
 * FALSE when progress stopped the work; errors stay in job */
gboolean mgpu_inpaint_enqueue (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    MgpuInpaintProgress progress, gpointer data);

G_END_DECLS
