/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>
#include "plan.h"

G_BEGIN_DECLS

/* Knob that all algorithms of inpainting have. */
#define MGPU_INPAINT_ROW_GROUP {"ROW_GROUP", {1, 64, 64}, "1 16 32 64 128", "work-items that share a row"}

/* Takes out the seams between pixels that were copied from different places. */
typedef struct _MgpuInpaintSeam MgpuInpaintSeam;

/* Algorithm that takes out seams. mgpu_object_new() makes a MgpuInpaintSeam of it, for
 * frames of any size. */
extern const MgpuAlgorithm mgpu_inpaint_seam;

/* Describes the work on one frame. The memories object and origin are those of
 * kernels/inpaint/front.h. The memory samples has an int for each pixel, for one colour
 * at a time: the caller fills it before mgpu_inpaint_seam_add(), and
 * mgpu_inpaint_seam_get() writes the result to it. When is_blended is TRUE, the caller
 * also fills the samples of unknown pixels, and the memory beside, which
 * kernels/inpaint/seam.cl describes; otherwise unknown pixels are copied from the places
 * in origin. hole is the box around the unknown pixels, depth the number of bits of a
 * sample, width and height are the size of the frame. */
typedef struct
{
  cl_mem object, origin, samples, beside;
  gboolean is_blended;
  gint width, height;
  MgpuBox hole;
  gint depth;
} MgpuInpaintSeams;

#define MGPU_INPAINT_SEAM_MAX_COLOURS 3

/* Begins a frame: allocates memory for n_colours colours. FALSE: the error is in job. */
gboolean mgpu_inpaint_seam_start (MgpuInpaintSeam * self, GstMgpuJob * job, const MgpuInpaintSeams * seams,
    guint n_colours);

/* Adds a colour of the frame, whose samples are in seams->samples. */
void mgpu_inpaint_seam_add (MgpuInpaintSeam * self, GstMgpuJob * job, const MgpuInpaintSeams * seams, guint colour);

/* Computes the result for all colours. Called after all colours are added. */
void mgpu_inpaint_seam_solve (MgpuInpaintSeam * self, GstMgpuJob * job, const MgpuInpaintSeams * seams,
    guint n_colours);

/* Writes the result of a colour to seams->samples. */
void mgpu_inpaint_seam_get (MgpuInpaintSeam * self, GstMgpuJob * job, const MgpuInpaintSeams * seams, guint colour);

G_END_DECLS
