/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/**
 * MgpuTurn:
 * @transposed: columns become rows
 * @flip_x: then left and right change places
 * @flip_y: then top and bottom
 * @x: first column of the input that is seen, in luma and in chroma samples
 * @y: first row
 * @bands: parts of the output, if it is high enough, that processors share
 *
 * What a conversion is that moves samples and does not change them.
 */
typedef struct
{
  gboolean transposed, flip_x, flip_y;
  gint x[2], y[2];
  gint bands;
} MgpuTurn;

/* TRUE for formats and sizes that the kernel takes: of the output. */
gboolean mgpu_turn_is_supported (const GstVideoInfo * out);

/* Appends the options that the kernel "turn_frame" of "turn/turn" is built with. */
void mgpu_turn_define (const GstVideoInfo * out, const MgpuTurn * turn, GString * options);

/* One launch. in and out: frames of one format. Errors stay in job. */
void mgpu_turn_enqueue (const MgpuTurn * turn, cl_kernel kernel, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out);

G_END_DECLS
