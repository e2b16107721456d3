/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudevicebase.h"

G_BEGIN_DECLS

#define GST_MGPU_CAPS_FEATURE_CUDA "memory:CUDAMemory"

/* The pixel formats that all elements accept and that GStreamer's CUDA memory supports */
#define GST_MGPU_FORMATS_CUDA "{ NV12, I420, YV12, NV21, Y42B, Y444, YUY2, UYVY, RGB, BGR, " \
    "RGBx, BGRx, RGBA, ARGB, BGRA, ABGR, P010_10LE, I420_10LE }"
#define GST_MGPU_CAPS_CUDA GST_VIDEO_CAPS_MAKE_WITH_FEATURES \
    (GST_MGPU_CAPS_FEATURE_CUDA, GST_MGPU_FORMATS_CUDA)

/* The state that an element needs for input or output frames in CUDA memory. In a plugin without
 * support for CUDA, the functions of this file do nothing, and return FALSE or NULL. */
typedef struct
{
  GstMgpuDeviceBase *base;
  GMutex lock;                  /* lock that guards @context, except while a function of GStreamer
                                 * sets it for the first time */
  gpointer context;             /* GstCudaContext that the element shares with its
                                 * neighbors; NULL until the first pool is made */
  gint device;                  /* CUDA ordinal of the GPU whose contexts are accepted; -1: any
                                 * GPU */
  GstBufferPool *pool;          /* pool for copies of frames that CUDA does not export; NULL
                                 * before the first copy */
} GstMgpuCudaBase;

void            gst_mgpu_cuda_base_init         (GstMgpuCudaBase * self, GstMgpuDeviceBase * base);
void            gst_mgpu_cuda_base_clear        (GstMgpuCudaBase * self);
/* Drops the buffer pool, because the format of frames changes. */
void            gst_mgpu_cuda_base_reset        (GstMgpuCudaBase * self);
/* Drops the buffer pool and the CUDA context, because the next start may be on another GPU. */
void            gst_mgpu_cuda_base_stop         (GstMgpuCudaBase * self);

/* Takes over the CUDA context that @context, a GstContext, carries. */
void            gst_mgpu_cuda_base_set_context  (GstMgpuCudaBase * self, GstContext * context);
/* Answers @query if it asks for a CUDA context and the element has one. Returns: whether @query
 * was answered */
gboolean        gst_mgpu_cuda_base_answer_query (GstMgpuCudaBase * self, GstQuery * query);

/* Returns: whether @caps (nullable) describe frames in CUDA memory */
gboolean        gst_mgpu_caps_are_cuda          (GstCaps * caps);
/* Returns: whether the machine has a CUDA driver */
gboolean        gst_mgpu_cuda_is_possible       (void);
/* Returns: whether @memory is CUDA memory */
gboolean        gst_mgpu_is_cuda_memory         (GstMemory * memory);

/* Makes a pool of frames of @caps in CUDA memory. If the OpenCL device is also a CUDA device,
 * CUDA exports the frames: OpenCL can read and write them. Sets *@size to the size of a frame in
 * bytes.
 * Returns: (transfer full) (nullable): a pool that is configured but not active; NULL on failure */
GstBufferPool * gst_mgpu_cuda_base_new_pool     (GstMgpuCudaBase * self, GstCaps * caps, guint * size);

/* Adds to the ALLOCATION query @query a pool of frames of @caps in CUDA memory, which the device
 * reads without a copy. Adds no pool if the device does not import CUDA memory. */
void            gst_mgpu_cuda_base_propose_pool (GstMgpuCudaBase * self, GstQuery * query, GstCaps * caps);

/* If CUDA does not export the memory of the frame @in, copies the frame within the GPU to memory
 * that CUDA exports. @info is the format of the frame. Returns: (transfer full) (nullable): the
 * copy; NULL if @in needs no copy, or cannot be copied */
GstBuffer *     gst_mgpu_cuda_base_copy         (GstMgpuCudaBase * self, GstBuffer * in,
                                                 const GstVideoInfo * info);

G_END_DECLS
