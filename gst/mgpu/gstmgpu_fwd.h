/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

/* Makes the OpenCL headers declare the API of OpenCL 1.2. An application that needs a newer version
 * defines CL_TARGET_OPENCL_VERSION before it includes this header. */
#ifndef __GI_SCANNER__
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#endif
#include <CL/cl.h>

#include <gst/gst.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#ifndef GST_MGPU_API
# ifdef BUILDING_GST_MGPU
#  define GST_MGPU_API GST_API_EXPORT
# else
#  define GST_MGPU_API GST_API_IMPORT
# endif
#endif

typedef struct _GstMgpuContext GstMgpuContext;
typedef struct _GstMgpuContextClass GstMgpuContextClass;
typedef struct _GstMgpuTraits GstMgpuTraits;
typedef struct _GstMgpuStats GstMgpuStats;
typedef struct _GstMgpuQueue GstMgpuQueue;
typedef struct _GstMgpuQueueClass GstMgpuQueueClass;
typedef struct _GstMgpuJob GstMgpuJob;
typedef struct _GstMgpuProgram GstMgpuProgram;
typedef struct _GstMgpuProgramClass GstMgpuProgramClass;
typedef struct _GstMgpuMemory GstMgpuMemory;
typedef struct _GstMgpuAllocator GstMgpuAllocator;
typedef struct _GstMgpuAllocatorClass GstMgpuAllocatorClass;
typedef struct _GstMgpuBufferPool GstMgpuBufferPool;
typedef struct _GstMgpuBufferPoolClass GstMgpuBufferPoolClass;

G_END_DECLS
