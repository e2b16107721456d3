/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The state of the detection of moving objects. The program kernelcheck compares the planes in this
 * state. */
#pragma once

#include "moving.h"

G_BEGIN_DECLS

/* Indices of the slots: scratch buffers in device memory */
enum
{
  MGPU_MOVING_TABLE,
  MGPU_MOVING_WORDS,            /* planes of guint16: see moving-shared.h */
  MGPU_MOVING_BYTES,            /* planes of bytes */
  MGPU_MOVING_BINS,
  MGPU_MOVING_FIELD,            /* state of the light model that is kept from frame to frame */
  MGPU_MOVING_FOLLOWED,         /* a plane of guint16: the change of brightness to which the
                                 * background was adapted; then a plane for the change of brightness
                                 * of the frame, used if the caller passes no memory for it */
  MGPU_MOVING_SUMS,
  MGPU_MOVING_CELLS,
  MGPU_MOVING_COMPONENTS,
  MGPU_MOVING_SHOWN,
  MGPU_MOVING_LABELS,
  MGPU_MOVING_HEAT,
  MGPU_MOVING_N_SLOTS
};

struct _MgpuMoving
{
  MgpuObject object;
  MgpuMovingSize size;
  gint stride, plane;           /* number of elements of a row and of a plane, including margins */
  gint block, block_columns, block_rows;        /* number of blocks of the brightness field, in x
                                                 * and y */
  gsize group[2];               /* size of the work-groups of most kernels */
  guint n_learned, n_forgotten;
  gboolean drops_evidence;      /* whether the evidence of motion is reset before the next frame */
};

G_END_DECLS
