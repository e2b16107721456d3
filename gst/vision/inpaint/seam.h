/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>
#include "plan.h"

G_BEGIN_DECLS

/* The knob that all parts of inpainting have */
#define MGPU_INPAINT_ROW_GROUP {"ROW_GROUP", {1, 64, 64}, "1 16 32 64 128", "work-items that share a row"}

/* Takes out the seams between what was copied from different places. */
typedef struct _MgpuInpaintSeam MgpuInpaintSeam;

/* Its objects are MgpuInpaintSeam, for frames of any size. */
extern const MgpuAlgorithm mgpu_inpaint_seam;

/* Tells what is to be done in a frame. object, origin: as in kernels/inpaint/front.h. samples: ints of all pixels, of one
 * colour before mgpu_inpaint_seam_add() of it, and after mgpu_inpaint_seam_get(). is_blended: before, those of unknown
 * pixels are there as well, and beside is as in kernels/inpaint/seam.cl; otherwise origin says what they are. hole: the
 * box around what is unknown in a frame of this size. depth: bits of the samples. */
typedef struct
{
  cl_mem object, origin, samples, beside;
  gboolean is_blended;
  gint width, height;
  MgpuBox hole;
  gint depth;
} MgpuInpaintSeams;

#define MGPU_INPAINT_SEAM_MAX_COLOURS 3

/* Makes room for n_colours. FALSE: the error is in job. */
gboolean mgpu_inpaint_seam_start (MgpuInpaintSeam * self, GstMgpuJob * job, const MgpuInpaintSeams * seams,
    guint n_colours);

void mgpu_inpaint_seam_add (MgpuInpaintSeam * self, GstMgpuJob * job, const MgpuInpaintSeams * seams, guint colour);

/* After all colours are added. */
void mgpu_inpaint_seam_solve (MgpuInpaintSeam * self, GstMgpuJob * job, const MgpuInpaintSeams * seams,
    guint n_colours);

void mgpu_inpaint_seam_get (MgpuInpaintSeam * self, GstMgpuJob * job, const MgpuInpaintSeams * seams, guint colour);

G_END_DECLS
