/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include <kernels/moving/moving-shared.h>

G_BEGIN_DECLS

typedef enum
{
  MGPU_MOVING_SHADOWS_REMOVE,
  MGPU_MOVING_SHADOWS_KEEP
} MgpuMovingShadows;

/* How changes of light are modeled: see docs/algorithms/moving.md */
typedef enum
{
  MGPU_MOVING_LIGHT_FIELD,
  MGPU_MOVING_LIGHT_TONE,
  MGPU_MOVING_LIGHT_OFF
} MgpuMovingLight;

/**
 * MgpuMovingParams:
 * @analysis_size: maximum of the longer side of the working image, 64 to 2048; it is read only by
 *   mgpu_object_new()
 * @sensitivity: 0.25 to 4
 * @min_area, @max_area: smallest and largest area of a region, as a fraction of the frame
 * @absorb_time: time, in seconds, after which a stationary object becomes background; 0: never
 * @shadows: a MgpuMovingShadows
 * @light: a MgpuMovingLight
 */
typedef struct
{
  guint analysis_size;
  gdouble sensitivity;
  gdouble min_area, max_area;
  gdouble absorb_time;
  gint shadows;
  gint light;
} MgpuMovingParams;

/* Number of frames after a start or after mgpu_moving.forget() for which no regions are reported,
 * because the background is not known yet */
#define MGPU_MOVING_WARM_UP 50

/* Size of the working image, the reduced frame that is analyzed: @width x @height pixels of the
 * reduced frame, each of which stands for @scale x @scale pixels of the frame. It has @columns x
 * @rows cells of @cell x @cell pixels of the reduced frame. */
typedef struct
{
  gint width, height, scale;
  gint cell, columns, rows;
  gint light_offset, light_stride;      /* element light_offset + y * light_stride + x of
                                         * MgpuMovingOutputs.light belongs to the pixel of the
                                         * reduced frame (x, y) */
  gint light_bytes;
} MgpuMovingSize;

/* Memories that mgpu_moving_enqueue() writes. Only @results is needed; the others may be NULL. */
typedef struct
{
  GstMgpuMemory *results;       /* a MgpuMovingResults */
  GstMgpuMemory *mask;          /* width x height bytes: MOVING_MASK in a region, MOVING_SHADOW
                                 * where a shadow was removed from a region, otherwise 0 */
  GstMgpuMemory *labels;        /* columns x rows guint16: number of the region of each cell,
                                 * starting at 1; 0 if there is no region */
  GstMgpuMemory *light;         /* MgpuMovingSize.light_bytes bytes: for each pixel of the
                                 * reduced frame, a guint16 with the change of brightness since
                                 * the background was forgotten, in 1/2048 octave, modulo 65536 */
  GstMgpuMemory *heat;          /* columns x rows guint16: the heat map. In each frame, the number
                                 * of each cell is reduced by 1/256 of its value, and increased by
                                 * 256 if a region covers the cell */
} MgpuMovingOutputs;

typedef struct _MgpuMoving MgpuMoving;

/* Describes the algorithm that finds moving objects in front of a fixed camera. An object of
 * mgpu_object_new() is a MgpuMoving, which keeps the background of its stream. The image @in has
 * any format that the elements of this plugin support; times are converted to numbers of frames by
 * its frame rate, or by 25 if it has none. mgpu_object_new() fails with GST_MGPU_ERROR_UNSUPPORTED
 * if the frames are too large for analysis_size. Its function forget() drops the background; the
 * next frame is learned from the start. */
extern const MgpuAlgorithm mgpu_moving;

MgpuMovingSize mgpu_moving_get_size (const MgpuMoving * self);

/* Returns: the number of times that the background was forgotten. The brightness changes of frames
 * with different numbers cannot be compared. */
guint mgpu_moving_get_n_forgotten (const MgpuMoving * self);

/* Enqueues the kernels that compare the frame @in with the background, learn from it, and write
 * @outputs. No kernel depends on a value that the host reads. Errors stay in @job.
 * @region: GRAY8 image of the size of @in; its pixels below 128 never count as moving. NULL: all
 * pixels count.
 * @is_enabled: FALSE: no pixel counts as moving; the background only learns from the frame. */
void mgpu_moving_enqueue (MgpuMoving * self, GstMgpuJob * job, const MgpuMovingParams * params,
    const MgpuImage * in, const MgpuImage * region, gboolean is_enabled,
    const MgpuMovingOutputs * outputs);

/* Drops the evidence of earlier frames, but not the background. Call this function before the first
 * frame after a gap. */
void mgpu_moving_drop_evidence (MgpuMoving * self);

/* Enqueues a kernel that writes the mask of the last frame that was passed to mgpu_moving_enqueue()
 * to the component @component of @out, which has 8 bits: 0 of a GRAY8 image, or 3, alpha. Each
 * pixel gets the value of the pixel of the reduced frame that contains it. @out has the size of the
 * frames. Errors stay in @job. */
void mgpu_moving_enqueue_mask (MgpuMoving * self, GstMgpuJob * job, const MgpuImage * out,
    guint component);

G_END_DECLS
