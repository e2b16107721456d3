/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The state of the detection of moving objects; kernelcheck compares its planes. */
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
  MGPU_MOVING_FIELD,            /* the memory of light */
  MGPU_MOVING_FOLLOWED,         /* a plane of guint16: the light that the background has followed;
                                 * then a plane for the light of the frame, if nobody asks for it */
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
  gint stride, plane;           /* elements of a row and of a plane, with margins */
  gint block, block_columns, block_rows;        /* blocks of light */
  gsize group[2];               /* work-items of a work-group of most kernels */
  guint n_learned, n_forgotten;
  gboolean drops_evidence;      /* whether the next frame begins without evidence */
};

G_END_DECLS
