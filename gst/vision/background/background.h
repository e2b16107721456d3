/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/inpaint/inpaint.h>

G_BEGIN_DECLS

/* Inpaints frames. Pixels behind objects get the colours that were seen there in earlier
 * frames; where none were seen, patches of other pixels are copied. The camera stands still
 * unless mgpu_inpaint_background_set_camera() was told that it moves. */
typedef struct _MgpuInpaintBackground MgpuInpaintBackground;

/* Describes the algorithm that remembers the background and inpaints with it. An object
 * of mgpu_object_new() is a MgpuInpaintBackground, for frames of the format and size of
 * the parameter @in. */
extern const MgpuAlgorithm mgpu_inpaint_background;

/* Sets the mask of pixels to be filled in the next frames; the arguments are those of
 * mgpu_inpaint_set_mask(). */
void mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params);

/* Sets whether moving objects stay visible behind a mask that does not move, drawn as they looked
 * when they were last seen whole. The initial value is FALSE: moving objects then disappear
 * behind the mask. */
void mgpu_inpaint_background_set_passing (MgpuInpaintBackground * self, gboolean passing);

/* Sets whether the camera moves. If it does, the remembered background is shifted with the camera
 * by whole pixels, and pixels that patches filled are also remembered, until the background is
 * visible there. The initial value is FALSE. A change of the value makes the object forget the
 * background. mgpu_inpaint_background_look() may only be called while the value is FALSE. */
void mgpu_inpaint_background_set_camera (MgpuInpaintBackground * self, gboolean moves);

/* Returns: whether the frame @in, with the mask @unknown, belongs to another scene than the
 * background. If so, the caller has to fill the frames given to mgpu_inpaint_background_look() so
 * far, then to forget the background, and then to pass this frame to that function. Waits for the
 * device. FALSE also after an error, which is in @job */
gboolean mgpu_inpaint_background_is_cut (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const guint8 * unknown);

/* Remembers the pixels that are visible in the frame @in, with the mask @unknown. The frame is
 * filled only after this function was called for some later frames. Errors stay in @job. */
void mgpu_inpaint_background_look (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const guint8 * unknown);

/* Forgets the background of earlier frames. */
void mgpu_inpaint_background_forget (MgpuInpaintBackground * self);

/* Fills the hidden pixels of the frame @in, and writes the frame to @out, as
 * mgpu_inpaint_enqueue() does. If @was_seen is FALSE, first remembers what is visible in the
 * frame; TRUE: mgpu_inpaint_background_look() has done so. The object @inpaint fills, with
 * patches, the hidden pixels that were never visible. Sets *is_new to whether new patches are
 * searched for these pixels (or no such pixel is left), and *result to how @inpaint fills them.
 * Returns: FALSE when @progress stopped the work; errors stay in @job */
gboolean mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, gboolean was_seen, MgpuInpaintProgress progress, gpointer data,
    MgpuInpaintResult * result, gboolean * is_new);

/* Sets *n_passing to the number of hidden pixels of the last frame that show a moving
 * object, *n_seen to the number of the other hidden pixels that were filled with the
 * colour seen there in earlier frames, and *n_unseen to the number of hidden pixels that
 * were filled with patches or in another way. */
void mgpu_inpaint_background_count (const MgpuInpaintBackground * self, guint * n_seen, guint * n_unseen,
    guint * n_passing);

G_END_DECLS
