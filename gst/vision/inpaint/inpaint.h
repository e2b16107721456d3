/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuInpaintShortcuts:
 * @MGPU_INPAINT_EARLY: the comparison of a patch with a source patch stops as soon as this source
 *   patch can no longer be the best one
 * @MGPU_INPAINT_SEEDED: a search starts with the source patches that continue the source patches of
 *   neighbors; has an effect only with @MGPU_INPAINT_EARLY
 * @MGPU_INPAINT_SIDE_BY_SIDE: objects that are too far apart to affect each other are filled at the
 *   same time
 * @MGPU_INPAINT_AHEAD: source patches are searched for several target patches at the same time,
 *   before these target patches are filled
 *
 * Optimizations of inpainting. They do not change the result.
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
 * @MGPU_INPAINT_EXEMPLAR: patches, one after the other
 * @MGPU_INPAINT_HARMONIC: a membrane (a smooth surface) that continues the known pixels
 * @MGPU_INPAINT_PATCHMATCH: patches that are all found at once, from coarse to fine
 * @MGPU_INPAINT_AUTO: the method is chosen by the shape of the mask
 * @MGPU_INPAINT_DIRECTIONAL: straight lines between similar colors on both sides of the hole
 *
 * Method that fills holes.
 */
typedef enum
{
  MGPU_INPAINT_EXEMPLAR,
  MGPU_INPAINT_HARMONIC,
  MGPU_INPAINT_PATCHMATCH,
  MGPU_INPAINT_AUTO,
  MGPU_INPAINT_DIRECTIONAL
} MgpuInpaintMethod;

/* Parameters of inpainting.
 * @patch_size: width and height of a patch, in pixels, an odd number
 * @search_factor: distance from the box around an object up to which source patches are
 *   searched for, as a multiple of the size of this box; negative: the whole frame is searched
 * @shortcuts: flags of MgpuInpaintShortcuts
 * @method: method that fills holes
 * @keep: whether all frames are filled from the source patches that were found for the first
 *   frame; ignored if there is a time budget */
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
 * @MGPU_INPAINT_EVERYTHING: no pixel is known: the frame is not changed
 * @MGPU_INPAINT_COPIES: the holes are filled with patches
 * @MGPU_INPAINT_DIFFUSES: there is no source patch: the holes are filled with means of neighboring
 *   pixels
 * @MGPU_INPAINT_LAYS: the holes are filled with a membrane (a smooth surface) that continues the
 *   known pixels around them, or along lines between these
 *
 * How the holes of a frame are filled.
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
 * @MGPU_INPAINT_ANEW: new source patches were searched for
 * @MGPU_INPAINT_REPLAYED: all source patches are at the same positions as in the previous frame
 * @MGPU_INPAINT_FOLLOWED: some source patches are at other positions than in the previous frame
 * @MGPU_INPAINT_UNFINISHED: the time was too short to fill all pixels; the next frames continue
 *
 * How the hole of a video frame was filled.
 */
typedef enum
{
  MGPU_INPAINT_ANEW,
  MGPU_INPAINT_REPLAYED,
  MGPU_INPAINT_FOLLOWED,
  MGPU_INPAINT_UNFINISHED
} MgpuInpaintWay;

/* Type of a function that is called during the work on a frame. @done is the fraction of the
 * hole that is filled, from 0 to 1. Returns: FALSE to stop the work because the frame is no
 * longer needed */
typedef gboolean (*MgpuInpaintProgress) (gdouble done, gpointer data);

typedef struct _MgpuInpaint MgpuInpaint;

/* Fills holes in frames with patches of other pixels. The object that mgpu_object_new() returns
 * is a MgpuInpaint. It is for frames of the format and size of the parameter @in. */
extern const MgpuAlgorithm mgpu_inpaint;

/* Sets the mask for the next frames. Computes the fill plan (objects, search windows, source
 * patches) again at each call, even if the mask has not changed. Call
 * mgpu_inpaint_set_temporal() before this function: if patches are reused, the plan is made for
 * patches that are found one after the other.
 * @unknown: a byte for each pixel of the frame, 1 for pixels to fill, otherwise 0
 * @forbidden: (nullable): a byte for each pixel, 1 for pixels that must not be copied, otherwise 0
 * Returns: how frames with this mask are filled */
MgpuInpaintResult mgpu_inpaint_set_mask (MgpuInpaint * self, const guint8 * unknown, const guint8 * forbidden,
    const MgpuInpaintParams * params);

/* Makes the hole smaller without searching for new source patches. The memory @unknown has a
 * byte for each pixel of the frame: 1 for pixels of the mask that are still unknown, otherwise
 * 0. Kernels of @job read it. Until the next mask is set, all other pixels of the mask count as
 * known when seams are removed, and are not written to frames. Errors stay in @job. */
void mgpu_inpaint_narrow (MgpuInpaint * self, GstMgpuJob * job, GstMgpuMemory * unknown);

/* Sets whether a frame is filled from the source patches of the previous frame, or from source
 * patches near these, as long as they match. The initial value is FALSE. @budget is the time
 * limit for a frame, in microseconds; 0 means no limit. The time starts with this call. The
 * budget must therefore be set for each frame. If the time is too short, the remaining pixels
 * are filled with means of known pixels in this frame, and with patches in the next frames. */
void mgpu_inpaint_set_temporal (MgpuInpaint * self, gboolean temporal, GTimeSpan budget);

/* Sets whether an unknown pixel becomes the mean of all patches that cover it. The initial value
 * is FALSE: an unknown pixel has the value of the first patch that covers it. */
void mgpu_inpaint_set_blend (MgpuInpaint * self, gboolean blend);

/* Sets whether seams between patches, and between patches and known pixels, are removed. The
 * initial value is FALSE. */
void mgpu_inpaint_set_seam (MgpuInpaint * self, gboolean seam);

/* Discards the source patches of earlier frames. New patches are searched for in the next frame. */
void mgpu_inpaint_forget (MgpuInpaint * self);

/* Returns: the width and height, in pixels, of the patches with which this mask is filled. They
 * differ from the parameter @patch_size if the method has its own patch size. */
gint mgpu_inpaint_get_patch_size (const MgpuInpaint * self);

/* Returns: how the unknown pixels of the last frame were filled */
MgpuInpaintWay mgpu_inpaint_get_way (const MgpuInpaint * self);

/* Fills the unknown pixels of the frame @in, and writes the frame to @out, which has a different
 * memory. Waits for most of the work on the device. The callback @progress may be NULL. Returns:
 * FALSE if @progress stopped the work; errors stay in @job */
gboolean mgpu_inpaint_enqueue (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out,
    MgpuInpaintProgress progress, gpointer data);

G_END_DECLS
