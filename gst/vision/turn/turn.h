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
 * @flip_x: whether left and right are exchanged; done after @transposed
 * @flip_y: whether top and bottom are exchanged; done after @transposed
 * @x: first column of the input that is visible after cropping, in luma and in chroma samples
 * @y: first row of the input that is visible after cropping, in luma and in chroma samples
 * @bands: number of bands of rows if the output is high enough; each work-item processes one
 *
 * Describes a conversion that moves samples without changing their values.
 */
typedef struct
{
  gboolean transposed, flip_x, flip_y;
  gint x[2], y[2];
  gint bands;
} MgpuTurn;

/* Returns: TRUE if the kernel that turns frames supports the format and the size of the output
 * frame @out */
gboolean mgpu_turn_is_supported (const GstVideoInfo * out);

/* Appends the -D definitions for the kernel "turn_frame" of kernels/turn/turn.cl to the compiler
 * options @options. */
void mgpu_turn_define (const GstVideoInfo * out, const MgpuTurn * turn, GString * options);

/* Enqueues the kernel "turn_frame", which rotates, mirrors or crops the frame @in and writes it
 * to @out. Both frames have the same format. Errors stay in @job. */
void mgpu_turn_enqueue (const MgpuTurn * turn, cl_kernel kernel, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out);

G_END_DECLS
