/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Largest number of levels of a pyramid. Level 0 is the frame. The width and height of level i +
 * 1 are half those of level i, rounded up. */
#define MGPU_PYRAMID_MAX_LEVELS 16

/**
 * MgpuPyramidType:
 * @MGPU_PYRAMID_GAUSSIAN: each level is the previous level, smoothed and scaled to half its width
 *   and height
 * @MGPU_PYRAMID_LAPLACIAN: each level except the last contains detail, that is, the difference
 *   between the Gaussian level and the next smaller level magnified to the same size
 */
typedef enum
{
  MGPU_PYRAMID_GAUSSIAN,
  MGPU_PYRAMID_LAPLACIAN
} MgpuPyramidType;

/**
 * MgpuPyramidParams:
 * @levels: number of levels, 1 to %MGPU_PYRAMID_MAX_LEVELS; small frames have fewer
 * @type: whether the levels contain scaled frames or detail
 */
typedef struct
{
  guint levels;
  MgpuPyramidType type;
} MgpuPyramidParams;

typedef struct _MgpuPyramid MgpuPyramid;

/* Returns: the largest number of levels of a pyramid of frames with @width x @height pixels.
 * With this number, the last level is a single pixel. The number is limited to
 * MGPU_PYRAMID_MAX_LEVELS. */
guint mgpu_pyramid_get_max_levels (gint width, gint height);

/* Computes Gaussian or Laplacian pyramids of frames. The object that mgpu_object_new() returns
 * is a MgpuPyramid; its parameters are MgpuPyramidParams. */
extern const MgpuAlgorithm mgpu_pyramid;

guint mgpu_pyramid_get_n_levels (MgpuPyramid * self);

/* Returns: the format and size of the pyramid level with the index @level, with default
 * strides */
const GstVideoInfo * mgpu_pyramid_get_info (MgpuPyramid * self, guint level);

/* These functions describe the detail of a level of a Laplacian pyramid. It has one plane of
 * signed samples for each color component, all in one memory. Samples are int16 if the frame
 * has samples of 8 bits, otherwise int32. The unused fourth byte of a pixel without alpha counts
 * as a component. */
guint mgpu_pyramid_get_n_components (MgpuPyramid * self);
gsize mgpu_pyramid_get_detail_size (MgpuPyramid * self, guint level);
void mgpu_pyramid_get_detail (MgpuPyramid * self, guint level, guint component, MgpuComponent * result);

/* Enqueues the kernels that compute the pyramid of the frame @in. Errors stay in @job.
 * @levels: for each level, an image of the format and size that mgpu_pyramid_get_info()
 *   returns, which is written; NULL for a level that is not wanted. With MGPU_PYRAMID_GAUSSIAN,
 *   @levels[0] becomes a copy of @in. With MGPU_PYRAMID_LAPLACIAN, all levels except the last
 *   become visible images of the detail: mid-gray plus the detail, clamped.
 * @details: (nullable): for each level except the last, a memory for its detail, which is
 *   written; NULL for a detail that is not wanted. Only used with MGPU_PYRAMID_LAPLACIAN. */
void mgpu_pyramid_enqueue (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * const * levels, GstMgpuMemory * const * details);

/* Enqueues the kernels that reconstruct a frame from a Laplacian pyramid. Errors stay in @job.
 * @details: the detail of all levels except the last; read
 * @last: the image of the last level; read
 * @out: written, the frame */
void mgpu_pyramid_enqueue_collapse (MgpuPyramid * self, GstMgpuJob * job, GstMgpuMemory * const * details,
    const MgpuImage * last, const MgpuImage * out);

/* Frees the scratch buffers, which contain pyramid levels that the caller does not want. They
 * are allocated again for the next frame. An object without scratch buffers holds no reference
 * to the context. */
void mgpu_pyramid_drop_scratch (MgpuPyramid * self);

G_END_DECLS
