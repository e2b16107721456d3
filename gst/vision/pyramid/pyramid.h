/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Level 0 is the frame; level i + 1 has half the width and height of level i,
 * rounded up. */
#define MGPU_PYRAMID_MAX_LEVELS 16

/**
 * MgpuPyramidType:
 * @MGPU_PYRAMID_GAUSSIAN: each level is the one below it, smoothed and halved
 * @MGPU_PYRAMID_LAPLACIAN: each level but the last is its detail: what the
 *   level above it does not tell of it
 */
typedef enum
{
  MGPU_PYRAMID_GAUSSIAN,
  MGPU_PYRAMID_LAPLACIAN
} MgpuPyramidType;

/**
 * MgpuPyramidParams:
 * @levels: how many there are, 1 to %MGPU_PYRAMID_MAX_LEVELS; small frames have fewer
 * @type: what they show
 */
typedef struct
{
  guint levels;
  MgpuPyramidType type;
} MgpuPyramidParams;

typedef struct _MgpuPyramid MgpuPyramid;

/* The number of levels until one has a single pixel. */
guint mgpu_pyramid_get_max_levels (gint width, gint height);

/* Makes pyramids of frames. A MgpuPyramid is an object of it, made with
 * MgpuPyramidParams. */
extern const MgpuAlgorithm mgpu_pyramid;

guint mgpu_pyramid_get_n_levels (MgpuPyramid * self);

/* Format and size of a level, with the strides of a frame made for it. */
const GstVideoInfo * mgpu_pyramid_get_info (MgpuPyramid * self, guint level);

/* Detail: one plane of signed samples for each component, int16 when the
 * frame has 8 bit samples and int32 otherwise, all in one memory. The fourth
 * byte of a pixel that has no alpha counts as a component. */
guint mgpu_pyramid_get_n_components (MgpuPyramid * self);
gsize mgpu_pyramid_get_detail_size (MgpuPyramid * self, guint level);
void mgpu_pyramid_get_detail (MgpuPyramid * self, guint level, guint component, MgpuComponent * result);

/* levels: n_levels frames like mgpu_pyramid_get_info(), each of them NULL when
 * it is not wanted. With MGPU_PYRAMID_GAUSSIAN levels[0] becomes a copy of in.
 * With MGPU_PYRAMID_LAPLACIAN all but the last become pictures of the detail,
 * around mid-grey and clamped.
 *
 * details: NULL, or n_levels - 1 memories for the detail, each of them NULL
 * when it is not wanted. With MGPU_PYRAMID_LAPLACIAN only. Errors stay in job. */
void mgpu_pyramid_enqueue (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * const * levels, GstMgpuMemory * const * details);

/* Rebuilds the frame that n_levels - 1 details and the last level were made
 * from. Errors stay in job. */
void mgpu_pyramid_enqueue_collapse (MgpuPyramid * self, GstMgpuJob * job, GstMgpuMemory * const * details,
    const MgpuImage * last, const MgpuImage * out);

/* Gives back the memory that lies between kernels, which the next frame makes
 * anew. Without it self holds no reference to the context. */
void mgpu_pyramid_drop_scratch (MgpuPyramid * self);

G_END_DECLS
