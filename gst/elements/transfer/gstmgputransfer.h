/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpucudabase.h>
#include <gst/frame/gstmgpufilter.h>

G_BEGIN_DECLS

/* The common part of mgpuupload and mgpudownload: the instance struct of both begins with a
 * GstMgpuTransfer. */
typedef struct
{
  GstMgpuFilter filter;

  GstMgpuCudaBase cuda;
  GstPadDirection shared;       /* pad whose frames may be in dma-bufs or in CUDA memory */
} GstMgpuTransfer;

/* @shared: the pad whose frames may be in dma-bufs or in CUDA memory */
void     gst_mgpu_transfer_init       (GstMgpuTransfer * self, GstPadDirection shared);

/* Sets the functions of the class that share the CUDA context with neighbours, and have all
 * frames passed, and from GStreamer 1.24 on let the frames of one pad be in shared memory. */
void     gst_mgpu_transfer_class_init (GstMgpuFilterClass * klass);

/* Default stop() of the class; a class that overrides stop() has to call it. */
gboolean gst_mgpu_transfer_stop       (GstBaseTransform * trans);

G_END_DECLS
