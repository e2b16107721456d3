/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/**
 * MgpuTurn:
 * @transposed: whether columns become rows
 * @flip_x: whether left and right change places, after @transposed
 * @flip_y: whether top and bottom change places, after @transposed
 * @x: first column of the input that is visible after cropping, in luma and in chroma samples
 * @y: first row of the input that is visible after cropping, in luma and in chroma samples
 * @bands: number of bands of rows, each for a work-item, if the output is high enough
 *
 * Describes a conversion that moves samples and does not change their values.
 */
typedef struct
{
  gboolean transposed, flip_x, flip_y;
  gint x[2], y[2];
  gint bands;
} MgpuTurn;

/* Returns: TRUE when the kernel that turns frames supports the format and the size of the
 * frame @out */
gboolean mgpu_turn_is_supported (const GstVideoInfo * out);

/* Appends to the compiler options @options the -D definitions for the kernel "turn_frame"
 * of kernels/turn/turn.cl. */
void mgpu_turn_define (const GstVideoInfo * out, const MgpuTurn * turn, GString * options);

/* Enqueues the kernel "turn_frame", which rotates, mirrors or crops the frame @in and
 * writes it to @out. Both frames have the same format. Errors stay in @job. */
void mgpu_turn_enqueue (const MgpuTurn * turn, cl_kernel kernel, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out);

G_END_DECLS
