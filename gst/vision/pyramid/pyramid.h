/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Largest number of levels of a pyramid. Level 0 is the frame; level i + 1 has half the
 * width and height of level i, rounded up. */
#define MGPU_PYRAMID_MAX_LEVELS 16

/**
 * MgpuPyramidType:
 * @MGPU_PYRAMID_GAUSSIAN: each level is the level before it, smoothed and
 *   halved
 * @MGPU_PYRAMID_LAPLACIAN: each level but the last holds detail: the difference
 *   between the Gaussian level and the next, smaller one
 */
typedef enum
{
  MGPU_PYRAMID_GAUSSIAN,
  MGPU_PYRAMID_LAPLACIAN
} MgpuPyramidType;

/**
 * MgpuPyramidParams:
 * @levels: number of levels, 1 to %MGPU_PYRAMID_MAX_LEVELS; small frames have fewer
 * @type: whether levels show smaller frames or detail
 */
typedef struct
{
  guint levels;
  MgpuPyramidType type;
} MgpuPyramidParams;

typedef struct _MgpuPyramid MgpuPyramid;

/* Returns: the largest number of levels of a pyramid of frames with @width x @height
 * pixels: the number with which the last level is a single pixel, but at most
 * MGPU_PYRAMID_MAX_LEVELS */
guint mgpu_pyramid_get_max_levels (gint width, gint height);

/* Describes the algorithm that makes Gaussian or Laplacian pyramids of frames. An object
 * of mgpu_object_new() is a MgpuPyramid; its parameters are MgpuPyramidParams. */
extern const MgpuAlgorithm mgpu_pyramid;

guint mgpu_pyramid_get_n_levels (MgpuPyramid * self);

/* Returns: the format and size of the pyramid level with the index @level, with default
 * strides */
const GstVideoInfo * mgpu_pyramid_get_info (MgpuPyramid * self, guint level);

/* These functions describe the detail of a level of a Laplacian pyramid: one plane of
 * signed samples for each colour component, all in one memory. Samples are int16 when the
 * frame has samples of 8 bits, otherwise int32. The unused fourth byte of a pixel without
 * alpha counts as a component. */
guint mgpu_pyramid_get_n_components (MgpuPyramid * self);
gsize mgpu_pyramid_get_detail_size (MgpuPyramid * self, guint level);
void mgpu_pyramid_get_detail (MgpuPyramid * self, guint level, guint component, MgpuComponent * result);

/* Enqueues the kernels that make the pyramid of the frame @in. The array @levels has an
 * image for each level, of the format and size that mgpu_pyramid_get_info() returns, or
 * NULL for a level that is not wanted. With MGPU_PYRAMID_GAUSSIAN, @levels[0] becomes a
 * copy of @in. With MGPU_PYRAMID_LAPLACIAN, all levels but the last become visible images
 * of the detail: mid-grey plus the detail, clamped.
 *
 * The array @details is used with MGPU_PYRAMID_LAPLACIAN only. It has a memory for the
 * detail of each level but the last, or NULL for a detail that is not wanted; it may be
 * NULL itself. Errors stay in @job. */
void mgpu_pyramid_enqueue (MgpuPyramid * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * const * levels, GstMgpuMemory * const * details);

/* Enqueues the kernels that rebuild a frame from a Laplacian pyramid (@details of all
 * levels but the last, and the image @last of the last level), and write the frame to
 * @out. Errors stay in @job. */
void mgpu_pyramid_enqueue_collapse (MgpuPyramid * self, GstMgpuJob * job, GstMgpuMemory * const * details,
    const MgpuImage * last, const MgpuImage * out);

/* Frees the scratch buffers, which hold pyramid levels that the caller does not want; they
 * are allocated anew for the next frame. An object without scratch buffers holds no
 * reference to the context. */
void mgpu_pyramid_drop_scratch (MgpuPyramid * self);

G_END_DECLS
