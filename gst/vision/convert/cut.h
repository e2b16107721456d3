/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "convert.h"

G_BEGIN_DECLS

/* Shows rectangular parts of frames as frames. All bytes of the struct are zero before the first call and
 * after mgpu_cut_clear(). */
typedef struct
{
  MgpuObject *convert;          /* object of mgpu_convert, owned; NULL until a part has to be
                                 * converted */
} MgpuCut;

/* Describes the part @rectangle of the frame @in in the image @part. The rectangle lies within the
 * frame. If it begins with a whole sample of each component, @part is in the memory of the frame.
 * Otherwise enqueues its conversion by mgpu_convert, with interpolated chroma, to a memory of
 * @self. Returns: FALSE after an error, which is in @job */
gboolean mgpu_cut_enqueue (MgpuCut * self, GstMgpuJob * job, const MgpuImage * in, const MgpuRectangle * rectangle,
    MgpuImage * part);

/* Enqueues the conversion of the part @rectangle of the frame @in to @out, which has the same format, and any
 * size. */
void mgpu_cut_enqueue_to (MgpuCut * self, GstMgpuJob * job, const MgpuImage * in, const MgpuRectangle * rectangle,
    const MgpuImage * out);

void mgpu_cut_clear (MgpuCut * self);

G_END_DECLS
