/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "inpaint.h"

G_BEGIN_DECLS

/* Inpainting with a camera that stands still: what objects hide is filled with what was seen there before, and only
 * what never was with patches. */
typedef struct _MgpuInpaintBackground MgpuInpaintBackground;

/* Its objects are MgpuInpaintBackground, for frames of the format and size of in. */
extern const MgpuAlgorithm mgpu_inpaint_background;

/* Sets the mask as mgpu_inpaint_set_mask() does. */
void mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params);

/* Forgets the frames that came before. */
void mgpu_inpaint_background_forget (MgpuInpaintBackground * self);

/* Works as mgpu_inpaint_enqueue() does, and fills only what was never visible with inpaint. is_new: (out): whether that
 * is not the same as in the frame before. result: (out): what happens to it. */
gboolean mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, MgpuInpaintProgress progress, gpointer data,
    MgpuInpaintResult * result, gboolean * is_new);

G_END_DECLS
