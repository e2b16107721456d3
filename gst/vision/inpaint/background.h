/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "inpaint.h"

G_BEGIN_DECLS

/* Inpaints frames of a camera that does not move. Pixels behind objects are filled with
 * the colours seen there in earlier frames, and with patches where none were seen. */
typedef struct _MgpuInpaintBackground MgpuInpaintBackground;

/* Algorithm that remembers the background. mgpu_object_new() makes a
 * MgpuInpaintBackground of it, for frames of the format and size of its parameter in. */
extern const MgpuAlgorithm mgpu_inpaint_background;

/* Sets the mask as mgpu_inpaint_set_mask() does. */
void mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params);

/* Forgets the frames that came before. */
void mgpu_inpaint_background_forget (MgpuInpaintBackground * self);

/* Fills the hidden pixels of the frame in, and writes the frame to out, as
 * mgpu_inpaint_enqueue() does. Uses the object inpaint only for pixels that were never
 * visible. Sets *is_new to whether these pixels are not the same as in the frame before,
 * and *result to how inpaint fills them. */
gboolean mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, MgpuInpaintProgress progress, gpointer data,
    MgpuInpaintResult * result, gboolean * is_new);

G_END_DECLS
