/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>

#if GST_CHECK_VERSION (1, 24, 0)

G_BEGIN_DECLS

/* Caps of frames in dma-bufs, and in CUDA memory if support for CUDA was built in */
#ifdef HAVE_CUDA
#define GST_MGPU_CAPS_SHARED GST_VIDEO_DMA_DRM_CAPS_MAKE "; " GST_MGPU_CAPS_CUDA
#else
#define GST_MGPU_CAPS_SHARED GST_VIDEO_DMA_DRM_CAPS_MAKE
#endif

/* Returns: (transfer full): @caps (transfer full), in which structures for dma-bufs with a
 * linear layout are replaced by structures for frames in system memory, and structures for
 * other dma-bufs are removed */
GstCaps * gst_mgpu_caps_from_drm (GstCaps * caps);

/* Returns: (transfer full): caps with the formats of @caps, which may be caps of dma-bufs.
 * The result has structures for frames in OpenCL memory and in system memory; if @to_drm
 * is TRUE, also in dma-bufs; if @to_cuda is TRUE, also in CUDA memory */
GstCaps * gst_mgpu_caps_beyond_drm (GstCaps * caps, gboolean to_drm, gboolean to_cuda);

G_END_DECLS

#endif
