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

/* As mgpu_inpaint_set_mask(), of the frames to come. */
void mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params);

/* The next frame has nothing to do with the ones before. */
void mgpu_inpaint_background_forget (MgpuInpaintBackground * self);

/* As mgpu_inpaint_enqueue(), with inpaint for what is left. is_new: whether that is something else than in the frame
 * before, and *result what happens to it. */
gboolean mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, MgpuInpaintProgress progress, gpointer data,
    MgpuInpaintResult * result, gboolean * is_new);

G_END_DECLS
