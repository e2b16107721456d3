/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuInpaintShortcuts:
 * @MGPU_INPAINT_EARLY: the comparison of a patch with a source patch stops when
 *   this source cannot be the best any more
 * @MGPU_INPAINT_SEEDED: a search first compares the source patches that
 *   continue the source patches of neighbours; with @MGPU_INPAINT_EARLY only
 * @MGPU_INPAINT_SIDE_BY_SIDE: objects that are too far apart to change each
 *   other are filled at the same time
 * @MGPU_INPAINT_AHEAD: source patches for several target patches are searched
 *   at the same time, before it is the turn of these target patches
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

/**
 * MgpuInpaintMethod:
 * @MGPU_INPAINT_EXEMPLAR: with patches, one after the other
 * @MGPU_INPAINT_HARMONIC: with a membrane (a smooth surface) that continues the
 *   known pixels
 * @MGPU_INPAINT_PATCHMATCH: with patches that are all found at once, from
 *   coarse to fine
 * @MGPU_INPAINT_AUTO: with the method that suits the mask
 *
 * Tells how holes are filled.
 */
typedef enum
{
  MGPU_INPAINT_EXEMPLAR,
  MGPU_INPAINT_HARMONIC,
  MGPU_INPAINT_PATCHMATCH,
  MGPU_INPAINT_AUTO
} MgpuInpaintMethod;

/* Holds the parameters of inpainting. @patch_size is the width and height of a patch in
 * pixels, an odd number. @search_factor says how far beyond the box around an object
 * source patches are searched, as a multiple of the size of this box; negative: in the
 * whole frame. @shortcuts has flags of MgpuInpaintShortcuts. @keep: whether all frames
 * are filled from the source patches that were found for the first frame; without effect
 * when there is a time budget. */
typedef struct
{
  gint patch_size;
  gdouble search_factor;
  MgpuInpaintShortcuts shortcuts;
  MgpuInpaintMethod method;
  gboolean keep;
} MgpuInpaintParams;

/**
 * MgpuInpaintResult:
 * @MGPU_INPAINT_NOTHING: no pixel is unknown
 * @MGPU_INPAINT_EVERYTHING: no pixel is known: the frame stays as it is
 * @MGPU_INPAINT_COPIES: the holes are filled with patches
 * @MGPU_INPAINT_DIFFUSES: there is no source patch: the holes are filled with means of
 *   neighbouring pixels
 * @MGPU_INPAINT_LAYS: the holes are filled with the smooth surface (membrane) that
 *   continues the known pixels around them
 *
 * Tells how the holes of a frame are filled.
 */
typedef enum
{
  MGPU_INPAINT_NOTHING,
  MGPU_INPAINT_EVERYTHING,
  MGPU_INPAINT_COPIES,
  MGPU_INPAINT_DIFFUSES,
  MGPU_INPAINT_LAYS
} MgpuInpaintResult;

/**
 * MgpuInpaintWay:
 * @MGPU_INPAINT_ANEW: with newly searched source patches
 * @MGPU_INPAINT_REPLAYED: with source patches at the positions of the frame before
 * @MGPU_INPAINT_FOLLOWED: with some source patches at other positions than in the frame
 *   before
 * @MGPU_INPAINT_UNFINISHED: there was no time to fill all pixels; the next frames go on
 *
 * Tells how the hole of a video frame was filled.
 */
typedef enum
{
  MGPU_INPAINT_ANEW,
  MGPU_INPAINT_REPLAYED,
  MGPU_INPAINT_FOLLOWED,
  MGPU_INPAINT_UNFINISHED
} MgpuInpaintWay;

/* Type of a function that is called during the work on a frame. @done is the fraction of
 * the hole that is filled, from 0 to 1.
 * Returns: FALSE to stop the work, because the frame is not needed any more */
typedef gboolean (*MgpuInpaintProgress) (gdouble done, gpointer data);

typedef struct _MgpuInpaint MgpuInpaint;

/* Describes the algorithm that fills holes in frames with patches of other pixels. An
 * object of mgpu_object_new() is a MgpuInpaint, for frames of the format and size of the
 * parameter @in. */
extern const MgpuAlgorithm mgpu_inpaint;

/* Sets the mask for the next frames. @unknown has a byte for each pixel of the frame: 1 for
 * pixels to be filled, otherwise 0. @forbidden has the same number of bytes: 1 for pixels that
 * must not be copied, otherwise 0; it may be NULL. Computes the fill plan (objects, search
 * windows, source patches) anew each time, even when the mask has not changed. Call
 * mgpu_inpaint_set_temporal() before this function: if patches are reused, the plan is made for
 * patches that are found one after the other.
 * Returns: how frames with this mask are filled */
MgpuInpaintResult mgpu_inpaint_set_mask (MgpuInpaint * self, const guint8 * unknown, const guint8 * forbidden,
    const MgpuInpaintParams * params);

/* Makes the hole smaller, without searching new source patches. The memory @unknown has a
 * byte for each pixel of the frame: 1 for pixels of the mask that are still unknown,
 * otherwise 0; kernels of @job read it. All other pixels of the mask count as known when seams
 * are removed, and are not written to frames, until the next mask. Errors stay in @job. */
void mgpu_inpaint_narrow (MgpuInpaint * self, GstMgpuJob * job, GstMgpuMemory * unknown);

/* Sets whether a frame is filled from the source patches of the previous frame, or from source
 * patches near these, as long as they fit; the initial value is FALSE. @budget is the time limit
 * for a frame, in microseconds, which begins with this call, so it is set for each frame; 0: no
 * limit. Pixels for which there is no time are filled with means of known pixels in this frame,
 * and with patches in the next frames. */
void mgpu_inpaint_set_temporal (MgpuInpaint * self, gboolean temporal, GTimeSpan budget);

/* Sets whether an unknown pixel becomes the mean of all patches that cover it. The initial value
 * is FALSE: an unknown pixel then has the value of the first patch that covers it. */
void mgpu_inpaint_set_blend (MgpuInpaint * self, gboolean blend);

/* Sets whether seams between patches, and between patches and known pixels, are removed; the
 * initial value is FALSE. */
void mgpu_inpaint_set_seam (MgpuInpaint * self, gboolean seam);

/* Forgets the source patches of earlier frames: the next frame is filled with newly
 * searched patches. */
void mgpu_inpaint_forget (MgpuInpaint * self);

/* Returns: the width and height, in pixels, of the patches with which this mask is filled;
 * differs from the parameter @patch_size if the method has its own size */
gint mgpu_inpaint_get_patch_size (const MgpuInpaint * self);

/* Returns: how the unknown pixels of the last frame were filled */
MgpuInpaintWay mgpu_inpaint_get_way (const MgpuInpaint * self);

/* Fills the unknown pixels of the frame @in, and writes the frame to @out, which has
 * another memory. Waits for most of the work on the device. The callback @progress may be
 * NULL. Returns: FALSE when @progress stopped the work; errors stay in @job */
gboolean mgpu_inpaint_enqueue (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    MgpuInpaintProgress progress, gpointer data);

G_END_DECLS
