/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "inpaint.h"

G_BEGIN_DECLS

/* Inpaints frames of a camera that does not move. Pixels behind objects get the colours
 * that were seen there in earlier frames; where none were seen, patches of other pixels
 * are copied. */
typedef struct _MgpuInpaintBackground MgpuInpaintBackground;

/* Describes the algorithm that remembers the background and inpaints with it.
 * An object of mgpu_object_new() is a MgpuInpaintBackground, for frames of the
 * format and size of the parameter in. */
extern const MgpuAlgorithm mgpu_inpaint_background;

/* Sets the mask of pixels to be filled, as mgpu_inpaint_set_mask() does. */
void mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params);

/* Forgets the background of earlier frames. */
void mgpu_inpaint_background_forget (MgpuInpaintBackground * self);

/* Fills the hidden pixels of the frame in, and writes the frame to out, as
 * mgpu_inpaint_enqueue() does. The parameter inpaint is the object that fills
 * pixels that were never visible. Sets *is_new to whether these pixels differ
 * from those of the frame before, and *result to how inpaint fills them.
 * Returns: FALSE when @progress stopped the work; errors stay in @job */
gboolean mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, MgpuInpaintProgress progress, gpointer data,
    MgpuInpaintResult * result, gboolean * is_new);

/* Sets *n_seen to the number of pixels of the last frame that were filled with what was seen
 * there in earlier frames, and *n_unseen to the number of those that were filled otherwise. */
void mgpu_inpaint_background_count (const MgpuInpaintBackground * self, guint * n_seen, guint * n_unseen);

G_END_DECLS
